"""Commands to an office, by subject. Each is a method named in `_TABLE`; what it may do to a seat is decided before."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from referee.core.complaint import Line
from referee.match import commands as do
from referee.match.decide import Decision, decide, joined
from referee.match.events import Entrant
from referee.match.match import AnyGame, Match, owed
from referee.match.record import public_record
from referee.match.verdicts import Impossible
from referee.offices.book import UnknownMatch
from referee.offices.keeping import OutgoingLetter, Unit, Verdict
from referee.offices.letters import Letter
from referee.offices.mail import Mail, Signatures
from referee.offices.people import People
from referee.offices.registry import Registry
from referee.offices.routing import Astray, Route, route
from referee.offices.senders import Senders
from referee.offices.settings import Offices, Policy
from referee.offices.speaker import Answering, Speaker, record_json
from referee.offices.wishes import absence_span, addressees, mail_address, medium, on_or_off, time_zone

_MOST_ADDRESSES = 5  # of one seat
_LONGEST_NAME = 60
_NOTHING = frozenset({"off", "none", "no", "remove", "delete"})


@dataclass(frozen=True, slots=True)
class Asked:
    """A command, with everything it may need. `seats` are those its sender may speak for."""

    unit: Unit
    mail: Mail
    to: Answering
    seats: tuple[Route, ...]
    replied: OutgoingLetter | None
    now: datetime

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

# Commands that only tell, to the address they came from, what its owner may know anyhow.
TELLING = frozenset({"help", "status", "games", "record", "board", "preview"})
OPEN_TO_ALL = frozenset({"help", "games", "record", "board", "join", "observe", "stop", "status"})


class Commands:
    """What an office does by itself, without any game."""

    def __init__(
        self,
        registry: Registry,
        speaker: Speaker,
        games: Mapping[str, AnyGame],
        offices: Offices,
        policy: Policy,
        senders: Senders,
        signatures: Signatures | None = None,
    ) -> None:
        self._registry = registry
        self._speaker = speaker
        self._games = games
        self._offices = offices
        self._policy = policy
        self._senders = senders
        self._signatures = signatures

    def obey(self, asked: Asked) -> Obeyed | Order:
        """Carry the command out, or say in a help letter what is possible."""
        method = _TABLE.get(asked.command)
        done = method(self, asked) if method else None
        return done if done is not None else self._help(asked)

    # --- what a command names ----------------------------------------------------------------------------------

    def named(self, asked: Asked) -> Match | None:
        """The match that a bracket, a word of the argument or the answered letter names."""
        tag, replied = asked.mail.tag, asked.replied
        words = [*tag.brackets, asked.argument.strip("[] "), *asked.argument.replace("/", " ").split()]
        for word in filter(None, [*words, replied.match or "" if replied else ""]):
            try:
                return self._registry.book.load(asked.unit, word)
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

    # --- telling -----------------------------------------------------------------------------------------------

    def _help(self, asked: Asked, why: str = "", astray: Astray | None = None) -> Obeyed:
        why = why or ("asked" if asked.command == "help" else "unknown_command")
        context = {"mail": asked.mail, "astray": astray or Astray("nothing_asked", asked.seats), "why": why}
        letter = self._speaker.answer("help", asked.to, asked.now, context)
        return "answered", "help" if why == "asked" else f"help: {why} ({asked.command})", (letter,)

    def _status(self, asked: Asked) -> Obeyed:
        """What the sender owes, everywhere, until when."""
        named = self.named(asked)
        shown = [r for r in asked.seats if named is None or r.match.name == named.name]
        rows = [self._row(at) for at in shown]
        people = People(asked.unit)
        addresses = {a for r in shown for a in r.match.entrant(r.seat).addresses}
        context = {
            "rows": rows, "named": named, "failing": people.failing(addresses),
            "person": people.of(asked.to.address), "boards": asked.command == "board" or len(rows) == 1,
        }  # fmt: skip
        only = shown[0] if len(shown) == 1 else None
        match = only.match if only else None
        letter = self._speaker.answer(
            "status", asked.to, asked.now, context, match, only.seat if only else None
        )
        return "answered", asked.command, (letter,)

    def _row(self, at: Route) -> dict[str, Any]:
        game = self._games[at.match.game]
        mine = [(r, d) for r, d in owed(at.match, game) if d.seat == at.seat] if at.match.inner else []
        sent = {d for r, d in mine if r.answer_of(d) is not None}
        return {
            "route": at, "game": game, "owes": mine, "sent": sent, "view": self._speaker.view(at.match, at.seat),
            "others": [(r, d) for r, d in owed(at.match, game) if d.seat != at.seat],
            "absences": [a for a in at.match.absences if a.seat == at.seat],
        }  # fmt: skip

    def _board(self, asked: Asked) -> Obeyed | None:
        """How a match stands: one's own view of it, or the public one."""
        match = self.named(asked) or self._only(asked.seats)
        if match is None:
            return self._status(asked) if asked.seats else None
        seat = next((r.seat for r in asked.seats if r.match.name == match.name), None)
        letter = self._speaker.answer("board", asked.to, asked.now, {}, match, seat)
        return "answered", "board", (letter,)

    def _tell_games(self, asked: Asked) -> Obeyed:
        return "answered", "games", (self._speaker.answer("games", asked.to, asked.now, {}),)

    def _record(self, asked: Asked) -> Obeyed | None:
        match = self.named(asked) or self._only(asked.seats)
        if match is None:
            return None
        record = public_record(self._games[match.game], asked.unit.history(match.name))
        files = ((f"{match.name}.json", "application/json", record_json(record)),)
        letter = self._speaker.answer("record", asked.to, asked.now, {"record": record}, match, None, files)
        return "answered", "record", (letter,)

    @staticmethod
    def _only(seats: tuple[Route, ...]) -> Match | None:
        names = {r.match.name for r in seats}
        return seats[0].match if len(names) == 1 else None

    # --- orders in other words ---------------------------------------------------------------------------------

    def _withdraw(self, asked: Asked) -> Order | Obeyed | None:
        places = self.places(asked)
        holding = [
            r for r in places if any(a.demand.seat == r.seat for x in r.match.rounds for a in x.answered)
        ]
        return Order((holding or list(places))[0], take_back=True) if places else None

    def _resign(self, asked: Asked) -> Order | Obeyed:
        """The word Resign under the game's own heading for it."""
        at = self.place(asked)
        if isinstance(at, Astray):
            return self._help(asked, at.why, at)
        kind = dict(self._games[at.match.game].headings).get("Resign")
        last = max((line.number for line in asked.mail.own), default=0)
        says = any(line.text.strip(" .!*_-").casefold() == "resign" for line in asked.mail.own)
        lines = asked.mail.own if says else (*asked.mail.own, Line(last + 1, "Resign"))
        return Order(at, kind, lines)

    def _preview(self, asked: Asked) -> Order | Obeyed:
        at = self.place(asked)
        return self._help(asked, at.why, at) if isinstance(at, Astray) else Order(at, preview=True)

    # --- seats -------------------------------------------------------------------------------------------------

    def _join(self, asked: Asked) -> Obeyed | None:
        """A vacant seat is taken (contract: `open --vacant`)."""
        match = self.named(asked)
        if match is None:
            return None
        if match.status != "filling" or match.seat_of(asked.to.address):
            return self._help(asked, "seated" if match.seat_of(asked.to.address) else "full")
        entrant = Entrant(_free_name(match, asked), (asked.to.address,))
        game, keys = self._games[match.game], self._speaker.keys
        decision = joined(
            game, match, do.Join(entrant), asked.now, keys, lambda: asked.unit.history(match.name)
        )
        self._registry.record(asked.unit, match, decision, f"mail {asked.to.identity}", asked.now)
        letter = self._speaker.answer("joined", asked.to, asked.now, {}, decision.match, None)
        return "accepted", f"joined {match.name}", (letter,)

    def _observe(self, asked: Asked) -> Obeyed | None:
        match = self.named(asked)
        if match is None:
            return None
        stop = asked.command == "stop"
        decision = self._decided(asked, match, do.Observe(asked.to.address, stop))
        letter = self._speaker.answer("observing", asked.to, asked.now, {"stop": stop}, decision.match, None)
        return "answered", "stopped observing" if stop else "observes", (letter,)

    def _zone(self, asked: Asked) -> Obeyed | None:
        """The sender's time zone, for every seat he holds."""
        if not asked.seats:
            return None
        zone = time_zone(asked.argument)
        for at in asked.seats if zone else ():
            self._decided(asked, at.match, do.SetZone(at.seat, zone or "UTC"))
        letter = self._speaker.answer(
            "zone", asked.to, asked.now, {"zone": zone, "asked": asked.argument}, kind=_sort(bool(zone))
        )
        return "answered", f"time zone {zone}", (letter,)

    def _absence(self, asked: Asked) -> Obeyed | None:
        """Away for some days: told to the others, and deadlines move to the end."""
        places = [r for r in self.places(asked) if r.match.status in ("open", "paused")]
        if not places:
            return None
        results = []
        for at in places:
            zone = at.match.entrant(at.seat).zone or self._offices.timezone
            span = absence_span(asked.argument, zone, asked.now)
            if span is None:
                return self._done(asked, "absence_unclear", good=False)
            command = do.TakeAbsence(at.seat, *span, self._policy.absence)
            results.append((at, span, self._decided(asked, at.match, command).verdict))
        good = any(not isinstance(verdict, Impossible) for _, _, verdict in results)
        return self._done(asked, "absence", good=good, results=results, most=self._policy.absence)

    def _press(self, asked: Asked) -> Obeyed | None:
        """Words to other players; what is not understood is never sent to anybody."""
        at = self.place(asked)
        if isinstance(at, Astray):
            return self._help(asked, at.why, at)
        seats = addressees(asked.argument, at.match.name)
        text = without_addresses("\n".join(line.text for line in asked.mail.own), at.match).strip()
        if seats is None or not text:
            topic = "press_empty" if seats is not None else "press_unclear"
            return self._done(asked, topic, good=False, at=at)
        command = do.SendPress(at.seat, seats, text, self._policy.talk, self._policy.talk_beside_sealed)
        verdict = self._decided(asked, at.match, command).verdict
        return self._done(
            asked, "press", good=not isinstance(verdict, Impossible), at=at, seats=seats, text=text,
            verdict=verdict,
        )  # fmt: skip

    def _renew(self, asked: Asked) -> Obeyed | None:
        places = self.places(asked)
        for at in places:
            self._decided(asked, at.match, do.RenewReplyAddress(at.seat))
        return self._done(asked, "renewed", places=places) if places else None

    # --- the sender himself ------------------------------------------------------------------------------------

    def _address(self, asked: Asked) -> Obeyed | None:
        """A further address of the sender's; or, sent from the new one, that one."""
        places = self.places(asked)
        if not places:
            return None
        new = mail_address(asked.argument) or ("" if asked.argument else asked.mail.sender or "")
        taken = [
            r for r in places
            if (new and set(r.match.seat_of(new)) - {r.seat})
            or len(r.match.entrant(r.seat).addresses) >= _MOST_ADDRESSES
        ]  # fmt: skip
        if not new or taken or new.casefold() in (a.casefold() for a in self._offices.addresses):
            return self._done(asked, "address_refused", good=False, asked_for=asked.argument)
        for at in places:
            self._decided(asked, at.match, do.AddAddress(at.seat, new))
        return self._done(asked, "address", new=new, places=places)

    def _format(self, asked: Asked) -> Obeyed | None:
        """Text or HTML only, and whether public letters come once a day."""
        wanted = medium(asked.argument) if asked.command == "format" else None
        digest = on_or_off(asked.argument, "digest") if wanted is None else None
        if not asked.seats or (wanted is None and digest is None):
            return self._done(asked, "format_unclear", good=False) if asked.seats else None
        people = People(asked.unit)
        for address in self._addresses(asked):
            people.wish(address, medium=wanted, digest=digest)
        return self._done(asked, "format", medium=wanted, digest=digest, hour=self._policy.digest_hour)

    def _phrase(self, asked: Asked) -> Obeyed | None:
        """A pass phrase is kept (as a hash), changed, or dropped."""
        if not asked.seats:
            return None
        new = [words for which, words in asked.mail.phrases if which != "old"]
        off = asked.argument.casefold() in _NOTHING
        if not off and (not new or len(new[-1]) < 8):
            return self._done(asked, "phrase_unclear", good=False)
        people = People(asked.unit)
        for address in self._addresses(asked):
            kept = None if off else self._senders.hashed(new[-1], address, asked.to.identity)
            people.guard(address, kept)
        return self._done(asked, "phrase", off=off)

    def _key(self, asked: Asked) -> Obeyed | None:
        """An OpenPGP public key is kept, changed, or dropped."""
        if not asked.seats:
            return None
        off = asked.argument.casefold() in _NOTHING
        if self._signatures is None:
            return self._done(asked, "key_unsupported", good=False)
        found = None if off else self._signatures.certificate(asked.mail.certificate)
        if found is None and not off:
            return self._done(asked, "key_unclear", good=False)
        people = People(asked.unit)
        for address in self._addresses(asked):
            people.own(address, found.armoured if found else None)
        return self._done(asked, "key", off=off, fingerprint=found.fingerprint if found else "")

    @staticmethod
    def _addresses(asked: Asked) -> list[str]:
        own = {a.casefold() for r in asked.seats for a in r.match.entrant(r.seat).addresses}
        return sorted(own | {asked.to.address.casefold()})

    # --- carrying out ------------------------------------------------------------------------------------------

    def _decided(self, asked: Asked, match: Match, command: Any) -> Decision:
        """What the command does to the match, written down and told."""
        match = self._registry.book.load(asked.unit, match.name)
        game, keys = self._games[match.game], self._speaker.keys
        decision = decide(game, match, command, asked.now, keys, lambda: asked.unit.history(match.name))
        cause = f"mail {asked.to.identity} {type(command).__name__}"
        self._registry.record(asked.unit, match, decision, cause, asked.now)
        return decision

    def _done(self, asked: Asked, topic: str, *, good: bool = True, **facts: Any) -> Obeyed:
        """A short letter that says what was done, or why not."""
        context = {"topic": topic, "good": good, **facts}
        letter = self._speaker.answer("done", asked.to, asked.now, context, kind=_sort(good))
        return "answered", topic if good else f"{topic}: not done", (letter,)


