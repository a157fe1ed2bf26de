"""Stories of letters that come back unchanged: none of them orders anything, and a few lines answer each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desk.table import Table
from tests.world import Sent

GO = [f"P{i} <p{i}@example.org>" for i in (1, 2, 3)]
FEW = 26  # lines of a letter, with its greeting and its signature


def at(minute: int) -> str:
    return f"2026-03-01T13:{minute:02d}:00Z"


def quoted(letter: Sent, own: str) -> str:
    marked = "\n".join(f"> {line}".rstrip() for line in letter.text.splitlines())
    return f"{own}\n\nOn Sun, Mar 1, 2026 at 1:00 PM Referee <speaker@referee.localhost> wrote:\n\n{marked}\n"


def record(table: Table) -> tuple[object, object]:
    table_of = table.world.show(table.match, "--moderator")
    return table_of, table.world.run("record", table.match).out


def few_lines(counts: dict[str, int], letters: list[Sent]) -> str:
    assert (counts["answered"], counts["accepted"], counts["refused"]) == (1, 0, 0), letters[0].text
    (letter,) = letters
    assert letter.kind == "status"
    assert len(letter.text.splitlines()) <= FEW, letter.text
    return " ".join(letter.text.split())


@pytest.fixture
def parallel(tmp_path: Path) -> Table:
    return Table(tmp_path, "multigo", GO, board="9x9", order="parallel")


@pytest.mark.parametrize(
    ("game", "move"),
    [
        ("multigo", "Move: C3"),
        ("buttons", "Place: 1 a1"),
        ("morris", "Move: d2"),
        ("onepiece", "Colours: red"),
    ],
)
@pytest.mark.parametrize("words", ["Thanks!", "no, wait", ""])
def test_thanks_above_a_preview_plays_nothing(tmp_path: Path, game: str, move: str, words: str) -> None:
    table = Table(tmp_path, game, GO[:2])
    due = table.latest("due", table.mover)
    _, (preview,) = table.send(table.mover, f"{due.subject}?", move, at(0))
    assert preview.kind == "preview"
    assert move.partition(": ")[2] in preview.text
    before = record(table)
    said = few_lines(*table.reply(preview, quoted(preview, words), at(1)))
    assert "holds no order" in said
    assert "is still due" in said
    assert record(table) == before
    counts, _ = table.reply(preview, quoted(preview, move), at(2))
    assert counts["accepted"] == 1, "the same words as one's own do count"


def test_thanks_above_the_receipt_of_the_first_answer_does_not_put_it_back(parallel: Table) -> None:
    due = parallel.latest("due", parallel.mover)
    _, (first,) = parallel.reply(due, "Move: C3", at(0))
    parallel.reply(due, "Move: D4", at(1))
    before = parallel.world.run("show", parallel.match, "--json", "--as", str(parallel.turn)).out
    said = few_lines(*parallel.reply(first, quoted(first, "Thanks!"), at(2)))
    assert "is here and stays as it is" in said
    assert parallel.world.run("show", parallel.match, "--json", "--as", str(parallel.turn)).out == before


def test_another_letter_than_the_one_answered_is_known_as_well(parallel: Table) -> None:
    """A reply to the letter that asks, in which a preview and a receipt of the same seat are quoted or pasted."""
    due = parallel.latest("due", parallel.mover)
    _, (preview,) = parallel.send(parallel.mover, f"{due.subject}?", "Move: C3", at(0))
    _, (receipt,) = parallel.reply(due, "Move: D4", at(1))
    for number, letter in enumerate((preview, receipt)):
        few_lines(*parallel.reply(due, quoted(letter, f"Thanks {'ab'[number]}!"), at(2 + 2 * number)))
        few_lines(*parallel.reply(due, f"Thank you {'ab'[number]}!\n\n{letter.text}", at(3 + 2 * number)))


def test_a_letter_pasted_into_a_new_mail_orders_nothing(parallel: Table) -> None:
    due = parallel.latest("due", parallel.mover)
    _, (preview,) = parallel.send(parallel.mover, f"{due.subject}?", "Move: C3", at(0))
    counts, letters = parallel.send(parallel.mover, due.subject, f"no, wait\n\n{preview.text}", at(1))
    few_lines(counts, letters)


def test_a_reply_to_ones_own_mail_does_not_send_it_again(parallel: Table) -> None:
    due = parallel.latest("due", parallel.mover)
    parallel.reply(due, "Move: C3", at(0), message_id="<mine@players.example>")
    parallel.reply(due, "Move: D4", at(1))
    mine = "\n".join(
        ["> Move: C3", "> ", "> On Sunday, Referee wrote:", *(f"> > {x}" for x in due.text.splitlines())]
    )
    body = f"Sorry for the noise.\n\nOn Sun, Mar 1, 2026 at 1:00 PM P1 <p1@example.org> wrote:\n\n{mine}\n"
    counts, letters = parallel.send(
        parallel.mover, f"Re: {due.subject}", body, at(2), reply_to="<mine@players.example>",
        headers={"References": f"{due.message['Message-ID']} <mine@players.example>"},
    )  # fmt: skip
    few_lines(counts, letters)


def test_two_orders_in_one_mail_are_both_shown_and_neither_counts(parallel: Table) -> None:
    due = parallel.latest("due", parallel.mover)
    body = quoted(due, "Move: C3").replace("> Move:\n", "> Move: D4\n")
    before = record(parallel)
    counts, (letter,) = parallel.reply(due, body, at(0))
    assert (counts["answered"], counts["accepted"], letter.kind) == (1, 0, "preview")
    assert "Move: C3" in letter.text
    assert "Move: D4" in letter.text
    assert record(parallel) == before


def test_words_that_order_nothing_say_what_is_owed_and_until_when(parallel: Table) -> None:
    due = parallel.latest("due", parallel.mover)
    said = few_lines(*parallel.reply(due, quoted(due, "Thank you!"), at(0)))
    assert "due by Sunday 8 March 2026, 12:00 UTC" in said
