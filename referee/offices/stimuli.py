"""The stimuli: whatever moves the referee. Mails that are judged, deadlines that fire and outages whose time is given
back are taken from a queue, in time order, by one loop for the desk and for workers; beside it stands what time itself
makes due. None needs anything that an earlier one left in the process, since what it must know stands in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol
from zoneinfo import ZoneInfo

from referee.base.errors import outlined
from referee.base.logs import Log, about
from referee.offices.passes import (
    Batch,
    Claimed,
    Counts,
    Deadly,
    Misrouted,
    Next,
    Overdue,
    Queue,
    TimeOwed,
    Woken,
    isolated,
)
from referee.offices.ports.mail import Overrun
from referee.store.engine import Again, again
from referee.store.inbox import KeptMail

if TYPE_CHECKING:
    from referee.offices.clock.searches import Searches
    from referee.offices.clock.timekeeper import Timekeeper
    from referee.offices.faults import Faults
    from referee.offices.incoming.case import Settled
    from referee.offices.incoming.collector import Collector
    from referee.offices.incoming.moderators.gate import Daily
    from referee.offices.outgoing.courier_round import CourierRound
    from referee.offices.outgoing.outbox import Outbox
    from referee.offices.ports.mail import Mail, TimeLimit
    from referee.store.sql import Clock, Store, Unit

_DAY = timedelta(days=1)
log = Log("referee.desk")


class Staff(Protocol):
    """Who does it."""

    faults: Faults
    outbox: Outbox
    timekeeper: Timekeeper

    @property
    def courier_round(self) -> CourierRound: ...
    @property
    def daily(self) -> Daily: ...
    @property
    def searches(self) -> Searches: ...


@dataclass(frozen=True, slots=True)
class Stimuli:
    """Takes them. Whether there is anything to do is asked of the store. The office that does it is made, and loaded,
    when there is: most passes of a quiet evening find nothing."""

    store: Store
    parts: Callable[[], Staff]
    collector: Callable[[], Collector]
    limit: Callable[[], TimeLimit]
    archived: Callable[[], object] | None  # brings the public archive up to date, where one is kept
    linked: bool  # letters link to it: it is brought up to date before they leave
    hour: int  # of the zone, at which the moderators' daily letter is due
    zone: str

    # --- from a queue --------------------------------------------------------------------------------------------

    def take_all(
        self, queue: Queue[Any], begun: Batch, stopping: Callable[[], bool] = lambda: False
    ) -> Iterator[Batch]:
        """What waits in the queue, until nothing is left that may be taken; each batch as soon as it is committed. One
        that is undone has left nothing; `stopping` is asked before each stimulus."""
        batch = begun
        while batch.more and not stopping():
            if queue.isolates:
                with isolated(self.store, partial(self._uid_of_next, queue, batch)) as claimed:
                    batch = self._batch(queue, batch, 1, stopping, claimed)
            else:
                batch = self._batch(queue, batch, queue.size, stopping, None)
            yield batch

    def _uid_of_next(self, queue: Queue[Any], batch: Batch, unit: Unit) -> str | None:
        """Of the mail that comes next, if it is one. What judging it needs is imported and made before it is claimed:
        it is none's doing if the process ends meanwhile."""
        queue.begin(unit, batch)
        found = queue.next(unit, batch)
        if not isinstance(found, KeptMail):
            return None
        self.collector()
        return found.uid

    @again
    def _batch(
        self,
        queue: Queue[Any],
        before: Batch,
        most: int,
        stopping: Callable[[], bool],
        claimed: Claimed | None,
    ) -> Batch:
        """What shares a commit."""
        batch = before.following()
        with self.store.transaction() as unit:
            queue.begin(unit, batch)
            for _ in range(most):
                found = None if stopping() else queue.next(unit, batch)
                if found is None:
                    batch.more = False
                    break
                self._take(unit, queue, batch, found, deadly=claimed is not None and claimed.deadly)
            queue.end(unit, batch)
            if claimed is not None:
                unit.release_claim(claimed.uid)
        return batch

    def _take(self, unit: Unit, queue: Queue[Any], batch: Batch, found: Next, *, deadly: bool) -> None:
        if isinstance(found, KeptMail):
            self._judge(unit, queue, batch, found, deadly=deadly)
        elif isinstance(found, TimeOwed):
            for outage in unit.take_outages(found.match):
                self.parts().timekeeper.add_downtime_to(unit, found.match, batch.now, outage, batch.counts)
        elif isinstance(found, Woken):
            if not self.parts().timekeeper.wake(unit, found.gathering, batch.now, batch.counts):
                batch.held_up[found.gathering] = "stuck"
            batch.reach(found.due)
        else:
            self._fire(unit, batch, found)

    def _fire(self, unit: Unit, batch: Batch, overdue: Overdue) -> None:
        with about(match=overdue.match):
            ruling = self.parts().timekeeper.lapse(
                unit, overdue.match, batch.now, batch.reached, batch.counts
            )
            log.info("deadline", due=overdue.due.isoformat(), ruling=ruling)
        if ruling != "ruled":
            batch.held_up[overdue.match] = ruling
        batch.reach(overdue.due)

    # --- a mail --------------------------------------------------------------------------------------------------

    def _judge(self, unit: Unit, queue: Queue[Any], batch: Batch, mail: KeptMail, *, deadly: bool) -> None:
        """Settle it, or note that it must wait for the referee's own answer."""
        with about(mail=mail.id):
            try:
                settled = self._settled(unit, queue, batch, mail, deadly=deadly)
            except Misrouted as found:
                queue.move(unit, mail, found.key)
                return
            batch.reach(mail.arrived)
            if settled is None:
                batch.waiting.add(mail.id)
                return
            verdict, match, seat = settled.disposition, settled.match, settled.seat
            log.info("mail", verdict=verdict, match=match, seat=seat, uid=mail.uid)
        batch.counts.settled(settled.disposition)
        if settled.match in batch.delayed:  # its deadline may have waited for this very mail
            del batch.held_up[settled.match]

    def _settled(
        self, unit: Unit, queue: Queue[Any], batch: Batch, mail: KeptMail, *, deadly: bool
    ) -> Settled | None:
        """What it is settled as. One that stumbles, takes too long or has ended the process too often is put aside, and
        nothing of what it did is left."""
        collector, read = self.collector(), None
        try:
            if deadly:
                raise Deadly(Deadly.__doc__)
            with unit.savepoint(), self.limit().over(mail.uid):
                read = collector.read(mail)
                # one that somebody has let in counts from then on, any other from its arrival
                let_in, reached = mail.released or mail.confirmed, batch.reached or mail.arrived
                since = max(mail.arrived, reached) if let_in else None
                settled = collector.judge(unit, mail, read, batch.now, since)
                queue.check(unit, read, settled.match if settled else None, waits=settled is None)
                if settled is not None:
                    self._write(unit, mail, settled, batch.now)
        except (Again, Misrouted):
            raise
        except (Exception, Overrun) as error:  # noqa: BLE001 - whatever it is, the queue must go on
            proved = self._proved(unit, mail, read) if read is not None else []
            settled = self.parts().faults.of_mail(unit, mail, error, batch.now, proved)
            self._write(unit, mail, settled, batch.now)
        return settled

    def _write(self, unit: Unit, mail: KeptMail, settled: Settled, now: datetime) -> None:
        self.parts().outbox.post(unit, settled.letters)
        unit.settle(
            mail.id,
            settled.disposition,
            settled.reason,
            now,
            words=settled.words,
            resend=settled.resend,
            match=settled.match,
            seat=settled.seat,
            signature=settled.signature,
            strength=settled.strength,
        )

    def _proved(self, unit: Unit, mail: KeptMail, read: Mail) -> list[tuple[str, int]]:
        """The seats that a mail which stumbled proves to be of; none where looking for them stumbles too."""
        try:
            with unit.savepoint(), self.limit().over(mail.uid):
                return self.collector().proved(unit, mail, read)
        except Again:
            raise
        except (Exception, Overrun):
            log.exception("and who sent it can't be told")
            return []

    # --- what time itself makes due ------------------------------------------------------------------------------

    def search(self, now: datetime, counts: Counts) -> bool:
        """Look for what the referee itself owes; whether anything was found."""
        with self.store.transaction() as unit:
            names = unit.computing()
        return bool(names) and "answered" in list(self.parts().searches.compute(names, lambda: now, counts))

    def remind(
        self, unit: Unit, delayed: set[str], watermark: datetime, now: datetime, counts: Counts
    ) -> None:
        """Word of rulings that wait, reminders, how many alarms were withheld."""
        if delayed:
            self.parts().timekeeper.tell_delays(unit, delayed, watermark, now, counts)
        for match in unit.reminding(now):
            self.parts().timekeeper.remind(unit, match, now, counts)
        self.sum_up_alarms(unit, now)

    def tell_desk(self, unit: Unit, clock: Clock, now: datetime, counts: Counts) -> Clock:
        """Once a day the desk is looked through, before anything else befalls it, and the moderators are told of what
        has waited; the clock with that noted. The first pass of all only notes the time."""
        local = now.astimezone(ZoneInfo(self.zone))
        due = datetime.combine(local.date(), time(self.hour), local.tzinfo)
        due = due if due <= local else due - _DAY
        if clock.desk_at is not None and clock.desk_at >= due:
            return clock
        try:
            if clock.desk_at is not None:
                with unit.savepoint():
                    self.parts().daily.tell(unit, now)
        except Again:
            raise
        except Exception as error:
            log.exception("the desk's letter", at=now.isoformat())  # the pass must go on
            counts.trouble.append(f"the desk's daily letter could not be written: {outlined(error)}")
        return clock._replace(desk_at=now)

    def sum_up_alarms(self, unit: Unit, now: datetime) -> None:
        """A day after the first alarm of a kind was withheld: how many there were."""
        if withheld := unit.take_withheld(now - _DAY):
            self.parts().outbox.sum_up(unit, withheld, now)

    # --- what goes out -------------------------------------------------------------------------------------------

    def refresh(self, counts: Counts) -> None:
        """Bring the public archive up to date. No trouble with it holds up a mail."""
        if self.archived is None:
            return
        try:
            self.archived()
        except Exception as error:
            log.exception("archive")
            counts.trouble.append(f"the archive could not be written: {outlined(error)}")

    def deliver(self, now: datetime, counts: Counts, stopping: Callable[[], bool]) -> None:
        """Hand over the letters that are to leave. An idle pass asks first whether any does, or waits for a digest."""
        if counts.idle:
            with self.store.transaction() as unit:
                if not (unit.readers_waiting(now, 1) or unit.gathered()):
                    return
        self.parts().courier_round.deliver(now, counts, stopping)
