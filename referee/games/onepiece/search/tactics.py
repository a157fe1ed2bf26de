"""Wins and threats on the board of bits, of one position or of many at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from referee.games.onepiece.search.bits import Ground, Step, Threat, union

Lift = tuple[int, int, int, int]  # x cell, y cell, left cell where flat, columns


class Tactics(Ground):
    """The ground, and who can win on it with the next move."""

    def __init__(self, cols: int, rows: int) -> None:
        super().__init__(cols, rows)
        # bytes a position takes beside others, wide enough that no shift reaches the next one
        self.lane = (cols * self.stride + 3 * (self.stride + 1)) // 8 + 1
        self._spread = [0]

    # --- wins ----------------------------------------------------------------------------------------------------

    def winning(self, x: int, y: int, h: int, box: int) -> Step | None:
        """A move after which x has four and y has not; None where there is none."""
        if not (places := self._completions(x, y)):
            return None
        spoilt = self.completing(y)
        for px, py, ph, cols in places:
            if box:
                if not py & spoilt:
                    return Step(px, py, ph, px, py, 0, 0, cols)
                continue
            won = self._lifting(x, y, (px, py, ph, cols), bool(py & spoilt), self._lifts(x, y, h))
            if won is not None:
                return won
        return None

    def threats(self, x: int, y: int, h: int, box: int) -> list[Threat]:
        """The placements that win for x at once, by what would undo them."""
        if not (places := self._completions(x, y)):
            return []
        spoilt = self.completing(y)
        lifts = None if box else tuple(self._lifts(x, y, h))
        found = []
        for px, py, _, cols in places:
            if py & spoilt:
                continue  # only where a lift breaks the run of y; it is not counted on
            if lifts is None:
                found.append(Threat(cols, 0, self._beside(py, y), ()))
                continue
            run = self._run(px, x)
            if free := [c for lx, _, _, c in lifts if not c & cols and not lx & run]:
                found.append(Threat(cols, run, self._beside(py, y), tuple(free)))
        return found

    def _completions(self, x: int, y: int) -> list[tuple[int, int, int, int]]:
        """The placements that make four x as things lie: x cell, y cell, left cell where flat, columns. Lifting a piece
        first takes cells away and never adds one."""
        standing, flat = self.landings(x | y)
        made, stride, column_at = self.completing(x), self.stride, self.column_at
        found: list[tuple[int, int, int, int]] = []
        for cells, shift, first in (
            (standing & made, 1, True),
            (standing & made >> 1, 1, False),
            (flat & made, stride, True),
            (flat & made >> stride, stride, False),
        ):
            while cells:
                bit = cells & -cells
                cells ^= bit
                index = bit.bit_length() - 1
                px, py = (bit, bit << shift) if first else (bit << shift, bit)
                found.append((px, py, 0 if shift == 1 else bit, column_at[index] | column_at[index + shift]))
        return found

    def _run(self, px: int, x: int) -> int:
        """The cells of the runs of four that x makes on the cell."""
        return px | union(run for run in self.rests[px.bit_length() - 1] if run & x == run)

    def _beside(self, py: int, y: int) -> int:
        """The cells where one more y could make a run of four through the cell."""
        return union(rest & ~y for rest in self.rests[py.bit_length() - 1] if (rest & y).bit_count() >= 2)

    def _lifts(self, x: int, y: int, h: int) -> Iterator[Lift]:
        """The pieces that can be lifted: x cell, y cell, left cell where flat, columns."""
        column_at = self.column_at
        for cells, lh in self.liftable(x | y, h):
            low = cells & -cells
            yield (
                cells & x,
                cells & y,
                lh,
                column_at[low.bit_length() - 1] | column_at[cells.bit_length() - 1],
            )

    def _lifting(
        self, x: int, y: int, placed: tuple[int, int, int, int], spoilt: bool, lifts: Iterable[Lift]
    ) -> Step | None:
        """The placement, which makes four x as things lie, with a piece lifted so that x keeps it and y has none."""
        px, py, ph, cols = placed
        mine = [run for run in self.rests[px.bit_length() - 1] if run & x == run]
        theirs = [run for run in self.rests[py.bit_length() - 1] if run & y == run] if spoilt else []
        for lx, ly, lh, columns in lifts:
            if columns & cols or (lx & mine[0] and all(lx & run for run in mine)):
                continue
            if not theirs or all(ly & run for run in theirs):
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
        """By lane, whether it is plain that x can't win at once. Every lane is a position of its own."""
        return self.bare(self._hits(x, y, box, lanes), lanes)

    def chances(self, x: int, y: int, box: int, lanes: int) -> list[int]:
        """By lane, how many placements may win for x at once."""
        lane, text = self.lane, self._hits(x, y, box, lanes).to_bytes(self.lane * lanes, "little")
        cells = (text[at : at + lane] for at in range(0, lane * lanes, lane))
        return [int.from_bytes(found, "little").bit_count() for found in cells]

    def _hits(self, x: int, y: int, box: int, lanes: int) -> int:
        """Where a placement puts an x that completes four and no y that completes four too. To lift a piece takes cells
        away: it can't make a run, and breaks none of cells that lie two below the top."""
        ones = self.spread(lanes)
        made, occupied, stride = self.completing_in(x, lanes), x | y, self.stride
        if not box:
            top = occupied & ~(occupied >> 1)
            y &= ~(top | top >> 1)
        kept = ~self.completing_in(y, lanes)
        base = occupied + self.bottom * ones & self.board * ones
        hits = base & self.below * ones & (made & kept >> 1 | made >> 1 & kept)
        return hits | base & base >> stride & (made & kept >> stride | made >> stride & kept)

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
