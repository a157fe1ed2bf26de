"""Three workers under load, killed at random (SIGKILL), cut off from the database, with clocks minutes apart, a mail
over which processes die, a match that can't be read, and a database that is started again: every mail has the
verdict, every ledger the entries and every letter the bytes that one undisturbed desk gives. A letter may leave
twice, in a batch that was in hand at a kill, under its own Message-ID."""

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, cycle, islice, takewhile
from pathlib import Path

import pytest

from referee.base.settings import Settings
from tests.engine.load import (
    Load,
    Outcome,
    Workers,
    by_one_desk,
    differences,
    drop,
    out_of_order,
    outcome,
    repeated,
    standing,
    stop_the_clock,
    waiting_in,
)
from tests.servers.ground import PATIENCE
from tests.servers.postgres import Postgres, running_postgres
from tests.store.test_one_pass_at_a_time import cut_off
from tests.world import World

pytestmark = pytest.mark.server
SKEWS = (0.0, 420.0, -660.0)  # seconds by which the workers' machines are wrong
BATCH = Settings().courier.batch
AHEAD = 30  # mails handed in beyond the next blow


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A server of one's own, which may be started again."""
    with running_postgres() as server:
        yield server


def world_on(folder: Path, url: str) -> World:
    folder.mkdir()
    config = f'[poll]\nevery = "1s"\n[store]\nurl = "{url}"\n[engine]\nkind = "procrastinate"\n'
    return World(folder, config)


@dataclass
class Trial:
    """Workers at their work, and what befalls them."""

    world: World
    url: str
    load: Load
    workers: Workers
    server: Postgres
    kinds: tuple[str, ...]
    chance: random.Random
    fallen: Counter[str] = field(default_factory=Counter)
    seen: dict[str, int] = field(default_factory=dict)
    looks: int = 0
    by_itself: int = 0  # the look at which nothing was left but what a moderator lets go

    def run(self, marks: list[int]) -> None:
        """Whenever so many mails as a mark says have been judged a blow falls. No more than `AHEAD` mails beyond the
        next mark are handed in before, so that however fast the workers are every blow falls on mails in hand."""
        mails, handed = iter(self.load), 0
        for mark, kind in zip(marks, cycle(self.kinds), strict=False):
            for mail in islice(mails, mark + AHEAD - handed):
                drop(self.world.folder / "mail/in", *mail)
                handed += 1
            self.wait(lambda judged, left, mark=mark: judged >= mark)
            time.sleep(self.chance.uniform(0, 0.1))
            self.blow(kind)
        for mail in mails:
            drop(self.world.folder / "mail/in", *mail)
        self.wait(lambda judged, left: not left and not waiting_in(self.world.folder))
        self.look()
        self.by_itself = self.looks
        for waits in self.world.run("desk", "--json").json["trouble"]:  # over which two workers were killed
            if "may have left" in waits["what"]:
                assert self.world.run(*waits["command"].split()[1:]).status == 0
        self.wait(lambda judged, left: not left)

    def wait(self, until: Callable[[int, int], bool]) -> None:
        """Dead workers are replaced meanwhile. `PATIENCE` is for a hang alone."""
        began = time.monotonic()
        while (now := standing(self.url)) is None or not until(*now):
            self.look()
            self.fallen["died"] += self.workers.revive()
            time.sleep(0.05)
            assert time.monotonic() - began < PATIENCE, self.workers.logs[-6000:]

    def look(self) -> None:
        """Note which letters have left since the last look. A listing that is made while letters arrive may lack one
        and have a later one (as on ext4): it is made until it says the same twice."""
        self.looks += 1
        folder, names = self.world.folder / "mail/out/new", set[str]()
        while folder.exists() and names != (names := set(os.listdir(folder))):
            pass
        for name in names:
            self.seen.setdefault(name, self.looks)

    def blow(self, kind: str) -> None:
        self.fallen[kind] += 1
        if kind == "kill":
            self.workers.kill(self.chance.randrange(3))
        elif kind == "cut off":
            cut_off(self.url)
        else:
            self.server.restart()


def compared(wanted: Outcome, found: Outcome, load: Load, blows: int, by_itself: int) -> None:
    wrong = differences(wanted, found, load)
    assert not wrong, (len(wrong), wrong[:8])
    assert not out_of_order(found, by_itself)
    assert repeated(found) <= blows * BATCH


def marks_for(mails: int, apart: tuple[int, int], chance: random.Random) -> list[int]:
    """After how many mails the blows fall, so far apart: by chance and the load alone."""
    return list(
        takewhile(lambda mark: mark <= mails, accumulate(chance.randint(*apart) for _ in range(mails)))
    )


def under_blows(
    tmp_path: Path, server: Postgres, load: Load, kinds: tuple[str, ...], apart: tuple[int, int]
) -> Counter[str]:
    """What befell the workers until they had done what one desk does; `apart`: so many mails lie between two blows."""
    (tmp_path / "desk").mkdir()
    wanted = by_one_desk(tmp_path / "desk", load)
    chance = random.Random("blows 1")
    marks = marks_for(len(wanted.verdicts), apart, chance)
    with server.database() as url:
        stop_the_clock(url)
        world = world_on(tmp_path / "workers", url)
        load.open(world)
        workers = Workers(world, 3, SKEWS, load.poison)
        trial = Trial(world, url, load, workers, server, kinds, chance)
        with workers.at_work():
            trial.run(marks)
        trial.look()
        found = outcome(world.folder, url, trial.seen)
    fallen = trial.fallen
    print(
        f"\n{len(found.verdicts)} mails over {load.matches} matches, blows {dict(fallen)},"
        f" {repeated(found)} letters left twice"
    )
    compared(wanted, found, load, fallen.total(), trial.by_itself)
    return fallen


def test_workers_killed_cut_off_and_with_wrong_clocks_do_what_one_desk_does(
    tmp_path: Path, own_postgres: Postgres
) -> None:
    load = Load(8, 12, poison="Poison!")
    fallen = under_blows(tmp_path, own_postgres, load, ("kill", "cut off", "kill", "restart"), (12, 30))
    assert fallen["kill"] >= 2
    assert fallen["cut off"] >= 1
    assert fallen["restart"] >= 1


@pytest.mark.soak
def test_ten_thousand_mails_over_five_hundred_matches_under_blows(
    tmp_path: Path, own_postgres: Postgres
) -> None:
    kinds = ("kill", "kill", "cut off", "kill", "kill", "restart")
    fallen = under_blows(tmp_path, own_postgres, Load(500, 16, poison="Poison!"), kinds, (100, 400))
    assert fallen["kill"] >= 10
