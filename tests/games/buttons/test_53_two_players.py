"""The game of two (5.3), by mails on drawn positions."""

from __future__ import annotations

import pytest

from referee.games.buttons.game import GAME
from tests.games.buttons.sitting import Sitting

EMPTY = ".. .. .. .."


def drawn(*rows: str, seat: int = 1, **options: str) -> Sitting:
    """A position from the top row down, the seat to move."""
    full = [*rows, *[EMPTY] * (4 - len(rows))]
    return Sitting(starter=str(seat), position="/".join(full), **options)


def ending(sitting: Sitting) -> tuple[tuple[int, ...], str]:
    outcome = GAME.outcome(sitting.state)
    assert outcome is not None
    assert GAME.due(sitting.state) == ()
    return outcome.winners, outcome.reason


# --- placing -------------------------------------------------------------------------------------------------


def test_53_the_first_button_may_be_placed_on_any_space() -> None:
    for space in ("a4", "b2", "d1"):
        sitting = Sitting(starter="1").played((1, f"Place: 3 {space}"))
        assert sitting.board.count("B3") == 1
        assert sitting.state.supply(1) == (1, 1, 2, 2, 3, 4, 4)


def test_53_every_other_button_goes_next_to_an_opponents_button() -> None:
    sitting = Sitting(starter="1").played((1, "Place: 3 b2"))
    (complaint,) = sitting.mail(2, "Place: 1 c3")  # diagonal
    assert (complaint.code, complaint.rule) == ("not_next_to", "5.3")
    assert complaint.facts["possible"] == ("b3", "a2", "c2", "b1")
    sitting.played((2, "Place: 1 c2"))


def test_53_o4_the_first_players_second_button_is_no_exception() -> None:
    sitting = Sitting(starter="1").played((1, "Place: 3 b2"), (2, "Place: 1 c2"))
    assert sitting.codes(1, "Place: 3 a2") == ["not_next_to"]  # next to its own button only
    sitting.played((1, "Place: 3 d2"))


def test_53_o3_next_to_needs_no_bridge_unless_the_option_says_so() -> None:
    """No layout of ours lacks a bridge between neighbours, so one is taken away."""
    layouts = {
        "gap": {
            "grid": "4x4",
            "red": "a1a2 a2a3 a3a4 a4b4 b4b3 b3b2 b2b1 b1c1 c1c2 c2c3 c3c4 c4d4 d4d3 d3d2 d2d1",
        }
    }
    by_grid = Sitting(1, layouts, bridges="gap", starter="1").played((1, "Place: 1 a1"))
    assert by_grid.codes(2, "Place: 1 b1") == []
    by_bridge = Sitting(1, layouts, bridges="gap", starter="1", place_adjacency="bridge").played(
        (1, "Place: 1 a1")
    )
    assert by_bridge.codes(2, "Place: 1 b1") == ["not_next_to"]
    assert by_bridge.codes(2, "Place: 1 a2") == []


def test_53_a_placement_needs_the_button_an_empty_space_and_a_space_at_all() -> None:
    sitting = drawn("B4 B4 W1 ..")
    assert sitting.codes(1, "Place: 4 c3") == ["not_in_supply"]
    assert sitting.codes(1, "Place: 3 c4") == ["occupied"]
    assert sitting.codes(1, "Place: 3 e9") == ["no_such_space"]
    assert sitting.codes(1, "Place: W3 c3") == ["not_your_colour"]
    assert sitting.codes(1, "Place: 4 a4") == ["not_in_supply", "occupied"]
    assert sitting.codes(1, "Place: B3 c3") == []


# --- moving --------------------------------------------------------------------------------------------------


def test_53_only_an_own_button_can_be_moved() -> None:
    sitting = drawn("B1 W1 .. ..")
    assert sitting.codes(1, "Move: b4-a4") == ["not_your_button"]
    assert sitting.codes(1, "Move: c4-b4") == ["no_button"]
    assert sitting.codes(1, "Move: a4") == ["half_a_move"]
    assert sitting.codes(1, "Move: a4-z9") == ["no_such_space"]


