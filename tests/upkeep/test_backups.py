"""`backup` and `restore`: one file that is a referee, made at any moment; what came since is judged once more, once."""

import os
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from referee.store.post import inbox
from tests.servers.ground import eventually
from tests.upkeep.club import OPENED, PEOPLE, Club, told
from tests.world import World

DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.server)]
SHOWN = ("status", "seats", "due", "position", "outcome", "board", "phase")


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> str | None:
    return None if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def club(database: str | None, season: Club, tmp_path: Path) -> Club:
    """A season on either database."""
    if database is not None:
        return Club(tmp_path / "club", database).season()
    copy = object.__new__(Club)
    copy.world, copy.now = season.world.copied(tmp_path / "club"), season.now
    return copy


@pytest.fixture
def other(request: pytest.FixtureRequest, database: str | None, tmp_path: Path) -> Iterator[Path]:
    """Where to restore: an empty folder; with PostgreSQL there stands a configuration that names another database."""
    folder = tmp_path / "other"
    if database is not None:
        with request.getfixturevalue("postgres").database() as url:
            World(folder, tables=False).configure("sqlite:///referee.db", url)
            shutil.rmtree(folder / "mail")
            yield folder
    else:
        yield folder


def standing(world: World, *but: str) -> dict[str, object]:
    return {name: {key: world.show(name)[key] for key in SHOWN if key not in but} for name in OPENED}


def letters(world: World) -> dict[str, str]:
    """Letters by Message-ID and reader."""
    return {f"{letter.message['Message-ID']} {letter.to}": letter.kind for letter in world.new_letters()}


def restore(world: World, file: Path, folder: Path) -> tuple[World, dict[str, Any]]:
    ran = world.do("restore", str(file), str(folder), "--json")
    other = World(folder, tables=False)
    return other, ran.json


@pytest.mark.one_in(2)
def test_a_restored_referee_is_the_same_referee(club: Club, other: Path, tmp_path: Path) -> None:
    (club.world.folder / "templates/mine").mkdir(parents=True)
    (club.world.folder / "templates/mine/help.txt").write_text("mine")
    assert club.world.run("backup", str(tmp_path / "file")).status == 0
    again, done = restore(club.world, tmp_path / "file", other)
    assert (done["mails"], done["letters"]) == (0, [])
    assert standing(again) == standing(club.world)
    assert [again.run("record", name).out for name in OPENED] == [
        club.world.run("record", name).out for name in OPENED
    ]
    assert again.run("check").status == 0
    assert (other / "templates/mine/help.txt").read_text() == "mine"
    assert again.step(club.at)["read"] == 0
    again.mail(PEOPLE[0].partition(";")[0], "status", "", club.at)
    assert again.step(club.at)["answered"] == 1


def test_what_came_after_the_backup_is_judged_once_more_to_the_same_end(
    club: Club, other: Path, tmp_path: Path
) -> None:
    """Mails that were put away, that lie unread, and a letter that was on its way."""
    club.world.run("say", "m-buttons", "Said before, sent after.", "--now", club.at)
    club.world.new_letters()
    assert club.world.run("backup", str(tmp_path / "file")).status == 0
    put_away = club.answers(7)
    club.step(hours=1)
    first = letters(club.world)
    unread = club.answers(8)
    again, done = restore(club.world, tmp_path / "file", other)
    assert done["mails"] == put_away + unread
    assert {letter["kind"] for letter in done["letters"]} == {"announcement"}
    club.step(hours=1)
    counts = again.step(club.at)
    assert counts["accepted"] > 0
    assert told(again) == told(club.world)
    assert again.run("check").status == 0
    assert first.items() <= letters(again).items()


