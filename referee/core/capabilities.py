"""What a game may be able to do beside what every match asks of it (`core/game.py`): each a Protocol that it satisfies
or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

from referee.core.diagram import Diagram
from referee.core.game import Outcome
from referee.core.owing import Demand


@runtime_checkable
class Computes(Protocol):
    """The referee itself owes answers (seat 0): verdicts, a puzzle's par. Of which kinds `Game.computed` says."""

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
