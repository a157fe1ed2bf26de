"""The board as data, every fault that it can have (5.1), and where a button may go on it, by which ways (5.2)."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

from referee.core.value import Value

BridgeColour = Literal["red", "black", "white"]
COLOURS: tuple[BridgeColour, ...] = ("red", "black", "white")
LARGEST = 12  # columns or rows: what a drawing can show
LINE = 4  # buttons in a line

_GRID = re.compile(r"(\d{1,2})\s*x\s*(\d{1,2})")
_BRIDGE = re.compile(r"([a-z]\d{1,2})-?([a-z]\d{1,2})")
_KEYS = ("note", "grid", "missing", *COLOURS, "values")


class Bridge(Value):
    """A bridge between two neighbouring spaces; it can be crossed in both directions."""

    first: str
    second: str
    colour: BridgeColour


class Board(Value):
    """A layout. `spaces` are in reading order: from the top row, left to right (a4 b4 c4 d4 a3 ... d1)."""

    name: str
    columns: int
    rows: int
    spaces: tuple[str, ...]
    bridges: tuple[Bridge, ...]
    note: str = ""

    @property
    def grid(self) -> tuple[tuple[str, ...], ...]:
        """The squares row by row from the top, those among them that are no space."""
        across, up = range(1, self.columns + 1), range(self.rows, 0, -1)
        return tuple(tuple(named(column, row) for column in across) for row in up)


def place(space: str) -> tuple[int, int]:
    """Column and row of a space's name, both counted from 1: b3 is (2, 3)."""
    return ord(space[0]) - ord("a") + 1, int(space[1:])


def named(column: int, row: int) -> str:
    return f"{chr(ord('a') + column - 1)}{row}"


def lines_of(board: Board, across: int, up: int) -> tuple[tuple[str, ...], ...]:
    """Four consecutive spaces each in one direction: (1, 0) rows read left to right, (0, -1) columns from the top."""
    starts = [place(space) for space in board.spaces]
    lines = (tuple(named(c + across * k, r + up * k) for k in range(LINE)) for c, r in starts)
    return tuple(line for line in lines if set(board.spaces).issuperset(line))


def board_of(name: str, layout: Mapping[str, Any]) -> tuple[Board | None, tuple[str, ...]]:
    """The board that a layout of the data file describes, and all its faults in words (None where it has no grid)."""
    faults = [f"{key!r} is nothing a layout can have" for key in layout if key not in _KEYS]
    size = _GRID.fullmatch(str(layout.get("grid", "")))
    board: Board | None = None
    if size is None or not all(1 <= int(side) <= LARGEST for side in size.groups()):
        most = f"columns x rows up to {LARGEST}x{LARGEST}, such as 4x4"
        faults.append(f"grid = {layout.get('grid')!r} should be {most}")
    else:
        board = Board(name, int(size[1]), int(size[2]), (), (), str(layout.get("note", "")))
        grid = [square for row in board.grid for square in row]
        missing = [str(space) for space in layout.get("missing", ())]
        strange = [space for space in missing if space not in grid]
        faults += [f"{space} is given as missing, but it is no square of the grid" for space in strange]
        spaces = tuple(space for space in grid if space not in missing)
        bridges, bad = _bridges(layout, spaces)
        board = replace(board, spaces=spaces, bridges=bridges)
        faults += [*bad, *_shape_faults(board)]
    return board, tuple(f"The board {name}: {fault}." for fault in faults)


def _bridges(layout: Mapping[str, Any], spaces: tuple[str, ...]) -> tuple[tuple[Bridge, ...], list[str]]:
    found: dict[frozenset[str], Bridge] = {}
    faults: list[str] = []
    for colour in COLOURS:
        for text in str(layout.get(colour, "")).lower().split():
            if (ends := _BRIDGE.fullmatch(text)) is None:
                faults.append(f"the {colour} bridge {text!r} should be two spaces, such as a1b1")
                continue
            (c1, r1), (c2, r2) = map(place, ends.groups())
            wrong = ""
            if strange := [end for end in ends.groups() if end not in spaces]:
                wrong = f"ends on {' and '.join(strange)}, where there is no space"
            elif ends[1] == ends[2]:
                wrong = "begins and ends on one space"
            elif max(abs(c1 - c2), abs(r1 - r2)) > 1:  # O2: diagonal ones are neighbours, if the data say so
                wrong = "joins two spaces that are no neighbours"
            elif (other := found.get(frozenset(ends.groups()))) is not None:
                wrong = f"stands where there is a {other.colour} one already"
            else:
                found[frozenset(ends.groups())] = Bridge(ends[1], ends[2], colour)
            faults += [f"the {colour} bridge {text} {wrong}"] if wrong else []
    return tuple(found.values()), faults


