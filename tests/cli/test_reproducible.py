"""Equal mails at equal times give equal bytes, whatever the machine's clock, the process or chance."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.company import ANN_AND_BEN, FOUR, buttons, purchase
from tests.world import World

BOUNDARY = re.compile(rb"={15}\d+==")


def story(world: World) -> None:
    """Two matches; good, bad and doubled mails; the desk; a deadline that passes."""
    purchase(world)
    name = buttons(world)
    ann, ben = ANN_AND_BEN
    world.mail(ann, f"Buttons: Move / Player 1 [{name}]", "Place: B1 at z9", "2026-03-01T13:00:00Z")
    raw = world.mail(
        ann, f"Buttons: Move / Player 1 [{name}]", "Place: B1 at a1", "2026-03-01T14:00:00Z"
    ).read_bytes()
    world.raw(raw, "2026-03-01T14:00:00Z")
    world.mail(ben, "status", "How do I stand?", "2026-03-01T15:00:00Z")
    world.mail("stranger@example.net", "Hello", "Who are you?", "2026-03-01T15:00:00Z")
    world.step("2026-03-01T16:00:00Z")
    for command in (["extend", name, "--by", "1d", "--why", "rain"], ["say", name, "Tea."]):
        assert world.run(*command, "--now", "2026-03-02T12:00:00Z").status == 0
    world.step("2026-03-02T12:00:00Z")
    world.step("2026-03-20T12:00:00Z")


def seen(world: World) -> dict[str, bytes]:
    """Everything that anybody can get, by what it is."""
    letters = sorted(
        BOUNDARY.sub(b"BOUNDARY", path.read_bytes()) for path in (world.folder / "mail/out/new").iterdir()
    )
    site = world.folder / "site"
    if site.exists():
        shutil.rmtree(site)
    assert world.run("site", str(site)).status == 0
    names = [row["match"] for row in world.run("list", "--json").json]
    commands = [["list"], ["list", "--json"]]
    commands += [["show", name, *form] for name in names for form in ([], ["--json"])]
    commands += [["record", name, "--format", form] for name in names for form in ("json", "text")]
    return {
        **{f"letter {number}": letter for number, letter in enumerate(letters)},
        **{" ".join(command): world.run(*command).out.encode() for command in commands},
        **{str(p.relative_to(site)): p.read_bytes() for p in site.rglob("*") if p.is_file()},
    }


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(what for what in one.keys() | other.keys() if one.get(what) != other.get(what))


def short(world: World) -> None:
    buttons(world)


def told(tmp_path: Path, folder: str, tell: Callable[[World], None]) -> World:
    world = World(tmp_path / folder)
    tell(world)
    return world


def test_the_same_mails_at_the_same_times_are_the_same_bytes_in_two_folders(tmp_path: Path) -> None:
    one, other = told(tmp_path, "one", story), told(tmp_path, "a/second/one", story)
    assert len(seen(one)) > 30
    assert differing(seen(one), seen(other)) == []


def test_a_folder_copied_whole_is_the_same_referee(tmp_path: Path) -> None:
    one = told(tmp_path, "one", short)
    shutil.copytree(one.folder, tmp_path / "copy")
    copy = World(tmp_path / "copy")
    for world in (one, copy):
        world.raw(
            f"From: {FOUR[1]}\nSubject: status\nMessage-ID: <s@x>\n\nHow?\n".encode(), "2026-03-03T12:00:00Z"
        )
        world.step("2026-03-20T12:00:00Z")
    assert differing(seen(one), seen(copy)) == []


def test_another_secret_is_another_referee(tmp_path: Path) -> None:
    one = told(tmp_path, "one", short)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", "another one")
        other = told(tmp_path, "two", short)
        assert differing(seen(one), seen(other)) != []
