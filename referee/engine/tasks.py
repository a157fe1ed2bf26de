"""What is done about each kind of job. Whoever does it finds in the store all that it must know, leaves there all that
the next one needs, and may end anywhere: what was not written is done again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from referee.base.logs import Log
from referee.engine.jobs import DELIVER, FILE, RECEIVE, REFRESH, TICK, judge, remind, search
from referee.engine.keyed import KeyQueue
from referee.engine.store import KeyedStore
from referee.engine.unit import KeyedUnit
from referee.offices.incoming.archivist import Archivist
from referee.offices.incoming.routing import NOBODY, key_of_person
from referee.offices.passes import Batch, Counts, begin
from referee.offices.stimuli import Stimuli
from referee.store.engine import again

_SEARCH_AGAIN = timedelta(hours=1)  # after an answer that could not be written down
_NEVER = datetime.min.replace(tzinfo=UTC)
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
