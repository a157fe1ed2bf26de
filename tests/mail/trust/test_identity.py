"""The same mail is told again through gateways; the same words again under a new id; other words never."""

import random
from pathlib import Path

import pytest

from referee.mail.read.head import read_head
from referee.mail.read.mail import read_mail
from referee.mail.sender.triage import content_digest as digest_of
from referee.mail.sender.triage import words_digest

LETTERS = sorted((Path(__file__).parents[1] / "letters").glob("*.eml"))
MAIL = (
    b"From: Ann <ann@example.org>\nTo: c@referee.example\nSubject: Go: Move / Player 2\n"
    b"Date: Mon, 12 Jan 2026 10:15:00 +0100\nMessage-ID: <1@example.org>\n\nMove: c3\n\n> your move?\n"
)


def content_digest(raw: bytes) -> str:
    return digest_of(raw, read_head(raw).headers, {"mx.example.net"})


def words(raw: bytes) -> str:
    return words_digest(read_mail(raw))


@pytest.mark.parametrize(
    "field",
    [
        b"Received: from a by b; Mon, 12 Jan 2026 10:15:01 +0100", b"Delivered-To: c@referee.example",
        b"Return-Path: <ann@example.org>", b"X-Spam-Status: No, score=-1", b"ARC-Seal: i=1",
        b"Authentication-Results: mx; spf=pass", b"X-Original-To: c@referee.example",
        b"X-Ms-Exchange-Organization-SCL: 1", b"Received-SPF: pass",
    ],
)  # fmt: skip
def test_what_servers_add_does_not_make_another_mail(field: bytes) -> None:
    assert content_digest(field + b"\n" + MAIL) == content_digest(MAIL)
    assert words(field + b"\n" + MAIL) == words(MAIL)


@pytest.mark.parametrize(
    "field",
    [
        b"DKIM-Signature: v=1; a=rsa-sha256",
        b"Authentication-Results: MX.example.net; dkim=pass header.d=example.org",
        b"Delivered-To: collector+0123@referee.example",
    ],
)
def test_what_may_prove_more_makes_another_mail_of_the_same_words(field: bytes) -> None:
    assert content_digest(field + b"\n" + MAIL) != content_digest(MAIL)
    assert words(field + b"\n" + MAIL) == words(MAIL)


def test_line_ends_and_folds_do_not_make_another_mail() -> None:
    assert content_digest(MAIL.replace(b"\n", b"\r\n")) == content_digest(MAIL)
    assert content_digest(MAIL.replace(b"Move / Player", b"Move /\n Player", 1)) == content_digest(MAIL)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"c3", b"c4"),
        (b"Player 2", b"Player 3"),
        (b"ann@", b"eve@"),
        (b"10:15:00", b"10:15:01"),
        (b"Subject:", b"X-Subject:"),
    ],
)
def test_other_words_sender_subject_or_date_make_another_mail(old: bytes, new: bytes) -> None:
    assert content_digest(MAIL.replace(old, new, 1)) != content_digest(MAIL)
    assert words(MAIL.replace(old, new, 1)) != words(MAIL)


def test_a_resend_has_new_content_and_the_same_words() -> None:
    resent = (
        MAIL.replace(b"<1@", b"<2@")
        .replace(b"> your move?", b"> it is your move")
        .replace(b"Ann <", b"Ann Archer <")
    )
    assert content_digest(resent) != content_digest(MAIL)
    assert words(resent) == words(MAIL)


def test_the_same_moment_in_another_zone_is_the_same_date() -> None:
    assert words(MAIL.replace(b"10:15:00 +0100", b"09:15:00 +0000")) == words(MAIL)


def test_one_line_is_not_two() -> None:
    assert words(MAIL.replace(b"Move: c3", b"Move: c3\nPass")) != words(
        MAIL.replace(b"Move: c3", b"Move: c3 Pass")
    )


def test_no_two_mails_of_the_corpus_are_the_same() -> None:
    assert len({content_digest(path.read_bytes()) for path in LETTERS}) == len(LETTERS)


def test_a_mail_re_encoded_by_a_gateway_keeps_its_words() -> None:
    chance = random.Random(1)
    for path in chance.sample(LETTERS, 20):
        raw = path.read_bytes()
        assert words(b"X-Gateway: relay\n" + raw) == words(raw)
