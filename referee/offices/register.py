"""Matches, read from the store and written to it, with the last state of each at hand; how each stands, as `list`,
`show` and their JSON say it (contract, "Commands"); and what is kept of a person's address beside their seats: wishes,
whether letters arrive. At its end what the moderator asks for when a match is opened, or its rules are amended, and
every fault of it."""

import json
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import Any, Literal

from referee.base.errors import CannotDo, RefereeError
from referee.base.logs import Log
from referee.base.settings import Offices, Settings
from referee.core.diagram import Diagram
from referee.core.game import AnyGame
from referee.core.options import Options, OptionSpec, resolved
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.page_words import listed
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import stamp
from referee.match.events import Entrant, Entry
from referee.match.handling.deadlines import next_passing, next_reminder
from referee.match.match import Match, fold, for_solver, freeze, outstanding, thaw, written_by
from referee.match.names import name_fault
from referee.match.record.public import Continuation
from referee.match.timing import MOVING, game_setup, timing_faults
from referee.store.club import Person
from referee.store.matches import BadLedger, MatchStore, StoredMatch
from referee.store.sql import Unit

log = Log("referee.matches")
Facts = dict[str, Any]  # by name, as `--json` prints them
Draw = Callable[[Diagram], str]  # a board as text
Medium = Literal["both", "text", "html"]
_MOST_AT_HAND = 100
ROSTER = (  # what changes who sits where, or by which addresses he is known
    ev.MatchOpened | ev.EntrantJoined | ev.EntrantLeft | ev.MatchBegun | ev.EntrantReplaced
    | ev.SeatVacated | ev.StoodIn | ev.CameBack | ev.AddressAdded | ev.SeatsReaddressed
)  # fmt: skip


class UnknownMatch(RefereeError, LookupError):
    """There is no match of that name."""


class Unfoldable(RefereeError):
    """The match is put aside: its ledger can't be folded by this version of the program."""


