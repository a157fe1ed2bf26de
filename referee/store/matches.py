"""Matches: the ledger, the cached state, the seats by address, the deadlines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import sqlalchemy as sa

from referee.base.errors import RefereeError
from referee.core.texts.addresses import address_key
from referee.store.engine import AMONG, Again, Rows, given, pair
from referee.store.tables import ENTRY, INDEXED, NO, Foreign, Found, Moment, Name, columns, table

if TYPE_CHECKING:
    from referee.match.events import Entry


class BadLedger(RefereeError):
    """The entries that the store holds of a match can't be read."""


class StoredMatch(NamedTuple):
    """A match's row: its summary and its cached state."""

    name: Name
    game: Annotated[str, sa.String(40)]
    status: Annotated[Literal["filling", "open", "paused", "ended"], sa.String(10)]
    phase: str
    version: int
    opened_at: datetime
    stamp: Name
    state: str  # a cache: the ledger is the truth
    lapses_at: datetime | None
    reminds_at: datetime | None
    computes: bool
    vacant: bool = False
    table: Found = None  # with which others of its game it is compared when all have ended
    facts: str | None = None  # how it stands in public: a cache, with what it was made by


_SEARCHED = dict.fromkeys(("lapses_at", "reminds_at"), INDEXED)
matches = table(
    "matches",
    *columns(StoredMatch, "name", **_SEARCHED, computes=INDEXED | {"default": False}, vacant=INDEXED | NO),
    sa.Index("matches_compared", "game", "table"),
)

ledger = table(
    "ledger",
    sa.Column("since", Moment),  # when the stimulus happened, where that was before the pass
    keys=2,
    match="matches.name",
    version=sa.Integer,
    position=sa.Integer,
    cause=sa.Integer,
    public=sa.Boolean,
    **ENTRY,
)

_SAT = {"match": "matches.name", "address": Foreign(indexed=True)}
seats = table("seats", sa.Index("seats_by_address", "address"), keys=3, **_SAT, seat=sa.Integer)

# the addresses of those who sat there before
former_seats = table("former_seats", sa.Index("former_seats_by_address", "address"), keys=2, **_SAT)

# the referee's own answer was not found in this version of the match
stuck = table("stuck", keys=1, match="matches.name", version=sa.Integer)

# the referee's own outages, of each match that has not been given the time back yet
outages = table("outages", keys=2, match="matches.name", since=Moment, seconds=sa.Integer)


_ROW = sa.select(*(matches.c[name] for name in StoredMatch._fields if name != "facts"))
_ONE = _ROW.where(matches.c.name == given("one"))
_CALLED = sa.select(matches.c.name).where(matches.c.name == given("one"))
_OPENED = (matches.c.opened_at, matches.c.name)  # the order of their opening
_NAMES = sa.select(matches.c.name).order_by(*_OPENED)
_SUMMARY = sa.select(*(sa.literal("") if n == "state" else matches.c[n] for n in StoredMatch._fields))
_STUCK = sa.exists().where(stuck.c.match == matches.c.name, stuck.c.version == matches.c.version)

_LATE = sa.select(matches.c.name, matches.c.lapses_at).order_by(matches.c.lapses_at, matches.c.name)
_NEXT_LAPSE = _LATE.where(matches.c.lapses_at < given("before"), matches.c.name.not_in(AMONG)).limit(1)
_SEAT = (seats.c.match, seats.c.seat)
_SEATS = sa.select(*_SEAT).where(seats.c.address == given("of")).order_by(*_SEAT)
_COMPUTING = sa.select(matches.c.name).where(matches.c.computes)