@pytest.mark.parametrize("other", ["W1", "B2"])
def test_52_a_button_at_the_end_of_the_way_changes_places_whatever_its_colour(other: str) -> None:
    sitting = drawn(f"B1 {other} .. ..").played((1, "Move: a4-b4"))
    assert sitting.board.startswith(f"{other} B1 .. ..")
    assert sitting.last("ButtonMoved").other == other


def test_52_o13_the_number_and_colour_of_the_moved_button_count() -> None:
    sitting = drawn("B1 W2 .. ..", seat=2)
    assert sitting.codes(2, "Move: b4-a4") == [
        "out_of_reach"
    ]  # W2 is one bridge away, and it is a black bridge
    assert drawn("B1 W2 .. ..").codes(1, "Move: a4-b4") == []


# --- no reversals --------------------------------------------------------------------------------------------


def exchanged_by_black(button: str = "W1") -> Sitting:
    """Black has just exchanged B1 on a3 with the button on a2."""
    return drawn("B2 .. .. W2", "B1 .. .. ..", f"{button} .. .. ..").played((1, "Move: a3-a2"))


def test_56_exchanging_the_same_two_buttons_back_is_refused() -> None:
    sitting = exchanged_by_black()
    (complaint,) = sitting.mail(2, "Move: a3-a2")
    assert (complaint.code, complaint.rule) == ("reversal", "5.3")
    assert complaint.facts == {"button": "W1", "other": "B1"}


def test_56_o7_another_way_for_the_same_two_buttons_is_refused_too() -> None:
    sitting = exchanged_by_black("W3")  # W3 goes back by a3-b3-b2-a2, not over the bridge black used
    assert sitting.codes(2, "Move: a3-a2") == ["reversal"]
    assert sitting.codes(2, "Move: a3-b3-b2-a2") == ["reversal"]


def test_56_exchanging_one_of_the_two_with_a_third_is_fine() -> None:
    sitting = exchanged_by_black().played((2, "Move: a3-a4"))
    assert sitting.board.startswith("W1 .. .. W2/B2 .. .. ../B1")


def test_56_the_ban_lasts_one_turn() -> None:
    sitting = exchanged_by_black().played((2, "Place: 4 b4"), (1, "Move: a2-a3"))
    assert sitting.board.startswith("B2 W4 .. W2/B1 .. .. ../W1")


def test_53_o6_a_move_to_an_empty_space_is_no_exchange() -> None:
    sitting = drawn("B1 .. .. ..", "W1 .. .. ..").played((1, "Move: a4-b4"), (2, "Move: a3-a4"))
    assert sitting.state.swapped is None
    sitting.played((1, "Move: b4-a4"))
    assert sitting.board.startswith("B1 W1 .. ..")
    assert sitting.state.swapped is not None


# --- the end -------------------------------------------------------------------------------------------------


def test_53_four_own_buttons_in_a_row_win() -> None:
    sitting = drawn("B1 B2 .. B3", ".. .. W1 ..").played((1, "Place: 4 c4"))
    assert ending(sitting) == ((1,), "Four in a line.")
    assert sitting.last("LineMade").spaces == ("a4", "b4", "c4", "d4")


def test_53_four_own_buttons_in_a_column_win() -> None:
    sitting = drawn("W1 .. .. ..", "W2 .. .. ..", "W3 .. .. ..", ".. B1 .. ..", seat=2)
    assert ending(sitting.played((2, "Place: 4 a1"))) == ((2,), "Four in a line.")


def test_53_a_diagonal_is_no_line() -> None:
    sitting = drawn("B1 .. .. ..", ".. B2 .. ..", ".. .. B3 ..", ".. .. W1 ..").played((1, "Place: 4 d1"))
    assert GAME.outcome(sitting.state) is None


