"""A mail whose From alone names a seat delays no deadline; one that proves more does, and so does one that is only
written strangely. No reminder leaves once its deadline has come."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes

import pytest

from referee.base import shipped
from referee.match import commands as do
from referee.offices.register import NewMatch
from referee.way import answers
from tests.memory import PEOPLE, Stage, answer_text, kind_of, later, owing, subject_of, told
from tests.offices.clock.test_deadlines import DUE, SECOND, name

__all__ = ["name"]


def all_but_the_last_answer(stage: Stage, name: str) -> tuple[str, str, str, str]:
    """Who is silent: address, reply address, subject, orders."""
    match = stage.match(name)
    *others, last = owing(match)
    for demand in others:
        stage.answer(match, demand, later(days=1))
    address = match.entrant(last.seat).addresses[0]
    due = next(x for x in reversed(stage.sent) if x.recipient == address and kind_of(x) == "due")
    reply_to = str(message_from_bytes(due.raw)["Reply-To"])
    return address, reply_to, subject_of(match, last), answer_text(match, last)


def test_a_forged_mail_marked_as_spam_delays_nothing(stage: Stage, name: str) -> None:
    address, _, subject, orders = all_but_the_last_answer(stage, name)
    stage.write(address, subject, orders, later(days=2), X_Spam_Flag="YES")
    assert stage.step(later(days=2)).held == 1
    assert stage.step(DUE + SECOND).lapsed == 1


def test_a_reply_to_our_letter_that_a_filter_marked_as_spam_does(stage: Stage, name: str) -> None:
    address, reply_to, subject, orders = all_but_the_last_answer(stage, name)
    stage.write(address, subject, orders, later(days=2), X_Spam_Flag="YES", To=reply_to)
    assert stage.step(later(days=2)).held == 1
    assert stage.step(DUE + SECOND).lapsed == 0
    assert stage.step(DUE + timedelta(hours=48)).lapsed == 1


def test_the_same_refused_words_a_third_time_delay_nothing(stage: Stage, name: str) -> None:
    address, _, subject, _ = all_but_the_last_answer(stage, name)
    for hour in range(3):
        stage.write(address, subject, "Purchase: 1 Elephant, 8 F$", later(days=2, hours=hour))
    assert stage.step(later(days=2, hours=3)).held == 1
    assert stage.step(DUE + SECOND).lapsed == 1


@pytest.mark.parametrize("late", [timedelta(0), timedelta(minutes=1), timedelta(hours=40)])
def test_no_reminder_leaves_after_its_deadline(stage: Stage, name: str, late: timedelta) -> None:
    """A pass that comes after a long gap, while the ruling waits for a held mail."""
    address, reply_to, subject, orders = all_but_the_last_answer(stage, name)
    stage.write(address, subject, orders, later(days=1, hours=1), X_Spam_Flag="YES", To=reply_to)
    stage.passed(later(days=1, hours=1))
    assert "reminder" not in told(stage.passed(DUE + late))
    stage.desk(name, do.Extend("more time", by=timedelta(days=6)), DUE + late)
    assert told(stage.passed(DUE + timedelta(days=5, hours=1)))["reminder"] == [address], (
        "for the new deadline there is one again"
    )


@pytest.mark.parametrize("times", [1, 7])
def test_a_forged_wish_to_join_another_match_delays_nothing(stage: Stage, name: str, times: int) -> None:
    """Asked about at the address, or after too many of them held for the moderator."""
    address, _, _, _ = all_but_the_last_answer(stage, name)
    somebody = next(person for person in PEOPLE if address not in person.addresses)
    asked = NewMatch(
        "buttons", (somebody,), {}, shipped.game_options("buttons"), shipped.game_data("buttons"), vacant=1
    )
    with stage.referee() as referee:
        other = referee.moderator.open(asked, later(days=1)).name
    for number in range(times):
        stage.write(address, f"join {other}", f"please, {number}", later(days=2))
    assert stage.step(later(days=2)).held == times
    assert stage.step(DUE + SECOND).lapsed == 1


@contextmanager
def stumbling(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A program that stumbles over every order."""

    def stumble(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of ours")

    with monkeypatch.context() as patched:
        patched.setattr(answers, "judgement", stumble)
        yield


@pytest.mark.parametrize("proved", [False, True])
def test_a_mail_that_stumbled_delays_a_deadline_only_where_it_proves_more_than_a_from(
    stage: Stage, name: str, proved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, reply_to, subject, orders = all_but_the_last_answer(stage, name)
    stage.step(later(days=1))
    given = {"To": reply_to} if proved else {}
    stage.write(address, subject, orders, later(days=2), **given)
    with stumbling(monkeypatch):
        assert stage.step(later(days=2)).shunted == 1
    assert stage.step(DUE + SECOND).lapsed == (not proved)
    assert stage.step(DUE + timedelta(hours=48)).lapsed == proved
