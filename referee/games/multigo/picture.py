"""The board as a diagram: every colour with its own letter, the last turn marked, all of it in sentences."""

from __future__ import annotations

from typing import get_args

from referee.core.diagram import Colour, Diagram, Mark, Token
from referee.games.multigo.notation import name_of
from referee.games.multigo.points import COLOURS, EMPTY, SYMBOLS
from referee.games.multigo.state import State, Trace, symbol_of

_KNOWN: dict[str, Colour] = {name: name for name in get_args(Colour)}


def picture(state: State) -> Diagram:
    """The board now."""
    points = state.points
    tokens = tuple(
        _token(points.names[point], symbol) for point, symbol in enumerate(state.board) if symbol != EMPTY
    )
    columns = tuple(points.names[column][0] for column in range(state.width))
    rows = tuple(str(row) for row in range(state.height, 0, -1))
    return Diagram(
        title=f"Go, {state.width} x {state.height}",
        columns=columns,
        rows=rows,
        lattice="points",
        tokens=tokens,
        marks=_marks(state.trace),
        legend=tuple((symbol_of(seat), name_of(seat)) for seat in range(1, state.law.players + 1)),
        sentences=_sentences(state),
    )


def _token(square: str, symbol: str) -> Token:
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


def _sentences(state: State) -> tuple[str, ...]:
    """The captures of the last turn, then every colour's stones row by row from the bottom."""
    said = _removed(state.trace)
    for seat in range(1, state.law.players + 1):
        where = [
            state.points.names[point]
            for point in sorted(range(len(state.board)), key=lambda p: (-(p // state.width), p % state.width))
            if state.board[point] == symbol_of(seat)
        ]
        said.append(
            f"{name_of(seat)} has stones at {', '.join(where)}."
            if where
            else f"{name_of(seat)} has no stones on the board."
        )
    return tuple(said)


def _removed(trace: Trace) -> list[str]:
    """What the marks can't say: whose stones were captured."""
    gone = ", ".join(f"{COLOURS[colour - 1]} {point}" for point, colour in trace.removed)
    return [f"Removed in the last turn: {gone}."] if gone else []
