"""Four players without tournament and claims (`tournament=off`): games in pairs, as two play them."""

import pytest

from referee.core import seam
from referee.core.owing import Demand
from referee.games.onepiece import events as ev
from referee.games.onepiece.game import GAME
from tests.games.at_the_seam import party
from tests.games.onepiece.table import E6, Table, set_up


def pairs(**given: str) -> Table:
    """Players 1 and 3 begin and are blue: E6 is theirs."""
    return Table(4, **{"tournament": "off", "starter": "1", "colours": "blue", "edge": "south", **given})


def test_4_the_opening_records_that_there_is_no_tournament() -> None:
    (told,) = pairs().of(ev.LawSet)
    assert (told.law.seats, told.law.claiming, told.law.tournament) == (4, False, False)
    assert Table(4).state.law.tournament


def test_4_no_form_has_a_claim_and_none_may_be_made() -> None:
    table, demand = pairs(), Demand("Move", 1)
    assert seam.form(GAME, table.state, demand, party(1)).text == "Move: ..."
    assert table.codes(1, "Move: Rd1Be1\nClaim: 2") == ["no_claims_for_two"]
    groups = {part.group for part in seam.answer_of(GAME, "Move").possible(table.state, demand, (), {"d1"})}
    assert groups == {"play", "offer"}


def test_4_seats_move_in_turn_and_a_colour_wins_for_both_its_players() -> None:
    table = pairs().play(E6)
    won = table.of(ev.GameWon)[-1]
    assert (won.colour, won.winners, won.seat) == ("blue", (1, 3), 3)
    assert [event.seat for event in table.of(ev.PieceMoved)] == [1, 2, 3, 4, 1, 2, 3]
    outcome = GAME.outcome(table.state)
    assert (outcome.winners, outcome.points) == ((1, 3), {1: 1, 2: 0, 3: 1, 4: 0})
    assert table.of(ev.SilentWinPaid) == table.of(ev.ClaimSettled) == []


def test_4_in_a_series_the_losers_begin_and_the_pair_with_more_games_wins() -> None:
    table = pairs(games="2").play(E6)
    assert (table.state.game, table.state.first) == (2, 4)
    for seat in (4, 1, 2):
        assert table.mail(seat, "Offer: draw" if seat == 4 else "Accept: draw") == ()
    assert table.state.phase == "play"
    assert table.mail(3, "Accept: draw") == ()
    assert table.of(ev.MatchDecided)[-1].winners == (1, 3)
    outcome = GAME.outcome(table.state)
    assert [float(points) for _, points in sorted(outcome.points.items())] == [1.5, 0.5, 1.5, 0.5]


def test_4_who_resigns_leaves_the_seat_and_the_pair_loses_once_both_have_left() -> None:
    table = pairs().play(E6.split()[0])
    assert table.mail(2, "Resign") == ()
    assert table.state.phase == "play"
    assert table.of(ev.PieceMoved)[-1].how == "left"
    assert (table.state.mover, GAME.vacant(table.state)) == (3, (2,))
    assert table.mail(4, "Resign") == ()
    assert table.of(ev.MatchDecided)[-1].winners == (1, 3)


def test_4_the_starter_chooses_the_colour_of_his_pair() -> None:
    table = Table(4, tournament="off", starter="2")
    assert table.owing() == (Demand("Colours", 2), Demand("Edge", 3))
    assert table.mail(2, "Colours: blue") == table.mail(3, "Edge: north") == ()
    assert [table.state.colour_of(seat) for seat in (1, 2, 3, 4)] == ["red", "blue", "red", "blue"]


@pytest.mark.parametrize(("press", "open_"), [("off", False), ("on", True)])
def test_c12_partners_may_talk_where_press_is_on(press: str, open_: bool) -> None:
    kinds = {demand.kind for demand in GAME.open_to(pairs(press=press).state, 2)}
    assert ("Comment" in kinds) is open_


def test_4_with_two_players_the_option_changes_nothing() -> None:
    assert GAME.faults(set_up(2, tournament="off")) == ()
    assert Table(2, tournament="off", starter="1", colours="red", edge="south").state.seats == (1, 2)
