"""Wins and threats on the board of bits, of one position or of many at once; which moves the solver tries first. No
order changes a verdict; a good one leaves less to look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from referee.games.onepiece.board import RUN
from referee.games.onepiece.search.bits import BOX, Ground, Lift, Placed, Step, Threat

WATCHED = 4  # columns that a move changes at most: from as many as five pieces to lift it leaves one
MOST_THREATS = 4  # looked at together


class Tactics(Ground):
    """The ground, and who can win on it with the next move."""

    def __init__(self, cols: int, rows: int) -> None:
        super().__init__(cols, rows)
        self._spread = [0]
        self._full = (cols * self.stride + 7) // 8  # bytes of a lane that cells take

    # --- wins ----------------------------------------------------------------------------------------------------

    def winning(self, x: int, y: int, h: int, box: int) -> Step | None:
        """A move after which x has four and y has not; None where there is none."""
        if not (places := self._completions(x, y)):
            return None
        spoilt = self.completing(y)
        lifts: list[Lift] | None = None
        for placed in places:
            py = placed[3]
            if box:
                if not py & spoilt:
                    return self.step(BOX, placed)
                continue
            if lifts is None:
                lifts = self.lifts(x, y, h)
            won = self._lifting(x, y, placed, bool(py & spoilt), lifts)
            if won is not None:
                return won
        return None

    def wins(self, x: int, y: int, h: int, box: int) -> bool:
        """Whether x can win with the next move."""
        return bool(self.hits(x, y, 1, 1)) if box else self.winning(x, y, h, box) is not None

    def threats(self, x: int, y: int, h: int, box: int) -> list[Threat]:
        """The placements that win for x at once, by what would undo them."""
        if not (places := self._completions(x, y)):
            return []
        spoilt = self.completing(y)
        found = []
        for cols, _, px, py, _ in places:
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
        return tuple([c for lx, _, _, c in self.lifts(x, y, h) if lx & free])

    def _completions(self, x: int, y: int) -> list[Placed]:
        """The placements that make four x as things lie. Lifting a piece first takes cells away and never adds one."""
        if not (made := self.completing(x)):
            return []
        standing, flat = self.landings(x | y)
        stride = self.stride
        if not (standing & (made | made >> 1) or flat & (made | made >> stride)):
            return []
        column_at = self.column_at
        found: list[Placed] = []
        for cells, shift, kind in (
            (standing & made, 1, 0),
            (standing & made >> 1, 1, 1),
            (flat & made, stride, 2),
            (flat & made >> stride, stride, 3),
        ):
            while cells:
                bit = cells & -cells
                cells ^= bit
                index, beyond = bit.bit_length() - 1, bit << shift
                px, py = (beyond, bit) if kind & 1 else (bit, beyond)
                cols = column_at[index] | column_at[index + shift]
                found.append((cols, 4 * index + kind, px, py, bit if kind & 2 else 0))
        return found

    def undoing(self, x: int, y: int, h: int, box: int, threats: list[Threat]) -> list[Step]:
        """The moves of y that may undo every threat of x, as steps of (x, y); all where there is none."""
        if len(threats) > MOST_THREATS:
            threats = sorted(threats, key=lambda t: t.cols.bit_count())[:MOST_THREATS]
        every = (1 << len(threats)) - 1
        numbered = [(1 << k, t.cols, t.run, t.beside) for k, t in enumerate(threats)]
        touching = list[tuple[int, Placed]]()  # each placement with the threats, as bits, that it undoes
        for placed in self.placed(x | y):
            cols, _, _, py, _ = placed
            hit = 0
            for bit, changed, _, beside in numbered:
                if cols & changed or py & beside:
                    hit |= bit
            touching.append((hit, placed))
        if box:
            return [self.step(BOX, placed) for hit, placed in touching if hit == every]
        watched = {1 << k: t.lifts for k, t in enumerate(threats) if t.lifts}
        found: list[Step] = []
        fitting: dict[tuple[int, int], list[tuple[int, Placed]]] = {}  # by threats left, what may undo them
        for lift in self.lifts(x, y, h):
            lx, _, _, columns = lift
            need = every
            for bit, changed, run, _ in numbered:
                if columns & changed or lx & run:
                    need ^= bit
            must = need  # but for those where a placement, on two columns at most, may touch the last pieces to lift
            for bit, lifts in watched.items():
                if must & bit and len([cols for cols in lifts if not cols & columns]) <= 2:
                    must ^= bit
            if (fits := fitting.get((need, must))) is None:
                fits = [(need & ~hit, placed) for hit, placed in touching if not must & ~hit]
                fitting[need, must] = fits
            known = self.lifting(lift)
            for left, placed in fits:
                if not placed[0] & columns and (not left or _all_touched(left, watched, placed[0] | columns)):
                    found.append(known.get(placed[1]) or self.step(lift, placed))
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

    def _lifting(self, x: int, y: int, placed: Placed, spoilt: bool, lifts: Iterable[Lift]) -> Step | None:
        """The placement, which makes four x as things lie, with a piece lifted so that x keeps it and y has none."""
        cols, _, px, py, _ = placed
        mine = [run for run in self.rests[px.bit_length() - 1] if run & x == run]
        theirs = [run for run in self.rests[py.bit_length() - 1] if run & y == run] if spoilt else []
        for lift in lifts:
            lx, ly, _, columns = lift
            if columns & cols or (lx & mine[0] and all(lx & run for run in mine)):
                continue
            if not theirs or all(ly & run for run in theirs):
                return self.step(lift, placed)
        return None

    def result(self, x: int, y: int, step: Step) -> int:
        """1: x alone has four through the piece just put down; -1: y alone; 0: neither or both (3.4). x and y are those
        before the move."""
        return self.outcome(x, y, self.completing(x), self.completing(y), step)

    def outcome(self, x: int, y: int, made: int, spoilt: int, step: Step) -> int:
        """The same, where the completing cells of x and of y are known: lifting a piece can only take some away."""
        own = bool(step.px & made) and not (step.lx and not self.completing(x ^ step.lx) & step.px)
        their = bool(step.py & spoilt) and not (step.ly and not self.completing(y ^ step.ly) & step.py)
        return own - their

    # --- many positions at once --------------------------------------------------------------------------------------

    def after(self, x: int, y: int, steps: Sequence[Step]) -> tuple[int, int]:
        """x and y after each of the moves, the first in the lowest lane."""
        ones = self.spread(len(steps))
        each_x = int.from_bytes(b"".join([s.dx.to_bytes(self.lane, "little") for s in steps]), "little")
        each_y = int.from_bytes(b"".join([s.dy.to_bytes(self.lane, "little") for s in steps]), "little")
        return x * ones ^ each_x, y * ones ^ each_y

    def spread(self, lanes: int) -> int:
        """A one at the foot of every lane: times this a number stands in all of them."""
        while len(self._spread) <= lanes:
            self._spread.append(self._spread[-1] << (8 * self.lane) | 1)
        return self._spread[lanes]

    def surely(self, x: int, y: int, steps: Sequence[Step]) -> list[int]:
        """By step from (x, y), the lower or left cells of the placements that then win for x without a lift that breaks
        a run of y, if there is a piece to lift at all."""
        lanes = len(steps)
        return self.by_lane(self.hits(*self.after(x, y, steps), 1, lanes), lanes)

    def by_lane(self, cells: int, lanes: int) -> list[int]:
        """What each lane holds."""
        if not cells:
            return [0] * lanes
        lane, full, number = self.lane, self._full, int.from_bytes
        text = cells.to_bytes(lane * lanes, "little")
        return [number(text[at : at + full], "little") for at in range(0, lane * lanes, lane)]

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

    def hits(self, x: int, y: int, box: int, lanes: int) -> int:
        """By lane, each a position of its own: where a placement puts an x that completes four and no y that completes
        four too. To lift a piece takes cells away: it can't make a run, and breaks none of cells that lie two below the
        top."""
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


COUNTED = (
    6  # with so many plies left the answers to a threat are counted, below it only its winning placements
)


class Recent:
    """The moves that worked last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._worked: dict[Step, None] = {}  # the latest last

    @property
    def steps(self) -> tuple[Step, ...]:
        """The latest first."""
        return tuple(reversed(self._worked))

    def worked(self, step: Step) -> None:
        self._worked.pop(step, None)
        self._worked[step] = None
        if len(self._worked) > self._most:
            del self._worked[next(iter(self._worked))]


