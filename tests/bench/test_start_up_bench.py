"""What a command costs before it does anything, as ratios in one run: help, the version and wrong usage against a bare
typer app with as many commands; a list, a match and a pass with nothing to do against the import of the four libraries.

Counted are instructions of the process, which other work on the machine does not blur, or where `perf` is not to be had
its CPU. Everything runs from compiled files, as after an installation, and, for a checkout that may write none, once
more with the program's own sources compiled at every start.
"""

import os
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import referee
from referee.cli.app import COMMANDS

LIBRARIES = "import sqlalchemy, pydantic, jinja2, typer"
PROGRAM = "from referee.cli import program; program()"
BARE = "import typer\napp = typer.Typer(add_completion=False, rich_markup_mode=None)\n" + "".join(
    f"@app.command('{name}')\ndef c{number}(): 'Nothing.'\n" for number, name in enumerate(COMMANDS)
)
ROUNDS = 3


@dataclass(frozen=True)
class Meter:
    """Counts what a start of Python costs."""

    compiled: Path

    def cost(self, script: str, *arguments: str) -> float:
        """The least of a few runs, after one that compiles what it may."""
        command = [sys.executable, "-c", script, *arguments]
        subprocess.run(command, env=self._writing(), capture_output=True, check=False)
        return self.again(script, *arguments)

    def again(self, script: str, *arguments: str) -> float:
        """The same without compiling anything before."""
        return min(self._once([sys.executable, "-c", script, *arguments]) for _ in range(ROUNDS))

    def _writing(self) -> dict[str, str]:
        env = {**os.environ, "PYTHONPYCACHEPREFIX": str(self.compiled)}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        return env

    def _once(self, command: list[str]) -> float:
        env = {**self._writing(), "PYTHONDONTWRITEBYTECODE": "1"}
        if shutil.which("perf"):
            counting = ["perf", "stat", "--field-separator", ",", "--event", "instructions:u", *command]
            said = subprocess.run(counting, env=env, capture_output=True, text=True, check=False).stderr
            counts = [line.split(",")[0] for line in said.splitlines() if "instructions" in line]
            if counts and counts[0].isdigit():
                return float(counts[0])
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=env, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A referee with a few open matches, in which nothing is left to do; its configuration."""
    folder = tmp_path_factory.mktemp("quiet")
    run = [sys.executable, "-c", PROGRAM]
    subprocess.run([*run, "init", str(folder)], check=True, capture_output=True)
    config = str(folder / "referee.toml")
    for game, count in (("multigo", 3), ("multigo", 4), ("fourplay", 4), ("onepiece", 2), ("buttons", 2)):
        seats = [word for n in range(count) for word in ("--seat", f"P{n} <p{n}@example.org>")]
        subprocess.run([*run, "--config", config, "open", game, *seats], check=True, capture_output=True)
    subprocess.run([*run, "--config", config, "step"], check=True, capture_output=True)
    return config


def test_what_a_start_costs(quiet: str, tmp_path: Path) -> None:
    meter = Meter(tmp_path)
    bare, libraries = meter.cost(BARE + "app(['--help'])"), meter.cost(LIBRARIES)
    wrong = meter.cost(BARE + "app(['sing'])")
    idle = {name: ("--config", quiet, *name.split()) for name in ("list", "show fourplay-1", "step")}
    rows = [
        ("--help", meter.cost(PROGRAM, "--help") / bare),
        ("--version", meter.cost(PROGRAM, "--version") / bare),
        ("wrong usage", meter.cost(PROGRAM, "sing") / wrong),
        *((name, meter.cost(PROGRAM, *arguments) / libraries) for name, arguments in idle.items()),
    ]
    shutil.rmtree(tmp_path / str(Path(referee.__file__).parent).lstrip("/"))
    for name, arguments in idle.items():
        cost = meter.again(PROGRAM, *arguments)
        rows.append((f"{name}, its own sources compiled at the start", cost / libraries))
    for name, ratio in rows:
        print(f"start-up: {name} {ratio:.2f}")
        assert ratio > 0
