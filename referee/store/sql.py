"""The store on SQLAlchemy Core: one contract, SQLite or PostgreSQL."""

import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from referee.store.club import ClubStore, PersonStore, people
from referee.store.engine import Begin, WorkersAtWork, alone, bring_up, connect, waits
from referee.store.matches import MatchStore, matches, outages
from referee.store.post import KeptMail, LetterStore, MailStore, OutgoingLetter, inbox, outbox, withheld
from referee.store.tables import NO, Foreign, Moment, columns, table


class Clock(NamedTuple):
    """How far the desk has come."""

    last_pass: datetime | None  # its clock
    watermark: datetime | None  # how far the mailbox has been read
    heartbeat: datetime | None  # the service's last sign of life
    # the latest stimulus that was judged: written with what it did, so that a pass that goes on after a crash knows it
    reached: datetime | None = None
    desk_at: datetime | None = None  # when it was looked through for the daily letter
    under_way: bool = False  # the last pass has not come to the end of its judging
    witness: str | None = None  # what is known of the machine's clock, where the last pass went by that


clock = table("clock", sa.Column("id", sa.Integer, primary_key=True), *columns(Clock, under_way=NO))

# who is at the desk, in their order
moderators = table("moderators", keys=1, address=Foreign(indexed=True), place=sa.Integer)

# Of matches that several workers look after: up to when all that befell one is judged.
match_clocks = table("match_clocks", keys=1, match="matches.name", reached=Moment)


# Whom the configuration has there; and who is there now, which every transaction finds out anew.
AtDesk = tuple[Sequence[str], list[str]]
Trip = Callable[[str], None]
_HANDS = Clock._fields
_CLOCK = sa.select(*(clock.c[name] for name in _HANDS))
_DESK = sa.select(moderators.c.address).order_by(moderators.c.place)


class Unit(MailStore, MatchStore, LetterStore, PersonStore, ClubStore):
    """One transaction on one connection, over all rows. Who needs some of them alone asks for these. It has one moment
    (`now`), at which all that is done in it befalls: whoever begins it says so, where anything is."""

    now: datetime

    def __init__(self, connection: sa.Connection, desk: AtDesk) -> None:
        """Who is at the desk now: those of the configuration before the first match, with which they are written."""
        super().__init__(connection)
        begun, self._desk = desk
        self._desk[:] = self.column(_DESK)
        if begun and not self._desk and self.value(sa.select(matches.c.name).limit(1)) is not None:
            self.seat_moderators(begun)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """What is inside is undone whole when it raises."""
        seen, held, desk = dict(self._seen), set(self._held), tuple(self._desk)
        try:
            with self.connection.begin_nested():
                yield
        except BaseException:
            self._seen, self._held, self._desk[:] = seen, held, desk  # what was taken since is let go too
            raise

    def seat_moderators(self, addresses: Iterable[str]) -> None:
        """These from now on, in that order, for all processes."""
        self._desk[:] = addresses
        self.change(sa.delete(moderators))
        rows = [{"address": each, "place": place} for place, each in enumerate(self._desk)]
        self.insert_all_new(moderators, rows, "address")

    def clock(self) -> Clock:
        return self.first(Clock, _CLOCK) or Clock(None, None, None)

    def by_its_clock(self, said: Any) -> Any:
        """What a machine has said of its clock, but by that of the store where it has one."""
        return said

    def set_clock(self, now: Clock) -> None:
        self.put(clock, {"id": 1, **now._asdict()}, "id")

    def aside(self) -> list[KeptMail]:
        """The mails put aside, and those that by their server's clock come an hour after the last pass, or later."""
        last = self.clock().last_pass
        later = [inbox.c.verdict.is_(None) & (inbox.c.arrived > last + timedelta(hours=1))] if last else []
        found, why = self.mails(["held", "shunted"], *later), "it waits until the time of its server's clock"
        return [mail if mail.verdict else mail._replace(verdict="held", reason=why) for mail in found]

    def turn_back(self, at: datetime) -> None:
        """No clock of ours is later than that; nothing is known of the machine's."""
        told = (outbox.c.next_try, outbox.c.at, withheld.c.since, inbox.c.settled_at, people.c.failing)
        for column in (*(clock.c[name] for name in _HANDS[:5]), match_clocks.c.reached, *told):
            self.change(sa.update(column.table).where(column > at).values({column: at}))
        self.change(sa.update(clock).values(witness=None))
        self.change(sa.delete(outages))  # that were not given back before the next pass are of the last


Claim = Callable[[Unit, datetime, int], list[OutgoingLetter]]  # what is to leave, and nobody else has in hand


class Store:
    """The store behind a database URL. `secret_path` holds the referee's secret, made once, unless the
    environment gives one in REFEREE_SECRET. `trip` is called before every commit (tests crash there)."""

    def __init__(
        self, url: str, secret_path: Path, trip: Trip = lambda where: None, desk: AtDesk | None = None
    ) -> None:
        self._desk = desk or ((), [])
        self._secret_path = secret_path
        self._engine = connect(url)
        self._trip = trip
        self._pass = threading.local()  # the connection that holds the lock, of the thread whose pass it is
        try:
            bring_up(self._engine)
        except BaseException:
            self._engine.dispose()
            raise

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keeps other passes out; it is let go when the process dies."""
        with alone(self._engine, WorkersAtWork) as self._pass.begin:
            try:
                yield
            finally:
                self._pass.begin = None

    @contextmanager
    def transaction(self) -> Iterator[Unit]:
        begin: Begin | None = getattr(self._pass, "begin", None)
        with (begin or self._engine.begin)() as connection:
            yield Unit(connection, self._desk)
            self._trip("commit")
        self._trip("committed")

    def known(self, uids: Sequence[str]) -> set[str]:
        with self.transaction() as unit:
            return unit.known_uids(uids)

    @contextmanager
    def claiming(self) -> Iterator[Claim]:
        """Letters to claim: as long as it lasts nobody else has letters to their readers in hand;
        it ends with the process."""
        yield lambda unit, by, most: unit.unsent(by, most)

    def secret(self) -> bytes:
        if given := os.environ.get("REFEREE_SECRET"):
            return given.encode()
        if not self._secret_path.exists():
            self._make_secret()
        return bytes.fromhex(self._secret_path.read_text().strip())

    def _make_secret(self) -> None:
        """Written aside and linked into place, so that two first starts end with one secret."""
        aside = self._secret_path.with_name(f"{self._secret_path.name}.{os.getpid()}")
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(aside, self._secret_path)
        except FileExistsError:
            return  # another start was first; its secret is the one
        finally:
            aside.unlink()

    def examine(self) -> tuple[str, ...]:
        try:
            with self._engine.connect() as connection:
                connection.execute(sa.text("SELECT 1"))
                return tuple(waits(connection))
        except sa.exc.SQLAlchemyError as error:
            return (f"The store does not answer: {error}",)

    def close(self) -> None:
        self._engine.dispose()
