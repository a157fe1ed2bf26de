"""A referee in memory on a real store: mails are handed in, letters kept, and everything fails as planned: at the nth
call of an operation, before or after its effect.

The mailbox's operations: `fetch` (each call), `batch` (each handed over), `file` (each mail put away); the courier's:
`send`; the store's: `write`, `commit`, `committed`."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sa

from referee.base import shipped
from referee.base.ports import Arrival, Delivery, Filing, HandedOver, Known, Parcel, unknown
from referee.base.settings import CourierSection, EngineSection, Settings, StoreSection
from referee.core import seam
from referee.core.game import AnyGame
from referee.core.value import Demand
from referee.games import found
from referee.letters.rendering import Renderer
from referee.match.events import Entrant
from referee.match.match import Match, outstanding
from referee.offices.passes import Counts
from referee.offices.register import NewMatch
from referee.rehearsal.players import seeded
from referee.service.config import Located
from referee.service.wiring import Referee
from referee.store.tables import metadata
from tests.empty_store import new_tables, put_tables
from tests.world import _FOLDERS

BATCH = 100
SENT = Delivery("sent")


class Crash(BaseException):
    """The process is gone, as by kill -9. No handler of errors may take this for an error of its own."""


@dataclass(frozen=True, slots=True)
class PlannedFailure:
    """At the `nth` call (from 1) of `operation`, `before` or `after` its effect, raise what `fault` makes."""

    operation: str
    nth: int
    when: Literal["before", "after"]
    fault: Callable[[], BaseException] = Crash


@dataclass(slots=True)
class FailurePlan:
    """Counts operations and raises where a failure is planned. Shared among adapters it numbers their operations
    together."""

    planned: tuple[PlannedFailure, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, planned: Iterable[PlannedFailure]) -> FailurePlan:
        return cls(tuple(planned))

    def begin(self, operation: str) -> None:
        """The operation is about to take effect."""
        self.counts[operation] = self.counts.get(operation, 0) + 1
        self._raise_if_planned(operation, "before")

    def end(self, operation: str) -> None:
        """The operation has taken effect."""
        self._raise_if_planned(operation, "after")

    def _raise_if_planned(self, operation: str, when: str) -> None:
        for failure in self.planned:
            if (failure.operation, failure.nth, failure.when) == (operation, self.counts[operation], when):
                raise failure.fault()


@dataclass(frozen=True, slots=True)
class ServerMail:
    """One mail as the server keeps it. `number` rises with every delivery and is never used again."""

    number: int
    arrived: datetime
    raw: bytes
    filed: Filing | None = None


@dataclass(slots=True)
class MemoryMailbox:
    """The server side outlives a crash: make a new MemoryMailbox over the same `mails` for the restarted referee,
    or keep this one."""

    failures: FailurePlan = field(default_factory=FailurePlan)
    mails: dict[str, ServerMail] = field(default_factory=dict)
    era: int = 1
    batch: int = BATCH
    _seen: int = 0

    def deliver(self, raw: bytes, arrived: datetime) -> str:
        """A mail comes in; its uid."""
        if arrived.utcoffset() is None:
            raise ValueError("arrival times are aware")
        number = self._last() + 1
        uid = f"memory:{self.era}:{number}"
        self.mails[uid] = ServerMail(number, arrived, raw)
        return uid

    def filed(self, filing: Filing) -> tuple[bytes, ...]:
        """What lies in that folder, for tests to look at."""
        return tuple(mail.raw for mail in self.mails.values() if mail.filed == filing)

    def fetch(self, known: Known, largest: int) -> Iterator[Sequence[Arrival]]:
        self.failures.begin("fetch")
        self._seen = self._last()
        strange = unknown([uid for uid, mail in self.mails.items() if mail.filed is None], known)
        waiting = [(uid, self.mails[uid]) for uid in strange]
        waiting.sort(key=lambda each: (each[1].arrived, each[1].number))
        for start in range(0, len(waiting), self.batch):
            self.failures.begin("batch")
            yield tuple(arrival(uid, mail, largest) for uid, mail in waiting[start : start + self.batch])
            self.failures.end("batch")
        self.failures.end("fetch")

    def file(self, filings: Sequence[tuple[str, Filing]]) -> None:
        for uid, filing in filings:
            self.failures.begin("file")
            mail = self.mails.get(uid)
            if mail is not None:
                self.mails[uid] = ServerMail(mail.number, mail.arrived, mail.raw, filing)
            self.failures.end("file")

    def wait(self, seconds: float) -> bool:
        """Never sleeps: in memory nothing comes by itself."""
        return self._last() > self._seen

    def examine(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        """Nothing is held open."""

    def _last(self) -> int:
        return max((mail.number for mail in self.mails.values()), default=0)


def arrival(uid: str, mail: ServerMail, largest: int) -> Arrival:
    size = len(mail.raw)
    return Arrival(uid, mail.arrived, mail.raw[:largest], size, cut=size > largest)


def accepts_all(parcel: Parcel) -> Delivery:
    return SENT


@dataclass(slots=True)
class MemoryCourier:
    """Keeps every parcel it took, in order, repeats included. `answer` is what the server says to each; only what
    it lets be sent is kept, and nothing more is drawn after one that was not tried."""

    failures: FailurePlan = field(default_factory=FailurePlan)
    answer: Callable[[Parcel], Delivery] = accepts_all
    sent: list[Parcel] = field(default_factory=list)

    def send(self, parcels: Iterable[Parcel]) -> Iterator[HandedOver]:
        for parcel in parcels:
            delivery = self._take(parcel)
            yield parcel, delivery
            if not delivery.tried:
                return

    def _take(self, parcel: Parcel) -> Delivery:
        self.failures.begin("send")
        delivery = self.answer(parcel)
        if delivery.fate == "sent":
            self.sent.append(parcel)
        self.failures.end("send")
        return delivery

    def examine(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        """Nothing is held open."""


# --- the referee ---------------------------------------------------------------------------------------------------

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PEOPLE = tuple(
    Entrant(name, (f"{name.split()[0].lower()}@example.org",))
    for name in ("Ann Archer", "Ben Baker", "Cleo Carter", "Dan Draper")
)
_BOUNDARY = re.compile(rb"={15}\d+==")
_WRITES = ("INSERT", "UPDATE", "DELETE")


def later(**span: float) -> datetime:
    return NOON + timedelta(**span)


@cache
def _renderer() -> Renderer:
    """Templates are read once for all tests: they hold no state."""
    return Renderer(shipped.folders("templates", Path("nowhere")))


@cache
def _games() -> dict[str, AnyGame]:
    return found()


@dataclass
class Stage:
    """The world outside the process: the folder, the database, what lies on the mail server, what was sent."""

    folder: Path
    url: str = "sqlite:///referee.db"
    mails: dict[str, ServerMail] = field(default_factory=dict)
    sent: list[Parcel] = field(default_factory=list)
    written: int = 0
    look: int = 0  # letters up to here were looked at

    def __post_init__(self) -> None:
        if self.url == "sqlite:///referee.db":
            put_tables(self.folder / "referee.db")

    kind: Literal["inline", "procrastinate"] = "inline"  # the engine
    batch: int = 20  # letters that leave before they are marked

    @contextmanager
    def referee(self, failures: FailurePlan | None = None) -> Iterator[Referee]:
        """A process of the referee, new every time. With a failures it fails as planned, at every write too."""
        listening = nullcontext() if failures is None else _failing_writes(failures)
        failures = failures or FailurePlan()
        configuration = Settings(
            store=StoreSection(url=self.url),
            engine=EngineSection(kind=self.kind),
            courier=CourierSection(batch=self.batch),
        )
        referee = Referee(
            Located(configuration, self.folder), MemoryMailbox(failures, self.mails),
            MemoryCourier(failures, sent=self.sent), failures.begin,
        )  # fmt: skip
        referee.__dict__.update(renderer=_renderer(), games=_games(), worker=InProcess())
        try:
            with listening:
                yield referee
        finally:
            referee.close()

    def step(self, now: datetime, failures: FailurePlan | None = None, **given: Any) -> Counts:
        with self.referee(failures) as referee:
            return referee.desk.step(now, **given)

    def open(self, game: str, seats: int = 4, at: datetime = NOON, **options: str) -> str:
        database, secret = self.folder / "referee.db", os.environ.get("REFEREE_SECRET")
        if secret and self.url == "sqlite:///referee.db" and database.read_bytes() == new_tables():
            name, raw = _opened(secret, game, PEOPLE[:seats], at, tuple(options.items()))
            database.write_bytes(raw)
            return name
        return self._open(game, PEOPLE[:seats], at, options)

    def goes_on(self, begun: Stage) -> None:
        """What that stage has come to, here in this folder; both are on a file."""
        (self.folder / "referee.db").write_bytes((begun.folder / "referee.db").read_bytes())
        self.mails.update(begun.mails)
        self.sent += begun.sent
        self.written, self.look = begun.written, begun.look

    def begun(self, game: str, seats: int = 4, **options: str) -> str:
        """A match whose first letters have left at noon: made once a process for all that begin with it."""
        begun, name = _begun(os.environ["REFEREE_SECRET"], game, seats, tuple(options.items()))
        self.goes_on(begun)
        return name

    def _open(self, game: str, people: tuple[Entrant, ...], at: datetime, options: dict[str, str]) -> str:
        specs, data = shipped.game_options(game), shipped.game_data(game)
        with self.referee() as referee:
            asked = NewMatch(game, people, options, specs, data, seed=7)
            return referee.moderator.open(asked, at).name

    def desk(self, name: str, command: Any, at: datetime, why: str = "because") -> Match:
        with self.referee() as referee:
            return referee.command(name, command, at, why)

    def match(self, name: str) -> Match:
        with self.referee() as referee:
            return referee.moderator.match(name)

    # --- mails in ----------------------------------------------------------------------------------------------

    def deliver(self, raw: bytes, at: datetime) -> str:
        """A mail comes in; its uid."""
        return MemoryMailbox(mails=self.mails).deliver(raw, at)

    def write(self, sender: str, subject: str, body: str, at: datetime, **headers: str) -> bytes:
        """An ordinary mail, delivered; its bytes."""
        self.written += 1
        message = EmailMessage()
        given = {
            "From": sender, "To": "collector@referee.localhost", "Subject": subject,
            "Date": at.strftime("%a, %d %b %Y %H:%M:%S +0000"),
            "Message-ID": f"<mail-{self.written}@players.example>",
        }  # fmt: skip
        for key, value in {**given, **{k.replace("_", "-"): v for k, v in headers.items()}}.items():
            message[key] = value
        message.set_content(body)
        self.deliver(message.as_bytes(), at)
        return message.as_bytes()

    def answer(self, match: Match, demand: Demand, at: datetime, seed: int = 0, **headers: str) -> bytes:
        """The seat's legal answer, drawn from the seed."""
        body = answer_text(match, demand, seed)
        person = match.entrant(demand.seat)
        subject = subject_of(match, demand)
        return self.write(f"{person.name} <{person.addresses[0]}>", subject, body, at, **headers)

    def answer_all(self, name: str, at: datetime, *seats: int) -> None:
        """What the given seats (or all) owe is answered and judged."""
        match = self.match(name)
        for demand in owing(match):
            if not seats or demand.seat in seats:
                self.answer(match, demand, at)
        self.step(at)

    def passed(self, now: datetime, failures: FailurePlan | None = None, **given: Any) -> list[Parcel]:
        """A pass; what was sent since this was last asked."""
        self.step(now, failures, **given)
        return self.new_letters()

    # --- letters out -------------------------------------------------------------------------------------------

    def new_letters(self) -> list[Parcel]:
        """What was sent since this was last asked."""
        fresh, self.look = self.sent[self.look :], len(self.sent)
        return fresh

    def copied(self, folder: Path, url: str | None = None) -> Stage:
        """The same world once more: folder, mail server, letters. Another url is another copy of the database."""
        shutil.copytree(self.folder, folder)
        return Stage(
            folder, url or self.url, dict(self.mails), list(self.sent), self.written, self.look, self.kind
        )

    def rows(self) -> dict[str, list[Any]]:
        """Everything in the database but the outbox's own numbers, which nobody ever sees."""
        with self.referee() as referee, referee.store.transaction() as unit:
            found = {}
            for table in metadata.sorted_tables:
                columns = [c for c in table.c if not (table.name == "outbox" and c.name == "id")]
                order = [table.c.id] if "id" in table.c else list(table.primary_key.columns)
                found[table.name] = [
                    dict(r._mapping) for r in unit.connection.execute(sa.select(*columns).order_by(*order))
                ]
            return found


