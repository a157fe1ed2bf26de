"""What the page leaves open, as ruled: standing orders, conditional moves, deadlines, messages, positions."""

from __future__ import annotations

import pytest

from referee.core import seam
from referee.core.game import Setup
from referee.core.owing import Demand
from referee.games.multigo import actions as act
from referee.games.multigo.events import (
    Commented,
    Passed,
    PlanKept,
    PlanLapsed,
    PreferKept,
    PressRelayed,
    Resigned,
    SeatFilled,
    StonePlaced,
)
from referee.games.multigo.game import GAME
from tests.games.multigo.table import Table, options


def placed(table: Table) -> list[tuple[int, str, str]]:
    return [(e.seat, e.point, e.how) for e in table.said(StonePlaced) if isinstance(e, StonePlaced)]


# --- conditional moves ---------------------------------------------------------------------------------------


def test_a_mail_from_a_seat_not_on_turn_is_refused_unless_it_is_conditional() -> None:
    table = Table(3, board="9x9")
    assert table.codes(2, "Move: D4") == ["not_your_turn"]
    assert table.codes(2, "If Black D4 then E4") == []


def test_the_first_condition_that_fits_and_is_legal_is_played() -> None:
    table = Table(3, board="9x9")
    table.mail(2, "If Black C3 then C4\nIf Black D4 then D4\nIf Black D4 then E4\nThen: A1")
    table.play("B D4")
    assert placed(table)[-1] == (2, "E4", "conditional")
    assert table.owed == [(3, "Move")]


def test_a_queued_move_waits_for_nothing() -> None:
    table = Table(3, board="9x9")
    table.mail(2, "Then: A1")
    table.mail(3, "Then: B1")
    table.play("B D4")
    assert placed(table)[1:] == [(2, "A1", "queued"), (3, "B1", "queued")]
    assert table.owed == [(1, "Move")]


def test_what_does_not_apply_lapses_when_the_turn_opens() -> None:
    table = Table(3, board="9x9")
    table.mail(2, "If Black C3 then C4")
    table.play("B D4")
    assert table.owed == [(2, "Move")]
    assert len(table.said(PlanLapsed)) == 1
    table.play("W D5", "R D6", "B C3")
    assert table.owed == [(2, "Move")]


def test_a_newer_list_replaces_the_old_one_and_withdraw_clears_it() -> None:
    table = Table(3, board="9x9")
    table.mail(2, "Then: A1")
    table.mail(2, "Then: B1")
    table.mail(3, "Then: C1")
    table.play("R Withdraw", "B D4")
    assert placed(table)[-1] == (2, "B1", "queued")
    assert table.owed == [(3, "Move")]


def test_a_condition_may_wait_for_a_pass_and_be_one() -> None:
    table = Table(3, board="9x9", compensation="none")
    table.mail(2, "If Black pass then pass")
    table.play("B Pass")
    assert [(e.seat, e.how) for e in table.said(Passed) if isinstance(e, Passed)] == [
        (1, "mail"),
        (2, "conditional"),
    ]


def test_conditions_outlast_a_forced_pass() -> None:
    table = Table(3, board="9x9").play("B A1", "W B1", "R C1", "B A3", "W B3")
    table.mail(1, "Then: A5")
    table.play("R C3")  # round 3 opens with Black's forced pass
    table.play("W B5", "R C5")
    assert placed(table)[-1] == (1, "A5", "queued")


def test_conditions_wait_for_a_choice_that_blocks() -> None:
    drawing = """
    5 . . . . . . . .
    4 . . R R . B . .
    3 . R W W . U B .
    2 . . R R . B . .
    1 . . . . . . . .
      A B C D E F G H
    """
    table = Table(4, drawing, coop="on", compensation="none")
    table.mail(4, "Then: H1")
    table.play("B Pass", "W Pass", "R E3")
    assert table.owed == [(3, "Take")]
    table.lapse()
    assert placed(table)[-1] == (4, "H1", "queued")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("If White D4 then E4", ["own_condition"]),
        ("If Mauve D4 then E4", ["no_colour"]),
        ("If Black D44 then E4", ["no_such_point"]),
        ("If Black does well then E4", ["no_condition"]),
        ("Then: E4 E5", ["one_reply"]),
        ("Then:", ["nothing_said"]),
        ("\n".join(["Then: E4"] * 21), ["too_many_conditions"]),
        ("\n".join(["Then: E4"] * 20), []),
    ],
)
def test_conditions_are_checked(text: str, codes: list[str]) -> None:
    assert Table(3, board="9x9").codes(2, text) == codes


