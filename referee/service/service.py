"""The service of one desk: APScheduler rings, and every ring is one pass. And a worker, of which there are several: it
judges in the main thread, and does each other kind of work in one of its own, with connections of its own, so that no
letter on its way to a slow server holds up a mail. Nothing durable lives in either: another one goes on where it was.

What both do about trouble that is nobody's mail: the moderator is told once, and told when it is over. The lanes in
which all works; one of them is the ear, which hears of mail."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial

import sqlalchemy as sa
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from referee.base.errors import outlined
from referee.base.logs import Log
from referee.base.ports import Parcel, Stopped, hand_over
from referee.letters.replies import to_moderator
from referee.match.chain import stamp
from referee.offices.clock import doubt
from referee.offices.passes import Counts
from referee.service.config import Located
from referee.service.supervisor import at_the_end
from referee.service.wiring import Referee, running
from referee.store.engine import Again, bounds
from referee.transport.server import BackOff

_PATIENCE = timedelta(minutes=5)  # a hiccup is not worth a letter
_SLICE = 1.0  # seconds it listens at once, so that it hears of the end
_NOTICE = 0.1  # seconds before what fails is tried once more, twice as many each time, up to half a minute
log = Log("referee.trouble")


class AlreadyTold(Exception):
    """What went wrong has been told: whoever did it waits, and tries again."""


class TroubleAlarm:
    """Sees every pass. An alarm goes through the outbox; where the store itself is in trouble,
    straight to the courier."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._patience = min(_PATIENCE, 5 * referee.located.settings.poll.every)
        self._since: datetime | None = None
        self._told = False
        self._said: set[str] = set()  # what the log was told of since it began

    def seen(self, trouble: Sequence[str], now: datetime) -> None:
        """What was wrong in the pass of that moment; nothing, if nothing."""
        if not trouble:
            if self._told and self._since is not None:
                self._alarm("The referee is well again", "well", "", now)
            if self._since is not None:
                log.warning("over", since=stamp(self._since))
            self._since, self._told, self._said = None, False, set()
            return
        for line in trouble:
            if line not in self._said:
                log.warning("trouble", what=line)
        self._said |= set(trouble)
        self._since = self._since or now
        if not self._told and now - self._since >= self._patience:
            self._told = self._alarm("The referee is in trouble", "trouble", " ".join(trouble), now)

    def _alarm(self, subject: str, topic: str, reason: str, now: datetime) -> bool:
        """Whether the letter is on its way."""
        assert self._since is not None
        key, about = (topic, stamp(self._since)), self._referee.offices.name
        speaker, since = self._referee.parts.speaker, self._since
        letter = to_moderator(speaker, topic, subject, key, now, reason=reason, about=about, since=since)
        try:
            with self._referee.store.transaction() as unit:
                self._referee.parts.outbox.post(unit, [letter])
        except Exception as error:  # noqa: BLE001 - the store is what may be in trouble
            log.error("alarm", error=outlined(error))
            sender, raw = self._referee.offices.speaker, self._referee.parts.envelope(letter)
            parcel = Parcel(sender, letter.head.recipient, letter.head.message_id, raw)
            delivery = hand_over(self._referee.courier, parcel)
            return delivery.fate == "sent" or not delivery.known
        return True


class Lane(threading.Thread):
    """Works when it is called, and looks by itself after so many seconds; `work` tells whether there may be more. What
    a database in trouble raises is its `fault`, and ends it and all others."""

    def __init__(
        self, name: str, work: Callable[[], bool], stopping: threading.Event, glance: float | None = 1.0
    ) -> None:
        super().__init__(name=name, daemon=True)
        self.called = threading.Event()
        self.fault: Exception | None = None
        self._work, self._stopping, self._glance = work, stopping, glance

    def run(self) -> None:
        failed = 0
        while not self._stopping.is_set():
            self.called.clear()
            try:
                busy, failed = self._work(), 0
            except Stopped:
                return
            except sa.exc.SQLAlchemyError as error:
                self.fault = error
                self._stopping.set()
                return
            except Exception as error:
                if not (failed or isinstance(error, Again | AlreadyTold)):  # once is enough of what goes on
                    log.exception("lane", lane=self.name)
                busy, failed = False, failed + 1
                self._stopping.wait(_NOTICE * 2 ** min(failed, 8))
            if not busy:
                self.called.wait(self._glance)


