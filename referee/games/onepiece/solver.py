"""Can a colour force a win at exactly, or by, ply x + n? A depth-first AND/OR search (4.4).

x is the claimer's colour, y the other. `plies` counts what is left: even, y is to move; odd, x is. With one ply left x
must win. A branch succeeds where y's own move makes x's four; it fails where y wins, where x wins too early (`exact`),
and where somebody can't move.

What makes it fast: the last two plies are settled by threats (only a reply that disturbs a threat can refute), the last
three by two quiet replies that refute most of x's tries at once, earlier ones by the replies that refuted before, and a
table of positions. A node is a position looked at; their number alone decides when to give up.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.onepiece.bits import Step, Threat
from referee.games.onepiece.tactics import Tactics, ground

TABLE = 400_000  # entries; a fixed number, so that the count of nodes is the same on every machine
RECENT = 4
REPLIES = 2  # how many replies are tried on all of x's moves at once


class OutOfNodes(Exception):
    """The search may look at no more positions."""


@dataclass(slots=True)
class Counter:
    limit: int
    nodes: int = 0

    def add(self) -> None:
        self.nodes += 1
        if self.nodes > self.limit:
            raise OutOfNodes


class Search:
    """One question's search. Every method is given a whole position; `box` counts the pieces in the box."""

    def __init__(self, cols: int, rows: int, exact: bool, limit: int) -> None:
        self.ground: Tactics = ground(cols, rows)
        self.exact = exact
        self.counter = Counter(limit)
        self.table: dict[tuple[int, int, int, int], bool] = {}
        self.killers: dict[int, list[Step]] = {}
        self.recent: list[Step] = []  # replies that refuted with two plies left, the last first

    # --- x to move -------------------------------------------------------------------------------------------------

    def some(self, x: int, y: int, h: int, box: int, plies: int) -> bool:
        """Whether x has a move that succeeds."""
        if plies == 1:
            self.counter.add()
            return self.ground.winning(x, y, h, box) is not None
        key = (x, y, h, plies)
        if (known := self.table.get(key)) is not None:
            return known
        found = self.try_in(x, y, h, box, plies) is not None
        if len(self.table) < TABLE:
            self.table[key] = found
        return found

    def try_in(self, x: int, y: int, h: int, box: int, plies: int) -> Step | None:
        """A move of x that succeeds with more than one ply left, or None."""
        self.counter.add()
        g = self.ground
        if not self.exact and (won := g.winning(x, y, h, box)) is not None:
            return won
        steps = g.steps(x, y, h, box)
        left = box - 1 if box else 0
        made, spoilt = g.completing(x), g.completing(y)
        if plies == 3:
            steps = [step for step in steps if g.outcome(x, y, made, spoilt, step) == 0]
            steps = self._unrefuted(x, y, h, box, steps)
        steps = self._ordered(x, y, steps)
        for step in steps:
            goes_on = g.outcome(x, y, made, spoilt, step) == 0
            if goes_on and self.every(x ^ step.dx, y ^ step.dy, h ^ step.dh, left, plies - 1):
                return step
        return None

    def _ordered(self, x: int, y: int, steps: list[Step]) -> list[Step]:
        """Moves that add to lines of x, or spoil lines of y, first."""
        g = self.ground
        mine, theirs = g.promising(x, g.board & ~y), g.promising(y, g.board & ~x)
        return sorted(steps, key=lambda s: -(2 * bool(s.px & mine) + bool(s.px & theirs)))

    def _unrefuted(self, x: int, y: int, h: int, box: int, steps: list[Step]) -> list[Step]:
        """The moves of x that a few replies of y do not refute at once (three plies left).

        A reply r that is legal now is legal after any move t of x in other columns. All such t are looked at together:
        where r makes no run of x, and then no placement wins, t fails.
        """
        g = self.ground
        last = max(0, box - 2)  # pieces in the box when x makes its last move
        replies = disturbing(steps if box != 1 else g.steps(x, y, h, 0), g.threats(x, y, h, last))
        mine = g.promising(x, g.board & ~y)
        replies = sorted(replies, key=lambda r: (bool(r.px & mine), not r.py & mine))
        tried = 0
        for reply in replies:
            if tried == REPLIES or len(steps) < 4:
                break
            if g.winning(x ^ reply.dx, y ^ reply.dy, h ^ reply.dh, last) is None:
                tried += 1
                steps = self._left_by(x, y, last, reply, steps)
        return steps

    def _left_by(self, x: int, y: int, last: int, reply: Step, steps: list[Step]) -> list[Step]:
        """The moves of x that the reply does not refute at once."""
        self.counter.add()
        g, lanes = self.ground, len(steps)
        ones = g.spread(lanes)
        after_x = x * ones ^ g.packed([t.dx for t in steps])
        after_y = y * ones ^ g.packed([t.dy for t in steps])
        apart = g.bare(g.completing_in(after_x, lanes) & reply.px * ones, lanes)
        quiet = g.quiet(after_x ^ reply.dx * ones, after_y ^ reply.dy * ones, last, lanes)
        cols = reply.cols
        return [t for t, a, q in zip(steps, apart, quiet, strict=True) if not (a and q) or t.cols & cols]

    # --- y to move -------------------------------------------------------------------------------------------------

    def every(self, x: int, y: int, h: int, box: int, plies: int) -> bool:
        """Whether x succeeds against every move of y."""
        key = (x, y, h, plies)
        if (known := self.table.get(key)) is not None:
            return known
        found = self.reply_in(x, y, h, box, plies) is None
        if len(self.table) < TABLE:
            self.table[key] = found
        return found

    def reply_in(self, x: int, y: int, h: int, box: int, plies: int) -> Step | str | None:
        """A move of y that refutes, "stuck" where y has none at all, or None."""
        if plies == 2:
            return self.reply_in_two(x, y, h, box)
        self.counter.add()
        g = self.ground
        if (won := g.winning(y, x, h, box)) is not None:
            return flipped(won)
        steps = g.steps(x, y, h, box)
        if not steps:
            return "stuck"
        left = box - 1 if box else 0
        if not self.exact:
            steps = disturbing(steps, g.threats(x, y, h, left))
        killers = self.killers.setdefault(plies, [])
        made, spoilt = g.completing(x), g.completing(y)
        for step in self._killers_first(x, y, steps, killers):
            if g.outcome(x, y, made, spoilt, step) <= 0 and not self.some(
                x ^ step.dx, y ^ step.dy, h ^ step.dh, left, plies - 1
            ):
                if step in killers:
                    killers.remove(step)
                killers.insert(0, step)
                del killers[8:]
                return step
        return None

    def _killers_first(self, x: int, y: int, steps: list[Step], killers: list[Step]) -> list[Step]:
        """What refuted before, then what spoils lines of x, then the rest."""
        g = self.ground
        mine = g.promising(x, g.board & ~y)
        return sorted(
            steps,
            key=lambda s: (killers.index(s) if s in killers else 9, -bool(s.py & mine), bool(s.px & mine)),
        )

    def reply_in_two(self, x: int, y: int, h: int, box: int) -> Step | str | None:
        """With two plies left: a move of y after which x can't win at once."""
        self.counter.add()
        g = self.ground
        if (won := g.winning(y, x, h, box)) is not None:
            return flipped(won)
        left = box - 1 if box else 0
        threats = g.threats(x, y, h, left)
        for step in disturbing(self.recent, threats):
            if g.legal(x, y, h, box, step) and self._stops(x, y, h, left, step):
                return step
        steps = g.steps(x, y, h, box, threats[0] if threats else None)
        if not steps and not (threats and g.steps(x, y, h, box)):
            return "stuck"
        for step in disturbing(steps, threats):
            if self._stops(x, y, h, left, step):
                self.recent = [step, *self.recent[: RECENT - 1]]
                return step
        return None

    def _stops(self, x: int, y: int, h: int, left: int, step: Step) -> bool:
        """Whether x can't win right after this move of y."""
        self.counter.add()
        if self.ground.result(x, y, step) > 0:
            return False
        return self.ground.winning(x ^ step.dx, y ^ step.dy, h ^ step.dh, left) is None


def disturbing(steps: list[Step], threats: list[Threat]) -> list[Step]:
    """The moves of y that may undo every threat of x; any other is answered by a threat that it left."""
    for threat in threats:
        steps = [step for step in steps if threat.disturbed(step)]
    return steps


def flipped(step: Step) -> Step:
    """The same move seen from the other colour."""
    return Step(step.dy, step.dx, step.dh, step.py, step.px, step.ly, step.lx, step.cols)
