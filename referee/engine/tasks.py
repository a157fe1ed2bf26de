"""What is done about each kind of job. Whoever does it finds in the store all that it must know,
leaves there all that the next one needs, and may end anywhere: what was not written is done again.

A worker takes at a time all that waits under one ordering key, a match's name or a person. Of one
and the same match and person everything is taken in time order, be it under the match's key or
under his.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from referee.base.logs import Log
from referee.engine.jobs import DELIVER, FILE, RECEIVE, REFRESH, TICK, judge, remind, search
from referee.engine.store import KeyedStore, KeyedUnit, PersonsMail, Upcoming
from referee.mail.mail import Mail
from referee.offices.passes import Batch, Counts, Misrouted, Next, Overdue, TimeOwed, Woken, begin
from referee.store.engine import again
from referee.store.inbox import KeptMail
from referee.way.keep import Archivist
from referee.way.loop import Stimuli
from referee.way.routing import NOBODY, key_of, key_of_gathering, key_of_person

_CLUB = key_of_gathering("")
_NEVER = datetime.min.replace(tzinfo=UTC)
_AT_ONCE = 10  # stimuli that share a commit


@dataclass(slots=True)
class KeyQueue:
    """The mails of a key; of a match also its deadline. `time` is its clock, the database's where it is None.
    `patient`: it waits for people whom another worker has in hand; else they are left to the next.

    Of one transaction: `owed` tells that the match is owed time, `read` how far the mailbox has been read, `upcoming`
    are the mails that may be taken, `person` the first mail of anybody who sits in the match that names no match,
    `taken` how many were taken, `full` that somebody else has mails of the next sender in hand, `first` the key under
    which something goes before, `reached` and `waiting` how far the match was when it began."""

    key: str
    time: datetime | None
    isolates: bool
    patient: bool
    size: int = _AT_ONCE
    owed: bool = False
    read: datetime = _NEVER
    upcoming: list[Upcoming] | None = None
    person: PersonsMail | None = None
    taken: int = 0
    full: bool = False
    first: str | None = None
    reached: datetime | None = None
    waiting: set[int] = field(default_factory=set)

    @property
    def match(self) -> str | None:
        """The match whose key it is; None where it is a person's."""
        return None if self.key.startswith(("from ", _CLUB)) else self.key

    @property
    def gathering(self) -> str | None:
        """The gathering of the club whose key it is."""
        return self.key.removeprefix(_CLUB) if self.key.startswith(_CLUB) else None

    def begin(self, unit: KeyedUnit, batch: Batch) -> None:
        unit.key, found = self.key, unit.state_of(self.match)
        now = self.time or found.moment
        batch.now = max(now, found.last_pass or now)
        batch.reached = self.reached = found.reached
        self.owed, self.read = found.owed, found.watermark or _NEVER
        self.upcoming, self.taken, self.full, self.first = None, 0, False, None
        self.waiting = set(batch.waiting)

    def next(self, unit: KeyedUnit, batch: Batch) -> Next | None:
        match = self.match
        if match is not None and self.owed:
            self.owed = False
            return TimeOwed(match)
        mails = self._upcoming(unit, batch)
        if self.gathering is not None:
            return self._gathered(unit, batch, self.gathering, mails)
        due = None if match is None or match in batch.held_up else unit.lapse_of(match, self.read)
        if mails and (due is None or mails[0].arrived <= due):
            self.first = self._before(unit, mails[0])
            return self._mail(unit, mails) if self.first is None else None
        if match is None or due is None:
            return None
        if self.person is not None and self.person.arrived <= due:
            self.first = self.person.key
            return None
        self.taken += 1
        return Overdue(match, due)

    def _gathered(self, unit: KeyedUnit, batch: Batch, name: str, mails: list[Upcoming]) -> Next | None:
        due = None if name in batch.held_up else unit.wakes_at(name)
        if mails and (due is None or mails[0].arrived <= due):
            return self._mail(unit, mails)
        if due is None or due >= self.read:
            return self._mail(unit, mails) if mails else None
        self.taken += 1
        return Woken(name, due)

    def _upcoming(self, unit: KeyedUnit, batch: Batch) -> list[Upcoming]:
        """The mails that this transaction may take. What is kept meanwhile arrived later, and is noted by itself."""
        if self.upcoming is None or unit.reopened:
            self.upcoming = unit.upcoming(
                self.key, batch.now, batch.waiting, 1 if self.isolates else self.size, patient=self.patient
            )
            self.person = None if self.match is None else unit.persons_first(self.match)
            unit.reopened = False
        return self.upcoming

    def _before(self, unit: KeyedUnit, mail: Upcoming) -> str | None:
        """The key under which something must be judged before this mail."""
        if self.match is None:
            return unit.before_persons(self.key, mail, self.read)
        if self.person is not None and self.person[1:] < (mail.arrived, mail.id):
            return self.person.key
        return None

    def _mail(self, unit: KeyedUnit, mails: list[Upcoming]) -> KeptMail | None:
        """The first of them. Its sender is held until the commit: of two matches in which the same two people write to
        each other, neither may wait with the one in hand for the other. What is not free is for the next commit."""
        self.full = not unit.holds(mails[0].sender)
        if self.full:
            return None
        self.taken += 1
        kept = unit.mail(mails.pop(0).id)
        assert kept is not None, "no mail is ever thrown away"
        return kept

    def check(self, unit: KeyedUnit, mail: Mail, about: str | None, *, waits: bool) -> None:
        if about == self.key or (about is None and not waits):
            return
        key = key_of(unit, mail)
        if key != self.key and (key == about or waits):
            raise Misrouted(key)

    def move(self, unit: KeyedUnit, mail: KeptMail, key: str) -> None:
        unit.move(mail.id, key)

    def end(self, unit: KeyedUnit, batch: Batch) -> None:
        batch.more |= self.full and self.taken > 0
        if self.full and not self.taken:  # another key's turn meanwhile
            unit.note(judge(self.key, patient=True))
        if self.first is not None:
            unit.note(judge(self.first, then=self.key))
        if self.match is not None and batch.reached is not None and batch.reached != self.reached:
            unit.reach(self.match, batch.reached)
        for number in batch.waiting - self.waiting:
            unit.wait(number)


