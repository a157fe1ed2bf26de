"""For any bytes there is a Letter, and all that is done with one: nothing raises, and nothing takes long."""

import random
import tracemalloc

import pytest

from referee.mail.read import parsing
from referee.mail.read.mail import read_mail
from referee.mail.read.subject import match_heading, read_subject
from referee.mail.sender.authentication import weigh
from referee.mail.sender.triage import content_digest, read_bounce, triage, words_digest
from tests.computing import is_at_most
from tests.mail.mutation import mutated
from tests.sampling import long, one_in

TITLES = {"Go": "multigo", "One Piece For Two": "onepiece", "Fourplay": "fourplay"}
HEADINGS = {"Move": "Move", "Initial Purchase of Pieces": "Purchase"}
CONTROLS = frozenset(map(chr, [*range(9), *range(11, 32), 127]))


def use_everything(raw: bytes) -> None:
    """All that the offices will ask of a mail; its texts must be fit for letters and for the store."""
    letter = read_mail(raw)
    triage(letter, ("collector@referee.example",))
    bounce = read_bounce(letter.parts)
    tag = read_subject(letter.subject, TITLES)
    match_heading(tag.heading, HEADINGS)
    assert len(content_digest(raw, letter.headers)) == len(words_digest(letter)) == 64
    texts = [
        letter.subject,
        "\n".join(line.text for line in letter.own),
        letter.date_text,
        weigh(letter, ("mx", "mx.example"), ("collector@referee.example",)).detail,
        *letter.faults,
        *letter.recipients,
    ]
    texts += [one.what for one in letter.left_out] + [line.text for line in letter.quoted]
    texts += [
        letter.message_id or "",
        letter.content_type,
        *letter.references,
        letter.program or "",
    ]
    texts += [triage(letter, ()).reason, tag.heading, tag.argument, *tag.brackets, *bounce.letter_ids]
    texts += [failure.note for failure in bounce.failures] + [letter.sender.name if letter.sender else ""]
    for text in texts:
        text.encode("utf-8")
        assert not CONTROLS & set(text)
    assert "\n" not in letter.subject
    numbers = [line.number for line in letter.own]
    assert numbers == sorted(set(numbers))


def mutate_many(count: int, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(count):
        raw = mutated(chance)
        try:
            use_everything(raw)
        except Exception as trouble:
            raise AssertionError(f"mail {number} of seed {seed}: {raw[:300]!r}...") from trouble


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("seed", "count"), [*((n, 500) for n in range(4)), *long(*((n, 10_000) for n in range(100, 105)))]
)
def test_no_mutated_mail_raises(seed: int, count: int) -> None:
    mutate_many(count, seed)


def test_no_noise_raises() -> None:
    chance = random.Random(7)
    for size in (0, 1, 2, 3, 10, 100, 1000, 10_000) * 5:
        use_everything(chance.randbytes(size))


HEAD = b"From: a@example.org\nSubject: Go: Move / Player 1\n"
PLAIN = HEAD + b"Content-Type: text/plain; charset=utf-8\n\n"
HTML = HEAD + b"Content-Type: text/html; charset=utf-8\n\n"

