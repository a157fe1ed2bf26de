"""A mail that holds more than a mail may is refused unread, by counts alone, and told so; the queue goes on."""

import pytest

from tests.world import START, Table, kinds

LATER = "2026-03-01T13:00:00Z"
HEAVY = {
    "squares on one line": "Move: " + "a1 " * 100_000,
    "squares on many lines": "Move: a1\n" * 20_000,
    "orders between commas": "Move: " + "a1," * 2_000,
    "dates on one line": "On Mon, 1 Jan " * 60_000,
    "garbage words": "zqxv " * 190_000,
    "signs": "‹" * 200_000,
    "signs that stand for eighteen": "\ufdfa" * 50_000,
    "one endless word": "x" * 900_000,
    "one endless number": "9" * 900_000,
    "blanks": "a" + " " * 900_000 + "b",
    "blanks behind a pass phrase": "Pass phrase: a" + " " * 300_000 + "b\n" + "c " * 6000,
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("shape", HEAVY)
def test_it_is_refused_unread_and_told_so(table: Table, shape: str) -> None:
    board = table.world.show(table.match)
    subject = f"Buttons and bridges: Move / Player {table.turn}"
    table.world.mail(f"Ann <{table.mover}>", subject, HEAVY[shape], START)
    counts = table.world.step(LATER)
    assert (counts["read"], counts["refused"]) == (1, 1)
    (letter,) = table.world.new_letters()
    assert (letter.kind, letter.to) == ("refusal", table.mover)
    assert "more than I read of one mail" in letter.text
    assert "I read at most" in letter.text
    assert letter.text.strip().endswith("Move:\nPlace:\nComment:")
    assert len(letter.text) < 3000
    assert table.world.show(table.match) == board


def test_equal_mails_get_equal_answers_in_read_as_in_step(table: Table) -> None:
    subject = f"Buttons and bridges: Move / Player {table.turn}"
    path = table.world.mail(f"Ann <{table.mover}>", subject, HEAVY["squares on one line"], START)
    facts = table.world.run("read", str(path), "--as-of", START, "--json").json
    assert (facts["disposition"], facts["answer"], facts["complaints"]) == ("refused", "refusal", [])
    assert facts["text"].startswith("Move: a1 a1")
    assert table.world.run("read", str(path), "--as-of", START, "--json").json == facts


def test_a_preview_and_a_command_keep_to_the_same_measures(table: Table) -> None:
    words = HEAVY["garbage words"]
    table.world.mail(table.mover, f"Buttons and bridges: Move / Player {table.turn}?", words, START)
    table.world.mail(table.mover, f"press {table.match}", words, START)
    assert table.world.step(LATER)["refused"] == 2
    assert kinds(table.world.new_letters()) == {"refusal": [table.mover] * 2}


def test_what_only_asks_is_answered_whatever_stands_below_it(table: Table) -> None:
    table.world.mail(table.mover, "status", HEAVY["garbage words"], START)
    assert table.world.step(LATER)["answered"] == 1
    assert kinds(table.world.new_letters()) == {"status": [table.mover]}


def test_a_form_in_an_endless_quote_is_not_read_either(table: Table) -> None:
    asked = next(x for x in table.letters if x.kind == "due" and x.to == table.mover)
    quote = "".join(f"> {line}\n" for line in asked.text.splitlines())
    body = "Thanks!\n\n" + quote + "> Move: a1 - b2\n" * 15_000
    table.world.mail(table.mover, f"Re: {asked.subject}", body, START, reply_to=asked.message["Message-ID"])
    assert table.world.step(LATER)["refused"] == 1
    (letter,) = table.world.new_letters()
    assert "more than I read of one mail" in letter.text


def test_a_form_in_an_endless_attachment_is_not_read_either(table: Table) -> None:
    raw = (
        f"From: {table.mover}\nTo: collector@referee.localhost\nMessage-ID: <big@players.example>\n"
        f"Subject: Buttons and bridges: Move / Player {table.turn}\nDate: Sun, 01 Mar 2026 12:00:00 +0000\n"
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nhere you are\n--x\n"
        "Content-Type: text/plain; name=move.txt\nContent-Disposition: attachment; filename=move.txt\n\n"
        + "Move: a1 - b2\n" * 15_000
        + "--x--\n"
    )
    table.world.raw(raw.encode(), START)
    assert table.world.step(LATER)["refused"] == 1
    (letter,) = table.world.new_letters()
    assert "more than I read of one mail" in letter.text


def test_the_mail_behind_it_counts_in_the_same_pass(table: Table) -> None:
    subject = f"Buttons and bridges: Move / Player {table.turn}"
    for shape in HEAVY.values():
        table.world.mail(table.mover, subject, shape, START)
    table.world.mail(table.mover, subject, table.orders(table.mover), LATER)
    counts = table.world.step(LATER)
    assert (counts["refused"], counts["accepted"], counts["shunted"]) == (len(HEAVY), 1, 0)


def test_the_limits_stand_in_the_configuration(table: Table) -> None:
    table.world.configure("tokens = 5000 ", "tokens = 20 ")
    table.world.mail(table.mover, f"Buttons and bridges: Move / Player {table.turn}", "word " * 21, START)
    assert table.world.step(LATER)["refused"] == 1
    (letter,) = table.world.new_letters()
    assert "21 words, numbers and signs; I read at most 20" in letter.text


def test_a_refusal_with_very_many_faults_tells_the_first_and_how_many_there_are(table: Table) -> None:
    subject = f"Buttons and bridges: Move / Player {table.turn}"
    body = "\n".join(f"Move: z{n} - z9" for n in range(10, 410))
    table.world.mail(table.mover, subject, body, START)
    assert table.world.step(LATER)["refused"] == 1
    (letter,) = table.world.new_letters()
    assert letter.text.count("I cannot read") == 100, "like faults stand together"
    assert "301 more faults. That is too many" in letter.words
    assert len(letter.text) < 40_000
