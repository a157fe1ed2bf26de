"""What is wrong with an answer: all of it, each fault with its rule and the part it is about."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Literal

from referee.core.complaint import Complaint
from referee.core.duel import other
from referee.core.owing import Demand
from referee.games.buttons import actions as do
from referee.games.buttons.board.bridges import path_faults
from referee.games.buttons.solo.goals import reached
from referee.games.buttons.state import Goal, State, colour_of, exchanged, side_of
from referee.games.buttons.turns import moves, open_spaces, placements, reverses


def untimely(state: State, demand: Demand) -> Complaint:
    """Why the demand is none that the seat may answer now. Out of turn the move itself is not judged: the board it is
    meant for is not there yet, or is gone."""
    if state.ended is not None:
        return Complaint("ended", "house")
    match demand.kind, state.rules.solo:
        case "Offer", False if demand.seat == state.mover:
            return Complaint("offer_with_turn", "5.3")
        case "Offer", False:
            return Complaint("offered_already", "5.3")
        case "Move", True:
            return Complaint("puzzle_done", "5.4", facts={"result": state.result})
        case "Move", False:
            return Complaint("not_your_turn", "5.3", facts={"mover": state.mover})
    return Complaint("not_now", "house", facts={"demand": demand.kind})


def turn_faults(state: State, seat: int, action: do.Turn) -> Iterator[Complaint]:
    """Every complaint about a turn of the game for two (5.3)."""
    match action:
        case do.PlaceButton():
            yield from _placement(state, seat, action)
        case do.MoveButton():
            yield from _move(state, seat, action)
        case do.AcceptDraw():
            if state.offer != other(seat):
                yield Complaint("no_offer", "5.3", part="turn")


def par_faults(state: State, action: do.SetPar) -> Iterator[Complaint]:
    """The referee's own solution, replayed from the start (5.4)."""
    par, cells, index = action.par, state.start, state.rules.ground.index
    right = par.moves is None or len(par.solution) == par.moves
    for first, last in par.solution if par.moves is not None else ():
        right = right and index[last] in state.rules.reach(cells[index[first]], index[first])
        cells = exchanged(cells, index[first], index[last])
    if not right or (par.moves is not None and not reached(state.rules, cells, state.goal)):
        yield Complaint("par_wrong", "5.4")


def _placement(state: State, seat: int, action: do.PlaceButton) -> Iterator[Complaint]:
    own, supply = colour_of(seat), state.supply(seat)
    facts = {"value": action.value, "space": action.space, "supply": supply, "own": own}
    if action.colour and action.colour != own:
        yield Complaint("not_your_colour", "5.3", facts=facts, part="turn")
    if action.value not in supply:
        yield Complaint("not_in_supply", "5.3", facts=facts, part="turn")
    ground = state.rules.ground
    if (at := ground.index.get(action.space)) is None:
        yield _no_space(state, action.space, "turn")
    elif state.cells[at]:
        yield Complaint("occupied", "5.3", facts={**facts, "button": state.cells[at]}, part="turn")
    elif at not in (possible := open_spaces(state, seat)):
        bridged = state.rules.place_adjacency == "bridge"
        more = {"possible": ground.names(possible), "bridged": bridged}
        yield Complaint("not_next_to", "5.3", facts={**facts, **more}, part="turn")


def _no_space(state: State, space: str, part: str) -> Complaint:
    return Complaint(
        "no_such_space", "5.1", facts={"space": space, "spaces": state.rules.board.spaces}, part=part
    )


def _move(state: State, seat: int, action: do.MoveButton) -> Iterator[Complaint]:
    path = yield from _spaces(state, action.path, "turn")
    if len(path) < 2:
        return
    button = state.cells[path[0]]
    facts = {"space": action.path[0], "button": button}
    if not button:
        yield Complaint("no_button", "5.3", facts=facts, part="turn")
    elif button[0] != colour_of(seat):
        yield Complaint("not_your_button", "5.3", facts={**facts, "own": colour_of(seat)}, part="turn")
    else:
        yield from _way(state, path, button, "turn")
        if reverses(state, path[0], path[-1]):
            second = state.cells[path[-1]]
            yield Complaint("reversal", "5.3", facts={"button": button, "other": second}, part="turn")


