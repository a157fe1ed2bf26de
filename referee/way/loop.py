"""The archivist keeps every mail as it came, before anyone judges it, and puts settled ones away on the server. The
desk is one pass over everything that waits, in one row.

The stimuli are whatever moves the referee. Mails that are judged, deadlines that fire and outages whose time is given
back are taken from a queue, in time order, by one loop for the desk and for workers; beside it stands what time itself
makes due. None needs anything that an earlier one left in the process, since what it must know stands in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from referee.base.errors import outlined, traced
from referee.base.logs import Log, about
from referee.base.ports import MailboxTrouble, Overrun, Stopped, Withheld
from referee.core.value import Value
from referee.mail.mail import Identified, Mail
from referee.offices import passes
from referee.offices.clock.doubt import ClockReading, Witness, heard, noted, weighed
from referee.store.engine import Again, again
from referee.store.post import Disposition, KeptMail

if TYPE_CHECKING:
    from referee.base.ports import Arrival, Filing, Mailbox, TimeLimit
    from referee.base.settings import Settings
    from referee.mail.reader import MailReader
    from referee.store.sql import Clock, Store, Unit
    from referee.way.case import Settled
    from referee.way.room import Room

log = Log("referee.desk")
_FILING: dict[str, Filing] = {"refused": "refused", "held": "held", "shunted": "held"}


class Archivist(Value):
    """Reads the mailbox to its end; what was kept once is never kept again."""

    store: Store
    mailbox: Mailbox
    reader: Callable[[], MailReader]  # made for the first mail
    settings: Settings
    limit: TimeLimit
    key_of: Callable[[Unit, Identified], str] | None = None  # where several workers judge what is kept

    def keep_all(
        self, now: datetime, counts: passes.Counts, stopping: Callable[[], bool], *, isolates: bool = False
    ) -> bool:
        """Keep what the mailbox has. Whether it could be read to its end, so that the watermark may
        move to the clock: for a mail that the server has and does not give out deadlines wait no
        longer than for one that is held. `isolates`: the last pass broke off, perhaps because of a
        mail, so that each is claimed before it is looked at."""
        try:
            for batch in self.mailbox.fetch(self.store.known, self.settings.mailbox.largest):
                if not isolates:
                    self._keep(batch, counts)
                else:
                    self.reader()  # what has to be imported for a mail is none's doing
                    for arrival in batch:
                        with passes.isolated(self.store, partial(_unless_known, arrival.uid)) as claimed:
                            if claimed is not None:
                                self._keep([arrival], counts, claimed)
                if stopping():
                    return False
        except MailboxTrouble as trouble:
            counts.trouble.append(str(trouble))
            counts.mailbox_failed = True
            return isinstance(trouble, Withheld) and now - trouble.arrived > self.settings.limits.held_wait
        return True

    def _keep(
        self, batch: Sequence[Arrival], counts: passes.Counts, claimed: passes.Claimed | None = None
    ) -> None:
        """Of one that has ended the process too often the claim stays, and it is kept unread:
        whoever judges it puts it aside."""
        deadly = claimed is not None and claimed.deadly
        found = [(arrival, _unread(arrival) if deadly else self._identified(arrival)) for arrival in batch]
        with self.store.transaction() as unit:
            known = unit.known_uids([arrival.uid for arrival in batch])  # to another receiver, since we asked
            for a, mail in found:
                if a.uid in known:
                    continue
                key = self.key_of(unit, mail) if self.key_of is not None else None
                own = (a.uid, mail.digest, a.arrived, a.size, a.cut, a.raw, mail.message_id, mail.sender)
                kept = unit.keep(KeptMail(0, *own), key)
                counts.ignored += not kept
                counts.heard += [a.arrived] if kept and a.uid.startswith("imap:") else []
            if claimed is not None and not deadly:
                unit.release_claim(claimed.uid)

    def _identified(self, arrival: Arrival) -> Identified:
        """What its fields say; the rest of it is read by whoever judges it."""
        reader = self.reader()
        try:
            with self.limit.over(arrival.uid):
                return reader.identify(arrival.raw, addressed=self.key_of is not None)
        except (Exception, Overrun):
            log.exception("a mail that could not be looked at", uid=arrival.uid)
            return _unread(arrival)

    def file(self, counts: passes.Counts) -> None:
        """Put settled mails away on the server; what is not filed now, a later pass files."""
        with self.store.transaction() as unit:
            settled = unit.unfiled()
        if self.put_away(settled, counts):
            with self.store.transaction() as unit:
                unit.filed(settled)

    def put_away(self, settled: Sequence[tuple[str, Disposition]], counts: passes.Counts) -> bool:
        """Put these mails (uid and verdict, as they are committed) away on the server; whether that is to be noted."""
        try:
            if settled:
                self.mailbox.file([(uid, _FILING.get(verdict, "done")) for uid, verdict in settled])
        except MailboxTrouble as trouble:
            counts.trouble.append(str(trouble))
            counts.mailbox_failed = True
            return False
        return bool(settled)


def _unless_known(uid: str, unit: Unit) -> str | None:
    return None if unit.known_uids([uid]) else uid


def _unread(arrival: Arrival) -> Identified:
    """A mail that could not be looked at: its bytes, and nothing of what they say."""
    return Identified(sha256(b"bytes " + arrival.raw).hexdigest(), None, None)


_DAY = timedelta(days=1)


class Stimuli(Value):
    """Takes them. Whether there is anything to do is asked of the store. The office that does it is
    made, and loaded, when there is: most passes of a quiet evening find nothing."""

    store: Store
    parts: Callable[[], Room]
    limit: TimeLimit
    settings: Settings
    archived: Callable[[], object] | None  # brings the public archive up to date, where one is kept

    # --- from a queue --------------------------------------------------------------------------------------------

    def take_all(
        self, queue: passes.Queue, begun: passes.Batch, stopping: Callable[[], bool] = lambda: False
    ) -> Iterator[passes.Batch]:
        """What waits in the queue, until nothing is left that may be taken; each batch as soon as it is committed. One
        that is undone has left nothing; `stopping` is asked before each stimulus."""
        batch = begun
        while batch.more and not stopping():
            if queue.isolates:
                with passes.isolated(self.store, partial(self._uid_of_next, queue, batch)) as claimed:
                    batch = self._batch(queue, batch, 1, stopping, claimed)
            else:
                batch = self._batch(queue, batch, queue.size, stopping, None)
            yield batch

    def _uid_of_next(self, queue: passes.Queue, batch: passes.Batch, unit: Unit) -> str | None:
        """Of the mail that comes next, if it is one. What judging it needs is imported and made
        before it is claimed: it is none's doing if the process ends meanwhile."""
        queue.begin(unit, batch)
        found = queue.next(unit, batch)
        if not isinstance(found, KeptMail):
            return None
        self.parts()
        return found.uid

    @again
    def _batch(
        self,
        queue: passes.Queue,
        before: passes.Batch,
        most: int,
        stopping: Callable[[], bool],
        claimed: passes.Claimed | None,
    ) -> passes.Batch:
        """What shares a commit."""
        batch = before.following()
        with self.store.transaction() as unit:
            queue.begin(unit, batch)
            for _ in range(most):
                found = None if stopping() else queue.next(unit, batch)
                if found is None:
                    batch.more = False
                    break
                if isinstance(found, KeptMail):
                    self._judge(unit, queue, batch, found, deadly=claimed is not None and claimed.deadly)
                else:
                    self.parts().timekeeper.take(unit, found, batch)
            queue.end(unit, batch)
            if claimed is not None:
                unit.release_claim(claimed.uid)
        return batch

    # --- a mail --------------------------------------------------------------------------------------------------

    def _judge(
        self, unit: Unit, queue: passes.Queue, batch: passes.Batch, mail: KeptMail, *, deadly: bool
    ) -> None:
        """Settle it, or note that it must wait for the referee's own answer. One that stumbles, takes too long or has
        ended the process too often is put aside, and nothing of what it did is left."""
        from referee.way import stations
        from referee.way.case import Case, Settled

        room, read = self.parts(), None
        with about(mail=mail.id):
            try:
                if deadly:
                    raise passes.Deadly(passes.Deadly.__doc__)
                with unit.savepoint(), self.limit.over(mail.uid):
                    read = room.reader.read(mail.raw, cut=mail.cut)
                    # one that somebody has let in counts from then on, any other from its arrival
                    let_in, reached = mail.released or mail.confirmed, batch.reached or mail.arrived
                    since = max(mail.arrived, reached) if let_in else None
                    settled = stations.judge(Case(room, unit, mail, read, since))
                    queue.check(unit, read, settled.match if settled else None, waits=settled is None)
                    if settled is not None:
                        self._write(unit, mail, settled)
            except passes.Misrouted as found:
                queue.move(unit, mail, str(found))
                return
            except Again:
                raise
            except (Exception, Overrun) as error:  # noqa: BLE001 - whatever it is, the queue must go on
                proved = self._proved(unit, mail, read) if read is not None else []
                alarm, match, seat = room.decisions.fault_of_mail(unit, mail, error, proved)
                settled = Settled("shunted", traced(error), (alarm,), match, seat)
                self._write(unit, mail, settled)
            batch.reach(mail.arrived)
            if settled is None:
                batch.waiting.add(mail.id)
                return
            verdict, match, seat = settled.disposition, settled.match, settled.seat
            log.info("mail", verdict=verdict, match=match, seat=seat, uid=mail.uid)
        batch.counts.add_done({verdict: 1})
        if match in batch.delayed:  # its deadline may have waited for this very mail
            del batch.held_up[match]

    def _write(self, unit: Unit, mail: KeptMail, settled: Settled) -> None:
        s = settled
        self.parts().outbox.post(unit, s.letters)
        unit.settle(mail.id, s.disposition, s.reason, unit.now, match=s.match, seat=s.seat, **s.known)

    def _proved(self, unit: Unit, mail: KeptMail, read: Mail) -> list[tuple[str, int]]:
        """The seats that a mail which stumbled proves to be of; none where looking for them stumbles too."""
        from referee.way.case import Case

        try:
            with unit.savepoint(), self.limit.over(mail.uid):
                proof = Case(self.parts(), unit, mail, read).with_proof().proof
                return [(at.match.name, at.seat) for at in proof.seats] if proof.proved else []
        except Again:
            raise
        except (Exception, Overrun):
            log.exception("and who sent it can't be told")
            return []

    # --- what time itself makes due ------------------------------------------------------------------------------

    def tell_desk(self, unit: Unit, clock: Clock, counts: passes.Counts) -> Clock:
        """Once a day the desk is looked through, before anything else befalls it, and the moderators are told of what
        has waited; the clock with that noted. The first pass of all only notes the time."""
        local = unit.now.astimezone(ZoneInfo(self.settings.referee.timezone))
        due = datetime.combine(local.date(), time(self.settings.limits.digest_hour), local.tzinfo)
        if clock.desk_at is not None and clock.desk_at >= (due if due <= local else due - _DAY):
            return clock
        try:
            if clock.desk_at is not None:
                with unit.savepoint():
                    self.parts().queue.tell(unit)
        except Again:
            raise
        except Exception as error:
            log.exception("the desk's letter", at=unit.now.isoformat())  # the pass must go on
            counts.trouble.append(f"the desk's daily letter could not be written: {outlined(error)}")
        return clock._replace(desk_at=unit.now)

    def sum_up_alarms(self, unit: Unit) -> None:
        """A day after the first alarm of a kind was withheld: how many there were."""
        for topic, since, count in unit.take_withheld(unit.now - _DAY):
            self.parts().outbox.tell_of_many(unit, topic, since, count, unit.now)

    # --- what goes out -------------------------------------------------------------------------------------------

    def refresh(self, counts: passes.Counts) -> None:
        """Bring the public archive up to date. No trouble with it holds up a mail."""
        if self.archived is None:
            return
        try:
            self.archived()
        except Exception as error:
            log.exception("archive")
            counts.trouble.append(f"the archive could not be written: {outlined(error)}")

    def deliver(self, now: datetime, counts: passes.Counts, stopping: Callable[[], bool]) -> None:
        """Hand over the letters that are to leave. An idle pass asks first whether any does, or waits for a digest."""
        if counts.idle:
            with self.store.transaction() as unit:
                if not (unit.readers_waiting(now, 1) or unit.gathered()):
                    return
        self.parts().courier_round.deliver(now, counts, stopping)


