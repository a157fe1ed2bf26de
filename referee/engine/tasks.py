"""What is done about each kind of job. Whoever does it finds in the store all that it must know, leaves there all that
the next one needs, and may end anywhere: what was not written is done again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from referee.engine.queue import (
    DELIVER,
    FILE,
    RECEIVE,
    REFRESH,
    TICK,
    LaneStore,
    LaneUnit,
    Upcoming,
    look,
    mind,
    search,
)
from referee.logs import Log
from referee.offices.clock.searches import NoVerdict
from referee.offices.incoming.intake.lanes import NOBODY, Lanes
from referee.offices.passes import Counts
from referee.offices.ports.mail import Mail
from referee.offices.ports.store import Again, KeptMail, again
from referee.offices.ports.tools import Archive, Stopped
from referee.offices.stimuli import Stimuli

_HANDFUL = 10  # stimuli of a lane that share a commit
_SEARCH_AGAIN = timedelta(hours=1)  # after an answer that could not be written down
_NEVER = datetime.min.replace(tzinfo=UTC)
log = Log("referee.tasks")

Time = Callable[[LaneUnit], datetime]


def database_clock(unit: LaneUnit) -> datetime:
    """The clock of workers: the database's, which is one for all of them."""
    return unit.moment()


class Misplaced(Exception):
    """A mail is of another lane than it was thought to be."""

    def __init__(self, mail: int, lane: str) -> None:
        super().__init__(mail, lane)
        self.mail = mail
        self.lane = lane


@dataclass(slots=True)
class Look:
    """What is taken in a lane, within one job: `waiting` mails (by id) wait for the referee's own answer, `tried` tells
    that the match's deadline was tried and must wait; `first` is a lane in which something goes before. `careful`: an
    earlier try broke off, so each mail is marked before it is looked at; `deaths`: how often it ended the process.

    Of one commit: `few` is one stimulus alone; `upcoming` are the mails that it may take, `persons` the first mail of
    anybody who sits in the match that names no match; `full` tells that somebody else has mails of the next sender in
    hand, for whom whoever is `patient` waits. `read` is how far the mailbox has been read, `reached` the latest of what
    befell the match that was judged, `known` the same before this commit."""

    lane: str
    careful: bool = False
    waiting: set[int] = field(default_factory=set)
    tried: bool = False
    first: str | None = None
    deaths: int = 0
    few: bool = False
    upcoming: list[Upcoming] | None = None
    persons: tuple[str, datetime, int] | None = None
    full: bool = False
    patient: bool = False
    now: datetime = _NEVER
    read: datetime = _NEVER
    reached: datetime | None = None
    known: datetime | None = None
    counts: Counts = field(default_factory=Counts)

    @property
    def most(self) -> int:
        """How many stimuli share a commit."""
        return 1 if self.careful or self.few else _HANDFUL

    @property
    def match(self) -> str | None:
        """The match whose lane it is; None where it is a person's."""
        return None if self.lane.startswith("from ") else self.lane

    def later(self, at: datetime) -> datetime:
        return at if self.reached is None else max(at, self.reached)