@contextmanager
def listening(referee: Referee, over: threading.Event, ring: Callable[[], None]) -> Iterator[None]:
    """Rings whenever mail has come, until the block ends or it is `over`; it listens again once `ring` comes back."""
    maildir = referee.settings.mailbox.url.startswith("maildir:")
    ears = referee.mailbox if maildir else referee.another_mailbox()

    def listen() -> bool:
        if ears.wait(_SLICE):
            ring()
        return True

    ear = Lane("ear", listen, over)
    ear.start()
    try:
        yield
    finally:
        over.set()
        if not maildir:
            ear.join(2 * _SLICE)
            ears.close()


# --- the service of one desk ----------------------------------------------------------------------

_WAKE = 1.0  # seconds for the search in hand to end
_SLACK = timedelta(seconds=30)  # how late the scheduler may ring before a pass is taken without it
passes = Log("referee.service")


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
            passes.info("started", **self._referee.located.at_work())
            try:
                self._passes.run()
            finally:
                self._stopping.set()
                self._passed.set()
                self._referee.solver.close()
                self._searches.called.set()
                self._searches.join(_WAKE)
                scheduler.shutdown(wait=False)
                passes.info("stopped")

    def _pass(self) -> bool:
        """One pass; trouble is told and the next ring tries again, later and later where it does not end."""
        said = doubt.reading()
        try:
            ends = self._stopping.is_set
            counts = self._referee.desk.step(said, wait=False, outage=self._outage, stopping=ends)
            self._failing = False
            self._watch.seen(counts.trouble, said.at)
            if done := {name: count for name, count in counts.done().items() if count}:
                passes.info("pass", **done)
        except Exception as error:  # a service goes on, and the moderator is told
            if not self._failing:
                passes.exception("pass")
            self._failing = True
            self._watch.seen([f"{outlined(error).rstrip('.')}."], said.at)
            try:  # else the moderator would not hear of it before it is over
                self._referee.stimuli.deliver(said.at, Counts(), self._stopping.is_set)
            except Exception as also:  # noqa: BLE001 - the store may be what is in trouble
                passes.warning("letters", error=outlined(also))
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

        if self._passed.wait() and self._stopping.is_set():  # it opens the store alone
            return False
        try:
            if beside.parts.searches.compute(None, now, Counts(), beside.store.exclusive):
                self._passes.called.set()
        except Exception:  # noqa: BLE001 - the store is in trouble, of which the next pass tells
            passes.exception("questions")
        return False

    # --- what rings -------------------------------------------------------------------------------

    def _heard(self) -> None:
        """Ring when mail has come, then wait for the pass that reads it."""
        self._passed.clear()
        self._passes.called.set()
        self._passed.wait()


# --- a worker -------------------------------------------------------------------------------------

_GATHERING = 0.25  # seconds in which letters come together before they leave
_TICK = 60.0  # seconds between two looks at what time itself makes due
_HUSH = 0.3  # seconds after a ring in which it listens to nothing
_LONGEST_PAUSE = 30.0  # seconds
workers = Log("referee.worker")


