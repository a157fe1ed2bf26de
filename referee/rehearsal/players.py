"""Seeded players: they answer what is owed in ordinary mails, sometimes wrongly, sometimes late, sometimes twice."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage

from referee.core.chance import Chance
from referee.core.game import Demand
from referee.match.match import AnyGame, Match

_GREETINGS = (
    "Hello referee,",
    "Hi,",
    "Good evening!",
    "Dear collector,",
    "Hello, my orders are below, thanks.",
)
_PARTINGS = ("Thanks!", "Best wishes", "Have a nice day,", "Cheers", "Until next time")


@dataclass(frozen=True, slots=True)
class Sending:
    """A mail on its way in, and what its sender expects: "accepted", "refused", or None where it is a copy."""

    raw: bytes
    name: str
    expected: str | None


def seeded(*parts: object) -> Chance:
    """Chance from a list of parts: the same parts, the same chance."""
    return Chance(hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest())


class Postman:
    """Writes players' mails. Everything is drawn from the seed and the match's state, so runs repeat exactly. One
    answer in so many (`wrong`) has a bad one before it, one in so many (`doubled`) a copy after it."""

    def __init__(
        self, game: AnyGame, seed: int, collector: str, *, wrong: int = 10, doubled: int = 10
    ) -> None:
        self._wrong = wrong
        self._doubled = doubled
        self._game = game
        self._seed = seed
        self._collector = collector

    def mails(self, match: Match, demand: Demand, at: datetime, count: int) -> list[Sending]:
        """What the seat sends to answer the demand: one good mail, perhaps a bad one before, perhaps a copy after."""
        chance = seeded(self._seed, match.name, match.version, demand)
        action = self._game.suggest(match.inner, demand, chance)
        body = self._game.form(match.inner, demand, match.party(demand.seat), action)
        good = self._mail(match, demand, body, at, f"{count}", chance)
        sendings = [Sending(good, f"{count:05d}b", "accepted")]
        if chance.below(self._wrong, "wrong") == 0:
            wrong = self._mail(match, demand, self._spoilt(body, chance), at, f"{count}-wrong", chance)
            sendings.insert(0, Sending(wrong, f"{count:05d}a", "refused"))
        if chance.below(self._doubled, "doubled") == 0:
            sendings.append(Sending(good, f"{count:05d}c", None))
        return sendings

    def _mail(self, match: Match, demand: Demand, body: str, at: datetime, tag: str, chance: Chance) -> bytes:
        person = match.entrant(demand.seat)
        heading = (
            next(h for h, kind in self._game.headings.items() if kind == demand.kind)
            if (demand.kind in self._game.headings.values())
            else next(iter(self._game.headings))
        )
        message = EmailMessage()
        message["From"] = f"{person.name} <{person.addresses[0]}>"
        message["To"] = self._collector
        message["Subject"] = f"{self._game.title}: {heading} / Player {demand.seat} [{match.name}]"
        message["Date"] = at
        message["Message-ID"] = f"<{match.name}-{tag}-{demand.seat}@players.example>"
        greeting = _GREETINGS[chance.below(len(_GREETINGS), "greeting")]
        parting = _PARTINGS[chance.below(len(_PARTINGS), "parting")]
        message.set_content(f"{greeting}\n\n{body}\n\n{parting}\n{person.name}\n")
        return message.as_bytes()

    @staticmethod
    def _spoilt(body: str, chance: Chance) -> str:
        """The same orders with one made impossible."""
        lines = [line for line in body.splitlines() if line.strip()]
        orders = [i for i, line in enumerate(lines) if ":" in line or any(c.isdigit() for c in line)] or [0]
        broken = orders[chance.below(len(orders), "which line")]
        key, colon, _ = lines[broken].partition(":")
        lines[broken] = f"{key}{colon or ':'} zz99 qqq"
        return "\n".join(lines)
