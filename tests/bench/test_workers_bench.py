"""Several workers on one PostgreSQL, in ratios of one run: two against one, a ruling by a worker against one by a desk
on the same database, and how long a job waits for its lock while other matches are busy."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.config import Configuration, EngineSection, Located, StoreSection
from referee.engine.queue import QUEUES, look
from referee.post.carrying.maildir import MaildirMailbox
from referee.rehearsal.memory import MemoryCourier
from referee.wiring import Referee, running
from tests.engine.load import CLOCK, Crew, Load, drop, standing, stop_the_clock, waiting_in
from tests.servers.ground import eventually
from tests.servers.postgres import Postgres
from tests.servers.stream import SECRET
from tests.world import World

pytestmark = pytest.mark.server
MATCHES, MAILS = 30, 15
TICKS = os.sysconf("SC_CLK_TCK")


@pytest.fixture(autouse=True)
def one_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SECRET", SECRET)


@dataclass(frozen=True)
class Run:
    """Seconds from the first mail judged to the last, and the seconds of computing that it took."""

    mails: int
    wall: float
    own: float
    database: float

    @property
    def rate(self) -> float:
        return self.mails / self.wall

    def __str__(self) -> str:
        return (
            f"{self.rate:.0f} mails/s; a mail: {1000 * self.own / self.mails:.1f} ms of workers,"
            f" {1000 * self.database / self.mails:.1f} ms of PostgreSQL"
        )


def cpu_of(pid: int) -> float:
    """Seconds of computing, with those of the children that have ended."""
    try:
        return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15])) / TICKS
    except FileNotFoundError:
        return 0.0


def cpu_of_server(server: Postgres) -> float:
    """Of the server, and all that work for it."""
    head = int((server.root / "data/postmaster.pid").read_text().split()[0])
    children = [
        int(stat.parent.name)
        for stat in Path("/proc").glob("[0-9]*/stat")
        if (words := read(stat)) and words[1] == str(head)
    ]
    return sum(map(cpu_of, (head, *children)))


def read(stat: Path) -> list[str]:
    try:
        return stat.read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def by_workers(folder: Path, server: Postgres, number: int) -> Run:
    """The load by so many workers, all of which are at work before the first mail is there."""
    with server.database() as url:
        folder.mkdir()
        config = f'[poll]\nevery = "1s"\n[store]\nurl = "{url}"\n[engine]\nkind = "procrastinate"\n'
        world, load = World(folder, config), Load(MATCHES, MAILS)
        stop_the_clock(url)
        load.open(world)
        crew = Crew(world, number)
        with crew.at_work():
            eventually(lambda: all("started" in worker.log for worker in crew.workers), "they work", 120)
            eventually(lambda: (standing(url) or (0, 1))[1] == 0, "the opening letters leave", 120)
            pids = [worker.pid for worker in crew.workers]
            before = sum(map(cpu_of, pids)), cpu_of_server(server)
            mails = list(load)
            for mail in mails:
                drop(folder / "mail/in", *mail)
            began = time.monotonic()
            eventually(
                lambda: not waiting_in(folder) and (standing(url) or (0, 1))[1] == 0, "all is done", 900
            )
            wall = time.monotonic() - began
            own, database = sum(map(cpu_of, pids)) - before[0], cpu_of_server(server) - before[1]
        return Run(len(mails), wall, own, database)


def by_a_desk(folder: Path, server: Postgres) -> Run:
    """The same load by one desk, in one pass, on PostgreSQL."""
    with server.database() as url:
        folder.mkdir()
        world, load = World(folder, f'[store]\nurl = "{url}"\n'), Load(MATCHES, MAILS)
        load.open(world)
        world.step(CLOCK.isoformat())
        mails = list(load)
        for mail in mails:
            drop(folder / "mail/in", *mail)
        own, database, began = time.process_time(), cpu_of_server(server), time.monotonic()
        world.step(CLOCK.isoformat())
        wall = time.monotonic() - began
        return Run(len(mails), wall, time.process_time() - own, cpu_of_server(server) - database)


def test_two_workers_against_one_and_a_ruling_against_a_desks(tmp_path: Path, postgres: Postgres) -> None:
    desk = by_a_desk(tmp_path / "desk", postgres)
    one = by_workers(tmp_path / "one", postgres, 1)
    two = by_workers(tmp_path / "two", postgres, 2)
    cost = (one.own + one.database) / (desk.own + desk.database)
    bound = 2 * one.wall / (one.own + one.database)
    print(f"\na desk: {desk}\none worker: {one}\ntwo workers: {two}")
    print(
        f"two against one: {two.rate / one.rate:.2f} times (two cores hold {bound:.2f} at most, PostgreSQL among them);"
        f" a worker's ruling against a desk's: {cost:.2f} times, {one.own / desk.own:.2f} without PostgreSQL;"
        f" load average {os.getloadavg()[0]:.1f}"
    )
    assert two.mails == one.mails == desk.mails


@contextmanager
def engine_referee(folder: Path, url: str) -> Iterator[Referee]:
    for part in ("new", "cur", "tmp"):
        (folder / "mail/in" / part).mkdir(parents=True, exist_ok=True)
    settings = Configuration(store=StoreSection(url=url), engine=EngineSection(kind="procrastinate"))
    mailbox = MaildirMailbox(folder / "mail/in")
    with running(Located(settings, folder), given_mailbox=mailbox, given_courier=MemoryCourier()) as referee:
        yield referee


def test_how_long_a_job_waits_for_its_lock_among_busy_matches(tmp_path: Path, postgres: Postgres) -> None:
    """What fetching a job costs while 10, 100, 1,000 other matches each have one in hand and three that wait for it."""
    costs = {}
    for busy in (10, 100, 1000):
        with postgres.database() as url, engine_referee(tmp_path / str(busy), url) as referee:
            store = referee.store
            with store.transaction() as unit:
                unit.note(*(look(f"busy-{n}") for n in range(busy)))  # type: ignore[attr-defined]
            engine = sa.create_engine(url)
            with engine.begin() as connection:
                worker = connection.execute(
                    sa.text("SELECT worker_id FROM procrastinate_register_worker_v1()")
                ).scalar_one()
                fetch = sa.text("SELECT id, lock FROM procrastinate_fetch_job_v2(CAST(:q AS varchar[]), :w)")
                wanted = {"q": list(QUEUES), "w": worker}
                while (got := connection.execute(fetch, wanted).one()).id is not None:
                    assert got.lock is None or got.lock.startswith("busy")
            for _ in range(3):
                with store.transaction() as unit:
                    unit.note(*(look(f"busy-{n}") for n in range(busy)))  # type: ignore[attr-defined]
            spent = []
            for number in range(60):
                with store.transaction() as unit:
                    unit.note(look(f"free-{number}"))  # type: ignore[attr-defined]
                began = time.perf_counter()
                with engine.begin() as connection:
                    assert connection.execute(fetch, wanted).one().lock == f"free-{number}"
                spent.append(1000 * (time.perf_counter() - began))
            engine.dispose()
            costs[busy] = statistics.median(spent)
    told = ", ".join(f"{busy} busy: {cost:.2f} ms" for busy, cost in costs.items())
    print(f"\na free match's job is in hand after ({told}), load average {os.getloadavg()[0]:.1f}")
    assert costs[1000] < 60 * costs[10]
