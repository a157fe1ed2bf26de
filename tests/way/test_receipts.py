"""Receipts: what happened that nobody else may know stands in them, and the form while the seat still owes."""

import re
from pathlib import Path

import pytest

from tests.world import ANN, PEOPLE, Table, kinds

AT = "2026-03-02T00:00:00Z"


@pytest.fixture
def puzzle(tmp_path: Path) -> Table:
    """A puzzle for many: everything about a private match is its player's alone until the end."""
    return Table(tmp_path, "buttons", [PEOPLE[0]], mode="solo", private="on", par="off")


def test_a_receipt_tells_what_only_its_reader_may_know_with_board_and_form(puzzle: Table) -> None:
    before = puzzle.world.run("record", puzzle.match).out
    due = puzzle.latest("due", ANN)
    counts, letters = puzzle.send(ANN, due.subject, puzzle.orders(ANN), AT)
    assert counts["accepted"] == 1, [x.text for x in letters]
    (receipt,) = letters
    assert receipt.kind == "due", "it asks for the next turn too"
    words = receipt.words
    assert "changed places" in words
    assert "\n4 " in receipt.text, "its board"
    assert "Your next turn" in words
    assert receipt.form.startswith("Move:")
    assert "changed places" not in puzzle.world.run("record", puzzle.match).out
    assert before


def test_the_form_of_a_receipt_is_accepted_when_filled_in(puzzle: Table) -> None:
    due = puzzle.latest("due", ANN)
    _, letters = puzzle.send(ANN, due.subject, puzzle.orders(ANN), AT)
    (receipt,) = letters
    counts, letters = puzzle.reply(receipt, puzzle.orders(ANN), "2026-03-02T01:00:00Z")
    assert counts["accepted"] == 1, [x.text for x in letters]


def test_a_receipt_and_what_all_are_told_are_one_letter(tmp_path: Path) -> None:
    """So are that and what the next player owes."""
    table = Table(tmp_path)
    subject = table.latest("due", table.mover).subject
    _, letters = table.send(table.mover, subject, table.orders(table.mover), AT)
    assert kinds(letters) == {"due": [table.other], "receipt": [table.mover]}
    assert len({letter.position for letter in letters}) == 1
    receipt, due = (next(x for x in letters if x.kind == kind) for kind in ("receipt", "due"))
    said = re.search(r"\n[^\n]*\)( (?:placed|moved)[^\n]*)\n", due.text)
    assert said is not None, due.text
    for letter, who in ((receipt, "You"), (due, ")")):
        assert letter.text.count(f"{who}{said[1]}") == letter.text.count(said[1]) == 1
    order = ("is due by", said[1], "It is your turn", "\n4  ", "Help:", due.form)
    places = [due.text.index(part) for part in order]
    assert places == sorted(places), due.text
    assert receipt.subject.endswith(" to move"), "who is next"
    assert not [x.text for x in (receipt, due) if "Next comes" in x.text]


def test_standing_orders_of_a_go_player_are_confirmed_to_him_alone(tmp_path: Path) -> None:
    people = [f"P{i} <p{i}@example.org>" for i in (1, 2, 3)]
    three = Table(tmp_path, "multigo", people, board="9x9")
    sender = three.seats[2]
    _, letters = three.send(sender, f"Go: Plan / Player 2 [{three.match}]", "If Black E5 then C3", AT)
    assert kinds(letters) == {"receipt": [sender]}, letters[0].text
    assert "C3" in letters[0].text
    assert "C3" not in three.world.run("record", three.match).out
