"""The only function old ledgers depend on: the state after an event."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.games.buttons import events as ev
from referee.games.buttons.state import Ended, State, exchanged, other, position_key


def evolved(state: State, event: Any) -> State:
    match event:
        case ev.RulesSet(rules):
            empty = ("",) * len(rules.board.spaces)
            return State(rules, start=empty, cells=empty, goal=rules.goal, closed=not rules.table)
        case ev.RulesAmended(rules):
            return replace(state, rules=rules)
        case ev.StarterDrawn(seat):
            return _counted(replace(state, first=seat, mover=seat))
        case ev.ButtonsShuffled(cells):
            return replace(state, start=cells, cells=cells)
        case ev.PositionSet(cells):
            return _counted(replace(state, start=cells, cells=cells, seen=()))
        case ev.ButtonPlaced():
            return _placed(state, event)
        case ev.ButtonMoved():
            return _moved(state, event)
        case ev.PassForced(seat):
            return _counted(_turned(state, seat, passed=True))
        case ev.DrawOffered(seat):
            return replace(state, offer=seat)
        case ev.ParFound(par):
            return replace(state, par=par)
        case ev.ParPublished(par):
            return replace(state, par=par)
        case ev.TableClosed():
            return replace(state, closed=True)
        case ev.MatchDecided(winners, reason):
            return replace(state, ended=Ended(winners, reason))
        case _:
            return _puzzled(state, event)


def _puzzled(state: State, event: Any) -> State:
    """The events of the solo game; those that only tell change nothing."""
    match event:
        case ev.GoalChosen(goal):
            return replace(state, goal=goal)
        case ev.MoveUndone():
            return _undone(state, event)
        case ev.GoalReached():
            return replace(state, result="solved")
        case ev.GivenUp():
            return replace(state, result="given up")
        case ev.TurnLapsed() if state.rules.solo:
            return replace(state, result="unsolved")
        case ev.MailJudged():
            return replace(state, turn=state.turn + 1)
        case ev.TrailRevealed():
            return _revealed(state, event)
        case _:
            return state


def _turned(state: State, seat: int, passed: bool = False) -> State:
    """The turn goes over; an offer stands until the one it was made to has acted."""
    offer = state.offer if passed or state.offer == seat else 0
    return replace(
        state, turn=state.turn + 1, mover=other(seat), offer=offer, passed=passed, swapped=None, last=()
    )


def _counted(state: State) -> State:
    """The position with its side to move goes into the table of repetitions (5.3)."""
    if state.rules.solo:
        return state
    return replace(state, seen=(*state.seen, position_key(state.cells, state.mover)))


def _placed(state: State, event: ev.ButtonPlaced) -> State:
    """A placement can never be taken back: no earlier position can come again."""
    at = state.rules.ground.index[event.space]
    cells = (*state.cells[:at], event.button, *state.cells[at + 1 :])
    return _counted(replace(_turned(state, event.seat), cells=cells, last=(at,), seen=()))


def _moved(state: State, event: ev.ButtonMoved) -> State:
    index = state.rules.ground.index
    first, last = index[event.path[0]], index[event.path[-1]]
    cells = exchanged(state.cells, first, last)
    if state.rules.solo:
        return replace(state, cells=cells, last=(first, last), trail=(*state.trail, (first, last)))
    swapped = (first, last) if event.other else None
    return _counted(replace(_turned(state, event.seat), cells=cells, last=(first, last), swapped=swapped))


def _undone(state: State, event: ev.MoveUndone) -> State:
    first, second = state.trail[-1]
    return replace(
        state,
        cells=exchanged(state.cells, first, second),
        trail=state.trail[:-1],
        last=(),
        undone=state.undone + 1,
        extra=state.extra + (2 if event.counts else 0),
    )


def _revealed(state: State, event: ev.TrailRevealed) -> State:
    """The public learns what the player's own state holds already."""
    index = state.rules.ground.index
    trail = tuple((index[first], index[second]) for first, second in event.trail)
    cells = state.start
    for first, second in trail:
        cells = exchanged(cells, first, second)
    return replace(
        state,
        goal=event.goal,
        cells=cells,
        trail=trail,
        last=trail[-1] if trail else (),
        extra=event.moves - len(trail),
        undone=event.undone,
        result=event.result,
    )
