"""Buttons and bridges through the outer contract alone: a puzzle for many."""

from pathlib import Path

from tests.world import World

ANN, BEN = "Ann <ann@example.org>", "Ben <ben@example.org>"


def _move(world: World, person: str, seat: int, body: str, minute: int) -> tuple[dict, list]:
    at = f"2026-03-01T13:{minute:02d}:00Z"
    world.mail(person, f"Buttons: Move / Player {seat}", body, at)
    return world.step(at), world.new_letters()


def test_a_puzzle_for_many_is_its_players_alone_until_the_table(tmp_path: Path) -> None:
    world = World(tmp_path)
    names = [
        world.open("buttons", [person], mode="solo", goal="two", table="week-9", seed="7")
        for person in (ANN, BEN)
    ]
    world.passed()
    board = world.show(names[0])["board"]
    counts, letters = _move(world, ANN, 1, "Give up", 0)
    assert counts["accepted"] == 1
    assert {letter.to for letter in letters} == {"ann@example.org"}
    assert world.show(names[0])["board"] == board
    world.step("2026-03-02T00:00:00Z")
    assert {
        letter.to
        for letter in world.sends(BEN, "Buttons: Move / Player 1", "Give up", "2026-03-02T01:00:00Z")
    } == {"ben@example.org"}
    letters = world.passed("2026-05-01T00:00:00Z")
    tables = [letter for letter in letters if "The table: week-9" in letter.text]
    assert sorted(letter.to for letter in tables) == ["ann@example.org", "ben@example.org"]
    assert "given up" in tables[0].text
