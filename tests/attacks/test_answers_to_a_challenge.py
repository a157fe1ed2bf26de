"""A challenge is confirmed by a plain yes and denied by a plain no, from the address it went to; what is neither is
asked once more, then the moderator has it."""

from pathlib import Path

import pytest

from tests.way.test_loops import minute
from tests.way.test_senders import DENIED, STRANGER, trusting
from tests.world import Sent, Table, kinds

MODERATOR = "moderator@referee.localhost"
# Some of each; what is a Yes and what a No in any language: `tests/mail/trust/test_consent.py`.
CONFIRMING = ("Yes", "Hello,\n\nyes, it was me.\n\nThanks!", "はい")
DENYING = ("No", "No, that was not me.", "Das war ich nicht")
NEITHER = (
    "", "I never write in red!", "No problem, yes that was me!", "I am away until 12 April.", "Yes, no, I do not know",
    "Move: a1",
)  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    trusting(table)
    return table


def asked(table: Table, text: str | None = None) -> Sent:
    """A mail that a trusted server denies, and the question it brings."""
    subject = table.latest("due", table.mover).subject
    counts, letters = table.send(
        table.mover, subject, text or table.orders(table.mover), minute(0), headers=DENIED
    )
    assert (counts["held"], kinds(letters)) == (1, {"challenge": [table.mover]})
    return letters[0]


def untouched(table: Table) -> bool:
    return bool(table.world.show(table.match)["due"][0]["seat"] == table.turn)


@pytest.mark.parametrize("words", CONFIRMING)
def test_a_plain_yes_confirms(table: Table, words: str) -> None:
    counts, letters = table.reply(asked(table), words, minute(1), sender=f"Ann <{table.mover}>")
    assert (counts["answered"], counts["accepted"]) == (1, 1), [x.text for x in letters]


@pytest.mark.parametrize("words", DENYING)
def test_a_plain_no_denies(table: Table, words: str) -> None:
    counts, letters = table.reply(asked(table), words, minute(1))
    assert (counts["answered"], counts["accepted"]) == (1, 0)
    assert kinds(letters) == {"alarm": [MODERATOR], "receipt": [table.mover]}
    assert untouched(table)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("words", NEITHER)
def test_what_is_neither_is_asked_once_more_and_then_goes_to_the_moderator(table: Table, words: str) -> None:
    counts, letters = table.reply(asked(table), words, minute(1))
    assert counts["accepted"] == 0
    assert kinds(letters) == {"challenge": [table.mover]}
    assert "Yes" in letters[0].text
    counts, letters = table.reply(letters[0], words, minute(2))
    assert counts["accepted"] == 0
    assert kinds(letters) == {"alarm": [MODERATOR]}
    number = next(line.split()[-1] for line in letters[0].text.splitlines() if "Number" in line)
    assert untouched(table)
    counts, letters = table.reply(table.latest("challenge", table.mover), f"{words} Really", minute(3))
    assert kinds(letters) == {}, "he is not asked for ever"
    assert table.world.run("release", number, "--why", "he rang me").status == 0
    counts, _ = table.step(minute(4))
    assert counts["accepted"] == 1


@pytest.mark.parametrize("which", [0, 1])
def test_after_an_unclear_answer_a_yes_to_either_question_counts(table: Table, which: int) -> None:
    first = asked(table)
    _, letters = table.reply(first, "What do you mean by that?", minute(1))
    counts, _ = table.reply([first, letters[0]][which], "Yes", minute(2))
    assert (counts["answered"], counts["accepted"]) == (1, 1)


@pytest.mark.parametrize(
    "quote",
    [
        "> Yes, that was me.",
        "-- \nYes, that was me.",
        "On Mon, 2 Mar 2026 at 00:00, Referee <collector@referee.localhost> wrote:\nYes, that was me.",
    ],
)
def test_quotes_and_signatures_say_nothing(table: Table, quote: str) -> None:
    counts, letters = table.reply(asked(table), quote, minute(1))
    assert counts["accepted"] == 0
    assert kinds(letters) == {"challenge": [table.mover]}


def test_the_whole_question_quoted_below_a_yes_does_no_harm(table: Table) -> None:
    question = asked(table)
    quoted = "\n".join(f"> {line}" for line in question.text.splitlines())
    counts, _ = table.reply(
        question,
        f"Yes\n\nOn Mon, 2 Mar 2026 at 00:00, Referee <collector@referee.localhost> wrote:\n{quoted}\n-- \nAnn\nNo!",
        minute(1),
    )
    assert (counts["answered"], counts["accepted"]) == (1, 1)


def test_the_question_quoted_above_an_unclear_answer_is_not_the_answer(table: Table) -> None:
    question = asked(table)
    quoted = "\n".join(f"> {line}" for line in question.text.splitlines())
    counts, _ = table.reply(question, f"{quoted}\n\nWhat is this about?", minute(1))
    assert counts["accepted"] == 0
    assert untouched(table)


def test_a_yes_that_is_html_alone_is_read(table: Table) -> None:
    question = asked(table)
    named = question.message["Message-ID"]
    mail = table.world.message(table.mover, "Re: question", minute(1), reply_to=named)
    mail.set_content("<div>Yes<br></div><blockquote><p>Is it yours? No</p></blockquote>", subtype="html")
    table.world.raw(mail.as_bytes(), minute(1))
    counts, _ = table.step(minute(1))
    assert (counts["answered"], counts["accepted"]) == (1, 1)


def test_only_the_address_that_was_asked_may_answer(table: Table) -> None:
    question = asked(table)
    counts, letters = table.reply(question, "Yes", minute(1), sender=STRANGER)
    assert (counts["discarded"], counts["accepted"], letters) == (1, 0, [])
    counts, letters = table.reply(question, "Yes", minute(1), sender=table.other)
    assert (counts["answered"], counts["accepted"], kinds(letters)) == (1, 0, {"receipt": [table.other]})
    assert untouched(table)
    counts, _ = table.reply(question, "Yes", minute(2))
    assert counts["accepted"] == 1


def test_a_settled_question_is_settled(table: Table) -> None:
    question = asked(table)
    table.reply(question, "No", minute(1))
    counts, letters = table.reply(question, "Yes", minute(2))
    assert (counts["accepted"], kinds(letters)) == (0, {"receipt": [table.mover]})
    assert untouched(table)


def test_a_wish_is_granted_by_a_plain_yes_alone(table: Table) -> None:
    for number, words in enumerate(NEITHER):
        watcher = f"w{number}@elsewhere.example"
        _, letters = table.send(watcher, f"observe {table.match}", "", minute(3 * number))
        assert kinds(letters) == {"challenge": [watcher]}
        _, letters = table.reply(letters[0], words, minute(3 * number + 1))
        assert kinds(letters) == {"challenge": [watcher]}, words
        _, letters = table.reply(letters[0], words, minute(3 * number + 2))
        assert kinds(letters) == {"alarm": [MODERATOR]}
    table.world.run("say", table.match, "two", "--now", minute(60))
    _, public = table.step(minute(60))
    assert {x.to for x in public} == set(table.seats.values())
