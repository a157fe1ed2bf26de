"""The worker of a process. It judges in the main thread, and does each other kind of work in one
of its own, with connections of its own, so that no letter on its way to a slow server holds up a
mail. Whatever ends, another one goes on where it was."""

import asyncio
import threading
import time
from contextlib import ExitStack
from datetime import UTC, datetime

import procrastinate

from referee.base.errors import outlined
from referee.base.logs import Log
from referee.offices.passes import Counts
from referee.service.config import Located
from referee.service.service import Lane, TroubleAlarm, listening
from referee.service.supervisor import at_the_end
from referee.service.wiring import running
from referee.store.engine import bounds
from referee.transport.server import BackOff

_GATHERING = 0.25  # seconds in which letters come together before they leave
_TICK = 60.0  # seconds between two looks at what time itself makes due
_NOTICE = 0.1  # seconds within which a wish to stop is seen
_HUSH = 0.3  # seconds after a ring in which it listens to nothing
_LONGEST_PAUSE = 30.0  # seconds
log = Log("referee.worker")


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
        pauses = BackOff(
            most=_LONGEST_PAUSE, steady=_LONGEST_PAUSE
        )  # before one that ended is followed by another
        while not self._stop.is_set():
            pauses.reached()
            try:
                self._at_work()
            except Exception as error:  # others may be at work meanwhile, and it is to go on
                if not self._started:
                    raise
                log.warning("worker", error=outlined(error))
            pauses.failed()
            self._stop.wait(pauses.left())
        log.info("stopped")

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
            log.info("started", **self._located.at_work(), listening=self._listening)
            try:
                lanes["desk"].run()  # in the main thread, where the watchdog reaches what a mail does
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
        server = procrastinate.PsycopgConnector(conninfo=conninfo, min_size=1, max_size=3, kwargs=bounds())
        app = procrastinate.App(connector=server)

        @app.task(name="wake")
        def wake() -> None:
            self.call(*self._lanes)

        async with app.open_async():
            hearing = asyncio.create_task(
                app.run_worker_async(
                    queues=["referee"], concurrency=1, install_signal_handlers=False, delete_jobs="always"
                )
            )
            while not self._over.is_set() and not hearing.done():
                await asyncio.sleep(_NOTICE)
            wake()
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
        return False

    # --- what each lane does, by its name, and whom it calls when it has left something for others ----------------

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
            log.info(name, **told)
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
