"""2.4: sealed rounds, collisions, removal, void rounds; 2.7: fallbacks."""

from __future__ import annotations

import pytest

from referee.games.multigo.game import GAME
from referee.games.multigo.state import PlayEnded, RoundPlayed
from tests.games.multigo.table import Table

KO = """
4 . . . . . .
3 . B W . . .
2 B . B W . .
1 . B W . . .
  A B C D E F
"""


def test_2_4_all_active_seats_owe_a_sealed_replaceable_answer() -> None:
    table = Table(3, board="9x9", order="parallel")
    (due,) = table.due
    assert (due.label, due.sealed, due.answers) == ("Round 1", True, "last")
    assert table.owed == [(1, "Move"), (2, "Move"), (3, "Move")]


def test_2_4_an_occupied_point_is_refused_on_receipt() -> None:
    table = Table(2, KO, order="parallel")
    assert table.codes(1, "Move: C2") == ["occupied"]
    assert table.codes(1, "Seal: B2") == []


def test_2_4_check_never_sees_another_seats_sealed_answer() -> None:
    table = Table(2, board="9x9", order="parallel")
    before = table.state
    table.play("B D4")
    assert table.state == before
    assert table.codes(2, "Seal: D4") == []
    assert table.board == ["." * 9] * 9


def test_2_4_three_at_one_point_and_a_fourth_alone() -> None:
    table = Table(4, board="9x9", order="parallel").play("B D4", "W D4", "R D4", "U E5")
    (played,) = table.of(RoundPlayed)
    assert [(c.point, c.seats) for c in played.collisions] == [("D4", (1, 2, 3))]
    assert [(p.seat, p.point) for p in played.placed] == [(4, "E5")]


@pytest.mark.parametrize(("removal", "row"), [("simultaneous", "B . . W . ."), ("old_first", "B W . W . .")])
def test_2_4_a_capture_in_a_ko_shape(removal: str, row: str) -> None:
    table = Table(2, KO, order="parallel", removal=removal).play("B E4", "W B2")
    assert table.row(2) == row


def test_2_4_self_capture_is_legal() -> None:
    table = Table(2, "2 W W .\n1 . W .\n  A B C", order="parallel").play("B A1", "W C2")
    assert table.row(1) == ". W ."
    assert table.prisoners == {"white": {"black": 1}}


def test_2_4_a_void_round_restores_the_board_and_nobody_captures() -> None:
    table = Table(2, "2 . .\n1 . .\n  A B", order="parallel").play("B A2", "W A1", "B B2", "W B1")
    voided = table.of(RoundPlayed)[-1]
    assert voided.void
    assert table.board == ["B.", "W."]
    assert not table.prisoners
    assert table.owed == [(1, "Move"), (2, "Move")]


def test_2_4_three_void_rounds_in_a_row_end_the_play() -> None:
    table = Table(2, "2 . .\n1 . .\n  A B", order="parallel").play("B A2", "W A1")
    table.play("B B2", "W B1", "B B2", "W B1")
    assert table.state.phase == "play"
    table.play("B B2", "W B1")
    assert [event.why for event in table.of(PlayEnded)] == ["void"]
    assert table.state.phase == "dead"


def test_2_4_a_round_that_counts_ends_a_run_of_void_ones() -> None:
    table = Table(2, "2 . .\n1 . .\n  A B", order="parallel").play("B A2", "W A1")
    table.play("B B2", "W B1", "B B2", "W B1", "B Pass", "W B1", "B Pass", "W Pass")
    assert table.state.voids == 0


@pytest.mark.parametrize(("kind", "phase"), [("allow", "play"), ("end", "dead")])
def test_2_4_a_repetition_may_be_allowed_or_end_the_play(kind: str, phase: str) -> None:
    table = Table(2, "2 . .\n1 . .\n  A B", order="parallel", superko_parallel=kind)
    table.play("B A2", "W A1", "B B2", "W B1")
    assert table.state.phase == phase
    assert table.board == (["..", ".."] if kind == "allow" else ["B.", "W."])


def test_2_4_passes_and_collisions_alone_repeat_nothing() -> None:
    table = Table(3, board="9x9", order="parallel").play("B D4", "W D4", "R Pass")
    (played,) = table.of(RoundPlayed)
    assert not played.void
    assert table.state.round == 2


def test_2_6_collided_placements_are_not_passes_for_the_end() -> None:
    table = Table(3, board="9x9", order="parallel").play("B D4", "W D4", "R Pass")
    assert table.state.phase == "play"
    table.play("B Pass", "W Pass", "R Pass")
    assert table.state.phase == "dead"


def test_2_6_a_round_of_lapses_alone_adjourns_the_game() -> None:
    table = Table(3, board="9x9", order="parallel").lapse()
    (due,) = table.due
    assert (table.state.phase, due.window) == ("play", None)
    table.play("B Pass", "W Pass", "R Pass")
    assert table.state.phase == "dead"


def test_2_6_one_pass_sent_among_lapses_ends_the_play() -> None:
    table = Table(3, board="9x9", order="parallel").play("B Pass").lapse()
    assert table.state.phase == "dead"


def test_2_7_without_fallbacks_one_point_is_all() -> None:
    assert Table(3, board="9x9", order="parallel").codes(1, "Seal: E4, B3") == ["too_many_points"]


def test_2_7_fallbacks_are_tried_level_by_level() -> None:
    """E4 collides; then White's and Red's B3 collide; Red's C3 stands, White has run out; Black has his B4."""
    table = Table(3, board="9x9", order="parallel", fallbacks="2")
    table.play("B E4, B4", "W E4, B3", "R E4, B3, C3")
    (played,) = table.of(RoundPlayed)
    assert [(p.seat, p.point) for p in played.placed] == [(1, "B4"), (3, "C3")]
    assert [c.point for c in played.collisions] == ["E4", "B3"]


def test_2_7_a_fallback_on_a_point_taken_at_an_earlier_level_fails() -> None:
    table = Table(3, board="9x9", order="parallel", fallbacks="1")
    table.play("B E4, C3", "W E4, D5", "R C3")
    assert table.row(3) == ". . R . . . . . ."
    assert table.row(5) == ". . . W . . . . ."


def test_2_4_a_resigned_seat_is_asked_no_more() -> None:
    table = Table(3, board="9x9", order="parallel").play("R Resign")
    assert table.owed == [(1, "Move"), (2, "Move")]
    table.play("B D4", "W E5")
    assert table.state.round == 2
    assert GAME.open_to(table.state, 3) == ()
