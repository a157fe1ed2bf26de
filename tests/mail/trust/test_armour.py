"""OpenPGP's armour in a body, and that hostile armour costs linear time and raises nothing."""

import pytest

from referee.mail.read.mail import read_mail
from referee.mail.read.rows import KEY, SIGNATURE, SIGNATURE_END, SIGNED
from tests.computing import is_at_most

HEAD = b"From: ann@example.org\nSubject: x\n\n"


def own(body: str) -> list[str]:
    return [line.text for line in read_mail(HEAD + body.encode()).own if line.text.strip()]


def test_dashes_are_put_back_and_the_armour_left_out() -> None:
    body = f"{SIGNED}\nHash: SHA512\n\nMove: b2-d3\n- -5 points\n{SIGNATURE}\n\nabc=\n{SIGNATURE_END}\n"
    letter = read_mail(HEAD + body.encode())
    assert [line.text for line in letter.own if line.text.strip()] == ["Move: b2-d3", "-5 points"]
    assert ("an OpenPGP signature", 7) in [(part.what, part.lines) for part in letter.left_out]


@pytest.mark.parametrize(
    "body",
    [
        f"{SIGNED}\nHash: SHA512\n\nMove: b2-d3\n",
        f"{SIGNED}\nMove: b2-d3\n{SIGNATURE_END}\n",
        f"{SIGNATURE}\n\nMove: b2-d3\n",
    ],
)
def test_a_block_without_its_end_hides_no_words(body: str) -> None:
    assert "Move: b2-d3" in own(body)


def test_a_quoted_block_stays_a_quote() -> None:
    body = f"Yes.\n> {SIGNED}\n> Hash: SHA512\n>\n> Move: b2-d3\n> {SIGNATURE}\n> abc\n> {SIGNATURE_END}\n"
    assert own(body) == ["Yes."]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("line", [SIGNED, SIGNATURE, KEY, f"{SIGNED}\n\n{SIGNATURE}"])
def test_a_heap_of_beginnings_costs_little_time(line: str) -> None:
    """Eight times the size takes some eight times as long; what grows with the square takes sixty-four."""
    small, large = (HEAD + (line + "\n").encode() * count for count in (1_875, 15_000))

    assert is_at_most(25, lambda: read_mail(small), lambda: read_mail(large))
