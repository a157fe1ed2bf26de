"""The fold: one event further. Total, and for ever."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatch
from typing import Any

from referee.games.multigo import events as ev
from referee.games.multigo.board.history import begun, changed_key, extended
from referee.games.multigo.board.points import EMPTY
from referee.games.multigo.rules import rules_of
from referee.games.multigo.state import (
    Pending,
    Seat,
    State,
    Trace,
    added,
    lessened,
    symbol_of,
    tallied,
)


@singledispatch
def evolve(event: Any, state: State) -> State:
    """Events that only tell (comments, messages) change nothing."""
    return state


@evolve.register
def _(event: ev.GameOpened, state: State) -> State:
    rules = rules_of(event.options, event.players)
    opened = replace(state, width=event.width, height=event.height, board=event.board, rules=rules)
    return replace(
        opened,
        history=begun(opened.points, event.board, 1 if minds_mover(opened) else 0),
        phase="play",
        seats=tuple(Seat(prisoners=held) for held in event.prisoners),
        eliminated=(0,) * event.players,
    )


@evolve.register
def _(event: ev.RulesAmended, state: State) -> State:
    return replace(state, rules=rules_of(event.options, event.players))


@evolve.register
def _(event: ev.TurnBegan, state: State) -> State:
    resumed = (
        tuple(replace(seat, listed=None) for seat in state.seats) if state.phase == "dead" else state.seats
    )
    passed = () if state.phase == "dead" else state.passed
    return replace(state, phase="play", round=event.round, turn=event.seat, seats=resumed, passed=passed)


@evolve.register
def _(event: ev.StonePlaced, state: State) -> State:
    placed = ev.Placement(event.seat, event.point)
    after = _on_board(state, (placed,), event.removed, event.to_move if minds_mover(state) else 0)
    before = state.seat(event.seat)
    points = (*before.last, event.point) if event.second else (event.point,)
    acted = _seat(after, event.seat, last=points, plan=(), defaults=0, vacant=False)
    trace = acted.trace
    if event.second:
        trace = Trace((*state.trace.placed, *trace.placed), (*state.trace.removed, *trace.removed))
    return replace(acted, passed=(), mover=event.seat, trace=trace)


@evolve.register
def _(event: ev.Passed, state: State) -> State:
    forced, missed = event.how == "forced", event.how == "deadline"
    seat = state.seat(event.seat)
    if not forced:
        defaults = seat.defaults + 1 if missed else 0
        state = _seat(state, event.seat, plan=(), defaults=defaults, vacant=seat.vacant and missed)
        state = replace(state, passed=tuple(sorted({*state.passed, event.seat})))
    if minds_mover(state):
        key = state.history.key
        state = replace(state, history=extended(state.history, key, event.to_move, (), ()))
    return replace(_seat(state, event.seat, last=("pass",)), mover=event.seat, trace=Trace())


@evolve.register
def _(event: ev.RoundPlayed, state: State) -> State:
    for order in event.orders:
        seat, missed = state.seat(order.seat), order.how == "deadline"
        defaults = seat.defaults + 1 if missed else 0
        last = order.points or ("pass",)
        state = _seat(state, order.seat, defaults=defaults, vacant=seat.vacant and missed, last=last)
    contested = tuple(collision.point for collision in event.collisions)
    state = replace(state, adjourned=False, trace=Trace((), (), contested))
    if event.void:
        return replace(state, voids=state.voids + 1)
    if event.placed:
        after = _on_board(state, event.placed, event.removed, 0)
        state = replace(after, trace=replace(after.trace, contested=contested))
    return replace(state, voids=0)


@evolve.register
def _(event: ev.CaptureShared, state: State) -> State:
    pool = tallied(event.stones, len(state.seats))
    pending = Pending(event.number, event.round, pool, event.takers)
    return replace(state, captures=event.number, pending=(*state.pending, pending))


@evolve.register
def _(event: ev.PrisonersTaken, state: State) -> State:
    players = len(state.seats)
    taken, lost = tallied(event.stones, players), tallied(event.lost, players)
    state = _seat(state, event.seat, prisoners=added(state.seat(event.seat).prisoners, taken))
    state = replace(state, eliminated=added(state.eliminated, lost))
    if not event.number:
        return state
    pending = tuple(
        replace(p, pool=lessened(p.pool, added(taken, lost)), queue=p.queue[1:])
        if p.number == event.number
        else p
        for p in state.pending
    )
    return replace(state, pending=tuple(p for p in pending if p.queue or any(p.pool)))


@evolve.register
def _(event: ev.StonesEliminated, state: State) -> State:
    pending = tuple(p for p in state.pending if not event.number or p.number != event.number)
    gone = tallied(event.stones, len(state.seats))
    return replace(state, pending=pending, eliminated=added(state.eliminated, gone))


@evolve.register
def _(event: ev.PreferKept, state: State) -> State:
    return _seat(state, event.seat, prefer=event.colours)


@evolve.register
def _(event: ev.PlanKept, state: State) -> State:
    return _seat(state, event.seat, plan=event.conditions)


@evolve.register
def _(event: ev.PlanLapsed, state: State) -> State:
    return _seat(state, event.seat, plan=())


@evolve.register
def _(event: ev.PlayEnded, state: State) -> State:
    settled = state.law.dead == "none" or state.disputes >= 2
    return replace(state, phase="count" if settled else "dead", voids=0)


@evolve.register
def _(event: ev.PlayAdjourned, state: State) -> State:
    return replace(state, adjourned=True)


@evolve.register
def _(event: ev.DeadListed, state: State) -> State:
    return _seat(state, event.seat, listed=event.points)


@evolve.register
def _(event: ev.DeadAgreed, state: State) -> State:
    if event.removed:
        state = _on_board(state, (), event.removed, 0)
    return replace(state, phase="count")


@evolve.register
def _(event: ev.DeadDisputed, state: State) -> State:
    return replace(state, disputes=event.times, phase="count" if event.times >= 2 else state.phase)


@evolve.register
def _(event: ev.Scored, state: State) -> State:
    return replace(state, scored=event, phase="ally")


@evolve.register
def _(event: ev.AlliesDeclared, state: State) -> State:
    return replace(state, allied=event)


@evolve.register
def _(event: ev.GameWon, state: State) -> State:
    return replace(state, won=event, phase="over", pending=())


@evolve.register
def _(event: ev.SeatOpened, state: State) -> State:
    return _seat(state, event.seat, vacant=True)


@evolve.register
def _(event: ev.SeatFilled, state: State) -> State:
    return _seat(state, event.seat, vacant=False, defaults=0)


@evolve.register
def _(event: ev.Resigned, state: State) -> State:
    if event.removed:
        state = _on_board(state, (), event.removed, 0)
        gone = [0] * len(state.seats)
        for chain in event.removed:
            gone[chain.colour - 1] += len(chain.points)
        state = replace(state, eliminated=added(state.eliminated, tuple(gone)))
    return _seat(state, event.seat, resigned=True, vacant=False, plan=(), last=("resign",))


def minds_mover(state: State) -> bool:
    """Whether a repetition needs the same seat to move (situational superko)."""
    return state.law.superko == "situational" and not state.law.parallel


def _seat(state: State, number: int, **changes: Any) -> State:
    changed = replace(state.seat(number), **changes)
    return replace(state, seats=(*state.seats[: number - 1], changed, *state.seats[number:]))


def _on_board(
    state: State, placed: Iterable[ev.Placement], removed: Iterable[ev.Chain], to_move: int
) -> State:
    """The board with stones placed and chains removed, as one more position of the history."""
    points, cells = state.points, list(state.board)
    new = [(points.at(stone.point), symbol_of(stone.seat)) for stone in placed]
    gone = [(points.at(point), symbol_of(chain.colour)) for chain in removed for point in chain.points]
    for point, symbol in new:
        cells[point] = symbol
    for point, _ in gone:
        cells[point] = EMPTY
    key = changed_key(points, state.history.key, new, gone)
    trace = Trace(
        tuple(points.names[point] for point, _ in new),
        tuple((point, chain.colour) for chain in removed for point in chain.points),
    )
    history = extended(state.history, key, to_move, new, gone)
    return replace(state, board="".join(cells), history=history, trace=trace)
