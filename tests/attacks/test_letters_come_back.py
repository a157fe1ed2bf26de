"""Stories of letters that come back unchanged: none of them orders anything, and a few lines answer each."""

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from html import escape
from pathlib import Path

import pytest

from tests.offices.table import Table
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
    (letter,) = (letter for letter in letters if letter.kind != "question")  # words to a person go on to one
    assert letter.kind in ("status", "preview"), letter.text
    assert len(letter.text.splitlines()) <= FEW, letter.text
    return " ".join(letter.text.split())


@pytest.fixture
def parallel(tmp_path: Path) -> Table:
    return Table(tmp_path, "multigo", GO, board="9x9", order="parallel")


@pytest.mark.one_in(4)
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


def in_page(letter: Sent, own: str) -> str:
    """What a program makes of a plain reply that sends HTML alone: the quote marks are text."""
    return f"<p>{escape(own)}</p><pre>{escape(quoted(letter, ''))}</pre>"


def named(letter: Sent, own: str) -> str:
    """Marked with the name of whom it quotes."""
    return own + "\n\n" + "\n".join(f"Referee> {line}" for line in letter.text.splitlines())


def in_a_list(letter: Sent, own: str) -> str:
    """Pasted, each line behind a sign of a list, empty ones as well."""
    return own + "\n\n" + "\n".join(f"* {line}" for line in letter.text.splitlines())


def twice(letter: Sent, own: str) -> str:
    return quoted(letter, own) + "\n".join(f">> {line}" for line in letter.text.splitlines())


@pytest.mark.one_in(4)
@pytest.mark.parametrize("way", [in_page, named, in_a_list, twice])
@pytest.mark.parametrize("kind", ["due", "preview", "refusal", "opened"])
def test_whatever_a_program_makes_of_the_marks(
    parallel: Table, way: Callable[[Sent, str], str], kind: str
) -> None:
    player = parallel.mover
    due = parallel.latest("due", player)
    parallel.reply(due, "Move: zz9", at(0))
    parallel.send(player, f"{due.subject}?", "Move: C3", at(1))
    letter = parallel.latest(kind, player)
    before = record(parallel)
    body = way(letter, "Thanks!")
    kind_of_text = {"Content-Type": f"text/{'html' if way is in_page else 'plain'}; charset=utf-8"}
    raw = reply_to(letter, body, kind_of_text)
    parallel.world.raw(raw, at(2))
    few_lines(*parallel.step(at(2)))
    assert record(parallel) == before


def reply_to(letter: Sent, body: str, headers: Mapping[str, str]) -> bytes:
    head = {
        "From": letter.to, "To": str(letter.message["Reply-To"]), "Subject": f"Re: {letter.subject}",
        "Date": "Sun, 01 Mar 2026 13:02:00 +0000", "Message-ID": "<reply@players.example>",
        "In-Reply-To": str(letter.message["Message-ID"]), **headers,
    }  # fmt: skip
    return "\n".join((*(f"{name}: {value}" for name, value in head.items()), "", body)).encode()


def test_two_letters_quoted_the_older_one_below(table: Table) -> None:
    """The older one says some of the same as the newer, in another place."""
    due = table.latest("due", table.mover)
    _, (refusal,) = table.reply(due, "Move: zz9\nBuy: 3 Foo\nPlace: 9 z9", at(0))
    _, (help,) = table.send(table.mover, "help", "", at(0))
    pairs = ((due, refusal), (refusal, due), (due, due), (due, help), (refusal, help))
    for number, (newer, older) in enumerate(pairs):
        older_text = "\n".join(f">> {line}" for line in older.text.splitlines())
        few_lines(*table.reply(newer, quoted(newer, f"Thanks {number}!") + older_text, at(1 + number)))


@pytest.mark.parametrize("where", ["below a signature's mark", "attached as a mail", "attached as a page"])
def test_a_letter_in_a_new_mail_under_its_heading_brings_a_few_lines(table: Table, where: str) -> None:
    due = table.latest("due", table.mover)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = (
        table.mover,
        "collector@referee.localhost",
        f"Re: {due.subject}",
    )
    mail["Date"], mail["Message-ID"] = "Sun, 01 Mar 2026 13:02:00 +0000", "<new@players.example>"
    mail.set_content(f"Thanks!\n\n-- \n{due.text}" if where.startswith("below") else "Thanks!")
    if where == "attached as a mail":
        mail.add_attachment(due.message)
    elif where == "attached as a page":
        mail.add_attachment("<p>A letter</p>", subtype="html", filename="letter.html")
    table.world.raw(mail.as_bytes(), at(2))
    few_lines(*table.step(at(2)))
