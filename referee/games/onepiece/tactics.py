"""Wins and threats on the board of bits, of one position or of many at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.games.onepiece.bits import Ground, Step, Threat, union


class Tactics(Ground):
    """The ground, and who can win on it with the next move."""

    def __init__(self, cols: int, rows: int) -> None:
        super().__init__(cols, rows)
        self.lane = (
            cols * self.stride + 3 * (self.stride + 1)
        ) // 8 + 1  # bytes: no shift reaches another lane
        self._spread = [0]

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
        return union(line for line in self.through[px.bit_length() - 1] if (line & ~px) & ~x == 0)

    def _beside(self, py: int, y: int) -> int:
        """The cells where one more y could make a run of four through the cell."""
        lines = (line & ~py for line in self.through[py.bit_length() - 1])
        return union(line & ~y for line in lines if (line & y).bit_count() >= 2)

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


@lru_cache(maxsize=16)
def ground(cols: int, rows: int) -> Tactics:
    return Tactics(cols, rows)