# Pieces that, repeated, drive backtracking, recursion or squares in what reads them; the last word closes the mail.
HOSTILE = {
    "quote marks": (PLAIN, b">"),
    "quoted lines": (PLAIN, b"> \n"),
    "the word On": (PLAIN, b"On "),
    "attributions": (PLAIN, b"On 1.1.2020 a@b wrote:\n"),
    "quoted after attributions": (PLAIN, b"On 1.1.2020 10:00 a@b wrote:\n> x\n"),
    "attributions in pieces": (PLAIN, b"On 1 Jan 2020 10:00 A\n\n<\nmailto:a@b.c\n> wrote:\n"),
    "initials": (PLAIN, b"AB>>> x\n"),
    "bars": (PLAIN, b"On 1.1.2020 10:00 a@b wrote:\n| a\n"),
    "rulers that run on": (PLAIN, b"--- Original Message ---From: x\n"),
    "open links": (PLAIN, b"> (http://x\n(\n"),
    "undeclared escapes": (PLAIN, b"a=C3=BC"),
    "soft breaks": (PLAIN, b"x" * 70 + b"=\n"),
    "heads of two": (PLAIN, b"From: a@b.c\nDate: 1.1.2020 10:00\n\n> x\n"),
    "undeclared letters": (HEAD + b"Content-Type: text/plain\n\n", b"\xe4a"),
    "dates on one line": (PLAIN, b"On Mon, 1 Jan "),
    "garbage words": (PLAIN, b"zqxv "),
    "opening quotes": (PLAIN, "‹".encode()),
    "signs that stand for eighteen": (PLAIN, "\ufdfa".encode()),
    "signed in the clear": (PLAIN, b"-----BEGIN PGP SIGNED MESSAGE-----\n"),
    "signed parts": (HEAD + b"Content-Type: multipart/signed; boundary=x\n\n", b"--x\n"),
    "closing tags": (HTML, b"</p>"),
    "cells": (HTML + b"<table><tr>", b"<td>a"),
    "rules and breaks": (HTML, b"<hr><br>"),
    "entities": (HTML, b"&lt;&#x41;"),
    "attributes": (HTML + b"<p ", b"a=1 "),
    "hidden text": (HTML, b"<p style='display : none'>"),
    "separated values": (HEAD + b"Content-Type: text/csv\n\n", b'"a;",'),
    "quotes in separated values": (HEAD + b"Content-Type: text/csv; name=a.csv\n\n", b'"\n'),
    "enriched commands": (HEAD + b"Content-Type: text/enriched\n\n", b"<a><param>"),
    "signs before a subject": (b"From: a@b.org\nSubject: ", b"***a*** {b} (re) "),
    "marks of GroupWise": (PLAIN, b">>> 1.1.2020 10:00 >>>\n> a\n"),
    "half attributions": (PLAIN, b"On Monday\nwrote:\n"),
    "colons": (PLAIN, b"a:\n"),
    "field names": (PLAIN, b"From: x\nTo:\n"),
    "dashes": (PLAIN, b"--\n"),
    "one ruler": (PLAIN, b"-"),
    "blank lines": (PLAIN, b"\n"),
    "blanks": (PLAIN, b" "),
    "digits": (PLAIN, b"1"),
    "addresses": (PLAIN, b"a@b."),
    "phone lines": (PLAIN, b"Sent from my iPhone <\n"),
    "legal words": (PLAIN, b"confidential privileged disclaimer\n\n"),
    "accents": (PLAIN + b"a", "\u0301".encode()),
    "flowed": (HEAD + b"Content-Type: text/plain; format=flowed\n\n", b"a \n"),
    "divisions": (HTML, b"<div>"),
    "block quotes": (HTML, b"<blockquote>"),
    "tables": (HTML, b"<table><tr><td>a</td><td>"),
    "bold and italic": (HTML, b"<b><i><font>"),
    "open tags": (HTML, b'<a href="'),
    "comments": (HTML, b"<!--"),
    "classes": (HTML + b'<p class="', b"x "),
    "style": (HTML + b'<p style="', b"border:font-size:0 "),
    "paragraphs": (HTML, b"<p>"),
    "parts": (HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n", b"--x\n\na\n"),
    "containers": (HEAD, b"Content-Type: multipart/mixed; boundary=b\n\n--b\n"),
    "mails": (HEAD, b"Content-Type: message/rfc822\n\n"),
    "fields": (HEAD, b"X-A: b\n"),
    "folds": (HEAD + b"X-A:", b" b\n"),
    "encoded words": (HEAD.strip() + b" ", b"=?utf-8?q?a?= "),
    "half encoded words": (HEAD.strip() + b" ", b"=?a?q"),
    "brackets": (HEAD.strip() + b" ", b"["),
    "prefixes": (b"From: a@b.org\nSubject: ", b"Re: "),
    "seats": (HEAD.strip() + b" ", b" player "),
    "quotes in From": (b"From: ", b'"\\'),
    "comments in From": (b"From: ", b"("),
    "recipients": (HEAD + b"To: ", b"a@b.c, ("),
    "references": (HEAD + b"References: ", b"<a@b> <"),
    "results": (HEAD + b"Authentication-Results: mx; ", b'dkim=pass ("a.b=c; '),
    "parameters": (HEAD + b"Content-Type: text/plain", b"; a*0*=b"),
    "date": (HEAD + b"Date: ", b"1 "),
    "base64": (HEAD + b"Content-Transfer-Encoding: base64\n\n", b"QQ=="),
    "escapes": (HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n", b"= "),
    "reports": (
        HEAD
        + b"Content-Type: multipart/report; boundary=x\n\n--x\nContent-Type: message/delivery-status\n\n",
        b"Final-Recipient: rfc822; a@b.c\n\n",
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", one_in(3, HOSTILE))
def test_the_time_for_a_hostile_mail_grows_no_faster_than_its_size(name: str) -> None:
    """Eight times the size takes some eight times as long; what grows with the square takes sixty-four."""
    start, piece = HOSTILE[name]
    small, large = (start + piece * (size // len(piece)) + b"\n\nx" for size in (15_000, 120_000))
    use_everything(small)  # what is made once is made
    assert is_at_most(25, lambda: use_everything(small), lambda: use_everything(large))


def test_an_attachment_of_any_size_is_not_decoded() -> None:
    part = (
        b"Content-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: base64\n\n"
        + b"QUJD" * 18
        + b"\n"
    )
    small, large = (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nMove: c3\n--x\n"
        + part
        + (b"QUJD" * 18 + b"\n") * lines
        for lines in (1, 100_000)
    )
    assert read_mail(large).own == read_mail(small).own
    assert read_mail(large).left_out == read_mail(small).left_out
    assert [one.what for one in read_mail(large).left_out] == ["attachment a.zip"]


def test_a_larger_attachment_takes_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what is read of a part, a mail costs no more than its own bytes."""
    monkeypatch.setattr(parsing, "LARGEST_PART", 100_000)
    peaks = []
    for size in (400_000, 1_600_000):
        raw = (
            HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nMove: c3\n--x\nContent-Type: a/b\n\n"
        )
        raw += (b"QUJD" * 18 + b"\n") * (size // 73) + b"--x\n\nThanks\n--x--\n"
        tracemalloc.start()
        letter = read_mail(raw)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert "\n".join(line.text for line in letter.own) == "Move: c3\nThanks"
    assert peaks[1] < 1.2 * peaks[0]
