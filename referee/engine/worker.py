"""Workers: procrastinate fetches jobs, each of which is a call of `tasks`. One that works until it is stopped, and one
that ends when nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from threading import Event
from typing import Any

import procrastinate
import psycopg
from procrastinate import jobs, retry
from procrastinate.manager import JobManager
from procrastinate.worker import Worker

from referee.engine.queue import QUEUES, WORKERS
from referee.engine.tasks import Tasks
from referee.logs import Log

_EPOCH = datetime.fromtimestamp(0, UTC)
_LONGEST_PAUSE = 30.0  # seconds between two tries of a job
_KEEPALIVE: dict[str, Any] = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3}
# of the server's end, so that it lets go of what a machine held that is cut off
_SERVERS_KEEPALIVE = "-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
log = Log("referee.engine")


class AtOnce(retry.BaseRetryStrategy):
    """A job that stumbled is taken again: at once, since a job that waits for its time holds up all of its lock. The
    moment is long past by every machine's clock."""

    def get_retry_decision(self, *, exception: BaseException, job: jobs.Job) -> retry.RetryDecision:
        return retry.RetryDecision(retry_at=_EPOCH)


class Present(JobManager):
    """A worker holds a lock of its own in the database as long as it lives: once it is gone, everybody sees it at once
    and takes its jobs, however it ended."""

    def __init__(self, connector: Any, conninfo: str) -> None:
        super().__init__(connector)
        self._conninfo = conninfo
        self._line: psycopg.AsyncConnection[Any] | None = None

    async def register_worker(self) -> int:
        if self._line is None:
            self._line = await psycopg.AsyncConnection.connect(
                self._conninfo, autocommit=True, options=_SERVERS_KEEPALIVE, **_KEEPALIVE
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
    """The jobs of the queue as calls of `Tasks`; of each queue its own."""

    def __init__(self, conninfo: str, tasks: Callable[[str], Tasks], stopping: Callable[[], bool]) -> None:
        self._tasks = tasks
        self._stopping = stopping
        self._fault: BaseException | None = None
        self._pause = Event()
        self.patient = True  # pause before a job that stumbled is tried again
        self.app = procrastinate.App(
            connector=procrastinate.PsycopgConnector(
                conninfo=conninfo, min_size=1, max_size=6, kwargs=dict(_KEEPALIVE)
            )
        )
        self._present = Present(self.app.connector, conninfo)
        self.app.job_manager = self._present
        for name in ("receive", "tick", "look", "search", "mind", "file", "refresh", "deliver"):
            self._register(name)

    def _register(self, name: str) -> None:
        def take(context: procrastinate.JobContext, /, **given: Any) -> None:
            if name in ("look", "receive"):
                given["careful"] = context.job.attempts > 0
            getattr(self._tasks(context.job.queue), name)(**given)

        self.app.task(name=name, pass_context=True, retry=AtOnce())(take)

    def _stumbling(
        self, process: Callable[[], Any], context: procrastinate.JobContext, worker: Worker
    ) -> Any:
        """Around each job: one that stumbles ends a worker that works off the queue; any other takes a breath."""
        try:
            return process()
        except BaseException as error:
            if self.patient:
                log.exception("job", task=context.job.task_name, lock=context.job.lock or "")
                self._pause.wait(min(2.0**context.job.attempts, _LONGEST_PAUSE))
            else:
                self._fault = self._fault or error
                worker.stop()  # type: ignore[no-untyped-call]
            raise
        finally:
            if self._stopping():
                worker.stop()  # type: ignore[no-untyped-call]

    def drain(self, queues: Sequence[str] = QUEUES) -> None:
        """Take jobs, in this process, until none is left that may be taken. Raises what the first one raised that
        stumbled; its job, and all others, are left for the next time."""
        self.patient = False
        asyncio.run(self._drain(list(queues)))
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault

    async def _drain(self, queues: list[str]) -> None:
        async with self.app.open_async():
            try:
                await self.app.run_worker_async(
                    queues=queues, wait=False, concurrency=1, listen_notify=False, delete_jobs="successful",
                    install_signal_handlers=False, task_middleware=[self._stumbling],
                )  # fmt: skip
            finally:
                await self._present.leave()
