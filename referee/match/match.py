"""A match as it stands: its rounds, what is due, what nobody has answered yet, who sits where."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Final, Literal

from pydantic import Field, InstanceOf

from referee.core.answers import Party
from referee.core.diagram import Diagram
from referee.core.game import Outcome, View
from referee.core.seam import Standing
from referee.core.texts.addresses import address_key
from referee.core.value import REFEREE, Demand, FreeText, Value
from referee.match import events as ev
from referee.match.events import Entrant, Entry
from referee.match.timing import Timing, timing_of

History = Callable[[], Sequence[Entry]]


class OpenRound(ev.RoundOpened):
    """A round while it lasts: as it was opened, but for what has changed since. `answered` are
    valid answers so far (of a sealed round: unopened)."""

    opened_at: datetime
    opened: int  # public position at its opening
    begun: datetime  # when what opened it happened: no mail that arrived before can be meant for it
    answered: tuple[ev.Answered, ...] = ()
    moved: dict[int, datetime] = field(default_factory=dict)  # seat -> its own deadline
    moved_at: datetime | None = None  # when a deadline of it last moved: earlier reminders stay past
    graced: dict[int, datetime] = field(default_factory=dict)  # seat -> until when its grace is used
    reminded: tuple[ev.Reminder, ...] = ()
    waited: bool = False  # a deadline of it waited for a mail when it was moved: none waits again

    def due_for(self, seat: int) -> datetime | None:
        return self.moved.get(seat, self.due_at)

    def answer_of(self, demand: Demand) -> ev.Answered | None:
        return next((a for a in self.answered if a.demand == demand), None)

    def answers_but(self, demand: Demand) -> tuple[ev.Answered, ...]:
        return tuple(a for a in self.answered if a.demand != demand)


class RoundName(Value):
    """One opening of a round. Its label may be used again after a rewind; the public position at its opening never."""

    label: str
    opened: int


class PastRound(Value):
    """What a late answer is measured against."""

    label: str
    demands: tuple[Demand, ...]
    due_at: datetime | None
    closed_at: datetime
    missing: tuple[Demand, ...]
    moved: dict[int, datetime] = field(default_factory=dict)
    opened: int = 0  # public position at its opening: a rewind uses a label again, never this
    closing: dict[int, datetime] = field(default_factory=dict)  # seat -> until when its grace lasted

    def due_for(self, seat: int) -> datetime | None:
        return self.moved.get(seat, self.due_at)

    def closes_for(self, seat: int) -> datetime | None:
        """Until when an answer of the seat's counted."""
        return self.closing.get(seat, self.due_for(seat))


class Draft(ev.DraftKept):
    """What a seat has answered before it was asked (`match/meanings.py`). `asked`: the public
    position at the opening of the round that asks for it; None until there is one."""

    asked: int | None = None


class StandIn(Value):
    """Somebody plays for the seat's `player` until then."""

    player: Entrant
    until: datetime


class Former(Value):
    """Somebody who sat in a seat, or was entered for one, until `until`."""

    seat: int
    entrant: Entrant
    until: datetime


