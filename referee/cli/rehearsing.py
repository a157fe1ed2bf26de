"""`rehearse`, `demo`."""

import os
from functools import partial
from importlib import import_module
from pathlib import Path

import typer

from referee.base.errors import CannotDo
from referee.cli.app import OPTIONS, command, flag, numeric, option, out, place
from referee.match.arguments import given
from referee.moderation.verbs import MOST, MOST_SEED
from referee.rehearsal.players import Plan
from referee.rehearsal.rehearse import rehearsed


@command
def rehearse(
    game: str = place("[GAME]", "The game: see `referee games`.", ""),
    seats: int | None = numeric("--seats", "How many play; the game's usual number without it."),
    option: list[str] | None = OPTIONS,
    seed: int = numeric("--seed", "The same seed plays the same matches.", 1, -MOST_SEED, MOST_SEED),
    matches: int = numeric("--matches", "How many matches.", 1, 1, MOST),
    jobs: int = numeric("--jobs", "How many processes play, each with a referee of its own.", 1, 1, 64),
    keep: Path | None = option("--keep", "DIR", "Leave everything here."),
    club: bool = flag("--club", "A club with its habits plays all games, in place of one."),
    faults: bool = flag("--faults", "Whatever a club's referee stands on fails by plan."),
    days: int = numeric("--days", "How long a club plays.", 30, 1, MOST),
) -> None:
    if club:
        try:  # what fails and what has to hold comes with the tests, not with the program
            simulator = import_module("tests.simulator.rehearsed")
        except ImportError:
            raise CannotDo(
                "A club is rehearsed from a clone of the repository: its laws lie among the tests."
            ) from None
        if wrong := simulator.rehearsed(seed, days, faults=faults, show=out):
            raise CannotDo(*wrong)
        return
    if not game:
        raise CannotDo("Name a game, or give --club.")
    plan = Plan(game, seats, given(option or []), seed, matches)
    report = rehearsed(plan, keep, out, jobs)
    for line in report.lines():
        out(line)
    if report.faults:
        raise CannotDo(*report.faults)


@command
def demo(folder: Path = place("[DIR]", "What is left lies here.", Path("fourplay-demo"))) -> None:
    """Each round is shown as it is played: its moves, and the board after it, in colour on a
    terminal (NO_COLOR switches that off)."""
    target, number = folder, 2
    while target.exists():
        target = folder.with_name(f"{folder.name}-{number}")
        number += 1
    show = partial(typer.echo, color=False if os.environ.get("NO_COLOR") else None)  # else by terminal
    report = rehearsed(Plan("fourplay", None, {}, 4, 1, human=True), target, show, shown=True)
    for line in report.lines():
        show(line)
    if report.faults:
        raise CannotDo(*report.faults)
