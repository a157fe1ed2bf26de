"""The store of several workers: nothing holds a lock over all of it. Letters are claimed by their readers, and jobs of
workers that are gone are given back."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

import psycopg
import sqlalchemy as sa

from referee.engine.unit import KeyedUnit
from referee.store.engine import OtherSecret, alone, at_length, workers_lock
from referee.store.outbox import OutgoingLetter
from referee.store.sql import Claim, Store, Trip, Unit

LETTERS = 0x4C657474  # of those that keep one reader's letters in their order: "Lett"
WORKERS = 0x576F726B  # the first half of the advisory locks that workers hold while they live: "Work"

# What we add to the queue's own tables: a note of how far they are, since it keeps none.
_NOTE = """
CREATE TABLE IF NOT EXISTS engine_schema (reached text NOT NULL);
CREATE TABLE IF NOT EXISTS engine_secret (digest text NOT NULL PRIMARY KEY);  -- of the secret that all machines have
-- without it, whoever looks for the jobs of one lock reads all that wait
CREATE INDEX IF NOT EXISTS referee_jobs_by_lock ON procrastinate_jobs (lock) WHERE status IN ('todo', 'doing');
-- after a burst of jobs the planner must soon know of them: with old figures a fetch reads all that wait
ALTER TABLE procrastinate_jobs SET (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 200,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
"""
_HOLD_READERS = sa.text(
    "SELECT reader FROM unnest(CAST(:readers AS text[])) AS reader"
    " WHERE pg_try_advisory_lock(:letters, hashtext(reader))"
)
_BURY = sa.text(
    "DELETE FROM procrastinate_workers AS w WHERE w.last_heartbeat < now() - interval '60 seconds' OR NOT EXISTS"
    " (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = :workers AND objid = w.id AND objsubid = 2"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
)
_FREE = sa.text(
    "SELECT procrastinate_retry_job_v2(id, 'epoch', NULL, NULL, NULL) FROM procrastinate_jobs"
    " WHERE status = 'doing' AND worker_id IS NULL"
)


class KeyedStore(Store):
    """The store of several workers. Nothing holds a lock over all of it."""

    def __init__(self, url: str, secret_path: Path, trip: Trip, *, site: bool) -> None:
        super().__init__(url, secret_path, trip)
        self._site = site
        self.gathers = False  # workers are at work, who will take what may wait a moment
        with self._engine.connect() as connection:
            known = installed(connection)
        if known is None or known < newest():
            with alone(self._engine, beside_workers=True), self._engine.begin() as connection:
                at_length(connection)
                install(connection)

    def secret(self) -> bytes:
        """Raises OtherSecret where another machine works with another one."""
        own = super().secret()
        digest = hashlib.sha256(b"the secret of this store\n" + own).hexdigest()
        with self._engine.begin() as connection:
            connection.execute(
                sa.text(
                    "INSERT INTO engine_secret SELECT :digest WHERE NOT EXISTS (SELECT 1 FROM engine_secret)"
                    " ON CONFLICT DO NOTHING"
                ),
                {"digest": digest},
            )
            known = connection.execute(sa.text("SELECT digest FROM engine_secret")).scalars().all()
        if known != [digest]:
            raise OtherSecret
        return own

    @property
    def conninfo(self) -> str:
        """Where the database is, as psycopg says it."""
        return self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        yield

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """While workers are at work, no desk takes a pass of its own; they wait for one that is under way."""
        with workers_lock(self._engine):
            yield

    @contextmanager
    def transaction(self) -> Iterator[KeyedUnit]:
        with self._engine.begin() as connection:
            unit = KeyedUnit(connection, site=self._site, gathers=self.gathers)
            yield unit
            unit.finish()
            self._trip("commit")
        self._trip("committed")

    @contextmanager
    def claiming(self) -> Iterator[Claim]:
        """The readers are held by a connection, and by no transaction: mail servers take their time."""
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as holding:
            try:
                yield partial(_claimed, holding)
            finally:
                if not holding.closed and not holding.invalidated:
                    holding.execute(sa.text("SELECT pg_advisory_unlock_all()"))

    def free_the_dead(self) -> int:
        """Give back the jobs of workers that are gone: whoever lives holds a lock, and tells of itself every few
        seconds. How many there were."""
        with self._engine.begin() as connection:
            connection.execute(_BURY, {"workers": WORKERS})
            return len(connection.execute(_FREE).all())


def _claimed(holding: sa.Connection, unit: Unit, by: datetime, most: int) -> list[OutgoingLetter]:
    """The first letters that are to leave to readers whom nobody else writes to; these are held by a connection of
    their own, and their letters seen anew once they are held."""
    beyond, readers = 0, unit.readers_waiting(by, most)
    while readers:
        wanted = {"letters": LETTERS, "readers": list(dict.fromkeys(readers))}
        if held := list(holding.execute(_HOLD_READERS, wanted).scalars()):
            return unit.unsent(by, most, held)
        beyond += len(readers)
        readers = unit.readers_waiting(by, most, beyond)
    return []


# --- the queue's own tables: made by procrastinate's SQL beside ours, and brought to its newest shape by its migrations


def newest() -> str:
    """The last migration of the procrastinate that is installed."""
    return max(file.name for file in _migrations())


def installed(connection: sa.Connection) -> str | None:
    """How far the tables in the database are; None where there are none."""
    if not sa.inspect(connection).has_table("engine_schema"):
        return None
    return cast(str | None, connection.execute(sa.text("SELECT reached FROM engine_schema")).scalar())


def install(connection: sa.Connection) -> None:
    """Make the tables, or bring them to their newest shape, in this transaction."""
    from procrastinate.schema import SchemaManager

    known, wanted = installed(connection), newest()
    if known is not None and known >= wanted:
        return
    wire = cast("psycopg.Connection[Any]", connection.connection.dbapi_connection)
    if not sa.inspect(connection).has_table("procrastinate_jobs"):
        wire.execute(SchemaManager.get_schema().encode())
    for file in sorted(_migrations(), key=lambda each: each.name):
        if known is not None and file.name > known:
            wire.execute(file.read_bytes())
    wire.execute(_NOTE.encode())
    connection.execute(sa.text("DELETE FROM engine_schema"))
    connection.execute(sa.text("INSERT INTO engine_schema VALUES (:wanted)"), {"wanted": wanted})


def _migrations() -> list[Path]:
    from procrastinate.schema import SchemaManager

    return list(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
