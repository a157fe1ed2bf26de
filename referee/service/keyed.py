"""The store of several workers: nothing holds a lock over all of it. What waits are its rows, by their ordering keys;
whoever takes a key, or a reader's letters, holds a lock that ends with its connection."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from referee.base.ports import WorthKnowing
from referee.match.events import Entry
from referee.offices.clock import doubt
from referee.store import engine
from referee.store.matches import StoredMatch, matches, outages
from referee.store.post import KeptMail, OutgoingLetter, inbox, outbox
from referee.store.sql import AtDesk, Claim, Clock, Store, Trip, Unit, clock, match_clocks
from referee.way.routing import key_of_gathering

CLUB = key_of_gathering("")  # begins the keys of all gatherings
_MOST_AT_ONCE = 1000  # of what is looked for: the rest is found by the next look
CALLS = "referee"  # the channel by which workers that sleep are called
_CALL = sa.text(f"NOTIFY {CALLS}")
_OPEN = sa.and_(inbox.c.verdict.is_(None), ~inbox.c.waits)
_LAPSES = (
    "SELECT name AS key, lapses_at AS at FROM matches WHERE lapses_at < :read"
    f" UNION ALL SELECT '{CLUB}' || name, wakes_at FROM gatherings WHERE wakes_at < :read"
)
_BEHIND = 2**31 - 1  # a deadline goes behind mails of the same moment
# What waits is about the match of its key, or, under a person's, about all in which they sit. In each match all goes by
# time: of every key is told where something of another one goes before. What was tried and still waits keeps none back.
_DUE = (
    "WITH waiting AS (SELECT ordering_key AS key, arrived AS at, id, ordering_key AS about FROM inbox"
    " WHERE verdict IS NULL AND NOT waits AND arrived <= :now AND ordering_key IS NOT NULL"
    f" UNION ALL SELECT key, at, {_BEHIND}, CASE WHEN reached >= at THEN 'tried ' || key ELSE key END"
    f" FROM ({_LAPSES}) AS lapses LEFT JOIN match_clocks ON match = key"
    f" UNION ALL SELECT match, '', {_BEHIND}, match FROM outages),"
    " each AS (SELECT * FROM waiting"
    " UNION ALL SELECT key, at, id, match FROM waiting JOIN seats ON key = 'from ' || address),"
    " ordered AS (SELECT *, ARRAY[at, lpad(CAST(id AS text), 10, '0')] AS place,"
    " min(key) OVER earlier <> max(key) OVER earlier AS behind FROM each"
    " WINDOW earlier AS (PARTITION BY about ORDER BY at, id))"
    " SELECT key, min(at) AS since, max(id) AS last, min(place) FILTER (WHERE behind) AS bound FROM ordered"
    " GROUP BY key HAVING min(place) FILTER (WHERE behind) IS DISTINCT FROM min(place)"
    f" ORDER BY since, min(id) LIMIT {_MOST_AT_ONCE}"
)
_NOW, _READ = (sa.bindparam(name, type_=inbox.c.arrived.type) for name in ("now", "read"))
_ALL_DUE = sa.text(_DUE).bindparams(_NOW, _READ)
_LAPSE = sa.text(f"SELECT at FROM ({_LAPSES}) AS lapses WHERE key = :key").bindparams(_READ)
_LAPSE_AT = _LAPSE.columns(at=inbox.c.arrived.type)
_FREE = sa.text("SELECT key FROM unnest(CAST(:keys AS bigint[])) AS key WHERE pg_try_advisory_xact_lock(key)")
_UPCOMING = sa.select(inbox.c.arrived, inbox.c.id, sa.func.coalesce(inbox.c.sender, "").label("sender"))


class Due(NamedTuple):
    """A key under which something may be taken: since when it waits (as it is stored), the number of its last, and the
    time and number of the first that goes behind something of another key."""

    key: str
    since: str = ""
    last: int = 0
    bound: list[str] | None = None

    @property
    def until(self) -> tuple[datetime, int]:
        """What comes before that may be taken."""
        at, number = self.bound or ("9999-12-31T23:59:59Z", "0")
        return datetime.fromisoformat(at), int(number)


class KeyedUnit(Unit):
    """One transaction of a worker, or of a command beside them."""

    def __init__(self, connection: sa.Connection, desk: AtDesk) -> None:
        super().__init__(connection, desk)
        self.key: str | None = None  # under which it judges
        self.reopened = False  # a mail was opened again, perhaps before those that are upcoming
        self.calls = False  # it leaves something to do

    def reopen(self, mail_id: int, *given: Any, **more: Any) -> None:
        super().reopen(mail_id, *given, **more)
        self.reopened = self.calls = True

    def save(self, row: StoredMatch, entries: Sequence[Entry]) -> None:
        """What waited for the referee's own answer is looked at again, if it is not looked at now."""
        super().save(row, entries)
        self.calls = True
        if row.name != self.key:
            self.look_again(inbox.c.key == row.name)

    def look_again(self, *which: sa.ColumnElement[bool]) -> None:
        """Those mails need not wait any more, as far as is known."""
        waiting = sa.update(inbox).where(inbox.c.waits, inbox.c.verdict.is_(None), *which)
        self.change(waiting.values(waits=False))

    def send(self, *letters: OutgoingLetter, gathered: bool = False, until: datetime | None = None) -> None:
        super().send(*letters, gathered=gathered, until=until)
        self.calls = True

    # --- the clock -----------------------------------------------------------------------------------------------

    def by_its_clock(self, said: Any) -> Any:
        """The database's: one for all workers."""
        at = self.value(sa.text("SELECT clock_timestamp()")).astimezone(UTC)
        return said._replace(at=at, shared=True)

    def set_clock(self, now: Clock) -> None:
        """Nothing of the clock goes back, whoever else writes it."""
        said = {name: getattr(now, name) for name in ("last_pass", "watermark", "reached", "desk_at")}
        self.forward({name: at for name, at in said.items() if at is not None}, witness=now.witness)

    def advance(self) -> None:
        """How far everything has been judged: up to the first that is open, of what is later than that was before."""
        now = self.clock()
        if now.watermark is None:
            return
        since = now.reached or datetime.min.replace(tzinfo=UTC)
        late = inbox.c.verdict.is_(None), inbox.c.arrived > since
        arrived = sa.select(sa.func.min(inbox.c.arrived)).where(*late)
        lapsing = sa.select(sa.func.min(matches.c.lapses_at)).where(matches.c.lapses_at > since)
        first = [self.value(query) for query in (arrived, lapsing)]
        self.forward({"reached": min(at for at in (now.watermark, *first) if at is not None)})

    def forward(self, moments: dict[str, datetime], **others: Any) -> None:
        """These moments of the clock, if they are later than those it has; and what else it holds."""
        given = {name: (clock.c[name], sa.literal(at, clock.c[name].type)) for name, at in moments.items()}
        later = {name: sa.func.greatest(*both) for name, both in given.items()}
        first = {"id": 1, "under_way": False, **moments, **others}
        self.upsert(clock, first, "id", {**later, **others}, "id")

    # --- keys ----------------------------------------------------------------------------------------------------

    def due(self, before: datetime) -> list[str]:
        """Matches whose deadline lies before that moment."""
        query = sa.select(matches.c.name).where(matches.c.lapses_at < before)
        return self.column(query.order_by(matches.c.lapses_at).limit(_MOST_AT_ONCE))

    def due_keys(self, now: datetime, read: datetime) -> list[Due]:
        """The keys under which something may be taken, the earliest first: time to be given back, a mail that has
        arrived by now, a deadline or a gathering's time before the mailbox was read."""
        return self.all(Due, _ALL_DUE, now=now, read=read)

    def due_of(self, key: str, read: datetime) -> datetime | None:
        """The match's deadline, or the gathering's time, where it lies before that moment."""
        at: datetime | None = self.value(_LAPSE_AT, key=key, read=read)
        return at

    def upcoming(
        self, key: str, until: datetime, beyond: Iterable[int], most: int, *, patient: bool
    ) -> list[sa.Row[Any]]:
        """The first mails that are open under a key: when they arrived, number, sender. These senders are held, whom
        nobody else has in hand; whoever is `patient` waits for the first one's, so that no two transactions wait for
        each other."""
        query = _UPCOMING.where(inbox.c.key == key, inbox.c.verdict.is_(None))
        query = query.where(inbox.c.arrived <= until, inbox.c.id.not_in(beyond))
        query = query.order_by(inbox.c.arrived, inbox.c.id).limit(most)
        found = [*self.connection.execute(query)]
        if found and patient:
            self.hold("person", found[0].sender)
        if keys := {engine.key_of("person", mail.sender) for mail in found} - self._held:
            self._held.update(self.column(_FREE, keys=sorted(keys)))
        return found

    def holds(self, sender: str) -> bool:
        """Whether nobody else judges mails of this sender until this transaction has ended."""
        return engine.key_of("person", sender) in self._held

    def reached_of(self, match: str) -> tuple[datetime | None, bool]:
        """How far all that befell the match has been judged, and whether it is owed time for an outage."""
        own = sa.select(match_clocks.c.reached).where(match_clocks.c.match == match).scalar_subquery()
        return self.all(engine.pair, sa.select(own, sa.exists().where(outages.c.match == match)))[0]

    def reach(self, match: str, at: datetime) -> None:
        """Everything up to then has been judged."""
        reached = match_clocks.c.reached
        later = {"reached": sa.func.greatest(reached, sa.literal(at, reached.type))}
        self.upsert(match_clocks, {"match": match, "reached": at}, "match", later, "match")

    def without_key(self) -> list[KeptMail]:
        """Open mails that were kept before there were keys."""
        query = sa.select(inbox.c.id).where(inbox.c.verdict.is_(None), inbox.c.key.is_(None))
        numbers = self.column(query.order_by(inbox.c.id).limit(_MOST_AT_ONCE))
        return [mail for number in numbers if (mail := self.mail(number)) is not None]