@pytest.mark.one_in(2)
def test_the_desk_is_killed_between_backup_and_restore_under_load(
    database: str | None, other: Path, tmp_path: Path
) -> None:
    """Mails come without end, the service judges them, a backup is made meanwhile, the process is killed: what was
    restored comes to the same as what was killed and goes on."""
    club = Club(tmp_path / "club", database, datetime.now(UTC).isoformat())
    club.world.configure('every = "1m"', 'every = "1s"')
    with service(club.world):
        mails = 0
        for load in range(6):
            judged = mails + 1
            club.now = datetime.now(UTC)
            mails += club.answers(load)
            if load == 3:
                assert club.world.run("backup", str(tmp_path / "file")).status == 0
            if load < 5:
                _until_judged(club.world, judged)
    again, done = restore(club.world, tmp_path / "file", other)
    print(
        mails, "mails,", done["mails"], "of them after the backup,", len(done["letters"]), "letters in doubt"
    )
    assert 0 < done["mails"] < mails
    for world in (again, club.world):
        assert world.run("step").status == 0
        assert world.run("check").status == 0
    assert told(again) == told(club.world)
    assert standing(again, "due") == standing(club.world, "due")


@contextmanager
def service(world: World) -> Iterator[None]:
    """At work for the length of a block; then it is killed, and what looks after it too."""
    program = [sys.executable, "-c", "from referee.cli import program; program()"]
    command = [*program, "--config", str(world.folder / "referee.toml"), "run"]
    process = subprocess.Popen(command, start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _until_judged(world: World, mails: int) -> None:
    """However slow the machine is."""
    settled = sa.select(sa.func.count()).where(inbox.c.verdict.is_not(None))
    with world.referee() as referee:

        def enough() -> bool:
            with referee.store.transaction() as unit:
                return bool(unit.connection.execute(settled).scalar_one() >= mails)

        eventually(enough, f"the service judges {mails} mails")


def test_a_backup_is_for_its_owner_alone_and_whole_or_not_there(season: Club, tmp_path: Path) -> None:
    world = season.world.copied(tmp_path / "club")
    file = tmp_path / "kept" / "file"
    file.parent.mkdir()
    file.write_text("an older one")
    world.configure('url = "sqlite:///referee.db"', 'url = "sqlite:///elsewhere/referee.db"')
    assert world.run("backup", str(tmp_path / "no such folder" / "file")).status == 1
    killed = file.parent / ".referee-backup-killed"
    (killed / "store").mkdir(parents=True)
    os.utime(killed, (1, 1))
    assert world.run("backup", str(file)).status == 0
    assert [path.name for path in file.parent.iterdir()] == ["file"]
    with tarfile.open(file) as tar:
        modes = {member.mode & 0o077 for member in tar}
    assert (modes, file.stat().st_mode & 0o077) == ({0}, 0)
    restored, _ = restore(world, file, tmp_path / "other")
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "other").rglob("*"))
    assert not list((tmp_path / "other").glob(".s*"))
    assert restored.run("list").status == 0


