"""Where a button may go: one table per board, since other buttons on the way do not matter (5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from referee.games.buttons.board.spaces import Board, BridgeColour, lines_of, place

Colour = Literal["B", "W"]
SIDES: tuple[Colour, Colour] = ("B", "W")  # seat 1 is black, seat 2 white
COLOUR_NAME: dict[str, BridgeColour] = {"B": "black", "W": "white"}
MOST_WORK = 400_000  # part paths; a board that needs more is refused at opening

Ways = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Ground:
    """What follows from a board alone; spaces are numbered in reading order.

    `rows` and `columns` are all lines of four, read left to right and top to bottom; `beside[s]` the spaces
    orthogonally next to s; `joined[s]` those at the other end of a bridge of any colour; `ways[colour][s]` those
    one bridge away for a button of that colour; `bridge[(s, t)]` a bridge's colour.
    """

    spaces: tuple[str, ...]
    index: dict[str, int]
    rows: Ways
    columns: Ways
    beside: Ways
    joined: Ways
    ways: dict[str, Ways]
    bridge: dict[tuple[int, int], BridgeColour]

    @property
    def lines(self) -> Ways:
        return self.rows + self.columns

    def names(self, spaces: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.spaces[space] for space in spaces)


@lru_cache(maxsize=64)
def ground(board: Board) -> Ground:
    index = {space: number for number, space in enumerate(board.spaces)}
    bridge: dict[tuple[int, int], BridgeColour] = {}
    for b in board.bridges:
        s, t = index[b.first], index[b.second]
        bridge[s, t] = bridge[t, s] = b.colour

    def ends(*colours: BridgeColour) -> Ways:
        return tuple(
            tuple(sorted(t for (f, t), colour in bridge.items() if f == s and colour in colours))
            for s in range(len(index))
        )

    return Ground(
        board.spaces,
        index,
        tuple(tuple(index[space] for space in line) for line in lines_of(board, 1, 0)),
        tuple(tuple(index[space] for space in line) for line in lines_of(board, 0, -1)),
        tuple(tuple(index[t] for t in board.spaces if _adjacent(s, t)) for s in board.spaces),
        ends("red", "black", "white"),
        {"B": ends("red", "black"), "W": ends("red", "white")},
        bridge,
    )


def _adjacent(first: str, second: str) -> bool:
    (c1, r1), (c2, r2) = place(first), place(second)
    return abs(c1 - c2) + abs(r1 - r2) == 1


def layers(ways: Ways, start: int, longest: int) -> Iterator[set[tuple[int, int]]]:
    """For 0, 1, 2 ... bridges: where a path may stand and which spaces (a bit each) it has then visited.

    Two paths over the same spaces to the same end have the same future, so they are kept as one."""
    layer = {(start, 1 << start)}
    for _ in range(longest + 1):
        yield layer
        layer = {(t, seen | 1 << t) for s, seen in layer for t in ways[s] if not seen >> t & 1}


@lru_cache(maxsize=64)
def too_much(board: Board, longest: int) -> bool:
    """Whether the destinations for values up to `longest` cannot be worked out in reasonable time."""
    work = 0
    for ways in ground(board).ways.values():
        for start in range(len(board.spaces)):
            for layer in layers(ways, start, longest):
                work += len(layer)
                if work > MOST_WORK:
                    return True
    return False


@lru_cache(maxsize=64)
def table(board: Board, longest: int) -> dict[str, tuple[Ways, ...]]:
    """`table[colour][space][value]`: the destinations of a button of that colour and value on that space."""
    return {
        colour: tuple(
            tuple(tuple(sorted({t for t, _ in layer})) for layer in layers(ways, start, longest))
            for start in range(len(board.spaces))
        )
        for colour, ways in ground(board).ways.items()
    }


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


def path_faults(
    board: Board, colour: Colour, value: int, path: tuple[int, ...]
) -> Iterator[tuple[str, int, int]]:
    """Each fault of a path that a player gives: its code and the two spaces (or the two numbers) it is about."""
    bridges = ground(board).bridge
    for s, t in pairwise(path):
        crossed = bridges.get((s, t))
        if s == t or crossed is None:
            yield "no_bridge", s, t
        elif crossed not in ("red", COLOUR_NAME[colour]):
            yield "wrong_bridge", s, t
    for at, s in enumerate(path):
        if s in path[:at]:
            yield "space_twice", s, s
    if len(path) - 1 != value:
        yield "path_length", len(path) - 1, value
