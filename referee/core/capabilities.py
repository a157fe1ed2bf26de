"""What a game may be able to do beside the six functions: each a Protocol that it satisfies or not.

Whether it does hangs on its class alone. Of the three that every mail asks about, several times each, it is found out
once for a class (`fills_seats`, `computes`, `rules_on_objections`): going through a Protocol's members takes longer
than many a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

from referee.core.diagram import Diagram
from referee.core.game import AnyGame, Outcome
from referee.core.owing import Demand


@runtime_checkable
class Computes(Protocol):
    """The referee itself owes answers (seat 0): verdicts, a puzzle's par."""

    computed: tuple[str, ...]  # the kinds of demands that `compute` answers in the process that searches

    def compute(self, state: Any, demand: Demand, nodes: int) -> Any:
        """The referee's own answer to a demand of seat 0, an action, bounded by search nodes."""

    def audit(self, state: Any, event: Any) -> tuple[str, ...]:
        """What is wrong with the proof that an event carries, in words; `state` is the one before it. For `verify`."""


Given: TypeAlias = tuple[Demand, Any]  # an answer: the demand and the action


@dataclass(frozen=True, slots=True)
class Seen:
    """What everybody saw of a stimulus, and of what came later. `answers`: LAPSED where a deadline passed; none where
    nothing was seen of what brought it about."""

    answers: Mapping[Demand, Any]
    happened: Sequence[Any]
    later: Iterable[Any]


@dataclass(frozen=True, slots=True)
class Untold:
    """What no record tells: `orders` given in private, and `whole`, answers that were seen with their private parts.
    Where nothing was seen of what brought a stimulus about, the last of the orders did."""

    orders: tuple[Given, ...] = ()
    whole: Mapping[Demand, Any] = field(default_factory=dict)


@runtime_checkable
class LeavesUntold(Protocol):
    """Answers, or parts of them, stand in no public record (a standing order, a private puzzle, a verdict's proofs)."""

    def supposed(self, state: Any, seen: Seen) -> Iterable[Untold]:
        """What may have been ordered in private for this to have happened: every possibility, the likeliest first. For
        `verify`: the rules must allow each order, and must make of them just what was seen."""


@runtime_checkable
class RulesOnObjections(Protocol):
    """A turn may be ruled illegal after it was accepted (611)."""

    def objection(self, action: Any) -> str | None:
        """The label of the earlier turn that this action asks a ruling on, if it is an objection."""

    def statute_open(self, state: Any, label: str) -> bool:
        """Whether the turn of that label may still be ruled illegal; `state` is today's."""


@runtime_checkable
class FillsSeats(Protocol):
    """A seat may be taken over by another person."""

    def vacant(self, state: Any) -> tuple[int, ...]:
        """The seats that another person may take: those whose player has left, or has been silent for too long."""

    def filled(self, state: Any, seat: int) -> tuple[Any, ...]:
        """What follows when a seat is taken by another person, vacant or not: what it goes on with (104), and that
        what its first player had planned in secret is void."""


@runtime_checkable
class NotesSilence(Protocol):
    """That a seat has been silent for too long means something in the game: the next deadline it misses resigns it."""

    def silent(self, state: Any, seat: int, missed: int) -> tuple[Any, ...]:
        """What follows when another person may take the seat, since its player missed so many deadlines in a row. From
        then on `vacant` names it."""


@runtime_checkable
class ComparesTables(Protocol):
    """Independent matches under one table (their option `table`) are compared."""

    def table(self, outcomes: Mapping[str, Outcome | None]) -> tuple[tuple[str, ...], ...]:
        """By match name: a head and a row for each match, whose first cell is the match's name; empty while one of them
        has not ended."""


@runtime_checkable
class WritesSgf(Protocol):
    """A record may be had in the Smart Game Format."""

    def sgf(self, record: Mapping[str, Any]) -> str:
        """A public record as SGF."""


@runtime_checkable
class NotesEvents(Protocol):
    """What happens says more than the answers' own notation."""

    def noted(self, event: Any) -> str:
        """The event in the words of the rules page's game record ("12. R Q16 x2W1U"), for the record as text; "" where
        the answer's own notation says it all."""


@runtime_checkable
class ShowsSteps(Protocol):
    """An event lets one look at a line move by move: the one that proves a claim."""

    def steps(self, state: Any, event: Any) -> tuple[tuple[str, Diagram], ...]:
        """Each step in words, and the board after it; `state` is the one before the event. For the archive."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A step of a proof in a sentence, and what may follow it."""

    words: str
    branches: tuple[Branch, ...] = ()


@runtime_checkable
class ShowsProofs(Protocol):
    """An event carries a proof that one can follow reply by reply."""

    def proofs_of(self, event: Any) -> tuple[Branch, ...]:
        """A tree for each proof of the event; none where it carries none. For the archive."""


@runtime_checkable
class DrawsPieces(Protocol):
    """The pieces are data (a catalogue), to be checked and drawn."""

    def piece_faults(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        """Every fault of the catalogues in the data, in words."""

    def piece_diagrams(self, data: Mapping[str, Any], piece: str) -> tuple[Diagram, ...]:
        """A piece's moves and captures, alone and in an example; none where the data have no such piece."""

    def drawn_pieces(self, data: Mapping[str, Any]) -> tuple[tuple[str, str, tuple[Diagram, ...]], ...]:
        """Every piece: its name, its moves in words and its pictures. For the archive."""


@dataclass(frozen=True, slots=True)
class BoardForm:
    """Public facts for the game's own script, `templates/SLUG/form.js`: JSON values only. `boards` are boards to click
    on beside that of the public view, by names that the script knows."""

    facts: Mapping[str, Any]
    boards: Mapping[str, Diagram] = field(default_factory=dict)


@runtime_checkable
class ClickableBoard(Protocol):
    """A game whose answers can be clicked. Without it, or without a script, players fill in the form as text."""

    def board_form(self, state: Any) -> BoardForm:
        """What its script needs for everything that any seat may send now. `state` is the fold of the public events
        alone; nothing of it may cost more than a few hundredths of a second, as each change of a match asks for it."""


_KNOWN: dict[tuple[type, type], bool] = {}


def _is_able(game: AnyGame, capability: type) -> bool:
    asked = type(game), capability
    known = _KNOWN.get(asked)
    if known is None:
        known = _KNOWN[asked] = isinstance(game, capability)
    return known


def fills_seats(game: AnyGame | None) -> TypeGuard[FillsSeats]:
    return game is not None and _is_able(game, FillsSeats)


def computes(game: AnyGame) -> TypeGuard[Computes]:
    return _is_able(game, Computes)


def rules_on_objections(game: AnyGame) -> TypeGuard[RulesOnObjections]:
    return _is_able(game, RulesOnObjections)


def filled(game: AnyGame, state: Any, seat: int) -> tuple[Any, ...]:
    """What follows when another person takes a seat; nothing where the game knows of no such thing."""
    return game.filled(state, seat) if fills_seats(game) else ()


def statute_open(game: AnyGame, state: Any, label: str) -> bool:
    """Whether a turn may still be ruled illegal; always, where the game sets no limit."""
    return not rules_on_objections(game) or game.statute_open(state, label)