def test_the_seat_to_move_sends_a_move_and_parallel_play_knows_no_conditions() -> None:
    assert Table(3, board="9x9").codes(1, "Then: E4") == ["your_turn"]
    assert Table(3, board="9x9", order="parallel").codes(1, "Then: E4") == ["no_conditions"]


# --- privacy -------------------------------------------------------------------------------------------------


def test_standing_orders_and_conditions_are_secret_and_change_nothing_public() -> None:
    table = Table(4, board="9x9", coop="on")
    before = GAME.view(table.state, None)
    others = GAME.view(table.state, 3)
    table.mail(2, "Then: A1")
    table.play("W Prefer: red, black")
    assert GAME.view(table.state, None) == before
    assert GAME.view(table.state, 3) == others
    own = GAME.view(table.state, 2).facts
    assert (own["plan"], own["prefer"]) == (["Then: A1"], "red, black")
    secret = [e for e in table.events if isinstance(e, PlanKept | PreferKept)]
    assert [GAME.secret_to(e) for e in secret] == [2, 2]


def test_what_is_sealed_and_recorded_of_a_move_leaves_the_standing_order_out() -> None:
    move = act.Move(("D4",), (2, 3), "hello")
    assert seam.public(GAME, Demand("Move", 1), move) == act.Move(("D4",), (), "hello")
    assert seam.public(GAME, Demand("Prefer", 1), act.Prefer((2,))) is None
    assert seam.public(GAME, Demand("Condition", 1), act.Plan((act.Condition(0, "", "D4"),))) is None


def test_the_public_events_alone_give_the_same_public_view() -> None:
    table = Table(4, board="9x9", coop="on")
    table.mail(2, "Then: A1")
    table.mail(3, "If Black A9 then B9")
    table.play("W Prefer: red", "B D4")
    state = GAME.initial()
    for event in table.events:
        if GAME.secret_to(event) is None:
            state = GAME.evolve(state, event)
    assert GAME.view(state, None) == GAME.view(table.state, None)
    assert GAME.due(state) == GAME.due(table.state)


# --- deadlines -----------------------------------------------------------------------------------------------


def test_a_missed_move_is_a_pass_and_the_next_one_resigns_a_seat_that_is_open() -> None:
    table = Table(3, board="9x9", compensation="none")
    for number in range(1, 5):
        table.lapse()
        assert not table.said(Resigned) or number == 4
        if number == 3:
            assert GAME.vacant(table.silent(1).state) == (1,)
        if number < 4:
            table.play(f"W B{number}", f"R C{number}")
    assert [(e.seat, e.how) for e in table.said(Resigned) if isinstance(e, Resigned)] == [(1, "deadline")]
    assert table.owed == [(2, "Move")]


def test_an_answer_ends_a_run_of_missed_moves_and_keeps_the_seat() -> None:
    table = Table(3, board="9x9", compensation="none")
    for number in (1, 2):
        table.lapse().play(f"W B{number}", f"R C{number}")
    table.silent(1, 2).play("B A1", "W B4", "R C4").lapse()
    assert GAME.vacant(table.state) == ()
    assert table.state.seat(1).defaults == 1


def test_who_takes_an_open_seat_over_starts_afresh() -> None:
    table = Table(3, board="9x9", compensation="none").lapse().silent(1)
    assert GAME.filled(table.state, 1) == (SeatFilled(1),)
    assert GAME.filled(table.state, 2) == ()
    state = GAME.evolve(table.state, SeatFilled(1))
    assert (state.seat(1).vacant, state.seat(1).defaults) == (False, 0)


