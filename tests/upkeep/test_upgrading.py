"""`upgrade`: what another version of the program would judge otherwise is told before anything changes, and nothing of
a sealed answer is told with it."""

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.core.seam import Standing
from referee.core.value import Complaint
from referee.games import found
from referee.store import engine
from tests.store.test_migrations import NEXT
from tests.upkeep.club import OPENED, Club, sql
from tests.world import Sent, World


@pytest.fixture
def world(season: Club, tmp_path: Path) -> World:
    return season.world.copied(tmp_path / "copy")


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version with one migration more."""
    folder = tmp_path / "migrations"
    shutil.copytree(engine._MIGRATIONS, folder)
    (folder / "versions/v9999_next.py").write_text(NEXT)
    monkeypatch.setattr(engine, "_MIGRATIONS", folder)


def revision(world: World) -> str:
    return str(sql(world.folder, "SELECT version_num FROM alembic_version")[0][0])


def stricter(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Standing.check
    refused = Complaint("too_late", "9.9")
    monkeypatch.setattr(Standing, "check", lambda *asked: (*check(*asked), refused))


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in found().values():

        def with_more_time(self: Any, state: Any, due: Any = game.due) -> Any:
            return tuple(
                replace(r, window=(r.window or timedelta()) + timedelta(hours=1)) for r in due(state)
            )

        monkeypatch.setattr(type(game), "due", with_more_time)


def other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in found().values():

        def shown(self: Any, state: Any, seat: int | None, view: Any = game.view) -> Any:
            return replace(view(state, seat), phase="Another phase")

        monkeypatch.setattr(type(game), "view", shown)


def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in found().values():
        monkeypatch.setattr(type(game), "evolve", lambda *given: 1 // 0)


CHANGES: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "stricter rules": (stricter, "verdict"),
    "other deadlines": (later, "event"),
    "another view": (other_words, "standing"),
    "a broken game": (broken, "event"),
}


def test_the_same_version_judges_a_season_as_it_was_judged(world: World) -> None:
    for check in ([], ["--check"]):
        ran = world.run("upgrade", *check)
        assert (ran.status, ran.out) == (
            0,
            "5 matches judged again; the store's tables are of this version.\n",
        )


@pytest.mark.usefixtures("newer")
def test_an_older_store_is_left_alone_until_it_is_upgraded(world: World) -> None:
    stood = revision(world)
    ran = world.run("step", "--now", "2026-04-01T00:00:00Z")
    assert (ran.status, ran.out) == (1, "")
    assert "referee upgrade" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert "referee upgrade" in world.run("doctor").out
    ran = world.run("upgrade", "--check")
    assert (ran.status, revision(world)) == (0, stood)
    assert "nothing is changed" in ran.out
    ran = world.run("upgrade")
    assert (ran.status, revision(world)) == (0, "9999")
    assert world.run("check").status == 0


@pytest.mark.usefixtures("newer")
@pytest.mark.parametrize("change", CHANGES)
def test_what_would_be_judged_otherwise_is_named_before_anything_changes(
    world: World, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed, what = CHANGES[change]
    stood = revision(world)
    before = sql(world.folder, "SELECT * FROM ledger"), sql(world.folder, "SELECT * FROM matches")
    with monkeypatch.context() as version:
        changed(version)
        ran = world.run("upgrade", "--json")
        assert (ran.status, revision(world), ran.json["upgraded"]) == (1, stood, False)
        named = {one["match"] for one in ran.json["differences"] if one["what"] == what}
        print(change, len(ran.json["differences"]), "differences")
        assert named == set(OPENED)
        assert world.run("upgrade", "--check", "--why", "we know").status == 0
        assert revision(world) == stood
        ran = world.run("upgrade", "--why", "we know")
        assert (ran.status, revision(world)) == (0, "9999")
        assert "No command undoes it" in ran.out
    assert (sql(world.folder, "SELECT * FROM ledger"), sql(world.folder, "SELECT * FROM matches")) == before


def test_nothing_sealed_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stricter(monkeypatch)
    ran = world.run("upgrade", "--check")
    sealed = "SELECT 1 FROM ledger WHERE match = 'm-purchase' AND kind = 'Answered' AND body LIKE '%\"sealed\":true%'"
    told = [line for line in ran.out.splitlines() if "the sealed Purchase of Player" in line]
    assert len(told) == len(sql(world.folder, sealed)) > 1
    assert "too_late" not in " ".join(told)
    assert all(line.endswith("would be refused.") for line in told)


def test_a_game_that_is_gone_is_named(world: World) -> None:
    sql(world.folder, "UPDATE matches SET game = 'chess' WHERE name = 'm-morris'")
    assert "m-morris: standing: there is no game 'chess'" in world.run("upgrade", "--check").out


def as_0_2_0_left_it(world: World) -> None:
    """Ann keeps a pass phrase, for a further address of hers too, Ben a key."""
    with sqlite3.connect(world.folder / "referee.db") as connection:
        connection.executescript(
            "ALTER TABLE people DROP COLUMN guarded; ALTER TABLE people ADD COLUMN phrase VARCHAR(200);"
            "ALTER TABLE people ADD COLUMN key TEXT;"
            "ALTER TABLE inbox ADD COLUMN proof TEXT NOT NULL DEFAULT ''; ALTER TABLE outbox DROP COLUMN handed;"
            "ALTER TABLE clock DROP COLUMN witness; DROP TABLE moderators;"
            "UPDATE alembic_version SET version_num = '0120';"
            "INSERT INTO people (address, medium, digest, phrase, key, owner) VALUES"
            " ('ann@example.org', 'both', 0, 'scrypt$00$battery', NULL, NULL),"
            " ('ann@home.example', 'both', 0, 'scrypt$00$battery', NULL, 'ann@example.org'),"
            " ('ben@example.org', 'both', 0, NULL, 'armour of bens key', NULL)"
        )
    connection.close()


def test_who_kept_a_phrase_or_a_key_is_told_once_and_believed_by_a_reply_address(
    world: World, season: Club
) -> None:
    as_0_2_0_left_it(world)
    assert world.run("upgrade", "--check").status == 0
    for _ in range(2):
        assert world.run("upgrade").status == 0
    stored = b"".join(path.read_bytes() for path in world.folder.glob("referee.db*"))
    assert b"battery" not in stored
    assert b"armour of" not in stored
    before = world.new_letters()

    def sent(minutes: int, words: str, **more: str) -> list[Sent]:
        at = (season.now + timedelta(minutes=minutes)).isoformat()
        return world.sends("ann@example.org", "timezone Asia/Tokyo", words, at, **more)

    world.configure(
        "moderators = []", 'moderators = ["mia@example.org"]'
    )  # the upgrade has copied the file's
    assert "mia@example.org stands in the file, and is not at the desk" in world.run("doctor").out
    told = sent(1, "one")
    assert sorted(x.to for x in told if "a pass phrase or an OpenPGP key" in x.text) == [
        "ann@example.org",
        "ben@example.org",
    ]
    (asked,) = [x for x in told if x.kind == "challenge"]
    assert "you once gave me a pass phrase or a key" in asked.words
    hers = next(x for x in before if x.to == "ann@example.org" and x.kind == "opened")
    assert [x.kind for x in sent(2, "two", to=hers.message["Reply-To"])] == ["receipt"]
