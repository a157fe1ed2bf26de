"""The board as data (5.1): any grid, spaces missing, and every fault of a layout or an option named at once."""

from typing import Any

import pytest

from referee.games.buttons.game import GAME
from tests.games.buttons.sitting import Sitting, opening_faults

RING = {
    "grid": "4x4",
    "missing": ["b2", "b3", "c2", "c3"],
    "red": "a1b1 b1c1 c1d1 d1d2 d2d3 d3d4 d4c4 c4b4 b4a4 a4a3 a3a2 a2a1",
    "values": {"black": [1, 2, 3, 4, 5, 6], "white": [1, 2, 3, 4, 5, 6]},
}


def with_board(layout: dict[str, Any], **options: str) -> str:
    return opening_faults({"mine": layout}, bridges="mine", **options)


def test_51_any_grid_is_a_board_and_spaces_may_be_missing() -> None:
    sitting = Sitting(1, {"ring": RING}, bridges="ring", values="board", starter="1")
    assert sitting.board == ".. .. .. ../.. ## ## ../.. ## ## ../.. .. .. .."
    sitting.played((1, "Place: 5 a1"), (2, "Place: 1 a2"), (1, "Move: a1-d3"))
    assert GAME.view(sitting.state, None).position["board"][1] == ["..", "##", "##", "B5"]
    assert sitting.codes(2, "Place: 2 b2") == ["no_such_space"]


def test_51_the_solo_game_on_another_board() -> None:
    sitting = Sitting(1, {"ring": RING}, bridges="ring", values="board", mode="solo", goal="two")
    assert sitting.board.count("##") == 4
    assert (sitting.board.count("B"), sitting.board.count("W")) == (6, 6)


def test_51_every_fault_of_a_layout_is_named() -> None:
    told = with_board(
        {"grid": "4x4", "colour": "blue", "missing": ["e5"], "red": "a1b1 a1c1 b2 a1a1 a1z9", "black": "b1a1"}
    )
    for words in (
        "'colour' is nothing a layout can have",
        "e5 is given as missing, but it is no square of the grid",
        "the red bridge a1c1 joins two spaces that are no neighbours",
        "the red bridge 'b2' should be two spaces",
        "the red bridge a1a1 begins and ends on one space",
        "the red bridge a1z9 ends on z9, where there is no space",
        "the black bridge b1a1 stands where there is a red one already",
        "no bridges lead from a4 to",
    ):
        assert words in told


def test_51_a_board_that_cannot_hold_a_line_is_refused() -> None:
    assert "nobody can make a line" in with_board({"grid": "3x3", "red": "a1a2"})
    no_room = {"grid": "3x4", "missing": ["a2", "b3", "c2"], "red": "a1b1"}
    assert "nobody can make a line" in with_board(no_room)


def test_51_an_unreachable_space_is_named() -> None:
    red = "a1b1 b1c1 c1d1 a2b2 b2c2 c2d2"
    assert "no bridges lead from a2 to a1, b1, c1, d1" in with_board({"grid": "4x2", "red": red})


def test_51_a_grid_is_needed() -> None:
    assert "should be columns x rows up to 12x12" in with_board({"grid": "40x4"})
    assert "should be columns x rows" in with_board({})


def test_51_an_unknown_layout_names_those_there_are() -> None:
    assert opening_faults(bridges="lost") == "There is no board 'lost'; there are: rec-1."


@pytest.mark.parametrize("values", ["", "1 2 3", "1 2 3 x", "0 1 2 3", "1..1000", "1 2 3 4 / 1"])
def test_o1_values_that_cannot_be_played_are_refused(values: str) -> None:
    assert "should be at least 4 numbers from 1 to 99" in opening_faults(values=values)


@pytest.mark.parametrize(
    ("values", "black", "white"),
    [
        ("1..8", (1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 8)),
        ("4,3,2,1", (1, 2, 3, 4), (1, 2, 3, 4)),
        ("1..4 / 2 2 2 2 2", (1, 2, 3, 4), (2, 2, 2, 2, 2)),
        ("board", (1, 1, 2, 2, 3, 3, 4, 4), (1, 1, 2, 2, 3, 3, 4, 4)),
    ],
)
def test_o1_values_are_a_list_a_range_two_lists_or_the_boards_own(
    values: str, black: tuple[int, ...], white: tuple[int, ...]
) -> None:
    assert Sitting(values=values).state.rules.values == (black, white)


