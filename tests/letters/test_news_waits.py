"""Contract, 'Mail out': a seat's public letter may be carried by its next due letter where nothing is asked of it
sooner. What tells of answers waits so for whoever is asked next, a day at most; everything else leaves at once."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.world import Sent, World

NAMES = ("Ann", "Ben", "Cleo", "Dan")
POINTS = ("E5", "C3", "D4", "F6", "G7", "C7", "G3", "B2", "H8", "A1", "J9", "E2")
OBSERVER = "eve@example.org"


class Going:
    """A match of Go in turns for three or four, at which somebody looks on."""

    def __init__(self, folder: Path, seats: int) -> None:
        self.world = World(folder)
        people = [f"{name} <{name.lower()}@example.org>" for name in NAMES[:seats]]
        self.match = self.world.open("multigo", people, board="9x9")
        self.seats = seats
        self.world.step()
        self.world.mail_and_yes(f"Eve <{OBSERVER}>", f"observe {self.match}", "")
        self.moves = 0
        self.world.new_letters()

    def move(self, at: str) -> list[Sent]:
        seat = self.moves % self.seats
        name, point = NAMES[seat], POINTS[self.moves]
        self.moves += 1
        sender = f"{name} <{name.lower()}@example.org>"
        self.world.mail(sender, f"Go: Move / Player {seat + 1}", f"Move: {point}", at)
        counts, letters = self.world.step(at), self.world.new_letters()
        assert counts["accepted"] == 1, letters[0].text
        return letters

    def pass_at(self, at: str) -> list[Sent]:
        return self.world.passed(at)


def got(letters: list[Sent]) -> dict[str, str]:
    """What each reader got, by name."""
    return {letter.to.partition("@")[0]: letter.kind for letter in letters}


def test_whoever_is_asked_next_is_told_then_and_nobody_else_waits(tmp_path: Path) -> None:
    going = Going(tmp_path, 4)
    first = going.move("2026-03-01T13:00:00Z")
    assert got(first) == {"ann": "receipt", "ben": "due", "dan": "announcement", "eve": "announcement"}
    second = going.move("2026-03-01T14:00:00Z")
    assert got(second) == {
        "ann": "announcement", "ben": "receipt", "cleo": "due", "eve": "announcement",
    }  # fmt: skip
    due = next(letter for letter in second if letter.kind == "due")
    place, public = due.text.index("E5"), {letter.position for letter in second}
    assert place < due.text.index("C3") < due.text.index("it is your turn")
    assert public == {due.position}
    told = next(letter.text for letter in first if letter.kind == "announcement").partition("\n\n")[0]
    assert told in due.text, "in the same words"
    assert len(re.findall(r"(?m)^9 ", due.text)) == 1, "one board"


def test_in_a_ring_of_three_each_turn_brings_everybody_one_letter_but_who_looks_on(tmp_path: Path) -> None:
    going = Going(tmp_path, 3)
    for turn in range(5):  # in the third round some must pass
        letters = going.move(f"2026-03-01T{13 + turn}:00:00Z")
        assert sorted(got(letters).values()) == ["announcement", "due", "receipt"], turn
        assert [x.to for x in letters if x.kind == "announcement"] == [OBSERVER]


def test_it_waits_a_day_and_no_longer_and_is_told_once(tmp_path: Path) -> None:
    going = Going(tmp_path, 3)
    going.move("2026-03-01T13:00:00Z")
    assert going.pass_at("2026-03-02T12:59:59Z") == []
    late = going.pass_at("2026-03-02T13:00:00Z")
    assert got(late) == {"cleo": "announcement"}
    assert "E5" in late[0].text
    assert going.pass_at("2026-03-02T14:00:00Z") == []
    due = next(x for x in going.move("2026-03-02T15:00:00Z") if x.kind == "due")
    assert "(Player 1)" not in due.text.partition("it is your turn")[0], "told already"


def test_what_leaves_at_once_takes_along_what_waited(tmp_path: Path) -> None:
    going = Going(tmp_path, 3)
    going.move("2026-03-01T13:00:00Z")
    going.world.do("pause", going.match, "--why", "holidays", "--now", "2026-03-01T14:00:00Z")
    letters = going.pass_at("2026-03-01T14:00:00Z")
    assert {x.kind for x in letters} == {"announcement"}
    assert len(letters) == 4
    cleo = next(x.text for x in letters if x.to.startswith("cleo"))
    assert cleo.index("E5") < cleo.index("paused")
    others = {x.text for x in letters if not x.to.startswith("cleo")}
    assert len(others) == 1
    assert "E5" not in others.pop()


def test_it_waits_for_nobody_whose_turn_is_made_before_they_are_asked(tmp_path: Path) -> None:
    """A conditional turn of theirs, and one of the next, would bring the turn they are told of past any objection."""
    going = Going(tmp_path, 4)
    cleo = "Cleo <cleo@example.org>"
    going.world.mail(
        cleo, f"Go: Move / Player 3 [{going.match}]", "If Player 2: C3, then D4", "2026-03-01T12:30:00Z"
    )
    going.pass_at("2026-03-01T12:30:00Z")
    first = got(going.move("2026-03-01T13:00:00Z"))
    assert first == dict.fromkeys(("cleo", "dan", "eve"), "announcement") | {"ann": "receipt", "ben": "due"}


@pytest.mark.parametrize("command", ["say", "amend"])
def test_what_a_moderator_does_waits_for_nothing(tmp_path: Path, command: str) -> None:
    going = Going(tmp_path, 3)
    what = ["A word to all"] if command == "say" else ["--option", "reminders=1d", "--why", "asked for"]
    assert going.world.run(command, going.match, *what, "--now", "2026-03-01T13:00:00Z").status == 0
    assert len([x for x in going.pass_at("2026-03-01T13:00:00Z") if x.kind == "announcement"]) == 4


def test_of_a_long_match_no_more_rows_are_looked_at(tmp_path: Path) -> None:
    """What was carried leaves no row behind, what left by itself is older than anything that is looked at."""
    going = Going(tmp_path, 3)
    for turn in range(5):
        going.move(f"2026-03-{1 + 3 * turn:02d}T13:00:00Z")
        going.pass_at(f"2026-03-{2 + 3 * turn:02d}T13:00:00Z")
    with going.world.referee() as referee, referee.store.transaction() as unit:
        left = {seat: unit.letters(bucket=f"waits {going.match} {seat}") for seat in (1, 2, 3)}
        now = datetime(2026, 3, 14, 14, tzinfo=UTC)
        waits = [
            unit.take_waiting(f"waits {going.match} {n}", rows[0].recipient, now - timedelta(days=1))
            for n, rows in left.items()
            if rows
        ]
    assert sum(map(len, left.values())) == 5, "each left by itself after a day"
    assert [row for rows in waits for row in rows] == []


def test_who_is_out_of_the_match_reads_what_happens_without_a_board(tmp_path: Path) -> None:
    going = Going(tmp_path, 4)
    going.world.mail_and_yes(
        "Ann <ann@example.org>", f"resign {going.match}", "Resign", "2026-03-01T13:00:00Z"
    )
    going.world.new_letters()
    going.moves = 1
    told = {x.to.partition("@")[0]: x for x in going.move("2026-03-01T14:00:00Z")}
    assert {told["ann"].kind, told["eve"].kind} == {"announcement"}
    assert "\n1  " in told["eve"].text
    assert "\n1  " not in told["ann"].text
    said, heard = (told[name].words for name in ("eve", "ann"))
    assert said.startswith(heard.partition(" Next comes")[0])
