"""The grid as three whole numbers, for the solver.

A column takes `rows + 1` bits, its lowest cell first; the spare bit keeps columns apart. A position is (x, y, h): the
cells of one colour, those of the other, and the left cells of the pieces that lie flat. Since nothing floats, h tells
how the cells pair up: what is not flat stands. A move is a `Step`: what to exclusive-or into the three numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from referee.games.onepiece.grid import Cell, Colour, Piece, Ply


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
        self.slants = (stride, stride + 1, stride - 1)
        self.lines = self._lines()

    def _lines(self) -> list[int]:
        """For every cell the union of the lines of four through it."""
        found = [0] * (self.cols * self.stride)
        for step in (1, *self.slants):
            for start in range(self.cols * self.stride):
                cells = [start + k * step for k in range(4)]
                mask = sum(1 << cell for cell in cells)
                if mask & self.board == mask:
                    for cell in cells:
                        found[cell] |= mask
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
        found = (x << 1) & (x << 2) & (x << 3)
        up, down = x << 1, x >> 1
        found |= up & (x << 2) & down | up & down & (x >> 2) | down & (x >> 2) & (x >> 3)
        for s in self.slants:
            left, right = x << s, x >> s
            left2, right2 = x << 2 * s, x >> 2 * s
            both = left & right
            found |= both & (left2 | right2) | left & left2 & (x << 3 * s) | right & right2 & (x >> 3 * s)
        return found & self.board

    def promising(self, x: int, shut: int) -> int:
        """The cells of the lines that hold two x or more and nothing of `shut`: one more x there may leave a line one
        short."""
        free = self.board & ~shut
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

    def liftable(self, occupied: int, h: int) -> list[tuple[int, int]]:
        """The pieces with nothing above them: their two cells, and the left one where they lie flat."""
        stride = self.stride
        top = occupied & ~(occupied >> 1)
        found = []
        flat = top & (top >> stride) & h
        while flat:
            bit = flat & -flat
            flat ^= bit
            found.append((bit | bit << stride, bit))
        standing = top & ~(h | h << stride)
        while standing:
            bit = standing & -standing
            standing ^= bit
            found.append((bit | bit >> 1, 0))
        return found

    def steps(self, x: int, y: int, h: int, box: int) -> list[Step]:
        """Every legal move. With pieces in the box they come from there (3.3)."""
        occupied = x | y
        placed = self._placed(occupied)
        if box:
            return [Step(px, py, ph, px, py, 0, 0, cols) for px, py, ph, cols in placed]
        found: list[Step] = []
        column_at = self.column_at
        for cells, lh in self.liftable(occupied, h):
            low = cells & -cells
            columns = column_at[low.bit_length() - 1] | column_at[cells.bit_length() - 1]
            lx, ly = cells & x, cells & y
            for px, py, ph, cols in placed:
                if not cols & columns:
                    found.append(Step(lx | px, ly | py, lh | ph, px, py, lx, ly, cols | columns))
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

    # --- wins ----------------------------------------------------------------------------------------------------

    def winning(self, x: int, y: int, h: int, box: int) -> Step | None:
        """A move after which x has four and y has not; None where there is none."""
        occupied = x | y
        standing, flat = self.landings(occupied)
        made = self.completing(x)
        if not (standing & (made | made >> 1) or flat & (made | made >> self.stride)):
            return None  # lifting a piece takes cells away and never adds one
        if box:
            return self._won(x, y, standing, flat, made, 0, 0, 0, 0)
        column_at = self.column_at
        for cells, lh in self.liftable(occupied, h):
            low = cells & -cells
            columns = column_at[low.bit_length() - 1] | column_at[cells.bit_length() - 1]
            lx, ly = cells & x, cells & y
            made = self.completing(x ^ lx)
            open_flat = flat & ~columns & ~(columns >> self.stride)
            if (
                won := self._won(x ^ lx, y ^ ly, standing & ~columns, open_flat, made, lx, ly, lh, columns)
            ) is not None:
                return won
        return None

    def _won(
        self, x: int, y: int, standing: int, flat: int, made: int, lx: int, ly: int, lh: int, columns: int
    ) -> Step | None:
        """The first winning placement: x in a completing cell, y in none."""
        stride = self.stride
        low, high = standing & made, standing & (made >> 1)
        left, right = flat & made, flat & (made >> stride)
        if not (low or high or left or right):
            return None
        spoilt = self.completing(y)
        for cells, shift, x_first, lies in (
            (low & ~(spoilt >> 1), 1, True, False),
            (high & ~spoilt, 1, False, False),
            (left & ~(spoilt >> stride), stride, True, True),
            (right & ~spoilt, stride, False, True),
        ):
            if cells:
                bit = cells & -cells
                px, py = (bit, bit << shift) if x_first else (bit << shift, bit)
                ph = bit if lies else 0
                index = bit.bit_length() - 1
                cols = columns | self.column_at[index] | self.column_at[index + shift]
                return Step(lx | px, ly | py, lh | ph, px, py, lx, ly, cols)
        return None

    def result(self, x: int, y: int, step: Step) -> int:
        """1: x alone has four through the piece just put down; -1: y alone; 0: neither or both (3.4). x and y are those
        before the move."""
        own = bool(self.completing(x ^ step.lx) & step.px)
        their = bool(self.completing(y ^ step.ly) & step.py)
        return own - their


@lru_cache(maxsize=16)
def ground(cols: int, rows: int) -> Ground:
    return Ground(cols, rows)
