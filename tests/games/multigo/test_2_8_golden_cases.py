"""The golden cases of the rules page, as they are drawn there."""

from __future__ import annotations

import pytest

from tests.games.multigo.table import Table

T1 = """
5 . . . . .
4 . . B . .
3 . B W . .
2 . . B . .
1 . . . . .
  A B C D E
"""
T2 = """
5 . . . . . . . .
4 . . R R . B . .
3 . R W W . U B .
2 . . R R . B . .
1 . . . . . . . .
  A B C D E F G H
"""
T3A = """
4 . . R R . .
3 . R W W . .
2 . . R R . .
  A B C D E F
"""
T3B = """
4 . . B U . .
3 . B W W . .
2 . . U B . .
  A B C D E F
"""
P1 = """
7 . . W . . . . B .
6 . W B . . . B W .
5 . . W . . . . B .
4 . . . . . . . . .
3 . . . R . . . . .
2 . . R W . . . . .
1 . . . R . . . . .
  A B C D E F G H J
"""
P2 = """
4 . B W . .
3 B W . W .
2 . B W . .
1 . . . . .
  A B C D E
"""
PC1 = """
5 . . . . . . . . .
4 . . B B . W W . .
3 . B U U U R R W .
2 . . W W B . B . .
1 . . . . . . . . .
  A B C D E F G H J
"""
S1 = """
5 B B . . W . . . W . R . . R R U . . U U . B
4 . B . . W . . . W . R . . . R U . . . U U B
3 . B . . W . . . W . R . . . R U . . U U U B
2 . B . . W . . . W . R . . . R U . . U U . B
1 B B . . W . . . W . R . . R R U . . U U . B
  A B C D E F G H J K L M N O P Q R S T U V W
"""
T3 = {"T3A": T3A, "T3B": T3B}


def turn(board: str, mover: str, point: str, coop: str = "on") -> Table:
    """A sequential match of four where that colour is the first not to pass."""
    table = Table(4, board, coop=coop, compensation="none")
    for colour in "BWRU":
        table.play(f"{colour} {point}" if colour == mover else f"{colour} pass")
        if colour == mover:
            return table
    raise AssertionError(mover)


@pytest.mark.parametrize(("mover", "name"), [("R", "red"), ("U", "blue")])
def test_t1_of_one_stone_and_two_captors_the_mover_takes_it(mover: str, name: str) -> None:
    table = turn(T1, mover, "D3")
    assert table.prisoners == {name: {"white": 1}}
    assert table.row(3) == ". B . " + mover + " ."


def test_t2_blue_at_e3_captures_two_white_one_each() -> None:
    assert turn(T2, "U", "E3").prisoners == {"red": {"white": 1}, "blue": {"white": 1}}


def test_t2_red_at_e3_captures_over_the_whole_move_and_chooses_first() -> None:
    table = turn(T2, "R", "E3")
    assert table.owed == [(3, "Take")]
    assert table.row(3) == ". R . . R . B ."
    table.play("R Take: 1 white, 1 blue")
    assert table.prisoners == {"red": {"white": 1, "blue": 1}, "black": {"white": 1}}
    assert table.owed == [(4, "Move")]


def test_t2_red_may_leave_the_blue_stone_to_black() -> None:
    table = turn(T2, "R", "E3").play("R Take: 2 white")
    assert table.prisoners == {"red": {"white": 2}, "black": {"blue": 1}}


def test_t2_black_at_e3_takes_two_and_red_one() -> None:
    table = turn(T2, "B", "E3")
    assert table.owed == [(1, "Take")]
    table.play("B Take: 1 blue, 1 white")
    assert table.prisoners == {"black": {"white": 1, "blue": 1}, "red": {"white": 1}}


@pytest.mark.parametrize(
    ("board", "mover", "shares"),
    [
        ("T3A", "B", {"black": {"white": 1}, "red": {"white": 1}}),
        ("T3A", "U", {"blue": {"white": 1}, "red": {"white": 1}}),
        ("T3A", "R", {"red": {"white": 2}}),
        ("T3B", "B", {"black": {"white": 1}, "blue": {"white": 1}}),
        ("T3B", "U", {"black": {"white": 1}, "blue": {"white": 1}}),
        ("T3B", "R", {"red": {"white": 2}}),
    ],
)
def test_t3_two_readings_give_the_numbers_of_the_original(
    board: str, mover: str, shares: dict[str, dict[str, int]]
) -> None:
    table = turn(T3[board], mover, "E3")
    assert table.prisoners == shares


@pytest.mark.parametrize(
    ("board", "mover", "held", "eliminated"),
    [
        ("T3A", "R", {"red": {"white": 2}}, {}),
        ("T3A", "B", {}, {"white": 2}),
        ("T3A", "U", {}, {"white": 2}),
        ("T3B", "B", {}, {"white": 2}),
        ("T3B", "R", {}, {"white": 2}),
        ("T3B", "U", {}, {"white": 2}),
    ],
)
def test_t3_without_cooperation_only_a_single_captor_holds_prisoners(
    board: str, mover: str, held: dict[str, dict[str, int]], eliminated: dict[str, int]
) -> None:
    table = turn(T3[board], mover, "E3", coop="off")
    assert table.prisoners == held
    assert table.eliminated == eliminated


