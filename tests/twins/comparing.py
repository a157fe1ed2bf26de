"""Two versions get the same sessions, and every byte that leaves them is compared: `make twins BASE=COMMIT`.

What went into the sessions is kept as data (`sessions`): commands, mails with their arrivals, the clocks of the passes,
as version 0.2.0 and its players wrote them; one goes on, in mid-game, from a store that it kept. A session that fails,
or leaves no letter, is no equal one."""

import argparse
import difflib
import filecmp
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def version(commit: str, folder: Path) -> Path:
    """The tree of a commit."""
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as tree:
        tree.extractall(folder, filter="data")
    return folder


def played(session: Path, tree: Path, folder: Path) -> str:
    """What that version fails at in the session; empty where it did all of it."""
    folder.mkdir(parents=True)
    command = [sys.executable, str(HERE / "replaying.py"), str(session), str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    letters = [*(folder / "left").glob("*-*")]
    return done.stdout or (done.stderr[-2000:] if done.returncode else "") or ("" if letters else "no letter")


def unlike(then: Path, now: Path) -> list[str]:
    """The files below both folders that only one has, or that hold other bytes."""
    names = {str(path.relative_to(one)) for one in (then, now) for path in one.rglob("*") if path.is_file()}
    return sorted(name for name in names if not _equal(then / name, now / name))


def _equal(one: Path, other: Path) -> bool:
    """Byte for byte; but the archive says by which program it was made, and every version is another one."""
    if not (one.is_file() and other.is_file()):
        return False
    if one.parent.name == "index":
        return one.name == "made" or _unmade(one) == _unmade(other)
    return filecmp.cmp(one, other, shallow=False)


def _unmade(index: Path) -> bytes:
    return re.sub(rb'"made": ?"[0-9a-f]*"', b"", index.read_bytes())


def difference(name: str, then: Path, now: Path) -> str:
    """The first lines that differ."""
    texts = [
        (folder / name).read_text(errors="replace").splitlines()
        if (folder / name).is_file()
        else ["(not there)"]
        for folder in (then, now)
    ]
    lines = [*difflib.unified_diff(*texts, "then", "now", lineterm="", n=1)][2:14]
    return "\n".join([f"  {name}", *(f"    {line[:160]}" for line in lines)])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="the commit to compare with")
    parser.add_argument("--only", default="", help="the sessions with this in their names")
    parser.add_argument("--show", type=int, default=3, help="differences of a session")
    asked = parser.parse_args(arguments)
    sessions = sorted(path for path in (HERE / "sessions").glob("*.json.xz") if asked.only in path.name)
    if not sessions:
        parser.error("there is no such session")
    bad = 0
    with tempfile.TemporaryDirectory() as place:
        base = version(asked.base, Path(place, "base"))
        for session in sessions:
            name = session.name.partition(".")[0]
            then, now = Path(place, "then", name), Path(place, "now", name)
            failed = [fault for fault in (played(session, base, then), played(session, ROOT, now)) if fault]
            other = unlike(then / "left", now / "left")
            bad += bool(failed or other)
            print(f"{name}: {f'{len(other)} files differ' if other else 'equal'}", *failed, flush=True)
            for file in other[: asked.show]:
                print(difference(file, then / "left", now / "left"), flush=True)
    print(f"{len(sessions) - bad} of {len(sessions)} sessions equal")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
