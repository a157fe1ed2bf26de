"""What buttons and bridges cost: the table of a board, a turn late in a match, and the referee's own solutions."""

from __future__ import annotations

from typing import Any

import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.owing import Demand
from referee.core.seam import Standing
from referee.games.buttons.board import ground, table
from referee.games.buttons.game import GAME
from tests.games.at_the_seam import party
from tests.games.buttons.sitting import Sitting, lines_of

SHUFFLES = range(10)


def test_the_table_of_the_default_board(benchmark: Any) -> None:
    board = Sitting(starter="1").state.rules.board

    def fresh() -> None:
        table.cache_clear()
        ground.cache_clear()
        table(board, 8)

    benchmark(fresh)


@pytest.mark.parametrize("turns", [10, 300])
def test_a_mail_costs_at_turn_300_what_it_costs_at_turn_10(benchmark: Any, turns: int) -> None:
    """Read, checked, resolved and folded; the position goes to and fro without end."""
    sitting = Sitting(
        starter="1", repetition="off", position="B1 .. .. W1/.. .. .. ../.. .. .. ../.. .. .. .."
    )
    there_and_back = ((1, "Move: a4-b4"), (2, "Move: d4-d3"), (1, "Move: b4-a4"), (2, "Move: d3-d4"))
    for turn in range(turns - turns % 4):
        sitting.played(there_and_back[turn % 4])
    state, demand, lines = sitting.state, Demand("Move", 1), lines_of("Move: a4-b4")

    def mail() -> None:
        after = state
        reading = seam.read(GAME, state, demand, Body(lines), party(1))
        assert not Standing(GAME, state).check(demand, reading.action)
        for event in seam.resolve(GAME, state, {demand: reading.action}):
            after = GAME.evolve(after, event)
        assert after.turn == state.turn + 1

    benchmark(mail)


@pytest.mark.parametrize("goal", ["two", "four"])
def test_par(benchmark: Any, goal: str) -> None:
    """The rules page's known costs, a shuffle: two lines 0.16-0.37 s in the median by deepening, 0.6 s by a weighted
    search; four lines 1.3 s by a weighted search."""
    states = [Sitting(mode="solo", goal=goal, seed=str(seed)).state for seed in SHUFFLES]

    def all_of_them() -> list[int | None]:
        return [GAME.compute(state, Demand("Par", 0), 100_000).par.moves for state in states]

    lengths = benchmark.pedantic(all_of_them, rounds=1, iterations=1)
    assert None not in lengths
    benchmark.extra_info["moves"] = lengths
