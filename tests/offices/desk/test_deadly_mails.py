"""A mail over which the process itself ends, by whatever fault of a library or want of memory: it ends a few passes,
and then stops no more; and what a killed or a broken pass leaves behind is no mail's fault."""

from pathlib import Path
from typing import Any

import pytest

from referee.mail.reader import MailReader
from referee.offices.decisions import Decisions
from referee.way import stations
from tests.memory import Crash, FailurePlan, PlannedFailure, Stage, later, owing

AT = later(hours=1)


def lethal(monkeypatch: pytest.MonkeyPatch, where: object, what: str) -> None:
    """From now on a mail that says Poison ends the process at once."""
    honest = getattr(where, what)

    def reading(*given: Any, **more: Any) -> Any:
        if b"Poison" in (given[0].kept.raw if where is stations else given[1]):
            raise Crash
        return honest(*given, **more)

    monkeypatch.setattr(where, what, reading)


def poisoned(stage: Stage) -> str:
    """A match of four; three answers in time order, the poison among them."""
    name = stage.open("fourplay")
    stage.step(later())
    first, *others = owing(stage.match(name))
    stage.answer(stage.match(name), first, later(minutes=1))
    stage.write("ann@example.org", "Poison", "drink me", later(minutes=2))
    for demand in others:
        stage.answer(stage.match(name), demand, later(minutes=3))
    return name


def crashes(stage: Stage) -> int:
    for number in range(10):
        try:
            stage.step(AT)
        except Crash:
            continue
        return number
    raise AssertionError("it never comes to its end")


@pytest.mark.parametrize(
    ("where", "what"), [(stations, "judge"), (MailReader, "identify"), (MailReader, "read")]
)
def test_it_is_put_aside_after_a_few_crashes_and_the_queue_goes_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, where: object, what: str
) -> None:
    name = poisoned(stage)
    with monkeypatch.context() as patched:
        lethal(patched, where, what)
        assert crashes(stage) == 3
        with stage.referee() as referee:
            (aside,) = referee.moderator.act(lambda unit: unit.mails(["held", "shunted"]))
    assert aside.verdict == "shunted"
    assert {d.kind for d in owing(stage.match(name))} == {"Purchase"}, (
        "the declarations behind it have counted"
    )
    assert [row["times"] for row in stage.rows()["claims"]] == []
    quiet = stage.step(AT)
    assert (quiet.shunted, quiet.sent) == (0, 0)


@pytest.mark.parametrize("place", [3, 4])  # while mails are kept, and while they are judged
def test_a_mail_that_the_store_failed_is_none(stage: Stage, place: int) -> None:
    """A full disk or a lost connection, however often: no crash."""
    name = poisoned(stage)
    with pytest.raises(Crash):
        stage.step(AT, FailurePlan.of([PlannedFailure("commit", place, "before")]))
    for nth in (3, 4, 5, 3, 4, 5):
        with pytest.raises(OSError):
            stage.step(
                AT,
                FailurePlan.of(
                    [PlannedFailure("commit", nth, "before", lambda: OSError("the disk is full"))]
                ),
            )
    counts = stage.step(AT)
    assert counts.shunted == 0
    assert {d.kind for d in owing(stage.match(name))} == {"Purchase"}


def test_a_pass_that_was_stopped_fears_nothing(stage: Stage, tmp_path: Path) -> None:
    poisoned(stage)
    stage.step(AT, stopping=lambda: True)
    (clock,) = stage.rows()["clock"]
    assert clock["under_way"] is False


def test_a_process_that_ends_while_it_makes_what_mails_need_is_no_mails_fault(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reader and collector are imported and made with the first mail; a mail is in hand only after that."""
    name = stage.open("fourplay")
    stage.step(later())
    stage.answer_all(name, later(minutes=1))
    for demand in owing(stage.match(name)):
        stage.answer(stage.match(name), demand, later(minutes=2))
    for office in (MailReader, Decisions):
        honest = office.__init__

        def ending(*given: Any, **more: Any) -> None:
            raise Crash

        monkeypatch.setattr(office, "__init__", ending)
        for _ in range(4):
            with pytest.raises(Crash):
                stage.step(AT)
        monkeypatch.setattr(office, "__init__", honest)
    counts = stage.step(AT)
    assert counts.facts()["accepted"] == 4, counts
    assert counts.facts()["shunted"] == 0, counts
