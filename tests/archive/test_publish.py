"""`referee site`: what the ledger tells in public, on pages anybody may read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.world import START, World

TWO = ["Ann Archer <ann@example.org>", "Ben Baker <ben@example.org>"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def published(world: World, match: str) -> str:
    site = world.folder / "site"
    assert world.run("site", str(site)).status == 0
    return (site / "matches" / match / "index.html").read_text(encoding="utf-8")


def test_an_ended_match_tells_who_won_and_why(world: World) -> None:
    name = world.open("buttons", TWO, starter="1")
    world.step(START)
    world.new_letters()
    world.mail_and_yes(TWO[0], "Buttons: Move / Player 1", "Resign")
    assert '<p class="outcome">Won by Ben Baker. ' in published(world, name)
    assert "Won by Ben Baker." in (world.folder / "site/index.html").read_text(encoding="utf-8")


def test_a_puzzle_given_up_is_not_solved(world: World) -> None:
    name = world.open("buttons", TWO[:1], mode="solo", par="off", goal="two")
    world.mail(TWO[0], "Buttons: Move / Player 1", "Give up")
    world.step(START)
    assert '<p class="outcome">Not solved. ' in published(world, name)


def test_what_happened_stands_there_as_letters_lay_it_out_and_no_address_does(world: World) -> None:
    name = world.open("multigo", [*TWO, "Cleo Carter <cleo@example.org>"], board="9x9")
    world.step(START)
    page = published(world, name)
    assert "<tr><td>Black</td><td>B</td><td>Ann Archer (Player 1)</td></tr>" in page
    assert "@example.org" not in page
