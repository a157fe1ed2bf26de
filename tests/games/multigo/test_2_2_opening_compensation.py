"""2.2: forced passes with three or four players, double opening moves with five to eight."""

from __future__ import annotations

import pytest

from referee.games.multigo.state import Passed
from tests.games.multigo.table import Table


def stones(table: Table, players: int) -> list[int]:
    return [sum(row.count("BWRUGYPO"[seat]) for row in table.board) for seat in range(players)]


def play_round(table: Table, row: int, double: tuple[int, ...] = ()) -> None:
    """Every seat that is asked places a stone of its own column in that row (two, where it may)."""
    began = table.state.round
    while table.state.round == began:
        seat = table.state.turn
        column = "ABCDEFGHJ"[seat - 1]
        second = f" {column}{row + 1}" if seat in double and began == 1 else ""
        table.play(f"{seat} {column}{row}{second}")


@pytest.mark.parametrize(
    ("players", "after"),
    [
        (3, [[1, 1, 1], [2, 2, 2], [2, 3, 3]]),
        (4, [[1, 1, 1, 1], [2, 2, 2, 2], [2, 2, 3, 3]]),
        (5, [[1, 1, 1, 1, 2], [2, 2, 2, 2, 3], [3, 3, 3, 3, 4]]),
        (6, [[1, 1, 1, 1, 2, 2], [2, 2, 2, 2, 3, 3], [3, 3, 3, 3, 4, 4]]),
        (7, [[1, 1, 1, 1, 2, 2, 2], [2, 2, 2, 2, 3, 3, 3], [3, 3, 3, 3, 4, 4, 4]]),
        (8, [[1, 1, 1, 1, 2, 2, 2, 2], [2, 2, 2, 2, 3, 3, 3, 3], [3, 3, 3, 3, 4, 4, 4, 4]]),
    ],
)
def test_2_2_stones_after_the_first_three_rounds(players: int, after: list[list[int]]) -> None:
    table = Table(players, board="9x9")
    double = tuple(seat for seat in range(1, players + 1) if after[0][seat - 1] == 2)
    for expected, row in zip(after, (1, 4, 7), strict=True):
        play_round(table, row, double)
        assert stones(table, players) == expected


def test_2_2_without_compensation_nobody_passes_and_nobody_plays_twice() -> None:
    table = Table(5, board="9x9", compensation="none")
    assert table.play("B A1", "W B1", "R C1", "U D1").codes(5, "Move: E1 E2") == ["too_many_points"]
    for row in (1, 4, 7):
        while table.state.round < {1: 2, 4: 3, 7: 4}[row]:
            seat = table.state.turn
            table.play(f"{seat} {'ABCDE'[seat - 1]}{row}")
    assert not table.of(Passed)


def test_2_2_parallel_play_knows_no_compensation() -> None:
    table = Table(3, order="parallel", board="9x9")
    for row in (1, 3, 5):
        table.play(f"B A{row}", f"W C{row}", f"R E{row}")
    assert stones(table, 3) == [3, 3, 3]


def test_2_2_a_forced_pass_does_not_count_towards_the_end() -> None:
    table = Table(3, board="9x9").play("B A1", "W B1", "R C1", "B A3", "W Pass", "R Pass")
    assert table.state.phase == "play"
    assert table.owed == [(2, "Move")]  # Black has passed by force
    table.play("W Pass", "R Pass")
    assert table.state.phase == "play"
    table.play("B Pass")
    assert table.state.phase == "dead"


def test_2_2_the_second_stone_of_a_double_move_sees_what_the_first_captured() -> None:
    drawing = """
    3 B W . . .
    2 . B . . .
    1 . . . . .
      A B C D E
    """
    table = Table(5, drawing).play("B Pass", "W Pass", "R Pass", "U Pass", "G C3 B3")
    assert table.row(3) == "B G G . ."


def test_2_2_one_point_alone_is_one_stone_and_a_pass() -> None:
    table = Table(5, board="9x9").play("B A1", "W B1", "R C1", "U D1", "G E1")
    assert table.owed == [(1, "Move")]
    assert stones(table, 5) == [1, 1, 1, 1, 1]