_SEARCH_AGAIN = timedelta(hours=1)  # after an answer that could not be written down
log = Log("referee.tasks")


@dataclass(slots=True)
class Tasks:
    """Does what jobs say. `counts` is what has been done so far; `told` hears of it with every commit of stimuli."""

    store: KeyedStore
    archivist: Archivist
    stimuli: Stimuli
    time: datetime | None = None  # their clock: of workers the database's, which is one for all of them
    stopping: Callable[[], bool] = lambda: False
    outage: timedelta | None = None  # a longer silence of all workers is added to open windows
    told: Callable[[Counts], None] = lambda counts: None
    counts: Counts = field(default_factory=Counts)

    # --- what is done again and again ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Before anything is taken: where all workers were silent for too long, every open match is owed the time."""
        self.store.free_the_dead()
        with self.store.transaction() as unit:
            now = self._sign_of_life(unit)
            unit.sweep(now)
            unit.note(RECEIVE, TICK)

    def poll(self, what: str) -> None:
        """It is time to read the mailbox, or to see what time itself has made due."""
        with self.store.transaction() as unit:
            unit.note({"receive": RECEIVE, "tick": TICK}[what])

    # --- mails come in -------------------------------------------------------------------------------------------

    def receive(self, *, isolates: bool = False) -> None:
        """Read the mailbox to its end, and look wherever something was kept or has fallen due."""
        with self.store.transaction() as unit:
            for (
                mail
            ) in unit.without_key():  # kept before there were any: whoever judges it finds the right one
                unit.move(mail.id, key_of_person(mail.sender))
        self.archivist.receive(self._now(), self.counts, self.stopping, isolates=isolates)

    def file(self) -> None:
        """Put settled mails away on the server."""
        self.archivist.file(self.counts)

    # --- what befalls a match or a person, in time order ---------------------------------------------------------

    def judge(
        self, key: str, then: str | None = None, *, patient: bool = False, isolates: bool = False
    ) -> None:
        """Judge the open mails of a key, and fire the match's deadline, until nothing is left that may be taken."""
        isolates |= key == NOBODY  # among them are mails over which the mailbox was given up
        queue = KeyQueue(key, self.time, isolates, patient or isolates or then is not None)
        for batch in self.stimuli.take_all(queue, Batch(), self.stopping):
            self.counts.add(batch.counts)
            self.told(self.counts)
        if then is not None:
            with self.store.transaction() as unit:
                unit.note(judge(then))

    # --- the referee's own answers -------------------------------------------------------------------------------

    def search(self, match: str) -> None:
        """Look for the referee's own answer; the mails that wait for it are looked at again."""
        for found in self.stimuli.parts().searches.compute([match], self._now, self.counts):
            with self.store.transaction() as unit:
                unit.note(
                    judge(match), *((search(match, after=_SEARCH_AGAIN),) if found == "unwritten" else ())
                )

    # --- what time itself makes due ------------------------------------------------------------------------------

    @again
    def tick(self, *, last: bool = False) -> None:
        """Tell of deadlines that wait and of what is owed, each match by itself; sum up alarms, gather digests, and
        find what nobody has noted. `last`: everything else has been taken already."""
        with self.store.transaction() as unit:
            now = self._sign_of_life(unit) if not last else self._at(unit, unit.clock().last_pass)
            read = unit.clock().watermark or _NEVER
            if not last:
                unit.sweep(now)
                unit.tidy()
                unit.note(*((REFRESH,) if self.stimuli.archived is not None else ()))
            late = unit.due(read)
            if not last:
                unit.note(*(judge(key) for key in (*late, *unit.woken(read))))
            unit.note(*(remind(name) for name in dict.fromkeys((*late, *unit.reminding(now)))), FILE, DELIVER)
            self.stimuli.sum_up_alarms(unit, now)

    def _sign_of_life(self, unit: KeyedUnit) -> datetime:
        unit.hold("clock", "")
        now = self._at(unit, unit.clock().last_pass)
        self.note_pass(unit, now, self.outage)
        unit.advance()
        return now

    def note_pass(self, unit: KeyedUnit, now: datetime, outage: timedelta | None) -> None:
        """Look through the desk where a day has passed, as things stood before, and then note the moment."""
        looked = self.stimuli.tell_desk(unit, begin(unit, now, outage), now, self.counts).desk_at
        unit.forward({"last_pass": now}, heartbeat=None if outage is None else now)
        unit.set_clock(unit.clock()._replace(desk_at=looked))

    @again
    def remind(self, match: str) -> None:
        """Tell all of a deadline that waits for a mail, and each of what he owes."""
        counts = Counts()
        with self.store.transaction() as unit:
            unit.key = match
            clock = unit.clock()
            now, read = self._at(unit, clock.last_pass), clock.watermark or _NEVER
            if unit.lapse_of(match, read) is not None:
                self.stimuli.parts().timekeeper.tell_delays(unit, {match}, read, now, counts)
            self.stimuli.parts().timekeeper.remind(unit, match, now, counts)
            if clock.watermark is not None:
                unit.reach(match, clock.watermark)
        self.counts.add(counts)

    # --- what goes out -------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring the public archive up to date."""
        self.stimuli.refresh(self.counts)

    def deliver(self) -> None:
        """Hand over the letters that are to leave."""
        self.stimuli.deliver(self._now(), self.counts, self.stopping)

    # --- the clock -----------------------------------------------------------------------------------------------

    def _now(self) -> datetime:
        with self.store.transaction() as unit:
            return self._at(unit, unit.clock().last_pass)

    def _at(self, unit: KeyedUnit, last: datetime | None) -> datetime:
        """The clock, which never goes back."""
        now = self.time or unit.moment()
        return now if last is None else max(now, last)