@cache
def _opened(
    secret: str, game: str, people: tuple[Entrant, ...], at: datetime, options: tuple[tuple[str, str], ...]
) -> tuple[str, bytes]:
    """The name of a referee's first match, and its store then: made once a process for all that begin with it."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        name = stage._open(game, people, at, dict(options))
        return name, (stage.folder / "referee.db").read_bytes()


@cache
def _begun(secret: str, game: str, seats: int, options: tuple[tuple[str, str], ...]) -> tuple[Stage, str]:
    stage = Stage(Path(tempfile.mkdtemp(dir=_FOLDERS.name)))
    name = stage.open(game, seats, **dict(options))
    stage.step(NOON)
    return stage, name


class InProcess:
    """The worker without a process of its own."""

    def __call__(self, game: AnyGame, state: Any, demand: Demand, nodes: int) -> Any:
        return game.compute(state, demand, nodes)

    def close(self) -> None:
        """Nothing is held open."""


@contextmanager
def _failing_writes(failures: FailurePlan) -> Iterator[None]:
    """Every statement that writes may fail."""

    def before(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if statement.lstrip()[:6].upper() in _WRITES:
            failures.begin("write")

    sa.event.listen(sa.Engine, "before_cursor_execute", before)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", before)


def game_of(match: Match) -> AnyGame:
    return _games()[match.game]


def owing(match: Match) -> list[Demand]:
    """What nobody has answered yet."""
    return [d for r in match.rounds for d in outstanding(match, r) if d.seat]


def answer_text(match: Match, demand: Demand, seed: int = 0) -> str:
    game = game_of(match)
    action = seam.suggest(game, match.inner, demand, seeded("answer", match.name, demand, seed))
    return seam.filled_in(game, match.inner, demand, match.party(demand.seat), action)


def subject_of(match: Match, demand: Demand) -> str:
    game = game_of(match)
    heading = next(
        (h for h, kind in seam.headings(game).items() if kind == demand.kind), next(iter(seam.headings(game)))
    )
    return f"{game.title}: {heading} / Player {demand.seat}"


def plain(raw: bytes) -> bytes:
    """A letter's bytes without its MIME boundaries, which are drawn afresh at every sending."""
    return _BOUNDARY.sub(b"BOUNDARY", raw)


def kind_of(parcel: Parcel) -> str:
    found = re.search(rb"^X-Referee-Notice: (\S+)", parcel.raw, re.MULTILINE)
    assert found is not None
    return found[1].decode()


def told(parcels: list[Parcel]) -> dict[str, list[str]]:
    """Who got what: kind of letter to the sorted recipients."""
    found: dict[str, list[str]] = {}
    for parcel in parcels:
        found.setdefault(kind_of(parcel), []).append(parcel.recipient)
    return {kind: sorted(people) for kind, people in sorted(found.items())}
