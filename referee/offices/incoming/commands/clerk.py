"""The clerk: what every command needs - the match it names, what it does written down, a short letter about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from referee.core.complaint import Line
from referee.match.decide import Decision, decide
from referee.match.match import AnyGame, Former, Match, last_held
from referee.offices.book import UnknownMatch
from referee.offices.incoming.addresses import Addresses
from referee.offices.incoming.routing import Astray, Route, route
from referee.offices.incoming.senders import Senders, Standing
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.readers import Answering
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.mail import Mail, Signatures
from referee.offices.ports.store import KeptMail, OutgoingLetter, Unit, Verdict
from referee.offices.registry import Registry
from referee.offices.settings import Offices, Settings


@dataclass(frozen=True, slots=True)
class Asked:
    """A command, with everything it may need. `seats` are those its sender may speak for."""

    unit: Unit
    mail: Mail
    to: Answering
    seats: tuple[Route, ...]
    replied: OutgoingLetter | None
    now: datetime
    arrived: datetime | None = None
    kept: KeptMail | None = None
    standing: Standing | None = None

    @property
    def command(self) -> str:
        return self.mail.tag.command or ""

    @property
    def argument(self) -> str:
        return self.mail.tag.argument.strip()


@dataclass(frozen=True, slots=True)
class Order:
    """A command that is judged like an answer of that seat: `withdraw`, `resign`, `preview`."""

    route: Route
    kind: str | None = None
    lines: tuple[Line, ...] | None = None
    take_back: bool = False
    preview: bool = False


Obeyed = tuple[Verdict, str, tuple[Letter, ...]]


@dataclass(frozen=True, slots=True)
class Clerk:
    """The offices' hands: commands are functions of the clerk and of what was asked."""

    registry: Registry
    speaker: Speaker
    games: Mapping[str, AnyGame]
    offices: Offices
    settings: Settings
    senders: Senders
    further: Addresses
    signatures: Signatures | None = None

    def named(self, asked: Asked) -> Match | None:
        """The match that a bracket, a word of the argument or the answered letter names."""
        tag, replied = asked.mail.tag, asked.replied
        words = [*tag.brackets, asked.argument.strip("[] "), *asked.argument.replace("/", " ").split()]
        for word in filter(None, [*words, replied.match or "" if replied else ""]):
            try:
                return self.registry.book.load(asked.unit, word)
            except UnknownMatch:
                continue
        return None

    def places(self, asked: Asked) -> tuple[Route, ...]:
        """The sender's seats that the command is for: those of the match it names, else all in matches not ended."""
        named = self.named(asked)
        if named is not None:
            return tuple(r for r in asked.seats if r.match.name == named.name)
        return tuple(r for r in asked.seats if r.match.status != "ended")

    def place(self, asked: Asked) -> Route | Astray:
        """The one seat the command is for."""
        places = self.places(asked)
        return route(places, asked.mail, asked.replied) if places else Astray("no_seat", asked.seats)

    def decided(self, asked: Asked, match: Match, command: Any) -> Decision:
        """What the command does to the match, written down and told."""
        match = self.registry.book.load(asked.unit, match.name)
        game, keys = self.games[match.game], self.speaker.keys
        decision = decide(game, match, command, asked.now, keys, lambda: asked.unit.history(match.name))
        cause = f"mail {asked.to.identity} {type(command).__name__}"
        self.registry.record(asked.unit, match, decision, cause, asked.now)
        return decision

    def further_question(self, asked: Asked) -> Letter | None:
        """The question to the further address that a mail asks for, where it is to be asked."""
        places = self.places(asked)
        new = self.further.wanted(asked.argument, asked.mail.sender, places)
        if new is None or not places or asked.kept is None or asked.standing is None:
            return None
        return self.further.question(
            asked.unit, asked.kept, asked.standing, places, new, asked.to.address, asked.now
        )

    def done(self, asked: Asked, topic: str, *, good: bool = True, **facts: Any) -> Obeyed:
        """A short letter that says what was done, or why not."""
        context = {"topic": topic, "good": good, **facts}
        letter = self.speaker.answer("done", asked.to, asked.now, context, kind=sort_of(good))
        return "answered", topic if good else f"{topic}: not done", (letter,)

    def open_seats(self, unit: Unit) -> list[list[str]]:
        """The matches with a vacant seat: name, game, and the subject that takes it."""
        return [[name, self.games[game].title, f"join {name}"] for name, game in unit.vacant()]

    def former(self, unit: Unit, address: str) -> list[tuple[Match, Former]]:
        """The seats that the address had and that are another's now."""
        matches = [self.registry.book.outline(unit, name) for name in unit.left_by(address)]
        found = ((match, last_held(match, address)) for match in matches)
        return [(match, seat) for match, seat in found if seat is not None]

    def help(self, asked: Asked, why: str = "", astray: Astray | None = None) -> Obeyed:
        """The letter on how to write to the referee; `why` it is sent, if not because it was asked for."""
        why = why or ("asked" if asked.command == "help" else "unknown_command")
        context = {
            "mail": asked.mail,
            "astray": astray or Astray("nothing_asked", asked.seats),
            "why": why,
            "former": (),
            "open_seats": self.open_seats(asked.unit),
        }
        letter = self.speaker.answer("help", asked.to, asked.now, context)
        return "answered", "help" if why == "asked" else f"help: {why} ({asked.command})", (letter,)


def sort_of(good: bool) -> str:
    return "receipt" if good else "refusal"
