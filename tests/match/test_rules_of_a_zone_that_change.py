"""What was ruled by a zone's rules of the day goes on being sound when these change: a deadline is a recorded fact, and
whoever verifies asks no more than that some such rules give it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from referee.match import timing
from tests.world import World

PEOPLE = ["Ann <ann@example.org>", "Ben <ben@example.org>"]
OPTIONS = (
    {"hour": "20:00", "zone": "Europe/Berlin"},
    {"days_off": "sat,sun", "zone": "Europe/Berlin"},
    {"hour": "00:00", "days_off": "sat,sun,2026-04-06", "zone": "America/New_York"},
)
SQUARES = ("a1", "d1", "g1", "b2", "d2", "f2", "c3", "d3", "e3", "a4", "b4", "c4", "e4", "f4")
HOUR = timedelta(hours=1)


def without_summer(zone: str) -> tzinfo:
    return timezone(datetime(2026, 1, 1, tzinfo=ZoneInfo(zone)).utcoffset() or timedelta())


def always_summer(zone: str) -> tzinfo:
    return timezone(datetime(2026, 7, 1, tzinfo=ZoneInfo(zone)).utcoffset() or timedelta())


def half_an_hour_west(zone: str) -> tzinfo:
    return timezone((datetime(2026, 3, 1, tzinfo=ZoneInfo(zone)).utcoffset() or timedelta()) - HOUR / 2)


RULES = (without_summer, always_summer, half_an_hour_west)


def at(day: int, hour: int, minute: int = 0) -> str:
    return (datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day, hours=hour, minutes=minute)).isoformat()


@pytest.fixture(scope="module", params=range(len(OPTIONS)))
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a month in which the clocks change: moves, lapses, a pause, more time, an absence, other days off."""
    world = World(tmp_path_factory.mktemp("month"))
    name = world.open(
        "morris", PEOPLE, at(0, 12), move_deadline="2d", timeout_default="wait", **OPTIONS[request.param]
    )
    for number in range(14):
        seat = world.show(name)["due"][0]["seat"]
        day = number * 2
        if number % 3:
            subject = f"Nine Men's Morris: Move / Player {seat} [{name}]"
            body = f"Move: {SQUARES[number]}"
            world.mail(PEOPLE[seat - 1], subject, body, at(day, 20, 17 * number))
        if number == 4:
            world.mail(PEOPLE[0], f"vacation {at(11, 0)[:10]} to {at(13, 0)[:10]}", "", at(day, 21))
        world.step(at(day + 1, 5, 7 * number))
        if number == 6:
            world.run("extend", name, "--by", "1d", "--why", "Easter", "--now", at(day + 1, 6))
        if number == 8:
            world.run("pause", name, "--why", "Tired", "--now", at(day + 1, 6))
            world.run("resume", name, "--why", "Rested", "--now", at(day + 1, 16))
        if number == 10:
            world.run("amend", name, "--option", "days_off=tue", "--why", "Agreed", "--now", at(day + 1, 6))
    path = world.folder / "record.json"
    path.write_text(world.run("record", name).out)
    assert len(json.loads(path.read_text())["entries"]) > 20
    return path


@pytest.mark.one_in(4)
@pytest.mark.parametrize("rules", RULES)
def test_a_record_stays_sound(
    world: World, record: Path, monkeypatch: pytest.MonkeyPatch, rules: Callable[[str], tzinfo]
) -> None:
    assert world.run("verify", str(record)).status == 0, world.run("verify", str(record)).err
    monkeypatch.setattr(timing, "ZoneInfo", lambda zone: rules(zone))
    world.do("verify", str(record))
