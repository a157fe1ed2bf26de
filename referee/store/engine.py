"""Connections as the referee needs them: SQLite with a write lock from the start, PostgreSQL as it
is; and what every group of rows on one shares."""

import fcntl
import hashlib
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache, partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.pool import ConnectionPoolEntry

from referee.base.errors import RefereeError
from referee.store.tables import metadata

_MIGRATIONS = Path(__file__).with_name("migrations")
_FIRST = "0100"  # the tables of 0.2.0, the first version that was released
_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=60000",
    "secure_delete=ON",  # what is blanked is not left behind in free pages
    "temp_store=MEMORY",  # what undoes a savepoint is for this process alone: no file need be made for it
)
_LOCK_NUMBER = 0x52656665  # PostgreSQL's advisory lock: "Refe"
# What PostgreSQL says where two transactions were in each other's way (its manual, appendix A): could not serialize,
# deadlock, the same key written by both, a lock that was not to be had, a statement that took too long.
_IN_THE_WAY = frozenset(("40001", "40P01", "23505", "55P03", "57014"))
_NO_ROOM = re.compile("disk is full|disk I/O error|readonly database")  # of SQLite; class 53 of PostgreSQL
# How long anything waits for PostgreSQL: of every connection, the store's, the workers' and the
# queue's, at our end and at the server's.
_OUR_END: Mapping[str, int] = {
    "connect_timeout": 10,
    "keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3,  # a server that is cut off
    "tcp_user_timeout": 30_000,  # what was said to it, and nobody has heard
}  # fmt: skip
_THEIR_END: dict[str, str] = {
    # it lets go within half a minute of what a machine held that is cut off
    "tcp_keepalives_idle": "15", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
    "tcp_user_timeout": "30s",
    # of a process that was stopped, or whose words are lost: longer than any mail may take ([limits] seconds)
    "idle_in_transaction_session_timeout": "5min",
    "lock_timeout": "30s",  # longer than a transaction takes; then all is undone, and taken again
    "statement_timeout": "2min",  # no statement comes near
}  # fmt: skip
_LET_GO = sa.text(
    "SELECT pg_advisory_unlock_all(), CASE WHEN current_setting('idle_session_timeout', true) IS NOT NULL"
    " THEN set_config('idle_session_timeout', :idle, false) END"  # PostgreSQL 13 has none
)
_AT_LENGTH = ("statement_timeout", "idle_in_transaction_session_timeout")
_MAINTENANCE = {**dict.fromkeys(_AT_LENGTH, "6h"), "lock_timeout": "10min"}  # looks at every row there is
LONGEST_WAIT = 600.0  # seconds for another pass: longer than one takes that hands over letters for its time
_LETS_GO = 2.0  # seconds in which a pass that is over lets go of one lock after the other
_LOOK = 0.05  # seconds between two looks whether it is over
_TIMES = 8  # in which one transaction may be in another's way, before that is trouble
P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Values = Mapping[str, object]
_HOLD = sa.text("SELECT pg_advisory_xact_lock(:key)")
WORKERS_NUMBER = 0x52656677  # the one that workers of an engine share


def bounds(asked: str = "") -> dict[str, Any]:
    """What a connection is opened with, beside the options `asked` for."""
    theirs = " ".join(f"-c {name}={value}" for name, value in _THEIR_END.items())
    return {**_OUR_END, "options": f"{theirs} {asked}".strip()}


class Again(RefereeError):
    """Another transaction was in this one's way, and was first. All that this one did is undone; the same done once
    more, from its beginning, is done on what the other left. It is nobody's fault, and no mail is put aside for it."""


class NoRoom(Again):
    """The disk under the store is full, or does not take what is written. It is no mail's fault;
    what was not written is done again by the next pass."""


