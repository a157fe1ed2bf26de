"""The rules a match is judged by, and how it stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from referee.core.duel import MatchDecided
from referee.games.buttons.board import SIDES, Board, Colour, Ground, ground, table

Goal = Literal["", "two", "four"]
Result = Literal["", "solved", "given up", "unsolved"]
Values = tuple[tuple[int, ...], tuple[int, ...]]  # on black's and on white's buttons
Cells = tuple[str, ...]  # a button's sign ("B3") or "" for every space, in reading order


@dataclass(frozen=True, slots=True)
class Rules:
    """All options and data, as the opening recorded them.

    `values` are the numbers on black's and on white's buttons, ascending; `repetition` 0 and `window` None mean
    off; `goal` "" lets the player choose; `whole`: one deadline for all moves; `table` "" is no puzzle for many.
    """

    board: Board
    values: Values
    mode: Literal["two", "solo"] = "two"
    starter: Literal["random", "1", "2"] = "random"
    place_adjacency: Literal["grid", "bridge"] = "grid"
    repetition: int = 3
    goal: Goal = ""
    undo: Literal["free", "counts", "off"] = "free"
    perspective: Literal["strict", "half_turn"] = "strict"
    window: timedelta | None = timedelta(days=7)
    holds: bool = False
    whole: bool = False
    par: bool = True
    par_nodes: int = 2_000_000
    private: bool = False
    table: str = ""

    @property
    def solo(self) -> bool:
        return self.mode == "solo"

    @property
    def ground(self) -> Ground:
        return ground(self.board)

    def reach(self, button: str, space: int) -> tuple[int, ...]:
        """Where the button may go from there (5.2)."""
        longest = max(value for values in self.values for value in values)
        return table(self.board, longest)[button[0]][space][int(button[1:])]


@dataclass(frozen=True, slots=True)
class Par:
    """The referee's own solution. `moves` None: none was found; `proven`: no shorter one exists."""

    moves: int | None
    proven: bool
    solution: tuple[tuple[str, str], ...]


NOWHERE = Rules(Board("none", 0, 0, (), ()), ((), ()))


@dataclass(frozen=True, slots=True)
class State:
    """How a match stands.

    `turn` counts turns (two players) or accepted mails (solo) from 1; `swapped` the spaces whose buttons the last
    turn exchanged; `passed`: the last turn was a forced pass; `seen` the positions since a button was last placed;
    `offer` the seat whose offer of a draw stands, or 0; `last` the spaces of the last turn, its end last.
    Solo: `start` the shuffle; `trail` the moves not taken back; `extra` what undone moves add to the count;
    `closed`: the deadline of the table has passed; `par` is the referee's secret until the end.
    """

    rules: Rules = NOWHERE
    start: Cells = ()
    cells: Cells = ()
    turn: int = 1
    first: int = 1
    mover: int = 1
    swapped: tuple[int, int] | None = None
    passed: bool = False
    seen: tuple[str, ...] = ()
    offer: int = 0
    last: tuple[int, ...] = ()
    goal: Goal = ""
    trail: tuple[tuple[int, int], ...] = ()
    extra: int = 0
    undone: int = 0
    result: Result = ""
    closed: bool = False
    par: Par | None = None
    ended: MatchDecided | None = None

    @property
    def moves(self) -> int:
        """Solo: the moves that count."""
        return len(self.trail) + self.extra

    def supply(self, seat: int) -> tuple[int, ...]:
        """The values of the seat's buttons that are not on the board, ascending."""
        if not self.rules.values[seat - 1]:
            return ()
        left = Counter(self.rules.values[seat - 1])
        left.subtract(int(cell[1:]) for cell in self.cells if cell[:1] == SIDES[seat - 1])
        return tuple(sorted(left.elements()))


def buttons(values: Values) -> Cells:
    """The signs of all buttons that there are."""
    return tuple(f"{colour}{value}" for colour, row in zip(SIDES, values, strict=True) for value in row)


def colour_of(seat: int) -> Colour:
    return SIDES[seat - 1]


def side_of(button: str) -> Colour:
    """The colour of a button, from its sign ("B3")."""
    return SIDES[0] if button[0] == SIDES[0] else SIDES[1]


def exchanged(cells: Cells, first: int, second: int) -> Cells:
    """The cells after what stands on two spaces changed places; one of them may be empty."""
    after = list(cells)
    after[first], after[second] = after[second], after[first]
    return tuple(after)
