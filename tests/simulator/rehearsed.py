"""A club rehearsed by a seed: what does not hold, and the fewest deeds it takes (`referee rehearse --club`)."""

import re
import subprocess
import tempfile
import traceback
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from datetime import timedelta
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from referee.cli.app import status
from referee.rehearsal.players import seeded
from tests.simulator.club import Deed, script
from tests.simulator.held import ClubLaws
from tests.simulator.simulation import Shell, Simulation

_MEMORY = Path("/dev/shm")
_MOST_RUNS = 60  # to find fewer deeds


class Played(NamedTuple):
    """What did not hold, the deeds with what came of them, and the years that matches were open, of all together."""

    wrong: list[str]
    log: list[str]
    years: float


def size(seed: int) -> int:
    """How many people play."""
    return 5 + seeded("size", seed).below(36, "people")


def pace(seed: int) -> int:
    """How many days there are for what quick ones do in one."""
    return (1, 3, 7, 7, 7, 7)[seeded("pace", seed).below(6, "pace")]


def shell_of(folder: Path) -> Shell:
    """The command line, in this process."""

    def run(words: Sequence[str]) -> tuple[int, str]:
        said = StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            code = status(["--config", str(folder / "referee.toml"), *words])
        return code, said.getvalue()

    return run


def played(
    seed: int,
    count: int,
    deeds: Sequence[Deed],
    *,
    most: int = 1,
    kind: Callable[..., Simulation] = Simulation,
) -> Played:
    """A club's deeds in a folder of their own, until so many laws have not held."""
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as place:
        folder = Path(place) / "referee"
        simulation = kind(seed, count, folder, shell_of(folder))
        try:
            wrong = list(islice(simulation.play(deeds, ClubLaws(simulation)), most))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            wrong = [f"{type(error).__name__}: {error}\n{traceback.format_exc()}"]
        finally:
            simulation.close()
        return Played(wrong, simulation.log, simulation.open_for / timedelta(days=365))


def about(fault: str) -> str:
    """What a fault is about, whatever names and numbers stand in it."""
    return re.sub(r"<\S+>|\S*\d\S*|\S+@\S+", "", fault.splitlines()[0])[:60]


def shrunk(seed: int, count: int, deeds: Sequence[Deed], fault: str) -> Played:
    """The same fault from as few deeds as are found by leaving some away, half of them first."""
    best, runs, size = list(deeds), 0, max(1, len(deeds) // 2)
    found = played(seed, count, best)
    while size and runs < _MOST_RUNS:
        start = 0
        while start < len(best) and runs < _MOST_RUNS:
            fewer, runs = best[:start] + best[start + size :], runs + 1
            tried = played(seed, count, fewer)
            if tried.wrong and about(tried.wrong[0]) == about(fault):
                best, found = fewer, tried
            else:
                start += size
        size //= 2
    return found._replace(log=[*found.log, *map(str, best[len(found.log) :])])


def rehearsed(seed: int, days: int, *, faults: bool, show: Callable[[str], None]) -> list[str]:
    """What did not hold, told with what it takes to see it again."""
    count, kinds = size(seed), ("habits", "faults") if faults else ("habits",)
    slow = pace(seed)
    deeds = script(seed, count, days, *kinds, pace=slow)
    show(f"{count} people, {len(deeds)} deeds in {days * slow} days")
    run = played(seed, count, deeds)
    show(f"{run.years:.2f} match-years")
    if not run.wrong:
        return []
    short = shrunk(seed, count, deeds[: len(run.log) + 1], run.wrong[0])
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    show(f"# seed {seed}, {count} people, commit {commit.stdout.strip() or 'unknown'}")
    for line in short.log:
        show(line)
    return short.wrong or run.wrong


def case(file: Path) -> Played:
    """A log that was kept, played once more."""
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    numbers = [int(number) for number in re.findall(r"seed (\d+), (\d+) people", head)[0]]
    return played(numbers[0], numbers[1], [Deed.read(line) for line in lines if line[:1].isdigit()])
