"""Turns at the seam: what follows them, lapses, resignations, tolerant reading, forms."""

import json
from typing import Any

import pytest

from referee.core import seam
from referee.core.value import Demand
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import (
    KingRemoved,
    MoneyReceived,
    TurnBegun,
    TurnPassed,
    TurnTaken,
)
from tests.games.fourplay.table import PEOPLE, Table
from tests.games.fourplay.test_611_objections import KINGS

ARMIES = [
    {"square": "c11", "piece": "Cannon", "player": 2, "mascot": False},
    {"square": "c7", "piece": "Pawn", "player": 3, "mascot": False},
    {"square": "c3", "piece": "Jester", "player": 3, "mascot": False},
    {"square": "b14", "piece": "Dollarman", "player": 2, "mascot": False},
]
CAPTURE = "Cannon: c11-c3, captures Jester of Player 3, aggressive toward Player 3, 1 F$ received"


def play(pieces: list[dict[str, Any]] | None = None, turn: int = 2, **options: str) -> Table:
    shown = KINGS + ARMIES if pieces is None else pieces
    return Table(position=json.dumps({"pieces": shown, "turn": turn, "round": 3}), **options)


def kinds(events: tuple[Any, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_606_a_turn_is_its_text_and_the_facts_it_brings_about() -> None:
    events = play().send(2, "Turn", f"Neutron: h8-h15\n{CAPTURE}\nComment: ha!")
    expected = ["TurnTaken", "PieceMoved", "PieceRemoved", "PieceMoved", "MoneyReceived", "TurnBegun"]
    assert kinds(events) == expected
    taken = events[0]
    assert isinstance(taken, TurnTaken)
    assert (taken.text, taken.comment) == (f"Neutron: h8-h15\n{CAPTURE}", "ha!")
    marks = {(mark.square, mark.kind) for mark in taken.last.marks}
    assert marks == {("h8", "from"), ("h15", "to"), ("c11", "from"), ("c3", "captured"), ("c3", "to")}


def test_610_lenient_turns_are_recorded_with_their_whole_statements() -> None:
    events = play(statements="lenient").send(2, "Turn", "Neutron: h8-h15\nCannon: c11-c3")
    assert events[0].text == f"Neutron: h8-h15\n{CAPTURE}"


def test_607a_612_a_turn_that_passes_says_why() -> None:
    assert play().lapse() == (TurnPassed(2, 1, 3, "time"), TurnBegun(3, 1, 3))
    pieces = [row for row in KINGS if row["player"] in (1, 2, None)] + ARMIES[3:]
    events = play(pieces).send(2, "Turn", "Neutron: h8-h15\nPass")
    assert events[2:4] == (TurnPassed(3, 1, 3, "kingless"), TurnPassed(4, 1, 3, "kingless"))


def test_the_dollarmans_income_is_an_option() -> None:
    events = play(turn=4, dollarman_income="3").send(4, "Turn", "Neutron: h8-h15\nPass")
    assert MoneyReceived(2, 3, "income") in events
    none = play(turn=4, dollarman_income="0").send(4, "Turn", "Neutron: h8-h15\nPass")
    assert not any(isinstance(event, MoneyReceived) for event in none)


def test_resigning_removes_the_king_and_the_pieces_stay() -> None:
    table = play()
    events = table.answer(Demand("Resign", 3), table.read(3, "Resign", "").action)
    assert kinds(events) == ["KingRemoved"]
    assert table.state.kings == (1, 2, 4)
    assert table.state.at("c7") is not None
    assert table.state.to_move == 2
    assert Demand("Resign", 3) not in GAME.open_to(table.state, 3)


def test_ruling_13_resigning_while_due_makes_the_next_player_due() -> None:
    table = play()
    events = table.answer(Demand("Resign", 2), table.read(2, "Resign", "Comment: enough").action)
    assert isinstance(events[0], KingRemoved)
    assert events[0].comment == "enough"
    assert events[1:] == (TurnBegun(3, 1, 3),)


def test_the_last_resignation_but_one_ends_the_cycle() -> None:
    pieces = [row for row in KINGS if row["player"] in (1, 2, None)]
    table = play(pieces)
    table.answer(Demand("Resign", 1), table.read(1, "Resign", "").action)
    assert table.state.phase == "ended"
    assert table.state.winners == (2,)


def test_resign_alone_stands_in_place_of_a_turn_but_not_beside_one() -> None:
    table = play()
    assert table.codes(2, "Turn", "Resign") == []
    assert table.codes(2, "Turn", "Neutron: h8-h15\nPass\nResign") == ["resign_alone"]
    table.send(2, "Turn", "Resign.")
    assert table.state.kings == (1, 3, 4)


SAME = [
    f"Neutron: h8-h15\n{CAPTURE}",
    f"Hello all,\nhere is my turn.\n\n* Neutron: H8 - H15\n* {CAPTURE}\n\nBest, Bob",
    "1. Neutron h8-h15\n2. Cannon c11-c3, captures Jester of Player 3, aggressive toward Player 3, 1 F$ received",
    "+: h8→h15\nCn: c11→c3; captures J of P3; aggressive towards Player 3; 1 F$ received.",
    "neutron: h8–h15\ncannon: c11–c3 (captures Jester of Player 3, aggressive toward Player 3, F$ 1 received)",
    "Neutron: h8 to h15\nCannon c11 to c3, capturing the Jester of Player 3, aggression to player 3, received 1 F$",
    "Neutron: h8-h15\nCannon: c11xc3, takes Player 3's Jester, aggressive toward P3, $1",
    "Neutron:\u00a0h8\u2011h15\nCANNON:\tc11-c3,\tcaptures jester of player 3, aggressive toward player three, 1 $F",
    f"Name: Bob\nPlayer: 2\nRound: 3\nCycle: 1\nMoves:\nNeutron: h8-h15\n{CAPTURE}\nPurchase: ...",
    f"Move 1: Neutron: h8-h15\nMove 2: {CAPTURE}",
]


@pytest.mark.parametrize("text", SAME)
def test_610_one_turn_written_in_many_ways(text: str) -> None:
    table = play()
    assert table.complaints(2, "Turn", text) == []
    entries = table.read(2, "Turn", SAME[0]).action.entries
    assert table.read(2, "Turn", text).action.entries == entries


def test_words_around_a_turn_are_courtesy_and_words_inside_are_not() -> None:
    table = play()
    assert table.codes(2, "Turn", "Neutron: h8-h15\nthis was easy\nPass") == ["turn_line_unread"]
    reading = table.read(2, "Turn", "Dear all!\nNeutron: h8-h15\nPass\nSo long")
    assert [line.text for line in reading.courtesy] == ["Dear all!", "So long"]


def test_an_empty_mail_is_a_complaint() -> None:
    assert play().codes(2, "Turn", "Hello?") == ["turn_empty"]


def test_the_form_filled_in_is_accepted() -> None:
    table = play()
    form = seam.form(GAME, table.state, Demand("Turn", 2), PEOPLE[2]).text
    expected = "Name: Bob Bender\nPlayer: 2\nRound: 3\nCycle: 1\nNeutron: h8-...\nPass\nPurchase: ..."
    assert form == expected
    assert table.codes(2, "Turn", form) == ["neutron_missing"]
    assert table.codes(2, "Turn", form.replace("h8-...", "h8-h15")) == []


def test_a_turn_of_somebody_else_is_refused_with_that_reason_alone() -> None:
    assert play().codes(3, "Turn", "Neutron: h8-h13") == ["not_now"]


def mended(table: Table, text: str) -> list[str]:
    reading = table.read(2, "Turn", text)
    return seam.form(GAME, table.state, Demand("Turn", 2), PEOPLE[2], reading).text.splitlines()[4:]


def test_law_6_a_line_whose_piece_is_guessed_keeps_its_squares() -> None:
    """That the Neutron runs farther or less far was not named: the form says what its sender wrote."""
    table = play([*KINGS, *ARMIES, {"square": "h14", "piece": "Pawn", "player": 3, "mascot": False}])
    assert mended(table, "h8-h15\nPass") == ["Neutron: h8-h15", "Pass"]
    assert mended(table, "Neutron: h8-h15\nPass") == ["Neutron: h8-h13", "Pass"]  # named: neutron_far
    assert mended(table, "Mvoe: h8-h1\nh8-h15")[0] == "Neutron: h8-h15"
    assert mended(table, "c11-c3")[-2:] == [CAPTURE.removesuffix(", 1 F$ received"), "1 F$ received"]
