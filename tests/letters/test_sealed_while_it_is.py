"""What is sealed is told as sealed only while it is: no receipt of an answer that completes its round says that nobody
sees it, from whichever of the seat's addresses the answer came."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.attacks.test_thanks_that_order import opened
from tests.offices import stage
from tests.offices.stage import answer_text, owing, subject_of
from tests.world import sent

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
