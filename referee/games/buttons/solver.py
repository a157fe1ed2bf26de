"""The referee's own solution of a puzzle, by search from its start (5.4), and seeded players, who play by it.

A *target* is one way to lay the lines of the goal: pairs of spaces, a black one and the white one it must match.
What a pair lacks is the number of its two buttons that must still be replaced (0, 1 or 2). An exchange changes two
spaces, so a target that lacks n is at least n/2 exchanges away; deepening target by target with that bound, the
first solution found is a shortest one. Nodes are positions looked into: the same count on every machine.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import combinations, islice

from referee.core.chance import Chance
from referee.games.buttons import notation as do
from referee.games.buttons.puzzle import pairs_of
from referee.games.buttons.state import Cells, Goal, Par, Rules, State, exchanged

Target = tuple[tuple[int, int], ...]
Exchange = tuple[int, int]
MOST_TARGETS = 5_000  # a large board has more ways to lay four lines: the first are tried, and it is said
HURRIED_SHARE = 4  # the hurried search may use one part in so many of the nodes ...
MOST_HURRIED = 5_000  # ... and no more than these, since it keeps every position it has seen
WEIGHT = 3  # of the bound in the hurried search
NO_BOUND = 10_000  # more exchanges than any solution has


class OutOfNodes(Exception):
    """The search has used up the nodes it was given."""


def laid(rules: Rules, goal: Goal) -> tuple[tuple[Target, ...], bool]:
    """The ways to lay the lines of the goal on the board, and whether these are all; else the first of too many."""
    pairs = [
        tuple(zip(black, white, strict=True)) for black, white in pairs_of(rules.board, rules.perspective)
    ]
    if goal != "four":
        return tuple(pairs), True

    def apart(one: Target, two: Target) -> bool:
        return len({space for pair in (*one, *two) for space in pair}) == 2 * (len(one) + len(two))

    both = ((*one, *two) for one, two in combinations(pairs, 2) if apart(one, two))
    found = tuple(islice(both, MOST_TARGETS + 1))
    return found[:MOST_TARGETS], len(found) <= MOST_TARGETS


def lack(black: str, white: str) -> int:
    """How many of two facing buttons must still be replaced before they match."""
    if black[0] == "B":
        return 0 if white == f"W{black[1:]}" else 1
    return 1 if white[0] == "W" else 2


class Search:
    """Searches from one start, within one budget of nodes."""

    def __init__(self, rules: Rules, start: Cells, nodes: int) -> None:
        self.start = start
        self.left = nodes
        buttons = sorted(set(start))
        self._reach = {
            button: tuple(rules.reach(button, space) for space in range(len(start))) for button in buttons
        }
        self._lack = {(one, two): lack(one, two) for one in buttons for two in buttons}

    def lacking(self, cells: Cells | list[str], target: Target) -> int:
        return sum(self._lack[cells[black], cells[white]] for black, white in target)

    def exchanges(self, cells: Cells | list[str]) -> list[Exchange]:
        """Every exchange of two different buttons, once, from a space whose button can make it."""
        found: dict[Exchange, Exchange] = {}
        for space, button in enumerate(cells):
            for goal in self._reach[button][space]:
                if cells[goal] != button:
                    found.setdefault((space, goal) if space < goal else (goal, space), (space, goal))
        return list(found.values())

    def shortest(self, targets: tuple[Target, ...], below: int = NO_BOUND) -> tuple[Exchange, ...] | None:
        """A shortest solution of fewer than `below` exchanges, None where there is none; raises OutOfNodes."""
        for depth in range(below):
            for target in targets:
                facing = {space: pair for pair in target for space in pair}
                if (way := self._within(list(self.start), target, facing, depth, (-1, -1))) is not None:
                    return way
        return None

    def _within(
        self,
        cells: list[str],
        target: Target,
        facing: dict[int, tuple[int, int]],
        depth: int,
        before: Exchange,
    ) -> tuple[Exchange, ...] | None:
        """A way to the target in at most `depth` exchanges, or None. Where a button may go does not depend on the
        others, so exchanges on four different spaces can be made in either order: only one order is tried."""
        if self.left <= 0:
            raise OutOfNodes
        self.left -= 1
        missing = self.lacking(cells, target)
        if missing == 0:
            return ()
        if missing > 2 * depth:
            return None
        for first, second in self.exchanges(cells):
            low, high = (first, second) if first < second else (second, first)
            if (low, high) == before or ((low, high) < before and not {low, high} & set(before)):
                continue
            touched = {facing[space] for space in (first, second) if space in facing}
            if 2 * (depth - 1) < missing - sum(self._lack[cells[b], cells[w]] for b, w in touched):
                continue
            cells[first], cells[second] = cells[second], cells[first]
            way = self._within(cells, target, facing, depth - 1, (low, high))
            cells[first], cells[second] = cells[second], cells[first]
            if way is not None:
                return ((first, second), *way)
        return None

    def hurried(self, targets: tuple[Target, ...]) -> tuple[Exchange, ...]:
        """Best-first with the bound weighted: a solution soon, not always a shortest; raises OutOfNodes."""
        ways: dict[Cells, tuple[Exchange, ...]] = {self.start: ()}
        heap = [(0, 0, self.start)]
        while heap:
            _, _, cells = heappop(heap)
            way = ways[cells]
            if min(self.lacking(cells, target) for target in targets) == 0:
                return way
            if self.left <= 0:
                raise OutOfNodes
            self.left -= 1
            for exchange in self.exchanges(cells):
                after = exchanged(cells, *exchange)
                if after not in ways:
                    ways[after] = (*way, exchange)
                    far = min(self.lacking(after, target) for target in targets)
                    heappush(heap, (2 * (len(way) + 1) + WEIGHT * far, len(ways), after))
        raise OutOfNodes


def solved(rules: Rules, start: Cells, goal: Goal, nodes: int) -> Par:
    """The referee's solution: one found in a hurry, then anything shorter; proven when the second search ended.

    `moves` None where the nodes did not suffice to find any."""
    targets, complete = laid(rules, goal)
    hurry = min(nodes // HURRIED_SHARE, MOST_HURRIED)
    quick = Search(rules, start, hurry)
    try:
        best: tuple[Exchange, ...] | None = quick.hurried(targets)
    except OutOfNodes:
        best = None
    exact = Search(rules, start, nodes - hurry + quick.left)
    try:
        best = exact.shortest(targets, len(best) if best is not None else NO_BOUND) or best
        proven = complete and best is not None
    except OutOfNodes:
        proven = False
    if best is None:
        return Par(None, False, ())
    names = rules.ground.spaces
    return Par(len(best), proven, tuple((names[first], names[second]) for first, second in best))


# --- seeded players ------------------------------------------------------------------------------------------------


NODES = 3_000  # enough for nearly every shuffle of the original board


def suggested(state: State, chance: Chance) -> do.PlaySolo:
    """One or more moves of a solution; now and then a wrong move, an undo, or giving up."""
    goal: Goal = state.goal or ("two", "four")[chance.below(2, "the goal")]
    mood = chance.below(12, "what to do")
    choice: Goal = "" if state.goal else goal
    if mood == 0 and state.trail and state.rules.undo != "off":
        return do.PlaySolo((do.Step("undo"),), choice)
    if mood == 1 and len(state.trail) < 3:
        space = chance.below(len(state.cells), "a button")
        if reach := state.rules.reach(state.cells[space], space):
            stray = state.rules.ground.names((space, reach[chance.below(len(reach), "where to")]))
            return do.PlaySolo((do.Step("move", stray),), choice)
    found = solved(state.rules, state.cells, goal, NODES)
    if not found.solution:
        return do.PlaySolo((do.Step("give up"),), choice)
    count = 1 + chance.below(len(found.solution), "how many moves")
    return do.PlaySolo(tuple(do.Step("move", move) for move in found.solution[:count]), choice)