def _sort(good: bool) -> str:
    return "receipt" if good else "refusal"


def _free_name(match: Match, asked: Asked) -> str:
    """The name the sender gives himself, on one line, unlike any that somebody has there already."""
    given = "".join(c if c.isprintable() else " " for c in asked.to.name.replace("@", " "))
    name = " ".join(given.split())[:_LONGEST_NAME] or asked.to.address.partition("@")[0][:_LONGEST_NAME]
    taken = {e.name.casefold() for e in match.roster}
    number = 2
    free = name
    while free.casefold() in taken:
        free, number = f"{name} {number}", number + 1
    return free


def without_addresses(text: str, match: Match) -> str:
    """The text with every player's address left out: press never shows one."""
    for address in sorted({a for e in match.roster for a in e.addresses}, key=len, reverse=True):
        text = re.sub(re.escape(address), "(address left out)", text, flags=re.IGNORECASE)
    return text


_TABLE: dict[str, Callable[[Commands, Asked], Obeyed | Order | None]] = {
    "help": Commands._help,
    "status": Commands._status,
    "board": Commands._board,
    "games": Commands._tell_games,
    "record": Commands._record,
    "withdraw": Commands._withdraw,
    "resign": Commands._resign,
    "preview": Commands._preview,
    "join": Commands._join,
    "observe": Commands._observe,
    "stop": Commands._observe,
    "timezone": Commands._zone,
    "vacation": Commands._absence,
    "press": Commands._press,
    "renew": Commands._renew,
    "address": Commands._address,
    "format": Commands._format,
    "digest": Commands._format,
    "phrase": Commands._phrase,
    "key": Commands._key,
}