class Matches(Value):
    """Loads a match from its cached state, or refolds its ledger where the cache is of another version of the program.

    Of the last few that were needed the states stay in memory, each beside the text from which the store would give it:
    one that the store does not hold, because a savepoint was undone or another process went on, is never used.
    """

    games: Mapping[str, AnyGame]
    settings: Settings
    draw: Draw
    program: Callable[[], str]  # tells this version from all others: what a row keeps for a list is of one
    at_hand: OrderedDict[str, tuple[str, Match]] = field(default_factory=OrderedDict)

    def game(self, match: Match) -> AnyGame:
        return self.games[match.game]

    def load(self, unit: Unit, name: str) -> Match:
        """The match as it stands. Raises UnknownMatch; Unfoldable if its ledger tells none."""
        row = unit.match(name)
        if row is None:
            raise UnknownMatch(name)
        text, known = self.at_hand.get(name, ("", None))
        if known is None or known.version != row.version or text != row.state:
            known = self._thawed(row) or self._folded(unit, row)
        self._keep(row.state, known)
        return known

    def required(self, unit: Unit, name: str) -> Match:
        """The same, of a name that a person gave. Raises CannotDo."""
        try:
            return self.load(unit, name)
        except UnknownMatch:
            raise CannotDo(f"There is no match {name!r}; `referee list` shows them.") from None
        except Unfoldable as error:
            raise CannotDo(f"{error}. It is put aside, and the other matches go on.") from error

    def _keep(self, text: str, match: Match) -> None:
        self.at_hand[match.name] = (text, match)
        self.at_hand.move_to_end(match.name)
        if len(self.at_hand) > _MOST_AT_HAND:
            self.at_hand.popitem(last=False)

    def outline(self, unit: Unit, name: str) -> Match:
        """The match; of one that can't be folded what its row tells, so that whoever sits in others is not held up."""
        try:
            return self.load(unit, name)
        except Unfoldable:
            (row,) = unit.summaries((name,))
            return outline_of(row)

    def why_unreadable(self, unit: Unit, name: str) -> str:
        """Why the match can't be folded; nothing where it can."""
        try:
            self.load(unit, name)
        except Unfoldable as error:
            return str(error)
        return ""

    def _thawed(self, row: StoredMatch) -> Match | None:
        """The cached state, if this version of the program wrote it and it can be read."""
        game = self.games.get(row.game)
        if game is None or row.stamp != written_by(game):
            return None
        try:
            return thaw(game, row.state)
        except Exception as error:  # noqa: BLE001 - a cache is no truth: the ledger is
            log.warning("cache", match=row.name, error=type(error).__name__)
            return None

    def _folded(self, unit: MatchStore, row: StoredMatch) -> Match:
        if row.game not in self.games:
            raise Unfoldable(f"{row.name}: there is no game {row.game!r} any more")
        try:
            return fold(self.games.__getitem__, unit.history(row.name))
        except BadLedger as error:
            raise Unfoldable(f"{row.name}: {error}") from error
        except Exception as error:
            raise Unfoldable(f"{row.name}: its ledger can't be folded ({type(error).__name__})") from error

    def save(self, unit: MatchStore, match: Match, entries: Sequence[Entry], now: datetime) -> None:
        """Append the entries; rewrite row, deadlines and seats from the state after."""
        row = self.row(match, now)
        unit.save(row, entries)
        if any(isinstance(e.event, ROSTER) for e in entries):
            unit.seat_addresses(match.name, *addresses(match))
        self._keep(row.state, match)

    def row(self, match: Match, now: datetime) -> StoredMatch:
        """What the store keeps of the state, for whoever looks for matches and deadlines."""
        game, view, passing = self.game(match), match.view(None), next_passing(match)
        return StoredMatch(
            name=match.name,
            game=match.game,
            status=match.status,
            phase=view.phase if view else "filling",
            version=match.version,
            opened_at=match.opened_at,
            stamp=written_by(game),
            state=freeze(game, match),
            lapses_at=passing.at if passing else None,
            reminds_at=next_reminder(match, now, self.settings.reminders),
            computes=bool(match.status == "open" and for_solver(match)),
            vacant=bool(match.vacant),
            table=match.options.get("table") or None,
            facts=self._standing(match)[1],
        )

    def board(self, match: Match, seat: int | None = None) -> str:
        """The board as the seat sees it (None: as the public does), as text; nothing where there is none."""
        view = match.view(seat)
        return self.draw(view.diagram) if view and view.diagram else ""

    def stand(self, unit: MatchStore, match: Match) -> Facts:
        """How the match stands in public, kept in its row."""
        facts, text = self._standing(match)
        if text is not None:
            unit.keep_facts(match.name, match.version, text)
        return facts

    def _standing(self, match: Match) -> tuple[Facts, str | None]:
        """The facts, and, where the match can be read, as a row keeps them: with the program that
        made them, and of which state."""
        facts, game = {**facts_of(match), "board": self.board(match)}, self.games.get(match.game)
        if not match.known or game is None:
            return facts, None
        made = {"by": [self.program(), written_by(game), match.version], "facts": facts}
        return facts, json.dumps(made, ensure_ascii=False, separators=(",", ":"))

    def forget(self) -> None:
        self.at_hand.clear()


def facts_of(match: Match, seat: int | None = None) -> Facts:
    """The contract's facts of a match, as the seat sees it (None: as the public does)."""
    view = match.view(seat)
    return {
        "match": match.name,
        "game": match.game,
        "phase": view.phase if view else "filling" if match.known else "can't be read",
        "status": match.status,
        "seats": [
            {"number": n, "name": "" if n in match.vacated else match.entrant(n).name} for n in match.numbers
        ],
        "vacant": list(match.vacant),
        "due": [
            {"seat": d.seat, "demand": d.kind, "due_at": moment(r.due_for(d.seat))} for r, d in match.due
        ],
        "position": dict(view.position) if view else {},
        "outcome": _outcome(match),
    }


def answered(match: Match) -> list[Facts]:
    """Whose answers are in, which is for the moderator alone; never what they say."""
    asked = ((r, d) for r in match.rounds for d in r.demands)
    return [{"seat": d.seat, "demand": d.kind} for r, d in asked if d not in outstanding(match, r)]


def moment(at: datetime | None) -> str | None:
    return stamp(at) if at else None


