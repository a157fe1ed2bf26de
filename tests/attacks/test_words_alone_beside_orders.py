"""A word that stands alone on a line (Withdraw, Pass, Resign, Undo, Give up) beside orders: never one of the two in
silence. A complaint, or both where both are clear."""

from pathlib import Path

import pytest

from tests.world import Table

GO = [f"P{i} <p{i}@example.org>" for i in (1, 2, 3)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("game", "options"), [
    ("multigo", {"board": "9x9"}), ("multigo", {"board": "9x9", "order": "parallel"}), ("onepiece", {}),
    ("buttons", {}),
])  # fmt: skip
@pytest.mark.parametrize("word", ["Withdraw", "Pass", "Resign", "Undo", "Give up"])
@pytest.mark.parametrize("first", [True, False])
def test_a_word_beside_an_order_drops_neither_in_silence(
    tmp_path: Path, game: str, options: dict[str, str], word: str, first: bool
) -> None:
    table = Table(tmp_path, game, GO[:2], **options)
    orders = table.orders(table.mover)
    body = f"{word}\n{orders}" if first else f"{orders}\n{word}"
    counts, letters = table.send(
        table.mover, table.latest("due", table.mover).subject, body, "2026-03-01T13:00:00Z"
    )
    assert counts["accepted"] == 0, [x.text for x in letters]
    assert counts["refused"] == 1, [x.text for x in letters]
    said = {word, "Resign"} if word == "Give up" else {word}  # in Go that is resigning
    assert any(one.lower() in letters[0].text.lower() for one in said)


def test_withdraw_beside_a_new_answer_takes_nothing_back_and_puts_nothing_in_place(tmp_path: Path) -> None:
    table = Table(tmp_path, "multigo", GO, board="9x9", order="parallel")
    due = table.latest("due", table.mover)
    table.reply(due, "Move: C3", "2026-03-01T13:00:00Z")
    counts, letters = table.reply(due, "Withdraw\nMove: E5", "2026-03-01T13:05:00Z")
    assert counts["refused"] == 1, letters[0].text
    assert "only one of the two can be meant" in letters[0].words
    counts, letters = table.reply(due, "Withdraw\n\nsorry, and thanks", "2026-03-01T13:10:00Z")
    assert counts["accepted"] == 1, letters[0].text
    assert "taken back" in letters[0].text


def test_withdraw_beside_a_purchase_is_not_passed_over(tmp_path: Path) -> None:
    table = Table(tmp_path, "fourplay", [f"P{i} <p{i}@example.org>" for i in (1, 2, 3, 4)])
    for address in table.seats.values():
        table.reply(table.latest("due", address), table.orders(address), "2026-03-02T00:00:00Z")
    address = table.seats[1]
    counts, letters = table.reply(
        table.latest("due", address), f"{table.orders(address)}\n\nWithdraw", "2026-03-03T00:00:00Z"
    )
    assert (counts["accepted"], counts["refused"]) == (0, 1), letters[0].text


def test_withdraw_where_nothing_is_sealed_says_so(tmp_path: Path) -> None:
    table = Table(tmp_path, "multigo", GO, board="9x9", order="parallel")
    counts, letters = table.reply(table.latest("due", table.mover), "Withdraw", "2026-03-01T13:00:00Z")
    assert counts["refused"] == 1, letters[0].text
    said = letters[0].words
    assert "nothing of yours to take back: no sealed answer" in said
    assert "conditional" not in said


@pytest.mark.parametrize("word", ["Withdraw", "Undo", "Give up"])
@pytest.mark.parametrize(
    ("game", "options"), [("multigo", {"board": "9x9"}), ("multigo", {"board": "9x9", "order": "parallel"})]
)
def test_a_form_that_still_holds_both_says_that_something_is_left(
    tmp_path: Path, game: str, options: dict[str, str], word: str
) -> None:
    table = Table(tmp_path, game, GO, **options)
    letter = table.reply(table.latest("due", table.mover), f"Move: E5\n{word}", "2026-03-01T13:00:00Z")[1][0]
    said = letter.words
    form = letter.text.rpartition("send it back.")[2]
    held = word in form or (word == "Give up" and "Resign" in form)
    assert ("Put right what is left" in said) == held, letter.text
    assert "the word OK" not in said


@pytest.mark.parametrize("word", ["Undo", "Withdraw", "Resign", "Pass"])
def test_a_word_beside_a_solo_move(tmp_path: Path, word: str) -> None:
    table = Table(tmp_path, "buttons", GO[:1], mode="solo")
    orders = table.orders(table.mover)
    counts, letters = table.reply(
        table.latest("due", table.mover), f"{orders}\n{word}", "2026-03-01T13:00:00Z"
    )
    if word in ("Undo", "Resign"):  # orders among others in solo, done in turn; the answer names both
        assert counts["accepted"] + counts["refused"] == 1
        return
    assert (counts["accepted"], counts["refused"]) == (0, 1), letters[0].text
    assert word.lower() in letters[0].text.lower()
