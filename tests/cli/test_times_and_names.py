"""Times are told in whole minutes wherever people read them, subjects tell one letter from another, and `list` says who
owes what until when."""

import re
from datetime import UTC, datetime
from pathlib import Path

from referee.letters.page_words import clock_in
from tests.world import Table


def test_list_and_show_name_people_and_times_to_the_minute(tmp_path: Path) -> None:
    table = Table(tmp_path)
    opened = table.world.run(
        "open", "multigo", "--seat", "Ann Archer <ann@example.org>", "--seat", "Ben Baker <ben@example.org>",
        "--now", "2026-03-01T12:00:07.123456Z",
    )  # fmt: skip
    assert opened.status == 0, opened.err
    for command in (("list",), ("show", opened.out.strip())):
        shown = table.world.run(*command).out
        assert re.search(r"(Ann Archer|Ben Baker) \(Player \d\), until \d{4}-\d\d-\d\dT\d\d:\d\dZ", shown), (
            shown
        )
        assert "123456" not in shown
        assert ":07" not in shown


def test_a_moment_in_a_letter_has_no_seconds() -> None:
    told = clock_in("Europe/Berlin", "UTC")(datetime(2026, 3, 1, 12, 0, 59, 999999, UTC))
    assert told == "Sunday 1 March 2026, 13:00 CET (12:00 UTC)"


def test_subjects_tell_a_pause_words_and_a_replacement_apart(table: Table) -> None:
    subjects = []
    for number, command in enumerate((
        ("pause", table.match, "--why", "holidays"),
        ("resume", table.match, "--why", "back"),
        ("say", table.match, "good luck", "--why", "x"),
        ("replace", table.match, "2", "Eve <eve@example.org>", "--why", "Ben is gone"),
    )):  # fmt: skip
        at = f"2026-03-01T13:0{number}:00Z"
        table.world.do(*command, "--now", at)
        _, letters = table.step(at)
        subjects += [x.subject for x in letters if x.kind == "announcement"][:1]
    assert ["paused" in subjects[0], "goes on" in subjects[1], "moderator" in subjects[2]] == [True] * 3
    assert "Eve plays from now on" in subjects[3] or "You play from now on" in subjects[3]
    _, letters = table.send(table.seats[1], f"press {table.match}", "hello all", "2026-03-01T14:00:00Z")
    subjects = {x.subject.partition(": ")[2] for x in letters if x.kind == "press"}
    assert subjects == {"Ann Archer wrote to all"}
    _, letters = table.send(
        table.seats[1], f"press {table.match} / Player 2", "hello Eve", "2026-03-01T14:01:00Z"
    )
    assert "Buttons: Ann Archer wrote to you" in next(x.subject for x in letters if x.kind == "press")
