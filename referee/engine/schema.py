"""The queue's own tables: made by procrastinate's SQL beside ours, and brought to its newest shape by its migrations.
It keeps no note of how far they are, so we keep one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import sqlalchemy as sa

if TYPE_CHECKING:
    import psycopg

_NOTE = """
CREATE TABLE IF NOT EXISTS engine_schema (reached text NOT NULL);
CREATE TABLE IF NOT EXISTS engine_secret (digest text NOT NULL PRIMARY KEY);  -- of the secret that all machines have
-- without it, whoever looks for the jobs of one lock reads all that wait
CREATE INDEX IF NOT EXISTS referee_jobs_by_lock ON procrastinate_jobs (lock) WHERE status IN ('todo', 'doing');
-- after a burst of jobs the planner must soon know of them: with old figures a fetch reads all that wait
ALTER TABLE procrastinate_jobs SET (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 200,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
"""


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
