"""The service: APScheduler rings the bell; every ring is one pass of the desk. Nothing durable lives in it."""

from __future__ import annotations

import signal
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from referee.wiring import Referee

_WAKE = timedelta(seconds=5)
_SHORTEST_OUTAGE = timedelta(minutes=10)
log = structlog.get_logger("referee.service")


class Service:
    """Steps on a schedule and when the mailbox says that mail has come; a pass in hand is always finished."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._every = referee.located.settings.poll.every
        self._stopping = threading.Event()
        self._ring = threading.Event()
        self._outage = max(10 * self._every, _SHORTEST_OUTAGE)

    def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        scheduler = BackgroundScheduler(executors={"default": ThreadPoolExecutor(1)}, timezone=UTC)
        scheduler.add_job(
            self._ring.set, "interval", seconds=self._every.total_seconds(), id="poll", coalesce=True,
            max_instances=1, misfire_grace_time=None, next_run_time=datetime.now(UTC),
        )  # fmt: skip
        scheduler.start()
        log.info("started", every=str(self._every))
        listener = threading.Thread(target=self._listen, daemon=True, name="listener")
        listener.start()
        try:
            while not self._stopping.is_set():
                if self._ring.wait(_WAKE.total_seconds()) and not self._stopping.is_set():
                    self._ring.clear()
                    self._pass()
                if not scheduler.running:
                    raise RuntimeError("the scheduler has stopped by itself")
        finally:
            scheduler.shutdown(wait=True)
            log.info("stopped")

    def _pass(self) -> None:
        """One pass; trouble is logged and the next ring tries again."""
        try:
            counts = self._referee.desk.step(datetime.now(UTC), outage=self._outage)
        except Exception:
            log.exception("pass")
            return
        if any(counts.facts().values()):
            log.info("pass", **counts.facts())

    def _listen(self) -> None:
        """Ring when the mail server says that mail has come (IDLE), where it can."""
        if self._referee.located.settings.mailbox.url.startswith("maildir:"):
            return
        ears = self._referee.another_mailbox()
        while not self._stopping.is_set():
            if ears.wait(60):
                self._ring.set()
        ears.close()

    def _stop(self, number: int, frame: Any) -> None:
        self._stopping.set()
        self._ring.set()


def serve(referee: Referee) -> None:
    Service(referee).run()