class Match(Value):
    """Everything known of a match; `standing` is how its game stands, None until all seats are filled. What follows
    from it (what is due, who may come in) is made once, by whoever asks first, and goes with it."""

    name: str
    game: str
    options: dict[str, str]
    seats: int
    opened_at: datetime
    commitment: str
    seed_given: bool
    beacon: FreeText | None
    roster: tuple[Entrant, ...]
    status: Literal["filling", "open", "paused", "ended"] = "filling"
    seating: tuple[int, ...] = ()
    standing: Annotated[InstanceOf[Standing] | None, Field(serialization_alias="inner")] = None
    rounds: tuple[OpenRound, ...] = ()
    past: tuple[PastRound, ...] = ()
    paused_at: datetime | None = None
    observers: tuple[str, ...] = ()
    ended: ev.MatchEnded | None = None
    met: tuple[tuple[str, int], ...] = ()  # kind, seat: asked for before, and not explained again
    absences: tuple[ev.AbsenceTaken, ...] = ()
    ahead: tuple[ev.AheadKept, ...] = ()  # `heard`: others' moves since; {} is more than a move
    renewals: dict[int, int] = field(default_factory=dict)  # seat -> how often its reply address was renewed
    former: tuple[Former, ...] = ()
    drafts: dict[int, Draft] = field(default_factory=dict)  # of each seat the newest; nobody else's business
    words: tuple[ev.PressKept, ...] = ()  # that go to all with the next reveal
    languages: dict[int, str] = field(default_factory=dict)  # seat -> in which its player last wrote
    vacated: tuple[int, ...] = ()  # seats that the moderator has taken from those who had them
    offered: tuple[int, ...] = ()  # seats that another may take: their players have been silent for too long
    missed: dict[int, int] = field(default_factory=dict)  # seat -> deadlines in a row that its player missed
    shown: tuple[int, ...] = ()  # seats whose players have answered before all eyes
    substitutes: dict[int, Entrant] = field(default_factory=dict)  # seat -> who plays on there
    stand_ins: dict[int, StandIn] = field(default_factory=dict)  # seat -> for whom somebody plays there
    version: int = 0
    position: int = 0
    head: str = ""

    @property
    def inner(self) -> Any:
        """The game's own state, into which only the game looks; None until all seats are filled."""
        return self.standing.state if self.standing is not None else None

    def view(self, seat: int | None) -> View | None:
        """The match as the seat sees it (None: as the public does); None before it has begun, and
        of one that can't be read."""
        return self.standing.view(seat) if self.standing is not None else None

    @property
    def board(self) -> Diagram | None:
        """The board that all see."""
        view = self.view(None)
        return view.diagram if view else None

    @cached_property
    def timing(self) -> Timing:
        """When its deadlines end, and what becomes of them."""
        return timing_of(self.options)

    @cached_property
    def owed(self) -> Mapping[str, tuple[Demand, ...]]:
        """What the game still waits for, by the labels of its rounds."""
        return {r.label: r.demands for r in self.standing.due} if self.standing is not None else {}

    @cached_property
    def due(self) -> tuple[tuple[OpenRound, Demand], ...]:
        """What is due, and in which round. In a sealed round all of it is until the reveal: who has
        answered is not public, and the game does not know it."""
        return tuple((r, d) for r in self.rounds for d in self.owed.get(r.label, ()) if d.seat != REFEREE)

    @cached_property
    def vacant(self) -> tuple[int, ...]:
        """The seats that `join` may take. Before the draw they are those behind the roster's end, in any game."""
        if self.standing is None:
            return tuple(range(len(self.roster) + 1, self.seats + 1))
        if self.status == "ended":
            return ()
        return tuple(sorted({*self.standing.vacant, *self.vacated, *self.offered}))

    @property
    def playing(self) -> tuple[Entrant, ...]:
        """The roster without those whose seats the moderator has taken from them."""
        gone = {self.seating.index(seat) if self.seating else seat - 1 for seat in self.vacated}
        return tuple(entrant for place, entrant in enumerate(self.roster) if place not in gone)

    def away(self, seat: int) -> list[tuple[datetime, datetime]]:
        """When the seat's player is away, as announced."""
        return spans(a for a in self.absences if a.seat == seat)

    def entrant(self, seat: int) -> Entrant:
        """Who sits there; before the draw nobody has a number, and the roster's order serves."""
        return self.roster[self.seating.index(seat) if self.seating else seat - 1]

    def seat_of(self, address: str) -> tuple[int, ...]:
        """The seats an address is registered for."""
        return tuple(seat for seat in self.numbers if self.entrant(seat).has(address))

    def spelt(self, seat: int, address: str) -> str:
        """An address of the seat's as it is registered."""
        wanted = address_key(address)
        return next((a for a in self.entrant(seat).addresses if address_key(a) == wanted), address)

    @property
    def known(self) -> bool:
        """Whether its ledger could be folded; of one that could not only the outline is left, without seats."""
        return self.seats > 0

    @property
    def numbers(self) -> tuple[int, ...]:
        """The seat numbers, in order."""
        return tuple(sorted(self.seating)) if self.seating else tuple(range(1, len(self.roster) + 1))

    def party(self, seat: int) -> Party:
        entrant = self.entrant(seat)
        return Party(entrant.name, seat, entrant.addresses)

    def may_withdraw(self, seat: int) -> bool:
        """Whether the seat has an answer that is sealed still, something said in advance, or a draft."""
        sealed = any(a.demand.seat == seat for r in self.rounds if r.sealed for a in r.answered)
        return sealed or self.ahead_of(seat) is not None or seat in self.drafts

    def ahead_of(self, seat: int) -> ev.AheadKept | None:
        """The conditional turn of the seat."""
        return next((one for one in self.ahead if one.seat == seat), None)

    def closes_for(self, r: OpenRound, seat: int) -> datetime | None:
        """Until when an answer of the seat's counts: its deadline and, once a round, the match's
        grace. An empty seat and the referee itself have none."""
        due = r.due_for(seat)
        if due is None or seat == REFEREE or seat in self.vacated:
            return due
        used = r.graced.get(seat)
        return due + self.timing.grace if used is None else max(due, used)

    def round(self, label: str) -> OpenRound | None:
        return next((r for r in self.rounds if r.label == label), None)

    def round_of(self, demand: Demand) -> OpenRound | None:
        return next((r for r in self.rounds if demand in r.demands), None)


