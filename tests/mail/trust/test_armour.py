"""OpenPGP's armour in a body. (That heaps of it cost little time: `tests/attacks/heavy_texts.py`.)"""

import pytest

from referee.mail.read.mail import read_mail
from referee.mail.read.rows import SIGNATURE, SIGNATURE_END, SIGNED

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
