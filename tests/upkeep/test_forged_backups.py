"""A backup that somebody made up, broke or cut short: `restore` says so in a line, leaves the folder as it was and
nothing outside of it; or the change was harmless, and what is restored is well."""

import gzip
import io
import json
import random
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sampling import one_in
from tests.upkeep.club import Club
from tests.world import World

SEEDS, SOAK = range(12), range(12, 120)
Entries = list[tuple[tarfile.TarInfo, bytes]]


def taken_apart(file: Path) -> Entries:
    with tarfile.open(file, "r:gz") as tar:
        return [(member, tar.extractfile(member).read()) for member in tar]  # type: ignore[union-attr]


def put_together(entries: Entries) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for member, content in entries:
            if member.isreg():
                member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return out.getvalue()


def _linked(kind: bytes) -> Callable[[Entries, random.Random, Path], Entries]:
    """A member that leads out of the folder, and one that goes through it."""

    def forge(entries: Entries, chance: random.Random, outside: Path) -> Entries:
        link = tarfile.TarInfo("folder/way")
        link.type, link.linkname = kind, chance.choice((str(outside), "../../outside", "/etc/passwd"))
        through = tarfile.TarInfo("folder/way/evil")
        at = chance.randrange(len(entries))
        return [*entries[:at], (link, b""), (through, b"evil"), *entries[at:]]

    return forge


def _named(entries: Entries, chance: random.Random, outside: Path) -> Entries:
    """A file whose name leads elsewhere."""
    names = (
        f"folder/{outside}/evil", f"{outside}/evil", "../evil", "folder/../../outside/evil",
        "folder/mail/../../../outside/evil", "folder/./../.ssh",
    )  # fmt: skip
    return [*entries, (tarfile.TarInfo(chance.choice(names)), b"evil")]


def _without(entries: Entries, chance: random.Random, outside: Path) -> Entries:
    gone = chance.choice(("backup.json", "store", "secret", "folder/referee.toml"))
    return [(member, content) for member, content in entries if member.name != gone]


def _said(entries: Entries, chance: random.Random, outside: Path) -> Entries:
    """It says something else of itself."""
    key = chance.choice(("format", "revision", "store", "read_to", "folder", "program", "more"))
    value = chance.choice((None, 7, "", "nonsense", ["x"], "../.."))
    return [
        (m, json.dumps({**json.loads(c), key: value}).encode() if m.name == "backup.json" else c)
        for m, c in entries
    ]


def _at_another_time(entries: Entries, chance: random.Random, outside: Path) -> Entries:
    for member, _ in entries:
        member.pax_headers = {
            "REFEREE.mtime_ns": chance.choice(("9" * 40, "-" + "9" * 30, "soon", "9" * 9000))
        }
    return entries


def _deep(entries: Entries, chance: random.Random, outside: Path) -> Entries:
    deep = b"[" * 200_000
    return [(m, deep if m.name == "backup.json" else c) for m, c in entries]


def _no_files(entries: Entries, chance: random.Random, outside: Path) -> Entries:
    """What should be a file is a folder, a pipe or a device."""
    chosen = chance.choice(("backup.json", "store", "secret", "folder/referee.toml"))
    for member, _ in entries:
        if member.name == chosen:
            member.type = chance.choice((tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE))
            member.size = 0
    return entries


def _other_content(entries: Entries, chance: random.Random, outside: Path) -> Entries:
    chosen = chance.choice(("store", "secret", "folder/referee.toml"))
    other = chance.choice((b"", b"\x00" * 5000, b"nonsense\xff", b"SQLite format 3\x00" + b"\x01" * 3000))
    return [(m, other if m.name == chosen else c) for m, c in entries]


FORGERIES = {
    "a name": _named,
    "symbolic link": _linked(tarfile.SYMTYPE),
    "hard link": _linked(tarfile.LNKTYPE),
    "a part is gone": _without,
    "another manifest": _said,
    "a time": _at_another_time,
    "a deep manifest": _deep,
    "no files": _no_files,
    "other content": _other_content,
}


def seen(folder: Path) -> dict[str, bytes | None]:
    return {str(p): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}


def tried(world: World, raw: bytes, tmp_path: Path) -> None:
    outside, into = tmp_path / "outside", tmp_path / "a" / "into"
    outside.mkdir()
    into.parent.mkdir()
    (tmp_path / "forged").write_bytes(raw)
    before = seen(tmp_path)
    ran = world.run("restore", str(tmp_path / "forged"), str(into))
    if ran.status == 0:
        inside = (str(into), f"{into}/")
        assert {k: v for k, v in seen(tmp_path).items() if not k.startswith(inside)} == before
        assert World(into, tables=False).run("list").status == 0
        return
    assert (ran.status, ran.err.count("\n")) == (1, 1), ran.err
    assert ran.err.startswith("referee: ")
    assert {k: v for k, v in seen(tmp_path).items() if k != str(into)} == before


@pytest.fixture(scope="module")
def backup(season: Club, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("backup") / "file"
    season.world.do("backup", str(file))
    return file


@pytest.mark.parametrize("what", one_in(3, FORGERIES))
@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 20))])
def test_what_somebody_made_up_is_refused_or_harmless(
    what: str, seed: int, season: Club, backup: Path, tmp_path: Path
) -> None:
    chance = random.Random(f"{what} {seed}")
    entries = FORGERIES[what](taken_apart(backup), chance, tmp_path / "outside")
    tried(season.world, put_together(entries), tmp_path)


@pytest.mark.parametrize("seed", [*SEEDS, *(pytest.param(n, marks=pytest.mark.soak) for n in SOAK)])
def test_what_was_cut_or_damaged_is_refused_or_harmless(
    seed: int, season: Club, backup: Path, tmp_path: Path
) -> None:
    chance, raw = random.Random(f"damaged {seed}"), backup.read_bytes()
    match seed % 3:
        case 0:
            raw = raw[: chance.randrange(len(raw))]
        case 1:  # where the checksum of gzip sees it
            at = chance.randrange(len(raw))
            raw = raw[:at] + bytes([raw[at] ^ (1 << chance.randrange(8))]) + raw[at + 1 :]
        case 2:  # where nothing but its own form tells
            plain = bytearray(gzip.decompress(raw))
            for _ in range(chance.choice((1, 5, 50))):
                plain[chance.randrange(chance.choice((512, 4096, len(plain))))] = chance.randrange(256)
            raw = gzip.compress(bytes(plain), 1)
    tried(season.world, raw, tmp_path)
