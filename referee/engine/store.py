"""The store of several workers: nothing holds a lock over all of it. Letters are claimed by their
readers, and jobs of workers that are gone are given back. Whatever a worker's transaction makes
due is noted, as a job, with the same commit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import psycopg
import sqlalchemy as sa

from referee.engine.jobs import DELIVER, FILE, RECEIVE, REFRESH, SOON, Job, judge, search
from referee.match.events import Entry
from referee.store.engine import OtherSecret, alone, at_length, key_of, workers_lock
from referee.store.inbox import Disposition, KeptMail, NewMail
from referee.store.matches import StoredMatch
from referee.store.outbox import OutgoingLetter
from referee.store.sql import Claim, Clock, Store, Trip, Unit
from referee.store.tables import clock, gatherings, inbox, match_clocks, matches, outages, seats
from referee.way.routing import key_of_gathering

_MOST_AT_ONCE = 1000  # of what a sweep finds: the rest is found by the next one

# A job that waits and that nobody may fetch before this transaction has ended: what it finds then is what we leave.
_WAITING = sa.text(
    "SELECT id, task_name, lock, scheduled_at IS NULL OR scheduled_at <= now() AS ripe"
    " FROM procrastinate_jobs WHERE status = 'todo'"
    " AND (lock = ANY(:locks) OR (lock IS NULL AND task_name = ANY(:free)))"
    " AND (scheduled_at > now() OR NOT task_name = ANY(:gathering)) FOR SHARE"
)
_DEFER = sa.text(
    "SELECT procrastinate_defer_jobs_v1(ARRAY(SELECT ROW(queue, task, priority, lock, NULL, args,"
    " now() + make_interval(secs => after))::procrastinate_job_to_defer_v1"
    " FROM jsonb_to_recordset(CAST(:jobs AS jsonb)) AS job"
    "(queue text, task text, priority int, lock text, args jsonb, after float)))"
)
_MAKE_RIPE = sa.text("UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE id = ANY(:jobs)")
_EARLIER = sa.tuple_(inbox.c.arrived, inbox.c.id) < sa.tuple_(
    sa.bindparam("at", type_=inbox.c.arrived.type), sa.bindparam("number")
)
_OPEN = sa.and_(inbox.c.verdict.is_(None), ~inbox.c.waits)
_UPCOMING = (
    sa.select(inbox.c.id, inbox.c.arrived, sa.func.coalesce(inbox.c.sender, ""))
    .where(
        inbox.c.key == sa.bindparam("key"),
        inbox.c.verdict.is_(None),
        inbox.c.arrived <= sa.bindparam("until"),
        inbox.c.id.not_in(sa.bindparam("beyond", expanding=True)),
    )
    .order_by(inbox.c.arrived, inbox.c.id)
    .limit(sa.bindparam("most"))
)
_PERSONS = (  # the first mail of anybody who sits in the match that names none
    sa.select(inbox.c.key, inbox.c.arrived, inbox.c.id)
    .join(seats, inbox.c.key == sa.literal("from ") + seats.c.address)
    .where(seats.c.match == sa.bindparam("match"), _OPEN)
    .order_by(inbox.c.arrived, inbox.c.id)
    .limit(1)
)
_OWN = sa.bindparam("own", type_=seats.c.address.type)
_MATCHES_MAILS = (
    sa.select(inbox.c.key)
    .join(seats, inbox.c.key == seats.c.match)
    .where(seats.c.address == _OWN, _OPEN, _EARLIER)
    .order_by(inbox.c.arrived, inbox.c.id)
    .limit(1)
)
_FELLOW = seats.alias("fellow")
_FELLOWS_MAILS = (  # of whoever plays with him, and names no match either
    sa.select(inbox.c.key)
    .join(_FELLOW, inbox.c.key == sa.literal("from ") + _FELLOW.c.address)
    .join(seats, seats.c.match == _FELLOW.c.match)
    .where(seats.c.address == _OWN, _FELLOW.c.address != _OWN, _OPEN, _EARLIER)
    .order_by(inbox.c.arrived, inbox.c.id)
    .limit(1)
)
_MATCHES_LAPSES = (
    sa.select(matches.c.name)
    .join(seats, matches.c.name == seats.c.match)
    .outerjoin(match_clocks, match_clocks.c.match == matches.c.name)
    .where(
        seats.c.address == _OWN,
        matches.c.lapses_at < sa.bindparam("at", type_=matches.c.lapses_at.type),
        matches.c.lapses_at < sa.bindparam("read", type_=matches.c.lapses_at.type),
        sa.or_(match_clocks.c.reached.is_(None), matches.c.lapses_at > match_clocks.c.reached),
    )
    .order_by(matches.c.lapses_at, matches.c.name)
    .limit(1)
)


_STANDING = sa.select(
    sa.func.clock_timestamp().label("moment"),
    clock.c.last_pass,
    clock.c.watermark,
    clock.c.reached,
    sa.select(match_clocks.c.reached)
    .where(match_clocks.c.match == sa.bindparam("match"))
    .scalar_subquery()
    .label("own"),
    sa.exists().where(outages.c.match == sa.bindparam("match")).label("owed"),
)
_HOLD_FREE = sa.text(
    "SELECT key FROM unnest(CAST(:keys AS bigint[])) AS key WHERE pg_try_advisory_xact_lock(key)"
)
_TIDY = sa.text(
    "DELETE FROM procrastinate_jobs AS j WHERE status IN ('failed', 'cancelled', 'aborted') AND NOT EXISTS"
    " (SELECT 1 FROM procrastinate_events AS e WHERE e.job_id = j.id AND e.at > now() - interval '7 days')"
)


class Upcoming(NamedTuple):
    """A mail that is open under a key: its number, when it arrived, who is said to have sent it."""

    id: int
    arrived: datetime
    sender: str


class PersonsMail(NamedTuple):
    """An open mail under its sender's own key: that key, its arrival, its number."""

    key: str
    arrived: datetime
    id: int


