"""The seam: what a game tells the match. Nothing else of a game is known outside its folder.

A game is pure: it is given values and answers with values. It never sees a clock, a mail, a sender, another
seat's sealed answer, or chance other than the `Chance` given to `opening`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from referee.core.chance import Chance
from referee.core.codec import Codec
from referee.core.complaint import Complaint, Line
from referee.core.diagram import Diagram
from referee.core.options import Options

S = TypeVar("S")  # the game's state: a frozen dataclass that pydantic can turn to JSON and back
E = TypeVar("E")  # its events: frozen dataclasses, past participles
A = TypeVar("A")  # its actions: frozen dataclasses, what one answer says

REFEREE = 0  # the seat of the referee itself: it owes verdicts and waits for the clock


@dataclass(frozen=True, slots=True)
class Demand:
    """One answer owed. `kind` is a short name ("Purchase"); `about` tells two of one kind and seat apart."""

    kind: str
    seat: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """A set of demands that open together and close together.

    `label` names it in letters and records ("Round 3 / Player 2"); a game never has two open rounds of one
    label, and a round keeps its label while it lasts (an open round's demands dwindle as they are answered).
    `window` is None where there is no deadline. `sealed` answers are resolved together at the close; open ones
    one by one. `answers` "first": the first valid one counts; "last": replaceable until the close. `holds`: at
    the deadline nothing lapses, the round waits on. A demand of seat 0 waits for the worker where its kind is among
    the game's `computed`; otherwise for the clock (its window), or, without a window, for a seat to be filled.
    """

    label: str
    demands: tuple[Demand, ...]
    window: timedelta | None
    sealed: bool = False
    answers: Literal["first", "last"] = "first"
    holds: bool = False


class _Lapsed:
    """The answer of a deadline: nothing came in time."""

    def __repr__(self) -> str:
        return "LAPSED"


LAPSED = _Lapsed()
Lapsed: TypeAlias = _Lapsed


@dataclass(frozen=True, slots=True)
class Party:
    """What the referee knows of the sender, for games whose forms ask who one is (604.B)."""

    name: str
    number: int
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match is opened with. `data` holds the game's data files by name ("pieces"), as TOML gave them."""

    options: Options
    data: Mapping[str, Any]
    seats: int


@dataclass(frozen=True, slots=True)
class Opening(Generic[E]):
    """How a match begins: `seating[i]` is the seat number of the i-th person on the roster."""

    seating: tuple[int, ...]
    events: tuple[E, ...]


@dataclass(frozen=True, slots=True)
class Amendment(Generic[E]):
    """How a running match takes other rules: by these facts, or not at all, for these reasons in words."""

    events: tuple[E, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading(Generic[A]):
    """What was understood of an answer. `action` may stand beside complaints, so that `check` can add its own;
    `orders` are the lines taken as orders, well said or not, from which a refused answer is mended."""

    action: A | None
    complaints: tuple[Complaint, ...] = ()
    courtesy: tuple[Line, ...] = ()  # lines taken as words to a person, not orders
    orders: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Mended:
    """A refused answer as a form to send back. `chosen` says, a sentence each, what mending had to choose in the
    sender's place, what it left out because nobody could read it among that: only where nothing was chosen may he
    send the form by a mere word."""

    text: str
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """What a seat, or the public, may know. `position` is the contract's public facts (JSON values only)."""

    phase: str
    position: Mapping[str, Any]
    diagram: Diagram | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)  # for the game's own templates


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won, and why. `winners` is empty for a draw; `points` by seat."""

    winners: tuple[int, ...]
    points: Mapping[int, Fraction] = field(default_factory=dict)
    reason: str = ""


class Game(ABC, Generic[S, E, A]):
    """One game. Law numbers are those of the laws in `tests/laws`."""

    slug: ClassVar[str]
    titles: ClassVar[tuple[str, ...]]  # as in subjects; the first is shown
    headings: ClassVar[Mapping[str, str]]  # heading text in subjects -> demand kind
    happenings: ClassVar[tuple[type, ...]]  # every event class
    actions: ClassVar[tuple[type, ...]]  # every action class
    state: ClassVar[type]  # the state class
    computed: ClassVar[tuple[str, ...]] = ()  # demand kinds of seat 0 that `compute` answers in a worker
    codec_version: ClassVar[int] = 1  # raise it when the state's shape changes: caches are then refolded

    # --- opening ---------------------------------------------------------------------------------------------

    @abstractmethod
    def seats(self, options: Options) -> tuple[int, ...]:
        """How many seats a match may have, the usual number first."""

    @abstractmethod
    def faults(self, setup: Setup) -> tuple[str, ...]:
        """Every reason why no match can be opened so (bad data, a bad position), in words."""

    @abstractmethod
    def opening(self, setup: Setup, chance: Chance) -> Opening[E]:
        """The first events; they record every option and all data, and the *results* of chance."""

    @abstractmethod
    def initial(self) -> S:
        """The state before any event."""

    @abstractmethod
    def evolve(self, state: S, event: E) -> S:
        """Total, and for ever: the only function old ledgers depend on. Costs what the event costs."""

    def amended(self, state: S, setup: Setup) -> Amendment[E]:
        """A running match takes other options or data. What is refused hangs on the rules alone, never on how the
        game stands: an amendment holds for every earlier state too, as rewinds and objections need it (611)."""
        return Amendment(faults=(f"the rules of {self.title} can't be amended while a match runs",))

    # --- what is owed ----------------------------------------------------------------------------------------

    @abstractmethod
    def due(self, state: S) -> tuple[Round, ...]:
        """What is owed now; empty means the game has ended."""

    @abstractmethod
    def open_to(self, state: S, seat: int) -> tuple[Demand, ...]:
        """What a seat may send though nothing waits for it: resign, standing orders, offers, comments."""

    # --- answers ---------------------------------------------------------------------------------------------

    @abstractmethod
    def aim(self, state: S, seat: int, heading: str, lines: Sequence[Line]) -> Demand:
        """Which demand a mail means, by the kind its heading names (a value of `headings`) and its lines.

        Prefers what is due, then what is open to the seat; where neither fits, the demand the sender must have
        meant, for which `check` then has a complaint (not your turn, not this phase).
        """

    @abstractmethod
    def read(self, state: S, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[A]:
        """The game's notation: the sender's own lines to an action. Never raises, whatever the lines."""

    @abstractmethod
    def check(self, state: S, demand: Demand, action: A) -> tuple[Complaint, ...]:
        """*All* complaints; never sees another seat's sealed answer. Empty means `resolve` succeeds (law 1)."""

    @abstractmethod
    def write(self, state: S, demand: Demand, action: A) -> str:
        """The action in canonical text: sealed, revealed and recorded as such. `read` gives it back (law 8)."""

    @abstractmethod
    def form(self, state: S, demand: Demand, party: Party, draft: A | None = None) -> str:
        """A form to fill in and send back, in plain lines; with a draft, that answer filled in (law 8)."""

    @abstractmethod
    def mended(self, state: S, demand: Demand, party: Party, reading: Reading[A]) -> Mended:
        """A faulty answer as a form: what the rules alone decide is put right, every readable order is kept (one
        that can't stand as its sender wrote it, so that it is refused for the same reason again), what is missing
        is left to fill in. Accepted once the named faults are mended (law 6)."""

    @abstractmethod
    def resolve(self, state: S, answers: Mapping[Demand, A | Lapsed]) -> tuple[E, ...]:
        """What follows, automatic consequences included: for a sealed round one answer for each of its demands,
        for an open one the single answer that came, or LAPSED for every demand still open at its deadline."""

    @abstractmethod
    def suggest(self, state: S, demand: Demand, chance: Chance) -> A:
        """An answer a seeded player might give: always passes `check`, and matches played so come to an end.
        For rehearsals and laws only."""

    def compute(self, state: S, demand: Demand, nodes: int) -> A:
        """The referee's own answer to a demand of seat 0, bounded by search nodes; runs in a worker process."""
        raise LookupError(f"{self.slug} asks the referee for no {demand.kind}")

    # --- what may be known -----------------------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, seat: int | None) -> View:
        """The one gate to letters, records and pictures; None is the public."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Who won, and why; None while the match goes on."""

    def secret_to(self, event: E) -> int | None:
        """The only seat that may know of the event (a standing order), or None where it is public. Secret events
        never reach the record: the fold of the public ones alone gives the same public view."""
        return None

    def has_orders(self, state: S, demand: Demand, lines: Sequence[Line]) -> bool:
        """Whether any of the lines is an order or tries to be one; courtesy alone is none."""
        reading = self.read(state, demand, lines, Party("", demand.seat))
        courteous = {line.number for line in reading.courtesy}
        faulty = any(c.line is not None for c in reading.complaints)
        return faulty or any(line.text.strip() and line.number not in courteous for line in lines)

    def public(self, action: A) -> A | None:
        """The part of an action that all may see once it counts: a standing order sent beside a move is left out;
        None where nothing of it is public. What is sealed and recorded is `write` of this part."""
        return action

    def leaves(self, action: A) -> bool:
        """Whether the action gives up its sender's seat, which nothing but a person's word can undo: it counts only
        from a mail that proves more than an address, or once its sender has said Yes to it."""
        return False

    def objection(self, action: A) -> str | None:
        """The label of the earlier turn that this action asks a ruling on (611), if it is an objection."""
        return None

    def vacant(self, state: S) -> tuple[int, ...]:
        """The seats that another person may take: those whose player has left, or has been silent for too long."""
        return ()

    def filled(self, state: S, seat: int) -> tuple[E, ...]:
        """What follows when a seat is taken by another person, vacant or not: what it goes on with (104), and that
        what its first player had planned in secret is void."""
        return ()

    def table(self, outcomes: Mapping[str, Outcome | None]) -> tuple[tuple[str, ...], ...]:
        """Independent matches under one table (their option `table`), compared by match name: a head and a row for
        each match, whose first cell is the match's name; empty while one of them has not ended."""
        return ()

    def steps(self, state: S, event: E) -> tuple[tuple[str, Diagram], ...]:
        """What an event lets one look at move by move - the line that proves a claim: each step in words, and the board
        after it; `state` is the one before the event. For the archive."""
        return ()

    def drawn_pieces(self, data: Mapping[str, Any]) -> tuple[tuple[str, str, tuple[Diagram, ...]], ...]:
        """The pieces that the data describe, each with its name, its moves in words and its pictures; none where all
        are alike. For the archive."""
        return ()

    def audit(self, state: S, event: E) -> tuple[str, ...]:
        """What is wrong with the proof that an event carries, in words; `state` is the one before it. For `verify`."""
        return ()

    def noted(self, event: E) -> str:
        """The event in the words of the rules page's game record ("12. R Q16 x2W1U"), for the record as text; "" where
        the answer's own notation says it all."""
        return ""

    def statute_open(self, state: S, label: str) -> bool:
        """Whether the turn of that label may still be ruled illegal (611); `state` is today's."""
        return True

    # --- given -----------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        return self.titles[0]

    @property
    def events_codec(self) -> Codec:
        """Events to JSON and back. Override to add upcasters for kinds of older versions."""
        return _codec(self.happenings)

    @property
    def actions_codec(self) -> Codec:
        return _codec(self.actions)


_CODECS: dict[tuple[type, ...], Codec] = {}


def _codec(kinds: tuple[type, ...]) -> Codec:
    if kinds not in _CODECS:
        _CODECS[kinds] = Codec(kinds)
    return _CODECS[kinds]


def answerable(state: Any, game: Game[Any, Any, Any], seat: int) -> tuple[Demand, ...]:
    """Everything the seat may send now: what it owes first, then what is open to it."""
    owed = tuple(d for r in game.due(state) for d in r.demands if d.seat == seat)
    return owed + tuple(d for d in game.open_to(state, seat) if d not in owed)
