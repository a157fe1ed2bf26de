"""The solo game (5.4): shuffle, goals, moves in a mail, undo, giving up, par, and the private puzzle."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest

from referee.core.chance import RECIPE
from referee.core.owing import Demand
from referee.core.seam import Standing
from referee.games.buttons.game import GAME, published
from referee.match.chain import given_seed
from tests.games.buttons.sitting import Sitting

SOLVED_ROWS = "B1 B2 B3 B4/W1 W2 W3 W4"
NEARLY = (
    "B2 B1 B3 B4/W1 W2 W3 W4/B4 B2 B3 B1/W4 W3 W2 W1"  # B1 on b4 goes to a4, and the first two rows match
)


def nearly(**options: str) -> Sitting:
    return Sitting(mode="solo", position=NEARLY, **options)


def ending(sitting: Sitting) -> tuple[tuple[int, ...], int, str]:
    outcome = GAME.outcome(sitting.state)
    assert outcome is not None
    assert GAME.due(sitting.state) == ()
    return outcome.winners, int(outcome.points[1]), outcome.reason


# --- the shuffle -----------------------------------------------------------------------------------------------


def test_54_anyone_can_work_out_the_shuffle_from_the_published_seed() -> None:
    """The published recipe is run as it stands, from what the opening letter tells."""
    told = Sitting(mode="solo", seed="42").last("ButtonsShuffled")
    recipe: dict[str, object] = {"hashlib": hashlib}
    exec(RECIPE, recipe)
    buttons = [f"{colour}{value}" for colour in "BW" for value in (1, 1, 2, 2, 3, 3, 4, 4)]
    assert recipe["shuffle"](told.seed, told.draws[0].counter, buttons) == list(told.cells)  # type: ignore[operator]


def test_54_the_shuffle_fills_the_spaces_row_by_row_from_the_top_left() -> None:
    sitting = Sitting(mode="solo", seed="42")
    cells = sitting.last("ButtonsShuffled").cells
    assert sitting.board == "/".join(" ".join(cells[at : at + 4]) for at in (0, 4, 8, 12))
    assert sorted(cells) == sorted(
        f"{colour}{value}" for colour in "BW" for value in (1, 1, 2, 2, 3, 3, 4, 4)
    )


def test_54_a_seed_gives_one_start_whether_by_option_or_by_the_match() -> None:
    assert published(7) == given_seed(7)
    boards = {Sitting(seed, mode="solo", seed="7").board for seed in range(3)}
    assert len(boards) == 1
    assert len({Sitting(seed, mode="solo").board for seed in range(3)}) == 3


# --- goals -----------------------------------------------------------------------------------------------------


def test_54_two_lines_with_equal_numbers_solve_the_goal_two() -> None:
    sitting = nearly(goal="two").played((1, "Move: b4-a4"))
    assert sitting.board.startswith(SOLVED_ROWS)
    assert sitting.last("GoalReached").pairs == ((("a4", "b4", "c4", "d4"), ("a3", "b3", "c3", "d3")),)
    sitting.compute()
    assert ending(sitting) == ((1,), 1, "Solved in 1 move.")
    assert GAME.view(sitting.state, None).position["par"] == 1


def test_54_columns_are_read_from_the_top() -> None:
    columns = "B3 W3 B4 W1/B1 W2 B3 W2/B2 W1 B2 W3/B4 W4 B1 W4"
    sitting = Sitting(mode="solo", goal="two", par="off", position=columns).played((1, "Move: a3-a2"))
    assert sitting.last("GoalReached").pairs == ((("a4", "a3", "a2", "a1"), ("b4", "b3", "b2", "b1")),)


def test_54_equal_numbers_in_another_order_do_not_match() -> None:
    backward = "B2 B1 B3 B4/W4 W3 W2 W1/B4 B2 B3 B1/W4 W3 W2 W1"
    strict = Sitting(mode="solo", goal="two", par="off", position=backward).played((1, "Move: b4-a4"))
    assert GAME.outcome(strict.state) is None
    turned = Sitting(
        mode="solo",
        goal="two",
        par="off",
        perspective="half_turn",
        position=backward,
    )
    assert ending(turned.played((1, "Move: b4-a4"))) == ((1,), 1, "Solved in 1 move.")


def test_54_four_lines_need_a_white_line_of_its_own_for_each_black_one() -> None:
    start = "B2 B1 B3 B4/W1 W2 W3 W4/B1 B2 B3 B4/W1 W2 W3 W4"
    sitting = Sitting(mode="solo", goal="four", par="off", position=start).played((1, "Move: b4-a4"))
    assert ending(sitting) == ((1,), 1, "Solved in 1 move.")
    assert len(sitting.last("GoalReached").pairs) == 2
    lone = nearly(goal="four", par="off").played((1, "Move: b4-a4"))
    assert GAME.outcome(lone.state) is None


def test_54_o12_two_matching_pairs_may_share_one_sequence() -> None:
    start = "B2 B1 B3 B4/W1 W2 W3 W4/B1 B2 B3 B4/W1 W2 W3 W4"
    sitting = Sitting(mode="solo", goal="four", par="off", position=start).played((1, "Move: b4-a4"))
    (one, _), (two, _) = sitting.last("GoalReached").pairs
    assert one != two


def test_54_the_goal_is_chosen_with_the_first_moves_or_before_them() -> None:
    before = nearly().played((1, "Goal: four"))
    assert before.state.goal == "four"
    assert before.codes(1, "Goal: two") == ["goal_fixed"]
    assert before.codes(1, "Goal: four") == ["nothing_ordered"]
    beside = nearly().played((1, "Goal: four\nMove: b4-a4"))
    assert (beside.state.goal, beside.state.moves) == ("four", 1)
    without = nearly().played((1, "Move: a4-c4"))
    assert without.last("GoalChosen").goal == "two"
    assert not without.last("GoalChosen").said
    assert nearly().codes(1, "Goal: two\nGoal: four") == ["two_goals"]
    assert nearly().codes(1, "Goal: three") == ["goal_unclear"]


# --- mails -----------------------------------------------------------------------------------------------------


def test_54_several_moves_in_a_mail_are_made_in_their_order() -> None:
    by_comma = nearly(goal="two").played((1, "Move: a4-c4, c4-a4; b3-a2"))
    by_line = nearly(goal="two").played((1, "Move: a4-c4\nMove: c4-a4\nMove: b3-a2"))
    one_by_one = nearly(goal="two").played((1, "Move: a4-c4"), (1, "Move: c4-a4"), (1, "Move: b3-a2"))
    assert by_comma.board == by_line.board == one_by_one.board
    assert by_comma.state.moves == 3


def test_54_a_mail_is_atomic_and_every_fault_is_named() -> None:
    sitting = nearly(goal="two")
    before = sitting.state
    complaints = sitting.mail(1, "Move: a4-c4\nMove: b2-d3\nMove: c4-c4\nMove: x9-a1\nUndo")
    assert [(c.code, c.line.number if c.line else None) for c in complaints] == [
        ("out_of_reach", 2),
        ("same_space", 3),
        ("no_such_space", 4),
    ]
    assert sitting.state == before


def test_54_any_button_may_be_moved_and_reversals_are_allowed() -> None:
    sitting = nearly(goal="two").played((1, "Move: a3-a4"), (1, "Move: a3-b2"))
    assert sitting.state.moves == 2
    back = nearly(goal="two").played((1, "Move: a3-a4, a4-a3"))
    assert back.board == NEARLY


def test_54_moves_after_the_goal_are_refused() -> None:
    assert nearly(goal="two").codes(1, "Move: b4-a4, a1-b1") == ["after_the_end"]
    assert nearly(goal="two").codes(1, "Give up\nMove: b4-a4") == ["after_the_end"]


def test_54_undo_is_free_by_default() -> None:
    sitting = nearly(goal="two").played((1, "Move: a4-c4"), (1, "Undo"))
    assert (sitting.board, sitting.state.moves) == (NEARLY, 0)
    assert sitting.codes(1, "Undo") == ["nothing_to_undo"]
    assert sitting.codes(1, "Move: a4-c4\nUndo\nUndo") == ["nothing_to_undo"]
    sitting.played((1, "Move: a4-c4\nUndo\nMove: b4-a4"))
    sitting.compute()
    assert ending(sitting) == ((1,), 1, "Solved in 1 move.")


def test_54_undo_may_count_or_be_off() -> None:
    counting = nearly(goal="two", undo="counts").played((1, "Move: a4-c4\nUndo"))
    assert (counting.board, counting.state.moves) == (NEARLY, 2)
    assert nearly(goal="two", undo="off").codes(1, "Move: a4-c4\nUndo") == ["no_undo"]


@pytest.mark.parametrize("words", ["Give up", "Give-up.", "Resign"])
def test_54_giving_up_ends_the_puzzle_unsolved(words: str) -> None:
    sitting = nearly(goal="two").played((1, words))
    sitting.compute()
    assert ending(sitting) == ((), 0, "Given up.")


def test_54_what_belongs_to_two_players_is_refused() -> None:
    assert nearly().codes(1, "Place: 3 b2") == ["two_only"]
    assert nearly().codes(1, "Offer: draw") == ["two_only"]
    assert nearly().codes(1, "Pass") == ["no_pass"]
    assert Sitting(starter="1").codes(1, "Undo") == ["solo_only"]


# --- deadlines -------------------------------------------------------------------------------------------------


def test_each_mail_opens_a_round_with_its_own_deadline() -> None:
    sitting = nearly(goal="two", par="off")
    assert sitting.owed == [("Round 1 / Player 1", "Move", 1)]
    sitting.played((1, "Move: a4-c4, c4-a4"))
    assert sitting.owed == [("Round 2 / Player 1", "Move", 1)]
    sitting.lapse()
    assert ending(sitting) == ((), 2, "Not solved in time.")


def test_one_deadline_for_the_whole_puzzle_keeps_its_round() -> None:
    sitting = nearly(goal="two", par="off", deadline_for="match", move_deadline="3d")
    (first,) = GAME.due(sitting.state)
    sitting.played((1, "Move: a4-c4"))
    assert GAME.due(sitting.state) == (first,)
    assert first.window == timedelta(days=3)


# --- par -------------------------------------------------------------------------------------------------------


def test_54_the_player_moves_on_while_the_referee_works_out_par() -> None:
    sitting = nearly(goal="two")
    assert sitting.owed == [("Round 1 / Player 1", "Move", 1), ("Par", "Par", 0)]
    sitting.played((1, "Move: a4-c4"))
    assert sitting.owed == [("Round 2 / Player 1", "Move", 1), ("Par", "Par", 0)]
    sitting.compute()
    assert sitting.owed == [("Round 2 / Player 1", "Move", 1)]


def test_54_par_is_published_only_at_the_end() -> None:
    sitting = nearly(goal="two")
    (found,) = sitting.compute()
    assert GAME.secret_to(found) == 0
    for seat in (1, None):
        view = GAME.view(sitting.state, seat)
        assert (view.position["par"], view.facts["par"]) == (None, None)
    sitting.played((1, "Move: b4-a4"))
    assert GAME.view(sitting.state, None).position["par"] == 1
    published_par = sitting.last("ParPublished")
    assert GAME.secret_to(published_par) is None
    assert published_par.par.proven


def test_54_the_end_waits_for_par_and_counts_it_from_the_start() -> None:
    sitting = nearly(goal="two").played((1, "Move: a4-c4, c4-a4"))
    sitting.played((1, "Give up"))
    assert sitting.owed == [("Par", "Par", 0)]
    assert GAME.outcome(sitting.state) is None
    sitting.compute()
    assert ending(sitting) == ((), 2, "Given up.")
    assert sitting.last("ParPublished").par.moves == 1


def test_54_par_waits_for_the_goal_and_is_left_out_where_none_was_chosen() -> None:
    sitting = nearly()
    assert sitting.owed == [("Round 1 / Player 1", "Move", 1)]
    sitting.played((1, "Give up"))
    assert ending(sitting) == ((), 0, "Given up.")


def test_54_only_the_node_limit_makes_par_unknown() -> None:
    sitting = Sitting(mode="solo", goal="four", seed="1")
    assert GAME.compute(sitting.state, Demand("Par", 0), 3).par.moves is None
    assert GAME.compute(sitting.state, Demand("Par", 0), 40_000) == GAME.compute(
        sitting.state, Demand("Par", 0), 40_000
    )
    sitting.compute(3)
    sitting.played((1, "Give up"))
    assert GAME.view(sitting.state, None).position["par"] is None
    assert ending(sitting)[2] == "Given up."


def test_54_the_node_limit_of_the_match_is_an_option_in_its_ledger() -> None:
    sitting = Sitting(mode="solo", goal="four", seed="1", par_nodes="3")
    assert sitting.last("RulesSet").rules.par_nodes == 3
    assert GAME.compute(sitting.state, Demand("Par", 0), 10**9).par.moves is None


def test_54_a_wrong_par_is_refused() -> None:
    sitting = nearly(goal="two")
    par = GAME.compute(sitting.state, Demand("Par", 0), 1000)
    other = Sitting(mode="solo", goal="two", seed="3")
    (complaint,) = Standing(GAME, other.state).check(Demand("Par", 0), par)
    assert complaint.code == "par_wrong"
