"""Can a colour force a win at exactly, or by, ply x + n? A depth-first AND/OR search (4.4).

x is the claimer's colour, y the other. `plies` counts what is left: even, y is to move; odd, x is. With one ply left x
must win. A branch succeeds where y's own move makes x's four; it fails where y wins, where x wins too early (`exact`),
and where somebody can't move.

What makes it fast: y's threats come first, the more forcing the earlier, and x then has only the moves that answer
them; the last two plies are settled by threats (only a reply that disturbs them all can refute), many replies looked at
at once; moves that worked elsewhere, hundreds of them, are tried before any others are made, and looked up in a table
of positions before they are tried. A move is made once and kept with what it looks at, so that to meet it again costs
little. The table keeps the move as well, for the proof. A node is a position looked at; their number alone decides when
to give up.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.onepiece.search.bits import Step
from referee.games.onepiece.search.tactics import (
    Recent,
    Tactics,
    building,
    disturbing,
    ground,
    spoiling,
    threatening,
    threatening_most,
)

TABLE = 400_000  # entries; a fixed number, so that the count of nodes is the same on every machine
RECENT = 256  # moves that worked lately, all looked up in the table, the latest of them tried first
FIRST = 8  # of them, all tried before others are made
UNKNOWN = "unknown"
FEW = 4  # moves; so many are worth being looked at together


Key = tuple[int, int, int, int]  # x, y, h and the plies left
Answer = (
    Step | str | None
)  # what succeeds, or refutes ("stuck" where nobody can move); None where nothing does


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
        self.ground.forget()
        self.exact = exact
        self.counter = Counter(limit)
        self.table: dict[Key, Answer] = {}
        self._worked: dict[int, Recent] = {}  # by the plies left, what succeeded or refuted there

    def _recent(self, plies: int) -> Recent:
        if plies not in self._worked:
            self._worked[plies] = Recent(RECENT)
        return self._worked[plies]

    def _kept(self, key: Key, found: Answer) -> Answer:
        if len(self.table) < TABLE:
            self.table[key] = found
        return found

    # --- x to move -------------------------------------------------------------------------------------------------

    def some(self, x: int, y: int, h: int, box: int, plies: int) -> bool:
        """Whether x has a move that succeeds."""
        if plies == 1:
            self.counter.add()
            return self.ground.wins(x, y, h, box)
        return self.answer(x, y, h, box, plies) is not None

    def answer(self, x: int, y: int, h: int, box: int, plies: int) -> Answer:
        """The move that succeeds or refutes here, two plies or more before the end, from the table where it is known;
        None where the side to move has none."""
        key = (x, y, h, plies)
        if (known := self.table.get(key, UNKNOWN)) is not UNKNOWN:
            return known
        search = self.try_in if plies % 2 else self.reply_in
        return self._kept(key, search(x, y, h, box, plies))

    def try_in(self, x: int, y: int, h: int, box: int, plies: int) -> Step | None:
        """A move of x that succeeds with more than one ply left, or None."""
        self.counter.add()
        g = self.ground
        if not self.exact and (won := g.winning(x, y, h, box)) is not None:
            return won
        worked, left = self._recent(plies), box - 1 if box else 0
        before = g.legal_ones(x, y, h, box, worked.steps)
        found = self._known_good(x, y, h, plies, before)
        if found is None:
            found = self._first_good(x, y, h, left, plies, before[:FIRST])
        if found is None:
            tries = self._tries(x, y, h, box)
            if plies == 3:
                found = self._good_in_three(x, y, h, box, tries)
            else:
                found = self._first_good(x, y, h, left, plies, building(g, x, y, tries))
        if found is not None:
            worked.worked(found)
        return found

    def _known_good(self, x: int, y: int, h: int, plies: int, steps: list[Step]) -> Step | None:
        """A move that leads to a position where the table has it that x succeeds."""
        for step in steps:
            known = self.table.get((x ^ step.dx, y ^ step.dy, h ^ step.dh, plies - 1), UNKNOWN)
            if known is None and self.ground.result(x, y, step) == 0:
                return step
        return None

    def _first_good(self, x: int, y: int, h: int, left: int, plies: int, steps: list[Step]) -> Step | None:
        """The first of the moves that succeeds."""
        g = self.ground
        made, spoilt = g.completing(x), g.completing(y)
        for step in steps:
            goes_on = not (step.px & made or step.py & spoilt) or g.outcome(x, y, made, spoilt, step) == 0
            if goes_on and self.every(x ^ step.dx, y ^ step.dy, h ^ step.dh, left, plies - 1):
                return step
        return None

    def _tries(self, x: int, y: int, h: int, box: int) -> list[Step]:
        """The moves of x that may succeed: not those that leave y a win with its next move."""
        g = self.ground
        if threats := g.threats(y, x, h, box - 1 if box else 0):
            return list(map(g.flipped, g.undoing(y, x, h, box, threats)))
        return g.steps(x, y, h, box)

    def _good_in_three(self, x: int, y: int, h: int, box: int, steps: list[Step]) -> Step | None:
        """The first of the moves that succeeds with three plies left, those that threaten most tried first."""
        g = self.ground
        made, spoilt, left = g.completing(x), g.completing(y), box - 1 if box else 0
        steps = [
            s for s in steps if not (s.px & made or s.py & spoilt) or g.outcome(x, y, made, spoilt, s) == 0
        ]
        if len(steps) >= FEW:
            steps = threatening_most(g, x, y, max(0, box - 2), steps)
        for step in steps:
            if self.answer(x ^ step.dx, y ^ step.dy, h ^ step.dh, left, 2) is None:
                return step
        return None

    def left_by(self, x: int, y: int, last: int, reply: Step, steps: list[Step]) -> list[Step]:
        """The moves of x that the reply does not refute at once (three plies left).

        A reply r that is legal now is legal after any move t of x in other columns. All such t are looked at together:
        where r makes no run of x, and then no placement wins, t fails.
        """
        self.counter.add()
        g, lanes, cols = self.ground, len(steps), reply.cols
        after_x, after_y = g.after(x, y, steps)
        won = g.completing_in(after_x, lanes) & reply.px * g.spread(lanes)
        won |= g.hits(after_x ^ reply.dx * g.spread(lanes), after_y ^ reply.dy * g.spread(lanes), last, lanes)
        return [t for t, open_ in zip(steps, g.by_lane(won, lanes), strict=True) if open_ or t.cols & cols]

    # --- y to move -------------------------------------------------------------------------------------------------

    def every(self, x: int, y: int, h: int, box: int, plies: int) -> bool:
        """Whether x succeeds against every move of y."""
        return self.answer(x, y, h, box, plies) is None

    def reply_in(self, x: int, y: int, h: int, box: int, plies: int) -> Step | str | None:
        """A move of y that refutes, "stuck" where y has none at all, or None."""
        if plies == 2:
            return self.reply_in_two(x, y, h, box)
        self.counter.add()
        g = self.ground
        if (won := g.winning(y, x, h, box)) is not None:
            return g.flipped(won)
        steps = g.steps(x, y, h, box)
        if not steps:
            return "stuck"
        left, worked = box - 1 if box else 0, self._recent(plies)
        if not self.exact:
            steps = disturbing(steps, g.threats(x, y, h, left))
        made, spoilt = g.completing(x), g.completing(y)
        if (step := self._known_refuting(x, y, h, plies, steps)) is not None:
            worked.worked(step)
            return step
        steps = spoiling(g, x, y, steps, worked.steps)
        for step in threatening(g, (x, y, h, left), plies, steps):
            if (not step.px & made or g.outcome(x, y, made, spoilt, step) <= 0) and not self.some(
                x ^ step.dx, y ^ step.dy, h ^ step.dh, left, plies - 1
            ):
                worked.worked(step)
                return step
        return None

    def _known_refuting(self, x: int, y: int, h: int, plies: int, steps: list[Step]) -> Step | None:
        """A move of y that leads to a position where the table has it that x has nothing."""
        made, spoilt = self.ground.completing(x), self.ground.completing(y)
        for step in steps:
            known = self.table.get((x ^ step.dx, y ^ step.dy, h ^ step.dh, plies - 1), UNKNOWN)
            if known is None and self.ground.outcome(x, y, made, spoilt, step) <= 0:
                return step
        return None

    def reply_in_two(self, x: int, y: int, h: int, box: int) -> Step | str | None:
        """With two plies left: a move of y after which x can't win at once."""
        self.counter.add()
        g = self.ground
        if (won := g.winning(y, x, h, box)) is not None:
            return g.flipped(won)
        left, worked = box - 1 if box else 0, self._recent(2)
        threats = g.threats(x, y, h, left)
        for step in disturbing(g.legal_ones(x, y, h, box, worked.steps), threats):
            if self._stops(x, y, h, left, step):
                return step
        steps = g.undoing(x, y, h, box, threats)
        if not steps and not (threats and g.steps(x, y, h, box)):
            return "stuck"
        found = self._first_stop(x, y, h, left, steps)
        if found is not None:
            worked.worked(found)
        return found

    def _first_stop(self, x: int, y: int, h: int, left: int, steps: list[Step]) -> Step | None:
        """The first of the moves of y, those before the others that leave no line of x one short, after which x can't
        win at once."""
        if not steps:
            return None
        g, made, spoilt = self.ground, self.ground.completing(x), self.ground.completing(y)
        open_ones = list[tuple[Step, int]]()
        for step, hits in zip(steps, g.surely(x, y, steps), strict=True):
            if step.px & made and g.outcome(x, y, made, spoilt, step) > 0:
                continue
            if hits:
                open_ones.append((step, hits))
            elif self._stops(x, y, h, left, step):
                return step
        for step, hits in open_ones:
            self.counter.add()
            after = (x ^ step.dx, y ^ step.dy, h ^ step.dh)
            if left or g.lifts_for(*after, hits):
                continue
            if not g.wins(*after, left):
                return step
        return None

    def _stops(self, x: int, y: int, h: int, left: int, step: Step) -> bool:
        """Whether x can't win right after this move of y."""
        self.counter.add()
        if self.ground.result(x, y, step) > 0:
            return False
        return not self.ground.wins(x ^ step.dx, y ^ step.dy, h ^ step.dh, left)
