"""The grid as three whole numbers, for the solver.

A column takes `rows + 1` bits, its lowest cell first; the spare bit keeps columns apart. A position is (x, y, h): the
cells of one colour, those of the other, and the left cells of the pieces that lie flat. Since nothing floats, h tells
how the cells pair up: what is not flat stands. A move is a `Step`: what to exclusive-or into the three numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.games.onepiece.grid import Cell, Colour, Piece, Ply

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
        self.slants = (stride, stride + 1, stride - 1)
        self.lane = (
            cols * stride + 3 * (stride + 1)
        ) // 8 + 1  # bytes; wide enough that no shift reaches another lane
        self._spread = [0]
        self._known: dict[int, int] = {}  # `completing`, which is asked for the same cells again and again
        self.through = self._lines()  # for every cell the lines of four through it
        self.lines = [_union(lines) for lines in self.through]

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

    # --- many positions at once --------------------------------------------------------------------------------------

    def packed(self, values: Sequence[int]) -> int:
        """One number a lane, the first lowest."""
        return int.from_bytes(b"".join([value.to_bytes(self.lane, "little") for value in values]), "little")

    def spread(self, lanes: int) -> int:
        """A one at the foot of every lane: times this a number stands in all of them."""
        while len(self._spread) <= lanes:
            self._spread.append(self._spread[-1] << (8 * self.lane) | 1)
        return self._spread[lanes]

    def quiet(self, x: int, y: int, box: int, lanes: int) -> list[bool]:
        """By lane, whether it is plain that x can't win at once: no placement puts an x where it completes four without
        putting a y where that completes four too. To lift a piece takes cells away: it can't make a run, and breaks
        none of cells that lie two below the top. Every lane is a position of its own."""
        ones = self.spread(lanes)
        made, occupied, stride = self.completing_in(x, lanes), x | y, self.stride
        if not box:
            top = occupied & ~(occupied >> 1)
            y &= ~(top | top >> 1)
        kept = ~self.completing_in(y, lanes)
        base = occupied + self.bottom * ones & self.board * ones
        hits = base & self.below * ones & (made & kept >> 1 | made >> 1 & kept)
        hits |= base & base >> stride & (made & kept >> stride | made >> stride & kept)
        return self.bare(hits, lanes)

    def completing_in(self, x: int, lanes: int) -> int:
        """`completing` in every lane."""
        return self._completing(x) & self.board * self.spread(lanes)

    def bare(self, cells: int, lanes: int) -> list[bool]:
        """By lane, whether it holds nothing."""
        lane, nothing = self.lane, bytes(self.lane)
        text = cells.to_bytes(lane * lanes, "little")
        return [text[at : at + lane] == nothing for at in range(0, lane * lanes, lane)]

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
                    target, beside = threat.cols | _union(free), threat.beside
            for px, py, ph, cols in placed:
                if not cols & columns and (not target or cols & target or py & beside):
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
        stride = self.stride
        if not (standing & (made | made >> 1) or flat & (made | made >> stride)):
            return None  # lifting a piece takes cells away and never adds one
        spoilt = self.completing(y)
        lifts = None if box else self._lifts(x, y, h)
        for cells, shift, first in (
            (standing & made, 1, True),
            (standing & made >> 1, 1, False),
            (flat & made, stride, True),
            (flat & made >> stride, stride, False),
        ):
            while cells:
                bit = cells & -cells
                cells ^= bit
                px, py = (bit, bit << shift) if first else (bit << shift, bit)
                ph = 0 if shift == 1 else bit
                index = bit.bit_length() - 1
                cols = self.column_at[index] | self.column_at[index + shift]
                if lifts is None:
                    if not py & spoilt:
                        return Step(px, py, ph, px, py, 0, 0, cols)
                elif (won := self._lifting(x, y, px, py, ph, cols, bool(py & spoilt), lifts)) is not None:
                    return won
        return None

    def threats(self, x: int, y: int, h: int, box: int) -> list[Threat]:
        """The placements that win for x at once, by what would undo them."""
        standing, flat = self.landings(x | y)
        made = self.completing(x)
        stride, column_at = self.stride, self.column_at
        if not (standing & (made | made >> 1) or flat & (made | made >> stride)):
            return []
        spoilt = self.completing(y)
        lifts = None if box else self._lifts(x, y, h)
        found = []
        for cells, shift, first in (
            (standing & made, 1, True),
            (standing & made >> 1, 1, False),
            (flat & made, stride, True),
            (flat & made >> stride, stride, False),
        ):
            while cells:
                bit = cells & -cells
                cells ^= bit
                px, py = (bit, bit << shift) if first else (bit << shift, bit)
                index = bit.bit_length() - 1
                cols = column_at[index] | column_at[index + shift]
                if py & spoilt:
                    continue  # only where a lift breaks the run of y; it is not counted on
                if lifts is None:
                    found.append(Threat(cols, 0, self._beside(py, y), ()))
                elif free := [c for lx, _, _, c in lifts if not c & cols and not lx & self._run(px, x)]:
                    found.append(Threat(cols, self._run(px, x), self._beside(py, y), tuple(free)))
        return found

    def _run(self, px: int, x: int) -> int:
        """The cells of the runs of four that x makes on the cell."""
        return _union(line for line in self.through[px.bit_length() - 1] if (line & ~px) & ~x == 0)

    def _beside(self, py: int, y: int) -> int:
        """The cells where one more y could make a run of four through the cell."""
        lines = (line & ~py for line in self.through[py.bit_length() - 1])
        return _union(line & ~y for line in lines if (line & y).bit_count() >= 2)

    def _lifts(self, x: int, y: int, h: int) -> list[tuple[int, int, int, int]]:
        """The pieces that can be lifted: x cell, y cell, left cell where flat, columns."""
        column_at = self.column_at
        found = []
        for cells, lh in self.liftable(x | y, h):
            low = cells & -cells
            columns = column_at[low.bit_length() - 1] | column_at[cells.bit_length() - 1]
            found.append((cells & x, cells & y, lh, columns))
        return found

    def _lifting(
        self,
        x: int,
        y: int,
        px: int,
        py: int,
        ph: int,
        cols: int,
        spoilt: bool,
        lifts: list[tuple[int, int, int, int]],
    ) -> Step | None:
        """The placement, which makes four x as things lie, with a piece lifted so that x keeps it and y has none."""
        run, beside = self.lines[px.bit_length() - 1], self.lines[py.bit_length() - 1]
        for lx, ly, lh, columns in lifts:
            if columns & cols or (lx & run and not self.completing(x ^ lx) & px):
                continue
            if spoilt and not (ly & beside and not self.completing(y ^ ly) & py):
                continue
            return Step(lx | px, ly | py, lh | ph, px, py, lx, ly, columns | cols)
        return None

    def result(self, x: int, y: int, step: Step) -> int:
        """1: x alone has four through the piece just put down; -1: y alone; 0: neither or both (3.4). x and y are those
        before the move."""
        return self.outcome(x, y, self.completing(x), self.completing(y), step)

    def outcome(self, x: int, y: int, made: int, spoilt: int, step: Step) -> int:
        """The same, where the completing cells of x and of y are known: lifting a piece can only take some away."""
        own = bool(step.px & made) and (not step.lx or bool(self.completing(x ^ step.lx) & step.px))
        their = bool(step.py & spoilt) and (not step.ly or bool(self.completing(y ^ step.ly) & step.py))
        return own - their


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


@lru_cache(maxsize=16)
def ground(cols: int, rows: int) -> Ground:
    return Ground(cols, rows)