def _shape_faults(board: Board) -> Iterator[str]:
    """What makes a board unplayable: no line to win by, or a space no button can ever reach."""
    if not (lines_of(board, 1, 0) or lines_of(board, 0, -1)):
        yield "no four spaces of it lie in a row or a column, so nobody can make a line"
    reached = list(board.spaces[:1])
    for here in reached:
        ends = (end for b in board.bridges if here in (b.first, b.second) for end in (b.first, b.second))
        reached += dict.fromkeys(end for end in ends if end not in reached)
    if cut_off := [space for space in board.spaces if space not in reached]:
        yield f"no bridges lead from {board.spaces[0]} to {', '.join(cut_off)}"


Colour = Literal["B", "W"]
SIDES: tuple[Colour, Colour] = ("B", "W")  # seat 1 is black, seat 2 white
COLOUR_NAME: dict[str, BridgeColour] = {"B": "black", "W": "white"}
MOST_WORK = 400_000  # part paths; a board that needs more is refused at opening

Ways = tuple[tuple[int, ...], ...]


class Ground:
    """What follows from a board alone; spaces are numbered in reading order.

    `rows` and `columns` are all lines of four, read left to right and top to bottom; `beside[s]` the spaces
    orthogonally next to s; `joined[s]` those at the other end of a bridge of any colour;
    `ways[colour][s]` those one bridge away for a button of that colour; `bridge[(s, t)]` a bridge's
    colour."""

    def __init__(self, board: Board) -> None:
        self.spaces = board.spaces
        self.index = {space: number for number, space in enumerate(board.spaces)}
        self.rows, self.columns = (
            tuple(tuple(self.index[space] for space in line) for line in lines_of(board, *way))
            for way in ((1, 0), (0, -1))
        )
        self.lines = self.rows + self.columns
        ends = ((self.index[b.first], self.index[b.second], b.colour) for b in board.bridges)
        both = (((s, t, colour), (t, s, colour)) for s, t, colour in ends)
        self.bridge = {(s, t): colour for way in both for s, t, colour in way}
        places = [place(space) for space in board.spaces]
        self.beside: Ways = tuple(
            tuple(n for n, (c, r) in enumerate(places) if abs(c - column) + abs(r - row) == 1)
            for column, row in places
        )
        self.joined = self._ends(*COLOURS)
        self.ways: dict[str, Ways] = {side: self._ends("red", COLOUR_NAME[side]) for side in SIDES}

    def _ends(self, *colours: BridgeColour) -> Ways:
        return tuple(
            tuple(sorted(t for (f, t), colour in self.bridge.items() if f == s and colour in colours))
            for s in range(len(self.spaces))
        )

    def names(self, spaces: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.spaces[space] for space in spaces)


ground = lru_cache(maxsize=64)(Ground)


@lru_cache(maxsize=64)
def table(board: Board, longest: int) -> dict[str, tuple[Ways, ...]]:
    """`table[colour][space][value]`: the destinations of a button of that colour and value on that
    space; empty where they take too long to work out. For 0, 1, 2 ... bridges a layer holds where a
    path may stand and which spaces (a bit each) it has visited then: nothing else tells its future."""
    found: dict[str, tuple[Ways, ...]] = {}
    work = 0
    for colour, ways in ground(board).ways.items():
        rows: list[Ways] = []
        for start in range(len(board.spaces)):
            ends, layer = list[tuple[int, ...]](), {(start, 1 << start)}
            for _ in range(longest + 1):
                work += len(layer)
                if work > MOST_WORK:
                    return {}
                ends.append(tuple(sorted({t for t, _ in layer})))
                layer = {(t, seen | 1 << t) for s, seen in layer for t in ways[s] if not seen >> t & 1}
            rows.append(tuple(ends))
        found[colour] = tuple(rows)
    return found


def walks(
    board: Board, button: str, start: int, goal: int, among: Collection[int] | None = None
) -> Iterator[tuple[int, ...]]:
    """The paths of the button, in the order of the spaces; where such are given, over spaces `among` these alone."""
    ways, value = ground(board).ways[button[0]], int(button[1:])
    dead: set[tuple[int, int]] = set()

    def walk(path: tuple[int, ...], seen: int) -> Iterator[tuple[int, ...]]:
        here, leads = path[-1], False
        if len(path) > value:
            yield from [path] if here == goal else []
            return
        for there in ways[here] if (here, seen) not in dead else ():
            if not seen >> there & 1 and (among is None or there in among):
                for whole in walk((*path, there), seen | 1 << there):
                    leads = True
                    yield whole
        if not leads:
            dead.add((here, seen))

    return walk((start,), 1 << start)
