"""The grid as three whole numbers, for the solver.

A column takes `rows + 1` bits, its lowest cell first; the spare bit keeps columns apart. A position is (x, y, h): the
cells of one colour, those of the other, and the left cells of the pieces that lie flat. Since nothing floats, h tells
how the cells pair up: what is not flat stands. A move is a `Step`: what to exclusive-or into the three numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from referee.games.onepiece.board import Cell, Colour, Piece, Ply

KNOWN = 100_000  # sets of cells whose completing cells are remembered
MADE = 50_000  # moves that are kept for another search

Lift = tuple[int, int, int, int]  # x cell, y cell, left cell where flat, columns
Placed = tuple[int, int, int, int, int]  # columns, number, x cell, y cell, left cell where flat
BOX: Lift = (0, 0, 0, 0)  # a piece comes out of the box


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A move, of which a ground has one alone: two are the same where they are the same object. `dx`, `dy`, `dh` change
    the position; `px`, `py` are the cells put down, `lx`, `ly` those lifted; `cols` has every bit of the columns that
    change."""

    dx: int
    dy: int
    dh: int
    px: int
    py: int
    lx: int
    ly: int
    cols: int
    number: int  # of the placement
    around: int  # cells that the move looks at: below what is put down, and above what is lifted
    filled: int  # and those of them that must be taken
    standing: int  # the cells lifted, where they stand
    lying: int  # the left one of them, where they lie