def _spaces(state: State, path: tuple[str, ...], part: str) -> Generator[Complaint, None, tuple[int, ...]]:
    """The numbers of the spaces named, and a complaint for each that is none; () if there is any."""
    index = state.rules.ground.index
    strange = [space for space in dict.fromkeys(path) if space not in index]
    for space in strange:
        yield _no_space(state, space, part)
    if len(path) < 2 and not strange:
        yield Complaint("half_a_move", "5.5", facts={"space": path[0] if path else ""}, part=part)
    return () if strange or len(path) < 2 else tuple(index[space] for space in path)


def _way(state: State, path: tuple[int, ...], button: str, part: str, step: int = 0) -> Iterator[Complaint]:
    """5.2: the end must lie exactly the value away; a way that is named must be a legal one."""
    names = state.rules.ground.names
    start, end = names((path[0], path[-1]))
    possible = state.rules.reach(button, path[0])
    facts = {"button": button, "start": start, "end": end, "possible": names(possible), "step": step}
    if start == end:
        yield Complaint("same_space", "5.2", facts=facts, part=part)
    elif path[-1] not in possible:
        yield Complaint("out_of_reach", "5.2", facts=facts, part=part)
    if len(path) > 2:
        for code, one, two in path_faults(state.rules.board, side_of(button), int(button[1:]), path):
            if code == "path_length":
                more: dict[str, Any] = {"bridges": one, "value": two}
            else:
                more = {"one": names((one,))[0], "two": names((two,))[0]}
            yield Complaint(code, "5.2", facts={**facts, **more}, part=part)


def solo_faults(state: State, action: do.PlaySolo) -> Iterator[Complaint]:
    """A solo mail. Steps after a faulty one are judged as if it had been made as the sender meant it."""
    if action.goal and state.goal and action.goal != state.goal:
        yield Complaint("goal_fixed", "5.4", facts={"goal": state.goal, "given": action.goal}, part="goal")
    if not action.steps and action.goal in ("", state.goal):
        yield Complaint("nothing_ordered", "5.5", part="goal")
    play = SoloPlay(state, action.goal)
    for step in action.steps:
        yield from play.faults(step)
        play.make(step)


class SoloPlay:
    """A solo mail on its way, step by step: what is wrong with the next one, and the board after it. Each costs the
    same, however many went before."""

    def __init__(self, state: State, goal: Goal | Literal[""]) -> None:
        self._state = state
        self._cells, self._trail = state.cells, list(state.trail)
        self._goal: Goal = state.goal or goal or "two"
        self._done = "solved" if not state.goal and reached(state.rules, self._cells, self._goal) else ""
        self._made = 0

    def faults(self, step: do.Step) -> Iterator[Complaint]:
        """Every complaint about the step, were it the next one; nothing is changed by asking."""
        facts = {"step": self._made + 1, "done": self._done}
        part = f"steps.{self._made}"
        if self._done:
            yield Complaint("after_the_end", "5.4", facts=facts, part=part)
        elif step.kind == "undo" and self._state.rules.undo == "off":
            yield Complaint("no_undo", "5.4", facts=facts, part=part)
        elif step.kind == "undo" and not self._trail:
            yield Complaint("nothing_to_undo", "5.4", facts=facts, part=part)
        elif step.kind == "move":
            path = yield from _spaces(self._state, step.path, part)
            if path:
                yield from _way(self._state, path, self._cells[path[0]], part, self._made + 1)

    def make(self, step: do.Step) -> None:
        """The step is made, a faulty one as its sender meant it, where that can be."""
        self._made += 1
        if self._done:
            return
        if step.kind == "give up":
            self._done = "given up"
        elif step.kind == "undo":
            if self._state.rules.undo != "off" and self._trail:
                self._cells = exchanged(self._cells, *self._trail.pop())
        else:
            index = self._state.rules.ground.index
            if len(step.path) < 2 or any(space not in index for space in step.path):
                return
            first, last = index[step.path[0]], index[step.path[-1]]
            self._cells = exchanged(self._cells, first, last)
            self._trail.append((first, last))
            self._done = "solved" if reached(self._state.rules, self._cells, self._goal) else ""


def choices(state: State, seat: int) -> tuple[do.PlaceButton | do.MoveButton, ...]:
    """Every legal turn of the two-player game, placements first."""
    names = state.rules.ground.spaces
    placed = [do.PlaceButton(value, names[space]) for value, space in placements(state, seat)]
    return (*placed, *(do.MoveButton((names[s], names[t])) for s, t in moves(state, seat)))
