"""Checks against others: sgfmill's board, Tromp's counts, and a second implementation written plainly."""

import itertools
import random

import pytest
from sgfmill.boards import Board

from referee.core import seam
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games.multigo.board import EMPTY, SYMBOLS, drop, drop_together, lifeless, points_of
from referee.games.multigo.game import GAME
from referee.games.multigo.notation import Move
from referee.games.multigo.prisoners import shares_of
from referee.games.multigo.state import State
from referee.games.multigo.turns import regions
from tests.games.multigo import plainly
from tests.games.multigo.table import Table

# --- sgfmill: two colours -------------------------------------------------------------------------------------


def of_sgfmill(board: Board) -> str:
    """Sgfmill's board as ours is written: row by row from the top."""
    side = board.side
    return "".join(
        (board.get(side - 1 - point // side, point % side) or EMPTY).upper() for point in range(side * side)
    )


def area_score(board: str, side: int) -> int:
    """Black less White, an empty region counting for every colour it touches, as sgfmill has it."""
    score = board.count("B") - board.count("W")
    for region in regions(points_of(side, side), board):
        score += region.size * ((1 in region.borders) - (2 in region.borders))
    return score


@pytest.mark.parametrize("seed", range(40))
def test_two_colours_play_and_score_as_on_sgfmills_board(seed: int) -> None:
    rng, side = random.Random(seed), (5, 7, 9, 13)[seed % 4]
    points, theirs = points_of(side, side), Board(side)
    ours = [EMPTY] * (side * side)
    for number in range(2 * side * side):
        point = rng.randrange(side * side)
        if ours[point] != EMPTY:
            continue
        row, column = divmod(point, side)
        theirs.play(side - 1 - row, column, "bw"[number % 2])
        drop(ours, points.neighbours, point, "BW"[number % 2])
        assert "".join(ours) == of_sgfmill(theirs)
    assert area_score("".join(ours), side) == theirs.area_score()


def test_two_players_in_sequence_play_ordinary_go() -> None:
    """Through the seam: a move is refused where sgfmill's board would repeat a position or lose the stone."""
    for seed in range(6):
        rng, table, board = random.Random(seed), Table(2, order="sequential", board="9x9"), Board(9)
        seen, refused = {of_sgfmill(board)}, set()
        for number in range(150):
            row, column = rng.randrange(9), rng.randrange(9)
            seat, copy = number % 2 + 1, board.copy()
            name = f"{'ABCDEFGHJ'[column]}{row + 1}"
            if board.get(row, column) is not None:
                expected = ["occupied"]
            else:
                copy.play(row, column, "bw"[seat - 1])
                repeated = of_sgfmill(copy) in seen
                expected = ["suicide"] if copy.get(row, column) is None else ["superko"] if repeated else []
            assert table.codes(seat, f"Move: {name}") == expected
            if expected:
                refused.add(expected[0])
                table.play(f"{seat} Pass")
                if table.state.phase != "play":
                    break
            else:
                board = copy
                seen.add(of_sgfmill(board))
            assert table.state.board == of_sgfmill(board)
        assert "occupied" in refused


# --- Tromp: legal positions, and whole games -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "height", "legal"),
    [(1, 1, 1), (1, 2, 5), (1, 3, 15), (1, 4, 41), (2, 2, 57), (2, 4, 4125), (3, 3, 12675)],
)
def test_the_legal_positions_are_as_many_as_tromp_counted(width: int, height: int, legal: int) -> None:
    neighbours = points_of(width, height).neighbours
    boards = itertools.product(".BW", repeat=width * height)
    assert sum(not lifeless("".join(board), neighbours) for board in boards) == legal


def games(state: State, depth: int = 99) -> int:
    """How many ways a match can go on (to that depth), by everything `check` allows."""
    owed = [d for r in GAME.due(state) for d in r.demands]
    if depth == 0 or not owed:
        return 1
    moves = [Move(), *(Move((name,)) for name in state.points.names)]
    return sum(
        games(after(state, owed[0], move), depth - 1)
        for move in moves
        if not Standing(GAME, state).check(owed[0], move)
    )


def after(state: State, demand: Demand, move: Move) -> State:
    for event in seam.resolve(GAME, state, {demand: move}):
        state = GAME.evolve(state, event)
    return state


@pytest.mark.parametrize(("row", "count"), [(".", 1), ("..", 9), ("...", 907)])
def test_the_games_under_positional_superko_are_as_many_as_tromp_counted(row: str, count: int) -> None:
    table = Table(2, position=row, suicide="allowed", dead="none")
    assert games(table.state) == count


# --- more than two colours: the rules written plainly ----------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "height", "players", "depth"),
    [(1, 2, 3, 7), (1, 3, 3, 6), (2, 2, 3, 5), (2, 2, 4, 5), (3, 2, 3, 4), (1, 4, 5, 5)],
)
def test_the_ways_a_sequential_match_can_go_are_as_many_as_by_brute_force(
    width: int, height: int, players: int, depth: int
) -> None:
    table = Table(players, position="/".join(["." * width] * height), compensation="none", dead="none")
    assert games(table.state, depth) == plainly.games((width, height), players, depth)


