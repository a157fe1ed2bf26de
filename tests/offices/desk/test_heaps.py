"""Heaps of mail: each has its one verdict, nobody is flooded, and what matters is found among it."""

from datetime import timedelta
from email.message import EmailMessage

import pytest

from referee.base.settings import Settings
from tests.memory import MemoryMailbox
from tests.offices.stage import NOON, Stage, later, owing, told

MODERATOR = "moderator@referee.localhost"
ALARMS = Settings().limits.alarms_a_day


def letter(number: int, sender: str, **fields: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = sender, "collector@referee.localhost"
    message["Subject"], message["Message-ID"] = f"Hello {number}", f"<{number}@heap.example>"
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    message.set_content(f"Words {number}")
    return message.as_bytes()


def heaped(stage: Stage, name: str, count: int) -> None:
    """Strangers, spam and programs by thirds; in the midst of it what the match waits for."""
    box = MemoryMailbox(mails=stage.mails)
    for number in range(count):
        at = NOON + timedelta(seconds=number)
        sender = f"stranger{number}@elsewhere.example"
        fields = ({}, {"X_Spam_Flag": "YES"}, {"Auto_Submitted": "auto-replied"})[number % 3]
        box.deliver(letter(number, sender, **fields), at)
        if number == count // 2:
            match = stage.match(name)
            for demand in owing(match):
                stage.answer(match, demand, at)


@pytest.mark.parametrize("count", [90, pytest.param(10_000, marks=pytest.mark.soak)])
def test_of_a_heap_of_waiting_mails_none_is_lost_or_doubled_and_nobody_is_flooded(
    stage: Stage, count: int
) -> None:
    name = stage.open("fourplay")
    stage.passed(later())
    heaped(stage, name, count)
    now = NOON + timedelta(seconds=count)
    counts = stage.step(now)
    assert (counts.accepted, counts.shunted, counts.waiting) == (4, 0, 0)
    assert counts.answered + counts.held + counts.discarded == count
    assert counts.held == count // 3
    letters = stage.new_letters()
    reached = told(letters)
    assert len(reached["help"]) == min(200, count // 3), "strangers together have a measure"
    assert len(reached["alarm"]) == ALARMS + 1, "and so has each kind of alarm, of which the last says so"
    assert (len(reached["receipt"]), len(reached["due"])) == (3, 4), "the last receipt asks for what is next"
    assert stage.match(name).rounds[0].label == "Initial Purchase"
    last = [x for x in letters if x.recipient == MODERATOR][-1]
    assert b"More alarms than a day may have" in last.raw
    again = stage.step(now)
    assert (again.facts()["read"], again.sent) == (0, 0)
    assert all(mail.filed for mail in stage.mails.values())
