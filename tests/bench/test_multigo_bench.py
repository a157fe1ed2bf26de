"""Speed of multiplayer Go (issue 4): run by `make bench`, or `pytest tests/bench`; every ratio is of one run.

The baseline is sgfmill's `Board`, which knows two colours; for more a subclass lets it capture all others. It is
given its moves ready-made; no superko for either: what that costs is part of a
mail's (`test_growth_bench.py`).
"""

import gc
import random
import time
from collections.abc import Callable

import pytest
from sgfmill.boards import Board

from referee.games.multigo.board import EMPTY, SYMBOLS, drop, points_of

SIDE, MOVES, GAMES = 19, 600, 5
POINTS = points_of(SIDE, SIDE)
Plays = list[tuple[int, str]]


class ManyColours(Board):
    """Sgfmill's board, letting a stone capture chains of every other colour."""

    def play(self, row: int, col: int, colour: str) -> None:
        if self.board[row][col] is not None:
            raise ValueError
        self.board[row][col] = colour
        surrounded = self._find_surrounded_groups(row, col)
        others = [group for group in surrounded if group.colour != colour]
        for group in others or surrounded:
            for r, c in group.points:
                self.board[r][c] = None


def random_game(colours: int, seed: int) -> Plays:
    """A random game without suicide or repetition, up to `MOVES` moves."""
    rng, cells, plays = random.Random(seed), [EMPTY] * SIDE**2, list[tuple[int, str]]()
    for _ in range(20 * MOVES):
        point, symbol = rng.randrange(SIDE**2), SYMBOLS[len(plays) % colours]
        if cells[point] == EMPTY and len(plays) < MOVES:
            trial = cells.copy()
            drop(trial, POINTS.neighbours, point, symbol)
            if trial[point] == symbol:
                cells = trial
                plays.append((point, symbol))
    return plays


def ours(games: list[Plays]) -> None:
    for plays in games:
        cells = [EMPTY] * SIDE**2
        for point, symbol in plays:
            drop(cells, POINTS.neighbours, point, symbol)


def theirs(games: list[Plays], kind: type[Board]) -> None:
    for plays in games:
        board = kind(SIDE)
        for point, symbol in plays:
            board.play(point // SIDE, point % SIDE, symbol.lower())


def seconds(*works: Callable[[], object], times: int = 5) -> list[float]:
    """The CPU of the cheapest run of each, taken in turn, so that what else runs on the machine does not count."""
    found = [float("inf")] * len(works)
    for _ in range(times):
        for index, work in enumerate(works):
            gc.collect()
            began = time.process_time()
            work()
            found[index] = min(found[index], time.process_time() - began)
    return found


@pytest.mark.parametrize("colours", [2, 4, 8])
def test_the_kernel_plays_at_least_three_times_as_fast_as_sgfmill(
    colours: int, record_property: Callable[[str, object], None]
) -> None:
    games = [random_game(colours, seed) for seed in range(GAMES)]
    moves = sum(len(plays) for plays in games)
    kind = Board if colours == 2 else ManyColours
    mine, other = seconds(lambda: ours(games), lambda: theirs(games, kind))
    record_property("ratio", other / mine)
    print(
        f"\n{colours} colours, {moves} moves: {moves / mine:,.0f} moves/s against sgfmill's "
        f"{moves / other:,.0f}: {other / mine:.1f} times"
    )
    assert other / mine >= 3
