"""What no count foresaw: the watchdog puts the mail aside, the transaction is rolled back, the queue goes on."""

import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from referee.base.ports import Overrun
from referee.mail.mail import Mail
from referee.mail.reader import MailReader
from referee.offices.decisions import Decisions
from referee.service.supervisor import Watchdog
from referee.service.wiring import Referee
from tests.memory import NOON, Stage, later, owing, told
from tests.servers.ground import eventually

EVIL = re.compile(r"(a+)+b")


def in_python() -> None:
    while True:
        sum(range(1000))


def in_a_regular_expression() -> None:
    EVIL.fullmatch("a" * 60)


def in_a_swallowing_loop() -> None:
    """Code that takes every `Exception` in its stride."""
    while True:
        try:
            sum(range(1000))
        except Exception:  # noqa: BLE001, S112 - that is the attack
            continue


def patience(good: Callable[[], Any]) -> float:
    """Seconds of computing that a mail may take: at least what a whole pass over good ones has just taken, so that one
    of their like, with nothing left to load, stays far below it however slowly this machine computes now."""
    before = time.process_time()
    good()
    return max(0.2, time.process_time() - before)


@contextmanager
def poisoned(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], None], seconds: float = 0.2
) -> Iterator[None]:
    """A reader that never comes to an end with a mail that says Poison."""
    read = MailReader.read

    def reading(self: MailReader, raw: bytes, **given: Any) -> Mail:
        if b"Poison" in raw:
            work()
        return read(self, raw, **given)

    with monkeypatch.context() as patched:
        patched.setattr(MailReader, "read", reading)
        patched.setattr(Referee, "watchdog", Watchdog(seconds))
        yield


@pytest.mark.parametrize("work", [in_python, in_a_regular_expression, in_a_swallowing_loop])
def test_it_is_put_aside_with_its_traceback_and_the_queue_goes_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, work: Callable[[], None]
) -> None:
    name = stage.open("fourplay")
    stage.step(later())
    enough = patience(lambda: stage.answer_all(name, later(seconds=1)))
    stage.new_letters()
    first, *others = owing(stage.match(name))
    stage.answer(stage.match(name), first, later(minutes=1))
    stage.write("ann@example.org", "Poison", "drink me", later(minutes=2))
    for demand in others:
        stage.answer(stage.match(name), demand, later(minutes=3))
    with poisoned(monkeypatch, work, enough):
        counts = stage.step(later(hours=1))
        assert (counts.accepted, counts.shunted, counts.waiting) == (4, 1, 0)
        assert told(stage.new_letters())["alarm"] == ["moderator@referee.localhost"]
        with stage.referee() as referee:
            (aside,) = referee.moderator.act(lambda unit: unit.mails(["held", "shunted"]))
            assert "Overrun" in (aside.reason or "")
            assert "in reading" in (aside.reason or "")
        again = stage.step(later(hours=2))
        assert again.facts()["read"] == 0, "a later pass does not meet it again"
    with stage.referee() as referee:
        referee.moderator.act(lambda unit: referee.parts.acts.release(unit, str(aside.id), "unshunt"))
    assert stage.step(later(hours=3)).shunted == 0, "once the program is mended it is judged"


def test_what_it_had_done_is_undone(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The watchdog strikes after the answer has been written down: neither it nor a receipt is left."""
    name = stage.open("fourplay")
    stage.passed(later())
    before = stage.match(name)
    stage.answer(before, owing(before)[0], later(minutes=1))
    record = Decisions.record

    def slow(*given: Any, **named: Any) -> None:
        record(*given, **named)
        in_python()

    with monkeypatch.context() as patched:
        patched.setattr(Decisions, "record", slow)
        patched.setattr(Referee, "watchdog", Watchdog(0.2))
        assert stage.step(later(hours=1)).shunted == 1
    assert set(told(stage.new_letters())) == {"alarm"}
    assert stage.match(name) == before


def test_read_says_what_the_desk_would_do(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = stage.write("ann@example.org", "Poison", "drink me", NOON)
    with poisoned(monkeypatch, in_python), stage.referee() as referee:
        assert referee.inquiry.read(raw, NOON)["disposition"] == "shunted"


def test_a_mail_that_can_hardly_be_kept_is_kept(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The archivist's look at a mail is watched as well."""
    stage.write("ann@example.org", "help", "", NOON)
    enough = patience(lambda: stage.step(NOON))
    stage.write("ann@example.org", "Poison", "drink me", NOON)
    stage.write("ann@example.org", "help", "please", NOON)
    identify = MailReader.identify

    def reading(self: MailReader, raw: bytes, **given: Any) -> Any:
        if b"Poison" in raw:
            in_python()
        return identify(self, raw, **given)

    with monkeypatch.context() as patched:
        patched.setattr(MailReader, "identify", reading)
        patched.setattr(Referee, "watchdog", Watchdog(enough))
        counts = stage.step(later())
    assert counts.facts()["read"] == 2
    assert counts.answered >= 1


def test_it_never_strikes_behind_the_block() -> None:
    """Blocks that end at about the moment it would strike: it strikes within, or not at all."""
    struck = ended = 0
    watchdog = Watchdog(0.01)
    for round_ in range(60):
        try:
            with watchdog.over():
                until = time.thread_time() + 0.008 + 0.0001 * (round_ % 40)
                while time.thread_time() < until:
                    pass
            ended += 1
        except Overrun:
            struck += 1
        until = time.thread_time() + 0.002
        while time.thread_time() < until:
            pass
    assert struck + ended == 60
    until = time.monotonic() + 0.3
    while time.monotonic() < until:
        pass


def test_another_alarm_goes_on_behind_it() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: heard.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with Watchdog(5).over():
            time.sleep(0.1)
        eventually(lambda: bool(heard), "the alarm")
        assert heard == [signal.SIGALRM]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_store_at_work_is_not_struck(stage: Stage) -> None:
    """Time that the store takes is no mail's fault, and what it holds is never left in pieces."""
    engine = sa.create_engine("sqlite://")

    def slowly(value: int) -> int:
        until = time.thread_time() + 0.3
        while time.thread_time() < until:
            pass
        return value

    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        raw.create_function("slowly", 1, slowly)
        found: list[int | None] = []

        def work() -> None:
            with Watchdog(0.05).over():
                found.append(connection.execute(sa.text("SELECT slowly(7)")).scalar())
                in_python()

        with pytest.raises(Overrun):
            work()
        assert found == [7]
        assert connection.execute(sa.text("SELECT 1")).scalar() == 1