@pytest.mark.parametrize("players", [3, 5, 8])
def test_a_stone_removes_what_the_plain_rules_remove(players: int) -> None:
    for seed in range(12):
        rng, size = random.Random(seed), (5, 4)
        points, board, ours = points_of(*size), plainly.Board(), [EMPTY] * 20
        for number in range(120):
            point = (rng.randrange(size[0]), rng.randrange(size[1]))
            if point in board:
                continue
            seat = number % players + 1
            board = plainly.sequential(size, board, seat, point)
            drop(ours, points.neighbours, (size[1] - 1 - point[1]) * size[0] + point[0], SYMBOLS[seat - 1])
            assert list(points.rows("".join(ours))) == plainly.drawn(size, board)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("old_first", [False, True])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_parallel_round_removes_what_the_plain_rules_remove(players: int, old_first: bool) -> None:
    removed = 0
    for seed in range(20):
        rng, size = random.Random(seed), (4, 4)
        points, board = points_of(*size), plainly.Board()
        for _ in range(25):
            free = [p for p in plainly.every(size) if p not in board]
            orders = {seat: rng.choice([*free, None]) for seat in range(1, players + 1)}
            after = plainly.parallel(size, board, orders, old_first)
            ours = list("".join(plainly.drawn(size, board)))
            chosen = [p for p in orders.values() if p is not None]
            stones = [
                ((size[1] - 1 - p[1]) * size[0] + p[0], SYMBOLS[seat - 1])
                for seat, p in orders.items()
                if p is not None and chosen.count(p) == 1
            ]
            removed += len(drop_together(ours, points.neighbours, stones, old_first))
            assert list(points.rows("".join(ours))) == plainly.drawn(size, after)
            board = after
    assert removed > 20


def test_a_lone_mover_with_old_first_plays_as_in_sequence_and_simultaneously_does_not() -> None:
    """2.4: with a single mover `old_first` is the sequential rule with suicide allowed."""
    differences, tried = 0, 0
    for seed in range(60):
        rng, size = random.Random(seed), (4, 4)
        points, board = points_of(*size), plainly.Board()
        for number in range(40):
            free = [p for p in plainly.every(size) if p not in board]
            point, seat = rng.choice(free), number % 3 + 1
            index = (size[1] - 1 - point[1]) * size[0] + point[0]
            expected = plainly.sequential(size, board, seat, point)
            for old_first in (True, False):
                ours = list("".join(plainly.drawn(size, board)))
                drop_together(ours, points.neighbours, [(index, SYMBOLS[seat - 1])], old_first)
                same = list(points.rows("".join(ours))) == plainly.drawn(size, expected)
                assert same or not old_first
                differences += not same
            tried += 1
            board = expected
    assert tried == 2400
    assert differences > 50


@pytest.mark.parametrize("rest_rule", ["at_least_one", "more_than_one"])
def test_every_small_division_counts_out_as_by_hand(rest_rule: str) -> None:
    law = Table(8, order="parallel", coop="on", rest_rule=rest_rule).state.law
    for stones, captors in itertools.product(range(1, 25), range(1, 9)):
        for last in range(captors + 1):
            expected = plainly.shares(stones, captors, last, rest_rule == "more_than_one")
            found, spare = shares_of(law, stones, set(range(1, captors + 1)), set(range(1, last + 1)))
            each, more, rest = expected
            assert spare == rest
            assert sorted(found.values()) == sorted([more] * last + [each] * (captors - last))