UNOPENED: Final = Match("", "", {}, 0, datetime.min.replace(tzinfo=UTC), "", False, None, ())  # no entry yet


def outstanding(match: Match, open_round: OpenRound) -> tuple[Demand, ...]:
    """The demands of a round that nobody has answered yet; in a sealed one this is secret."""
    still = match.owed.get(open_round.label, ())
    if open_round.sealed:  # whoever has left meanwhile owes nothing more
        return tuple(d for d in open_round.demands if d in still and open_round.answer_of(d) is None)
    return still


def held_by(match: Match, address: str) -> tuple[int, ...]:
    """The seats that an address holds and has not left: nobody takes a second one of a match."""
    vacant = match.vacant
    return tuple(seat for seat in match.seat_of(address) if seat not in vacant)


def substitute_of(match: Match, address: str) -> tuple[int, ...]:
    """The seats whose substitute has the address."""
    return tuple(seat for seat, person in match.substitutes.items() if person.has(address))


def last_held(match: Match, address: str) -> Former | None:
    """The seat that the address had last, of somebody who has none there any more."""
    mine = (former for former in reversed(match.former) if former.entrant.has(address))
    return None if match.seat_of(address) else next(mine, None)


def away_until(match: Match, r: OpenRound, seat: int) -> datetime | None:
    """The end of the absence in which the seat's deadline in the round falls; None where it falls in none."""
    due = start = r.due_for(seat)
    if seat in match.substitutes or seat in match.stand_ins:  # who plays for him
        return None
    for begins, until in match.away(seat) if due is not None else ():
        due = match.timing.on_the_hour(until) if due is not None and begins <= due < until else due
    return due if due != start else None


def spans(absences: Iterable[ev.AbsenceTaken]) -> list[tuple[datetime, datetime]]:
    """From when to when these last, those in one that touch, in their order."""
    found: list[tuple[datetime, datetime]] = []
    for a in sorted(absences, key=lambda a: (a.start, a.until)):
        if found and a.start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], a.until)
        else:
            found.append((a.start, a.until))
    return found


def for_solver(match: Match) -> tuple[tuple[OpenRound, Demand], ...]:
    """What the referee's own solver owes."""
    kinds = match.standing.game.computed if match.standing is not None else ()
    return tuple((r, d) for r in match.rounds for d in r.demands if d.seat == REFEREE and d.kind in kinds)


def awaits_solver(match: Match) -> bool:
    """Whether nothing can be judged before the referee's own answer is in."""
    return bool(match.rounds) and len(for_solver(match)) == sum(len(r.demands) for r in match.rounds)


def outcome(match: Match) -> Outcome | None:
    """How the match ended; None while it goes on."""
    if match.ended is None:
        return None
    points = {int(seat): Fraction(text) for seat, text in match.ended.points.items()}
    return Outcome(match.ended.winners, points, match.ended.reason)
