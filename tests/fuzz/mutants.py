"""Small faults written into the code, and whether the tests of its room tell: `make mutants`, or
`python -m tests.fuzz.mutants --room match --sample 100 --seed 7`.

mutmut makes the mutants and runs, for each, the tests that reach it; here they are chosen and counted. The work is done
in a copy, so that nothing of the repository changes."""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_COPIED: Final = ("referee", "templates", "config", "tests", "docs", "README.md", "pyproject.toml")

# The code of a room, by the pattern of its files (of its folders too), and the tests that are to tell.
ROOMS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "match": ("referee/match/*.py", ("tests/match", "tests/offices/clock", "tests/laws")),
    "way": ("referee/way/*.py", ("tests/way", "tests/offices")),
    "language": ("referee/language/*.py", ("tests/language", "tests/understood", "tests/firewall")),
    **{
        game: (
            f"referee/games/{game}/*.py",
            (f"tests/games/{game}", "tests/laws", "tests/letters/test_goldens.py"),
        )
        for game in ("fourplay", "multigo", "onepiece", "buttons", "morris")
    },
}
_CALLED: Final = {
    "multigo": "go",
    "morris": "nine",
}  # a game's kinds in the laws, where they are not called by its slug
_READS_CODE: Final = (  # and finds there what a mutant says
    "tests/laws/test_seam.py::test_law_7_every_complaint_has_a_wording_and_none_is_left_over"
)
_ENDED: Final = {0: "alive", 33: "unreached", 5: "unreached", -24: "too long", 24: "too long", 36: "too long"}


def _config(room: str) -> str:
    """What mutmut is told; of the laws over all games a game's mutants meet those over its own kinds."""
    files, tests = ROOMS[room]
    own = sorted(path.stem for path in (ROOT / "tests/games" / room).glob("test_*.py"))
    told = {
        "source_paths": ["referee"],
        "only_mutate": [files],
        "pytest_add_cli_args_test_selection": list(tests),
        "pytest_add_cli_args": [
            "-m",
            "not soak and not server",
            f"--deselect={_READS_CODE}",
            *(("-k", " or ".join((_CALLED.get(room, room), *own))) if own else ()),
        ],
        "also_copy": [name for name in _COPIED if name != "referee"],
    }
    return "\n[tool.mutmut]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in told.items())


def _metas(copy: Path) -> Iterator[dict[str, int | None]]:
    """How each mutant of a file ended; None where it has not been tried."""
    for path in sorted((copy / "mutants").rglob("*.meta")):
        yield json.loads(path.read_text())["exit_code_by_key"]


def _run(copy: Path, *names: str) -> str:
    command = [str(Path(sys.executable).with_name("mutmut")), "run", "--max-children", "2", *names]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, errors="replace")
    said = re.sub(r"[^\n]*\r|\x1b\[[0-9;?]*[a-zA-Z]|^\W Running[^\n]*\n", "", done.stdout, flags=re.MULTILINE)
    return f"{said[-3000:]}{done.stderr[-3000:]}"


def tried(room: str, sample: int, seed: int, within: Path) -> dict[str, str]:
    """The mutants of a room that were chosen, and how each ended. Raises RuntimeError where none could be made."""
    for name in _COPIED:
        copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copied(ROOT / name, within / name)
    with (within / "pyproject.toml").open("a") as config:
        config.write(_config(room))
    said = _run(within, "none.of.these")  # makes them all, and tries none
    names = sorted(name for meta in _metas(within) for name in meta)
    if not names:
        raise RuntimeError(said)
    chosen = random.Random(seed).sample(names, min(sample, len(names)))
    said = _run(within, *chosen)
    ended = {name: code for meta in _metas(within) for name, code in meta.items() if name in set(chosen)}
    if all(code is None for code in ended.values()):
        raise RuntimeError(said)
    return {name: "untried" if code is None else _ENDED.get(code, "dead") for name, code in ended.items()}


def shown(name: str, copy: Path) -> str:
    """What a mutant changes."""
    command = [str(Path(sys.executable).with_name("mutmut")), "show", name]
    lines = subprocess.run(command, cwd=copy, capture_output=True, text=True).stdout.splitlines()
    return "\n".join(line for line in lines if line[:1] in "+-")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--room", action="append", choices=[*ROOMS], help="all, if none is named")
    parser.add_argument("--sample", type=int, default=75, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    alive = 0
    for room in asked.room or ROOMS:
        with tempfile.TemporaryDirectory() as folder:
            ended = tried(room, asked.sample, asked.seed, Path(folder))
            counts = {
                how: sum(1 for each in ended.values() if each == how) for how in sorted(set(ended.values()))
            }
            print(f"{room}: {counts}", flush=True)
            for name in (name for name, how in ended.items() if how != "dead"):
                print(f"  {name}: {ended[name]}\n{shown(name, Path(folder))}", flush=True)
                alive += ended[name] == "alive"
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
