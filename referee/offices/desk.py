"""The desk: one pass over everything that waits, in time order, one transaction per handful of stimuli."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from referee.offices.archivist import Archivist
from referee.offices.collector import Collector
from referee.offices.courier_round import CourierRound
from referee.offices.faults import Faults
from referee.offices.keeping import Clock, KeptMail, Store, Unit
from referee.offices.passes import Counts, Pass, StaleClock
from referee.offices.ports import Overrun, Watch
from referee.offices.registry import Registry
from referee.offices.searches import Searches
from referee.offices.timekeeper import Timekeeper

_HANDFUL = 40  # stimuli that share a commit
log = structlog.get_logger("referee.desk")


class Desk:
    """Takes the next stimulus in time order until none is left (design, sections 4 and 5)."""

    def __init__(
        self,
        store: Store,
        archivist: Archivist,
        collector: Collector,
        timekeeper: Timekeeper,
        searches: Searches,
        faults: Faults,
        registry: Registry,
        courier: CourierRound,
        watch: Watch,
    ) -> None:
        self._store = store
        self._archivist = archivist
        self._collector = collector
        self._timekeeper = timekeeper
        self._searches = searches
        self._faults = faults
        self._registry = registry
        self._courier = courier
        self._watch = watch
        self._stopping: Callable[[], bool] = lambda: False

    def step(
        self,
        now: datetime,
        *,
        wait: bool = True,
        outage: timedelta | None = None,
        stopping: Callable[[], bool] = lambda: False,
    ) -> Counts:
        """One pass at the clock `now`. Raises StaleClock where an earlier pass was later.

        `outage` is given by the service alone: a longer silence since its last pass is added to open deadlines. No
        gap between passes of other callers, however long, moves anything. Once `stopping` says so, the stimulus or
        letter in hand is the last; the next pass goes on from there.
        """
        self._stopping = stopping
        counts = Counts()
        with self._store.exclusive():
            self._registry.book.forget()
            read_until = self._begin(now, outage, counts)
            this = Pass(now, self._archivist.receive(now, counts, stopping), counts, read_until)
            self._judge_all(this)
            if wait:
                while not stopping() and self._searches.compute(now, counts):
                    self._judge_all(this)
            if not stopping():
                self._end(this)
            self._courier.deliver(now, counts, stopping)
        return counts

    def _begin(self, now: datetime, outage: timedelta | None, counts: Counts) -> datetime | None:
        """Note the pass, and where the service was silent for too long, the outage; how far it had read."""
        with self._store.transaction() as unit:
            clock = unit.clock()
            if clock.last_pass is not None and now < clock.last_pass:
                raise StaleClock(
                    f"the last pass was at {clock.last_pass.replace(microsecond=0).isoformat()};"
                    f" {now.replace(microsecond=0).isoformat()} is before it"
                )
            unit.set_clock(Clock(now, clock.watermark, None if outage is None else now))
            if outage is not None and clock.heartbeat is not None and now - clock.heartbeat > outage:
                self._timekeeper.add_downtime(unit, now, now - clock.heartbeat, counts)
            return clock.watermark

    def _end(self, this: Pass) -> None:
        with self._store.transaction() as unit:
            self._timekeeper.tell_delays(unit, this)
            self._timekeeper.remind(unit, this.now, this.counts)
            self._registry.allowances.sum_up(unit, this.now)
        self._archivist.file(this.counts)

    # --- judging -----------------------------------------------------------------------------------------------

    def _judge_all(self, this: Pass) -> None:
        this.waiting.clear()
        this.delayed.clear()
        this.stuck.clear()
        busy = True
        while busy:
            with self._store.transaction() as unit:
                for _ in range(_HANDFUL):
                    busy = not self._stopping() and self._judge_next(unit, this)
                    if not busy:
                        this.counts.waiting = unit.open_mails()
                        break

    def _judge_next(self, unit: Unit, this: Pass) -> bool:
        """The next stimulus in time order; a mail goes before a deadline of the same moment."""
        mail = unit.next_mail(this.now, this.waiting)
        lapse = unit.next_lapse(this.watermark, this.delayed | this.stuck)
        if mail is None and lapse is None:
            return False
        if lapse is None or (mail is not None and mail.arrived <= lapse[1]):
            assert mail is not None
            self._judge_mail(unit, mail, this)
        else:
            self._timekeeper.lapse(unit, lapse[0], this)
        return True

    def _judge_mail(self, unit: Unit, mail: KeptMail, this: Pass) -> None:
        since = this.later(mail.arrived) if mail.released or mail.confirmed else None
        this.reached = this.later(mail.arrived)
        try:
            with unit.savepoint(), self._watch.over():
                judged = self._collector.judge(unit, mail, this.now, since)
                if judged is None:
                    this.waiting.add(mail.id)
                    return
                self._registry.post(unit, judged.letters)
                unit.settle(mail.id, judged.settling, this.now)
                verdict = judged.settling.verdict
        except (Exception, Overrun) as error:  # noqa: BLE001 - whatever it is, the queue must go on
            self._faults.of_mail(unit, mail, error, this.now)
            verdict = "shunted"
        else:
            this.delayed.discard(judged.settling.match or "")  # it may have waited for this very mail
        setattr(this.counts, verdict, getattr(this.counts, verdict) + 1)
        log.info("mail", id=mail.id, verdict=verdict)
