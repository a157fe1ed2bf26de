"""A letter that is a receipt and tells what all are told says an order once: what the public words repeat of it does
not stand above them too. Whole matches of every game are played at the desk, with a comment now and then."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.attacks.test_thanks_that_order import GAMES, opened
from tests.offices import stage
from tests.offices.stage import answer_text, owing, subject_of
from tests.world import sent

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


# --- what is sealed is told as sealed only while it is -----------------------------------------------------------


SEALED = "nobody sees it before the reveal"
OPENED = "as the last one that was missing it is opened"


@pytest.mark.parametrize("kind", ["go, in parallel", "fourplay"])
@pytest.mark.parametrize("of_their", [0, 1], ids=["first address", "other address"])
def test_a_receipt_says_sealed_only_while_it_is(
    tmp_path: Path, kind: str, of_their: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [replace(p, addresses=(p.addresses[0], f"other.{p.addresses[0]}")) for p in stage.PEOPLE]
    monkeypatch.setattr(stage, "PEOPLE", tuple(people))
    club, waited, revealed = opened(tmp_path, kind, 5), 0, 0
    for number in range(6):
        r = club.match.rounds[0]
        for each in owing(club.match):
            person = club.match.entrant(each.seat)
            sender, text = person.addresses[of_their], answer_text(club.match, each, number)
            club.stage.write(f"{person.name} <{sender}>", subject_of(club.match, each), text, club.at)
            club.stage.new_letters()
            fresh = [x for x in club.stage.passed(club.at) if x.recipient == sender]
            letters = [" ".join(sent(x.raw.replace(b"\r\n", b"\n")).text.split()) for x in fresh]
            receipts = [words for words in letters if "and is accepted" in words]
            waits = any((o.label, o.opened) == (r.label, r.opened) for o in club.match.rounds)
            assert len(receipts) == 1
            assert (SEALED in receipts[0]) == (r.sealed and waits), receipts
            assert (OPENED in receipts[0]) == (r.sealed and not waits), receipts
            waited += r.sealed and waits
            revealed += r.sealed and not waits
    assert waited
    assert revealed
