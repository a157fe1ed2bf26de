"""The desk: one pass over everything that waits, in time order, one transaction per handful of stimuli."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from referee.logs import Log
from referee.offices.passes import Counts, Pass, StaleClock
from referee.offices.ports.store import KeptMail
from referee.offices.ports.tools import Stopped
from referee.offices.stimuli import Stimuli

if TYPE_CHECKING:
    from referee.offices.ports.store import Clock, Store, Unit
    from referee.offices.ports.tools import Archive

_HANDFUL = 40  # stimuli that share a commit
_BOUT = 200  # mails after which their letters leave, where the pass goes on
log = Log("referee.desk")


@dataclass(frozen=True, slots=True)
class Desk:
    """Takes the next stimulus in time order until none is left (design, sections 4 and 5)."""

    store: Store
    stimuli: Stimuli
    archive: Archive | None

    def step(
        self,
        now: datetime,
        *,
        wait: bool = True,
        outage: timedelta | None = None,
        stopping: Callable[[], bool] = lambda: False,
        told: Callable[[Counts], None] = lambda counts: None,
    ) -> Counts:
        """One pass at the clock `now`. Raises StaleClock where an earlier pass was later.

        `outage` is given by the service alone: a longer silence since its last pass is added to open deadlines. No
        gap between passes of other callers, however long, moves anything. Once `stopping` says so, the stimulus or
        letter in hand is the last, or is undone where it takes too long; the next pass goes on from there. `told` hears
        what was done with every commit of stimuli.
        """
        counts = Counts()
        with self.store.exclusive():
            before, owed = self._begin(now, outage)
            if owed:
                self._give_back_time(now, counts)
            this = Pass(now, now, counts, stopping, before.reached, careful=before.under_way, told=told)
            try:
                this.whole = self.stimuli.archivist.keep_all(now, counts, stopping, careful=this.careful)
                if not this.whole:
                    this.watermark = before.watermark or datetime.min.replace(tzinfo=now.tzinfo)
                self._take_all(this, wait=wait)
            except Stopped:
                self._break_off()
                return counts
            if not stopping():
                self._refresh(counts)
            self.stimuli.deliver(now, counts, stopping)
        return counts

    def _take_all(self, this: Pass, *, wait: bool) -> None:
        self._judge_all(this)
        if wait:
            while this.asks and not this.stopping() and self.stimuli.search(this.now, this.counts):
                self._judge_all(this)
        if this.stopping():
            self._break_off()
        else:
            self._end(this)

    def _begin(self, now: datetime, outage: timedelta | None) -> tuple[Clock, bool]:
        """Note the pass, and where the service was silent for too long, the outage; how the clock stood before, and
        whether any match is owed time."""
        with self.store.transaction() as unit:
            clock = unit.clock()
            if clock.last_pass is not None and now < clock.last_pass:
                raise StaleClock.of(clock.last_pass, now)
            heartbeat = None if outage is None else now
            unit.set_clock(clock._replace(last_pass=now, heartbeat=heartbeat, under_way=True))
            if outage is not None and clock.heartbeat is not None and now - clock.heartbeat > outage:
                unit.note_outage(clock.heartbeat, now - clock.heartbeat)
            return clock, bool(unit.owed_time(1))

    def _give_back_time(self, now: datetime, counts: Counts) -> None:
        """What an outage took from each match, before anything else befalls it; a crash in between loses none."""
        busy = True
        while busy:
            with self.store.transaction() as unit:
                names = unit.owed_time(_HANDFUL)
                for name in names:
                    self.stimuli.give_back_time(unit, name, now, unit.take_outages(name), counts)
            busy = len(names) == _HANDFUL

    def _break_off(self) -> None:
        """Stopped between two stimuli: the next pass goes on, and need not fear any mail."""
        with self.store.transaction() as unit:
            unit.set_clock(unit.clock()._replace(under_way=False))

    def _end(self, this: Pass) -> None:
        """What was judged is committed: it is put away on the server, and noted with what time itself has made due."""
        filed = self.stimuli.archivist.put_away(this.unfiled, this.counts)
        with self.store.transaction() as unit:
            if filed:
                unit.filed(this.unfiled)
            clock = unit.clock()
            reached = clock.reached if clock.watermark is None else this.later(clock.watermark)
            unit.set_clock(clock._replace(reached=reached, under_way=False))
            self.stimuli.remind(unit, this.delayed, this.watermark, this.now, this.counts)

    def _refresh(self, counts: Counts) -> None:
        """Bring the archive up to date before letters leave that link to it. No trouble with it holds up a mail."""
        if self.archive is None:
            return
        try:
            self.archive.refresh()
        except Exception as error:
            log.exception("archive")
            counts.trouble.append(f"the archive could not be written: {type(error).__name__}: {error}")

    # --- in time order -----------------------------------------------------------------------------------------

    def _judge_all(self, this: Pass) -> None:
        this.waiting.clear()
        this.delayed.clear()
        this.stuck.clear()
        busy = True
        while busy:
            marked = self._mark_next(this) if this.careful else None
            before = this.counts.copied()
            try:
                with self.store.transaction() as unit:
                    busy = self._judge_some(unit, this)
                    if marked is not None:
                        unit.let_go(marked)
            except (Exception, Stopped):
                if marked is not None:  # the store failed or the process is to end: that is no mail's fault
                    with self.store.transaction() as unit:
                        unit.let_go(marked)
                this.counts.put_back(before)
                raise
            this.told(this.counts)
            if busy and this.judged >= _BOUT:
                self._hand_over(this)

    def _hand_over(self, this: Pass) -> None:
        """In a long pass letters need not wait until all is judged; but where they link to an archive, it is to be
        brought up to date before."""
        this.judged = 0
        if self.archive is None or not self.archive.linked:
            self.stimuli.deliver(this.now, this.counts, this.stopping)

    def _judge_some(self, unit: Unit, this: Pass) -> bool:
        """What shares a commit; whether there may be more."""
        for _ in range(1 if this.careful else _HANDFUL):
            if this.stopping() or not self._judge_next(unit, this):
                this.counts.waiting = unit.open_mails()
                this.asks, this.unfiled = bool(unit.computing()), unit.unfiled()
                busy = False
                break
        else:
            busy = True
        clock = unit.clock()
        now = clock._replace(
            reached=this.reached, watermark=this.watermark if this.whole else clock.watermark
        )
        if now != clock:
            unit.set_clock(now)
        return busy

    def _mark_next(self, this: Pass) -> str | None:
        """Note, in a commit of its own, the mail that is judged next, if it is one."""
        this.deaths = 0
        with self.store.transaction() as unit:
            mail = self._next(unit, this)
            if not isinstance(mail, KeptMail) or this.stopping():
                return None
            self.stimuli.make_ready()
            this.deaths = unit.take_in_hand(mail.uid)
        return mail.uid

    def _next(self, unit: Unit, this: Pass) -> KeptMail | str | None:
        """The next stimulus in time order: a mail, or a match whose deadline has passed; a mail goes before a deadline
        of the same moment."""
        mail = unit.next_mail(this.now, this.waiting)
        lapse = unit.next_lapse(this.watermark, this.delayed | this.stuck)
        if mail is not None and (lapse is None or mail.arrived <= lapse[1]):
            return mail
        return lapse[0] if lapse is not None else None

    def _judge_next(self, unit: Unit, this: Pass) -> bool:
        """Take it, and note what must wait; whether there was one."""
        found = self._next(unit, this)
        if isinstance(found, KeptMail):
            settled = self.stimuli.judge(unit, found, this.now, this.reached, this.deaths)
            this.reached = this.later(found.arrived)
            this.judged += 1
            if settled is None:
                this.waiting.add(found.id)
            else:
                this.delayed.discard(settled.match or "")  # it may have waited for this very mail
                this.counts.settled(settled.disposition)
        elif found is not None:
            ruling = self.stimuli.lapse(unit, found, this.now, this.reached, this.counts)
            this.delayed |= {found} if ruling == "delayed" else set()
            this.stuck |= {found} if ruling == "stuck" else set()
        return found is not None
