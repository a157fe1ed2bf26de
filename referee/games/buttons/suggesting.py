"""Seeded players: legal answers that bring a match to its end."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from referee.core.chance import Chance
from referee.core.duel import other
from referee.games.buttons import actions as do
from referee.games.buttons.solver import solved
from referee.games.buttons.state import Cells, Goal, Par, Rules, State, colour_of, exchanged
from referee.games.buttons.turns import choices

_GOALS: tuple[Goal, ...] = ("two", "four")
NODES = 3_000  # enough for nearly every shuffle of the original board


def suggested(state: State, seat: int, chance: Chance) -> do.Turn | do.PlaySolo:
    return _mail(state, chance) if state.rules.solo else _turn(state, seat, chance)


@lru_cache(maxsize=256)
def solution(rules: Rules, cells: Cells, goal: Goal, nodes: int) -> Par:
    return solved(rules, cells, goal, nodes)


def _turn(state: State, seat: int, chance: Chance) -> do.Turn:
    """A winning turn if there is one; now and then a draw accepted or offered; else any turn."""
    if state.offer == other(seat) and chance.below(4, "whether to accept") == 0:
        return do.AcceptDraw()
    legal = choices(state, seat)
    winning = [turn for turn in legal if _wins(state, seat, turn)]
    pick = (winning or legal)[chance.below(len(winning or legal), "a turn")]
    if chance.below(20, "whether to offer a draw") == 0:
        return replace(pick, offer=True)
    return pick


def _wins(state: State, seat: int, turn: do.PlaceButton | do.MoveButton) -> bool:
    index, own = state.rules.ground.index, colour_of(seat)
    if isinstance(turn, do.PlaceButton):
        at = index[turn.space]
        cells = (*state.cells[:at], own, *state.cells[at + 1 :])
    else:
        cells = exchanged(state.cells, index[turn.path[0]], index[turn.path[-1]])
    return any(all(cells[s][:1] == own for s in line) for line in state.rules.ground.lines)


def _mail(state: State, chance: Chance) -> do.PlaySolo:
    """One or more moves of a solution; now and then a wrong move, an undo, or giving up."""
    goal: Goal = state.goal or _GOALS[chance.below(2, "the goal")]
    mood = chance.below(12, "what to do")
    choice: Goal = "" if state.goal else goal
    if mood == 0 and state.trail and state.rules.undo != "off":
        return do.PlaySolo((do.Step("undo"),), choice)
    if mood == 1 and len(state.trail) < 3 and (stray := _stray(state, chance, goal)):
        return do.PlaySolo((do.Step("move", stray),), choice)
    found = solution(state.rules, state.cells, goal, NODES)
    if not found.solution:
        return do.PlaySolo((do.Step("give up"),), choice)
    count = 1 + chance.below(len(found.solution), "how many moves")
    return do.PlaySolo(tuple(do.Step("move", move) for move in found.solution[:count]), choice)


def _stray(state: State, chance: Chance, goal: Goal) -> tuple[str, ...]:
    """Any legal move."""
    space = chance.below(len(state.cells), "a button")
    reach = state.rules.reach(state.cells[space], space)
    if not reach:
        return ()
    return state.rules.ground.names((space, reach[chance.below(len(reach), "where to")]))
