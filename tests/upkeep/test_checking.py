"""`check`: whatever the store keeps of a match besides its ledger is found when it is not so, and written anew from it;
a ledger that was changed is found, and never taken for the truth."""

import sqlite3
from pathlib import Path

import pytest

from tests.match.kept import Kept, kept
from tests.upkeep.club import OPENED, Club, sql
from tests.world import World

ROWS = {
    "a status": "UPDATE matches SET status = 'paused' WHERE name = ?",
    "a deadline": "UPDATE matches SET lapses_at = '2031-01-01T00:00:00.000000Z' WHERE name = ?",
    "no deadline": "UPDATE matches SET lapses_at = NULL WHERE name = ?",
    "a search": "UPDATE matches SET computes = 1 - computes WHERE name = ?",
    "a vacancy": "UPDATE matches SET vacant = 1 - vacant WHERE name = ?",
    "a broken cache": "UPDATE matches SET state = '{}' WHERE name = ?",
    "a paused cache": "UPDATE matches SET state = replace(state, '\"open\"', '\"paused\"') WHERE name = ?",
    "another board": "UPDATE matches SET facts = replace(facts, '\"open\"', '\"ended\"') WHERE name = ?",
    "a lost seat": "DELETE FROM seats WHERE match = ? AND seat = 1",
    "a stranger's seat": "UPDATE seats SET address = 'mallory@example.org' WHERE match = ? AND seat = 2",
    "a lost reply address": "DELETE FROM reply_tokens WHERE match = ? AND seat = 1",
    "an exchanged reply address": "UPDATE reply_tokens SET seat = 3 - seat WHERE match = ? AND seat < 3",
}  # fmt: skip
_LAST = "(SELECT max(version) FROM ledger other WHERE other.match = ledger.match)"
_SEALED = "kind = 'Answered' AND body LIKE '%\"sealed\":true%'"
LEDGERS = {
    "a row behind": "UPDATE matches SET version = version - 1 WHERE name = ?",
    "a name": "UPDATE ledger SET body = replace(body, 'Ann Archer', 'Anna Archer') WHERE match = ? AND version = 1",
    "a public fact": "UPDATE ledger SET body = replace(body, 'dog', 'cat') WHERE match = ? AND kind = 'Said'",
    "a lost entry": "DELETE FROM ledger WHERE match = ? AND version = 2",
    "a lost end": f"DELETE FROM ledger WHERE match = ? AND version = {_LAST}",
    "no JSON": "UPDATE ledger SET body = 'x' WHERE match = ? AND version = 2",
    "another position": "UPDATE ledger SET position = position + 1 WHERE match = ? AND kind = 'Said'",
    "another cause": "UPDATE ledger SET cause = 1 WHERE match = ? AND kind = 'Said'",
}  # fmt: skip


@pytest.fixture
def world(season: Club, tmp_path: Path) -> World:
    return season.world.copied(tmp_path / "copy")


def faults(world: World, *arguments: str) -> list[dict[str, object]]:
    ran = world.run("check", "--json", *arguments)
    found: list[dict[str, object]] = ran.json["faults"]
    assert ran.status == (0 if ran.json["well"] else 1)
    return found


def dumped(world: World) -> list[str]:
    with sqlite3.connect(world.folder / "referee.db") as line:
        rows = list(line.iterdump())
    line.close()
    return rows


def test_a_season_is_well_and_to_look_changes_nothing(world: World) -> None:
    before = dumped(world)
    ran = world.run("check")
    assert (ran.status, ran.out) == (0, "All is well: 5 matches and what is kept of them agree.\n")
    assert dumped(world) == before


@pytest.mark.one_in(2)
@pytest.mark.parametrize("damage", ROWS)
def test_what_is_not_as_the_ledger_tells_is_named_and_mended(world: World, damage: str) -> None:
    before = dumped(world)
    for name in OPENED:
        sql(world.folder, ROWS[damage], name)
    harmed = {name for name in OPENED for row in set(before) ^ set(dumped(world)) if f"'{name}'" in row}
    print(damage, len(harmed))
    named = faults(world, "--mend")
    assert {fault["match"] for fault in named if fault["mended"]} == harmed
    assert harmed
    assert faults(world) == []
    assert sorted(_without_reminders(dumped(world))) == sorted(_without_reminders(before))


def _without_reminders(rows: list[str]) -> list[str]:
    """When a reminder is due hangs on when the row was written."""
    return [row for row in rows if not row.startswith('INSERT INTO "matches"')]


@pytest.mark.parametrize("damage", LEDGERS)
def test_a_changed_ledger_is_named_and_never_taken_for_the_truth(world: World, damage: str) -> None:
    for name in OPENED:
        sql(world.folder, LEDGERS[damage], name)
    changed = dumped(world)
    assert {fault["match"] for fault in faults(world, "--mend") if not fault["mended"]} == set(OPENED)
    assert dumped(world) == changed


def test_a_sealed_answer_is_held_against_its_seal(world: World) -> None:
    sealed = sql(world.folder, f"SELECT match FROM ledger WHERE {_SEALED}")
    change = 'UPDATE ledger SET body = replace(body, \'"text":"\', \'"text":"x\')'
    sql(world.folder, f"{change} WHERE {_SEALED}")
    named = {fault["match"] for fault in faults(world) if "under its seal" in str(fault["fault"])}
    assert named == {match for (match,) in sealed} >= {"m-purchase"}


def test_another_secret_is_found_by_what_it_should_have_made(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", "another secret than the one that made the seals")
    assert {fault["match"] for fault in faults(world)} >= set(OPENED)


def test_rows_that_belong_to_nothing_are_named(world: World) -> None:
    sql(world.folder, "UPDATE outbox SET sheet = 'gone' WHERE id = 1")
    sql(world.folder, "UPDATE inbox SET match = 'nowhere' WHERE id = 1")
    words = " ".join(str(fault["fault"]) for fault in faults(world))
    assert "1 letters have lost their words" in words
    assert "inbox has rows of 'nowhere'" in words


@pytest.mark.parametrize(
    "one", [k for k in kept() if len(k.facts["ledger"]) < 80][::4], ids=lambda one: one.name
)
def test_a_store_is_made_whole_from_the_ledger_of_any_release(
    one: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", one.facts["secret"])
    world = World(tmp_path)
    row = {
        **one.facts["row"],
        "status": "open",
        "phase": "?",
        "lapses_at": None,
        "reminds_at": None,
        "facts": None,
    }
    _insert(world, "matches", {**row, "state": "{}", "vacant": 0})
    for line in one.facts["ledger"]:
        _insert(world, "ledger", {**line, "match": row["name"]})
    assert {fault["match"] for fault in faults(world, "--mend") if fault["mended"]} == {row["name"]}
    assert faults(world) == []
    assert world.show(row["name"])["phase"] != "?"


def _insert(world: World, table: str, row: dict[str, object]) -> None:
    columns = ", ".join(f'"{name}"' for name in row)
    sql(world.folder, f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(row))})", *row.values())


def test_a_store_without_a_match_is_sound_whoever_has_been_written_to(tmp_path: Path) -> None:
    """A letter that is about no match belongs to nothing that could be missing."""
    world = World(tmp_path)
    world.mail("Ann <ann@example.org>", "help", "", "2026-03-01T12:00:00Z")
    world.run("step", "--now", "2026-03-01T13:00:00Z")
    ran = world.run("check")
    assert ran.status == 0, ran.out + ran.err
