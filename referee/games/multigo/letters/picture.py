"""The board as a diagram: every colour with its own letter, the last turn marked, all of it in sentences."""

from __future__ import annotations

from functools import lru_cache
from typing import get_args

from referee.core.diagram import Colour, Diagram, Mark, Token
from referee.games.multigo.board.points import COLOURS, EMPTY, SYMBOLS, Points, points_of
from referee.games.multigo.state import State, Trace, name_of, symbol_of

_KNOWN: dict[str, Colour] = {name: name for name in get_args(Colour)}


def picture(state: State) -> Diagram:
    """The board now."""
    return _diagram(state.width, state.height, state.board, state.trace, state.law.players)


@lru_cache(maxsize=64)
def _diagram(width: int, height: int, board: str, trace: Trace, players: int) -> Diagram:
    """Every seat's letter shows the same picture, so it is made once."""
    points = points_of(width, height)
    tokens = tuple(
        stone(points.names[point], symbol) for point, symbol in enumerate(board) if symbol != EMPTY
    )
    return Diagram(
        title=f"Go, {width} x {height}",
        columns=tuple(points.names[column][0] for column in range(width)),
        rows=tuple(str(row) for row in range(height, 0, -1)),
        lattice="points",
        tokens=tokens,
        marks=_marks(trace),
        legend=tuple((symbol_of(seat), name_of(seat)) for seat in range(1, players + 1)),
        sentences=(*_removed(trace), *(_standing(points, board, seat) for seat in range(1, players + 1))),
    )


def stone(square: str, symbol: str) -> Token:
    """A stone on a point."""
    name = COLOURS[SYMBOLS.index(symbol)]
    return Token(square, symbol, f"{name} stone", _KNOWN[name], "disc")


def _marks(trace: Trace) -> tuple[Mark, ...]:
    gone = {point for point, _ in trace.removed}
    return (
        *(Mark(point, "last") for point in trace.placed if point not in gone),
        *(Mark(point, "captured") for point, _ in trace.removed),
        *(
            Mark(point, "void")
            for point in trace.contested
            if point not in gone and point not in trace.placed
        ),
    )


def _standing(points: Points, board: str, seat: int) -> str:
    """Where a colour stands, row by row from the bottom."""
    symbol = symbol_of(seat)
    rows = range((points.height - 1) * points.width, -1, -points.width)
    where = [points.names[p] for row in rows for p in range(row, row + points.width) if board[p] == symbol]
    if not where:
        return f"{name_of(seat)} has no stones on the board."
    return f"{name_of(seat)} has stones at {', '.join(where)}."


def _removed(trace: Trace) -> list[str]:
    """What the marks can't say: whose stones were captured."""
    gone = ", ".join(f"{COLOURS[colour - 1]} {point}" for point, colour in trace.removed)
    return [f"Removed in the last turn: {gone}."] if gone else []
