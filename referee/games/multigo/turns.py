"""Turns: one after another (2.2, 2.3) or all at once (2.4), and those of players who leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from referee.core.value import Value
from referee.games.multigo import state as ev
from referee.games.multigo.board import EMPTY, SEAT, SYMBOL, chain_at, drop, drop_together, sign_of
from referee.games.multigo.notation import Move
from referee.games.multigo.prisoners import Capture, chains_of, credit
from referee.games.multigo.state import Record, State, next_turn


def played(record: Record, seat: int, move: Move, how: ev.How) -> None:
    """The seat's whole turn; the next begins."""
    for index, made in enumerate(placings(record.state, seat, move.points)):
        state, point = record.state, record.state.points.index[made.point]
        comment = "" if index else move.comment
        record.tell(
            ev.StonePlaced(state.round, seat, made.point, made.removed, made.to_move, how, comment, index > 0)
        )
        dropped, mover = ((point, seat),), 0 if made.board[point] == EMPTY else seat
        board = _captors_board(state, dropped, made.board)
        credit(record, Capture(state.points, board, made.removed, dropped, mover))
    if not move.points:
        following = next_turn(record.state, seat)[1]
        record.tell(ev.Passed(record.state.round, seat, following, how, move.comment))
    if record.state.phase == "play":
        record.tell(ev.TurnBegan(*next_turn(record.state, seat)))


Fault = Literal["occupied", "suicide", "superko"]


class Placing(Value):
    """A stone tried on a board: the seat to move after it, what it removes, what the board is then, what forbids it."""

    point: str
    to_move: int
    removed: tuple[ev.Chain, ...] = ()
    board: str = ""
    fault: Fault | None = None


def placings(state: State, seat: int, names: tuple[str, ...]) -> Iterator[Placing]:
    """The seat's stones tried one after another, by every rule, each on the board the earlier left; ends with the first
    fault."""
    points, law, cells, history = state.points, state.law, list(state.board), state.history
    for left, name in zip(range(len(names) - 1, -1, -1), names, strict=True):
        point, to_move = points.index[name], seat if left else next_turn(state, seat)[1]
        if cells[point] != EMPTY:
            yield Placing(name, to_move, fault="occupied")
            return
        removed = chains_of(points, drop(cells, points.neighbours, point, SYMBOL[seat]))
        if cells[point] == EMPTY and law.suicide == "forbidden":
            yield Placing(name, to_move, removed, fault="suicide")
            return
        board = "".join(cells)
        sign = sign_of(board, to_move if law.minds_mover else 0)
        if law.superko != "off" and sign in history:
            yield Placing(name, to_move, removed, board, "superko")
            return
        history += sign
        yield Placing(name, to_move, removed, board)


def placements(
    orders: Mapping[int, tuple[str, ...]],
) -> tuple[tuple[ev.Placement, ...], tuple[ev.Collision, ...]]:
    """Which stones the seats' ordered lists come to on an open board, level by level: the first points of all, then the
    fallbacks of those without a stone. A point named by one seat alone, and still free, gets its stone."""
    made: dict[str, ev.Placement] = {}
    collisions: list[ev.Collision] = []
    for level in range(max((len(points) for points in orders.values()), default=0)):
        placed, taken = {stone.seat for stone in made.values()}, set(made)
        named = {s: p[level] for s, p in orders.items() if s not in placed and len(p) > level}
        for point in dict.fromkeys(named.values()):
            seats = tuple(seat for seat, name in named.items() if name == point)
            if len(seats) > 1:
                collisions.append(ev.Collision(point, seats))
            elif point not in taken:
                made[point] = ev.Placement(seats[0], point)
    return tuple(made.values()), tuple(collisions)


