"""A solo mail played out step by step, and how the puzzle ends (5.4)."""

from __future__ import annotations

from referee.games.buttons import actions as do
from referee.games.buttons import events as ev
from referee.games.buttons.solo.goals import Pair, reached
from referee.games.buttons.state import State
from referee.games.buttons.turns import Told, moved

PLAYER = 1
GIVEN_UP = "Given up."


def play(record: Told, action: do.PlaySolo) -> None:
    """All steps of a mail that `check` passed, in their order."""
    state, hidden = record.state, record.state.rules.private
    if not state.goal and (action.goal or any(step.kind == "move" for step in action.steps)):
        record.tell(ev.GoalChosen(action.goal or "two", bool(action.goal), hidden))
        look(record)
    for step in action.steps:
        _step(record, step)
    if action.comment:
        record.tell(ev.Commented(PLAYER, action.comment, hidden))
    if record.state.result:
        finish(record)
    elif not state.rules.whole:
        record.tell(ev.MailJudged(PLAYER))


def _step(record: Told, step: do.Step) -> None:
    state = record.state
    hidden = state.rules.private
    if step.kind == "give up":
        record.tell(ev.GivenUp(state.moves, hidden))
    elif step.kind == "undo":
        first, second = state.rules.ground.names(state.trail[-1])
        record.tell(ev.MoveUndone(first, second, state.rules.undo == "counts", hidden))
    else:
        index = state.rules.ground.index
        record.tell(moved(state, PLAYER, tuple(index[space] for space in step.path), hidden))
        look(record)


def look(record: Told) -> None:
    """Whether the goal stands on the board now."""
    state = record.state
    pairs = reached(state.rules, state.cells, state.goal) if state.goal else ()
    if pairs:
        named = tuple(_named(state, pair) for pair in pairs)
        record.tell(ev.GoalReached(state.moves, state.undone, named, state.rules.private))


def _named(state: State, pair: Pair) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = state.rules.ground.names
    return names(pair[0]), names(pair[1])


def lapse(record: Told, seats: tuple[int, ...]) -> None:
    """The deadline: of the player, of the table of a puzzle for many (seat 0), or of both at once."""
    rules = record.state.rules
    if PLAYER in seats:
        record.tell(ev.TurnLapsed(PLAYER, rules.private))
    if seats != (PLAYER,):
        record.tell(ev.TableClosed(rules.table))
    finish(record)


def wants_par(state: State) -> bool:
    """Whether the referee still owes its own solution; without a goal there is nothing to solve."""
    return state.rules.solo and state.rules.par and bool(state.goal) and state.par is None


def finish(record: Told) -> None:
    """The end, once the player is done, the table's deadline has passed and the referee's own solution is in."""
    state = record.state
    if not state.result or not state.closed or wants_par(state):
        return
    if state.rules.private:
        names = state.rules.ground.names
        trail = tuple((first, last) for first, last in map(names, state.trail))
        record.tell(ev.TrailRevealed(state.goal, trail, state.moves, state.undone, state.result))
    if state.par is not None:
        record.tell(ev.ParPublished(state.par))
    winners = (PLAYER,) if state.result == "solved" else ()
    record.tell(ev.MatchDecided(winners, _reason(state)))


def _reason(state: State) -> str:
    if state.result == "solved":
        return f"Solved in {state.moves} move{'' if state.moves == 1 else 's'}."
    return GIVEN_UP if state.result == "given up" else "Not solved in time."