LETTERS = 0x4C657474  # of those that keep one reader's letters in their order: "Lett"
# Of the secret that all machines have.
_SECRETS = sa.text("CREATE TABLE IF NOT EXISTS engine_secret (digest text NOT NULL PRIMARY KEY)")
_HOLD_READERS = sa.text(
    "SELECT reader FROM unnest(CAST(:readers AS text[])) AS reader"
    " WHERE pg_try_advisory_lock(:letters, hashtext(reader))"
)
_FIRST_SECRET = sa.text(
    "INSERT INTO engine_secret SELECT :digest WHERE NOT EXISTS (SELECT 1 FROM engine_secret) ON CONFLICT DO NOTHING"
)
IDLE = {"key": "15min", "letters": "15min"}  # in the hands of a process that stopped; all else takes its time
_TRY = sa.text("SELECT pg_try_advisory_lock(:key)")


class KeyedStore(Store):
    """The store of several workers. Nothing holds a lock over all of it."""

    def __init__(self, url: str, secret_path: Path, trip: Trip, desk: AtDesk | None = None) -> None:
        super().__init__(url, secret_path, trip, desk)
        self.calls = True  # for workers, where it is none of theirs

    @engine.again
    def secret(self) -> bytes:
        """Raises OtherSecret where another machine works with another one."""
        own = super().secret()
        digest = hashlib.sha256(b"the secret of this store\n" + own).hexdigest()
        with self._engine.begin() as connection:
            if not sa.inspect(connection).has_table("engine_secret"):
                connection.execute(_SECRETS)
            connection.execute(_FIRST_SECRET, {"digest": digest})
            known = connection.execute(sa.text("SELECT digest FROM engine_secret")).scalars().all()
        if known != [digest]:
            raise engine.OtherSecret
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
        with engine.holding(self._engine) as connection:
            engine.wait_for(connection, "pg_advisory_lock_shared", engine.WORKERS_NUMBER)
            yield

    @contextmanager
    def transaction(self) -> Iterator[KeyedUnit]:
        with self._engine.begin() as connection:
            unit = KeyedUnit(connection, self._desk)
            yield unit
            if self.calls and unit.calls:
                unit.connection.execute(_CALL)
            self._trip("commit")
        self._trip("committed")

    @contextmanager
    def claiming(self) -> Iterator[Claim]:
        """The readers are held by a connection of their own, in no transaction: mail servers take their time."""
        with engine.holding(self._engine, IDLE["letters"], isolation_level="AUTOCOMMIT") as connection:

            def claimed(unit: Unit, by: datetime, most: int) -> list[OutgoingLetter]:
                """The first letters that are to leave to readers whom nobody else writes to, seen anew once these are
                held."""
                beyond, readers = 0, unit.readers_waiting(by, most)
                while readers:
                    wanted = {"letters": LETTERS, "readers": list(dict.fromkeys(readers))}
                    if free := list(connection.scalars(_HOLD_READERS, wanted)):
                        return unit.unsent(by, most, free)
                    beyond += len(readers)
                    readers = unit.readers_waiting(by, most, beyond)
                return []

            yield claimed

    @contextmanager
    def taking(self, what: str, which: str = "") -> Iterator[bool]:
        """Whether nobody else has it in hand; then nobody else gets it before the block ends."""
        with engine.holding(self._engine, IDLE.get(what, "0"), isolation_level="AUTOCOMMIT") as connection:
            yield bool(connection.scalar(_TRY, {"key": engine.key_of(what, which)}))


