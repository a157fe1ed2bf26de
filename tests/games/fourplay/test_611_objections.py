"""611: objections and the Statute of Limitations, for the match to rewind by."""

import json

import pytest

from referee.core import seam
from referee.core.value import Demand
from referee.games.fourplay.game import GAME
from tests.games.fourplay.table import PEOPLE, Table

KINGS = [
    {"square": "o15", "piece": "King", "player": 1, "mascot": False},
    {"square": "a15", "piece": "King", "player": 2, "mascot": False},
    {"square": "a1", "piece": "King", "player": 3, "mascot": False},
    {"square": "o1", "piece": "King", "player": 4, "mascot": False},
    {"square": "h8", "piece": "Neutron", "player": None, "mascot": False},
]
OBJECTION = "Round: 3\nTurn of Player: 1\nReason: the Cannon jumped."


def play(turn: int = 2, number: int = 3, **options: str) -> Table:
    position = json.dumps({"pieces": KINGS, "turn": turn, "round": number})
    return Table(position=position, **options)


def neutron(table: Table) -> str:
    """Some run of the Neutron, and a pass."""
    form = seam.form(GAME, table.state, Demand("Turn", table.state.to_move), PEOPLE[table.state.to_move]).text
    start = form.split("Neutron: ")[1][:3].rstrip("-")
    end = {"h8": "h15", "h15": "h1", "h1": "h15"}[start]
    return f"Neutron: {start}-{end}\nPass"


def pass_on(table: Table, times: int) -> Table:
    for _ in range(times):
        table.send(table.state.to_move, "Turn", neutron(table))
    return table


def test_611_an_objection_names_the_turn_by_its_rounds_label() -> None:
    table = play()
    action = table.read(4, "Objection", OBJECTION).action
    assert GAME.objection(action) == "Round 3 / Player 1"
    assert table.send(4, "Objection", OBJECTION)[0].reason == "the Cannon jumped."


def test_611_with_several_cycles_the_label_names_the_cycle() -> None:
    table = play(cycles="2")
    action = table.read(4, "Objection", OBJECTION).action
    assert GAME.objection(action) == "Cycle 1 / Round 3 / Player 1"


def test_611_an_objection_changes_nothing_by_itself() -> None:
    table = play()
    before = table.state
    table.send(4, "Objection", OBJECTION)
    assert table.state == before


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Round: 3\nTurn of Player: 1", ["reason_missing"]),
        ("Turn of Player: 1\nReason: no", ["objection_lacks"]),
        ("Round: 3\nReason: no", ["objection_lacks"]),
        ("Reason: no", ["objection_lacks", "objection_lacks"]),
        ("Round: three hundred\nTurn of Player: 1\nReason: no", ["number_unread"]),
        ("Round: 3\nTurn of Player: 2\nReason: not made yet", ["no_such_turn"]),
        ("Round: 3\nTurn of Player: 7\nReason: no such player", ["no_such_turn"]),
        ("Round: 9\nTurn of Player: 1\nReason: to come", ["no_such_turn"]),
    ],
)
def test_611_an_objection_names_round_player_and_reason(text: str, codes: list[str]) -> None:
    assert play().codes(4, "Objection", text) == codes


def test_611_the_form_filled_in_is_an_objection() -> None:
    table = play()
    form = seam.form(GAME, table.state, Demand("Objection", 4), PEOPLE[4]).text
    filled = (
        form.replace("Round: ...", "Round: 3").replace("Player: ...", "Player: 1").replace("...", "a foul")
    )
    assert table.codes(4, "Objection", filled) == []
    action = table.read(4, "Objection", filled).action
    text = seam.write(GAME, table.state, Demand("Objection", 4), action)
    assert table.read(4, "Objection", text).action == action


def test_611_before_the_first_turn_nothing_can_be_objected_to() -> None:
    table = play(turn=1, number=1)
    assert Demand("Objection", 2) not in GAME.open_to(table.state, 2)
    assert Demand("Objection", 2) in GAME.open_to(pass_on(table, 1).state, 2)


def test_611_the_statute_runs_until_the_offenders_next_turn_begins() -> None:
    table = play(turn=2)
    for _ in range(4):  # players 2, 3, 4 and 1
        pass_on(table, 1)
        offender_may_be_ruled = GAME.statute_open(table.state, "Round 3 / Player 2")
        assert offender_may_be_ruled == ((table.state.round, table.state.to_move) != (4, 2))
    assert (table.state.round, table.state.to_move) == (4, 2)


def test_611_the_statute_is_the_offenders_not_the_last_movers() -> None:
    table = pass_on(play(turn=4), 3)
    assert (table.state.round, table.state.to_move) == (4, 3)
    assert not GAME.statute_open(table.state, "Round 3 / Player 2")
    assert GAME.statute_open(table.state, "Round 3 / Player 4")
    assert GAME.statute_open(table.state, "Round 4 / Player 2")


def test_611_a_turn_that_passes_by_itself_ends_the_statute_too() -> None:
    pieces = [row for row in KINGS if row["player"] != 3]
    table = Table(position=json.dumps({"pieces": pieces, "turn": 4, "round": 4}))
    assert not GAME.statute_open(table.state, "Round 3 / Player 3")


def test_611_the_turn_that_ended_the_cycle_can_still_be_ruled_on() -> None:
    pieces = [row for row in KINGS if row["player"] in (2, 3, None)]
    pieces.append({"square": "a3", "piece": "Jester", "player": 2, "mascot": False})
    table = Table(position=json.dumps({"pieces": pieces, "turn": 2, "round": 3}), cycles="2")
    table.send(
        2, "Turn", "Neutron: h8-h15\nJester: a3-a1, captures King of Player 3, aggressive toward Player 3"
    )
    assert table.state.phase == "purchase"
    assert GAME.statute_open(table.state, "Cycle 1 / Round 3 / Player 2")
    assert not GAME.statute_open(table.state, "Cycle 1 / Round 2 / Player 2")
    assert Demand("Objection", 3) in GAME.open_to(table.state, 3)
    text = "Round: 3\nTurn of Player: 2\nReason: he was in check"
    assert table.codes(3, "Objection", text) == []


@pytest.mark.parametrize("label", ["Initial Purchase", "Round / Player", "Ready", ""])
def test_611_only_turns_have_a_statute(label: str) -> None:
    assert not GAME.statute_open(play().state, label)


def test_611_whose_king_is_attacked_is_told_at_once_where_its_fall_would_end_the_statute() -> None:
    """In its owner's place comes who made the turn that they have not been told of."""
    jester = {"square": "a3", "piece": "Jester", "player": 2, "mascot": False}

    def at(*gone: int, attacked: bool = False, turn: int = 2, number: int = 3) -> Table:
        pieces = [row for row in KINGS if row["player"] not in gone] + [jester] * attacked
        return Table(position=json.dumps({"pieces": pieces, "turn": turn, "round": number}))

    assert GAME.asked_next(at(4).state) == (3,)
    assert GAME.asked_next(at(4, attacked=True).state) == ()
    assert not GAME.statute_open(at(3, 4, turn=1, number=4).state, "Round 3 / Player 1")
    assert GAME.asked_next(at(attacked=True).state) == (3,)
    assert GAME.statute_open(at(3, turn=4).state, "Round 3 / Player 1")