class Worker:
    """Takes what waits until it is told to stop."""

    def __init__(self, located: Located, *, listening: bool) -> None:
        self._located = located
        self._listening = listening
        self._stop, self._over = threading.Event(), threading.Event()
        self._started = False  # it has been at work before
        self._rung = threading.Event()  # there is mail
        self._every = located.settings.poll.every.total_seconds()
        self._lanes: dict[str, Lane] = {}

    def run(self) -> None:
        """Until SIGTERM or SIGINT. A database that is gone is waited for; only at the start it must be there."""
        at_the_end(self._stop.set, lambda: self._over.set())
        pauses = BackOff(most=_LONGEST_PAUSE, steady=_LONGEST_PAUSE)  # before one follows another
        while not self._stop.is_set():
            pauses.reached()
            try:
                self._at_work()
            except Exception as error:  # others may be at work meanwhile, and it is to go on
                if not self._started:
                    raise
                workers.warning("worker", error=outlined(error))
            pauses.failed()
            self._stop.wait(pauses.left())
        workers.info("stopped")

    def _at_work(self) -> None:
        settings, self._over = self._located.settings, threading.Event()
        if self._stop.is_set():  # it came just now
            return
        with ExitStack() as stack:
            names = ("desk", "mailbox", "letters", "searches", *(("site",) if settings.site.folder else ()))
            referees = {name: stack.enter_context(running(self._located)) for name in names}
            self._tasks = {name: referee.tasks() for name, referee in referees.items()}
            for tasks in self._tasks.values():
                tasks.stopping, tasks.outage = self._stop.is_set, settings.poll.silence
                tasks.store.calls = False
            desk = self._tasks["desk"]
            stack.enter_context(desk.store.at_work())
            self.tick()
            desk.told = lambda counts: self._changed()
            self._alarms = {name: TroubleAlarm(referees[name]) for name in ("mailbox", "letters")}
            self._beat, self._next_look = referees["mailbox"].beat, 0.0  # by the monotonic clock
            lanes = self._lanes = {name: Lane(name, getattr(self, name), self._over) for name in names}
            waking = Lane("called", lambda: asyncio.run(self._called(desk.store.conninfo)), self._over)
            if self._listening:
                stack.enter_context(listening(referees["mailbox"], self._over, self.ring))
            beside = [waking, *(lane for name, lane in lanes.items() if name != "desk")]
            for lane in beside:
                lane.start()
            self._started = True
            workers.info("started", **self._located.at_work(), listening=self._listening)
            try:
                lanes["desk"].run()  # in the main thread, where the watchdog reaches
            finally:
                self._over.set()
                referees["searches"].solver.close()
                self.call(*lanes)
                for lane in beside:
                    lane.join()
            if (fault := next((lane.fault for lane in lanes.values() if lane.fault), None)) is not None:
                raise fault

    async def _called(self, conninfo: str) -> bool:
        """Call all lanes whenever a command beside them has left something to do, and when they are to end."""
        import procrastinate

        from referee.service.keyed import CALLS

        server = procrastinate.PsycopgConnector(conninfo=conninfo, min_size=1, max_size=1, kwargs=bounds())

        async def wake(**_: str) -> None:
            self.call(*self._lanes)

        async with procrastinate.App(connector=server).open_async():
            hearing = asyncio.create_task(server.listen_notify(wake, [CALLS]))
            while not self._over.is_set() and not hearing.done():
                await asyncio.sleep(_NOTICE)
            hearing.cancel()
            await asyncio.gather(wake(), hearing, return_exceptions=True)
        return False

    # --- what each lane does, by its name, and whom it calls when it has left something for others

    def call(self, *names: str) -> None:
        for name in names:
            if (lane := self._lanes.get(name)) is not None:
                lane.called.set()

    def ring(self) -> None:
        """There is mail."""
        self._rung.set()
        self.call("mailbox")
        self._over.wait(_HUSH)

    def _changed(self) -> None:
        self._stale = True
        self.call("letters", "searches", "site")

    def _done(self, name: str) -> Counts:
        """What it has done since it was asked last."""
        tasks = self._tasks[name]
        done, tasks.counts = tasks.counts, Counts()
        if told := {what: count for what, count in done.done().items() if count}:
            workers.info(name, **told)
        if name in self._alarms:
            self._alarms[name].seen(done.trouble, datetime.now(UTC))
        return done

    def tick(self) -> None:
        self._tasks["desk"].tick()
        self._next_tick = time.monotonic() + _TICK
        self._changed()

    def desk(self) -> bool:
        if time.monotonic() >= self._next_tick:
            self.tick()
        busy = self._tasks["desk"].judge_next()
        self._done("desk")
        return busy

    def mailbox(self) -> bool:
        tasks = self._tasks["mailbox"]
        if self._rung.is_set() or time.monotonic() >= self._next_look:
            self._rung.clear()
            if not tasks.receive():
                self._rung.set()  # who reads it now may have looked before
                return False
            self._next_look = time.monotonic() + self._every
            self.call("desk")
            self._beat()
            self._done("mailbox")
        tasks.file()
        return False

    def letters(self) -> bool:
        time.sleep(_GATHERING)
        self._tasks["letters"].deliver()
        return bool(self._done("letters").sent)

    def searches(self) -> bool:
        found = self._tasks["searches"].search()
        if found:
            self._changed()
            self.call("desk")
        return found

    def site(self) -> bool:
        stale, self._stale = self._stale, False
        if stale:
            self._tasks["site"].refresh()
        return False
