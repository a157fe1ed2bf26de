"""What workers do, and how they take what waits. Whoever does it finds in the store all that it must know, leaves there
all that the next one needs, and may end anywhere: what was not written is done again.

A worker takes the earliest ordering key that nobody else has in hand, a match's name or a person, and what waits under
it. Of one and the same match and person everything is taken in time order, be it under the match's key or under his.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from referee.mail.mail import Mail
from referee.offices.clock import doubt
from referee.offices.clock.doubt import ClockReading, Witness, noted, weighed, witness_of
from referee.offices.passes import Batch, Counts, Misrouted, Next, Queue, Timed, begin
from referee.service.keyed import CLUB, Due, KeyedStore, KeyedUnit
from referee.store.engine import again
from referee.store.post import KeptMail
from referee.way.loop import Archivist, Stimuli
from referee.way.routing import NOBODY, key_of, key_of_person

_NEVER = datetime.min.replace(tzinfo=UTC)
_AT_ONCE = 10  # stimuli that share a commit
_SOON = 0.05  # seconds until another worker may have let go of a person
Moments = Callable[[KeyedUnit], tuple[datetime, datetime]]


class KeyQueue(Queue):
    """The mails of a key, and the time of a match or a gathering, up to what goes behind something of another key.
    `moments` tells its clock. Afterwards `total` tells how many were taken, `full` that somebody else has mails of the
    next sender in hand; where it isolates, he is waited for."""

    def __init__(self, due: Due, moments: Moments, *, isolates: bool) -> None:
        self.key, self.until, self._moments, self.isolates = due.key, due.until, moments, isolates
        self.size, self.total, self.full = _AT_ONCE, 0, False
        person, self._club = self.key.startswith("from "), self.key.startswith(CLUB)
        self._match = None if person or self._club else self.key
        self._named = "" if person else self.key.removeprefix(CLUB)  # whose time may have come

    def begin(self, unit: KeyedUnit, batch: Batch) -> None:
        unit.key, clock = self.key, unit.clock()
        own, self._owed = (None, False) if self._match is None else unit.reached_of(self._match)
        unit.now, self._read = self._moments(unit)
        batch.reached = self._reached = max(filter(None, (clock.reached, own)), default=None)
        self._upcoming: list[sa.Row[Any]] | None = None  # mails that this transaction may take
        self.full, self._taken, self._tried, self._waiting = False, 0, False, set(batch.waiting)

    def next(self, unit: KeyedUnit, batch: Batch) -> Next | None:
        if self._owed and self._match is not None:
            self._owed = False
            return Timed("owed", self._match)
        if self._upcoming is None or unit.reopened:  # what is kept meanwhile arrived later
            most = 1 if self.isolates else self.size
            self._upcoming = unit.upcoming(self.key, unit.now, batch.waiting, most, patient=self.isolates)
            unit.reopened = False
        mail, due = next(iter(self._upcoming), None), None
        if self._named and self._named not in batch.held_up:
            due = unit.due_of(self.key, self._read)
        if mail is not None and (due is None or mail.arrived <= due):
            # its sender is held until the commit: of two matches in which the same two people write to each other,
            # neither may wait with the one in hand for the other. What is not free is for the next commit
            self.full = mail[:2] < self.until and not unit.holds(mail.sender)
            if self.full or mail[:2] >= self.until:
                return None
            self._taken += 1
            return unit.mail(self._upcoming.pop(0).id)
        if due is None or due >= self.until[0]:
            return None
        self._taken, self._tried = self._taken + 1, True
        return Timed("gathering" if self._club else "deadline", self._named, due)

    def check(self, unit: KeyedUnit, mail: Mail, about: str | None, *, waits: bool) -> None:
        if about == self.key or (about is None and not waits):
            return
        key = key_of(unit, mail)
        if key != self.key and (key == about or waits):
            raise Misrouted(key)

    def move(self, unit: KeyedUnit, mail: KeptMail, key: str) -> None:
        unit.mark(mail.id, key=key)

    def end(self, unit: KeyedUnit, batch: Batch) -> None:
        self.total += self._taken - (self._tried and self._named in batch.held_up)
        batch.more |= self.full and self._taken > 0
        if self._match is not None and batch.reached is not None and batch.reached != self._reached:
            unit.reach(self._match, batch.reached)
        for number in batch.waiting - self._waiting:
            unit.mark(number, waits=True)
        if not batch.more:
            unit.release_claim(claim_of(self.key))


def claim_of(key: str) -> str:
    """By which it is known that somebody had the key in hand, and how often without an end."""
    return f"key {key}"


@dataclass(slots=True)
class Tasks:
    """Does all there is to do. `counts` is what has been done so far; `told` hears of it with every commit."""

    store: KeyedStore
    archivist: Archivist
    stimuli: Stimuli
    time: datetime | None = None  # their clock: of workers the database's, one for all
    stopping: Callable[[], bool] = lambda: False
    outage: timedelta | None = None  # a longer silence of all workers is added to open windows
    told: Callable[[Counts], None] = lambda counts: None
    counts: Counts = field(default_factory=Counts)
    in_vain: dict[str, Due] = field(default_factory=dict)  # where nothing was taken, till a tick
    known: Witness | None = None  # of the database's clock, by this process's count

    # --- mails come in and are put away --------------------------------------------------------------------------

    def receive(self) -> bool:
        """Read the mailbox to its end; whether nobody else does."""
        with self.store.taking("mailbox") as free:
            if free:
                with self.store.transaction() as unit:
                    isolates = unit.claim(claim_of("mailbox")) > 0
                    for mail in unit.without_key():  # kept before there were any
                        unit.mark(mail.id, key=key_of_person(mail.sender))
                now = self._now()
                read = self.archivist.keep_all(now, self.counts, self.stopping, isolates=isolates)
                with self.store.transaction() as unit:
                    unit.hold("clock", "")
                    now = min(now, self._moments(unit)[0])  # it may have been set back meanwhile
                    if read and not (self.known and self.known.doubt):
                        unit.set_clock(unit.clock()._replace(watermark=now))
                    unit.release_claim(claim_of("mailbox"))
        return free

    def file(self) -> None:
        """Put settled mails away on the server."""
        with self.store.taking("mailbox") as free:
            if free:
                self.archivist.file(self.counts)

    # --- what befalls a match or a person, in time order ---------------------------------------------------------

    def judge_next(self) -> bool:
        """Take what waits under the earliest key under which anything can be taken, and, where a
        hundred wait, under some more; whether there may be more. Where only people in other hands are
        in the way, that is soon; what else nobody can take is left to a tick."""
        with self.store.transaction() as unit:
            keys = unit.due_keys(*self._moments(unit))
        taken, most, contended = 0, max(1, len(keys) // 100), False
        for due in keys:
            if self.stopping():
                return False
            queue = None if self.in_vain.get(due.key) == due else self.judge(due)
            if queue is None:
                continue
            if queue.total:
                taken += 1
                if taken == most:
                    return True
            elif queue.full:
                contended = True
            else:
                self.in_vain[due.key] = due
        if contended and not taken:
            time.sleep(_SOON)
        return contended or taken > 0

    def judge(self, due: Due) -> KeyQueue | None:
        """Judge the open mails of a key, and fire the match's deadline, until nothing is left that may be taken; None
        where somebody else has it in hand. After somebody died over it each mail is taken alone."""
        with self.store.taking("key", due.key) as free:
            if not free:
                return None
            with self.store.transaction() as unit:
                isolates = unit.claim(claim_of(due.key)) > 0 or due.key == NOBODY
            queue = KeyQueue(due, self._moments, isolates=isolates)
            for batch in self.stimuli.take_all(queue, Batch(), self.stopping):
                self.counts.add(batch.counts)
                self.told(self.counts)
        return queue

    # --- the referee's own answers -------------------------------------------------------------------------------

    def search(self) -> bool:
        """Look for the referee's own answers; whether one was found."""
        with self.store.transaction() as unit:
            names = unit.computing()
        answered = False
        for name in names:
            with self.store.taking("search", name) as free:
                if free and not self.stopping():
                    found = self.stimuli.parts().searches.compute([name], self._now, self.counts)
                    answered |= any(found)
        return answered

    # --- what time itself makes due ------------------------------------------------------------------------------

    def tick(self, *, last: bool = False) -> None:
        """Where all workers were silent for too long, every open match is owed the time. Tell of deadlines that wait
        and of what is owed, each match by itself; sum up alarms, gather digests, and look again at what waits. `last`:
        everything else has been taken already."""
        for match in self._told_of_time(last=last):
            with self.store.taking("key", match) as free:
                if free and not self.stopping():
                    self.remind(match)
        self.in_vain.clear()

    @again
    def _told_of_time(self, *, last: bool) -> list[str]:
        """The matches in which something may have to be told."""
        with self.store.transaction() as unit:
            unit.hold("clock", "")
            unit.now, read = self._moments(unit)
            if not last:
                self.note_pass(unit, unit.now, self.outage)
                unit.advance()
                unit.look_again()
            self.stimuli.sum_up_alarms(unit)
            return list(dict.fromkeys((*unit.due(read), *unit.reminding(unit.now))))

    def note_pass(self, unit: KeyedUnit, now: datetime, outage: timedelta | None) -> None:
        """Look through the desk where a day has passed, as things stood before, and then note the moment."""
        clock = self.stimuli.tell_desk(unit, begin(unit, now, outage), self.counts)
        known, before = self.known, witness_of(clock)
        if known and known.doubt and not (known.told or (before and before.told)):
            self.stimuli.parts().decisions.fault_of_clock(unit, known.doubt)
        self.known = known and replace(known, told=bool(known.doubt))
        passed = {"last_pass": now, "desk_at": clock.desk_at or now}
        unit.forward(passed, heartbeat=outage and now, witness=noted(clock, self.known).witness)

    @again
    def remind(self, match: str) -> None:
        """Tell all of a deadline that waits for a mail, and each of what he owes."""
        counts, timekeeper = Counts(), self.stimuli.parts().timekeeper
        with self.store.transaction() as unit:
            unit.key, (unit.now, read) = match, self._moments(unit)
            if unit.due_of(match, read) is not None:
                timekeeper.tell_delays(unit, {match}, read, counts)
            timekeeper.remind(unit, match, counts)
            if read > _NEVER:
                unit.reach(match, read)
        self.counts.add(counts)

    # --- what goes out -------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring the public archive up to date."""
        with self.store.taking("site") as free:
            if free:
                self.stimuli.refresh(self.counts)

    def deliver(self) -> None:
        """Hand over the letters that are to leave."""
        self.stimuli.deliver(self._now(), self.counts, self.stopping)

    # --- the clock -----------------------------------------------------------------------------------------------

    def _now(self) -> datetime:
        with self.store.transaction() as unit:
            return self._moments(unit)[0]

    def _moments(self, unit: KeyedUnit) -> tuple[datetime, datetime]:
        """The clock, which never goes back, and how far the mailbox has been read. The database's
        is weighed by this process's own count, until somebody says how it is with that clock."""
        clock, now = unit.clock(), self.time
        if now is None:
            before = witness_of(clock)
            if before is None or self.known is None or before.said != self.known.said:
                self.known = before
            self.known, now = weighed(noted(clock, self.known), unit.by_its_clock(doubt.reading()))
        return max(now, clock.last_pass or now), clock.watermark or _NEVER

    # --- all of it, in the place of a desk -----------------------------------------------------------------------

    def step(
        self,
        now: datetime | ClockReading,
        *,
        wait: bool = True,
        outage: timedelta | None = None,
        stopping: Callable[[], bool] = lambda: False,
        told: Callable[[Counts], None] = lambda counts: None,
    ) -> Counts:
        """One pass at the clock `now`, or by the database's: mails are received, what is due is taken,
        letters leave. Workers may be at work beside it; what they take is not among its counts. Raises
        StaleClock where an earlier pass was later. `told` hears what every commit of stimuli has done."""
        store, self.store.calls = self.store, False
        self.counts, self.stopping, self.told = Counts(), stopping, told
        self.time, self.known = (None, self.known) if isinstance(now, ClockReading) else (now, None)
        self.in_vain.clear()
        with store.at_work():
            with store.transaction() as unit:
                self.note_pass(unit, self.time or self._moments(unit)[0], outage)
                unit.look_again()
            self.receive()
            while self.judge_next() or (wait and not stopping() and self.search()):
                pass
            if not stopping():
                self.tick(last=True)
                self.file()
                self.refresh()
            self.deliver()
            with store.transaction() as unit:  # what has come by now has been judged
                self.counts.waiting = unit.open_mails()
                clock = unit.clock()
                if clock.watermark is not None and not stopping():
                    unit.forward({"reached": clock.watermark})
        return self.counts
