"""Workers go by the database's clock, and by no machine's. Where that one is wrong their own count of seconds says so:
no deadline falls by it, one letter tells of it, and one command mends what it did before anybody could know."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.service.config import read_configuration
from referee.service.tasks import Tasks
from referee.service.wiring import running
from tests.clocks import DatabaseClock, Machine, set_clock
from tests.world import World, kinds

pytestmark = pytest.mark.server
OPENED = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, YEAR = timedelta(hours=1), timedelta(days=365)
PEOPLE = ["Ann <ann@example.org>", "Ben <ben@example.org>"]


@dataclass
class Club:
    """A match for two, two workers, and the clocks of their machine and of the database, which may be `off`."""

    world: World
    machine: Machine
    database: DatabaseClock
    workers: list[Tasks]
    name: str = ""
    off: timedelta = timedelta()

    def passes(self, **span: float) -> None:
        """Time goes by, and the workers take what it brings."""
        self.machine.passes(**span)
        self.database.says(self.machine.true + self.off)
        for one in self.workers:
            one.tick()
            one.receive()
        while self.workers[0].judge_next() or self.workers[1].judge_next():
            pass
        self.workers[0].deliver()

    def move(self, seat: int, words: str) -> None:
        subject = f"Buttons: Move / Player {seat} [{self.name}]"
        self.world.mail(PEOPLE[seat - 1], subject, words, self.machine.true.isoformat())

    @property
    def due(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = self.world.show(self.name)["due"]
        return found

    def told(self) -> str:
        return next((line for line in self.world.run("doctor").out.splitlines() if "clock:" in line), "")


@pytest.fixture
def club(tmp_path: Path, queue_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    world = World(tmp_path, f'[store]\nurl = "{queue_url}"\n[engine]\nkind = "procrastinate"\n', tables=False)
    database = DatabaseClock(queue_url)
    with ExitStack() as stack:
        located = read_configuration(tmp_path / "referee.toml")
        workers = [stack.enter_context(running(located)).tasks() for _ in range(2)]
        yield Club(world, set_clock(monkeypatch, OPENED), database, workers)


def opened(club: Club) -> Club:
    club.name = club.world.open("buttons", PEOPLE, OPENED.isoformat(), starter="1")
    club.passes(minutes=1)
    club.world.new_letters()
    return club


def test_a_machine_whose_clock_is_wrong_does_nothing_by_it(club: Club) -> None:
    opened(club)
    due = club.due
    club.machine.off = YEAR
    ran = club.world.run("step", "--json")
    assert (ran.status, ran.json["lapsed"]) == (0, 0), ran.err
    assert club.due == due
    assert club.world.run("extend", club.name, "--by", "2d", "--why", "Easter").status == 0
    club.machine.off = timedelta()
    club.move(1, "Place: B1 at a1")
    club.passes(minutes=1)
    (then,) = club.due
    assert (then["seat"], str(then["due_at"])[:4]) == (2, "2026")
    club.world.verifies(club.name)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("off", [HOUR, 8 * 24 * HOUR, YEAR])
def test_a_database_whose_clock_jumps_fires_no_deadline(club: Club, off: timedelta) -> None:
    opened(club)
    club.passes(minutes=10)
    club.off = off
    club.passes(minutes=10)
    assert club.due[0]["seat"] == 1
    assert kinds(club.world.new_letters())["alarm"] == ["moderator@referee.localhost"]
    assert "is doubted" in club.told()
    club.move(1, "Place: B1 at a1")
    club.passes(minutes=10)
    assert club.due[0]["seat"] == 2, "mails are judged meanwhile"
    assert "alarm" not in kinds(club.world.new_letters())
    club.off = timedelta()
    club.passes(minutes=10)
    assert club.told() == ""
    club.move(2, "Place: W1 at b1")
    club.passes(minutes=10)
    assert club.due[0]["seat"] == 1
    club.passes(days=8)
    assert club.due == [], "now it was due"


def test_a_worker_begun_on_another_machine_doubts_the_clock_as_the_others_do(club: Club) -> None:
    opened(club)
    club.passes(minutes=10)
    club.off = 8 * 24 * HOUR
    club.passes(minutes=10)
    club.world.new_letters()
    here, club.workers = club.machine.boot, [club.workers[1]] * 2
    club.machine.boot, club.workers[0].known = here + 7, None
    for minutes in (2, 10, 10):
        club.passes(minutes=minutes)
        assert (club.due[0]["seat"], "is doubted" in club.told()) == (1, True)
    assert "alarm" not in kinds(club.world.new_letters()), "it was told"
    club.move(1, "Place: B1 at a1")
    club.passes(minutes=10)
    assert club.due[0]["seat"] == 2, "mails are judged meanwhile"
    club.off = timedelta()
    club.passes(minutes=10)
    assert club.told() == ""
    club.passes(days=8)
    assert club.due == []


def test_workers_that_began_a_year_ahead_are_set_back(club: Club) -> None:
    opened(club)
    stood = club.due
    club.passes(minutes=10)
    club.workers[0].known = club.workers[1].known = None
    club.machine.restarts()
    club.off = YEAR
    club.passes(minutes=10)
    assert club.due != stood, "a silence says nothing"
    club.world.new_letters()
    club.off = timedelta()
    club.passes(minutes=10)
    assert kinds(club.world.new_letters())["alarm"] == ["moderator@referee.localhost"]
    assert "referee clock --back" in club.told()
    ran = club.world.run("clock", "--back", "--json")
    assert (ran.status, ran.json["set_back"]) == (0, [club.name]), ran.err
    assert club.due == stood
    club.move(1, "Place: B1 at a1")
    club.passes(minutes=10)
    assert club.due[0]["seat"] == 2
    assert club.told() == ""
    assert club.world.run("check").status == 0
    club.passes(days=8)
    assert club.due == []


def test_what_somebody_says_of_the_clock_reaches_every_worker(club: Club) -> None:
    opened(club)
    club.off = 8 * 24 * HOUR  # it was wrong before
    club.passes(minutes=10)
    assert club.due[0]["seat"] == 1
    assert club.world.run("clock", "--right").status == 0
    club.passes(minutes=1)
    assert club.told() == ""
    assert club.due == []