def _outcome(match: Match) -> Facts | None:
    if match.ended is None:
        return None
    points = {str(seat): int(p) if re.fullmatch(r"-?\d+", p) else p for seat, p in match.ended.points.items()}
    return {"winners": list(match.ended.winners), "points": points, "reason": match.ended.reason}


def outline_of(row: StoredMatch) -> Match:
    """What the row of a match tells without its state."""
    return Match(row.name, row.game, {}, 0, row.opened_at, "", False, None, (), row.status)


def addresses(match: Match) -> tuple[list[tuple[int, str]], list[str]]:
    """The seats with each of their addresses, and those of who sat there before."""
    held = [(n, address) for n in match.numbers for address in match.entrant(n).addresses]
    return held, [a for gone in match.former for a in gone.entrant.addresses]


class People(Value):
    """Reads and changes it, in one transaction."""

    unit: Unit

    def _held(self, address: str) -> Person:
        """What is kept of it, for whoever changes it: until that is done, nobody else does."""
        self.unit.hold("person", address_key(address))
        return self.unit.person(address)

    def wish(self, address: str, medium: Medium | None, digest: bool | None, match: str = "") -> None:
        """How letters should come, all or those of one match; None leaves that as it is."""
        person = self._held(address)
        if digest is not None:
            others = {*person.apart.split()} - {match} if match else set()
            apart = others | {match} if match and digest != person.digest else others
            person = person._replace(digest=person.digest if match else digest, apart=" ".join(sorted(apart)))
        self.unit.remember(person._replace(medium=medium or person.medium))

    def proved_by(self, address: str) -> tuple[str, ...]:
        """The address and those that it has proved to be its own, directly or through one another:
        what its player sets holds for these, and for no others of his seats."""
        found = [address_key(address)]
        for one in found:
            found += [other for other in self.unit.owned_by(one) if other not in found]
        return tuple(found)

    def moved(self, old: str, new: str, *, kept: bool) -> None:
        """The person has a new address, which has all that the old one had set; one that is not kept has nothing."""
        old, new = address_key(old), address_key(new)
        held = {address: self._held(address) for address in sorted((old, new))}
        for other in self.unit.owned_by(old):
            self.unit.remember(self._held(other)._replace(owner=new))
        self.unit.remember(held[old]._replace(owner=new) if kept else Person(old))
        self.unit.remember(held[old]._replace(address=new, owner=None, failing=None, note=None))

    def seated(self, addresses: Iterable[str]) -> None:
        """These are an entrant's own, by a word that is not that of another address's player: they are their own."""
        own = sorted(map(address_key, addresses))
        for address in own:
            if self.unit.person(address).owner in (None, *own):
                continue
            person = self._held(address)
            if person.owner not in (None, *own):
                self.unit.remember(person._replace(owner=None))

    def trusted(self, addresses: Iterable[str]) -> None:
        """The moderator has given these addresses: what was known of failures is past."""
        for person in self.unit.failing(addresses):
            self.unit.remember(self._held(person.address)._replace(failing=None, note=None))

    def heard_of(self, address: str, at: datetime) -> None:
        """A mail came from there: the address is alive again."""
        if self.unit.person(address).failing is None:
            return
        person = self._held(address)
        if person.failing is not None and at > person.failing:
            self.unit.remember(person._replace(failing=None, note=None))


def mark_failing(unit: Unit, address: str, at: datetime, note: str) -> bool:
    """Letters do not arrive there; whether that is new. Only seats' addresses are marked."""
    if not unit.seats_of(address):
        return False
    unit.hold("person", address_key(address))
    person = unit.person(address)
    unit.remember(person._replace(failing=person.failing or at, note=note[:300]))
    return person.failing is None


# --- a match that is to be opened, or whose rules are amended -------------------------------------------------------


class NewMatch(Value):
    """A match to be opened; `specs` are the options there are, `vacant` how many seats wait for somebody to join."""

    game: str
    roster: tuple[Entrant, ...]
    options: Mapping[str, str]
    specs: tuple[OptionSpec, ...]
    data: Mapping[str, Any]
    vacant: int = 0
    name: str | None = None
    seed: int | None = None
    beacon: str | None = None
    continuation: Continuation | None = None