def test_p1_each_chain_goes_to_its_single_captor() -> None:
    table = Table(3, P1, order="parallel").play("W D6", "B J6", "R E2")
    assert table.prisoners == {"white": {"black": 1}, "black": {"white": 1}, "red": {"white": 1}}
    assert table.row(6) == ". W . W . . B . B"
    assert table.row(2) == ". . R . R . . . ."


def test_p1_without_red_two_chains_are_captured() -> None:
    table = Table(3, P1, order="parallel").play("W D6", "B J6", "R pass")
    assert table.prisoners == {"white": {"black": 1}, "black": {"white": 1}}


@pytest.mark.parametrize(("removal", "row"), [("simultaneous", "B . . W ."), ("old_first", "B . B W .")])
def test_p2_a_capture_in_a_ko_shape_dies_with_its_prey_unless_old_stones_go_first(
    removal: str, row: str
) -> None:
    table = Table(2, P2, order="parallel", removal=removal).play("B C3", "W pass")
    assert table.row(3) == row


def test_p3_two_at_one_point_have_both_passed() -> None:
    table = Table(4, T1, order="parallel").play("B A1", "W A5", "R E5")
    assert (table.board[0], table.board[4]) == (".....", ".....")  # nobody is told before the reveal
    table.play("U E5")
    assert (table.board[0], table.board[4]) == ("W....", "B....")


def test_p4_a_round_that_would_empty_the_board_is_void() -> None:
    table = Table(2, "2 . .\n1 . .\n  A B", order="parallel")
    table.play("B A2", "W A1", "B B2", "W B1")
    assert table.board == ["B.", "W."]
    assert table.state.voids == 1


def test_p4_without_superko_the_board_ends_empty() -> None:
    table = Table(2, "2 . .\n1 . .\n  A B", order="parallel", superko="off")
    table.play("B A2", "W A1", "B B2", "W B1")
    assert table.board == ["..", ".."]


def test_pc1_five_stones_two_captors_one_eliminated_white_chooses_first() -> None:
    table = Table(4, PC1, order="parallel", coop="on").play("B E4", "W F2", "R pass", "U pass")
    assert table.owed == [(2, "Take")]
    table.play("W Take: 1 blue, 1 red")
    assert table.owed == [(1, "Take")]
    table.play("B Take: 2 blue")
    assert table.prisoners == {"white": {"blue": 1, "red": 1}, "black": {"blue": 2}}
    assert table.eliminated == {"red": 1}
    assert sorted(table.owed) == [(1, "Move"), (2, "Move"), (3, "Move"), (4, "Move")]


def scored(**given: str) -> Table:
    """S1 after four passes and four empty lists of dead stones."""
    table = Table(4, S1, coop="on", hands="1:5W5R 3:3B1W", **given)
    return table.play(
        "B Pass", "W Pass", "R Pass", "U Pass", *(f"{seat} Dead: none" for seat in (1, 2, 3, 4))
    )


def numbers(table: Table, field: str) -> list[int]:
    return [getattr(tally, field) for tally in table.state.scored.tallies]


def test_s1_the_count() -> None:
    table = scored()
    assert numbers(table, "territory") == [3, 15, 13, 11]
    assert numbers(table, "prisoners") == [10, 0, 4, 0]
    assert numbers(table, "score") == [13, 15, 17, 11]
    assert table.state.scored.total == 74
    assert sum(region.size for region in table.state.scored.neutral) == 18


def test_s1_without_an_alliance_red_wins_with_17() -> None:
    table = scored().play(*(f"{seat} Ally: none" for seat in (1, 2, 3, 4)))
    assert table.state.won.blocs == ((3,),)
    assert table.state.won.scores == (17,)


def test_s1_black_and_white_qualify_with_33_and_share_the_point() -> None:
    table = scored().play("B Ally: White", "W Ally: Black", "R Ally: none", "U Ally: none")
    assert table.state.won.scores == (33,)
    assert table.state.won.points == {1: "1/2", 2: "1/2", 3: "0", 4: "0"}


def test_s1_red_and_blue_have_28_and_do_not_qualify() -> None:
    table = scored().play("B Ally: none", "W Ally: none", "R Ally: Blue", "U Ally: Red")
    assert [(bloc.score, bloc.qualifies) for bloc in table.state.allied.alliances] == [(28, False)]
    assert table.state.won.blocs == ((3,),)


def test_s1_under_crossman_blue_wins() -> None:
    table = scored(prisoners="crossman")
    assert numbers(table, "score") == [0, 9, 8, 11]
    table.play(*(f"{seat} Ally: none" for seat in (1, 2, 3, 4)))
    assert table.state.won.blocs == ((4,),)


def test_s1_under_area_prisoners_do_not_count() -> None:
    table = scored(scoring="area")
    assert numbers(table, "score") == [15, 25, 25, 27]
    assert table.state.scored.total == 110
