"""A solo mail played out step by step, and how the puzzle ends (5.4)."""

from __future__ import annotations

from typing import Any

from referee.games.buttons import actions as do
from referee.games.buttons import events as ev
from referee.games.buttons.solo import Pair, reached
from referee.games.buttons.state import State
from referee.games.buttons.turns import Tale, moved

PLAYER = 1
GIVEN_UP = "Given up."


def resolve_mail(state: State, action: do.PlaySolo) -> tuple[Any, ...]:
    """All steps of a mail that `check` passed, in their order."""
    tale = Tale(state)
    hidden = state.rules.private
    if not state.goal and (action.goal or any(step.kind == "move" for step in action.steps)):
        tale.tell(ev.GoalChosen(action.goal or "two", bool(action.goal), hidden))
        look(tale)
    for step in action.steps:
        _step(tale, step)
    if action.comment:
        tale.tell(ev.Commented(PLAYER, action.comment, hidden))
    if tale.state.result:
        finish(tale)
    elif not state.rules.whole:
        tale.tell(ev.MailJudged(PLAYER))
    return tuple(tale.events)


def _step(tale: Tale, step: do.Step) -> None:
    state = tale.state
    hidden = state.rules.private
    if step.kind == "give up":
        tale.tell(ev.GivenUp(state.moves, hidden))
    elif step.kind == "undo":
        first, second = state.rules.ground.names(state.trail[-1])
        tale.tell(ev.MoveUndone(first, second, state.rules.undo == "counts", hidden))
    else:
        index = state.rules.ground.index
        tale.tell(moved(state, PLAYER, tuple(index[space] for space in step.path), hidden))
        look(tale)


def look(tale: Tale) -> None:
    """Whether the goal stands on the board now."""
    state = tale.state
    pairs = reached(state.rules, state.cells, state.goal) if state.goal else ()
    if pairs:
        named = tuple(_named(state, pair) for pair in pairs)
        tale.tell(ev.GoalReached(state.moves, state.undone, named, state.rules.private))


def _named(state: State, pair: Pair) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = state.rules.ground.names
    return names(pair[0]), names(pair[1])


def resolve_lapse(state: State, seats: tuple[int, ...]) -> tuple[Any, ...]:
    """The deadline: of the player, of the table of a puzzle for many (seat 0), or of both at once."""
    tale = Tale(state)
    if PLAYER in seats:
        tale.tell(ev.TurnLapsed(PLAYER, state.rules.private))
    if seats != (PLAYER,):
        tale.tell(ev.TableClosed(state.rules.table))
    finish(tale)
    return tuple(tale.events)


def resolve_par(state: State, action: do.SetPar) -> tuple[Any, ...]:
    tale = Tale(state)
    tale.tell(ev.ParFound(action.par))
    finish(tale)
    return tuple(tale.events)


def wants_par(state: State) -> bool:
    """Whether the referee still owes its own solution; without a goal there is nothing to solve."""
    return state.rules.solo and state.rules.par and bool(state.goal) and state.par is None


def finish(tale: Tale) -> None:
    """The end, once the player is done, the table's deadline has passed and the referee's own solution is in."""
    state = tale.state
    if not state.result or not state.closed or wants_par(state):
        return
    if state.rules.private:
        names = state.rules.ground.names
        trail = tuple((first, last) for first, last in map(names, state.trail))
        tale.tell(ev.TrailRevealed(state.goal, trail, state.moves, state.undone, state.result))
    if state.par is not None:
        tale.tell(ev.ParPublished(state.par))
    winners = (PLAYER,) if state.result == "solved" else ()
    tale.tell(ev.MatchDecided(winners, _reason(state)))


def _reason(state: State) -> str:
    if state.result == "solved":
        return f"Solved in {state.moves} move{'' if state.moves == 1 else 's'}."
    return GIVEN_UP if state.result == "given up" else "Not solved in time."
