"""The desk: one pass over everything that waits, in one row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from referee.offices.clock.doubt import ClockReading, Witness, heard, noted, weighed
from referee.offices.passes import Batch, Counts, Next, Overdue, TimeOwed, Woken, begin
from referee.offices.ports.mail import Stopped
from referee.store.matches import MatchStore

if TYPE_CHECKING:
    from referee.offices.incoming.archivist import Archivist
    from referee.offices.ports.mail import Mail
    from referee.offices.stimuli import Stimuli
    from referee.store.inbox import Disposition, KeptMail
    from referee.store.sql import Store, Unit

_AT_ONCE = 40  # stimuli that share a commit
_MANY = 200  # mails after which their letters leave, where the pass goes on
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class OneRow:
    """All stimuli there are, by time. `watermark` is how far the mailbox has been read, None where it could not be read
    to its end, and `read_before` how far it was then. Of what the last batch has left: `waiting` mails are open, the
    referee itself `asks` for an answer of its own, `unfiled` (uid and verdict) are to be put away."""

    now: datetime
    read_before: datetime | None
    watermark: datetime | None
    isolates: bool
    size: int = _AT_ONCE
    owed: list[str] = field(default_factory=list)
    waiting: int = 0
    asks: bool = False
    unfiled: list[tuple[str, Disposition]] = field(default_factory=list)
    known: Witness | None = None  # of the machine's clock
    before: datetime | None = None  # when a pass by it had read the mailbox to its end

    def believed(self, counts: Counts) -> bool:
        """Whether nothing, nor what has been heard now, makes the clock doubtful."""
        self.known = self.known and heard(self.known, counts.heard, self.before, self.now)
        return not (self.known and self.known.doubt)

    @property
    def read(self) -> datetime:
        """Before that no deadline fires."""
        return self.watermark or self.read_before or _NEVER

    def begin(self, unit: MatchStore, batch: Batch) -> None:
        batch.now, self.owed = self.now, unit.owed_time(self.size)

    def next(self, unit: Unit, batch: Batch) -> Next | None:
        if self.owed:
            return TimeOwed(self.owed.pop(0))
        mail = unit.next_mail(self.now, batch.waiting)
        lapse, woken = (
            unit.next_lapse(self.read, batch.held_up),
            unit.next_gathering(self.read, batch.held_up),
        )
        if mail is not None and all(due is None or mail.arrived <= due[1] for due in (lapse, woken)):
            return mail
        if woken is not None and (lapse is None or woken[1] <= lapse[1]):
            return Woken(*woken)
        return None if lapse is None else Overdue(*lapse)

    def check(self, unit: Unit, mail: Mail, about: str | None, *, waits: bool) -> None:
        """There is no other row."""

    def move(self, unit: Unit, mail: KeptMail, key: str) -> None:
        raise AssertionError("there is no other row")

    def end(self, unit: Unit, batch: Batch) -> None:
        if not batch.more:
            self.waiting, self.asks, self.unfiled = unit.open_mails(), bool(unit.computing()), unit.unfiled()
        clock = unit.clock()
        now = clock._replace(reached=batch.reached, watermark=self.watermark or clock.watermark)
        if now != clock:
            unit.set_clock(now)


@dataclass(frozen=True, slots=True)
class Desk:
    """Reads the mailbox, then takes the next stimulus in time order until none is left (design, sections 4 and 5)."""

    store: Store
    archivist: Archivist
    stimuli: Stimuli

    def step(
        self,
        now: datetime | ClockReading,
        *,
        wait: bool = True,
        outage: timedelta | None = None,
        stopping: Callable[[], bool] = lambda: False,
        told: Callable[[Counts], None] = lambda counts: None,
    ) -> Counts:
        """One pass at the clock `now`; of a machine's at what can be believed of it (`clock/doubt`). Raises StaleClock
        where an earlier pass was later than a time that was named.

        `outage` is given by whoever's passes are expected, the service, or cron by the configuration: as long a silence
        since the last such pass is added to open deadlines. No other gap between passes, however long, moves anything.
        Once `stopping` says so, the stimulus or letter in hand is the last, or is undone where it takes too long; the
        next pass goes on from there. `told` hears what was done with every commit of stimuli.
        """
        counts = Counts()
        with self.store.exclusive():
            row, reached = self._begin(now, outage, counts)
            now = row.now
            try:
                read = self.archivist.keep_all(now, counts, stopping, isolates=row.isolates)
                if row.believed(counts) and read:
                    row.watermark = now
                batch = self._take_all(row, Batch(reached=reached), counts, stopping, told)
                while wait and row.asks and not stopping() and self.stimuli.search(now, counts):
                    batch = self._take_all(row, Batch(reached=batch.reached), counts, stopping, told)
            except Stopped:
                self._break_off(counts)
                return counts
            if stopping():
                self._break_off(counts)
            else:
                self._end(row, batch, counts)
                self.stimuli.refresh(counts)
            self.stimuli.deliver(now, counts, stopping)
        return counts

    def _begin(
        self, now: datetime | ClockReading, outage: timedelta | None, counts: Counts
    ) -> tuple[OneRow, datetime | None]:
        """Note the pass, and where the service was silent for too long, the outage; what there is to be taken, and the
        latest stimulus that was judged before."""
        with self.store.transaction() as unit:
            known, last = None, unit.clock()
            if isinstance(now, ClockReading):
                known, now = weighed(last, now)
            clock = self.stimuli.tell_desk(unit, begin(unit, now, outage), now, counts)
            heartbeat = None if outage is None else now
            unit.set_clock(noted(clock._replace(last_pass=now, heartbeat=heartbeat, under_way=True), known))
        sure = last.witness and (last.watermark == last.last_pass or (known and known.doubt))
        before = last.last_pass if sure else None
        return OneRow(now, clock.watermark, None, clock.under_way, known=known, before=before), clock.reached

    def _take_all(
        self,
        row: OneRow,
        batch: Batch,
        counts: Counts,
        stopping: Callable[[], bool],
        told: Callable[[Counts], None],
    ) -> Batch:
        """Whatever may be taken now. In a long pass letters need not wait until all is judged; but where they link to
        an archive, it is to be brought up to date before."""
        judged, last = 0, batch
        for last in self.stimuli.take_all(row, batch, stopping):
            counts.add(last.counts)
            told(counts)
            judged += last.counts.judged
            if last.more and judged >= _MANY and not self.stimuli.linked:
                self.stimuli.deliver(row.now, counts, stopping)
                judged = 0
        return last

    def _break_off(self, counts: Counts) -> None:
        """Stopped between two stimuli: the next pass goes on, and need not fear any mail."""
        with self.store.transaction() as unit:
            counts.waiting = unit.open_mails()
            unit.set_clock(unit.clock()._replace(under_way=False))

    def _end(self, row: OneRow, batch: Batch, counts: Counts) -> None:
        """What was judged is committed: it is put away on the server, and noted with what time itself has made due."""
        counts.waiting = row.waiting
        filed = self.archivist.put_away(row.unfiled, counts)
        with self.store.transaction() as unit:
            if filed:
                unit.filed(row.unfiled)
            clock = unit.clock()
            if clock.watermark is not None:
                batch.reach(clock.watermark)
            if row.known is not None and (why := row.known.doubt):
                counts.trouble.append(f"the machine's clock is doubted, and deadlines wait: {why}.")
                if not row.known.told:
                    self.stimuli.parts().faults.of_clock(unit, why, row.now)
                row.known = replace(row.known, told=True)
            unit.set_clock(noted(clock._replace(reached=batch.reached, under_way=False), row.known))
            self.stimuli.remind(unit, batch.delayed, row.read, row.now, counts)
