"""Sequential play (2.2, 2.3): moves, passes, forced passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.games.multigo import events as ev
from referee.games.multigo.actions import Move
from referee.games.multigo.board.chains import drop
from referee.games.multigo.board.history import changed_key, repeats
from referee.games.multigo.board.points import EMPTY, SYMBOL
from referee.games.multigo.folding import Told, fold
from referee.games.multigo.play.captures import Capture, chains_of, credit
from referee.games.multigo.state import State, next_turn


def played(record: Told, seat: int, move: Move, how: ev.How) -> None:
    """The seat's whole turn; the next begins."""
    for index, name in enumerate(move.points):
        state, last = record.state, index + 1 == len(move.points)
        point = state.points.at(name)
        to_move = next_turn(state, seat)[1] if last else seat
        made = placing(state, seat, point, to_move)
        comment = "" if index else move.comment
        record.tell(
            ev.StonePlaced(state.round, seat, made.point, made.removed, to_move, how, comment, index > 0)
        )
        board, mover = made.board, 0 if made.board[point] == EMPTY else seat
        if state.law.captor_includes_dead:  # the board of the instant before the removal
            board = f"{state.board[:point]}{SYMBOL[seat]}{state.board[point + 1 :]}"
        credit(record, Capture(state.points, board, made.removed, ((point, seat),), mover))
    if not move.points:
        following = next_turn(record.state, seat)[1]
        record.tell(ev.Passed(record.state.round, seat, following, how, move.comment))
    if record.state.phase == "play":
        record.tell(ev.TurnBegan(*next_turn(record.state, seat)))


def placings(state: State, seat: int, points: tuple[str, ...]) -> tuple[Placing, ...]:
    """The points tried one after another, each on the board the earlier left; ends with the first fault."""
    found: list[Placing] = []
    for index, name in enumerate(points):
        point = state.points.index(name)
        if point is None:
            break
        to_move = seat if index + 1 < len(points) else next_turn(state, seat)[1]
        tried = placing(state, seat, point, to_move)
        found.append(tried)
        if tried.fault:
            break
        if index + 1 < len(points):
            state = fold(state, ev.StonePlaced(state.round, seat, tried.point, tried.removed, to_move))
    return tuple(found)


# --- one stone ---------------------------------------------------------------------------------------------------

Fault = Literal["occupied", "suicide", "superko"]


@dataclass(frozen=True, slots=True)
class Placing:
    """A stone tried on a board: what it removes, what the board is then, what forbids it."""

    point: str
    removed: tuple[ev.Chain, ...] = ()
    board: str = ""
    fault: Fault | None = None


def placing(state: State, seat: int, point: int, to_move: int) -> Placing:
    """The seat's stone on the point, every rule applied. `to_move` is the seat to move after it."""
    points, symbol = state.points, SYMBOL[seat]
    name = points.names[point]
    if state.board[point] != EMPTY:
        return Placing(name, fault="occupied")
    cells = list(state.board)
    dead = drop(cells, points.neighbours, point, symbol)
    removed = chains_of(points, dead)
    if cells[point] == EMPTY and state.law.suicide == "forbidden":
        return Placing(name, removed, fault="suicide")
    board = "".join(cells)
    gone = [(stone, letter) for letter, chain in dead for stone in chain]
    key = changed_key(points, state.history.key, ((point, symbol),), gone)
    if state.law.superko != "off" and repeats(
        state.history, state.board, board, key, to_move if state.law.minds_mover else 0
    ):
        return Placing(name, removed, board, fault="superko")
    return Placing(name, removed, board)
