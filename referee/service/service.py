"""The service: APScheduler rings, and every ring is one pass of the desk. Nothing durable lives in it."""

from __future__ import annotations

import signal
import threading
import time
from datetime import UTC, datetime, timedelta
from types import FrameType

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from referee.base.errors import outlined
from referee.base.logs import Log
from referee.offices.clock import doubt
from referee.offices.passes import Counts
from referee.service.heartbeat import Heartbeat
from referee.service.supervisor import end_soon
from referee.service.trouble import LONGEST_PAUSE, TroubleAlarm, listening
from referee.service.wiring import Referee, running

_WAKE = 1.0  # seconds between two looks at what the threads have left
_SLACK = timedelta(seconds=30)  # how late the scheduler may ring before it counts as silent
log = Log("referee.service")


class Service:
    """Steps on a schedule and when the mailbox says that mail has come; the stimulus in hand is
    finished, or undone where it takes long.

    Three threads beside the passes: the scheduler and the ear, which only ring, and the one that
    has what the referee itself owes looked for, in a process of its own."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        poll = referee.settings.poll
        self._every, self._outage = poll.every, poll.silence
        self._stopping = threading.Event()
        self._ring = threading.Event()
        self._passed = threading.Event()
        self._watch = TroubleAlarm(referee)
        self._heartbeat = Heartbeat(referee.located)
        self._asked = threading.Event()  # a pass is over, which may have left something to search for
        self._failed = 0  # passes, one after another
        self._not_before = 0.0  # the next pass, by the monotonic clock

    def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        searching = threading.Thread(target=self._search, daemon=True, name="searches")
        with listening(self._referee, self._stopping, self._heard):
            searching.start()
            try:
                self._keep_on()
            finally:
                self._stopping.set()
                self._passed.set()
                self._referee.solver.close()
                self._asked.set()
                searching.join(_WAKE)
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
                    self._asked.set()
                if time.monotonic() - rung > (self._every + _SLACK).total_seconds():
                    log.error("the scheduler is silent; a new one takes its place")
                    scheduler.shutdown(wait=False)
                    scheduler, rung = self._scheduler(), time.monotonic()
        finally:
            scheduler.shutdown(wait=False)

    def _scheduler(self) -> BackgroundScheduler:
        scheduler = BackgroundScheduler(executors={"default": ThreadPoolExecutor(1)}, timezone=UTC)
        every, first = self._every.total_seconds(), datetime.now(UTC)
        once = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        scheduler.add_job(self._ring.set, "interval", seconds=every, id="poll", next_run_time=first, **once)
        scheduler.start()
        return scheduler

    def _pass(self) -> None:
        """One pass; trouble is told and the next ring tries again, later and later where it does not end."""
        said = doubt.reading()
        try:
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

    def _search(self) -> None:
        """Keep the solver at work, while mails of other matches are read. What it found is written down between two
        passes, at the time of the last: of the next one nobody knows yet whether the clock can be believed."""
        with running(self._referee.located) as beside:
            beside.__dict__["solver"] = self._referee.solver
            searches, store = beside.parts.searches, beside.store

            def now() -> datetime:
                with store.transaction() as unit:
                    return unit.clock().last_pass or datetime.now(UTC)

            while not self._stopping.is_set():
                self._asked.wait()
                self._asked.clear()
                try:
                    if searches.compute(None, now, Counts(), store.exclusive):
                        self._ring.set()
                except Exception:  # the store is in trouble, of which the next pass tells
                    log.exception("questions")

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
