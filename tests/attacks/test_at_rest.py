"""Another account of the machine, and a careless umask: what players write in confidence is the referee's alone."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world import Table, World

AT = "2026-03-02T00:00:00Z"


@pytest.fixture(autouse=True)
def _secret_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFEREE_SECRET", raising=False)


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=["umask 000", "umask 022", "umask 077"])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_whatever_the_umask_everything_is_its_owners_alone(umask: int, tmp_path: Path) -> None:
    table = Table(tmp_path / "games")
    table.send(table.mover, table.latest("due", table.mover).subject, table.orders(table.mover), AT)
    folder = table.world.folder
    found = {path for path in folder.rglob("*") if path.name != "in" or path.is_dir()}
    assert {p.name for p in found} >= {
        "referee.toml", "referee.db", "referee.secret", "mail", "in", "out", "cur",
    }  # fmt: skip
    assert list((folder / "mail/in/cur").iterdir())
    assert list((folder / "mail/out/new").iterdir())
    for path in (folder, *found):
        assert mode(path) == (0o700 if path.is_dir() else 0o600), f"{path} {mode(path):o}"


def test_the_store_in_use_is_its_owners_alone(umask: int, tmp_path: Path) -> None:
    """SQLite's own files beside the store, which are there while it is open."""

    world = World(tmp_path / "games")
    with world.referee() as referee, referee.store.transaction():
        beside = sorted(world.folder.glob("referee.db*"))
        assert {path.name for path in beside} >= {"referee.db", "referee.db-wal", "referee.db-shm"}
        assert {mode(path) for path in beside} == {0o600}


@pytest.mark.one_in(3)
def test_the_public_site_keeps_the_umask(umask: int, tmp_path: Path) -> None:
    table = Table(tmp_path / "games")
    site = tmp_path / "site"
    assert table.world.run("site", str(site)).status == 0
    pages = [path for path in site.rglob("*") if path.is_file()]
    assert pages
    assert {mode(path) for path in pages} == {0o666 & ~umask}
    assert {mode(path) for path in (site, *site.rglob("*")) if path.is_dir()} == {0o777 & ~umask}


@pytest.mark.one_in(3)
def test_a_rehearsal_that_is_kept_is_its_owners_alone(umask: int, tmp_path: Path) -> None:
    world = World(tmp_path / "games")
    kept = tmp_path / "kept"
    assert world.run("rehearse", "buttons", "--seed", "1", "--keep", str(kept), config=False).status == 0
    assert mode(kept) == 0o700
    for path in (*kept.glob("referee.*"), *kept.glob("mail/**/*")):
        if path.parent.name != "new" or path.parent.parent.name != "in":
            assert mode(path) == (0o700 if path.is_dir() else 0o600), f"{path} {mode(path):o}"


def test_doctor_says_what_is_open_to_others_and_how_to_close_it(tmp_path: Path) -> None:
    table = Table(tmp_path / "games")
    folder = table.world.folder
    assert table.world.run("doctor").status == 0
    (folder / "referee.db").chmod(0o640)
    (folder / "referee.secret").chmod(0o604)
    (folder / "mail/out").chmod(0o755)
    (folder / "mail/out/new").chmod(0o750)
    letter = next((folder / "mail/out/new").iterdir())
    letter.chmod(0o644)
    ran = table.world.run("doctor", "--json")
    assert ran.status == 1
    told = [fault["fault"] for fault in ran.json["faults"] if fault["part"] == "files"]
    for path in (
        folder / "referee.db",
        folder / "referee.secret",
        folder / "mail/out",
        folder / "mail/out/new",
        letter,
    ):
        (fault,) = [one for one in told if one.startswith(f"{path} is open")]
        assert f"`chmod go= {path}`" in fault
        path.chmod(mode(path) & 0o700)
    assert table.world.run("doctor").status == 0


def test_what_lies_in_a_closed_folder_is_closed_and_many_open_files_are_told_in_a_few_lines(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path / "games")
    for number in range(40):
        path = table.world.mail(table.mover, "hello", str(number), AT)
        path.chmod(0o666)
    assert table.world.run("doctor").status == 0
    box = table.world.folder / "mail/in"
    box.chmod(0o755)
    told = table.world.run("doctor").out.splitlines()
    assert len([line for line in told if line.startswith("files:")]) < 10
    assert any(f"chmod -R go= {box}" in line for line in told)


def test_a_mail_that_is_put_away_is_closed_and_keeps_its_time(table: Table) -> None:
    path = table.world.mail(table.mover, "help", "", AT)
    path.chmod(0o664)
    before = path.stat().st_mtime_ns
    table.step(AT)
    (filed,) = [p for p in (table.world.folder / "mail/in/cur").iterdir() if p.name.startswith(path.name)]
    assert (mode(filed), filed.stat().st_mtime_ns) == (0o600, before)
