"""The service: APScheduler rings, and every ring is one pass of the desk. Nothing durable lives in it."""

import threading
from datetime import UTC, datetime, timedelta
from functools import partial

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from referee.base.errors import outlined
from referee.base.logs import Log
from referee.offices.clock import doubt
from referee.offices.passes import Counts
from referee.service.supervisor import at_the_end
from referee.service.trouble import AlreadyTold, Lane, TroubleAlarm, listening
from referee.service.wiring import Referee

_WAKE = 1.0  # seconds for the search in hand to end
_SLACK = timedelta(seconds=30)  # how late the scheduler may ring before a pass is taken without it
log = Log("referee.service")


class Service:
    """Steps on a schedule and when the mailbox says that mail has come; the stimulus in hand is
    finished, or undone where it takes long. Three threads stand beside the passes: the scheduler and
    the ear, which only ring, and the one that has the referee's own answers looked for, in a process."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        poll = referee.settings.poll
        self._every, self._outage = poll.every, poll.silence
        self._stopping, self._passed = threading.Event(), threading.Event()
        self._watch = TroubleAlarm(referee)
        beside = Referee(referee.located)
        beside.__dict__["solver"] = referee.solver
        self._passes = Lane("passes", self._pass, self._stopping, (self._every + _SLACK).total_seconds())
        self._searches = Lane("searches", partial(self._search, beside), self._stopping, None)
        self._failing = False

    def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        at_the_end(self._stopping.set, self._passes.called.set, self._passed.set)
        scheduler = BackgroundScheduler(executors={"default": ThreadPoolExecutor(1)}, timezone=UTC)
        once = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        scheduler.add_job(self._passes.called.set, "interval", seconds=self._every.total_seconds(), **once)
        with listening(self._referee, self._stopping, self._heard):
            scheduler.start()
            self._searches.start()
            log.info("started", **self._referee.located.at_work())
            try:
                self._passes.run()
            finally:
                self._stopping.set()
                self._passed.set()
                self._referee.solver.close()
                self._searches.called.set()
                self._searches.join(_WAKE)
                scheduler.shutdown(wait=False)
                log.info("stopped")

    def _pass(self) -> bool:
        """One pass; trouble is told and the next ring tries again, later and later where it does not end."""
        said = doubt.reading()
        try:
            counts = self._referee.desk.step(
                said, wait=False, outage=self._outage, stopping=self._stopping.is_set
            )
            self._failing = False
            self._watch.seen(counts.trouble, said.at)
            if done := {name: count for name, count in counts.done().items() if count}:
                log.info("pass", **done)
        except Exception as error:  # a service goes on; whatever it was, the moderator is told of it
            if not self._failing:
                log.exception("pass")
            self._failing = True
            self._watch.seen([f"{outlined(error).rstrip('.')}."], said.at)
            try:  # else the moderator would not hear of it before it is over
                self._referee.stimuli.deliver(said.at, Counts(), self._stopping.is_set)
            except Exception as also:  # noqa: BLE001 - the store may be what is in trouble
                log.warning("letters", error=outlined(also))
            raise AlreadyTold from error
        finally:
            self._referee.beat()
            self._passed.set()
            self._searches.called.set()  # it may have left something to search for
        return False

    def _search(self, beside: Referee) -> bool:
        """Keep the solver at work, while mails of other matches are read. What it found is written down between two
        passes, at the time of the last: of the next one nobody knows yet whether the clock can be believed."""

        def now() -> datetime:
            with beside.store.transaction() as unit:
                return unit.clock().last_pass or datetime.now(UTC)

        if self._passed.wait() and self._stopping.is_set():  # it opens the store with nobody beside it
            return False
        try:
            if beside.parts.searches.compute(None, now, Counts(), beside.store.exclusive):
                self._passes.called.set()
        except Exception:  # the store is in trouble, of which the next pass tells
            log.exception("questions")
        return False

    # --- what rings ------------------------------------------------------------------------------------------------

    def _heard(self) -> None:
        """Ring when mail has come, then wait for the pass that reads it."""
        self._passed.clear()
        self._passes.called.set()
        self._passed.wait()