def rules_of(
    game: AnyGame, asked: NewMatch, seats: int
) -> tuple[Options, Mapping[str, Any], tuple[str, ...]]:
    """The options and data of a match to be opened, and every fault; one that goes on from a record keeps its own."""
    if asked.continuation is not None:
        (goes_on, _), faults = asked.continuation, _unfit(asked.roster)
        if goes_on.seats != len(asked.roster) or asked.vacant:
            wrong = f"The record is of a match for {goes_on.seats}: give as many --seat, in the order of its seats."
            faults = (*faults, wrong)
        return Options(goes_on.options), goes_on.data, faults
    options, faults = resolved(asked.specs, asked.options)
    if faults:
        return options, asked.data, faults
    setup = game_setup(options.values, asked.data, seats)
    allowed = game.seats(options)
    played = f"{game.title} is played by {listed(sorted(allowed), 'or')}, not by {seats}."
    seating = game.faults(setup) if seats in allowed else (played,)
    return options, asked.data, (*_unfit(asked.roster), *seating, *timing_faults(options.values))


def _unfit(roster: Sequence[Entrant]) -> tuple[str, ...]:
    """Addresses that would hold two seats of a match; names under which nobody can play, or not beside those before."""
    known = Counter(address_key(address) for person in roster for address in person.addresses)
    twice = ((address, count) for address, count in known.items() if count > 1)
    said = [f"{a} is given for {n} seats, and nobody holds two seats of a match." for a, n in twice]
    faults = ((p.name, name_fault(p.name, [q.name for q in roster[:i]])) for i, p in enumerate(roster))
    return (*said, *(f"The name {name!r} can't be taken: {why}." for name, why in faults if why))


def unwritable(offices: Offices, *people: Entrant) -> tuple[str, ...]:
    """The addresses with which nobody can be registered, and why."""
    found = ((each, offices.hindrance(each)) for person in people for each in person.addresses)
    return tuple(f"{address} can't be registered: {why}." for address, why in found if why)


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


def name_hindrance(unit: Unit, name: str) -> str:
    """Why no match can have that name; empty where one can, which nobody else gives to one before this is done."""
    if not _NAME.fullmatch(name):
        return f"{name[:80]!r} can't name a match: letters, digits, dot, dash and underscore only."
    unit.hold("name", name.lower())
    return f"There is a match {name!r} already." if unit.has_match_like(name) else ""


def numbered(stem: str, taken: Callable[[str], bool]) -> str:
    """The stem, such as a game's name, with the first free number. It is looked for by doubling and halving, since
    numbers are given out in order; where somebody has chosen a number of his own, a free one may be left out."""
    low, high = 0, 1
    while taken(f"{stem}-{high}"):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if taken(f"{stem}-{middle}") else (low, middle)
    return f"{stem}-{high}"


def amended(
    match: Match,
    typed: Mapping[str, str],
    specs: Sequence[OptionSpec],
    data: Mapping[str, Any] | None,
    why: str,
) -> do.Amend:
    """The command that changes the rules of the running match: options by name as they were
    `typed`, the game's `data` where they are to be taken anew. Raises CannotDo with all that is
    wrong: options nobody knows, values that are impossible, rules that are fixed."""
    options, faults = resolved(specs, typed)
    known = {spec.name: spec for spec in specs if spec.name in typed}
    changed = {name: value for name, value in options.values.items() if name in known}
    if MOVING & known.keys() and "zone" not in match.options:  # opened before there was one
        changed["zone"] = options.values["zone"]
    faults = (*faults, *(timing_faults(changed) if not faults else ()))
    new = [spec for name, spec in known.items() if changed[name] != match.options.get(name)]
    if fixed := [spec.name for spec in new if not spec.amend]:
        free = ", ".join(spec.name for spec in specs if spec.amend) or "none"
        verb = "is" if len(fixed) == 1 else "are"
        fixed_since = f"{', '.join(fixed)} {verb} fixed since the match was opened; what may change: {free}."
        faults = (*faults, fixed_since)
    if faults:
        raise CannotDo(*faults)
    return do.Amend(changed, data, any(spec.amend == "again" for spec in new), why)
