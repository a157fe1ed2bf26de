"""A disk that is full, under the letters and under the store: nothing is lost, nothing half done, somebody is told."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.memory import PEOPLE
from tests.servers.daemon import Daemon, counted, letters_in
from tests.servers.ground import SmallDisk, eventually, small_disk
from tests.world import START, World, kinds

TWO = [f"{p.name} <{p.addresses[0]}>" for p in PEOPLE[:2]]
LATER = "2026-03-01T12:05:00Z"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "small") as disk:
        yield disk


def test_letters_wait_until_the_disk_has_room_and_none_is_half_written(
    tmp_path: Path, disk: SmallDisk
) -> None:
    world = World(tmp_path, '[courier]\nurl = "maildir:small/out"\n')
    world.open("buttons", TWO, starter="1")
    disk.fill()
    ran = world.run("step", "--now", START, "--json")
    assert ran.status == 1  # no letter could leave
    assert ran.json["sent"] == 0
    assert "No space left on device" in ran.err
    assert "No space left on device" in ran.json["trouble"][0]
    assert not any(path.is_file() for path in (disk.folder / "out").rglob("*"))
    disk.make_room()
    ran = world.run("step", "--now", LATER, "--json")
    assert (ran.json["sent"], ran.err) == (3, "")
    everybody = [p.addresses[0] for p in PEOPLE[:2]]
    assert (
        sorted(to for kind, to in letters_in(disk.folder / "out").values() if kind == "opened") == everybody
    )


def test_a_store_without_room_says_so_and_goes_on_where_it_was(tmp_path: Path, disk: SmallDisk) -> None:
    world = World(tmp_path, '[store]\nurl = "sqlite:///small/referee.db"\n')
    name = world.open("buttons", TWO, starter="1")
    world.passed(START)
    world.mail(TWO[0], "Buttons: Move / Player 1", "Place: B1 at a1", START)
    disk.fill()
    ran = world.run("step", "--now", START)
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert "disk" in ran.err
    assert len(list((tmp_path / "mail/in/new").iterdir())) == 1
    disk.make_room()
    assert world.step(LATER)["accepted"] == 1
    told = kinds(world.new_letters())
    assert told["receipt"] == [PEOPLE[0].addresses[0]]
    assert world.show(name)["due"][0]["seat"] == 2


def test_the_service_tells_the_moderator_of_a_full_disk_and_survives_it(
    tmp_path: Path, disk: SmallDisk
) -> None:
    world = World(tmp_path, '[store]\nurl = "sqlite:///small/referee.db"\n[poll]\nevery = "1s"\n')
    world.open(
        "buttons", TWO, now=datetime.now(UTC).isoformat(), starter="1"
    )  # the service's clock is the real one
    alarm = ("alarm", "moderator@referee.localhost")
    with Daemon(tmp_path / "referee.toml") as service:
        eventually(lambda: len(counted(tmp_path / "mail/out")) == 3, "the opening letters")
        disk.fill()
        eventually(lambda: counted(tmp_path / "mail/out")[alarm] == 1, "the moderator is told")
        disk.make_room()
        eventually(lambda: counted(tmp_path / "mail/out")[alarm] == 2, "the moderator is told of the end")
        assert service.terminate() == 0
