"""Whether the engine is well: its tables, who is at work, what waits and for how long, whether the clocks agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from referee.engine.store import WORKERS, KeyedStore, installed, newest

_PATIENCE = timedelta(minutes=10)  # in which whatever waits should have been taken
_APART = timedelta(seconds=30)  # of this machine's clock from the database's, which is told
_OFTEN = 3  # times that a job may stumble before that is told

_ALIVE = (
    "SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND classid = :workers AND objsubid = 2"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_AT_WORK = sa.text(
    _ALIVE.replace("objid", "count(DISTINCT pid)", 1)
)  # a process holds its locks on one connection
_STALLED = sa.text(
    "SELECT count(*) FROM procrastinate_jobs"
    f" WHERE status = 'doing' AND (worker_id IS NULL OR worker_id NOT IN ({_ALIVE}))"
)
_WAITING = sa.text(
    "SELECT queue_name, count(*) AS number, min(e.at) AS since FROM procrastinate_jobs AS j"
    " LEFT JOIN procrastinate_events AS e ON e.job_id = j.id AND e.type = 'deferred'"
    " WHERE status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())"
    " GROUP BY queue_name ORDER BY queue_name"
)
_STUMBLING = sa.text(
    "SELECT task_name, coalesce(lock, '') AS lock, attempts, status::text AS status FROM procrastinate_jobs"
    " WHERE status = 'failed' OR (status IN ('todo', 'doing') AND attempts >= :often) ORDER BY id"
)


@dataclass(frozen=True, slots=True)
class Health:
    """`at_work` processes are seen; `waiting` jobs by queue, the oldest
    since `oldest`; `stalled` jobs are in the hands of workers that are gone; `stumbling` ones met an error again and
    again; this machine's clock is `apart` from the database's; the queue's `tables` are of that migration."""

    at_work: int
    waiting: dict[str, int]
    oldest: timedelta | None
    stalled: int
    stumbling: tuple[str, ...]
    apart: timedelta
    tables: str | None

    def facts(self) -> dict[str, Any]:
        """As `doctor --json` prints them; spans in seconds."""
        return {
            "workers": self.at_work,
            "waiting": self.waiting,
            "oldest": None if self.oldest is None else round(self.oldest.total_seconds()),
            "stalled": self.stalled,
            "stumbling": list(self.stumbling),
            "apart": round(self.apart.total_seconds(), 1),
            "tables": self.tables,
        }

    def faults(self) -> Iterator[str]:
        """What is wrong, each with its remedy."""
        wanted = newest()
        if self.tables is not None and self.tables > wanted:
            yield (
                f"The queue's tables are of a newer procrastinate ({self.tables}) than the one installed here "
                f'({wanted}): pip install --upgrade "referee[workers]" on this machine.'
            )
        if self.stalled:
            yield (
                f"{self.stalled} jobs are in the hands of workers that are gone. Any worker, and every `referee step`, "
                "takes them again: start `referee worker`."
            )
        if self.oldest is not None and self.oldest > _PATIENCE:
            remedy = (
                "start `referee worker`" if not self.at_work else "look into the workers' logs, or start more"
            )
            minutes = round(self.oldest / timedelta(minutes=1))
            yield f"{sum(self.waiting.values())} jobs wait, the oldest for {minutes} minutes: {remedy}."
        for job in self.stumbling:
            yield f"{job}. It is tried again; look into the workers' logs."
        if abs(self.apart) > _APART:
            ahead = "ahead of" if self.apart > timedelta() else "behind"
            yield (
                f"This machine's clock is {abs(self.apart).total_seconds():.0f} seconds {ahead} the database's. "
                "Workers go by the database's, but commands at the desk by this one: set it by NTP."
            )

    def notes(self) -> Iterator[str]:
        """What is worth knowing."""
        waiting = ", ".join(f"{number} in {queue}" for queue, number in self.waiting.items()) or "nothing"
        at_work = {0: "no worker is", 1: "one worker is"}.get(self.at_work, f"{self.at_work} workers are")
        yield f"{at_work} at work; waiting: {waiting}."


def examined(store: KeyedStore) -> Health:
    """How the engine is. Raises what the database raises."""
    with store.transaction() as unit:
        ask = unit.connection.execute
        now, here = unit.moment(), datetime.now(UTC)
        rows = ask(_WAITING).all()
        since = [row.since for row in rows if row.since is not None]
        stumbling = ask(_STUMBLING, {"often": _OFTEN}).all()
        return Health(
            at_work=int(ask(_AT_WORK, {"workers": WORKERS}).scalar_one()),
            waiting={row.queue_name: row.number for row in rows},
            oldest=now - min(since) if since else None,
            stalled=int(ask(_STALLED, {"workers": WORKERS}).scalar_one()),
            stumbling=tuple(
                f"The job `{row.task_name}` of {row.lock or 'no lock'} stumbled {row.attempts} times"
                for row in stumbling
            ),
            apart=here - now,
            tables=installed(unit.connection),
        )
