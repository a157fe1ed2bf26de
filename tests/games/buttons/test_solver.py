"""The referee's own solution (5.4): replayed, and its length against a plain search that knows no bound."""

import random
from typing import Any

import pytest

from referee.games.buttons.board import board_of
from referee.games.buttons.puzzle import Search, laid, reached, solved
from referee.games.buttons.state import Cells, Goal, Rules, exchanged
from tests.games.buttons.sitting import boards

VALUES = (1, 1, 2, 2, 3, 3, 4, 4)


def rules_of(**more: Any) -> Rules:
    board, _ = board_of("rec-1", boards()["rec-1"])
    assert board is not None
    return Rules(board, (VALUES, VALUES), mode="solo", **more)


def shuffled(seed: object) -> Cells:
    cells = [f"{colour}{value}" for colour in "BW" for value in VALUES]
    random.Random(str(seed)).shuffle(cells)
    return tuple(cells)


def plain_search(rules: Rules, start: Cells, goal: Goal, deepest: int) -> int | None:
    """A second implementation: breadth first over all positions, the goal tested as the game tests it."""
    layer, seen = {start}, {start}
    for depth in range(deepest + 1):
        if any(reached(rules, cells, goal) for cells in layer):
            return depth
        layer = {
            exchanged(cells, s, t)
            for cells in layer
            for s, button in enumerate(cells)
            for t in rules.reach(button, s)
        } - seen
        seen |= layer
    return None


def replayed(rules: Rules, start: Cells, solution: tuple[tuple[str, str], ...]) -> Cells:
    index = rules.ground.index
    for first, last in solution:
        assert index[last] in rules.reach(start[index[first]], index[first])
        start = exchanged(start, index[first], index[last])
    return start


@pytest.mark.parametrize("seed", range(12))
def test_54_the_solution_replayed_reaches_two_lines_and_is_proven_shortest(seed: int) -> None:
    rules, start = rules_of(), shuffled(seed)
    par = solved(rules, start, "two", 200_000)
    assert par.moves == len(par.solution)
    assert par.proven
    assert reached(rules, replayed(rules, start, par.solution), "two")
    deepest = 2 if seed < 3 else 1
    assert plain_search(rules, start, "two", deepest) == (par.moves if par.moves <= deepest else None)


@pytest.mark.parametrize("seed", range(6))
def test_54_the_solution_replayed_reaches_four_lines(seed: int) -> None:
    rules, start = rules_of(), shuffled(f"four {seed}")
    par = solved(rules, start, "four", 20_000)
    assert par.moves == len(par.solution)
    assert reached(rules, replayed(rules, start, par.solution), "four")


def test_54_a_few_moves_from_the_goal_the_par_is_no_more_than_they() -> None:
    """Positions made by walking back from a solved one; breadth first agrees on every one of them."""
    rules = rules_of()
    goal_cells = tuple(
        f"{colour}{value}" for row in (1, -1) for colour in "BW" for value in (1, 2, 3, 4)[::row]
    )
    draw = random.Random("walks back")
    for _ in range(5):
        cells, steps = goal_cells, draw.randint(1, 3)
        for _ in range(steps):
            s = draw.randrange(16)
            cells = exchanged(cells, s, draw.choice(rules.reach(cells[s], s)))
        for goal in ("two", "four"):
            par = solved(rules, cells, goal, 400_000)
            assert par.proven
            assert par.moves is not None
            assert par.moves <= steps  # a move can be made back by the button that made it
            assert plain_search(rules, cells, goal, 1) == (par.moves if par.moves <= 1 else None)


def test_54_the_half_turn_option_is_solved_as_it_is_judged() -> None:
    rules, start = rules_of(perspective="half_turn"), shuffled("half turn")
    par = solved(rules, start, "two", 200_000)
    assert reached(rules, replayed(rules, start, par.solution), "two")
    strict = solved(rules_of(), start, "two", 200_000)
    assert par.moves is not None
    assert strict.moves is not None
    assert par.moves <= strict.moves


def test_54_the_bound_never_exceeds_the_truth() -> None:
    """One exchange lowers what a target lacks by two at most: over every exchange of many positions."""
    rules = rules_of()
    targets = laid(rules, "two")[0]
    for seed in range(8):
        cells = shuffled(f"bound {seed}")
        search = Search(rules, cells, 1)
        for exchange in search.exchanges(cells):
            after = exchanged(cells, *exchange)
            assert all(search.lacking(cells, t) - search.lacking(after, t) <= 2 for t in targets)


def test_54_every_search_ends_within_its_nodes_and_the_same_way_twice() -> None:
    rules, start = rules_of(), shuffled("limits")
    for nodes in (0, 1, 10, 100, 1_000, 10_000):
        par = solved(rules, start, "four", nodes)
        assert par == solved(rules, start, "four", nodes)
        assert (par.moves is None) == (not par.solution)
    assert solved(rules, start, "four", 0).moves is None


@pytest.mark.soak
def test_54_the_solutions_of_five_hundred_shuffles_replayed() -> None:
    rules = rules_of()
    lengths = []
    for seed in range(500):
        start = shuffled(f"soak {seed}")
        par = solved(rules, start, "two", 400_000)
        assert par.proven
        assert reached(rules, replayed(rules, start, par.solution), "two")
        lengths.append(par.moves)
    assert {2, 3, 4} <= set(lengths)