class Threat(NamedTuple):
    """A placement that wins now. It is safe from a move of the other colour that changes none of `cols`, lifts nothing
    of `run`, puts nothing on `beside`, and leaves one of `lifts` (columns of the pieces that x may lift for it)."""

    cols: int
    run: int
    beside: int
    lifts: tuple[int, ...]


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
        self.slants = tuple((s, 2 * s, 3 * s) for s in (stride, stride + 1, stride - 1))
        # bytes a position takes beside others, wide enough that no shift reaches the next one
        self.lane = (cols * stride + 3 * (stride + 1)) // 8 + 1
        self._steps: dict[Lift, dict[int, Step]] = {}  # by what is lifted and the number of the placement
        self._made = 0
        self.completing = lru_cache(maxsize=KNOWN)(lambda x: self._completing(x) & self.board)
        self.rests = self._rests()

    def _rests(self) -> list[list[int]]:
        """For every cell the other cells of the lines of four through it."""
        found: list[list[int]] = [[] for _ in range(self.cols * self.stride)]
        for step in (1, *(s for s, _, _ in self.slants)):
            for start in range(self.cols * self.stride):
                cells = [start + k * step for k in range(4)]
                mask = sum(1 << cell for cell in cells)
                if mask & self.board == mask:
                    for cell in cells:
                        found[cell].append(mask & ~(1 << cell))
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

    def _completing(self, x: int) -> int:
        """The cells where one more x, put on top of its column, makes a run of four; with odd bits between columns and
        lanes, which `completing` leaves out."""
        found = x << 1 & x << 2 & x << 3
        for s, s2, s3 in self.slants:
            two = x & x >> s
            if run := two & x >> s2:
                found |= run << s3 | run >> s
            if run := two & x >> s3:
                found |= run << s2
            if run := x & two >> s2:
                found |= run << s
        return found

    def promising(self, x: int, free: int) -> int:
        """The cells of the lines that hold two x or more and else only cells of `free`: one more x there may leave a
        line one short."""
        free |= x
        found = 0
        for s, s2, s3 in ((1, 2, 3), *self.slants):
            x1, x2, x3 = x >> s, x >> s2, x >> s3
            two = (x & x1 | x2 & x3 | (x | x1) & (x2 | x3)) & free & free >> s & free >> s2 & free >> s3
            if two:
                found |= two | two << s | two << s2 | two << s3
        return found

    # --- moves ---------------------------------------------------------------------------------------------------

    def landings(self, occupied: int) -> tuple[int, int]:
        """Where a piece can come to rest: lower cells of standing ones, left cells of flat ones."""
        base = (occupied + self.bottom) & self.board
        return base & self.below, base & (base >> self.stride)

    def lifts(self, x: int, y: int, h: int) -> list[Lift]:
        """The pieces with nothing above them."""
        occupied, stride, column_at = x | y, self.stride, self.column_at
        top = occupied & ~(occupied >> 1)
        flat, standing = top & (top >> stride) & h, top & ~(h | h << stride)
        found: list[Lift] = []
        while flat:
            bit = flat & -flat
            flat ^= bit
            index, cells = bit.bit_length() - 1, bit | bit << stride
            found.append((cells & x, cells & y, bit, column_at[index] | column_at[index + stride]))
        while standing:
            bit = standing & -standing
            standing ^= bit
            cells = bit | bit >> 1
            found.append((cells & x, cells & y, 0, column_at[bit.bit_length() - 1]))
        return found

    def steps(self, x: int, y: int, h: int, box: int) -> list[Step]:
        """Every legal move. With pieces in the box they come from there (3.3)."""
        placed = self.placed(x | y)
        found: list[Step] = []
        for lift in (BOX,) if box else self.lifts(x, y, h):
            columns, known = lift[3], self.lifting(lift)
            found += [known.get(p[1]) or self.step(lift, p) for p in placed if not p[0] & columns]
        return found

    def lifting(self, lift: Lift) -> dict[int, Step]:
        """The moves known with that piece lifted, by the number of their placement."""
        return self._steps.get(lift) or self._steps.setdefault(lift, {})

    def forget(self, most: int = MADE) -> None:
        """Let go of the moves where they are too many, for a new search: within one they stay the same."""
        if self._made > most:
            self._steps.clear()
            self._made = 0

    def step(self, lift: Lift, placed: Placed) -> Step:
        """The move, made once."""
        cols, number, px, py, ph = placed
        if (known := self.lifting(lift).get(number)) is not None:
            return known
        self._made += 1
        lx, ly, lh, columns = lift
        put, up, stride = px | py, lx | ly, self.stride
        low = put & -put
        feet = low | low << stride if ph else low  # cells that are free above others
        tops = up if lh else up & ~(up >> 1)
        below = feet >> 1 & self.board
        made = Step(
            dx=lx | px,
            dy=ly | py,
            dh=lh | ph,
            px=px,
            py=py,
            lx=lx,
            ly=ly,
            cols=cols | columns,
            number=number,
            around=feet | below | tops << 1 & self.board,
            filled=below,
            standing=0 if lh else up,
            lying=lh,
        )
        return self.lifting(lift).setdefault(number, made)

    def flipped(self, step: Step) -> Step:
        """The same move seen from the other colour."""
        put = step.px | step.py
        cols = self.column_at[step.px.bit_length() - 1] | self.column_at[step.py.bit_length() - 1]
        lift = (step.ly, step.lx, step.lying, step.cols ^ cols)
        number = step.number ^ 1
        return self.lifting(lift).get(number) or self.step(
            lift, (cols, number, step.py, step.px, step.dh & put)
        )

    def legal(self, x: int, y: int, h: int, box: int, step: Step) -> bool:
        """Whether a move found in another position is legal in this one."""
        return bool(self.legal_ones(x, y, h, box, (step,)))

    def legal_ones(self, x: int, y: int, h: int, box: int, steps: Iterable[Step]) -> list[Step]:
        """Those of the moves, found in other positions, that are legal in this one."""
        occupied = x | y
        found = [s for s in steps if occupied & s.around == s.filled]
        if box:
            return [s for s in found if not s.lx]
        lying = h | h << self.stride
        return [
            s for s in found if x & s.lx and y & s.ly and (h & s.lying if s.lying else not lying & s.standing)
        ]

    def placed(self, occupied: int) -> list[Placed]:
        """Where a piece can come to rest, each way round. Its number tells the lower or left cell, whether it lies, and
        which of its halves that is."""
        standing, flat = self.landings(occupied)
        column_at, stride = self.column_at, self.stride
        found: list[Placed] = []
        while standing:
            bit = standing & -standing
            standing ^= bit
            index, above = bit.bit_length() - 1, bit << 1
            cols = column_at[index]
            found.append((cols, 4 * index, bit, above, 0))
            found.append((cols, 4 * index + 1, above, bit, 0))
        while flat:
            bit = flat & -flat
            flat ^= bit
            index, beside = bit.bit_length() - 1, bit << stride
            cols = column_at[index] | column_at[index + stride]
            found.append((cols, 4 * index + 2, bit, beside, bit))
            found.append((cols, 4 * index + 3, beside, bit, bit))
        return found
