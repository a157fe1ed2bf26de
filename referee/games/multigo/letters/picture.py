"""The board as a diagram: every colour with its own letter, the last turn marked, all of it in sentences."""

from __future__ import annotations

from typing import get_args

from referee.core.diagram import Colour, Diagram, Mark, Token
from referee.games.multigo.board.points import COLOURS, EMPTY, NAME, SYMBOL, SYMBOLS, Points
from referee.games.multigo.state import State

_KNOWN: dict[str, Colour] = {name: name for name in get_args(Colour)}


def picture(state: State) -> Diagram:
    """The board now. The marks can't say whose stones were captured: the sentences do."""
    points, trace = state.points, state.trace
    gone = {point for point, _ in trace.removed}
    void = (point for point in trace.contested if point not in gone and point not in trace.placed)
    taken = ", ".join(f"{COLOURS[colour - 1]} {point}" for point, colour in trace.removed)
    seats = range(1, state.law.players + 1)
    return Diagram(
        title=f"Go, {points.width} x {points.height}",
        columns=tuple(points.names[column][0] for column in range(points.width)),
        rows=tuple(str(row) for row in range(points.height, 0, -1)),
        lattice="points",
        tokens=tuple(stone(points.names[p], sign) for p, sign in enumerate(state.board) if sign != EMPTY),
        marks=(
            *(Mark(point, "last") for point in trace.placed if point not in gone),
            *(Mark(point, "captured") for point, _ in trace.removed),
            *(Mark(point, "void") for point in void),
        ),
        legend=tuple((SYMBOL[seat], NAME[seat]) for seat in seats),
        sentences=(
            *([f"Removed in the last turn: {taken}."] if taken else []),
            *(_standing(points, state.board, seat) for seat in seats),
        ),
    )


def stone(square: str, symbol: str) -> Token:
    """A stone on a point."""
    name = COLOURS[SYMBOLS.index(symbol)]
    return Token(square, symbol, f"{name} stone", _KNOWN[name], "disc")


def _standing(points: Points, board: str, seat: int) -> str:
    """Where a colour stands, row by row from the bottom."""
    symbol = SYMBOL[seat]
    rows = range((points.height - 1) * points.width, -1, -points.width)
    where = [points.names[p] for row in rows for p in range(row, row + points.width) if board[p] == symbol]
    if not where:
        return f"{NAME[seat]} has no stones on the board."
    return f"{NAME[seat]} has stones at {', '.join(where)}."