def test_53_o9_completing_only_the_opponents_line_loses() -> None:
    sitting = drawn("W1 W2 B1 W3", ".. .. W4 ..").played((1, "Move: c4-c3"))
    assert sitting.board.startswith("W1 W2 W4 W3")
    assert ending(sitting) == ((2,), "Four in a line, completed by the opponent.")


def test_53_if_both_have_a_line_the_player_who_has_just_moved_wins() -> None:
    sitting = drawn("B2 B2 W1 B3", "W2 W2 B1 W3").played((1, "Move: c3-c4"))
    assert sitting.board.startswith("B2 B2 B1 B3/W2 W2 W1 W3")
    assert ending(sitting) == ((1,), "Both have four in a line, and the winner has just played.")
    assert sitting.kinds()[-3:] == ["LineMade", "LineMade", "MatchDecided"]
    white = drawn("W1 B1 .. ..", "W2 B2 .. ..", "B3 W1 .. ..", "W3 B4 .. ..", seat=2).played(
        (2, "Move: b2-a2")
    )
    assert ending(white) == ((2,), "Both have four in a line, and the winner has just played.")


def test_53_the_third_time_of_a_position_is_a_draw() -> None:
    there_and_back = ((1, "Move: a4-b4"), (2, "Move: d4-d3"), (1, "Move: b4-a4"), (2, "Move: d3-d4"))
    sitting = drawn("B1 .. .. W1").played(*there_and_back)
    assert GAME.outcome(sitting.state) is None
    assert ending(sitting.played(*there_and_back)) == (
        (),
        "The same position has stood on the board 3 times: a draw.",
    )


def test_53_o10_repetition_can_be_set_or_switched_off() -> None:
    there_and_back = ((1, "Move: a4-b4"), (2, "Move: d4-d3"), (1, "Move: b4-a4"), (2, "Move: d3-d4"))
    assert ending(drawn("B1 .. .. W1", repetition="2").played(*there_and_back))[0] == ()
    off = drawn("B1 .. .. W1", repetition="off").played(*there_and_back * 5)
    assert GAME.outcome(off.state) is None


def test_53_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    sitting = drawn("B1 .. .. W1", repetition="2").played((1, "Move: a4-b4"), (2, "Move: d4-d3"))
    keys = sitting.state.seen
    assert len(keys) == len(set(keys)) == 3
    assert {key[0] for key in keys} == {"1", "2"}


def test_53_without_a_legal_turn_the_referee_passes() -> None:
    """Black's buttons number 16: no path is so long. Black's supply is used up."""
    sitting = drawn("B16 .. .. W1", ".. B16 .. ..", "B16 .. B16 ..", seat=2, values="16 16 16 16 / 1 1 2 2")
    sitting.played((2, "Move: d4-d3"))
    assert sitting.kinds()[-1] == "PassForced"
    assert sitting.owed == [("Round 2 / Player 2", "Move", 2)]


def test_53_both_stuck_is_a_draw() -> None:
    values = "16 16 16 16 / 16 16 16 16"
    sitting = drawn("B16 W16 .. ..", ".. B16 W16 ..", "W16 .. B16 ..", "B16 W16 .. ..", values=values)
    assert ending(sitting) == ((), "Neither player can place or move a button: a draw.")
    assert sitting.kinds().count("PassForced") == 2


def test_53_there_is_no_passing() -> None:
    sitting = drawn("B1 .. .. W1")
    assert sitting.codes(1, "Pass") == ["no_pass"]
    assert sitting.codes(1, "Move: a4-b4\nPass") == ["no_pass"]


def test_53_one_turn_a_mail() -> None:
    sitting = drawn("B1 .. .. W1")
    assert sitting.codes(1, "Move: a4-b4\nPlace: 2 c4") == ["one_turn"]
    assert sitting.codes(1, "Move: a4-b4, b4-a4") == ["one_turn"]


