"""The board: 24 points on three squares, one inside the other, and the 16 lines of three (M1)."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

COLUMNS: Final = "abcdefg"
ROWS: Final = "7654321"

# The lines as they are drawn, from left to right and from top to bottom.
_ACROSS: Final = "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1"
_DOWN: Final = "a7 a4 a1, b6 b4 b2, c5 c4 c3, d7 d6 d5, d3 d2 d1, e5 e4 e3, f6 f4 f2, g7 g4 g1"
LINES: Final = tuple(tuple(line.split()) for line in f"{_ACROSS}, {_DOWN}".split(", "))
POINTS: Final = tuple(sorted({point for line in LINES for point in line}, key=lambda p: (-int(p[1]), p[0])))
INDEX: Final = {point: number for number, point in enumerate(POINTS)}
BESIDE: Final = {
    point: tuple(
        end for line in LINES for way in (line, line[::-1]) for start, end in pairwise(way) if start == point
    )
    for point in POINTS
}


def mills_at(point: str) -> tuple[tuple[str, ...], ...]:
    """The two lines through a point."""
    return tuple(line for line in LINES if point in line)