@dataclass(frozen=True, slots=True)
class KeyState:
    """The database's clock, the last pass or tick, how far the mailbox has been read and how far everything (of a
    match: of its own) has been judged; whether the match is owed time for an outage."""

    moment: datetime
    last_pass: datetime | None
    watermark: datetime | None
    reached: datetime | None
    owed: bool


class KeyedUnit(Unit):
    """One transaction of a worker: whatever it writes that somebody must look at is noted in the queue."""

    def __init__(self, connection: sa.Connection, *, site: bool, gathers: bool) -> None:
        super().__init__(connection)
        self._site = site
        self._gathers = gathers
        self._due: dict[Job, None] = {}
        self.key: str | None = None  # under which it judges: what it changes there it sees itself
        self.reopened = False  # a mail was opened again, perhaps before those that are upcoming
        self._lapses: dict[str, datetime | None] = {}  # when matches lapse, as this transaction knows

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        try:
            with super().savepoint():
                yield
        except BaseException:
            self._lapses.clear()
            raise

    def note(self, *jobs: Job) -> None:
        """These are due once this transaction is written."""
        self._due.update(dict.fromkeys(jobs))

    def later(self, job: Job) -> None:
        """This is due once this transaction is written, and may wait for what others will have made due."""
        self.note(SOON[job] if self._gathers else job)

    def finish(self) -> None:
        """Put what was noted into the queue; what waits there already is only kept from being taken too early. One that
        gathers is held by nobody once its time has come, however many commits still want it: they want another."""
        if not self._due:
            return
        named = {
            "locks": [j.lock for j in self._due if j.lock],
            "free": [j.task for j in self._due if not j.lock],
            "gathering": [j.task for j in self._due if j in SOON.values()],
        }
        waiting = {(row.task_name, row.lock): row for row in self.connection.execute(_WAITING, named)}
        chained = (j for j in self._due if dict(j.args).get("then"))
        fresh = [j for j in self._due if (j.task, j.lock) not in waiting]
        fresh += [j for j in chained if j not in fresh]
        if fresh:
            self.connection.execute(_DEFER, {"jobs": json.dumps([j.row() for j in fresh])})
        pressing = [waiting[j.task, j.lock] for j in SOON if j in self._due and j not in fresh]
        if unripe := [row.id for row in pressing if not row.ripe]:
            self.connection.execute(_MAKE_RIPE, {"jobs": unripe})
        self._due.clear()

    # --- what makes something due --------------------------------------------------------------------------------

    def keep(self, mail: NewMail) -> bool:
        kept = super().keep(mail)
        if kept and mail.key:
            self.note(judge(mail.key))
        else:
            self.later(FILE)
        return kept

    def reopen(self, mail_id: int, *given: Any, **more: Any) -> None:
        super().reopen(mail_id, *given, **more)
        self.reopened = True
        key = self.value(sa.select(inbox.c.key).where(inbox.c.id == mail_id))
        self.note(judge(key) if key else RECEIVE)

    def settle(self, mail_id: int, disposition: Disposition, *given: Any, **more: Any) -> None:
        super().settle(mail_id, disposition, *given, **more)
        self.later(FILE)

    def save(self, row: StoredMatch, entries: Sequence[Entry]) -> None:
        super().save(row, entries)
        self._lapses[row.name] = row.lapses_at
        if row.computes:
            self.note(search(row.name))
        if row.name != self.key:
            self.note(judge(row.name))
        if self._site and entries:
            self.later(REFRESH)

    def wake(self, gathering: str, at: datetime) -> None:
        super().wake(gathering, at)
        self.note(judge(key_of_gathering(gathering)))

    def unstick(self, names: Any) -> None:
        chosen = list(names)
        super().unstick(chosen)
        for name in chosen:
            self.note(search(name))

    def send(self, *letters: OutgoingLetter, gathered: bool = False) -> None:
        self.later(DELIVER)
        super().send(*letters, gathered=gathered)

    def redirect(self, letter: OutgoingLetter) -> None:
        self.later(DELIVER)
        super().redirect(letter)

    # --- the clock -----------------------------------------------------------------------------------------------

    def moment(self) -> datetime:
        """The database's clock: one for all workers."""
        at: datetime = self.value(sa.text("SELECT clock_timestamp()"))
        return at.astimezone(UTC)

    def set_clock(self, now: Clock) -> None:
        """The watermark and what it makes due. Nothing of the clock goes back, whoever else writes it."""
        moments = {"last_pass": now.last_pass, "watermark": now.watermark, "reached": now.reached}
        moments["desk_at"] = now.desk_at
        self.forward({name: at for name, at in moments.items() if at is not None})
        if now.watermark is not None:
            self.note(*(judge(key) for key in (*self.due(now.watermark), *self.woken(now.watermark))))

    def advance(self) -> None:
        """How far everything has been judged: up to the first that is open, of what is later than that was before."""
        now = self.clock()
        if now.watermark is None:
            return
        since = now.reached or datetime.min.replace(tzinfo=UTC)
        arrived = sa.select(sa.func.min(inbox.c.arrived)).where(
            inbox.c.verdict.is_(None), inbox.c.arrived > since
        )
        lapsing = sa.select(sa.func.min(matches.c.lapses_at)).where(matches.c.lapses_at > since)
        first = [self.value(query) for query in (arrived, lapsing)]
        self.forward({"reached": min(at for at in (now.watermark, *first) if at is not None)})

    def forward(self, moments: dict[str, datetime], **others: Any) -> None:
        """These moments of the clock, where they are later than those it has; and what else it holds."""
        later = {
            name: sa.func.greatest(clock.c[name], sa.literal(at, clock.c[name].type))
            for name, at in moments.items()
        }
        if not self.change(sa.update(clock).values(**later, **others)):
            self.insert_new(clock, {"id": 1, "under_way": False, **moments, **others}, "id")

    # --- keys ----------------------------------------------------------------------------------------------------

    def due(self, before: datetime) -> list[str]:
        """Matches whose deadline lies before that moment."""
        query = sa.select(matches.c.name).where(matches.c.lapses_at < before)
        return self.column(query.order_by(matches.c.lapses_at).limit(_MOST_AT_ONCE))

    def woken(self, before: datetime) -> list[str]:
        """The keys of the club's gatherings whose time comes before that moment."""
        query = sa.select(gatherings.c.name).where(gatherings.c.wakes_at < before)
        query = query.order_by(gatherings.c.wakes_at).limit(_MOST_AT_ONCE)
        return self.all(key_of_gathering, query)

    def lapse_of(self, match: str, before: datetime) -> datetime | None:
        """The match's next deadline, where it lies before that moment."""
        if match not in self._lapses:
            self._lapses[match] = self.value(sa.select(matches.c.lapses_at).where(matches.c.name == match))
        at = self._lapses[match]
        return at if at is not None and at < before else None

    def upcoming(
        self, key: str, until: datetime, beyond: Iterable[int], most: int, *, patient: bool
    ) -> list[Upcoming]:
        """The first mails that are open under a key. Their senders are held, those whom nobody else has in hand;
        whoever is `patient` waits for that of the first, so that no two transactions wait for each other."""
        wanted = {"key": key, "until": until, "beyond": list(beyond), "most": most}
        found = self.all(Upcoming, _UPCOMING, **wanted)
        if found and patient:
            self.hold("person", found[0].sender)
        keys = {key_of("person", mail.sender) for mail in found} - self._held
        if keys:
            self._held.update(self.column(_HOLD_FREE, keys=sorted(keys)))
        return found

    def holds(self, sender: str) -> bool:
        """Whether nobody else judges mails of this sender until this transaction has ended."""
        return key_of("person", sender) in self._held

    def persons_first(self, match: str) -> PersonsMail | None:
        """The first open mail of anybody who sits in the match, under his own key."""
        return self.first(PersonsMail, _PERSONS, match=match)

    def before_persons(self, key: str, mail: Upcoming, read: datetime) -> str | None:
        """The key under which something must be judged before a mail under a person's: of a match of his, or of whoever
        plays with him there. `read` is how far the mailbox has been read."""
        own = {"own": key.removeprefix("from "), "at": mail.arrived}
        found: str | None = (
            self.value(_MATCHES_MAILS, **own, number=mail.id)
            or self.value(_FELLOWS_MAILS, **own, number=mail.id)
            or self.value(_MATCHES_LAPSES, **own, read=read)
        )
        return found

    def state_of(self, match: str | None) -> KeyState:
        """What a batch begins with, in one statement."""
        row = self.connection.execute(_STANDING, {"match": match}).first()
        if row is None:
            return KeyState(self.moment(), None, None, None, owed=False)
        reached = max((at for at in (row.reached, row.own) if at is not None), default=None)
        return KeyState(row.moment.astimezone(UTC), row.last_pass, row.watermark, reached, row.owed)

    def reach(self, match: str, at: datetime) -> None:
        """Everything up to then has been judged."""
        from sqlalchemy.dialects.postgresql import insert

        values = insert(match_clocks).values(match=match, reached=at)
        later = sa.func.greatest(match_clocks.c.reached, values.excluded.reached)
        self.change(values.on_conflict_do_update(index_elements=["match"], set_={"reached": later}))

    def wait(self, mail_id: int) -> None:
        """The mail waits for the referee's own answer."""
        self.change(sa.update(inbox).where(inbox.c.id == mail_id).values(waits=True))

    def move(self, mail_id: int, key: str) -> None:
        """The mail is of another key."""
        self.change(sa.update(inbox).where(inbox.c.id == mail_id).values(key=key))
        self.note(judge(key))

    def without_key(self) -> list[KeptMail]:
        """Open mails that were kept before there were keys."""
        query = sa.select(inbox.c.id).where(inbox.c.verdict.is_(None), inbox.c.key.is_(None))
        numbers = self.column(query.order_by(inbox.c.id).limit(_MOST_AT_ONCE))
        return [mail for number in numbers if (mail := self.mail(number)) is not None]

    def sweep(self, by: datetime) -> None:
        """Note whatever is open, though nobody may have noted it: mails, searches, time to be given back."""
        open_keys = sa.select(inbox.c.key).where(
            inbox.c.verdict.is_(None), inbox.c.key.is_not(None), inbox.c.arrived <= by
        )
        first = sa.func.min(inbox.c.arrived)
        query = open_keys.group_by(inbox.c.key).order_by(first).limit(_MOST_AT_ONCE)
        self.note(*self.all(judge, query))
        given = sa.select(outages.c.match).distinct().limit(_MOST_AT_ONCE)
        self.note(*self.all(judge, given))
        self.note(*map(search, self.computing()))

    def tidy(self) -> None:
        """Forget jobs that were given up a week ago: the doctor has told of them."""
        self.change(_TIDY)


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
