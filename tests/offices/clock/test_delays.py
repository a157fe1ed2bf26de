"""A deadline waits, 48 hours at most, for a mail that came in time and is held, shunted or challenged (design, 5)."""

from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest

from referee.base.ports import Parcel
from referee.mail.mail import Triage
from referee.mail.reader import MailReader
from referee.match import commands as do
from tests.memory import PEOPLE, Stage, answer_text, kind_of, later, owing, subject_of, told
from tests.offices.clock.test_deadlines import DUE, SECOND, TICK, name, people, seats_owing

__all__ = ["name"]  # the fixture: a match whose purchase has opened


@pytest.fixture
def holding(stage: Stage, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Seat 2's list, in time, is held; nobody else has answered but seat 1."""
    read = MailReader.read

    def doubtful(self: MailReader, raw: bytes, **given: Any) -> object:
        mail = read(self, raw, **given)
        return replace(mail, triage=Triage("hold", "doubtful")) if b"X-Doubtful" in raw else mail

    monkeypatch.setattr(MailReader, "read", doubtful)
    match = stage.match(name)
    stage.answer(match, owing(match)[0], later(days=1))
    stage.answer(match, owing(match)[1], later(days=2), X_Doubtful="yes")
    assert stage.step(later(days=2)).held == 1
    assert told(stage.new_letters())["alarm"] == ["moderator@referee.localhost"]
    return name


def text_of(parcel: Parcel) -> str:
    """A letter's subject and plain text, its lines joined."""
    message = message_from_bytes(parcel.raw, policy=default)
    body = message.get_body(("plain",))
    return f"{message['Subject']} {' '.join(body.get_content().split())}"


def held_number(stage: Stage) -> int:
    with stage.referee() as referee:
        return referee.moderator.act(lambda unit: unit.mails(["held", "shunted"]))[0].id


def put_back(stage: Stage, kind: str = "release") -> None:
    with stage.referee() as referee:
        referee.moderator.act(lambda unit: referee.parts.acts.release(unit, "all", kind))


def test_a_held_mail_delays_the_deadline_and_once_released_counts_from_its_arrival(
    stage: Stage, holding: str
) -> None:
    assert stage.step(DUE + SECOND).lapsed == 0
    assert stage.step(DUE + timedelta(hours=47)).lapsed == 0
    put_back(stage)
    counts = stage.step(DUE + timedelta(hours=47, minutes=1))
    assert (counts.accepted, counts.lapsed) == (1, 1)
    match = stage.match(holding)
    assert match.rounds[0].label == "Initial Setup"
    assert told(stage.new_letters())["receipt"] == people(match, 2)


def test_a_held_mail_delays_a_deadline_by_48_hours_at_most(stage: Stage, holding: str) -> None:
    assert stage.step(DUE + timedelta(hours=48) - TICK).lapsed == 0
    assert stage.step(DUE + timedelta(hours=48)).lapsed == 1
    put_back(stage)
    assert stage.step(DUE + timedelta(hours=49)).refused == 1


def test_a_mail_held_in_an_earlier_round_delays_no_later_one(stage: Stage, holding: str) -> None:
    stage.step(DUE + timedelta(hours=48))
    setup_due = stage.match(holding).rounds[0].due_at
    assert setup_due is not None
    assert stage.step(setup_due + SECOND).lapsed == 1


def test_a_held_mail_of_a_seat_that_has_answered_delays_nothing(stage: Stage, holding: str) -> None:
    match = stage.match(holding)
    stage.answer(match, next(d for d in owing(match) if d.seat == 2), later(days=3), seed=5)
    stage.step(later(days=3))
    assert 2 not in seats_owing(stage.match(holding))
    assert stage.step(DUE + SECOND).lapsed == 1


def test_a_held_mail_that_came_late_delays_nothing(stage: Stage, holding: str) -> None:
    put_back(stage)
    stage.step(later(days=3))
    match = stage.match(holding)
    stage.answer(match, next(d for d in owing(match) if d.seat == 3), DUE + SECOND, X_Doubtful="yes")
    counts = stage.step(DUE + 2 * SECOND)
    assert (counts.held, counts.lapsed) == (1, 1)


def test_all_learn_once_that_a_ruling_is_delayed_and_the_moderator_alone_why(
    stage: Stage, holding: str
) -> None:
    late, all_four = DUE + SECOND, people(stage.match(holding), 1, 2, 3, 4)
    assert "announcement" not in told(stage.passed(DUE)), "nothing is delayed before its time"
    letters = stage.passed(late)
    assert told(letters) == {"alarm": ["moderator@referee.localhost"], "announcement": all_four}
    public = [text_of(letter) for letter in letters if kind_of(letter) == "announcement"]
    assert len(set(public)) == 1, "all read the same"
    assert "Initial Purchase" in public[0]
    assert "the ruling waits" in public[0]
    assert not [p for p in PEOPLE if p.name in public[0] or p.addresses[0] in public[0]]
    alarm = next(text_of(letter) for letter in letters if kind_of(letter) == "alarm")
    assert f"mail no. {held_number(stage)}" in alarm
    stage.step(late + timedelta(hours=1))
    stage.step(late + timedelta(hours=40))
    daily = {"status": ["moderator@referee.localhost"]}  # what waits at the desk
    assert told(stage.new_letters()) in ({}, daily), "once for each delay"
    put_back(stage)
    assert told(stage.passed(late + timedelta(hours=41)))["due"] == all_four, (
        "the ruling, and what comes after it"
    )


def test_a_challenged_mail_delays_the_deadline_until_its_owner_confirms_it(stage: Stage, name: str) -> None:
    """All in one pass: the reply comes, the mail counts from its own arrival, the round is ruled on."""
    match = stage.match(name)
    first, *others = owing(match)
    for demand in others[:-1]:
        stage.answer(match, demand, later(days=1))
    owner = match.entrant(first.seat).addresses[0]
    due = next(x for x in stage.sent if x.recipient == owner and kind_of(x) == "due")
    reply_address = message_from_bytes(due.raw)["Reply-To"]
    stage.write(
        "me@phone.example",
        subject_of(match, first),
        answer_text(match, first),
        later(days=2),
        To=reply_address,
    )
    assert stage.step(later(days=2)).held == 1
    challenge = next(x for x in stage.new_letters() if kind_of(x) == "challenge")
    assert stage.step(DUE + SECOND).lapsed == 0
    assert len([x for x in stage.new_letters() if "the ruling waits" in text_of(x)]) == len(PEOPLE)
    at = DUE + timedelta(hours=5)
    stage.write(owner, "Re: is this mail yours?", "Yes.", at, In_Reply_To=challenge.message_id)
    counts = stage.step(at)
    assert (counts.answered, counts.accepted, counts.lapsed) == (1, 1, 1)
    assert stage.match(name).rounds[0].label == "Initial Setup"


def test_a_delay_that_ends_in_the_pass_that_finds_it_is_not_told(stage: Stage, holding: str) -> None:
    put_back(stage)
    counts = stage.step(DUE + SECOND)
    assert (counts.accepted, counts.lapsed) == (1, 1)
    assert not [x for x in stage.new_letters() if "the ruling waits" in text_of(x)]


def test_a_deadline_moved_while_it_waits_waits_no_second_time(stage: Stage, holding: str) -> None:
    """Once a round: neither an extension nor a further doubtful mail makes the new deadline wait as well."""
    stage.step(DUE + SECOND)
    stage.desk(holding, do.Extend("more time", by=timedelta(days=1)), DUE + 2 * SECOND)
    match = stage.match(holding)
    stage.answer(match, owing(match)[2], DUE + timedelta(hours=1), X_Doubtful="yes")
    assert stage.step(DUE + timedelta(hours=23)).held == 1
    stage.new_letters()
    assert stage.step(DUE + timedelta(days=1, seconds=1)).lapsed == 1
    assert not [x for x in stage.new_letters() if "the ruling waits" in text_of(x)]


def test_a_deadline_moved_before_it_is_over_may_still_wait(stage: Stage, holding: str) -> None:
    stage.desk(holding, do.Extend("more time", by=timedelta(days=1)), DUE - SECOND)
    assert stage.step(DUE + timedelta(days=1, seconds=1)).lapsed == 0
    letters = stage.new_letters()
    assert len([x for x in letters if "the ruling waits" in text_of(x)]) == len(PEOPLE)