_AT_ONCE = 40  # stimuli that share a commit
_MANY = 200  # mails after which their letters leave, where the pass goes on
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class OneRow(passes.Queue):
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

    def believed(self, counts: passes.Counts) -> bool:
        """Whether nothing, nor what has been heard now, makes the clock doubtful."""
        self.known = self.known and heard(self.known, counts.heard, self.before, self.now)
        return not (self.known and self.known.doubt)

    @property
    def read(self) -> datetime:
        """Before that no deadline fires."""
        return self.watermark or self.read_before or _NEVER

    def begin(self, unit: Unit, batch: passes.Batch) -> None:
        unit.now, self.owed = self.now, unit.owed_time(self.size)

    def next(self, unit: Unit, batch: passes.Batch) -> passes.Next | None:
        if self.owed:
            return passes.Timed("owed", self.owed.pop(0))
        mail = unit.next_mail(self.now, batch.waiting)
        read, held_up = self.read, batch.held_up
        lapse, woken = unit.next_lapse(read, held_up), unit.next_gathering(read, held_up)
        if mail is not None and all(due is None or mail.arrived <= due[1] for due in (lapse, woken)):
            return mail
        if woken is not None and (lapse is None or woken[1] <= lapse[1]):
            return passes.Timed("gathering", *woken)
        return None if lapse is None else passes.Timed("deadline", *lapse)

    def end(self, unit: Unit, batch: passes.Batch) -> None:
        if not batch.more:
            self.waiting, self.asks, self.unfiled = unit.open_mails(), bool(unit.computing()), unit.unfiled()
        clock = unit.clock()
        now = clock._replace(reached=batch.reached, watermark=self.watermark or clock.watermark)
        if now != clock:
            unit.set_clock(now)


