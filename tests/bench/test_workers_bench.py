"""Several workers on one PostgreSQL, in ratios of one run: two against one, a ruling by a worker against one by a desk
on the same database, and what it costs to find what is next."""

import os
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.service.keyed import KeyedStore
from referee.store.post import KeptMail
from tests.engine.load import CLOCK, Load, Workers, drop, standing, stop_the_clock
from tests.servers.ground import eventually
from tests.servers.postgres import Postgres
from tests.world import World

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("one_secret")]
MATCHES, MAILS = 30, 40
TICKS = os.sysconf("SC_CLK_TCK")
_LEFT = (
    "SELECT (SELECT count(*) FROM outbox WHERE state = 'unsent' AND next_try IS NULL)"
    " - (SELECT count(*) FROM inbox WHERE verdict IS NOT NULL)"
)
_QUIET = 0.2  # cores that others may keep busy


@dataclass(frozen=True)
class Run:
    """Seconds from when the first mail is kept until the last letter has left, and the seconds of computing."""

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


def at_work_elsewhere() -> float:
    """How many cores are busy while this process does nothing."""

    def spent() -> int:
        user, nice, system, _, _, irq, softirq, *_ = map(
            int, Path("/proc/stat").read_text().split("\n")[0].split()[1:]
        )
        return user + nice + system + irq + softirq

    before = spent()
    time.sleep(2)
    return (spent() - before) / TICKS / 2


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
        workers = Workers(world, number)
        with workers.at_work():
            eventually(lambda: all("started" in worker.log for worker in workers.workers), "they work", 120)
            eventually(lambda: (standing(url) or (0, 1))[1] == 0, "the opening letters leave", 120)
            pids = [worker.pid for worker in workers.workers]
            before = sum(map(cpu_of, pids)), cpu_of_server(server)
            mails = list(load)
            for mail in mails:
                drop(folder / "mail/in", *mail)
            engine = sa.create_engine(url)
            begun(engine)
            began = time.monotonic()
            while left(engine, len(mails)):
                time.sleep(0.2)  # whoever looks all the time takes a core from them
                assert time.monotonic() - began < 900, workers.logs[-4000:]
            wall = time.monotonic() - began
            engine.dispose()
            own, database = sum(map(cpu_of, pids)) - before[0], cpu_of_server(server) - before[1]
        return Run(len(mails), wall, own, database)


def begun(engine: sa.Engine) -> None:
    """Wait until the first of the mails is kept."""
    with engine.connect() as connection:
        eventually(
            lambda: connection.execute(sa.text("SELECT count(*) FROM inbox")).scalar() != 0, "it is read"
        )


def left(engine: sa.Engine, mails: int) -> int:
    """How many of the mails are still to be judged, and of the letters so far to be sent."""
    with engine.connect() as connection:
        return mails + int(connection.execute(sa.text(_LEFT)).scalar_one())


def by_steps(folder: Path, server: Postgres, engine: str) -> Run:
    """The load in one `step`, on PostgreSQL, with that engine: the same process, nothing else beside it."""
    with server.database() as url:
        folder.mkdir()
        world, load = World(folder, f'[store]\nurl = "{url}"\n[engine]\nkind = "{engine}"\n'), Load(20, 12)
        load.open(world)
        world.step(CLOCK.isoformat())
        mails = list(load)
        for mail in mails:
            drop(folder / "mail/in", *mail)
        own, database, began = time.process_time(), cpu_of_server(server), time.monotonic()
        world.step(CLOCK.isoformat())
        wall = time.monotonic() - began
        return Run(len(mails), wall, time.process_time() - own, cpu_of_server(server) - database)


def test_what_a_ruling_costs_with_the_engine_against_a_desks(tmp_path: Path, postgres: Postgres) -> None:
    """In computing time, which a busy machine blurs little; the two by turns."""
    costs: dict[str, list[float]] = {"inline": [], "procrastinate": []}
    for number in range(3):
        for engine, spent in costs.items():
            run = by_steps(tmp_path / f"{engine}-{number}", postgres, engine)
            print(f"\n{engine}: {run}", end="")
            spent.append((run.own + run.database) / run.mails)
    ratio = statistics.median(costs["procrastinate"]) / statistics.median(costs["inline"])
    print(f"\na ruling with the engine against a desk's on PostgreSQL: {ratio:.2f} times")
    assert ratio < 1.3


def test_two_workers_against_one(tmp_path: Path, postgres: Postgres) -> None:
    if (busy := at_work_elsewhere()) > _QUIET:
        pytest.skip(f"{busy:.1f} cores are busy with other work: how long two workers take says nothing")
    ones, twos = [], []
    for number in range(3):  # by turns: the machine is not always as fast
        ones.append(by_workers(tmp_path / f"one-{number}", postgres, 1))
        twos.append(by_workers(tmp_path / f"two-{number}", postgres, 2))
        print(f"\none worker: {ones[-1]}\ntwo workers: {twos[-1]}", end="")
    one, two = (sorted(runs, key=lambda run: run.rate)[1] for runs in (ones, twos))
    bound = (os.cpu_count() or 1) * one.wall / (one.own + one.database)
    print(
        f"\ntwo against one: {two.rate / one.rate:.2f} times"
        f" (the cores of this machine hold {bound:.2f} at most, PostgreSQL among them)"
    )
    assert two.rate > min(1.6, 0.85 * bound) * one.rate


def test_what_finding_the_next_key_costs_while_many_wait(tmp_path: Path, postgres: Postgres) -> None:
    """Open mails under so many keys, none in hand."""
    costs = {}
    for waiting in (100, 1000, 10_000):
        with postgres.database() as url:
            store = KeyedStore(url, tmp_path / f"{waiting}.secret", lambda where: None)
            with store.transaction() as unit:
                for n in range(waiting):
                    unit.keep(KeptMail(0, str(n), str(n), CLOCK, 1, False, b"x", None, None), f"match-{n}")
            spent = []
            for _ in range(30):
                began = time.perf_counter()
                with store.transaction() as unit:
                    assert unit.due_keys(CLOCK, CLOCK)
                spent.append(1000 * (time.perf_counter() - began))
            store.close()
            costs[waiting] = statistics.median(spent)
    told = ", ".join(f"{waiting} waiting: {cost:.2f} ms" for waiting, cost in costs.items())
    print(f"\nthe next key is found in ({told}), load average {os.getloadavg()[0]:.1f}")
    assert costs[10_000] < 300 * costs[100]
