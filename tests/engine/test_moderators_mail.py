"""A moderator works by mail alone: a desk and an engine that read the same mails do the same and write the same
letters; and whatever a crash leaves half done is done once."""

from __future__ import annotations

from datetime import datetime
from email import message_from_bytes
from pathlib import Path
from typing import Literal

import pytest

from tests.engine.test_both_engines import letters_by_match
from tests.memory import Crash, FailurePlan, PlannedFailure
from tests.offices.stage import Stage, later

MO = "moderator@referee.localhost"


def letter_to(stage: Stage, address: str, kind: str) -> tuple[str, str]:
    """The last such letter: its Message-ID and where replies go."""
    found = [message_from_bytes(parcel.raw) for parcel in stage.sent if parcel.recipient == address]
    letter = [message for message in found if message["X-Referee-Notice"] == kind][-1]
    return str(letter["Message-ID"]), str(letter["Reply-To"])


def replies(stage: Stage, words: str, kind: str, at: datetime, subject: str = "Re: my letter") -> None:
    named, where = letter_to(stage, MO, kind)
    stage.write(MO, subject, words, at, In_Reply_To=named, References=named, To=where)


def work(stage: Stage) -> dict[str, object]:
    """A day at the desk; how the matches stand after it."""
    one, two = stage.open("buttons", 2), stage.open("multigo", 2, order="parallel")
    stage.step(later())
    stage.write(MO, "desk", "", later(hours=1))
    stage.write("ann@example.org", "Odd", "Something", later(hours=1), X_Spam_Flag="YES")
    stage.write("ben@example.org", f"A question [{one}]", "May I use another program?", later(hours=1))
    stage.step(later(hours=1))
    _, where = letter_to(stage, MO, "status")
    stage.write(MO, f"extend {one} by 2d", "holidays", later(hours=2), To=where)
    stage.write(MO, f"pause {two}", "holidays", later(hours=2, minutes=1), To=where)
    stage.write(MO, f"say {one}", "Well met", later(hours=2, minutes=2))  # from a bare From
    stage.step(later(hours=2))
    stage.step(later(hours=3))
    replies(stage, "Yes", "challenge", later(hours=4))
    stage.step(later(hours=4))
    stage.write(MO, "desk", "", later(hours=5), To=where)
    stage.step(later(hours=5))
    replies(stage, "1 reject because it is spam\n3 resume because all are back", "status", later(hours=6))
    stage.step(later(hours=6))
    found = {name: stage.match(name) for name in (one, two)}
    return {name: (match.status, match.position, match.head) for name, match in found.items()}


@pytest.mark.server
def test_both_engines_do_the_same(queue_url: str, tmp_path: Path) -> None:
    folders = [tmp_path / "inline", tmp_path / "engine"]
    for folder in folders:
        folder.mkdir()
    inline, engine = Stage(folders[0]), Stage(folders[1], queue_url, kind="procrastinate")
    assert work(inline) == work(engine)
    mine, theirs = letters_by_match(inline), letters_by_match(engine)
    assert {match: found.keys() for match, found in mine.items()} == {
        m: found.keys() for m, found in theirs.items()
    }
    for match, found in mine.items():
        for named, raw in found.items():
            assert raw.decode().splitlines() == theirs[match][named].decode().splitlines()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("operation", "when"), [("write", "before"), ("commit", "before"), ("send", "before"), ("send", "after")]
)
def test_an_order_is_carried_out_once_whatever_crashes(
    tmp_path: Path, operation: str, when: Literal["before", "after"]
) -> None:
    """At points all over the pass that reads it."""
    first = tmp_path / "first"
    first.mkdir()
    stage = Stage(first)
    name = stage.open("buttons", 2)
    stage.step(later())
    stage.write(MO, "desk", "", later(hours=1))
    stage.step(later(hours=1))
    _, where = letter_to(stage, MO, "status")
    stage.write(MO, f"extend {name} by 2d", "holidays", later(hours=2), To=where)
    whole = stage.copied(tmp_path / "whole")
    counts = FailurePlan()
    whole.step(later(hours=2), counts)
    deadline = whole.match(name).rounds[0].due_at
    letters = letters_by_match(whole)
    points = counts.counts.get(operation, 0)
    assert points
    for nth in range(1, points + 1, max(1, points // 6)):
        broken = stage.copied(tmp_path / f"{operation}-{nth}")
        with pytest.raises(Crash):
            broken.step(later(hours=2), FailurePlan.of([PlannedFailure(operation, nth, when)]))
        broken.step(later(hours=2))
        assert broken.match(name).rounds[0].due_at == deadline, (operation, nth)
        assert letters_by_match(broken) == letters, (operation, nth)