class Desk(Value):
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
        told: Callable[[passes.Counts], None] = lambda counts: None,
    ) -> passes.Counts:
        """One pass at the clock `now`; of a machine's at what can be believed of it (`clock/doubt`). Raises StaleClock
        where an earlier pass was later than a time that was named.

        `outage` is given by whoever's passes are expected, the service, or cron by the configuration: as long a silence
        since the last such pass is added to open deadlines. No other gap between passes, however long, moves anything.
        Once `stopping` says so, the stimulus or letter in hand is the last, or is undone where it takes too long; the
        next pass goes on from there. `told` hears what was done with every commit of stimuli.
        """
        counts, stimuli, judged, broken = passes.Counts(), self.stimuli, 0, False
        linked = stimuli.archived and stimuli.settings.site.url
        with self.store.exclusive():
            row, reached = self._begin(now, outage, counts)
            now, batch, searched = row.now, passes.Batch(reached=reached), True
            try:
                read = self.archivist.keep_all(now, counts, stopping, isolates=row.isolates)
                if row.believed(counts) and read:
                    row.watermark = now
                while searched:
                    begun = batch = passes.Batch(reached=batch.reached)
                    for batch in stimuli.take_all(row, begun, stopping):
                        counts.add(batch.counts)
                        told(counts)
                        judged += batch.counts.judged
                        # in a long pass letters need not wait until all is judged; but where they
                        # link to an archive, it is to be brought up to date before
                        if batch.more and judged >= _MANY and not linked:
                            stimuli.deliver(now, counts, stopping)
                            judged = 0
                    searched = wait and row.asks and not stopping()
                    searched = searched and any(stimuli.parts().searches.compute(None, lambda: now, counts))
            except Stopped:
                broken = True
            if broken or stopping():  # between two stimuli: the next pass goes on, and need not fear any mail
                with self.store.transaction() as unit:
                    counts.waiting = unit.open_mails()
                    unit.set_clock(unit.clock()._replace(under_way=False))
            else:
                self._end(row, batch, counts)
                stimuli.refresh(counts)
            if not broken:
                stimuli.deliver(now, counts, stopping)
        return counts

    def _begin(
        self, now: datetime | ClockReading, outage: timedelta | None, counts: passes.Counts
    ) -> tuple[OneRow, datetime | None]:
        """Note the pass, and where the service was silent for too long, the outage; what there is
        to be taken, and the latest stimulus that was judged before."""
        with self.store.transaction() as unit:
            known, last = None, unit.clock()
            if isinstance(now, ClockReading):
                known, now = weighed(last, now)
            clock = self.stimuli.tell_desk(unit, passes.begin(unit, now, outage), counts)
            heartbeat = None if outage is None else now
            unit.set_clock(noted(clock._replace(last_pass=now, heartbeat=heartbeat, under_way=True), known))
        sure = last.witness and (last.watermark == last.last_pass or (known and known.doubt))
        before = last.last_pass if sure else None
        return OneRow(now, clock.watermark, None, clock.under_way, known=known, before=before), clock.reached

    def _end(self, row: OneRow, batch: passes.Batch, counts: passes.Counts) -> None:
        """What was judged is committed: it is put away on the server, and noted with what time itself has made due."""
        counts.waiting = row.waiting
        filed = self.archivist.put_away(row.unfiled, counts)
        with self.store.transaction() as unit:
            unit.now = row.now
            if filed:
                unit.filed(row.unfiled)
            clock = unit.clock()
            if clock.watermark is not None:
                batch.reach(clock.watermark)
            if row.known is not None and (why := row.known.doubt):
                counts.trouble.append(f"the machine's clock is doubted, and deadlines wait: {why}.")
                if not row.known.told:
                    self.stimuli.parts().decisions.fault_of_clock(unit, why)
                row.known = replace(row.known, told=True)
            unit.set_clock(noted(clock._replace(reached=batch.reached, under_way=False), row.known))
            if batch.delayed:
                self.stimuli.parts().timekeeper.tell_delays(unit, batch.delayed, row.read, counts)
            for match in unit.reminding(row.now):
                self.stimuli.parts().timekeeper.remind(unit, match, counts)
            self.stimuli.sum_up_alarms(unit)