def test_in_parallel_play_a_round_missed_while_it_is_open_resigns_a_seat() -> None:
    table = Table(3, board="9x9", order="parallel")
    for number in range(1, 5):
        table.play(f"B A{number}", f"W B{number}").lapse()
        if number == 3:
            table.silent(3)
    assert [e.seat for e in table.said(Resigned) if isinstance(e, Resigned)] == [3]
    assert table.owed == [(1, "Move"), (2, "Move")]


@pytest.mark.parametrize("order", ["sequential", "parallel"])
def test_the_default_may_be_a_resignation_or_waiting(order: str) -> None:
    table = Table(3, board="9x9", order=order, timeout_default="resign")
    if order == "parallel":
        table.play("B A1", "W B1")
        table.lapse()
        assert [e.seat for e in table.said(Resigned) if isinstance(e, Resigned)] == [3]
    else:
        table.lapse()
        assert [e.seat for e in table.said(Resigned) if isinstance(e, Resigned)] == [1]
    (due,) = Table(3, board="9x9", order=order, timeout_default="wait").due
    assert due.holds


def test_windows_are_options() -> None:
    table = Table(3, board="9x9", move_deadline="36h", dead_deadline="2d")
    assert table.due[0].window is not None
    assert table.due[0].window.total_seconds() == 36 * 3600
    table.play("B Pass", "W Pass", "R Pass")
    assert table.due[0].window is not None
    assert table.due[0].window.days == 2


# --- messages ------------------------------------------------------------------------------------------------


def test_g25_messages_pass_only_where_press_is_on() -> None:
    table = Table(3, board="9x9", press="on")
    table.mail(2, "Press: who helps me?\nPress: anyone?")
    assert table.said(PressRelayed) == [PressRelayed(2, "who helps me?\nanyone?")]


def test_comments_stand_alone_or_beside_an_order() -> None:
    table = Table(3, board="9x9")
    table.mail(2, "Comment: good luck")
    table.mail(1, "Move: D4\nComment: thanks")
    assert table.said(Commented) == [Commented(2, "good luck")]
    assert [e.comment for e in table.said(StonePlaced) if isinstance(e, StonePlaced)] == ["thanks"]


# --- positions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"position": "B./."}, ["row 2"]),
        ({"position": "BX/.."}, ["X"]),
        ({"position": "R./.."}, ["R"]),
        ({"position": "BW/.B"}, ["liberty"]),
        ({"position": "/".join(["." * 26] * 2)}, ["25"]),
        ({"hands": "9:1W"}, ["9:1W"]),
        ({"hands": "1:2R"}, ["R"]),
        ({"alliance_threshold": "7/5"}, ["alliance_threshold"]),
        ({"alliance_threshold": "much"}, ["alliance_threshold"]),
        ({"max_alliance": "5"}, ["max_alliance"]),
        ({"players": "4"}, ["players"]),
    ],
)
def test_what_no_match_can_open_from_is_said(given: dict[str, str], words: list[str]) -> None:
    faults = GAME.faults(Setup(options(**given), {}, 2))
    assert len(faults) == 1, faults
    assert all(word in faults[0] for word in words)


def test_a_position_gives_the_board_its_size() -> None:
    table = Table(2, position="B.W./....")
    assert table.board == ["B.W.", "...."]
    assert GAME.view(table.state, None).diagram is not None
    assert Table(2, position=".").board == ["."]


def test_hands_are_prisoners_held() -> None:
    assert Table(4, hands="1:5W5R 3:3B1W").prisoners == {
        "black": {"white": 5, "red": 5},
        "red": {"black": 3, "white": 1},
    }


@pytest.mark.parametrize("seats", [1, 9])
def test_a_match_has_two_to_eight_seats(seats: int) -> None:
    assert GAME.faults(Setup(options(), {}, seats))


def test_the_number_of_players_may_be_an_option() -> None:
    assert GAME.seats(options())[0] == 3
    assert GAME.seats(options(players="5")) == (5,)
