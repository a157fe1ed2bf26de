"""The grid as three whole numbers, for the solver.

A column takes `rows + 1` bits, its lowest cell first; the spare bit keeps columns apart. A position is (x, y, h): the
cells of one colour, those of the other, and the left cells of the pieces that lie flat. Since nothing floats, h tells
how the cells pair up: what is not flat stands. A move is a `Step`: what to exclusive-or into the three numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referee.games.onepiece.board.grid import Cell, Colour, Piece, Ply

KNOWN = 100_000


class Step(NamedTuple):
    """A move. `dx`, `dy`, `dh` change the position; `px`, `py` are the cells put down, `lx`, `ly` those lifted;
    `cols` has every bit of the columns that change."""

    dx: int
    dy: int
    dh: int
    px: int
    py: int
    lx: int
    ly: int
    cols: int


class Threat(NamedTuple):
    """A placement that wins now. It is safe from a move of the other colour that changes none of `cols`, lifts nothing
    of `run`, puts nothing on `beside`, and leaves one of `lifts` (columns of the pieces that x may lift for it)."""

    cols: int
    run: int
    beside: int
    lifts: tuple[int, ...]

    def disturbed(self, step: Step) -> bool:
        """Whether the move of y may undo the threat."""
        if step.cols & self.cols or step.lx & self.run or step.py & self.beside:
            return True
        return bool(self.lifts) and all(step.cols & columns for columns in self.lifts)


class Ground:
    """The masks of a grid, and what moves and runs are on it."""

    def __init__(self, cols: int, rows: int) -> None:
        self.cols, self.rows = cols, rows
        self.stride = stride = rows + 1
        self.bottom = sum(1 << (col * stride) for col in range(cols))
        self.board = sum(((1 << rows) - 1) << (col * stride) for col in range(cols))
        self.below = self.board & (self.board >> 1)  # cells with a cell of the grid above them
        self.columns = [((1 << stride) - 1) << (col * stride) for col in range(cols)]
        self.column_at = [self.columns[bit // stride] for bit in range(cols * stride)]
        self.column_at += [0] * stride
        self.slants = (stride, stride + 1, stride - 1)
        self._known: dict[int, int] = {}  # `completing`, which is asked for the same cells again and again
        self.through = self._lines()  # for every cell the lines of four through it
        self.rests = [[line & ~(1 << cell) for line in lines] for cell, lines in enumerate(self.through)]

    def _lines(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in range(self.cols * self.stride)]
        for step in (1, *self.slants):
            for start in range(self.cols * self.stride):
                cells = [start + k * step for k in range(4)]
                mask = sum(1 << cell for cell in cells)
                if mask & self.board == mask:
                    for cell in cells:
                        found[cell].append(mask)
        return found

    # --- between the grid and numbers --------------------------------------------------------------------------

    def bit(self, cell: Cell) -> int:
        return 1 << (cell[0] * self.stride + cell[1])

    def cell(self, bit: int) -> Cell:
        return divmod(bit.bit_length() - 1, self.stride)

    def position(self, pieces: Iterable[Piece], colour: Colour) -> tuple[int, int, int]:
        """(x, y, h) with x the cells of the colour."""
        red = blue = flat = 0
        for piece in pieces:
            red |= self.bit(piece.red)
            blue |= self.bit(piece.blue)
            if piece.red[1] == piece.blue[1]:
                flat |= self.bit(min(piece.cells))
        return (red, blue, flat) if colour == "red" else (blue, red, flat)

    def ply(self, step: Step, colour: Colour) -> Ply:
        """The move in the grid's words; x is that colour."""
        placed = self._piece(step.px, step.py, colour)
        return Ply(placed, self._piece(step.lx, step.ly, colour) if step.lx else None)

    def _piece(self, x: int, y: int, colour: Colour) -> Piece:
        red, blue = (x, y) if colour == "red" else (y, x)
        return Piece(self.cell(red), self.cell(blue))

    # --- runs ----------------------------------------------------------------------------------------------------

    def completing(self, x: int) -> int:
        """The cells, taken or free, where one more x makes a run of four."""
        if (known := self._known.get(x)) is None:
            if len(self._known) >= KNOWN:
                self._known.clear()
            known = self._known[x] = self._completing(x) & self.board
        return known

    def _completing(self, x: int) -> int:
        """The same with odd bits between columns and lanes."""
        found = (x << 1) & (x << 2) & (x << 3)
        up, down = x << 1, x >> 1
        found |= up & (x << 2) & down | up & down & (x >> 2) | down & (x >> 2) & (x >> 3)
        for s in self.slants:
            left, right = x << s, x >> s
            left2, right2 = x << 2 * s, x >> 2 * s
            both = left & right
            found |= both & (left2 | right2) | left & left2 & (x << 3 * s) | right & right2 & (x >> 3 * s)
        return found

    def promising(self, x: int, free: int) -> int:
        """The cells of the lines that hold two x or more and else only cells of `free`: one more x there may leave a
        line one short."""
        free |= x
        found = 0
        for s in (1, *self.slants):
            x1, x2, x3 = x >> s, x >> 2 * s, x >> 3 * s
            two = (
                (x & x1 | x2 & x3 | (x | x1) & (x2 | x3))
                & free
                & (free >> s)
                & (free >> 2 * s)
                & (free >> 3 * s)
            )
            if two:
                found |= two | two << s | two << 2 * s | two << 3 * s
        return found

    # --- moves ---------------------------------------------------------------------------------------------------

    def landings(self, occupied: int) -> tuple[int, int]:
        """Where a piece can come to rest: lower cells of standing ones, left cells of flat ones."""
        base = (occupied + self.bottom) & self.board
        return base & self.below, base & (base >> self.stride)

    def liftable(self, occupied: int, h: int) -> Iterator[tuple[int, int]]:
        """The pieces with nothing above them: their two cells, and the left one where they lie flat."""
        stride = self.stride
        top = occupied & ~(occupied >> 1)
        flat = top & (top >> stride) & h
        while flat:
            bit = flat & -flat
            flat ^= bit
            yield bit | bit << stride, bit
        standing = top & ~(h | h << stride)
        while standing:
            bit = standing & -standing
            standing ^= bit
            yield bit | bit >> 1, 0

    def steps(self, x: int, y: int, h: int, box: int, threat: Threat | None = None) -> list[Step]:
        """Every legal move; with a threat of x those that may undo it. With pieces in the box they come from there
        (3.3)."""
        occupied = x | y
        placed = self._placed(occupied)
        if box:
            every = [Step(px, py, ph, px, py, 0, 0, cols) for px, py, ph, cols in placed]
            return every if threat is None else [step for step in every if threat.disturbed(step)]
        found: list[Step] = []
        column_at = self.column_at
        for cells, lh in self.liftable(occupied, h):
            low = cells & -cells
            columns = column_at[low.bit_length() - 1] | column_at[cells.bit_length() - 1]
            lx, ly = cells & x, cells & y
            target, beside = 0, 0  # what a placement must touch to undo the threat, unless the lift does
            if threat is not None and not (columns & threat.cols or lx & threat.run):
                free = [c for c in threat.lifts if not c & columns]
                if free or not threat.lifts:
                    target, beside = threat.cols | union(free), threat.beside
            for px, py, ph, cols in placed:
                if not cols & columns and (not target or cols & target or py & beside):
                    found.append(Step(lx | px, ly | py, lh | ph, px, py, lx, ly, cols | columns))
        return found

    def legal(self, x: int, y: int, h: int, box: int, step: Step) -> bool:
        """Whether a move found in another position is legal in this one."""
        return bool(self.legal_ones(x, y, h, box, (step,)))

    def legal_ones(self, x: int, y: int, h: int, box: int, steps: Iterable[Step]) -> list[Step]:
        """Those of the moves, found in other positions, that are legal in this one."""
        occupied, lying = x | y, h | h << self.stride
        standing, flat = self.landings(occupied)
        below = occupied >> 1  # what has a cell above it
        found = []
        for step in steps:
            _, _, dh, px, py, lx, ly, _ = step
            placed = px | py
            low = placed & -placed
            if not low & (standing if placed == low | low << 1 else flat) or (lx == 0) != (box > 0):
                continue
            if lx:
                # what ends a column and does not lie stands on the cell below it
                cells, left = lx | ly, dh & ~placed
                if x & lx == 0 or y & ly == 0 or below & cells & ~(cells >> 1):
                    continue
                if not left & h if left else cells & lying:
                    continue
            found.append(step)
        return found

    def _placed(self, occupied: int) -> list[tuple[int, int, int, int]]:
        standing, flat = self.landings(occupied)
        column_at, stride = self.column_at, self.stride
        found = []
        while standing:
            bit = standing & -standing
            standing ^= bit
            above, cols = bit << 1, column_at[bit.bit_length() - 1]
            found.append((bit, above, 0, cols))
            found.append((above, bit, 0, cols))
        while flat:
            bit = flat & -flat
            flat ^= bit
            beside, index = bit << stride, bit.bit_length() - 1
            cols = column_at[index] | column_at[index + stride]
            found.append((bit, beside, bit, cols))
            found.append((beside, bit, bit, cols))
        return found


def union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found
