"""What a placement would do: the chains it removes, and whether the rules allow it (2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.games.multigo.board.chains import Dead, drop
from referee.games.multigo.board.history import changed_key, repeats
from referee.games.multigo.board.points import EMPTY, SYMBOLS, Points
from referee.games.multigo.events import Chain
from referee.games.multigo.folding import minds_mover
from referee.games.multigo.state import State, symbol_of

Fault = Literal["occupied", "suicide", "superko"]


@dataclass(frozen=True, slots=True)
class Drop:
    """A stone tried on a board: what it removes, what the board is then, what forbids it."""

    point: str
    removed: tuple[Chain, ...] = ()
    board: str = ""
    fault: Fault | None = None


def tried(state: State, seat: int, point: int, to_move: int) -> Drop:
    """The seat's stone on the point, every rule applied. `to_move` is the seat to move after it."""
    points, symbol = state.points, symbol_of(seat)
    name = points.names[point]
    if state.board[point] != EMPTY:
        return Drop(name, fault="occupied")
    cells = list(state.board)
    dead = drop(cells, points.neighbours, point, symbol)
    removed = chains(points, dead)
    if cells[point] == EMPTY and state.law.suicide == "forbidden":
        return Drop(name, removed, fault="suicide")
    board = "".join(cells)
    gone = [(stone, letter) for letter, chain in dead for stone in chain]
    key = changed_key(points, state.history.key, ((point, symbol),), gone)
    if state.law.superko != "off" and repeats(
        state.history, state.board, board, key, to_move if minds_mover(state) else 0
    ):
        return Drop(name, removed, board, fault="superko")
    return Drop(name, removed, board)


def chains(points: Points, dead: list[Dead]) -> tuple[Chain, ...]:
    """Removed chains as facts, each in board order."""
    named = [(min(chain), SYMBOLS.index(symbol) + 1, chain) for symbol, chain in dead]
    return tuple(
        Chain(colour, tuple(points.names[stone] for stone in sorted(chain)))
        for _, colour, chain in sorted(named)
    )
