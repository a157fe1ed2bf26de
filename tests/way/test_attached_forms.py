"""A form attached to words: it counts where the words, by the game's own rule, hold no order; else the words alone."""

from pathlib import Path

import pytest

from tests.games.fourplay.cycle import Cycle
from tests.world import START, Table, World

COURTESY = (
    "Hello referee: here is my answer.", "See you on 12 May!", "Ann here, form below",
    "Note: the form is attached", "P.S. my phone: 0123 456",
)  # fmt: skip


def with_attachment(
    world: World, sender: str, subject: str, words: str, attached: str, at: str = START
) -> None:
    message = world.message(sender, subject, at)
    message.set_content(words)
    message.add_attachment(attached, filename="answer.txt")
    world.raw(message.as_bytes(), at)


@pytest.mark.parametrize("words", COURTESY)
def test_words_that_are_no_orders_leave_the_form_to_the_attachment(table: Table, words: str) -> None:
    subject = table.latest("due", table.mover).subject
    with_attachment(table.world, table.mover, subject, words, table.orders(table.mover))
    counts, letters = table.step()
    assert counts["accepted"] == 1, [x.text for x in letters]


def test_words_that_may_hold_the_form_back_are_asked_about_and_ok_sends_it(table: Table) -> None:
    subject, form = table.latest("due", table.mover).subject, table.orders(table.mover)
    with_attachment(table.world, table.mover, subject, "Don't count this yet.", form)
    counts, letters = table.step()
    (asked,) = [x for x in letters if x.to == table.mover]
    assert (counts["answered"], asked.kind) == (1, "preview")
    counts, letters = table.reply(asked, "OK", "2026-03-01T12:30:00Z")
    assert counts["accepted"] == 1, [x.text for x in letters]


@pytest.mark.parametrize(
    "words", ["Offer: draw", "Resign", "I resign", "Move: a1-b2, please", "Place 3 on b2"]
)
def test_words_that_order_something_stand_alone(table: Table, words: str) -> None:
    subject = table.latest("due", table.mover).subject
    with_attachment(table.world, table.mover, subject, words, table.orders(table.mover))
    counts, letters = table.step()
    told = " ".join(x.text for x in letters if x.to == table.mover or x.kind == "receipt")
    assert counts["accepted"] == 0 or "I left out: attachment" in " ".join(told.split())
    shown = table.world.show(table.match)
    placed = [cell for row in shown["position"]["board"] for cell in row if cell.strip(".")]
    own = [shown["position"]["board"][2][1]] if words == "Place 3 on b2" else []
    assert placed == own, "the attached move was not made"
    assert (shown["due"][0]["seat"] == table.turn) == (not own)


def test_another_form_attached_to_equal_words_is_another_answer(table: Table) -> None:
    subject = table.latest("due", table.mover).subject
    with_attachment(table.world, table.mover, subject, "My answer is attached.", "Move: z9-z8")
    assert table.step()[0]["refused"] == 1
    with_attachment(table.world, table.mover, subject, "My answer is attached.", table.orders(table.mover))
    assert table.step()[0]["accepted"] == 1


def test_a_purchase_attached_to_a_greeting_with_a_colon_and_numbers(tmp_path: Path) -> None:
    cycle = Cycle(tmp_path)
    cycle.ready()
    form = cycle.purchase(2)
    words = "Hi all:\n\nhere is my list, I hope to have it right at the 2nd try.\n\nYours"
    subject = "Fourplay: Initial Purchase of Pieces / Player 2"
    with_attachment(cycle.world, cycle.sender(2), subject, words, form, "2026-03-02T00:00:00Z")
    counts, letters = cycle.step("2026-03-02T00:00:00Z")
    assert counts["accepted"] == 1, letters[0].text


def test_what_the_referee_would_understand_names_the_words_that_count(tmp_path: Path, table: Table) -> None:
    message = table.world.message(table.mover, table.latest("due", table.mover).subject)
    message.set_content("Pass, or rather: Move: a1-b2")
    message.add_attachment(table.orders(table.mover), filename="old.txt")
    path = tmp_path / "one.eml"
    path.write_bytes(message.as_bytes())
    facts = table.world.run("read", str(path), "--as-of", START, "--json").json
    assert "old.txt" in str(facts["left_out"])
    assert facts["text"].strip() == "Pass, or rather: Move: a1-b2"
