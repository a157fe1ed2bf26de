"""Commands to an office, by subject: help, status, record, games, withdraw, join, observe, stop, time zone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import available_timezones

from referee.match import commands as do
from referee.match.decide import decide, joined
from referee.match.events import Entrant
from referee.match.match import AnyGame, Match, owed
from referee.match.record import public_record
from referee.offices.book import UnknownMatch
from referee.offices.keeping import OutgoingLetter, Unit, Verdict
from referee.offices.letters import Letter
from referee.offices.mail import Mail
from referee.offices.registry import Registry
from referee.offices.routing import Route, seats_of
from referee.offices.settings import Offices
from referee.offices.speaker import Answering, Speaker, record_json


@dataclass(frozen=True, slots=True)
class TakeBack:
    """`withdraw`: to be judged like an answer of that seat."""

    route: Route


Obeyed = tuple[Verdict, str, tuple[Letter, ...]]


class Commands:
    """What an office does by itself, without any game."""

    def __init__(
        self, registry: Registry, speaker: Speaker, games: Mapping[str, AnyGame], offices: Offices
    ) -> None:
        self._registry = registry
        self._speaker = speaker
        self._games = games
        self._offices = offices

    def obey(
        self, unit: Unit, mail: Mail, to: Answering, replied: OutgoingLetter | None, now: datetime
    ) -> Obeyed | TakeBack:
        """Carry the command out, or say in a help letter what is possible."""
        seats = seats_of(unit, self._registry.book, to.address)
        command, argument = mail.tag.command or "", mail.tag.argument.strip()
        named = self._named(unit, mail, argument, replied)
        if command == "withdraw":
            mine = [r for r in seats if named is None or r.match.name == named.name]
            holding = [
                r for r in mine if any(a.demand.seat == r.seat for x in r.match.rounds for a in x.answered)
            ]
            if len(holding or mine) >= 1:
                return TakeBack((holding or mine)[0])
        simple: dict[str, Any] = {"status": self._status, "board": self._status, "games": self._games_letter}
        if command in simple:
            letter: Letter = simple[command](to, now, seats, named)
            return "answered", command, (letter,)
        if command == "record" and (match := named or self._only(seats)) is not None:
            return "answered", "record", (self._record(unit, to, now, match),)
        if command == "join" and named is not None:
            return self._join(unit, mail, to, now, named)
        if command in ("observe", "stop") and named is not None:
            return self._observe(unit, to, now, named, stop=command == "stop")
        if command in ("timezone", "time zone", "zone") and seats:
            return self._zone(unit, to, now, seats, argument)
        return "answered", f"help ({command})", (self._help(to, now, mail, seats),)

    def _named(self, unit: Unit, mail: Mail, argument: str, replied: OutgoingLetter | None) -> Match | None:
        """The match that a bracket, the argument or the answered letter names."""
        words = [*mail.tag.brackets, argument.strip("[] "), replied.match or "" if replied else ""]
        for word in filter(None, words):
            try:
                return self._registry.book.load(unit, word)
            except UnknownMatch:
                continue
        return None

    @staticmethod
    def _only(seats: tuple[Route, ...]) -> Match | None:
        names = {r.match.name for r in seats}
        return seats[0].match if len(names) == 1 else None

    def _help(self, to: Answering, now: datetime, mail: Mail, seats: tuple[Route, ...]) -> Letter:
        asked = mail.tag.command == "help"
        context = {
            "mail": mail,
            "astray": None,
            "seats": seats,
            "why": "asked" if asked else "unknown_command",
        }
        return self._speaker.answer("help", to, now, context)

    def _status(self, to: Answering, now: datetime, seats: tuple[Route, ...], named: Match | None) -> Letter:
        """What the sender owes, everywhere, until when."""
        shown = [r for r in seats if named is None or r.match.name == named.name]
        rows = []
        for at in shown:
            game = self._games[at.match.game]
            mine = [(r, d) for r, d in owed(at.match, game) if d.seat == at.seat] if at.match.inner else []
            rows.append(
                {"route": at, "game": game, "owes": mine, "view": self._speaker.view(at.match, at.seat)}
            )
        only = shown[0] if len(shown) == 1 else None
        return self._speaker.answer(
            "status", to, now, {"rows": rows, "named": named}, only.match if only else None,
            only.seat if only else None,
        )  # fmt: skip

    def _games_letter(
        self, to: Answering, now: datetime, seats: tuple[Route, ...], named: Match | None
    ) -> Letter:
        return self._speaker.answer("games", to, now, {"seats": seats})

    def _record(self, unit: Unit, to: Answering, now: datetime, match: Match) -> Letter:
        game = self._games[match.game]
        record = public_record(game, unit.history(match.name))
        files = ((f"{match.name}.json", "application/json", record_json(record)),)
        return self._speaker.answer("record", to, now, {"record": record}, match, None, files)

    def _join(self, unit: Unit, mail: Mail, to: Answering, now: datetime, match: Match) -> Obeyed:
        """A vacant seat is taken (contract: `open --vacant`)."""
        if match.status != "filling" or match.seat_of(to.address):
            why = "seated" if match.seat_of(to.address) else "full"
            letter = self._speaker.answer(
                "help", to, now, {"mail": mail, "astray": None, "seats": (), "why": why}
            )
            return "answered", f"join: {why}", (letter,)
        entrant = Entrant(to.name or to.address.partition("@")[0], (to.address,))
        game = self._games[match.game]
        keys = self._speaker.keys
        decision = joined(game, match, do.Join(entrant), now, keys, lambda: unit.history(match.name))
        self._registry.record(unit, match, decision, f"mail {to.identity}", now)
        letter = self._speaker.answer("joined", to, now, {"mail": mail}, decision.match, None)
        return "accepted", f"joined {match.name}", (letter,)

    def _observe(self, unit: Unit, to: Answering, now: datetime, match: Match, *, stop: bool) -> Obeyed:
        game = self._games[match.game]
        command = do.Observe(to.address, stop)
        decision = decide(game, match, command, now, self._speaker.keys, lambda: unit.history(match.name))
        self._registry.record(unit, match, decision, f"mail {to.identity}", now)
        letter = self._speaker.answer("observing", to, now, {"stop": stop}, decision.match, None)
        return "answered", "stopped observing" if stop else "observes", (letter,)

    def _zone(
        self, unit: Unit, to: Answering, now: datetime, seats: tuple[Route, ...], argument: str
    ) -> Obeyed:
        """The sender's time zone, for every seat he holds."""
        known = {zone.casefold(): zone for zone in available_timezones()}
        zone = known.get(argument.replace(" ", "_").casefold())
        for at in seats if zone else ():
            self._set_zone(unit, at, zone or "UTC", to, now)
        letter = self._speaker.answer("zone", to, now, {"zone": zone, "asked": argument})
        return "answered", f"time zone {zone}", (letter,)

    def _set_zone(self, unit: Unit, at: Route, zone: str, to: Answering, now: datetime) -> None:
        game, name = self._games[at.match.game], at.match.name
        command = do.SetZone(at.seat, zone)
        decision = decide(game, at.match, command, now, self._speaker.keys, lambda: unit.history(name))
        self._registry.record(unit, at.match, decision, f"mail {to.identity}", now)
