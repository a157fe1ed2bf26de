"""2.3: captures, suicide, superko, the order of turns."""

from __future__ import annotations

import pytest

from tests.games.multigo.table import Table

KO = """
3 . B W .
2 B . B W
1 . B W .
  A B C D
"""


def test_2_3_dead_chains_of_two_colours_that_touch_are_removed_at_once() -> None:
    """B1 is the last liberty of White and of Red: neither is saved by the other's removal."""
    table = Table(3, "3 B B B\n2 W R B\n1 W . B\n  A B C", compensation="none").play("B B1")
    assert table.board == ["BBB", "..B", ".BB"]
    assert table.prisoners == {"black": {"white": 2, "red": 1}}


def test_2_3_suicide_is_forbidden_and_allowed_by_option() -> None:
    drawing = """
    3 . W . .
    2 W B W .
    1 . B W .
      A B C D
    """
    table = Table(2, drawing)
    assert table.codes(1, "Move: A1") == ["suicide"]
    table = Table(2, drawing, suicide="allowed").play("B A1")
    assert table.board == [".W..", "W.W.", "..W."]
    assert table.prisoners == {"white": {"black": 3}}


def test_2_3_a_capture_comes_before_suicide() -> None:
    table = Table(2, "2 B W .\n1 . W .\n  A B C".replace("1 . W .", "1 . W B"))
    assert table.play("B Pass", "W A1").board == [".W.", "WWB"]


def test_2_3_a_position_may_not_come_again() -> None:
    table = Table(2, KO).play("B Pass", "W B2")
    assert table.row(2) == "B W . W"
    assert table.codes(1, "Move: C2") == ["superko"]
    table.play("B A1", "W D1")
    assert table.codes(1, "Move: C2") == []


def test_2_3_without_superko_the_ko_is_taken_back_at_once() -> None:
    table = Table(2, KO, superko="off").play("B Pass", "W B2", "B C2")
    assert table.row(2) == "B . B W"


@pytest.mark.parametrize(("superko", "fault"), [("positional", ["superko"]), ("situational", [])])
def test_2_3_a_situation_is_the_position_with_the_seat_to_move(superko: str, fault: list[str]) -> None:
    """The first position had Black to move; White brings it back at once, with Red to move."""
    taken = KO.replace("2 B . B W", "2 B W . W")
    table = Table(3, taken, superko=superko, compensation="none").play("B C2")
    assert table.codes(2, "Move: B2") == fault


def test_2_3_a_situation_may_not_come_again() -> None:
    taken = KO.replace("2 B . B W", "2 B W . W")
    table = Table(3, taken, superko="situational", compensation="none")
    table.play("B C2", "W B2", "R Pass")
    assert table.codes(1, "Move: C2") == ["superko"]


@pytest.mark.parametrize("superko", ["positional", "situational"])
def test_2_3_passing_is_always_legal(superko: str) -> None:
    table = Table(2, KO, superko=superko).play("B Pass", "W B2", "B Pass", "W Pass")
    assert table.state.phase == "dead"


def test_2_3_turns_go_round_and_skip_those_who_resigned() -> None:
    table = Table(4, board="9x9", compensation="none").play("B A1", "R Resign")
    assert table.owed == [(2, "Move")]
    table.play("W B1")
    assert table.owed == [(4, "Move")]
    table.play("U D1")
    assert (table.state.round, table.owed) == (2, [(1, "Move")])
    table.play("B Resign")
    assert table.owed == [(2, "Move")]
