"""Workers: procrastinate fetches jobs, each of which is a call of `tasks`. One that works until it is stopped, and one
that ends when nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

import procrastinate
import psycopg
from procrastinate import jobs, retry
from procrastinate.manager import JobManager
from procrastinate.worker import Worker

from referee.base.logs import Log
from referee.engine.jobs import DELIVER, FILE, GATHERING, LAST_TICK, QUEUES, RECEIVE, REFRESH
from referee.engine.store import WORKERS, KeyedStore
from referee.engine.tasks import Tasks
from referee.offices.clock.doubt import ClockReading
from referee.offices.passes import Counts
from referee.store.engine import bounds

TASKS = ("receive", "tick", "judge", "search", "remind", "file", "refresh", "deliver")
_EVERY_MINUTE = "* * * * *"
_GLANCE = 1.0  # seconds after which the queue is looked at, should nobody have said that there is something
_GLANCES = {"letters": 1.1 * GATHERING.total_seconds()}  # word of letters comes before they may leave
_NOTICE = 0.1  # seconds within which a wish to stop is seen
_LOOK_AROUND = 5.0  # seconds between two looks whether another worker is gone
_CONNECTIONS = 8
_EPOCH = datetime.fromtimestamp(0, UTC)
_MOST_TRIES = 5
_FIRST_PAUSE = 0.2  # seconds between two tries of a job; each pause is twice as long
log = Log("referee.engine")


class AtOnce(retry.BaseRetryStrategy):
    """A job that stumbled is taken again: at once, since a job that waits for its time holds up all of its lock (the
    moment is long past by every machine's clock). After some times it is given up; what it was about is found again by
    the next tick, so that others have their turn."""

    def get_retry_decision(self, *, exception: BaseException, job: jobs.Job) -> retry.RetryDecision | None:
        if job.attempts >= _MOST_TRIES and isinstance(exception, Exception):
            return None
        return retry.RetryDecision(retry_at=_EPOCH)


async def _unasked(line: psycopg.AsyncConnection[Any]) -> None:
    """Each of procrastinate's statements is a transaction of its own, without being told so."""
    await line.set_autocommit(True)


class WorkerLocks(JobManager):
    """A worker holds a lock of its own in the database as long as it lives: once it is gone, everybody sees it at once
    and takes its jobs, however it ended."""

    def __init__(self, connector: Any, conninfo: str) -> None:
        super().__init__(connector)
        self._conninfo = conninfo
        self._line: psycopg.AsyncConnection[Any] | None = None
        self._one = asyncio.Lock()  # all of a process begin at once, and hold their locks on one connection

    async def register_worker(self) -> int:
        async with self._one:
            if self._line is None:
                self._line = await psycopg.AsyncConnection.connect(
                    self._conninfo, autocommit=True, **bounds()
                )
            registered = await self._line.execute(
                "SELECT worker_id, pg_advisory_lock(%s, worker_id::int) FROM procrastinate_register_worker_v1()",
                (WORKERS,),
            )
            row = await registered.fetchone()
        assert row is not None
        return int(row[0])

    async def leave(self) -> None:
        """Let go of the lock."""
        if self._line is not None:
            await self._line.close()
            self._line = None


class Engine:
    """The jobs of the queue as calls of `Tasks`, those of each queue by its own. `heard` is told what trouble a job
    met. `every` is how often the mailbox is read, where nobody tells that mail has come."""

    def __init__(
        self,
        conninfo: str,
        tasks: Callable[[str], Tasks],
        stopping: Callable[[], bool],
        heard: Callable[[str, Sequence[str]], None] = lambda queue, trouble: None,
        every: timedelta | None = None,
    ) -> None:
        self._tasks = tasks
        self._stopping = stopping
        self._heard = heard
        self._fault: BaseException | None = None
        self._pause = Event()
        self._patient = every is not None
        connector = procrastinate.PsycopgConnector(
            conninfo=conninfo,
            min_size=1,
            max_size=_CONNECTIONS,
            configure=_unasked,
            kwargs=bounds(),
        )
        self.app = procrastinate.App(connector=connector)
        self._present = WorkerLocks(connector, conninfo)
        self.app.job_manager = self._present
        for name in TASKS:
            self.app.task(name=name, pass_context=True, retry=AtOnce())(self._taken(name))
        # also by one that polls nothing itself: a worker that ended may have left such a job behind
        for what in ("receive", "tick"):
            poll = self.app.task(name=f"poll {what}", pass_context=True)(self._taken("poll"))
            if every is not None:
                cron = cron_of(every) if what == "receive" else _EVERY_MINUTE
                self.app.periodic(cron=cron, queue="desk", priority=100, task_kwargs={"what": what})(poll)

    def _taken(self, name: str) -> Callable[..., None]:
        def take(context: procrastinate.JobContext, /, **given: Any) -> None:
            tasks = self._tasks(context.job.queue)
            given.pop("timestamp", None)  # for which a periodic task is
            if name in ("judge", "receive"):
                given["isolates"] = context.job.attempts > 0
            getattr(tasks, name)(**given)
            if self._patient:
                done, tasks.counts = tasks.counts, Counts()
                self._heard(name, done.trouble)
                log.info(name, lock=context.job.lock or "", **{k: v for k, v in done.done().items() if v})

        return take

    def _stumbling(
        self, process: Callable[[], Any], context: procrastinate.JobContext, worker: Worker
    ) -> Any:
        """Around each job: one that stumbles ends a worker that works off the queue; any other takes a breath."""
        try:
            return process()
        except BaseException as error:
            if self._patient:
                log.exception("job", task=context.job.task_name, lock=context.job.lock or "")
                self._pause.wait(_FIRST_PAUSE * 2 ** min(context.job.attempts, _MOST_TRIES))
            else:
                self._fault = self._fault or error
                worker.stop()  # type: ignore[no-untyped-call]
            raise
        finally:
            if self._stopping():
                worker.stop()  # type: ignore[no-untyped-call]

    # --- until nothing is left -----------------------------------------------------------------------------------

    def drain(self, queues: Sequence[str] = QUEUES) -> None:
        """Take jobs, in this process, until none is left that may be taken. Raises what the first one raised that
        stumbled; its job, and all others, are left for the next time."""
        asyncio.run(self._with_app(self._drain(list(queues))))
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault

    async def _drain(self, queues: list[str]) -> None:
        await self.app.run_worker_async(
            queues=queues,
            wait=False,
            concurrency=1,
            listen_notify=False,
            delete_jobs="successful",
            install_signal_handlers=False,
            task_middleware=[self._stumbling],
        )

    async def _with_app(self, work: Coroutine[Any, Any, None]) -> None:
        async with self.app.open_async():
            try:
                await work
            finally:
                await self._present.leave()

    # --- until it is stopped -------------------------------------------------------------------------------------

    def work(self, side_by_side: Sequence[Sequence[str]], beside: Callable[[], None], stop: Event) -> None:
        """Take jobs until `stop`: of each set of queues one at a time, the sets side by side; and every few seconds do
        what is to be done `beside`. The jobs in hand are finished. Raises what kept a worker from going on."""
        asyncio.run(self._with_app(self._work(side_by_side, beside, stop)))

    async def _work(
        self, side_by_side: Sequence[Sequence[str]], beside: Callable[[], None], stop: Event
    ) -> None:
        at_work = [asyncio.create_task(self._taking(list(queues))) for queues in side_by_side]
        others = [asyncio.create_task(self._stopped(stop)), asyncio.create_task(self._beside(beside))]
        try:
            await asyncio.wait([*at_work, *others], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._pause.set()
            for task in (*at_work, *others):
                task.cancel()
            ended = await asyncio.gather(*at_work, *others, return_exceptions=True)
        faults = [
            e for e in ended if isinstance(e, BaseException) and not isinstance(e, asyncio.CancelledError)
        ]
        if faults:
            raise faults[0]

    async def _taking(self, queues: list[str]) -> None:
        await self.app.run_worker_async(
            queues=queues,
            concurrency=1,
            delete_jobs="successful",
            install_signal_handlers=False,
            fetch_job_polling_interval=_GLANCES.get(queues[0], _GLANCE),
            task_middleware=[self._stumbling],
        )

    @staticmethod
    async def _stopped(stop: Event) -> None:
        while not stop.is_set():
            await asyncio.sleep(_NOTICE)

    @staticmethod
    async def _beside(beside: Callable[[], None]) -> None:
        while True:
            await asyncio.sleep(_LOOK_AROUND)
            await asyncio.to_thread(beside)


def cron_of(every: timedelta) -> str:
    """About so often, as cron says it: whole seconds, minutes or hours."""
    seconds = max(1, round(every.total_seconds()))
    if seconds < 60:
        return f"* * * * * */{seconds}"
    if seconds < 3600:
        return f"*/{round(seconds / 60)} * * * *" if seconds < 3570 else "0 * * * *"
    return f"0 */{min(23, round(seconds / 3600))} * * *"


@dataclass(frozen=True, slots=True)
class QueueDesk:
    """In the place of the desk: mails are received, whatever they and the clock make due is taken, letters leave.
    Workers may be at work beside it; what they take is not among its counts."""

    tasks: Callable[[], Tasks]

    def step(
        self,
        now: datetime | ClockReading,
        *,
        wait: bool = True,
        outage: timedelta | None = None,
        stopping: Callable[[], bool] = lambda: False,
        told: Callable[[Counts], None] = lambda counts: None,
    ) -> Counts:
        """One pass at the clock `now`. Raises StaleClock where an earlier pass was later. `told` hears what was done
        with every commit of stimuli."""
        tasks = self.tasks()
        if isinstance(now, ClockReading):  # no time was named: the last pass's, where that is later
            with tasks.store.transaction() as unit:
                now = max(now.at, unit.clock().last_pass or now.at)
        tasks.counts, tasks.stopping, tasks.told, tasks.time = Counts(), stopping, told, now
        with tasks.store.at_work():
            self._begin(tasks, now, outage)
            queues = QUEUES if wait else tuple(q for q in QUEUES if q != "searches")
            Engine(tasks.store.conninfo, lambda queue: tasks, stopping).drain(queues)
            self._end(tasks.store, tasks.counts, stopping())
        return tasks.counts

    @staticmethod
    def _begin(tasks: Tasks, now: datetime, outage: timedelta | None) -> None:
        """Note the pass, what it will do, and what nobody else goes on with."""
        tasks.store.free_the_dead()
        with tasks.store.transaction() as unit:
            tasks.note_pass(unit, now, outage)
            unit.sweep(now)
            unit.note(RECEIVE, LAST_TICK, FILE, REFRESH, DELIVER)

    @staticmethod
    def _end(store: KeyedStore, counts: Counts, broken_off: bool) -> None:
        """What has come by now has been judged."""
        with store.transaction() as unit:
            counts.waiting = unit.open_mails()
            clock = unit.clock()
            if clock.watermark is not None and not broken_off:
                unit.forward({"reached": clock.watermark})