def building(g: Tactics, x: int, y: int, steps: list[Step]) -> list[Step]:
    """Moves of x that add to lines of x, or spoil lines of y, first."""
    mine, theirs = g.promising(x, g.board & ~y), g.promising(y, g.board & ~x)
    return sorted(steps, key=lambda s: -(2 * bool(s.px & mine) + bool(s.px & theirs)))


def spoiling(g: Tactics, x: int, y: int, steps: list[Step], recent: tuple[Step, ...] = ()) -> list[Step]:
    """Moves of y: what refuted before, then what spoils lines of x, then the rest."""
    mine, place = g.promising(x, g.board & ~y), {step: number for number, step in enumerate(recent)}
    return sorted(steps, key=lambda s: (place.get(s, len(place)), not s.py & mine, bool(s.px & mine)))


def threatening(g: Tactics, at: tuple[int, int, int, int], plies: int, steps: list[Step]) -> list[Step]:
    """Moves of y that threaten to win first, those that leave x the fewest answers at the front: x must answer."""
    x, y, h, left = at  # `left` pieces in the box after the move
    lanes, ranked, rest = len(steps), list[tuple[int, Step]](), list[Step]()
    after_x, after_y = g.after(x, y, steps)
    hits = g.by_lane(g.hits(after_y, after_x, max(0, left - 1), lanes), lanes)
    for step, wins in zip(steps, hits, strict=True):
        if not wins:
            rest.append(step)
        elif plies < COUNTED:
            ranked.append((-wins.bit_count(), step))
        else:
            there = (y ^ step.dy, x ^ step.dx, h ^ step.dh, left)
            ranked.append((len(g.undoing(*there, g.threats(*there[:3], max(0, left - 1)))), step))
    ranked.sort(key=lambda pair: pair[0])
    return [step for _, step in ranked] + rest


def threatening_most(g: Tactics, x: int, y: int, box: int, steps: list[Step]) -> list[Step]:
    """Moves of x by how many placements would then win; `box` counts the pieces in the box when it wins."""
    lanes = len(steps)
    hits = g.by_lane(g.hits(*g.after(x, y, steps), box, lanes), lanes)
    ranked = sorted(zip([-h.bit_count() for h in hits], range(lanes), strict=True))
    return [steps[number] for _, number in ranked]


def disturbing(steps: list[Step], threats: list[Threat]) -> list[Step]:
    """The moves of y that may undo every threat of x; any other is answered by a threat that it left."""
    for cols, run, beside, lifts in threats:
        steps = [
            s
            for s in steps
            if s.cols & cols
            or s.lx & run
            or s.py & beside
            or (lifts and not [columns for columns in lifts if not s.cols & columns])
        ]
    return steps