def reveal(record: Record, moves: Mapping[int, Move]) -> None:
    """A parallel round closes: what all had sealed is played at once; a seat without a move passes."""
    state = record.state
    for seat in state.active:
        if seat in moves and moves[seat].prefer:
            record.tell(ev.PreferKept(seat, moves[seat].prefer))
    orders = tuple(
        ev.Order(seat, move.points, "mail", move.comment)
        if (move := moves.get(seat))
        else ev.Order(seat, (), "deadline")
        for seat in state.active
    )
    made, collisions = placements({order.seat: order.points for order in orders})
    capture, repeated = _removal(state, made)
    void = repeated and state.law.superko_parallel != "allow"
    record.tell(ev.RoundPlayed(state.round, orders, made, collisions, capture.chains, void))
    if not void:
        credit(record, capture)
    _close(record, orders, void)
    after = record.state
    for order in orders if after.phase == "play" and not after.adjourned else ():
        if order.how == "deadline" and record.state.phase == "play" and out_of_time(after, order.seat):
            resign(record, order.seat, "deadline")


def _removal(state: State, made: tuple[ev.Placement, ...]) -> tuple[Capture, bool]:
    """What the round would kill, and whether the position after it has been there before."""
    law, points, cells = state.law, state.points, list(state.board)
    stones = [(points.index[stone.point], SYMBOL[stone.seat]) for stone in made]
    dead = drop_together(cells, points.neighbours, stones, law.removal == "old_first")
    board = "".join(cells)
    repeated = bool(stones) and law.superko != "off" and sign_of(board, 0) in state.history
    dropped = tuple((point, SEAT[symbol]) for point, symbol in stones)
    board = _captors_board(state, dropped, board)
    return Capture(points, board, chains_of(points, dead), dropped, 0), repeated


def _captors_board(state: State, dropped: tuple[tuple[int, int], ...], after: str) -> str:
    """The board whose stones make captors: that after the removal, or of the instant before it."""
    cells = list(state.board)
    for point, seat in dropped:
        cells[point] = SYMBOL[seat]
    return "".join(cells) if state.law.captor_includes_dead else after


def _close(record: Record, orders: tuple[ev.Order, ...], void: bool) -> None:
    """The end of play, or the next round (2.6; 2.4, step 5)."""
    state = record.state
    if void and state.law.superko_parallel == "end":
        record.tell(ev.PlayEnded("repetition"))
        return
    if state.voids >= state.law.max_void:
        record.tell(ev.PlayEnded("void"))
        return
    if not any(order.points for order in orders):
        if any(order.how != "deadline" for order in orders):
            record.tell(ev.PlayEnded("passes"))
            return
        record.tell(ev.PlayAdjourned(state.round))
    record.tell(ev.TurnBegan(state.round + 1, 0))


def resign(record: Record, seat: int, how: ev.How, comment: str = "") -> None:
    """The seat leaves; the last one left has won."""
    state = record.state
    on_turn = state.phase == "play" and state.turn == seat
    following = next_turn(state, seat)
    removed: tuple[ev.Chain, ...] = ()
    if state.law.resigned == "remove" and state.phase == "play":
        own, near = SYMBOL[seat], state.points.neighbours
        whole = {chain_at(state.board, near, at) for at, symbol in enumerate(state.board) if symbol == own}
        removed = chains_of(state.points, ((own, chain) for chain in whole))
    record.tell(ev.Resigned(seat, how, removed, comment))
    if len(record.state.active) == 1:
        winner = record.state.active[0]
        points = {number: "1" if number == winner else "0" for number in range(1, state.law.players + 1)}
        record.tell(ev.GameWon(((winner,),), points, "last"))
    elif on_turn:
        record.tell(ev.TurnBegan(*following))


def missed(record: Record, seat: int) -> None:
    """Sequential: the deadline of a move passed."""
    if out_of_time(record.state, seat):
        resign(record, seat, "deadline")
    else:
        played(record, seat, Move(), "deadline")


def out_of_time(state: State, seat: int) -> bool:
    """Whether a missed move resigns the seat; nobody took an open one over within its window."""
    return state.law.timeout_default == "resign" or state.seat(seat).vacant
