"""The rules once more, row by row, for the checker of proofs alone: nothing here is shared with the solver.

Cells are bits, a row takes `cols + 3` of them: the three at its end stay empty, so that no run goes around an edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_MOVE = re.compile(r"(?:R([a-z])(\d+)B([a-z])(\d+)>)?R([a-z])(\d+)B([a-z])(\d+)")
KNOWN = 200_000  # sets of cells whose completing cells are remembered


class Move(NamedTuple):
    """The halves lifted (0 where the piece comes from the box) and put down, of the claimer and of the other."""

    own_up: int
    other_up: int
    own: int
    other: int


class Place(NamedTuple):
    """A position: the cells of either colour; the left cells of lying pieces and the lower ones of standing pieces."""

    own: int
    other: int
    lying: int
    standing: int
    box: int


class Rules:
    """Moves and their results on a grid, for a claimer of one colour."""

    def __init__(self, cols: int, rows: int, claimer_red: bool) -> None:
        if not (1 <= cols <= 26 and 1 <= rows <= 99):
            raise ValueError("no such grid")
        self.cols, self.rows, self.claimer_red = cols, rows, claimer_red
        self.width = width = cols + 3
        self.foot = (1 << cols) - 1
        self.grid = sum(self.foot << row * width for row in range(rows))
        column = sum(1 << row * width for row in range(rows))
        self._column = [column << k % width if k % width < cols else 0 for k in range(rows * width + width)]
        self.fours = lru_cache(maxsize=KNOWN)(self._fours)

    # --- words -------------------------------------------------------------------------------------------------------

    def move(self, text: str) -> Move:
        """The move of a record's notation. Raises ValueError."""
        found = _MOVE.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is no move")
        red_up, blue_up, red, blue = (
            self._bit(found[i], int(found[i + 1])) if found[i] else 0 for i in (1, 3, 5, 7)
        )
        if self.claimer_red:
            return Move(red_up, blue_up, red, blue)
        return Move(blue_up, red_up, blue, red)

    def _bit(self, letter: str, number: int) -> int:
        col, row = ord(letter) - ord("a"), number - 1
        if not (0 <= col < self.cols and 0 <= row < self.rows):
            raise ValueError("a cell outside the grid")
        return 1 << (row * self.width + col)

    def text(self, move: Move) -> str:
        own, other = ("R", "B") if self.claimer_red else ("B", "R")
        lifted = f"{own}{self._name(move.own_up)}{other}{self._name(move.other_up)}>" if move.own_up else ""
        return f"{lifted}{own}{self._name(move.own)}{other}{self._name(move.other)}"

    def _name(self, bit: int) -> str:
        row, col = divmod(bit.bit_length() - 1, self.width)
        return f"{chr(ord('a') + col)}{row + 1}"

    def start(self, pieces: list[Move], box: int) -> Place:
        """The grid with those pieces on it. Raises ValueError where they are not neighbours or share a cell."""
        place = Place(0, 0, 0, 0, box)
        for piece in pieces:
            if (
                piece.own_up
                or self._shape(piece) is None
                or (piece.own | piece.other) & (place[0] | place[1])
            ):
                raise ValueError("no such grid")
            place = self.after(place, piece)._replace(box=box)
        return place

    # --- moves (3.3) -------------------------------------------------------------------------------------------------

    def _shape(self, move: Move) -> bool | None:
        """True for a piece put down lying, False for a standing one, None where its halves are no neighbours."""
        low = min(move.own, move.other)
        both = move.own | move.other
        return True if both == low | low << 1 else False if both == low | low << self.width else None

    def pairs(self, occupied: int) -> list[tuple[int, int, int]]:
        """Where a piece comes to rest: its lower or left cell, the other one, and all cells of their columns. Nothing
        floats, so it begins on the lowest free cell of a column, and a lying one on those of two."""
        free = (occupied << self.width | self.foot) & ~occupied & self.grid
        found = []
        cells = free & self.grid >> self.width
        while cells:
            cell = cells & -cells
            cells ^= cell
            found.append((cell, cell << self.width, self._column[cell.bit_length() - 1]))
        cells = free & free >> 1
        while cells:
            cell = cells & -cells
            cells ^= cell
            at = cell.bit_length()
            found.append((cell, cell << 1, self._column[at - 1] | self._column[at]))
        return found

    def liftable(self, place: Place) -> Iterator[tuple[int, int]]:
        """The pieces with nothing above them: their cells, and all cells of their columns."""
        occupied = place.own | place.other
        top = occupied & ~(occupied >> self.width)
        for cells, step in (
            (place.lying & top & top >> 1, 1),
            (place.standing & top >> self.width, self.width),
        ):
            while cells:
                cell = cells & -cells
                cells ^= cell
                at = cell.bit_length() - 1
                yield cell | cell << step, self._column[at] | self._column[at + step]

    def legal(self, place: Place) -> Iterator[Move]:
        """Every move: from the box; else a piece that is lifted comes down in no column it came from."""
        pairs = self.pairs(place.own | place.other)
        for cells, columns in ((0, 0),) if place.box else self.liftable(place):
            own, other = cells & place.own, cells & place.other
            for one, two, over in pairs:
                if not over & columns:
                    yield Move(own, other, one, two)
                    yield Move(own, other, two, one)

    def is_legal(self, place: Place, move: Move) -> bool:
        occupied, put = place.own | place.other, move.own | move.other
        if (move.own_up == 0) != (place.box > 0):
            return False
        if move.own_up:
            if move.own_up & ~place.own or move.other_up & ~place.other:
                return False
            lifted = move.own_up | move.other_up
            columns = next((over for cells, over in self.liftable(place) if cells == lifted), None)
            if columns is None or put & columns:
                return False
        free = (occupied << self.width | self.foot) & ~occupied & self.grid
        low = put & -put
        lying = self._shape(move)
        return bool(low & free & (free >> 1 if lying else self.grid >> self.width)) and lying is not None

    def after(self, place: Place, move: Move) -> Place:
        """The position after a legal move."""
        low = min(move.own, move.other)
        lying, standing, box = place.lying, place.standing, place.box
        if move.own_up:
            lifted = min(move.own_up, move.other_up)
            lying, standing = lying & ~lifted, standing & ~lifted
        else:
            box -= 1
        if (move.own | move.other) == low | low << 1:
            lying |= low
        else:
            standing |= low
        return Place(
            place.own ^ move.own_up | move.own, place.other ^ move.other_up | move.other, lying, standing, box
        )

    # --- results (3.4) -----------------------------------------------------------------------------------------------

    def result(self, place: Place, move: Move) -> int:
        """Of a legal move: 1 where the claimer alone has four through the piece put down, -1 where the other alone, 0
        where neither or both."""
        return self._four(place.own, move.own_up, move.own) - self._four(
            place.other, move.other_up, move.other
        )

    def _four(self, cells: int, up: int, put: int) -> bool:
        """Whether a half put down has four. To lift the other half's piece first can only take a four away."""
        if not self.fours(cells) & put:
            return False
        return not up or bool(self.fours(cells ^ up) & put)

    def _fours(self, cells: int) -> int:
        """Every cell where one more of the colour makes four in a row."""
        found = 0
        for step in (1, self.width - 1, self.width, self.width + 1):
            up, down = cells << step, cells >> step
            up2, down2 = cells << 2 * step, cells >> 2 * step
            found |= up & up2 & (cells << 3 * step | down) | down & down2 & (cells >> 3 * step | up)
        return found

    def can_win(self, place: Place) -> bool:
        """Whether the claimer has a winning move. To lift a piece takes cells away, so that without a cell that makes
        four on the grid as it stands there is none."""
        occupied = place.own | place.other
        free = (occupied << self.width | self.foot) & ~occupied & self.grid
        flat, fours = free & free >> 1, self.fours(place.own)
        if not fours & (free | (free << self.width & self.grid) | flat << 1):
            return False
        for one, two, over in self.pairs(occupied):
            for own, other in ((one, two), (two, one)):
                if not own & fours:
                    continue
                for cells, columns in ((0, 0),) if place.box else self.liftable(place):
                    if (
                        not columns & over
                        and self._four(place.own, cells & place.own, own)
                        and not self._four(place.other, cells & place.other, other)
                    ):
                        return True
        return False