@dataclass(slots=True)
class Tasks:
    """Does what jobs say. `counts` is what has been done so far; `told` hears of it with every commit of stimuli."""

    store: LaneStore
    stimuli: Stimuli
    lanes: Lanes
    archive: Archive | None
    time: Time = database_clock
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

    def ring(self, what: str) -> None:
        """It is time to read the mailbox, or to see what time itself has made due."""
        with self.store.transaction() as unit:
            unit.note({"receive": RECEIVE, "tick": TICK}[what])

    # --- mails come in -------------------------------------------------------------------------------------------

    def receive(self, *, careful: bool = False) -> None:
        """Read the mailbox to its end, and look wherever something was kept or has fallen due."""
        self._sort()
        now = self._now()
        self.stimuli.receive(now, self.counts, self.stopping, careful=careful)

    def _sort(self) -> None:
        """Give lanes to open mails that were kept before there were any."""
        with self.store.transaction() as unit:
            for mail in unit.without_lane():
                unit.move(mail.id, self.lanes.of(unit, self._seen(mail)))

    def file(self) -> None:
        """Put settled mails away on the server."""
        self.stimuli.archivist.file(self.counts)

    # --- what befalls a match or a person, in time order ---------------------------------------------------------

    def look(
        self, lane: str, then: str | None = None, *, patient: bool = False, careful: bool = False
    ) -> None:
        """Judge the open mails of the lane, and fire the match's deadline, until nothing is left that may be taken."""
        careful |= lane == NOBODY  # among them are mails over which the mailbox was given up
        this = Look(lane, careful, patient=patient or careful or then is not None)
        busy = True
        while busy and not self.stopping():
            marked = self._mark(this) if careful else None
            try:
                this, busy = self._some(this, marked)
                done = self.counts.copied()
                done.add(this.counts)
                self.told(done)
            except Misplaced as found:
                self._move(found)
                this.few = True
            except (Exception, Stopped):
                if marked is not None:  # the store failed or the process is to end: that is no mail's fault
                    with self.store.transaction() as unit:
                        unit.let_go(marked)
                raise
        self.counts.add(this.counts)
        if then is not None:
            with self.store.transaction() as unit:
                unit.note(look(then))

    @again
    def _some(self, so_far: Look, marked: str | None) -> tuple[Look, bool]:
        """What shares a commit, and whether there may be more. Undone, it leaves `so_far` as it was."""
        this = replace(so_far, waiting=set(so_far.waiting), counts=so_far.counts.copied())
        with self.store.transaction() as unit:
            unit.lane = this.lane
            self._begin(unit, this)
            busy = False
            for taken in range(this.most):
                busy = self._take(unit, this)
                if this.full and not taken:  # another lane's turn meanwhile
                    unit.note(look(this.lane, patient=True))
                    busy = False
                if not busy or this.full or self.stopping():
                    break
            if this.first is not None:
                unit.note(look(this.first, then=this.lane))
            if this.match is not None and this.reached is not None and this.reached != this.known:
                unit.reach(this.match, this.reached)
            if marked is not None:
                unit.let_go(marked)
        return this, busy

    def _begin(self, unit: LaneUnit, this: Look) -> None:
        found = unit.progress(this.match)
        now = found.moment if self.time is database_clock else self.time(unit)
        this.now = max(now, found.last_pass or now)
        this.read = found.watermark or _NEVER
        this.reached = found.reached
        if this.match is not None and found.owed:
            outages = unit.take_outages(this.match)
            self.stimuli.give_back_time(unit, this.match, this.now, outages, this.counts)
        this.known = this.reached
        this.upcoming, this.full = None, False

    def _mark(self, this: Look) -> str | None:
        """Note, in a commit of its own, the mail that is judged next, if it is one."""
        this.deaths = 0
        with self.store.transaction() as unit:
            self._begin(unit, this)
            found, _ = self._next(unit, this)
            if found is None or (mail := unit.mail(found.id)) is None:
                return None
            self.stimuli.make_ready()
            this.deaths = unit.take_in_hand(mail.uid)
        return mail.uid

    def _next(self, unit: LaneUnit, this: Look) -> tuple[Upcoming | None, datetime | None]:
        """The next stimulus in time order: a mail, or else the match's deadline; a mail goes before a deadline of the
        same moment. Neither where something in another lane goes before."""
        this.first = None
        upcoming = self._upcoming(unit, this)
        mail = upcoming[0] if upcoming else None
        due = None if this.match is None or this.tried else unit.lapse_of(this.match, this.read)
        if mail is not None and (due is None or mail.arrived <= due):
            due = None
            this.first = self._before(unit, this, mail)
        elif due is not None:
            mail = None
            if this.persons is not None and this.persons[1] <= due:
                this.first = this.persons[0]
        return (None, None) if this.first is not None else (mail, due)

    @staticmethod
    def _upcoming(unit: LaneUnit, this: Look) -> list[Upcoming]:
        """The mails that this commit may take. What is kept meanwhile arrived later, and is noted by itself."""
        if this.upcoming is None or unit.reopened:
            this.upcoming = unit.upcoming(this.lane, this.now, this.waiting, this.most, patient=this.patient)
            this.persons = None if this.match is None else unit.persons_first(this.match)
            unit.reopened = False
        return this.upcoming

    @staticmethod
    def _before(unit: LaneUnit, this: Look, mail: Upcoming) -> str | None:
        """The lane in which something must be judged before this mail."""
        if this.match is None:
            return unit.before_persons(this.lane, mail, this.read)
        if this.persons is not None and this.persons[1:] < (mail.arrived, mail.id):
            return this.persons[0]
        return None

    def _take(self, unit: LaneUnit, this: Look) -> bool:
        """Take it, and note what must wait; whether there was one."""
        found, due = self._next(unit, this)
        if found is not None:
            # A mail's sender is held until the commit. Of two lanes in which the same two people write to each other,
            # neither may wait with the one in hand for the other: what is not free is for the next commit.
            this.full = not unit.holds(found.sender)
            if not this.full:
                self._upcoming(unit, this).pop(0)
                if (mail := unit.mail(found.id)) is not None:
                    self._judge(unit, this, mail)
        elif due is not None and this.match is not None:
            ruling = self.stimuli.lapse(unit, this.match, this.now, this.reached, this.counts)
            this.tried = ruling != "ruled"
            this.reached = this.later(due)
        return found is not None or due is not None

    def _judge(self, unit: LaneUnit, this: Look, mail: KeptMail) -> None:
        settled = self.stimuli.judge(unit, mail, this.now, this.reached, this.deaths)
        about = settled.match if settled is not None else None
        if about != this.lane and (about is not None or settled is None) and this.deaths == 0:
            lane = self.lanes.of(unit, self._seen(mail))
            if lane != this.lane and (lane == about or settled is None):
                raise Misplaced(mail.id, lane)
        this.reached = this.later(mail.arrived)
        if settled is None:
            this.waiting.add(mail.id)
            unit.wait(mail.id)
        else:
            this.tried &= about != this.match  # the deadline may have waited for this very mail
            this.counts.settled(settled.disposition)

    def _seen(self, mail: KeptMail) -> Mail | None:
        return self.lanes.read(mail.uid, mail.raw, cut=mail.cut)

    @again
    def _move(self, found: Misplaced) -> None:
        with self.store.transaction() as unit:
            unit.move(found.mail, found.lane)

    # --- the referee's own answers -------------------------------------------------------------------------------

    def search(self, match: str) -> None:
        """Look for the referee's own answer; the mails that wait for it are looked at again."""
        searches = self.stimuli.searches()
        for question in searches.questions([match]):
            try:
                action = searches.solve(question)
                again(searches.answer)(question, action, self._now())
            except Again:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, the moderator is told
                searches.unsolved(question, error, self._now(), self.counts)
                if not isinstance(error, NoVerdict):
                    with self.store.transaction() as unit:
                        unit.note(search(match, after=_SEARCH_AGAIN))
            with self.store.transaction() as unit:
                unit.note(look(match))

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
                unit.note(*((REFRESH,) if self.archive is not None else ()))
            late = unit.due(read)
            if not last:
                unit.note(*(look(name) for name in late))
            unit.note(*(mind(name) for name in dict.fromkeys((*late, *unit.reminding(now)))), FILE, DELIVER)
            self.stimuli.sum_up_alarms(unit, now)

    def _sign_of_life(self, unit: LaneUnit) -> datetime:
        unit.hold("clock", "")
        clock = unit.clock()
        now = self._at(unit, clock.last_pass)
        if self.outage is not None and clock.heartbeat is not None and now - clock.heartbeat > self.outage:
            unit.note_outage(clock.heartbeat, now - clock.heartbeat)
        unit.sign_of_life(now, None if self.outage is None else now)
        unit.advance()
        return now

    @again
    def mind(self, match: str) -> None:
        """Tell all of a deadline that waits for a mail, and each of what he owes."""
        counts = Counts()
        with self.store.transaction() as unit:
            unit.lane = match
            clock = unit.clock()
            now, read = self._at(unit, clock.last_pass), clock.watermark or _NEVER
            if unit.lapse_of(match, read) is not None:
                self.stimuli.timekeeper().tell_delays(unit, {match}, read, now, counts)
            self.stimuli.reminders().send_in(unit, match, now, counts)
            if clock.watermark is not None:
                unit.reach(match, clock.watermark)
        self.counts.add(counts)

    # --- what goes out -------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring the public archive up to date. No trouble with it holds up a mail."""
        if self.archive is None:
            return
        try:
            self.archive.refresh()
        except Exception as error:
            log.exception("archive")
            self.counts.trouble.append(f"the archive could not be written: {type(error).__name__}: {error}")

    def deliver(self) -> None:
        """Hand over the letters that are to leave."""
        self.stimuli.deliver(self._now(), self.counts, self.stopping)

    # --- the clock -----------------------------------------------------------------------------------------------

    def _now(self) -> datetime:
        with self.store.transaction() as unit:
            return self._at(unit, unit.clock().last_pass)

    def _at(self, unit: LaneUnit, last: datetime | None) -> datetime:
        """The clock, which never goes back."""
        now = self.time(unit)
        return now if last is None else max(now, last)
