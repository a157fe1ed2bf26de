"""Whether the engine is well: its tables, who is at work, what waits and for how long, whether the clocks agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


def examined(store: KeyedStore) -> tuple[dict[str, Any], list[str], list[str]]:
    """How the engine is: the facts as `doctor --json` prints them (spans in seconds), what is wrong, each with its
    remedy, and what is worth knowing. Raises what the database raises."""
    with store.transaction() as unit:
        ask = unit.connection.execute
        now, here = unit.moment(), datetime.now(UTC)
        rows = ask(_WAITING).all()
        stumbling = [
            f"The job `{row.task_name}` of {row.lock or 'no lock'} stumbled {row.attempts} times"
            for row in ask(_STUMBLING, {"often": _OFTEN})
        ]
        at_work = int(ask(_AT_WORK, {"workers": WORKERS}).scalar_one())
        stalled = int(ask(_STALLED, {"workers": WORKERS}).scalar_one())
        tables = installed(unit.connection)
    waiting = {row.queue_name: row.number for row in rows}
    since = [row.since for row in rows if row.since is not None]
    oldest, apart = now - min(since) if since else None, here - now
    facts = {
        "workers": at_work,
        "waiting": waiting,
        "oldest": None if oldest is None else round(oldest.total_seconds()),
        "stalled": stalled,
        "stumbling": stumbling,
        "apart": round(apart.total_seconds(), 1),
        "tables": tables,
    }
    told = {0: "no worker is", 1: "one worker is"}.get(at_work, f"{at_work} workers are")
    queued = ", ".join(f"{number} in {queue}" for queue, number in waiting.items()) or "nothing"
    return facts, list(_faults(facts, oldest, apart)), [f"{told} at work; waiting: {queued}."]


def _faults(facts: Mapping[str, Any], oldest: timedelta | None, apart: timedelta) -> Iterator[str]:
    tables, at_work = facts["tables"], facts["workers"]
    if tables is not None and tables > newest():
        yield (
            f"The queue's tables are of a newer procrastinate ({tables}) than the one installed here "
            f'({newest()}): pip install --upgrade "referee[workers]" on this machine.'
        )
    if facts["stalled"]:
        yield (
            f"{facts['stalled']} jobs are in the hands of workers that are gone. Any worker, and every `referee step`, "
            "takes them again: start `referee worker`."
        )
    if oldest is not None and oldest > _PATIENCE:
        remedy = "look into the workers' logs, or start more" if at_work else "start `referee worker`"
        minutes = round(oldest / timedelta(minutes=1))
        yield f"{sum(facts['waiting'].values())} jobs wait, the oldest for {minutes} minutes: {remedy}."
    for job in facts["stumbling"]:
        yield f"{job}. It is tried again; look into the workers' logs."
    if abs(apart) > _APART:
        ahead = "ahead of" if apart > timedelta() else "behind"
        yield (
            f"This machine's clock is {abs(apart).total_seconds():.0f} seconds {ahead} the database's. "
            "Workers go by the database's, but commands at the desk by this one: set it by NTP."
        )
