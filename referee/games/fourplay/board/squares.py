"""The board (800): 15 x 15 squares, numbered 0 (a1) to 224 (o15), with quadrants, neutral squares and rays.

Inside the kernel a square is a number, everywhere else its name. `OFF` names what is not on the
board."""

from __future__ import annotations

from typing import Final

SIDE: Final = 15
COLUMNS: Final = "abcdefghijklmno"
SQUARES: Final = range(SIDE * SIDE)
NAMES: Final = tuple(f"{COLUMNS[square % SIDE]}{square // SIDE + 1}" for square in SQUARES)
NUMBERS: Final = {name: square for square, name in enumerate(NAMES)}
OFF: Final = "off"
NEUTRAL: Final = 0

Step = tuple[int, int]  # columns to the right, rows up

ORTHOGONAL: Final[tuple[Step, ...]] = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL: Final[tuple[Step, ...]] = ((1, 1), (-1, 1), (-1, -1), (1, -1))
ALL8: Final = ORTHOGONAL + DIAGONAL
COMPASS: Final = tuple(
    step for pair in zip(ORTHOGONAL, DIAGONAL, strict=True) for step in pair
)  # counter-clockwise
DIRECTIONS: Final = {"orth": ORTHOGONAL, "diag": DIAGONAL, "all8": ALL8}


def _quadrant(square: int) -> int:
    """Player 1 upper right, 2 upper left, 3 lower left, 4 lower right; row 8 and column h are neutral (part C)."""
    column, row, middle = square % SIDE, square // SIDE, SIDE // 2
    if middle in (column, row):
        return NEUTRAL
    if row > middle:
        return 1 if column > middle else 2
    return 4 if column > middle else 3


QUADRANTS: Final = tuple(_quadrant(square) for square in SQUARES)
CENTRE: Final = NUMBERS["h8"]
EDGE: Final = frozenset(s for s in SQUARES if s % SIDE in (0, SIDE - 1) or s // SIDE in (0, SIDE - 1))


def stepped(square: int, step: Step) -> int | None:
    """The square one step on, or None beyond the edge."""
    column, row = square % SIDE + step[0], square // SIDE + step[1]
    return row * SIDE + column if 0 <= column < SIDE and 0 <= row < SIDE else None


def ray(square: int, step: Step, longest: int = SIDE) -> tuple[int, ...]:
    """The squares reached by repeating a step, nearest first, at most `longest` of them."""
    found: list[int] = []
    here = stepped(square, step)
    while here is not None and len(found) < longest:
        found.append(here)
        here = stepped(here, step)
    return tuple(found)


# The eight symmetries of the board, each as (column's factors, row's factors).
SYMMETRIES: Final = (
    ((1, 0), (0, 1)),
    ((0, -1), (1, 0)),
    ((-1, 0), (0, -1)),
    ((0, 1), (-1, 0)),
    ((1, 0), (0, -1)),
    ((0, 1), (1, 0)),
    ((-1, 0), (0, 1)),
    ((0, -1), (-1, 0)),
)


def images(*vectors: Step) -> tuple[tuple[Step, ...], ...]:
    """The vectors, turned and mirrored together, each result once, in a fixed order."""
    turned = (tuple((a * x + b * y, c * x + d * y) for x, y in vectors) for (a, b), (c, d) in SYMMETRIES)
    return tuple(dict.fromkeys(turned))


def quadrant_of(name: str) -> int:
    """The number of the player whose quadrant the named square is in; 0 where it is neutral."""
    return QUADRANTS[NUMBERS[name]]