class MatchStore(Rows):
    """The rows of matches."""

    def __init__(self, connection: sa.Connection) -> None:
        super().__init__(connection)
        self._seen: dict[str, int] = {}  # the version of each match that this transaction has read or written

    def match(self, name: str) -> StoredMatch | None:
        if (found := self.first(StoredMatch, _ONE, one=name)) is not None:
            self._see(name, found.version)
        return found

    def _see(self, name: str, version: int) -> None:
        """Whatever a transaction reads of a match is of one version: what it decides first, and
        what it says of it afterwards, is about the same."""
        if self._seen.setdefault(name, version) != version:
            raise Again

    def matches(self) -> list[StoredMatch]:
        return self.all(StoredMatch, _ROW.order_by(*_OPENED))

    def running(self, most: int) -> list[str]:
        """The matches that go on and were opened last, so many at most."""
        query = sa.select(matches.c.name).where(matches.c.status.in_(("open", "paused")))
        return self.column(query.order_by(matches.c.opened_at.desc(), matches.c.name).limit(most))

    def names(self) -> list[str]:
        """All matches, by their opening; for who must look at each, in a transaction of its own."""
        return self.column(_NAMES)

    def summaries(self, names: Iterable[str] | None = None) -> list[StoredMatch]:
        """The rows of the matches that have one of the names, or of all, by their opening; without their states."""
        query = _SUMMARY if names is None else _SUMMARY.where(matches.c.name.in_(sorted(set(names))))
        return self.all(StoredMatch, query.order_by(*_OPENED))

    def keep_facts(self, name: str, version: int, facts: str) -> None:
        """Write down how a match of that version stands; nothing where it has moved on."""
        still = sa.and_(matches.c.name == name, matches.c.version == version)
        self.change(sa.update(matches).where(still).values(facts=facts))

    def compared(self, game: str, table: str) -> list[str]:
        """The matches of a table, by their opening."""
        return self.column(_NAMES.where(matches.c.game == game, matches.c.table == table))

    def has_match(self, name: str) -> bool:
        return self.value(_CALLED, one=name) is not None

    def has_match_like(self, name: str) -> bool:
        """Whether a match has that name, compared without case."""
        query = sa.select(matches.c.name).where(sa.func.lower(matches.c.name) == name.lower())
        return self.value(query.limit(1)) is not None

    def published(self) -> list[tuple[str, datetime, int]]:
        """Every match, by their opening, when that was, and how far its public record goes: read
        without their states and ledgers."""
        last = sa.select(ledger.c.position).where(ledger.c.match == matches.c.name)
        last = last.order_by(ledger.c.version.desc()).limit(1)
        position = sa.func.coalesce(last.scalar_subquery(), 0)
        query = sa.select(matches.c.name, matches.c.opened_at, position)
        return self.all(lambda *row: row, query.order_by(*_OPENED))

    def history(self, name: str, beyond: int = 0) -> list[Entry]:
        """The ledger beyond that version: the whole one. Raises BadLedger."""
        rows_of = sa.select(ledger).where(ledger.c.match == name, ledger.c.version > beyond)
        query = rows_of.order_by(ledger.c.version)
        rows = self.connection.execute(query).all()
        if rows:
            self._see(name, rows[-1].version)
        try:
            return [_entry(row) for row in rows]
        except Exception as error:
            raise BadLedger(f"an entry of {name} is broken: {type(error).__name__}") from error

    def save(self, row: StoredMatch, entries: Sequence[Entry]) -> None:
        """Append to the ledger and rewrite the row. Raises Again if another changed the match since it was read."""
        values = {name: getattr(row, name) for name in matches.c.keys()}  # noqa: SIM118
        self.rewrite(matches, values, entries[0].version - 1 if entries else row.version)
        self._seen[row.name] = row.version
        self.write(sa.insert(ledger), [_line(row.name, entry) for entry in entries])

    def seat_addresses(self, match: str, held: Iterable[tuple[int, str]], former: Iterable[str] = ()) -> None:
        """The addresses of those who sit in the match, and sat there before, instead of those it had."""
        for rows in (seats, former_seats):
            self.change(sa.delete(rows).where(rows.c.match == match))
        sit = {(seat, address_key(address)) for seat, address in held}
        self.write(sa.insert(seats), [{"match": match, "seat": s, "address": a} for s, a in sit])
        sat = sorted(set(map(address_key, former)))
        self.write(sa.insert(former_seats), [{"match": match, "address": address} for address in sat])

    def left_by(self, address: str) -> list[str]:
        """The matches in which the address was somebody's who sits there no more."""
        query = sa.select(former_seats.c.match).where(former_seats.c.address == address_key(address))
        return self.column(query.order_by(former_seats.c.match))

    def vacant(self) -> list[tuple[str, str]]:
        """The matches with a seat that one may join: name and game."""
        return sorted(self.all(pair, sa.select(matches.c.name, matches.c.game).where(matches.c.vacant)))

    def seats_of(self, address: str) -> list[tuple[str, int]]:
        return self.all(pair, _SEATS, of=address_key(address))

    def next_lapse(self, before: datetime, beyond: Iterable[str]) -> tuple[str, datetime] | None:
        return self.first(pair, _NEXT_LAPSE, before=before, among=list(beyond))

    def reminding(self, by: datetime) -> list[str]:
        """Matches whose next reminder is due. Sorted here: asked for in that order, SQLite would read every match."""
        return sorted(self.column(sa.select(matches.c.name).where(matches.c.reminds_at <= by)))

    def computing(self) -> list[str]:
        """Matches that wait for the referee's own answer, without those that are stuck."""
        return sorted(self.column(_COMPUTING.where(~_STUCK)))

    def stick(self, name: str, version: int) -> None:
        """The answer was not found; it is not looked for again in this version of the match."""
        self.put(stuck, {"match": name, "version": version}, "match")

    def unstick(self, names: Iterable[str]) -> None:
        self.change(sa.delete(stuck).where(stuck.c.match.in_(list(names))))

    def stuck(self) -> list[str]:
        return sorted(self.column(_COMPUTING.where(_STUCK)))

    # --- the referee's own outages

    def note_outage(self, since: datetime, length: timedelta) -> None:
        """Every open match is owed the time; each is given it in a transaction of its own, before
        anything else befalls it."""
        seconds = sa.literal(int(length.total_seconds()))
        rows = sa.select(matches.c.name, sa.literal(since, outages.c.since.type), seconds)
        rows = rows.where(matches.c.status == "open")
        self.change(sa.insert(outages).from_select(["match", "since", "seconds"], rows))

    def owed_time(self, most: int) -> list[str]:
        """Matches that are owed time, by their opening."""
        return self.column(_NAMES.where(matches.c.name.in_(sa.select(outages.c.match))).limit(most))

    def take_outages(self, match: str) -> list[tuple[datetime, datetime]]:
        """The time that the match is owed, which it is given now: from when to when the referee was silent."""
        own = sa.delete(outages).where(outages.c.match == match)
        gone = sorted(self.all(pair, own.returning(outages.c.since, outages.c.seconds)))
        return [(since, since + timedelta(seconds=seconds)) for since, seconds in gone]


def _entry(row: sa.Row[Any]) -> Entry:
    """The event in today's shape, and as it was written: what the chain covers. Loaded with the
    first ledger that is read: whoever asks for rows alone needs no events."""
    from referee.match.events import CODEC, Entry

    body = json.loads(row.body)
    event = CODEC.decode(body)
    return Entry(row.version, row.position, row.cause, row.at, event, row.public, row.since, body)


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _line(match: str, entry: Entry) -> dict[str, object]:
    told = {name: getattr(entry, name) for name in ("version", "position", "cause", "at", "since", "public")}
    return {"match": match, **told, "kind": entry.body["is"], "body": _JSON.encode(entry.body)}
