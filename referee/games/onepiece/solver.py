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

from referee.games.onepiece.bits import Ground, Step, ground

TABLE = 1_000_000  # entries; a fixed number, so that the count of nodes is the same on every machine


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
        self.ground: Ground = ground(cols, rows)
        self.exact = exact
        self.counter = Counter(limit)
        self.table: dict[tuple[int, int, int, int], bool] = {}
        self.killers: dict[int, list[Step]] = {}

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
        if plies == 3:
            steps = self._loud(x, y, h, box, steps)
        else:
            steps = self._ordered(x, y, steps)
        left = box - 1 if box else 0
        for step in steps:
            goes_on = g.result(x, y, step) == 0
            if goes_on and self.every(x ^ step.dx, y ^ step.dy, h ^ step.dh, left, plies - 1):
                return step
        return None

    def _ordered(self, x: int, y: int, steps: list[Step]) -> list[Step]:
        """Moves that add to lines of x, or spoil lines of y, first."""
        g = self.ground
        mine, theirs = g.promising(x, y), g.promising(y, x)
        return sorted(steps, key=lambda s: -(2 * bool(s.px & mine) + bool(s.px & theirs)))

    def _loud(self, x: int, y: int, h: int, box: int, steps: list[Step]) -> list[Step]:
        """The moves of x that two quiet replies of y do not refute at once (three plies left).

        Let r be a reply of y that is legal now and makes no run of x, and P the position after r. A move t of x in
        other columns than r leaves r legal. If t's own cell lies on no line of P that holds two x and nothing of y
        that stays, no cell becomes winning for x by t; and if none that wins in P can be reached after t, x has no
        winning move after t and r: t fails.
        """
        g = self.ground
        replies = steps if box != 1 else g.steps(x, y, h, 0)
        for _ in range(3):
            if len(steps) < 4:
                break
            best = self._quiet(x, y, h, replies, steps)
            if best is None:
                break
            reply, steps = best
            replies = [r for r in replies if not r.cols & reply.cols]
        return steps

    def _quiet(
        self, x: int, y: int, h: int, replies: list[Step], steps: list[Step]
    ) -> tuple[Step, list[Step]] | None:
        """Of a few replies the one that leaves the fewest moves, and those moves."""
        g = self.ground
        best: tuple[Step, list[Step]] | None = None
        tried = 0
        mine = g.promising(x, y)
        for reply in replies:
            if reply.px & mine:
                continue
            tried += 1
            if tried > 2:
                break
            self.counter.add()
            after_x, after_y, after_h = x ^ reply.dx, y ^ reply.dy, h ^ reply.dh
            taken = after_x | after_y
            tops = 0  # what a move of x may lift, and so free for the next
            if steps[0].lx:
                for cells, _ in g.liftable(taken, after_h):
                    tops |= cells
            won = g.completing(after_x)
            base = (taken + g.bottom) & g.board
            if won & (base | (base << 1)):
                continue
            loud = g.promising(after_x, after_y & ~tops)
            rest = [
                t
                for t in steps
                if t.cols & reply.cols
                or t.px & loud
                or won
                & ((t.px | t.py | t.lx | t.ly) | (t.px | t.py) << 1 | (t.px | t.py) << 2 | (t.lx | t.ly) << 1)
            ]
            if best is None or len(rest) < len(best[1]):
                best = (reply, rest)
        return best if best is not None and len(best[1]) < len(steps) else None

    # --- y to move -------------------------------------------------------------------------------------------------

    def every(self, x: int, y: int, h: int, box: int, plies: int) -> bool:
        """Whether x succeeds against every move of y."""
        if plies == 2:
            return self.reply_in_two(x, y, h, box) is None
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
        if not self.exact and (threat := g.winning(x, y, h, left)) is not None:
            steps = self._disturbing(x, y, steps, threat)
        killers = self.killers.setdefault(plies, [])
        for step in self._killers_first(x, y, steps, killers):
            if g.result(x, y, step) <= 0 and not self.some(
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
        mine = g.promising(x, y)
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
        steps = g.steps(x, y, h, box)
        if not steps:
            return "stuck"
        left = box - 1 if box else 0
        if (threat := g.winning(x, y, h, left)) is not None:
            steps = self._disturbing(x, y, steps, threat)
        for step in steps:
            if g.result(x, y, step) <= 0:
                self.counter.add()
                if g.winning(x ^ step.dx, y ^ step.dy, h ^ step.dh, left) is None:
                    return step
        return None

    def _disturbing(self, x: int, y: int, steps: list[Step], threat: Step) -> list[Step]:
        """The moves of y after which the winning move `threat` of x may be gone: they change its columns, lift a cell
        of the run it completes, or could make a run of y by it, so that both have four."""
        g = self.ground
        run = g.lines[threat.px.bit_length() - 1]
        beside = g.lines[threat.py.bit_length() - 1]
        return [s for s in steps if s.cols & threat.cols or s.lx & run or s.py & beside]


def flipped(step: Step) -> Step:
    """The same move seen from the other colour."""
    return Step(step.dy, step.dx, step.dh, step.py, step.px, step.ly, step.lx, step.cols)