# --- whether all that is well -------------------------------------------------------------------------------------

_PATIENCE = 600  # seconds in which whatever waits should have been taken
_OFTEN = 3  # times that a key may have been taken without an end before that is told

_AT_WORK = sa.text(
    "SELECT count(DISTINCT pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock'"
    " AND objid = :workers AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_MAILS = sa.select(sa.literal("mails"), sa.func.count(), sa.func.min(inbox.c.arrived)).where(
    _OPEN, inbox.c.arrived <= sa.bindparam("now")
)
_LETTERS = sa.select(sa.literal("letters"), sa.func.count(), sa.func.min(outbox.c.at)).where(
    outbox.c.state == "unsent", outbox.c.next_try.is_(None)
)
_STUMBLING = sa.text("SELECT uid, times FROM claims WHERE uid LIKE 'key %' AND times >= :often ORDER BY uid")


def examined(store: KeyedStore) -> tuple[dict[str, Any], list[str]]:
    """How the engine is: the facts as `doctor --json` prints them (spans in seconds), and what is
    wrong, each with its remedy, or worth knowing. Raises what the database raises."""
    with store.transaction() as unit:
        ask = unit.connection.execute
        now = unit.by_its_clock(doubt.reading()).at
        rows = [tuple(row) for row in (*ask(_MAILS, {"now": now}), *ask(_LETTERS)) if row[1]]
        stumbling = [
            f"Of what waits under `{row.uid.partition(' ')[2]}` no worker came to an end, {row.times} times"
            for row in ask(_STUMBLING, {"often": _OFTEN})
        ]
        at_work = int(ask(_AT_WORK, {"workers": engine.WORKERS_NUMBER}).scalar_one())
    waiting = {what: number for what, number, _ in rows}
    age = round((now - min(since for _, _, since in rows)).total_seconds()) if rows else None
    facts = {"workers": at_work, "waiting": waiting, "oldest": age, "stumbling": stumbling}
    queued, told = [f"{number} {what}" for what, number in waiting.items()], list[str]()
    if age is not None and age > _PATIENCE:
        remedy = "look into the workers' logs, or start more" if at_work else "start `referee worker`"
        told.append(f"{' and '.join(queued)} wait, the oldest for {age / 60:.0f} minutes: {remedy}.")
    told += (f"{words}. It is tried again; look into the workers' logs." for words in stumbling)
    are = {0: "no worker is", 1: "one worker is"}.get(at_work, f"{at_work} workers are")
    return facts, [*told, WorthKnowing(f"{are} at work; waiting: {', '.join(queued) or 'nothing'}.")]
