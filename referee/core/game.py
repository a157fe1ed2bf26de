"""The seam: what a game tells the match. Nothing else of a game is known outside its folder.

A game is pure: it is given values and answers with values. It never sees a clock, a mail, a sender,
another seat's sealed answer, or chance other than the `Chance` given to `opening`. What it says of
each kind of answer stands in `core/answers.py`; the match asks through `core/seam.py`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, get_args, runtime_checkable

from referee.core.answers import AnyAnswer
from referee.core.chance import Chance
from referee.core.codec import Codec
from referee.core.diagram import Diagram
from referee.core.options import Options
from referee.core.value import Demand, E, Round, S, Value

Given: TypeAlias = tuple[Demand, Any]  # an answer: the demand and the action


class Seen(Value):
    """What everybody saw of a stimulus, and of what came later. `answers`: LAPSED where a deadline
    passed; none where nothing was seen of what brought it about."""

    answers: Mapping[Demand, Any]
    happened: Sequence[Any]
    later: Iterable[Any]


class Untold(Value):
    """What no record tells: `orders` given in private, and `whole`, answers that were seen with their private parts.
    Where nothing was seen of what brought a stimulus about, the last of the orders did."""

    orders: tuple[Given, ...] = ()
    whole: Mapping[Demand, Any] = field(default_factory=dict)


@runtime_checkable
class LeavesUntold(Protocol):
    """A game of which answers, or parts of them, stand in no public record (a standing order, a
    private puzzle, a verdict's proofs)."""

    def supposed(self, state: Any, seen: Seen) -> Iterable[Untold]:
        """What may have been ordered in private for this to have happened: every possibility, the likeliest first. For
        `verify`: the rules must allow each order, and must make of them just what was seen."""


class Branch(Value):
    """A step of a proof in a sentence, and what may follow it."""

    words: str
    branches: "tuple[Branch, ...]" = ()


class BoardForm(Value):
    """Public facts for the game's own script, `templates/SLUG/form.js`: JSON values only. `boards`
    are boards to click on beside that of the public view, by names that the script knows."""

    facts: Mapping[str, Any]
    boards: Mapping[str, Diagram] = field(default_factory=dict)


class Setup(Value):
    """What a match is opened with. `data` holds the game's data files by name ("pieces"), as TOML gave them."""

    options: Options
    data: Mapping[str, Any]
    seats: int


class Opening(Value, Generic[E]):
    """How a match begins: `seating[i]` is the seat number of the i-th person on the roster."""

    seating: tuple[int, ...]
    events: tuple[E, ...]


class Amendment(Value, Generic[E]):
    """How a running match takes other rules: by these facts, or not at all, for these reasons in words."""

    events: tuple[E, ...] = ()
    faults: tuple[str, ...] = ()


class Expected(Value, Generic[S]):
    """A state that may come next, as far as it is known. `known`: all that an answer hangs on stands in it already."""

    state: S
    known: bool = False


class View(Value):
    """What a seat, or the public, may know. `position` is the contract's public facts (JSON values only)."""

    phase: str
    position: Mapping[str, Any]
    diagram: Diagram | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)  # for the game's own templates


class Outcome(Value):
    """Who won, and why. `winners` is empty for a draw; `points` by seat."""

    winners: tuple[int, ...]
    points: Mapping[int, Fraction] = field(default_factory=dict)
    reason: str = ""