def again(work: Callable[P, R]) -> Callable[P, R]:
    """The same work, a transaction of its own, taken again as long as another one was first. Raises
    Again where that does not end."""

    @wraps(work)
    def taken(*args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(_TIMES - 1):
            with suppress(Again):
                return work(*args, **kwargs)
        return work(*args, **kwargs)

    return taken


def connect(url: str) -> sa.Engine:
    """An engine whose transactions write safely; relative SQLite paths must be made absolute by the caller. A server
    that was started again is found again: a connection is asked first whether it is there."""
    ours = url.startswith("sqlite")
    # what is sealed stays out of tracebacks; the connection used last has the pages at hand that it wrote
    given = {} if ours else {"connect_args": bounds(str(sa.make_url(url).query.get("options", "")))}
    engine = sa.create_engine(url, hide_parameters=True, pool_use_lifo=True, pool_pre_ping=not ours, **given)
    sa.event.listen(engine, "handle_error", _in_the_way)
    if ours:
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    else:
        sa.event.listen(engine, "connect", _takes_every_text, insert=True)  # before anything is asked of it
    return engine


def _takes_every_text(wire: Any, record: ConnectionPoolEntry) -> None:
    """Raises WrongEncoding. The server says at the connection how it keeps texts; nothing more is asked."""
    encoding = wire.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise WrongEncoding(
            f"The database keeps texts as {encoding}, which does not hold every name and mail. Make it anew: "
            "createdb --owner referee --encoding UTF8 --template template0 referee"
        )


def _in_the_way(context: sa.engine.ExceptionContext) -> BaseException | None:
    """One kind of exception for whatever comes of two transactions at once, or of time; on SQLite,
    which has one writer at a time, nothing does. Another for a disk that is full."""
    error, state = context.original_exception, getattr(context.original_exception, "sqlstate", None)
    if state in _IN_THE_WAY:
        return Again(f"{Again()} ({state})")
    full = isinstance(error, sqlite3.OperationalError) and _NO_ROOM.search(str(error))
    return NoRoom(str(error)) if full or str(state).startswith("53") else None


def _prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # we begin transactions ourselves, with the write lock
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def migrate(connection: sa.Connection) -> None:
    """Bring the tables to this version's shape. New ones are made as they are; what was before the
    first migration that there is has that before it."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if not connection.dialect.has_table(connection, "alembic_version"):
        metadata.create_all(connection)
        command.stamp(config, "head")
        return
    older = sa.text("DELETE FROM alembic_version WHERE version_num < :first")
    connection.execute(older, {"first": revisions()[0]})
    command.upgrade(config, "head")


def bring_up(engine: sa.Engine) -> None:
    """The tables of a new store; those that are there already must be this version's. Nobody else makes any meanwhile,
    and where they are there nothing is loaded that would. Raises OlderTables, NewerTables, Unreleased."""
    if _current(engine) == revisions()[-1]:
        return
    with alone(engine) as begin:
        current = _current(engine)
        if current is None:
            with begin() as connection:
                migrate(connection)
        elif current != revisions()[-1]:
            raise OlderTables


@contextmanager
def upgrading(engine: sa.Engine) -> Iterator[tuple[sa.Connection, bool]]:
    """A transaction in which the tables are of this version, and whether they were before: what brought them up ends
    with it, or is undone. Nobody else is at work meanwhile. Raises OlderAtWork, NewerTables, Unreleased."""
    older = _current(engine) != revisions()[-1]
    with alone(engine, OlderAtWork if older else None) as begin:
        older = _current(engine) != revisions()[-1]
        with begin() as connection:
            at_length(connection)
            if older:
                migrate(connection)
            yield connection, older


def at_length(connection: sa.Connection, **given: str) -> None:
    """What this transaction does may take as long as maintenance does, but for what is `given`."""
    if connection.dialect.name == "postgresql":
        for name, value in {**_MAINTENANCE, **given}.items():
            connection.execute(sa.text("SELECT set_config(:n, :v, true)"), {"n": name, "v": value})


def revisions() -> list[str]:
    """The migrations, by the names of their files."""
    return sorted(file.stem[1:].partition("_")[0] for file in _MIGRATIONS.glob("versions/v*.py"))


def _current(engine: sa.Engine) -> str | None:
    """The revision that the tables are at; None where there are none yet. Raises NewerTables, Unreleased."""
    with engine.connect() as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return None
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    current, ours = found[0] if len(found) == 1 else None, revisions()[-1]
    if current is not None and current > ours:
        raise NewerTables(f"{NewerTables()} ({current}; here {ours})")
    if current is not None and current < _FIRST:
        raise Unreleased
    return current


class WrongEncoding(RefereeError):
    """The database holds not every text: PostgreSQL set up without a locale, say."""


class NewerTables(RefereeError):
    """The store's tables are of a newer version of the program than the one on this machine: upgrade it here too."""


class OlderTables(RefereeError):
    """The store's tables are of an older version of the program. Make a backup, then run `referee upgrade`: it judges
    every match that goes on again by this version, tells what it finds, and brings the tables up."""


class Unreleased(RefereeError):
    """The store is of 0.1, which was no release, and can't be read here: finish its matches with
    that program, or begin anew in another folder (`referee init DIR`)."""


class WorkersAtWork(RefereeError):
    """Workers of the engine are at work on this store, so no pass beside them may begin: either
    stop them, or set [engine] kind as they have it."""


class OlderAtWork(RefereeError):
    """Workers of an older version are at work on this store, whose tables this version would
    change: stop them first, on every machine."""


class OtherSecret(RefereeError):
    """The referee's secret on this machine is not the one that this store was begun with: copy the file that ends in
    .secret from the first machine into the folder of referee.toml, or set REFEREE_SECRET to the same everywhere."""


class Busy(RefereeError):
    """Another pass has been at work on this store for ten minutes and more. `referee doctor` tells
    of what waits, and for whom; a process that hangs is to be ended, then this can be done."""


class LockLost(sa.exc.SQLAlchemyError):
    """The database let go of this pass's lock, because the connection broke; another pass may have begun."""


Begin = Callable[[], AbstractContextManager[sa.Connection]]  # a transaction on the connection of a pass


@contextmanager
def _begun(connection: sa.Connection, wire: object) -> Iterator[sa.Connection]:
    """Raises LockLost where it is not the connection any more that took the lock."""
    if connection.closed or connection.invalidated or connection.connection.dbapi_connection is not wire:
        raise LockLost(LockLost.__doc__)
    with connection.begin():
        yield connection


@contextmanager
def alone(engine: sa.Engine, workers: type[Exception] | None = None) -> Iterator[Begin]:
    """Wait until no other pass runs on this database, then keep others out. The operating system (SQLite) or the
    server (PostgreSQL) lets go when the process dies. All transactions meanwhile are begun by what is given: on
    PostgreSQL what is written is written by whoever holds the lock, since both end with the same connection. Raises
    `workers` where some are at work, unless what is done may be done beside them (None)."""
    if engine.dialect.name == "sqlite":
        handle = os.open(f"{engine.url.database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _take(handle)
            with engine.connect() as connection:
                yield partial(_begun, connection, connection.connection.dbapi_connection)
        finally:
            os.close(handle)
        return
    with holding(engine) as connection:
        wait_for(connection, "pg_advisory_lock", _LOCK_NUMBER)
        if workers is not None:
            wait_for(connection, "pg_advisory_lock", WORKERS_NUMBER, at_most=_LETS_GO, busy=workers)
        yield partial(_begun, connection, connection.connection.dbapi_connection)


def _take(handle: int) -> None:
    """Raises Busy."""
    ends = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > ends:
                raise Busy from None
            time.sleep(_LOOK)


def wait_for(
    connection: sa.Connection, lock: str, number: int, at_most: float = 0.0, busy: type[Exception] = Busy
) -> None:
    """Raises what it is to raise where somebody else has the lock."""
    at_length(connection, lock_timeout=f"{at_most or LONGEST_WAIT}s")
    try:
        connection.execute(sa.text(f"SELECT {lock}(:n)"), {"n": number})
    except Again:
        connection.rollback()
        raise busy from None
    connection.commit()


@contextmanager
def holding(engine: sa.Engine, idle: str = "0", **options: Any) -> Iterator[sa.Connection]:
    """A connection for locks of PostgreSQL's that end with block, process or being `idle` for so long."""
    with engine.connect().execution_options(**options) as connection:
        connection.execute(_LET_GO, {"idle": idle})
        try:
            yield connection
        finally:
            if not connection.closed and not connection.invalidated:
                connection.execute(_LET_GO, {"idle": "0"})
                connection.commit()


_WAITS = sa.text(
    "SELECT DISTINCT ON (b.pid) b.pid, coalesce(b.client_addr::text, 'this machine') AS host, b.state,"
    " CAST(extract(epoch FROM now() - a.query_start) AS int) AS seconds"
    " FROM pg_stat_activity a JOIN pg_stat_activity b ON b.pid = ANY(pg_blocking_pids(a.pid))"
    " WHERE a.datname = current_database() AND a.wait_event_type = 'Lock'"
    " AND a.query_start < now() - make_interval(secs => :patience) ORDER BY b.pid, a.query_start"
)


def waits(connection: sa.Connection, patience: float = 10.0) -> list[str]:
    """Who holds what others have waited for, for longer than a transaction takes."""
    if connection.dialect.name != "postgresql":
        return []
    return [
        f"The connection {row.pid} from {row.host} ({row.state}) has kept others waiting for {row.seconds} seconds. "
        f"What hangs is let go within 5 minutes, or ends by: SELECT pg_terminate_backend({row.pid})."
        for row in connection.execute(_WAITS, {"patience": patience})
    ]


class Rows:
    """What every group of rows does with statements, in the transaction of a connection."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection
        self._held: set[int] = set()  # keys of what this transaction holds

    def all(self, kind: Callable[..., T], statement: sa.Executable, /, **values: object) -> list[T]:
        """What is made of each row."""
        return [kind(*row) for row in self.connection.execute(statement, values)]

    def first(self, kind: Callable[..., T], statement: sa.Executable, /, **values: object) -> T | None:
        """What is made of the first row, if there is one."""
        row = self.connection.execute(statement, values).first()
        return None if row is None else kind(*row)

    def column(self, statement: sa.Executable, /, **values: object) -> list[Any]:
        """The first column of all rows."""
        return list(self.connection.execute(statement, values).scalars())

    def value(self, statement: sa.Executable, /, **values: object) -> Any:
        """The first column of the first row; None where there is none."""
        return self.connection.execute(statement, values).scalar()

    def change(self, statement: sa.Executable, /, **values: object) -> int:
        """How many rows an UPDATE or DELETE without RETURNING has changed."""
        return self.connection.execute(statement, values).rowcount

    def write(self, statement: sa.Executable, rows: Sequence[Values]) -> None:
        """An INSERT of several rows, which all have the same columns."""
        if rows:
            self.connection.execute(statement, rows)

    def hold(self, what: str, which: str) -> None:
        """Wait until no other transaction holds this ("person", an address), then keep others from it until this one
        has ended. For what is no row yet, or more than one: what is read afterwards stays so. A transaction holds the
        sender of its mail first, and further people in the order of their addresses."""
        if self.connection.dialect.name != "postgresql":
            return  # SQLite's writer is alone from its first statement on
        if (key := key_of(what, which)) not in self._held:
            self.connection.execute(_HOLD, {"key": key})
            self._held.add(key)

    def insert_new(self, table: sa.Table, values: Values, unique: str, *, numbered: bool = False) -> bool:
        """Insert unless a row with that unique column exists; whether it was inserted. A numbered row's id follows the
        last one's, whatever was undone in between: a repeated pass repeats it."""
        statement = _insert_new(table, unique, self.connection.dialect.name, numbered=numbered, told=True)
        # a row count is not to be had from every driver
        return self.connection.execute(statement, values).first() is not None

    def put(self, table: sa.Table, values: Values, unique: str) -> None:
        """Insert the row, or make the one that is there this one."""
        self.connection.execute(_insert_new(table, unique, self.connection.dialect.name, *values), values)

    def upsert(self, table: sa.Table, values: Values, unique: str, changed: Values, of: str) -> Any:
        """Insert, or change what is there, in one statement; the value of the column `of` afterwards."""
        insert = _insert_of(self.connection.dialect.name)(table).values(**values)
        statement = insert.on_conflict_do_update(index_elements=[unique], set_=changed).returning(table.c[of])
        return self.connection.execute(statement).scalar_one()

    def rewrite(self, table: sa.Table, values: Values, since: int) -> None:
        """The row of that name, in the place of its version `since`; of 0, which is none, a new
        one. Raises Again where it is not as it was."""
        still = sa.and_(table.c.name == values["name"], table.c.version == since)
        change = sa.update(table).where(still).values(**values)
        if not (self.change(change) if since else self.insert_new(table, values, "name")):
            raise Again

    def insert_all_new(self, table: sa.Table, rows: Sequence[Values], unique: str) -> None:
        """Insert those of several rows of which there is none with that unique column."""
        self.write(_insert_new(table, unique, self.connection.dialect.name), rows)


given = sa.bindparam  # of a statement that is made once, since every pass or mail asks it
AMONG: sa.BindParameter[Any] = given("among", expanding=True)


def pair(one: Any, other: Any) -> tuple[Any, Any]:
    """A row of two columns as it is."""
    return one, other


def key_of(what: str, which: str) -> int:
    """The number under which PostgreSQL knows what is held."""
    digest = hashlib.sha256(f"{what}\n{which}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], signed=True)


def _insert_of(dialect: str) -> Any:
    """The statement that may meet a row that is there, in words of one of the two databases."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert


@cache
def _insert_new(
    table: sa.Table, unique: str, dialect: str, *over: str, numbered: bool = False, told: bool = False
) -> Any:
    """`told`: it gives the rows that were not there; `over`: the columns that a row which is there gets of the new."""
    insert = _insert_of(dialect)(table)
    if over:
        changed = {name: insert.excluded[name] for name in over}
        return insert.on_conflict_do_update(index_elements=[unique], set_=changed)
    if numbered:
        follows = sa.select(sa.func.coalesce(sa.func.max(table.c.id), 0) + 1).scalar_subquery()
        insert = insert.values(id=follows)
    insert = insert.on_conflict_do_nothing(index_elements=[unique])
    return insert.returning(table.c[unique]) if told else insert
