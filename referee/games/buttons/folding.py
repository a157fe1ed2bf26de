"""The only function old ledgers depend on: the state after an event."""

from __future__ import annotations

from dataclasses import replace

from referee.core.duel import other
from referee.core.folding import Fold
from referee.games.buttons import events as ev
from referee.games.buttons.state import State, exchanged, position_key

fold: Fold[State] = Fold()
fold.telling(ev.LineMade, ev.DrawAgreed, ev.PlayerResigned, ev.Commented)


# --- the rules and the start -------------------------------------------------------------------------------------


@fold.on(ev.RulesSet)
def _rules_set(state: State, event: ev.RulesSet) -> State:
    rules = event.rules
    empty = ("",) * len(rules.board.spaces)
    return State(rules, start=empty, cells=empty, goal=rules.goal, closed=not rules.table)


fold.on(ev.RulesAmended)(lambda state, event: replace(state, rules=event.rules))
fold.on(ev.StarterDrawn)(lambda state, event: _counted(replace(state, first=event.seat, mover=event.seat)))
fold.on(ev.ButtonsShuffled)(lambda state, event: replace(state, start=event.cells, cells=event.cells))


@fold.on(ev.PositionSet)
def _position_set(state: State, event: ev.PositionSet) -> State:
    return _counted(replace(state, start=event.cells, cells=event.cells, seen=()))


# --- two players -------------------------------------------------------------------------------------------------


@fold.on(ev.ButtonPlaced)
def _button_placed(state: State, event: ev.ButtonPlaced) -> State:
    """A placement can never be taken back: no earlier position can come again."""
    at = state.rules.ground.index[event.space]
    cells = (*state.cells[:at], event.button, *state.cells[at + 1 :])
    return _counted(replace(_turned(state, event.seat), cells=cells, last=(at,), seen=()))


@fold.on(ev.ButtonMoved)
def _button_moved(state: State, event: ev.ButtonMoved) -> State:
    """Of either game."""
    index = state.rules.ground.index
    first, last = index[event.path[0]], index[event.path[-1]]
    cells = exchanged(state.cells, first, last)
    if state.rules.solo:
        return replace(state, cells=cells, last=(first, last), trail=(*state.trail, (first, last)))
    swapped = (first, last) if event.other else None
    return _counted(replace(_turned(state, event.seat), cells=cells, last=(first, last), swapped=swapped))


fold.on(ev.PassForced)(lambda state, event: _counted(_turned(state, event.seat, passed=True)))
fold.on(ev.DrawOffered)(lambda state, event: replace(state, offer=event.seat))
fold.on(ev.MatchDecided)(lambda state, event: replace(state, ended=event))


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


# --- the puzzle --------------------------------------------------------------------------------------------------

fold.on(ev.GoalChosen)(lambda state, event: replace(state, goal=event.goal))


@fold.on(ev.MoveUndone)
def _move_undone(state: State, event: ev.MoveUndone) -> State:
    first, second = state.trail[-1]
    return replace(
        state,
        cells=exchanged(state.cells, first, second),
        trail=state.trail[:-1],
        last=(),
        undone=state.undone + 1,
        extra=state.extra + (2 if event.counts else 0),
    )


fold.on(ev.GoalReached)(lambda state, event: replace(state, result="solved"))
fold.on(ev.GivenUp)(lambda state, event: replace(state, result="given up"))


@fold.on(ev.TurnLapsed)
def _turn_lapsed(state: State, event: ev.TurnLapsed) -> State:
    """With two players what follows says it all."""
    return replace(state, result="unsolved") if state.rules.solo else state


fold.on(ev.MailJudged)(lambda state, event: replace(state, turn=state.turn + 1))
fold.on(ev.ParFound)(lambda state, event: replace(state, par=event.par))
fold.on(ev.ParPublished)(lambda state, event: replace(state, par=event.par))
fold.on(ev.TableClosed)(lambda state, event: replace(state, closed=True))


@fold.on(ev.TrailRevealed)
def _trail_revealed(state: State, event: ev.TrailRevealed) -> State:
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
