"""What a DKIM signature that a server names covers: all that is read of a mail to us, or the reason why not."""

import pytest

from referee.mail.read.mail import read_mail
from referee.mail.sender.authentication import MOST_SIGNATURES, signatures_on
from tests.mail.trust.signing import signed

MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: collector@referee.example\r\nSubject: Buttons: Move / Player 1\r\n"
    b"Date: Mon, 02 Mar 2026 00:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\r\nMove: b2-d3\r\n"
)
TAKEN = {"collector@referee.example"}


def lacks(raw: bytes) -> list[str]:
    return [one.lacks for one in signatures_on(read_mail(raw), TAKEN)]


def test_what_covers_from_to_subject_date_and_body_lacks_nothing() -> None:
    assert lacks(signed(MAIL)) == [""]
    assert lacks(MAIL) == []


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (signed(MAIL, only=("from", "date", "to")), "does not sign Subject"),
        (signed(MAIL, only=("from", "date", "subject")), "does not sign To"),
        (signed(MAIL, open_end=True), "does not sign the whole body"),
        (signed(MAIL).replace(b"rsa-sha256", b"rsa-sha1"), "SHA-1"),
        (signed(MAIL).replace(b"To: c", b"To: x@y.example, f"), "signs no To or Cc with an address of mine"),
        (b"DKIM-Signature: v=1; a=none\r\n" + MAIL, "does not sign From"),
        (b"DKIM-Signature: \xff\xfe\r\n" + MAIL, "does not sign From"),
        (b"Subject: x\r\n" + signed(MAIL), "signs one of several Subject"),
    ],
)
def test_what_is_missing_is_named(raw: bytes, why: str) -> None:
    assert why in lacks(raw)[0]


def test_of_a_mail_with_too_many_none_counts() -> None:
    head = signed(MAIL).removesuffix(MAIL)
    assert set(lacks(head * MOST_SIGNATURES + MAIL)) == {""}
    assert set(lacks(head * (MOST_SIGNATURES + 1) + MAIL)) == {f"signed {MOST_SIGNATURES + 1} times over"}


@pytest.mark.parametrize("raw", [b"\x00\x01\x02", b""])
def test_nothing_raises(raw: bytes) -> None:
    assert lacks(raw) == []