@pytest.mark.parametrize(
    "what", ["no backup", "cut short", "a newer one", "not empty", "another secret", "a store"]
)
def test_what_can_not_be_restored_is_said_and_nothing_is_overwritten(
    season: Club, tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, file, into = season.world.copied(tmp_path / "club"), tmp_path / "file", tmp_path / "other"
    world.run("backup", str(file))
    match what:
        case "no backup":
            file.write_text("hello")
        case "cut short":
            file.write_bytes(file.read_bytes()[:5000])
        case "a newer one":
            monkeypatch.setattr("referee.upkeep.backup.FORMAT", "referee backup 0")
        case "not empty":
            into.mkdir()
            (into / "letter").write_text("mine")
        case "another secret":
            monkeypatch.setenv("REFEREE_SECRET", "quite another one")
        case "a store":
            into.mkdir()
            text = (world.folder / "referee.toml").read_text()
            text = text.replace("sqlite:///referee.db", f"sqlite:///{world.folder / 'referee.db'}")
            (into / "referee.toml").write_text(text)
    before = (world.folder / "referee.db").read_bytes()
    ran = world.run("restore", str(file), str(into))
    assert (ran.status, ran.out) == (1, "")
    assert len(ran.err.splitlines()) == 1
    assert (world.folder / "referee.db").read_bytes() == before
    left = {"not empty": ["letter"], "a store": ["referee.toml"]}.get(what, [])
    assert (sorted(path.name for path in into.iterdir()) if into.exists() else []) == left


NAMED = {  # what the configuration names; what stands in the folder; whether the backup has it
    "a file": ('ca = "ca.pem"', {"ca.pem": "pem"}, {"ca.pem"}),
    "one in a folder": (
        'ca = "certs/ca.pem"',
        {"certs/ca.pem": "pem", "certs/key.pem": "no"},
        {"certs/ca.pem"},
    ),
    "its parent's": ('ca = "../outside.pem"', {}, set()),
    "by a way round": ('ca = "certs/../../outside.pem"', {"certs/x": "x"}, set()),
    "a link out of it": ('ca = "link.pem"', {"link.pem": None}, set()),
    "a folder": ('ca = "certs"', {"certs/ca.pem": "pem"}, set()),
    "a command's": (
        'password_command = "cat secret.txt"',
        {"secret.txt": "s", "other.txt": "o"},
        {"secret.txt"},
    ),
    "a quoted command's": (
        "password_command = \"sh -c 'cat <secret.txt'\"",
        {"secret.txt": "s", "other.txt": "o"},
        {"secret.txt"},
    ),
}


@pytest.mark.parametrize("kind", NAMED)
def test_files_that_the_configuration_names_inside_its_folder_are_in_it(kind: str, tmp_path: Path) -> None:
    """And no others: what lies outside, wherever links lead, is named and left where it is."""
    line, files, wanted = NAMED[kind]
    (tmp_path / "outside.pem").write_text("outside")
    world = World(tmp_path / "club")
    world.configure('url = "maildir:mail/in"', f'url = "maildir:mail/in"\n{line}')
    for name, content in files.items():
        path = world.folder / name
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(tmp_path / "outside.pem") if content is None else path.write_text(content)
    (world.folder / "notes.txt").write_text("mine")
    ran = world.do("backup", str(tmp_path / "file"))
    assert ("is not in it" in ran.out) is ("outside" in line or None in files.values())
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert world.run("restore", str(tmp_path / "file"), str(tmp_path / "other/deep")).status == 0
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    new = {str(p.relative_to(tmp_path / "other/deep")): p for p in after.keys() - before.keys()}
    assert {
        name for name in new if name.partition("/")[0] in ("ca.pem", "certs", "link.pem", "secret.txt")
    } == wanted
    assert all(path.is_relative_to(tmp_path / "other/deep") for path in new.values())
    assert {path: after[path] for path in before} == before
    for name in wanted:
        assert (new[name].stat().st_mode & 0o777, new[name].read_text()) == (0o600, files[name])


@pytest.mark.parametrize("url", ["sqlite:////{outside}/referee.db", "sqlite:///../outside/referee.db"])
def test_a_store_outside_of_the_folder_is_made_by_no_restore(url: str, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    world = World(tmp_path / "club")
    world.configure("sqlite:///referee.db", url.format(outside=str(tmp_path / "outside").lstrip("/")))
    assert world.run("list").status == 0
    (stored,) = (tmp_path / "outside").glob("referee.db")
    assert world.run("backup", str(tmp_path / "file")).status == 0
    stored.unlink()
    ran = world.run("restore", str(tmp_path / "file"), str(tmp_path / "other"))
    assert (ran.status, "outside of" in ran.err) == (1, True)
    assert not stored.exists()
    assert not [path for path in (tmp_path / "other").rglob("*") if path.is_file()]


@pytest.mark.one_in(2)
def test_where_nothing_is_sent_again_it_is_said_so(club: Club, other: Path, tmp_path: Path) -> None:
    assert club.world.run("backup", str(tmp_path / "file")).status == 0
    ran = club.world.run("restore", str(tmp_path / "file"), str(other))
    assert "reads 0 mails again" in ran.out
    assert "no letter is sent again" in ran.out
    assert "had not left" not in ran.out
