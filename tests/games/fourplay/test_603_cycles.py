"""Cycles, standings, the waiting period (603)."""

from datetime import timedelta
from fractions import Fraction

from referee.core.value import REFEREE, Demand
from referee.games.fourplay.cycles import cycle_over
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import CycleEnded, GemReceived, PurchaseBegun, WaitingBegun
from tests.games.fourplay.table import Table, to_play


def test_603_the_waiting_period_is_a_round_of_the_referees_own() -> None:
    table = to_play(cycles="2", waiting_period="3d")
    events = table.happen(cycle_over(table.state, 3))
    assert [type(event) for event in events] == [CycleEnded, WaitingBegun]
    assert table.round.demands == (Demand("Wait", REFEREE),)
    assert table.round.window == timedelta(days=3)
    assert [type(event) for event in table.lapse()] == [PurchaseBegun]
    assert (table.state.phase, table.state.cycle) == ("purchase", 2)


def test_603_money_and_pieces_do_not_carry_over_but_gems_and_standings_do() -> None:
    table = to_play(cycles="0")
    table.happen((GemReceived(2), GemReceived(2)))
    table.happen(cycle_over(table.state, 3))
    position = GAME.view(table.state, None).position
    assert (position["pieces"], position["off_board"]) == ([], [])
    assert position["money"] == {"1": 615, "2": 615, "3": 615, "4": 615}
    assert position["gems"] == {"1": 0, "2": 2, "3": 0, "4": 0}
    assert [result.winner for result in table.state.results] == [3]


def over(table: Table, *winners: int | None) -> Table:
    for winner in winners:
        table.happen(cycle_over(table.state, winner))
        if table.state.phase != "ended":
            table.suggest_all().suggest_all()
    return table


def test_603_cycles_0_has_no_end() -> None:
    table = over(to_play(cycles="0"), 1, 2, 3)
    assert (table.state.cycle, table.state.phase) == (4, "play")


def test_house_most_cycles_win_the_match() -> None:
    outcome = GAME.outcome(over(to_play(cycles="3"), 2, 4, 2).state)
    assert (outcome.winners, outcome.points[2]) == ((2,), Fraction(2))
    assert outcome.reason == "Player 2 won 2 of 3 cycles."


def test_house_ties_are_broken_by_gems_then_by_money() -> None:
    table = to_play(cycles="2")
    table.happen((GemReceived(4),))
    outcome = GAME.outcome(over(table, 2, 4).state)
    assert outcome.winners == (4,)
    assert "ahead on Neutron Gems" in outcome.reason


def test_labels_name_the_cycle_where_there_are_several() -> None:
    table = to_play(cycles="2")
    assert table.round.label == "Cycle 1 / Round 1 / Player 1"
    assert to_play().round.label == "Round 1 / Player 1"
