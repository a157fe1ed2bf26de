"""The service: APScheduler rings, and every ring is one pass of the desk. Nothing durable lives in it."""

from __future__ import annotations

import signal
import threading
import time
from datetime import UTC, datetime, timedelta
from types import FrameType
from typing import Any

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from referee.base.errors import outlined
from referee.base.logs import Log
from referee.engine.supervisor import end_soon
from referee.offices.clock import doubt
from referee.offices.clock.searches import OwnDemand
from referee.offices.passes import Counts
from referee.service.ear import LONGEST_PAUSE, listening
from referee.service.heartbeat import Heartbeat
from referee.service.trouble import TroubleAlarm
from referee.service.wiring import STORE_TROUBLE, Referee

_WAKE = 1.0  # seconds between two looks at what the threads have left
_SHORTEST_OUTAGE = timedelta(minutes=10)
_SLACK = timedelta(seconds=30)  # how late the scheduler may ring before it counts as silent
_SOLVE_AGAIN = timedelta(hours=1)  # after an answer that could not be written down
log = Log("referee.service")


class Service:
    """Steps on a schedule and when the mailbox says that mail has come; the stimulus in hand is finished, or
    undone where it takes long.

    Three threads beside the passes: the scheduler and the ear, which only ring, and the solver, which works on one
    question and leaves its answer to be written down here.
    """

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._every = referee.located.settings.poll.every
        self._stopping = threading.Event()
        self._ring = threading.Event()
        self._passed = threading.Event()
        self._outage = max(10 * self._every, _SHORTEST_OUTAGE)
        self._watch = TroubleAlarm(referee)
        self._heartbeat = Heartbeat(referee.located)
        self._solving: threading.Thread | None = None
        self._solved: list[tuple[OwnDemand, Any, Exception | None]] = []
        self._failed = 0  # passes, one after another
        self._not_before = 0.0  # the next pass, by the monotonic clock
        self._given_up: dict[tuple[str, int], datetime] = {}

    def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        with listening(self._referee, self._stopping, self._heard):
            try:
                self._keep_on()
            finally:
                self._stopping.set()
                self._passed.set()
                self._referee.solver.close()
                log.info("stopped")

    def _keep_on(self) -> None:
        scheduler, rung = self._scheduler(), time.monotonic()
        log.info("started", **self._referee.settings.at_work())
        try:
            while not self._stopping.is_set():
                if self._ring.wait(_WAKE):
                    rung = time.monotonic()
                    if rung < self._not_before:
                        self._stopping.wait(min(_WAKE, self._not_before - rung))
                        continue
                    self._ring.clear()
                    self._pass()
                    self._heartbeat.beat()
                    self._passed.set()
                    self._ask()
                if self._solving is not None and not self._solving.is_alive():
                    self._solving = None
                    self._ring.set()
                if time.monotonic() - rung > (self._every + _SLACK).total_seconds():
                    log.error("the scheduler is silent; a new one takes its place")
                    scheduler.shutdown(wait=False)
                    scheduler, rung = self._scheduler(), time.monotonic()
        finally:
            scheduler.shutdown(wait=False)

    def _scheduler(self) -> BackgroundScheduler:
        scheduler = BackgroundScheduler(executors={"default": ThreadPoolExecutor(1)}, timezone=UTC)
        scheduler.add_job(
            self._ring.set,
            "interval",
            seconds=self._every.total_seconds(),
            id="poll",
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
            next_run_time=datetime.now(UTC),
        )
        scheduler.start()
        return scheduler

    def _pass(self) -> None:
        """One pass; trouble is told and the next ring tries again, later and later where it does not end."""
        said = doubt.reading()
        try:
            self._write_answers()
            counts = self._referee.desk.step(
                said, wait=False, outage=self._outage, stopping=self._stopping.is_set
            )
        except Exception as error:  # a service goes on; whatever it was, the moderator is told of it
            if not self._failed:
                log.exception("pass")
            self._failed += 1
            self._not_before = time.monotonic() + min(2.0**self._failed, LONGEST_PAUSE)
            self._watch.seen([f"{outlined(error).rstrip('.')}."], said.at)
            try:  # else the moderator would not hear of it before it is over
                self._referee.stimuli.deliver(said.at, Counts(), self._stopping.is_set)
            except Exception as also:  # noqa: BLE001 - the store may be what is in trouble
                log.warning("letters", error=outlined(also))
            return
        self._failed = 0
        self._watch.seen(counts.trouble, said.at)
        if done := {name: count for name, count in counts.done().items() if count}:
            log.info("pass", **done)

    # --- the referee's own answers -----------------------------------------------------------------------------

    def _ask(self) -> None:
        """Keep the solver at work, while mails of other matches are read; the end of a search rings."""
        if self._solving is not None or self._solved or self._stopping.is_set():
            return
        try:
            questions = self._referee.parts.searches.questions()
        except Exception:  # the store is in trouble, of which the next pass tells
            log.exception("questions")
            return
        now = datetime.now(UTC)
        question = next((q for q in questions if self._given_up.get(q.key, now) <= now), None)
        if question is not None:
            self._solving = threading.Thread(
                target=self._search, args=(question,), daemon=True, name="solver"
            )
            self._solving.start()

    def _search(self, question: OwnDemand) -> None:
        try:
            self._solved.append((question, self._referee.parts.searches.solve(question), None))
        except Exception as error:  # noqa: BLE001 - whatever it is, the pass tells of it
            self._solved.append((question, None, error))

    def _write_answers(self) -> None:
        """At the time of the last pass: of this one nobody knows yet whether the clock can be believed."""
        while self._solved and not self._stopping.is_set():
            question, action, error = self._solved[0]
            with self._referee.store.exclusive():
                with self._referee.store.transaction() as unit:
                    now = unit.clock().last_pass or datetime.now(UTC)
                self._referee.parts.matches.forget()
                error = error or self._written(question, action, now)
                if error is not None:
                    self._referee.parts.searches.unsolved(question, error, now, Counts())
                    self._given_up[question.key] = now + _SOLVE_AGAIN
            self._solved.pop(0)

    def _written(self, question: OwnDemand, action: Any, now: datetime) -> Exception | None:
        """What is wrong with the answer, if anything; trouble of the store is not the answer's."""
        try:
            self._referee.parts.searches.answer(question, action, now)
        except STORE_TROUBLE:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
            return error
        return None

    # --- what rings ------------------------------------------------------------------------------------------------

    def _heard(self) -> None:
        """Ring when mail has come, then wait for the pass that reads it."""
        self._passed.clear()
        self._ring.set()
        while not (self._passed.wait(_WAKE) or self._stopping.is_set()):
            pass

    def _stop(self, number: int, frame: FrameType | None) -> None:
        end_soon()
        self._stopping.set()
        self._ring.set()
        self._passed.set()
