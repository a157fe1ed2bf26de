"""The solver of claims against the plain search it grew from, on the same positions in one run: time and positions
looked at, at n = 2 to 8, placing and relocating on 8x8. Run with `pytest tests/bench/test_onepiece_bench.py -s`."""

import json
import random
import time
from dataclasses import dataclass

import pytest

from referee.games.onepiece import checker
from referee.games.onepiece.board import Grid, ground
from referee.games.onepiece.solver import OutOfNodes, Search, solved
from tests.games.onepiece.plainly import drawn_grid

LIMIT = 200_000  # positions the plain search may look at


class Plain:
    """Depth first over the same board of bits, each side's immediate wins first, with a table of positions: nothing
    that the solver does beyond that."""

    def __init__(self, exact: bool) -> None:
        self.ground = ground(8, 8)
        self.exact = exact
        self.nodes = 0
        self.table: dict[tuple[int, int, int, int], bool] = {}

    def succeeds(self, x: int, y: int, h: int, box: int, plies: int) -> bool:
        self.nodes += 1
        if self.nodes > LIMIT:
            raise OutOfNodes
        key = (x, y, h, plies)
        if key not in self.table:
            self.table[key] = (
                self._some(x, y, h, box, plies) if plies % 2 else self._every(x, y, h, box, plies)
            )
        return self.table[key]

    def _some(self, x: int, y: int, h: int, box: int, plies: int) -> bool:
        g = self.ground
        if plies == 1 or not self.exact:
            won = g.winning(x, y, h, box) is not None
            if won or plies == 1:
                return won
        return any(
            self.succeeds(x ^ s.dx, y ^ s.dy, h ^ s.dh, max(0, box - 1), plies - 1)
            for s in g.steps(x, y, h, box)
            if g.result(x, y, s) == 0
        )

    def _every(self, x: int, y: int, h: int, box: int, plies: int) -> bool:
        g = self.ground
        if g.winning(y, x, h, box) is not None:
            return False
        steps = g.steps(x, y, h, box)
        return bool(steps) and all(
            g.result(x, y, s) == 1 or self.succeeds(x ^ s.dx, y ^ s.dy, h ^ s.dh, max(0, box - 1), plies - 1)
            for s in steps
        )


@dataclass
class Sum:
    seconds: float = 0.0
    nodes: int = 0
    undecided: int = 0


def hard_grids(relocating: bool, count: int) -> list[Grid]:
    """Drawn positions in which blue, to move, can't win at once."""
    rng = random.Random(5)
    found: list[Grid] = []
    while len(found) < count:
        grid = drawn_grid(rng, 8, 8, 20, rng.randint(22, 40) if relocating else rng.randint(4, 15))
        x, y, h = ground(8, 8).position(grid.pieces, "red")
        if ground(8, 8).winning(y, x, h, grid.box) is None:
            found.append(grid)
    return found


@pytest.mark.parametrize(
    ("relocating", "n", "count"), [(False, 4, 20), (False, 6, 8), (True, 4, 12), (True, 6, 6)]
)
@pytest.mark.parametrize("exact", [True, False])
def test_the_solver_agrees_with_the_plain_search_and_looks_at_less(
    relocating: bool, n: int, count: int, exact: bool
) -> None:
    plain, fast = Sum(), Sum()
    for grid in hard_grids(relocating, count):
        at = (*ground(8, 8).position(grid.pieces, "red"), grid.box)
        expected, search = None, Plain(exact)
        start = time.process_time()
        try:
            expected = search.succeeds(*at, n)
        except OutOfNodes:
            plain.undecided += 1
        plain.seconds += time.process_time() - start
        plain.nodes += search.nodes
        ours = Search(8, 8, exact, 10**9)
        start = time.process_time()
        found = ours.succeeds((at[1], at[0], *at[2:]), n)
        fast.seconds += time.process_time() - start
        fast.nodes += ours.nodes
        assert expected in (found, None)
    what = f"{'relocating' if relocating else 'placing'} n={n} {'exact' if exact else 'by'}"
    print(
        f"\n{what}: plain {plain.seconds:.2f} s, {plain.nodes} positions, {plain.undecided} of {count} undecided;",
        end=" ",
    )
    print(f"solver {fast.seconds:.2f} s, {fast.nodes} positions, all decided")
    assert fast.nodes * 2 < plain.nodes
    assert fast.seconds < plain.seconds or plain.seconds < 1


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("relocating", "count"), [(False, 6), (True, 6)])
def test_n_8_is_decided_and_its_proof_is_written_and_checked(
    relocating: bool, count: int, exact: bool
) -> None:
    for grid in hard_grids(relocating, count):
        start = time.process_time()
        search = Search(8, 8, exact, 10**9)
        search.succeeds((*search.ground.position(grid.pieces, "blue"), grid.box), 8)
        searched = time.process_time() - start
        start = time.process_time()
        found = solved(grid, "red", 8, exact, 10**9)
        written = time.process_time() - start - searched
        size = len(json.dumps(found.proof, separators=(",", ":")))
        start = time.process_time()
        assert found.proof is not None
        assert checker.faults(found.proof) == ()
        checked = time.process_time() - start
        what = f"{'relocating' if relocating else 'placing'} n=8 {'exact' if exact else 'by'}"
        print(f"\n{what} {found.verdict}: {search.nodes} positions in {searched:.2f} s;", end=" ")
        print(f"proof {size} bytes, written in {written:.2f} s, checked in {checked:.2f} s", end="")
