"""The worker of a process, with connections of its own. Whatever ends, another one goes on where it was."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from types import FrameType

from referee.base.errors import outlined
from referee.base.logs import Log
from referee.base.ports import Mailbox
from referee.engine.jobs import RECEIVE
from referee.engine.store import KeyedStore
from referee.engine.supervisor import end_soon
from referee.engine.tasks import Tasks
from referee.engine.worker import Engine
from referee.service.config import Located
from referee.service.heartbeat import Heartbeat
from referee.service.trouble import TroubleAlarm
from referee.service.wiring import Referee, running

# The queues of each of these are worked off beside the others: no letter on its way to a slow server holds up a mail.
_QUEUES = (("desk",), ("mailbox",), ("letters",), ("searches",))
_SITE = ("site",)
_SHORTEST_OUTAGE = timedelta(minutes=10)
_SLICE = 1.0  # seconds the ear listens at once, so that it hears of the end
_HUSH = 0.3  # seconds after a ring in which it listens to nothing
_PAUSE, _LONGEST_PAUSE = 1.0, 30.0  # seconds before a worker that ended is followed by another
log = Log("referee.worker")


class Worker:
    """Takes jobs until it is told to stop."""

    def __init__(self, located: Located, *, listening: bool) -> None:
        self._located = located
        self._listening = listening
        self._stop = threading.Event()
        self._started = False  # it has been at work before

    def run(self) -> None:
        """Until SIGTERM or SIGINT. A database that is gone is waited for; only at the start it must be there."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stopped)
        pause = _PAUSE
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                self._work()
            except Exception as error:  # others may be at work meanwhile, and it is to go on
                if not self._started:
                    raise
                log.warning("worker", error=outlined(error))
            long_ago = time.monotonic() - began > _LONGEST_PAUSE
            pause = _PAUSE if long_ago else min(2 * pause, _LONGEST_PAUSE)
            self._stop.wait(pause)
        log.info("stopped")

    def _stopped(self, number: int, frame: FrameType | None) -> None:
        end_soon()
        self._stop.set()

    def _work(self) -> None:
        settings = self._located.settings
        side_by_side = (*_QUEUES, _SITE) if settings.site.folder else _QUEUES
        with ExitStack() as stack:
            referees = {queues: stack.enter_context(running(self._located)) for queues in side_by_side}
            tasks = {queue: self._tasks(referee) for queues, referee in referees.items() for queue in queues}
            store = tasks["desk"].store
            stack.enter_context(store.at_work())
            tasks["desk"].begin()
            watches = {
                "receive": TroubleAlarm(referees[("mailbox",)]),
                "deliver": TroubleAlarm(referees[("letters",)]),
            }

            heartbeat = Heartbeat(self._located)

            def heard(task: str, trouble: Sequence[str]) -> None:
                if task in ("receive", "poll"):  # of which there is one a minute at least
                    heartbeat.beat()
                if task in watches:
                    watches[task].seen(trouble, datetime.now(UTC))

            engine = Engine(
                store.conninfo, tasks.__getitem__, self._stop.is_set, heard, self._located.settings.poll.every
            )
            if self._listening:
                stack.enter_context(self._ear(referees[("mailbox",)], store))
            self._started = True
            log.info("started", **settings.at_work(), listening=self._listening)
            try:
                engine.work(side_by_side, lambda: self._look_around(store), self._stop)
            finally:
                for referee in referees.values():
                    referee.solver.close()

    def _tasks(self, referee: Referee) -> Tasks:
        tasks = referee.tasks()
        tasks.stopping = self._stop.is_set
        tasks.store.gathers = True
        tasks.outage = max(10 * referee.settings.poll.every, _SHORTEST_OUTAGE)
        return tasks

    @staticmethod
    def _look_around(store: KeyedStore) -> None:
        if freed := store.free_the_dead():
            log.warning("a worker is gone", jobs=freed)

    # --- the ear -------------------------------------------------------------------------------------------------

    @contextmanager
    def _ear(self, referee: Referee, store: KeyedStore) -> Iterator[None]:
        """A thread that hears of mail."""
        maildir = referee.settings.mailbox.url.startswith("maildir:")
        ears = referee.mailbox if maildir else referee.another_mailbox()
        over = threading.Event()
        ear = threading.Thread(target=self._listen, args=(ears, store, over), daemon=True, name="ear")
        ear.start()
        try:
            yield
        finally:
            over.set()
            ear.join(2 * _SLICE)
            if not maildir:
                ears.close()

    def _listen(self, ears: Mailbox, store: KeyedStore, over: threading.Event) -> None:
        while not over.is_set() and not self._stop.is_set():
            try:
                if ears.wait(_SLICE):
                    with store.transaction() as unit:
                        unit.note(RECEIVE)
                    over.wait(_HUSH)
            except Exception:  # without an ear mail is read by the clock alone: it goes on listening
                log.exception("ear")
                over.wait(_PAUSE)
