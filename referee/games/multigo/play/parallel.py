"""Parallel rounds (2.4): fallbacks, collisions, removal, void rounds."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.multigo import events as ev
from referee.games.multigo.actions import Move
from referee.games.multigo.board.chains import drop_together
from referee.games.multigo.board.history import changed_key, repeats
from referee.games.multigo.board.points import SEAT, SYMBOL
from referee.games.multigo.folding import Told
from referee.games.multigo.play.captures import Capture, chains_of, credit
from referee.games.multigo.state import State


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


def reveal(record: Told, moves: Mapping[int, Move]) -> None:
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


def _removal(state: State, made: tuple[ev.Placement, ...]) -> tuple[Capture, bool]:
    """What the round would kill, and whether the position after it has been there before."""
    law, points, cells = state.law, state.points, list(state.board)
    stones = [(points.at(stone.point), SYMBOL[stone.seat]) for stone in made]
    dead = drop_together(cells, points.neighbours, stones, law.removal == "old_first")
    gone = [(stone, symbol) for symbol, chain in dead for stone in chain]
    key = changed_key(points, state.history.key, stones, gone)
    board = "".join(cells)
    repeated = bool(stones) and law.superko != "off" and repeats(state.history, state.board, board, key, 0)
    if law.captor_includes_dead:
        whole = list(state.board)
        for point, symbol in stones:
            whole[point] = symbol
        board = "".join(whole)
    dropped = tuple((point, SEAT[symbol]) for point, symbol in stones)
    return Capture(points, board, chains_of(points, dead), dropped, 0), repeated


def _close(record: Told, orders: tuple[ev.Order, ...], void: bool) -> None:
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
