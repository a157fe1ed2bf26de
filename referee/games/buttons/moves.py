"""A button moved, in either game: what is wrong with its way (5.2), and the fact that it becomes."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import pairwise

from referee.core.complaint import Complaint
from referee.core.folding import Recorder
from referee.games.buttons import events as ev
from referee.games.buttons.board import COLOUR_NAME, Board, Colour, ground
from referee.games.buttons.state import State, side_of

Record = Recorder[State, ev.Event]


def no_space(state: State, space: str, part: str) -> Complaint:
    facts = {"space": space, "spaces": state.rules.board.spaces}
    return Complaint("no_such_space", "5.1", facts=facts, part=part)


def path_of(state: State, path: tuple[str, ...], part: str) -> Generator[Complaint, None, tuple[int, ...]]:
    """The numbers of the spaces named, and a complaint for each that is none; () if there is any."""
    index = state.rules.ground.index
    strange = [space for space in dict.fromkeys(path) if space not in index]
    for space in strange:
        yield no_space(state, space, part)
    if len(path) < 2 and not strange:
        yield Complaint("half_a_move", "5.5", facts={"space": path[0] if path else ""}, part=part)
    return () if strange or len(path) < 2 else tuple(index[space] for space in path)


def way_faults(
    state: State, path: tuple[int, ...], button: str, part: str, step: int = 0
) -> Iterator[Complaint]:
    """5.2: the end must lie exactly the value away; a way that is named must be a legal one."""
    names = state.rules.ground.names
    start, end = names((path[0], path[-1]))
    possible = state.rules.reach(button, path[0])
    facts = {"button": button, "start": start, "end": end, "possible": names(possible), "step": step}
    if start == end:
        yield Complaint("same_space", "5.2", facts=facts, part=part)
    elif path[-1] not in possible:
        yield Complaint("out_of_reach", "5.2", facts=facts, part=part)
    for code, more in path_faults(state.rules.board, button, path) if len(path) > 2 else ():
        yield Complaint(code, "5.2", facts={**facts, **more}, part=part)


def path_faults(board: Board, button: str, path: tuple[int, ...]) -> Iterator[tuple[str, dict[str, object]]]:
    """Each fault of a way that a player names: its code, and the spaces or the numbers that it is about."""
    spaces, bridges, value = board.spaces, ground(board).bridge, int(button[1:])
    for one, two in pairwise(path):
        crossed = bridges.get((one, two))
        if one == two or crossed is None:
            yield "no_bridge", {"one": spaces[one], "two": spaces[two]}
        elif crossed not in ("red", COLOUR_NAME[button[0]]):
            yield "wrong_bridge", {"one": spaces[one], "two": spaces[two]}
    for at, space in enumerate(path):
        if space in path[:at]:
            yield "space_twice", {"one": spaces[space], "two": spaces[space]}
    if len(path) - 1 != value:
        yield "path_length", {"bridges": len(path) - 1, "value": value}


def moved(state: State, seat: int, path: tuple[int, ...], private: bool = False) -> ev.ButtonMoved:
    """The move, with a way for the record where the player named none."""
    ground, button = state.rules.ground, state.cells[path[0]]
    given = len(path) > 2
    side, value = side_of(button), int(button[1:])
    way = path if given else route(state.rules.board, side, value, path[0], path[-1])
    return ev.ButtonMoved(seat, button, state.cells[path[-1]], ground.names(way), given, private)


def route(board: Board, colour: Colour, value: int, start: int, goal: int) -> tuple[int, ...]:
    """The first path, in the order of the spaces, of exactly `value` bridges; empty where there is none."""
    ways = ground(board).ways[colour]
    dead: set[tuple[int, int]] = set()

    def walk(path: tuple[int, ...], seen: int) -> tuple[int, ...]:
        here = path[-1]
        if len(path) == value + 1:
            return path if here == goal else ()
        if (here, seen) in dead:
            return ()
        for there in ways[here]:
            if not seen >> there & 1 and (found := walk((*path, there), seen | 1 << there)):
                return found
        dead.add((here, seen))
        return ()

    return walk((start,), 1 << start)
