"""The option `position`: the public facts of any position, given back, open a match in it."""

import json
from typing import Any

import pytest

from referee.core.value import Demand
from referee.games.fourplay.game import GAME
from tests.games.fourplay.table import Table, setup, to_play

SMALL: dict[str, Any] = {
    "cycle": 2,
    "round": 7,
    "pieces": [
        {"square": "o15", "piece": "King", "player": 1, "mascot": False},
        {"square": "a15", "piece": "King", "player": 2, "mascot": False},
        {"square": "c11", "piece": "Archer", "player": 2, "mascot": True},
        {"square": "d4", "piece": "Neutron", "player": None, "mascot": False},
    ],
    "off_board": [{"player": 1, "piece": "Pawn", "count": 3}],
    "money": {"1": 12, "2": 0, "3": 40, "4": 0},
    "gems": {"1": 0, "2": 2, "3": 0, "4": 1},
}
MASCOT: dict[str, Any] = {"square": "b1", "piece": "Pawn", "player": 2, "mascot": True}


def opened(facts: dict[str, Any]) -> Table:
    return Table(position=json.dumps(facts))


def test_the_facts_of_a_position_open_a_match_in_it() -> None:
    table = opened(SMALL)
    view = GAME.view(table.state, None)
    assert view.phase == "play"
    given = {**SMALL, "pieces": sorted(SMALL["pieces"], key=lambda piece: piece["square"])}
    shown = {**view.position, "pieces": sorted(view.position["pieces"], key=lambda piece: piece["square"])}
    assert shown == given


def test_player_1_is_to_move_unless_the_turn_is_given() -> None:
    assert opened(SMALL).round.demands == (Demand("Turn", 1),)
    assert opened({**SMALL, "turn": 2}).round.demands == (Demand("Turn", 2),)
    assert opened(SMALL).round.label == "Round 7 / Player 1"


def test_607a_a_player_without_king_whose_turn_is_given_passes_by_itself() -> None:
    assert opened({**SMALL, "turn": 3}).round.demands == (Demand("Turn", 1),)
    assert opened({**SMALL, "turn": 3}).state.round == 8


def test_a_position_of_a_real_match_survives_the_way_there_and_back() -> None:
    position = GAME.view(to_play().state, None).position
    again = GAME.view(opened(dict(position)).state, None).position
    assert again["pieces"] == position["pieces"]
    assert again == position


def test_what_is_left_out_is_nothing() -> None:
    position = GAME.view(opened({"pieces": SMALL["pieces"]}).state, None).position
    assert (position["cycle"], position["round"], position["off_board"]) == (1, 1, [])
    assert position["money"] == position["gems"] == {"1": 0, "2": 0, "3": 0, "4": 0}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pieces": SMALL["pieces"][:1]}, "at least two players need a King"),
        ({"pieces": [*SMALL["pieces"], SMALL["pieces"][0]]}, "taken twice"),
        ({"pieces": [*SMALL["pieces"], {"square": "p1", "piece": "Pawn", "player": 1}]}, "no square 'p1'"),
        ({"pieces": [*SMALL["pieces"], {"square": "b1", "piece": "Prawn", "player": 1}]}, "no piece 'Prawn'"),
        ({"pieces": [*SMALL["pieces"], {"square": "b1", "piece": "Pawn", "player": 5}]}, "player = 5"),
        ({"pieces": [*SMALL["pieces"], {"square": "b1", "piece": "Pawn", "player": None}]}, "player = None"),
        ({"pieces": [*SMALL["pieces"], {"square": "b1", "piece": "Neutron", "player": 1}]}, "player = 1"),
        ({"pieces": [*SMALL["pieces"], {"square": "b1", "piece": "Neutron", "player": None}]}, "more than one Neutron"),
        ({"pieces": [*SMALL["pieces"], {"square": "b1", "piece": "King", "player": 1}]}, "more than one King"),
        ({"pieces": [*SMALL["pieces"], MASCOT]}, "more than one Mascot"),
        ({"pieces": "none"}, "pieces must be a list"),
        ({"off_board": [{"player": 1, "piece": "Pawn", "count": -1}]}, "count = -1"),
        ({"money": {"5": 1}}, "money must give a number"),
        ({"money": {"1": "much"}}, "1 = 'much'"),
        ({"gems": []}, "gems must give a number"),
        ({"cycle": 0}, "cycle = 0"),
        ({"round": True}, "round = True"),
        ({"turn": 5}, "turn = 5"),
        ({"colour": "red"}, "there is no 'colour'"),
    ],
)  # fmt: skip
def test_a_bad_position_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    faults = GAME.faults(setup(position=json.dumps({**SMALL, **change})))
    assert len(faults) == 1
    assert words in faults[0]


@pytest.mark.parametrize("text", ["{", "[]", "position.json", "3"])
def test_what_is_no_position_at_all_is_refused(text: str) -> None:
    assert len(GAME.faults(setup(position=text))) == 1


def test_all_faults_of_a_position_are_reported_at_once() -> None:
    assert len(GAME.faults(setup(position=json.dumps({**SMALL, "turn": 9, "cycle": -1, "gems": 3})))) == 3
