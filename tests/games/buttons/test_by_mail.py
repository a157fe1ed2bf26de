"""Buttons and bridges through the outer contract alone: golden cases, both games to their ends, a puzzle for many."""

from __future__ import annotations

from pathlib import Path

from tests.world import World, kinds

ANN, BEN = "Ann <ann@example.org>", "Ben <ben@example.org>"


def _world(folder: Path, *people: str, **options: str) -> tuple[World, str]:
    world = World(folder)
    match = world.open("buttons", people, **options)
    world.step()
    world.new_letters()
    return world, match


def _move(world: World, person: str, seat: int, body: str, minute: int) -> tuple[dict, list]:
    at = f"2026-03-01T13:{minute:02d}:00Z"
    world.mail(person, f"Buttons: Move / Player {seat}", body, at)
    return world.step(at), world.new_letters()


def test_a_two_player_match_to_a_line_of_four(tmp_path: Path) -> None:
    world, match = _world(
        tmp_path, ANN, BEN, starter="2", position="B1 B1 .. B2/.. .. W1 ../.. .. W2 ../.. .. .. .."
    )
    counts, letters = _move(world, ANN, 1, "Place: 3 c4", 0)
    assert counts["answered"] == 1, "it is Ben's turn: her draft is kept"
    counts, letters = _move(world, BEN, 2, "Hello, here is mine.\nPlace: 3 a1\nThanks!", 1)
    assert counts["refused"] == 1, "a1 is not next to a black button"
    assert letters[0].form.startswith("Move:")
    counts, letters = _move(world, BEN, 2, "Place: 3 a3\nThanks!", 2)
    assert counts["accepted"] == 1, letters[0].text
    counts, letters = _move(world, ANN, 1, "> quoted: Place: 3 a2\n\nPlace: 3 c4\n\n-- \nAnn", 3)
    assert counts["accepted"] == 1, letters[0].text
    assert kinds(letters)["ended"] == ["ann@example.org", "ben@example.org"]
    shown = world.show(match)
    assert shown["outcome"]["winners"] == [1]
    assert shown["position"]["board"][0] == ["B1", "B1", "B3", "B2"]


def test_a_solo_match_to_its_end_with_par_published_then(tmp_path: Path) -> None:
    world, match = _world(tmp_path, ANN, mode="solo", goal="two", seed="4")
    before = world.show(match)["position"]
    assert before["par"] is None
    counts, letters = _move(world, ANN, 1, "Move: a4-b4\n", 0)
    assert counts["read"] == 1
    assert world.show(match)["position"]["par"] is None
    counts, letters = _move(world, ANN, 1, "Give up", 5)
    assert counts["accepted"] == 1
    assert kinds(letters)["ended"] == ["ann@example.org"]
    shown = world.show(match)
    assert shown["status"] == "ended"
    assert shown["outcome"]["winners"] == []
    assert isinstance(shown["position"]["par"], int)


def test_a_puzzle_for_many_is_its_players_alone_until_the_table(tmp_path: Path) -> None:
    world = World(tmp_path)
    names = [
        world.open("buttons", [person], mode="solo", goal="two", table="week-9", seed="7")
        for person in (ANN, BEN)
    ]
    world.step()
    world.new_letters()
    board = world.show(names[0])["board"]
    counts, letters = _move(world, ANN, 1, "Give up", 0)
    assert counts["accepted"] == 1
    assert {letter.to for letter in letters} == {"ann@example.org"}
    assert world.show(names[0])["board"] == board
    world.step("2026-03-02T00:00:00Z")
    world.mail(BEN, "Buttons: Move / Player 1", "Give up", "2026-03-02T01:00:00Z")
    world.step("2026-03-02T01:00:00Z")
    assert {letter.to for letter in world.new_letters()} == {"ben@example.org"}
    world.step("2026-05-01T00:00:00Z")
    letters = world.new_letters()
    tables = [letter for letter in letters if "The table: week-9" in letter.text]
    assert sorted(letter.to for letter in tables) == ["ann@example.org", "ben@example.org"]
    assert "given up" in tables[0].text
