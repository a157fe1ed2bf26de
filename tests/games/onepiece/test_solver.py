"""The solver and the checker of its proofs, against the plain implementation; symmetries; limits."""

import ast
import copy
import json
import random
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee.games.onepiece import checker
from referee.games.onepiece.board import COLOURS, Colour, Grid, ground, other, ply_of, winner_in
from referee.games.onepiece.solver import Found, OutOfNodes, Search, solved
from tests.games.onepiece.plainly import drawn_grid, exchanged, forces, mirrored, moves, winner
from tests.games.onepiece.table import E6, K2
from tests.sampling import long

SHAPES = [
    (4, 4, 4),
    (4, 4, 6),
    (5, 4, 7),
    (5, 5, 9),
    (6, 4, 8),
    (4, 6, 9),
    (4, 5, 5),
    (6, 5, 10),
    (7, 7, 20),
    (8, 8, 20),
]
NO_LIMIT = 10**12


def positions(seed: int, count: int) -> list[Grid]:
    """Small and full boards, some with the last pieces in the box."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        cols, rows, pieces = rng.choice(SHAPES)
        found.append(drawn_grid(rng, cols, rows, pieces, rng.randint(0, pieces + 6)))
    return found


def answer(grid: Grid, colour: Colour, plies: int, exact: bool) -> Found:
    found = solved(grid, colour, plies, exact, NO_LIMIT)
    assert found.proof is not None
    assert checker.faults(json.loads(json.dumps(found.proof))) == ()
    return found


def agree(seed: int, count: int, most: int) -> tuple[int, int]:
    """How many questions were asked, and how many of them are true; `most` bounds what the plain search looks at."""
    asked = true = 0
    for grid in positions(seed, count):
        for colour in COLOURS:
            for plies in range(1, 6):
                if len(grid.plies()) ** plies > most:
                    break
                for exact in (True, False):
                    expected = forces(grid, colour, plies, exact)
                    assert (answer(grid, colour, plies, exact).verdict == "proved") is expected
                    asked, true = asked + 1, true + expected
    return asked, true


@pytest.mark.parametrize(
    ("seed", "count", "most", "often"), [(1, 30, 1500, 1 / 3), *long((2, 2900, 2500, 1), (3, 100, 60_000, 1))]
)
def test_verdicts_agree_with_the_plain_search_and_their_proofs_hold(
    seed: int, count: int, most: int, often: float
) -> None:
    """Many positions at few plies, and some at as many as the plain search can look at."""
    asked, true = agree(seed, count, most)
    assert asked > (10 * count if often == 1 else 150)
    assert true > often * count


def test_the_board_has_the_moves_results_and_wins_of_the_plain_rules() -> None:
    for grid in positions(seed=3, count=40):
        g = ground(grid.cols, grid.rows)
        for colour in COLOURS:
            x, y, h = g.position(grid.pieces, colour)
            steps = g.steps(x, y, h, grid.box)
            plies = [g.ply(step, colour) for step in steps]
            assert set(plies) == set(grid.plies()) == moves(grid)
            assert [g.step(ply, colour) for ply in plies] == steps
            wins = set()
            for step, ply in zip(steps, plies, strict=True):
                after = grid.after(ply)
                won = winner(after, ply.placed)
                assert winner_in(after, ply) == won
                assert g.result(x, y, step) == {None: 0, colour: 1, other(colour): -1}[won]
                assert g.position(after.pieces, colour) == (x ^ step.dx, y ^ step.dy, h ^ step.dh)
                wins |= {step} if won == colour else set()
            found = g.winning(x, y, h, grid.box)
            assert (found in wins) if wins else found is None


def test_moves_of_elsewhere_are_legal_where_they_are_among_the_moves() -> None:
    for one, two in pairwise(positions(seed=10, count=60)):
        g = ground(one.cols, one.rows)
        at = (*g.position(one.pieces, "red"), one.box)
        mine = set(g.steps(*at))
        elsewhere = g.steps(*at[:3], 0 if one.box else 7)
        if (one.cols, one.rows) == (two.cols, two.rows):
            elsewhere += g.steps(*g.position(two.pieces, "red"), two.box)
        assert [s for s in (*mine, *elsewhere) if g.legal(*at, s)] == [
            s for s in (*mine, *elsewhere) if s in mine
        ]


def test_no_move_that_threats_leave_out_undoes_them_all() -> None:
    """What the search never looks at, tried one by one: the other side wins after it."""
    left_out = 0
    for grid in positions(seed=8, count=120):
        search = Search(grid.cols, grid.rows, True, NO_LIMIT)
        g, at = search.ground, (*search.ground.position(grid.pieces, "red"), grid.box)
        steps = g.steps(*at)
        looked_at = set(search.undoing(at, steps))
        for step in set(steps) - looked_at:
            assert g.winning(*search.moved(at, step)) is not None or g.result(*at[:2], step) == -1
            left_out += 1
    assert left_out > 50


def test_what_was_searched_before_changes_no_count_of_nodes() -> None:
    grids = [drawn_grid(random.Random(seed), 8, 8, 20, 24) for seed in (12, 13)]
    counted = []
    for grid in (*grids, *grids):
        search = Search(8, 8, True, NO_LIMIT)
        search.succeeds((*search.ground.position(grid.pieces, "blue"), grid.box), 4)
        counted.append(search.nodes)
    assert counted[:2] == counted[2:]


def test_a_mirror_and_an_exchange_of_colours_change_no_verdict() -> None:
    for grid in positions(seed=4, count=20):
        for plies in (2, 3, 4):
            for colour in COLOURS:
                expected = answer(grid, colour, plies, True).verdict
                assert answer(mirrored(grid), colour, plies, True).verdict == expected
                assert answer(exchanged(grid), other(colour), plies, True).verdict == expected


def test_a_limit_of_nodes_alone_gives_up_and_twice_the_same_is_counted() -> None:
    grid = drawn_grid(random.Random(6), 8, 8, 20, 6)
    counted = []
    for _ in range(2):
        search = Search(8, 8, True, NO_LIMIT)
        search.succeeds((*search.ground.position(grid.pieces, "blue"), grid.box), 6)
        counted.append(search.nodes)
    assert counted[0] == counted[1] > 5
    short = Search(8, 8, True, counted[0] - 1)
    with pytest.raises(OutOfNodes):
        short.succeeds((*short.ground.position(grid.pieces, "blue"), grid.box), 6)
    assert solved(grid, "red", 6, True, counted[0] - 1).verdict == "unknown"


# --- the checker --------------------------------------------------------------------------------------------


ASKED = ((2, True), (3, False), (4, True), (4, False))


@cache
def some_proofs(asked: tuple[tuple[int, bool], ...] = ASKED, count: int = 30) -> list[dict[str, Any]]:
    found = []
    for grid in positions(seed=7, count=count):
        for colour in COLOURS:
            for plies, exact in asked:
                proof = solved(grid, colour, plies, exact, NO_LIMIT).proof
                assert proof is not None
                found.append(proof)
    return found


def test_the_opposite_verdict_is_never_proved_by_the_same_proof() -> None:
    for proof in some_proofs():
        turned = {"proved": "refuted", "refuted": "proved"}[proof["verdict"]]
        assert checker.faults({**proof, "verdict": turned})


def test_a_damaged_proof_is_either_refused_or_still_a_proof() -> None:
    """No damage may make the checker accept what is false, nor make it raise."""
    rng = random.Random(9)
    refused = 0
    for proof in some_proofs():
        for _ in range(4):
            damaged = copy.deepcopy(proof)
            _damage(rng, damaged)
            question = damaged["question"]
            faults = checker.faults(damaged)
            refused += bool(faults)
            if not faults:
                assert question == proof["question"]
                assert damaged["verdict"] == proof["verdict"]
    assert refused > 100


def test_a_long_proof_of_a_win_lists_no_last_answers_and_a_short_one_does() -> None:
    long = 0
    for proof in [*some_proofs(), *some_proofs(((6, False), (7, True)), 12)]:
        relies = "-2" in json.dumps([proof["nodes"], proof["root"]])
        if proof["verdict"] == "proved" and relies:
            assert ("form" in proof) is (proof["question"]["plies"] >= 6) is (not proof["last"])
            assert checker.faults({**proof, "last": [[]]})
            assert checker.faults({**proof, "form": 3})
            first = {key: value for key, value in proof.items() if key != "form"}
            assert bool(checker.faults(first)) is ("form" in proof)
            long += "form" in proof
    assert long


def _damage(rng: random.Random, proof: dict[str, Any]) -> None:
    """One move, answer or node changed at random, or the verdict with it."""
    kind = rng.randrange(5)
    if kind == 0 and proof["moves"]:
        rng.shuffle(proof["moves"])
    elif kind == 1:
        proof["root"] = rng.choice([[0, 0], 0, [1, 1], [-1, -1], None, "x"])
    elif kind == 2:
        rng.shuffle(proof["nodes"])
    elif kind == 3:
        proof["nodes"] = [[[], *groups[:1]] for _, *groups in proof["nodes"]]
        proof["last"] = [answers[1:] for answers in proof["last"]]
    else:
        proof["verdict"] = {"proved": "refuted", "refuted": "proved"}[proof["verdict"]]


@pytest.mark.parametrize("nonsense", [{}, {"question": 1}, {"question": {}, "verdict": "proved"}])
def test_nonsense_is_no_proof(nonsense: dict[str, Any]) -> None:
    assert "can't be read" in checker.faults(nonsense)[0]


def test_the_checker_knows_the_board_alone_and_nothing_of_the_search() -> None:
    """The board is judged against the plain implementation."""
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named |= {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    assert {name for name in named if name and name.startswith("referee")} == {"referee.games.onepiece.board"}


# --- known figures (4.5) ------------------------------------------------------------------------------------

DEEP = [("K2", 8, "red"), ("E6", 8, "blue"), ("E6", 7, "blue")]


@pytest.mark.parametrize(("name", "size", "colour"), DEEP)
def test_45_exact_and_by_two_to_eight(name: str, size: int, colour: Colour) -> None:
    plies = {"K2": K2.split(), "E6": E6.split()[:5]}[name]
    grid = Grid(size, size, (ply_of(text).placed for text in plies), 20 - len(plies))
    assert [answer(grid, colour, n, True).verdict for n in (2, 4, 6, 8)] == ["proved"] + ["refuted"] * 3
    assert [answer(grid, colour, n, False).verdict for n in (2, 4, 6, 8)] == ["proved"] * 4


@pytest.mark.parametrize("count", [1, 3])
def test_36_after_plies_1_and_3_of_e6_blue_forces_nothing(count: int) -> None:
    grid = Grid(8, 8, (ply_of(text).placed for text in E6.split()[:count]), 20 - count)
    assert {answer(grid, "blue", n, True).verdict for n in (2, 4, 6)} == {"refuted"}
