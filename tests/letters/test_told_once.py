"""A letter that is a receipt and tells what all are told says an order once: what the public words repeat of it does
not stand above them too. Whole matches of every game are played at the desk, with a comment now and then."""

from collections import Counter
from pathlib import Path

import pytest

from tests.attacks.test_thanks_that_order import GAMES, opened
from tests.offices.stage import answer_text, owing, subject_of

ANSWERS = {"fourplay": 16}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", GAMES)
def test_an_order_stands_in_a_receipt_once(tmp_path: Path, kind: str) -> None:
    club, read = opened(tmp_path, kind, 8), 0
    for number in range(ANSWERS.get(kind, 6)):
        if not owing(club.match):
            break
        demand = owing(club.match)[0]
        r = club.match.round_of(demand)
        sealed = r is not None and r.sealed  # a reveal has the same lines of several
        order = answer_text(club.match, demand, number)
        if number % 2 and "Comment:" not in order:
            order += f"\nComment: this is my answer number {number}"
        seen = len(club.letters.get(demand.seat, []))
        club.mail(demand.seat, subject_of(club.match, demand), order)
        club.step()
        for letter in club.letters[demand.seat][seen:]:
            if "and is accepted" in " ".join(letter.text.split()):
                told = letter.text.partition("Reply with this form")[0].splitlines()
                lines = Counter(line for line in told if line.startswith("> ") and len(line) > 8)
                assert sealed or not [line for line, times in lines.items() if times > 1], letter.text
                read += 1
    assert read
