"""Leaving before play (104): suspended, thrown away, begun again when the seat is filled."""

import pytest

from referee.core.value import REFEREE, Demand
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import MatchEnded, PlayerLeft, PurchaseBegun, SeatFilled, SetupBegun
from tests.games.fourplay.table import DECLARATION, Table, to_play, to_purchase, to_setup


def fill(table: Table, seat: int) -> list[type]:
    return [type(event) for event in table.happen(GAME.filled(table.state, seat))]


def test_104_resigning_in_the_purchase_is_leaving_and_suspends_the_phase() -> None:
    table = to_purchase()
    assert GAME.open_to(table.state, 3) == (Demand("Resign", 3),)
    before = table.round
    events = table.send(3, "Resign", "Comment: My dog ate the board.")
    assert events == (PlayerLeft(3, "My dog ate the board."),)
    assert table.round.demands == (Demand("Vacancy", REFEREE, "3"),)
    assert table.round.window is None
    assert before.label not in table.rounds


def test_104_the_purchase_begins_again_with_a_fresh_round_when_the_seat_is_filled() -> None:
    table = to_purchase()
    table.send(3, "Resign", "")
    assert fill(table, 3) == [SeatFilled, PurchaseBegun]
    assert table.round.label == "Initial Purchase, start 2"
    assert table.round.demands == tuple(Demand("Purchase", seat) for seat in (1, 2, 3, 4))
    assert table.round.window == table.state.rules.purchase_window


def test_104_the_setup_is_suspended_and_begun_again_likewise() -> None:
    table = to_setup()
    army = table.state.player(2).army
    table.send(2, "Resign", "")
    assert [owed.demands[0].kind for owed in GAME.due(table.state)] == ["Vacancy"]
    assert fill(table, 2) == [SeatFilled, SetupBegun]
    assert table.round.label == "Initial Setup, start 2"
    assert table.state.player(2).army == army
    table.suggest_all()
    assert table.state.phase == "play"


def test_104_two_vacant_seats_must_both_be_filled() -> None:
    table = to_purchase()
    table.send(3, "Resign", "")
    table.send(1, "Resign", "")
    assert set(table.rounds) == {"Vacant seat / Player 1", "Vacant seat / Player 3"}
    assert fill(table, 3) == [SeatFilled]
    assert fill(table, 1) == [SeatFilled, PurchaseBegun]


def test_104_nothing_can_be_bought_while_the_phase_is_suspended() -> None:
    table = to_purchase()
    table.send(3, "Resign", "")
    complaint = table.complaints(1, "Purchase", "10 Pawn, 8 F$, value 1")[-1]
    assert (complaint.code, complaint.facts["vacant"]) == ("not_now", [3])


def test_104_who_comes_in_the_ready_phase_declares_anew() -> None:
    table = Table()
    table.send(2, "Ready", DECLARATION)
    table.send(2, "Resign", "")
    assert [demand.seat for demand in table.rounds["Ready"].demands] == [1, 3, 4]
    for seat in (1, 3, 4):
        table.send(seat, "Ready", DECLARATION)
    assert table.state.phase == "ready"
    assert fill(table, 2) == [SeatFilled]
    assert table.round.label == "Ready, start 2"
    assert table.round.demands == (Demand("Ready", 2),)
    table.send(2, "Ready", DECLARATION)
    assert table.round.label == "Initial Purchase"


def test_104_one_player_left_wins() -> None:
    table = to_purchase()
    table.send(3, "Resign", "")
    table.send(1, "Resign", "")
    events = table.send(2, "Resign", "")
    assert [type(event) for event in events] == [PlayerLeft, MatchEnded]
    outcome = GAME.outcome(table.state)
    assert (outcome.winners, outcome.reason) == ((4,), "Player 4 is the only one left.")


def test_104_replacing_a_person_who_has_not_left_changes_nothing_in_the_game() -> None:
    for table in (to_purchase(), to_play()):
        assert GAME.filled(table.state, 2) == ()


@pytest.mark.parametrize("text", ["", "Resign", "I must go.\nSorry!"])
def test_104_the_subject_says_it_all(text: str) -> None:
    assert to_purchase().complaints(1, "Resign", text) == []


def test_104_who_has_left_can_not_leave_again() -> None:
    table = to_purchase()
    table.send(3, "Resign", "")
    assert table.codes(3, "Resign", "") == ["not_now"]