def test_53_players_take_turns_from_the_starter_on() -> None:
    for starter in ("1", "2"):
        sitting = Sitting(starter=starter)
        first, second = int(starter), 3 - int(starter)
        assert sitting.owed == [(f"Round 1 / Player {first}", "Move", first)]
        assert sitting.codes(second, "Place: 1 a1") == ["not_your_turn"]
        sitting.played((first, "Place: 1 a1"))
        assert sitting.owed == [(f"Round 1 / Player {second}", "Move", second)]
        sitting.played((second, "Place: 1 a2"))
        assert sitting.owed == [(f"Round 2 / Player {first}", "Move", first)]


def test_o5_a_random_starter_is_drawn_and_either_may_begin() -> None:
    drawn_starters = {Sitting(seed).last("StarterDrawn").seat for seed in range(20)}
    assert drawn_starters == {1, 2}
    (draw,) = Sitting(3).last("StarterDrawn").draws
    assert draw.bound == 2
    assert Sitting(3).last("StarterDrawn").seat == draw.result + 1


# --- draws by agreement, resignation, time ---------------------------------------------------------------------


def test_an_offer_beside_a_turn_stands_until_the_opponent_acts() -> None:
    sitting = Sitting(starter="1").played((1, "Place: 1 a1\nOffer: draw"))
    assert sitting.state.offer == 1
    accepted = Sitting(starter="1").played((1, "Place: 1 a1\nOffer: draw"), (2, "Accept: draw"))
    assert ending(accepted) == ((), "Both players agreed to a draw.")
    sitting.played((2, "Place: 1 a2"))
    assert sitting.state.offer == 0
    sitting.played((1, "Place: 1 a3"))
    assert sitting.codes(2, "Accept: draw") == ["no_offer"]


def test_an_offer_may_follow_ones_turn_but_not_stand_alone_on_it() -> None:
    sitting = Sitting(starter="1")
    assert sitting.codes(1, "Offer: draw") == ["offer_with_turn"]
    sitting.played((1, "Place: 1 a1"), (1, "Offer: draw"))
    assert sitting.codes(1, "Offer: draw") == ["offered_already"]
    assert sitting.codes(2, "Accept: draw\nPlace: 1 a2") == ["accept_is_a_turn"]
    assert ending(sitting.played((2, "Accept: draw")))[0] == ()


def test_only_a_draw_can_be_offered() -> None:
    assert Sitting(starter="1").codes(1, "Place: 1 a1\nOffer: ten dollars") == ["only_draw"]


def test_resigning_is_open_to_both_at_any_time() -> None:
    for seat in (1, 2):
        sitting = Sitting(starter="1").played((seat, "Resign\nComment: well played"))
        assert ending(sitting) == ((3 - seat,), "The opponent resigned.")
        assert sitting.last("Commented").text == "well played"
        assert sitting.codes(1, "Place: 1 a1") == ["ended"]


def test_a_resignation_with_a_turn_beside_it_is_refused() -> None:
    assert Sitting(starter="1").codes(1, "Place: 1 a1\nResign") == ["not_beside"]


def test_the_deadline_loses_the_match_unless_the_option_says_wait() -> None:
    sitting = Sitting(starter="1")
    sitting.lapse()
    assert ending(sitting) == ((2,), "The opponent ran out of time.")
    (waiting,) = GAME.due(Sitting(starter="1", timeout_default="wait").state)
    assert waiting.holds
    (timeless,) = GAME.due(Sitting(starter="1", move_deadline="none").state)
    assert timeless.window is None


def test_a_comment_alone_changes_nothing() -> None:
    sitting = Sitting(starter="1")
    before = sitting.state
    assert sitting.codes(2, "Comment: good luck!", "Comment") == []
    assert sitting.state == before
    assert sitting.last("Commented").text == "good luck!"