class Game(ABC, Generic[S, E]):
    """One game: facts, six functions, and a value for each kind of answer. Law numbers are those of
    the laws in `tests/laws`."""

    slug: ClassVar[str]
    titles: ClassVar[tuple[str, ...]]  # as in subjects; the first is shown
    happenings: ClassVar[tuple[type, ...]]  # every event class of `Game[State, Event]`
    state: ClassVar[type]  # its state class; without arguments it is the state before any event
    answers: ClassVar[tuple[AnyAnswer, ...]]  # one for each kind; the first heading is the usual one
    computed: ClassVar[tuple[str, ...]] = ()  # the kinds that the referee itself answers (`compute`)
    codec_version: ClassVar[int] = 1  # raise it when the state's shape changes: caches are then refolded

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.state, events = get_args(vars(cls)["__orig_bases__"][0])
        cls.happenings = get_args(events) or (events,)

    # --- opening ----------------------------------------------------------------------------------

    @abstractmethod
    def seats(self, options: Options) -> tuple[int, ...]:
        """How many seats a match may have, the usual number first."""

    def faults(self, setup: Setup) -> tuple[str, ...]:
        """Every reason why no match can be opened so (bad data, a bad position), in words."""
        return ()

    @abstractmethod
    def opening(self, setup: Setup, chance: Chance) -> Opening[E]:
        """The first events; they record every option and all data, and the *results* of chance."""

    def initial(self) -> S:
        """The state before any event."""
        nothing: S = self.state()
        return nothing

    @abstractmethod
    def evolve(self, state: S, event: E) -> S:
        """The state after an event. Total, and for ever: the one function old ledgers depend on.
        Costs what the event costs."""

    def amended(self, state: S, setup: Setup) -> Amendment[E]:
        """A running match takes other options or data. What is refused hangs on the rules alone, never on how the
        game stands: an amendment holds for every earlier state too, as rewinds and objections need it (611)."""
        return Amendment(faults=(f"the rules of {self.title} can't be amended while a match runs",))

    # --- what is owed -----------------------------------------------------------------------------

    @abstractmethod
    def due(self, state: S) -> tuple[Round, ...]:
        """What is owed now; empty means the game has ended."""

    @abstractmethod
    def open_to(self, state: S, seat: int) -> tuple[Demand, ...]:
        """What a seat may send though nothing waits for it: resign, standing orders, offers, comments."""

    def called(self, state: S, seat: int) -> tuple[str, ...]:
        """What players call a seat besides its number and its player's name: its colour."""
        return ()

    def expects(self, state: S, seat: int) -> Expected[S] | None:
        """How it may stand when the seat is asked next for what it does not owe now: at its turn,
        of one who waits for it. A mail that comes too soon is read so, and kept; None where nothing
        can be foreseen. It hangs on nothing that the seat may not know."""
        return None

    def asked_next(self, state: S) -> tuple[int, ...]:
        """Of more than two players those whom the next round asks, as far as it is known before
        this one is over. What others answer meanwhile may be told them then: nobody whose right
        to object could end before."""
        return ()

    # --- seats that others take, turns that are judged again: of these most games know nothing ----

    def vacant(self, state: S) -> tuple[int, ...]:
        """The seats that another person may take: those whose player has left, or has been silent for too long."""
        return ()

    def filled(self, state: S, seat: int) -> tuple[E, ...]:
        """What follows when a seat is taken by another person, vacant or not: what it goes on with
        (104), and that what its first player had planned in secret is void."""
        return ()

    def silent(self, state: S, seat: int, missed: int) -> tuple[E, ...]:
        """What follows in the game when another person may take the seat, since its player missed
        so many deadlines in a row: the next one resigns it. From then on `vacant` names it."""
        return ()

    def objection(self, action: Any) -> str | None:
        """The label of the earlier turn that this action asks a ruling on, if it is an objection (611)."""
        return None

    def statute_open(self, state: S, label: str) -> bool:
        """Whether the turn of that label may still be ruled illegal; `state` is today's."""
        return True

    # --- what may be known ------------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, seat: int | None) -> View:
        """The one gate to letters, records and pictures; None is the public. Asked for a seat only
        where that sees more than the public does."""

    def sees_more(self, state: S, seat: int) -> bool:
        """Whether the seat may know now what the public may not: a standing order of its own, say."""
        return False

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Who won, and why; None while the match goes on."""

    def secret_to(self, event: E) -> int | None:
        """The only seat that may know of the event (a standing order), or None where it is public. Secret events
        never reach the record: the fold of the public ones alone gives the same public view."""
        return None

    # --- what few games do besides ----------------------------------------------------------------

    def compute(self, state: S, demand: Demand, nodes: int) -> Any:
        """The referee's own answer to a demand of seat 0, an action, bounded by search nodes: a
        verdict, a puzzle's par."""
        raise TypeError(f"{self.slug} asks the referee for no {demand.kind}")

    def audit(self, state: S, event: E) -> tuple[str, ...]:
        """For `verify`: what is wrong with the proof that an event carries, in words; `state` is that before it."""
        return ()

    def table(self, outcomes: Mapping[str, Outcome | None]) -> tuple[tuple[str, ...], ...]:
        """Independent matches under one table (their option `table`) compared, by their names: a head and a row for
        each, whose first cell is its name; empty while one of them has not ended."""
        return ()

    def noted(self, event: E) -> str:
        """The event in the words of the rules page's game record ("12. R Q16 x2W1U"), for the
        record as text; "" where the answer's own notation says it all."""
        return ""

    def listed(self, event: E) -> str:
        """The same for a list of moves, which has numbers of its own."""
        return re.sub(r"^[0-9]+\. ", "", self.noted(event))

    def sgf(self, events: Iterable[E], names: Mapping[int, str]) -> str | None:
        """A match in the Smart Game Format, by its public events and who sits where; None of a game that has none."""
        return None

    def steps(self, state: S, event: E) -> tuple[tuple[str, Diagram], ...]:
        """The line that proves a claim, move by move: each step in words, and the board after it;
        `state` is the one before the event. For the archive."""
        return ()

    def proofs_of(self, event: E) -> tuple[Branch, ...]:
        """A tree for each proof of the event to follow reply by reply. For the archive."""
        return ()

    def piece_faults(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        """Of pieces that are data: every fault of the catalogues, in words."""
        return ()

    def piece_diagrams(self, data: Mapping[str, Any], piece: str) -> tuple[Diagram, ...]:
        """A piece's moves and captures, alone and in an example; none where the data have no such piece."""
        return ()

    def drawn_pieces(self, data: Mapping[str, Any]) -> tuple[tuple[str, str, tuple[Diagram, ...]], ...]:
        """Every piece: its name, its moves in words and its pictures. For the archive."""
        return ()

    def board_form(self, state: S) -> BoardForm | None:
        """What its script needs for everything that any seat may send now; None where nothing can
        be clicked. `state` is the fold of the public events alone; nothing of it may cost more than
        a few hundredths of a second, as each change of a match asks for it."""
        return None

    # --- given ------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        return self.titles[0]

    @cached_property
    def events_codec(self) -> Codec:
        """Events to JSON and back. Override to add upcasters for kinds of older versions."""
        return Codec(self.happenings)

    @cached_property
    def actions_codec(self) -> Codec:
        """Likewise for the actions of all kinds of answers."""
        return Codec(dict.fromkeys(action for answer in self.answers for action in answer.actions))


AnyGame = Game[Any, Any]
