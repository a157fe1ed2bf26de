"""The subject of a letter by which a seat becomes free says so, whatever made it free."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.world import START, World

PEOPLE = [f"{name} <{name.split()[0].lower()}@example.org>" for name in ("Ann A", "Ben B", "Cleo C", "Dan D")]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def told(world: World, kind: str) -> set[str]:
    return {letter.subject for letter in world.new_letters() if letter.kind == kind}


def test_after_a_missed_deadline(world: World) -> None:
    name = world.open("multigo", PEOPLE[:3], board="9x9", miss="1")
    world.step()
    world.new_letters()
    world.step((datetime.fromisoformat(START) + timedelta(days=9)).isoformat())
    vacant = f"[{name}] Go: the time is over: Round 1 / Player 1; the seat of Player 1 is vacant"
    assert told(world, "lapsed") == {vacant}


def test_after_a_resignation(world: World) -> None:
    name = world.open("fourplay", PEOPLE, seed=1)
    world.step()
    world.new_letters()
    letters = world.mail_and_yes(PEOPLE[1], f"resign {name}", "Resign")
    seat = next(s["number"] for s in world.show(name)["seats"] if s["name"] == "Ben B")
    subjects = {letter.subject for letter in letters if letter.kind == "announcement"}
    assert subjects == {f"[{name}] Fourplay: the seat of Player {seat} is vacant"}


def test_after_a_resignation_that_frees_no_seat(world: World) -> None:
    name = world.open("buttons", PEOPLE[:2])
    world.step()
    world.new_letters()
    letters = world.mail_and_yes(PEOPLE[1], f"resign {name}", "Resign")
    assert f"[{name}] Buttons: Player 2 has resigned" in {letter.subject for letter in letters}


def test_by_the_moderator(world: World) -> None:
    name = world.open("buttons", PEOPLE[:2])
    world.step()
    world.new_letters()
    assert world.run("vacate", name, "2", "--why", "he is gone", "--now", START).status == 0
    world.step()
    assert told(world, "announcement") == {f"[{name}] Buttons: the seat of Player 2 is vacant"}


def test_before_the_match_begins(world: World) -> None:
    people = [part for person in PEOPLE[:2] for part in ("--seat", person)]
    name = world.run("open", "multigo", *people, "--vacant", "1", "--now", START).out.strip()
    world.step()
    assert told(world, "opened") == {f"[{name}] Go: players wanted, 1 still"}
    assert world.run("vacate", name, "2", "--why", "he is gone", "--now", START).status == 0
    world.step()
    assert told(world, "announcement") == {f"[{name}] Go: a seat is free again"}
