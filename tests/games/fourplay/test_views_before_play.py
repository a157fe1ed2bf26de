"""What may be known (contract, "Facts in `position`"), the options as they are recorded, the picture. Their defaults,
the windows and the quadrants stand in the kept letters."""

from datetime import timedelta

import pytest

from referee.core.diagram import Token
from referee.games.fourplay.board.primitives import NAMES, quadrant_of
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import Rules
from tests.games.fourplay.table import Table, to_play, to_purchase, to_setup


def test_the_opening_event_records_every_option() -> None:
    table = Table(
        cycles="3", waiting_period="2d", purchase_window="1d", setup_window="36h", turn_window="12h", on_timeout="hold",
        statements="lenient", capture_reward="0", dollarman_income="5", dollarman_reward="7", budget="500",
        least_spent="50", catalogue="orthodox",
    )  # fmt: skip
    rules = table.state.rules
    assert rules == Rules(
        pieces=rules.pieces, cycles=3, waiting_period=timedelta(days=2), purchase_window=timedelta(days=1),
        setup_window=timedelta(hours=36), turn_window=timedelta(hours=12), on_timeout="hold", statements="lenient",
        catalogue="orthodox", capture_reward="0", dollarman_income=5, dollarman_reward=7, budget=500, least_spent=50,
    )  # fmt: skip
    assert '"Queen"' in rules.pieces


@pytest.mark.parametrize(
    "table", [Table(), to_purchase(), to_setup(), to_play()], ids=lambda table: table.state.phase
)
def test_the_facts_are_those_of_the_contract_and_the_same_for_everybody(table: Table) -> None:
    views = [GAME.view(table.state, seat) for seat in (None, 1, 2, 3, 4)]
    position = views[0].position
    assert all(view.position == position and view.diagram == views[0].diagram for view in views)
    assert set(position) == {"cycle", "round", "pieces", "off_board", "money", "gems"}
    assert all(set(piece) == {"square", "piece", "player", "mascot"} for piece in position["pieces"])
    assert all(set(row) == {"player", "piece", "count"} for row in position["off_board"])
    assert set(position["money"]) == set(position["gems"]) == {"1", "2", "3", "4"}
    assert views[0].phase == table.state.phase


def test_nothing_is_on_the_board_before_the_setups_are_revealed() -> None:
    for table in (Table(), to_purchase(), to_setup()):
        assert GAME.view(table.state, None).position["pieces"] == []


def test_on_timeout_hold_holds_the_turn() -> None:
    assert not to_play().round.holds
    assert to_play(on_timeout="hold").round.holds


def test_part_8_the_picture_marks_quadrants_neutral_squares_home_corners_neutron_and_mascots() -> None:
    diagram = GAME.view(to_play().state, None).diagram
    assert "".join(diagram.columns) == "abcdefghijklmno"
    assert diagram.rows == tuple(str(row) for row in range(15, 0, -1))
    tints = {name: {tint for square, tint in diagram.tints if square == name} for name in NAMES}
    for name in NAMES:
        assert (f"region{quadrant_of(name)}" if quadrant_of(name) else "neutral") in tints[name]
    assert {name for name in NAMES if "home" in tints[name]} == {"o15", "a15", "a1", "o1"}
    assert Token("h8", "+", "Neutron", "grey", "star") in diagram.tokens
    ringed = [token.owner for token in diagram.tokens if token.ringed]
    assert sorted(ringed) == ["1", "2", "3", "4"]


def test_law_9_the_sentences_name_every_piece_on_its_square() -> None:
    table = to_play()
    view = GAME.view(table.state, None)
    words = " ".join(view.diagram.sentences)
    for piece in view.position["pieces"]:
        assert piece["square"] in words.replace(",", " ").replace(".", " ").replace(";", " ").split()
    assert len(view.diagram.tokens) == len(view.position["pieces"])
