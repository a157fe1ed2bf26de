"""Wins and threats on the board of bits, of one position or of many at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from referee.games.onepiece.board.grid import RUN
from referee.games.onepiece.search.bits import Ground, Step, Threat

Lift = tuple[int, int, int, int]  # x cell, y cell, left cell where flat, columns
WATCHED = 4  # columns that a move changes at most: from as many as five pieces to lift it leaves one
MOST_THREATS = 4  # looked at together


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
        lifts: list[Lift] | None = None
        for placed in places:
            px, py, ph, cols = placed
            if box:
                if not py & spoilt:
                    return Step(px, py, ph, px, py, 0, 0, cols)
                continue
            if lifts is None:
                lifts = self._lifts(x, y, h)
            won = self._lifting(x, y, placed, bool(py & spoilt), lifts)
            if won is not None:
                return won
        return None

    def wins(self, x: int, y: int, h: int, box: int) -> bool:
        """Whether x can win with the next move."""
        if not (made := self.completing(x)):
            return False
        occupied, stride = x | y, self.stride
        base = (occupied + self.bottom) & self.board
        standing, flat = base & self.below, base & base >> stride
        ups, flats = standing & (made | made >> 1), flat & (made | made >> stride)
        if not (ups or flats):
            return False
        kept = ~self.completing(y)
        if box:
            return bool(
                standing & (made & kept >> 1 | made >> 1 & kept)
                or flat & (made & kept >> stride | made >> stride & kept)
            )
        top = occupied & ~(occupied >> 1)
        lying, upright = top & (top >> stride) & h, top & ~(h | h << stride)
        for cells, shift, beyond in (
            (standing & made & kept >> 1, 0, 0),
            (standing & made >> 1 & kept, 1, 0),
            (flat & made & kept >> stride, 0, stride),
            (flat & made >> stride & kept, stride, stride),
        ):
            while cells:
                bit = cells & -cells
                cells ^= bit
                index = bit.bit_length() - 1
                cols = self.column_at[index] | self.column_at[index + beyond]
                left, above = lying & ~cols & ~(cols >> stride), upright & ~cols
                free = (left | left << stride | above | above >> 1) & x
                if free.bit_count() >= RUN:
                    return True  # one of these is not of the run
                if any(run & x == run and free & ~run for run in self.rests[index + shift]):
                    return True
        spoiling = ~kept
        if not (
            standing & (made & spoiling >> 1 | made >> 1 & spoiling)
            or flat & (made & spoiling >> stride | made >> stride & spoiling)
        ):
            return False
        return self.winning(x, y, h, box) is not None  # a lift may break the run of y

    def threats(self, x: int, y: int, h: int, box: int) -> list[Threat]:
        """The placements that win for x at once, by what would undo them."""
        if not (places := self._completions(x, y)):
            return []
        spoilt = self.completing(y)
        found = []
        for px, py, _, cols in places:
            if py & spoilt:
                continue  # only where a lift breaks the run of y; it is not counted on
            if box:
                found.append(Threat(cols, 0, self._beside(py, y), ()))
                continue
            run = self._run(px, x)
            if (free := self._free_lifts(x, y, h, cols, run)) is not None:
                found.append(Threat(cols, run, self._beside(py, y), free))
        return found

    def _free_lifts(self, x: int, y: int, h: int, cols: int, run: int) -> tuple[int, ...] | None:
        """The columns of each piece that can be lifted beside the columns and not out of the run; None where there is
        no such piece. Where there are many they need no watching, and none is named: a column ends in one piece, and a
        move changes four columns at most."""
        occupied, stride = x | y, self.stride
        top = occupied & ~(occupied >> 1)
        flat = top & (top >> stride) & h & ~cols & ~(cols >> stride)
        standing = top & ~(h | h << stride | cols)
        free = (flat | flat << stride | standing | standing >> 1) & x & ~run
        if not free:
            return None
        if free.bit_count() > WATCHED:
            return ()
        return tuple([c for lx, _, _, c in self._lifts(x, y, h) if lx & free])

    def _completions(self, x: int, y: int) -> list[tuple[int, int, int, int]]:
        """The placements that make four x as things lie: x cell, y cell, left cell where flat, columns. Lifting a piece
        first takes cells away and never adds one."""
        if not (made := self.completing(x)):
            return []
        standing, flat = self.landings(x | y)
        stride = self.stride
        if not (standing & (made | made >> 1) or flat & (made | made >> stride)):
            return []
        column_at = self.column_at
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

    def undoing(self, x: int, y: int, h: int, box: int, threats: list[Threat]) -> list[Step]:
        """The moves of y that may undo every threat of x, of which there is one at least, as steps of (x, y)."""
        if len(threats) > MOST_THREATS:
            threats = sorted(threats, key=lambda t: t.cols.bit_count())[:MOST_THREATS]
        placed = self._placed(x | y)
        every = (1 << len(threats)) - 1
        touching = []  # each placement with the threats, as bits, that it undoes
        numbered = [(1 << k, t.cols, t.run, t.beside) for k, t in enumerate(threats)]
        for px, py, ph, cols in placed:
            hit = 0
            for bit, changed, _, beside in numbered:
                if cols & changed or py & beside:
                    hit |= bit
            touching.append((px, py, ph, cols, hit))
        if box:
            return [
                Step(px, py, ph, px, py, 0, 0, cols) for px, py, ph, cols, hit in touching if hit == every
            ]
        watched = {1 << k: t.lifts for k, t in enumerate(threats) if t.lifts}
        found = []
        for lx, ly, lh, columns in self._lifts(x, y, h):
            need = every
            for bit, changed, run, _ in numbered:
                if columns & changed or lx & run:
                    need ^= bit
            for px, py, ph, cols, hit in touching:
                if cols & columns:
                    continue
                left = need & ~hit
                if left and not (watched and _all_touched(left, watched, cols | columns)):
                    continue
                found.append(Step(lx | px, ly | py, lh | ph, px, py, lx, ly, cols | columns))
        return found

    def _run(self, px: int, x: int) -> int:
        """The cells of the runs of four that x makes on the cell."""
        found = px
        for rest in self.rests[px.bit_length() - 1]:
            if rest & x == rest:
                found |= rest
        return found

    def _beside(self, py: int, y: int) -> int:
        """The cells where one more y could make a run of four through the cell."""
        found = 0
        for rest in self.rests[py.bit_length() - 1]:
            if (rest & y).bit_count() >= 2:
                found |= rest & ~y
        return found

    def _lifts(self, x: int, y: int, h: int) -> list[Lift]:
        """The pieces that can be lifted: x cell, y cell, left cell where flat, columns."""
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

    def surely(self, x: int, y: int, steps: Sequence[Step], box: int) -> list[int]:
        """By step from (x, y), the lower or left cells of the placements that then win for x without a lift that breaks
        a run of y, if there is a piece to lift at all."""
        lane, lanes = self.lane, len(steps)
        ones = self.spread(lanes)
        x = x * ones ^ self.packed([s.dx for s in steps])
        y = y * ones ^ self.packed([s.dy for s in steps])
        text = self._hits(x, y, 1, lanes).to_bytes(lane * lanes, "little")
        return [int.from_bytes(text[at : at + lane], "little") for at in range(0, lane * lanes, lane)]

    def lifts_for(self, x: int, y: int, h: int, hits: int) -> bool:
        """Whether there are so many pieces to lift that one of them serves one of the placements."""
        occupied, stride = x | y, self.stride
        top = occupied & ~(occupied >> 1)
        lying, upright = top & (top >> stride) & h, top & ~(h | h << stride)
        while hits:
            index = hits.bit_length() - 1
            hits ^= 1 << index
            cols = self.column_at[index] | self.column_at[index + stride]
            if (lying & ~cols & ~(cols >> stride)).bit_count() + (upright & ~cols).bit_count() >= RUN:
                return True  # one of them is not of the run
        return False

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


def _all_touched(threats: int, watched: dict[int, tuple[int, ...]], cols: int) -> bool:
    """Whether the columns change under every piece that could be lifted for these threats."""
    while threats:
        bit = threats & -threats
        threats ^= bit
        if bit not in watched or not all(columns & cols for columns in watched[bit]):
            return False
    return True


@lru_cache(maxsize=16)
def ground(cols: int, rows: int) -> Tactics:
    return Tactics(cols, rows)