def test_54_the_solo_game_needs_a_button_for_every_space_and_equal_numbers() -> None:
    assert "8 buttons are too few for 16 spaces" in opening_faults(mode="solo", values="1..4")
    assert "20 buttons are too many for 16 spaces" in opening_faults(mode="solo", values="1..10")
    assert "the same numbers on black and on white" in opening_faults(
        mode="solo", values="1..8 / 1 1 2 2 3 3 4 4"
    )
    line = {"grid": "8x1", "red": "a1b1 b1c1 c1d1 d1e1 e1f1 f1g1 g1h1"}
    assert with_board(line, mode="solo", values="1..4") == ""
    knot = {"grid": "4x1", "red": "a1b1 b1c1 c1d1"}
    assert "no two separate parallel lines" in with_board(knot, mode="solo", values="1..4")


def test_51_values_that_would_take_too_long_to_work_out_are_refused() -> None:
    grid = [(c, r) for r in range(1, 9) for c in range(8)]
    red = " ".join(
        [f"{'abcdefgh'[c]}{r}{'abcdefgh'[c + 1]}{r}" for c, r in grid if c < 7]
        + [f"{'abcdefgh'[c]}{r}{'abcdefgh'[c]}{r + 1}" for c, r in grid if r < 8]
    )
    assert with_board({"grid": "8x8", "red": red}) == ""
    assert "too many ways to work out" in with_board({"grid": "8x8", "red": red}, values="1..30")


def test_options_of_the_other_game_are_refused() -> None:
    assert "give mode=solo with it" in opening_faults(table="week")
    assert "give mode=solo with it" in opening_faults(goal="four")
    assert "starter does not go with it" in opening_faults(mode="solo", starter="1")


def test_a_table_needs_a_goal_and_a_deadline() -> None:
    told = opening_faults(mode="solo", table="week", move_deadline="none", timeout_default="wait")
    assert "give goal=two or goal=four" in told
    assert "give move_deadline a time" in told
    assert "timeout_default=wait does not go with it" in told


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("B1 .. .. ..", "has 1 rows; the board rec-1 has 4"),
        (
            "B1 .. ../.. .. .. ../.. .. .. ../.. .. .. ..",
            "Row 1 of the position, 'B1 .. ..', should be 4 cells",
        ),
        ("B1 .. .. Q/.. .. .. ../.. .. .. ../.. .. .. ..", "should be 4 cells"),
        ("B1 B1 B1 ../.. .. .. ../.. .. .. ../.. .. .. ..", "The position has 3 of B1; there are 2."),
        ("B9 .. .. ../.. .. .. ../.. .. .. ../.. .. .. ..", "The position has 1 of B9; there are 0."),
        ("B1 ## .. ../.. .. .. ../.. .. .. ../.. .. .. ..", "b4 is a space of the board rec-1."),
        ("B1 B2 B3 B4/.. .. .. ../.. .. .. ../.. .. .. ..", "has a line of four already: a4-b4-c4-d4."),
    ],
)
def test_a_position_that_cannot_be_is_refused(position: str, words: str) -> None:
    assert words in opening_faults(position=position)


def test_a_position_of_the_solo_game_is_full_and_unsolved() -> None:
    assert "leaves d1 empty" in opening_faults(
        mode="solo", position="B1 B1 B2 B2/B3 B3 B4 B4/W1 W1 W2 W2/W3 W3 W4 .."
    )
    solved = "B1 B2 B3 B4/W1 W2 W3 W4/B4 B2 B3 B1/W4 W3 W2 W1"
    assert "has reached the goal already" in opening_faults(mode="solo", goal="two", position=solved)
    asked = Sitting(mode="solo", par="off", position=solved).played((1, "Goal: two"))
    outcome = GAME.outcome(asked.state)
    assert outcome.reason == "Solved in 0 moves."


def test_a_position_is_what_the_match_shows() -> None:
    position = "B1 W4 .. ../.. B3 .. ../.. .. W2 ../.. .. .. B1"
    sitting = Sitting(position=position)
    assert sitting.board == position
    assert GAME.view(sitting.state, None).position["supplies"] == [[2, 2, 3, 4, 4], [1, 1, 2, 3, 3, 4]]
    tight = Sitting(position=position.replace(" ", "").lower())
    assert tight.board == position
