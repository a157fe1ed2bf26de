"""`rehearse`, `demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from referee.base.errors import CannotDo
from referee.cli.app import out
from referee.cli.arguments import GameName, Option, numeric
from referee.cli.command_line import app, option, place
from referee.match.arguments import given
from referee.moderation.verbs import MOST, MOST_SEED
from referee.rehearsal.players import Plan
from referee.rehearsal.rehearse import Rehearsal, rehearsed


@app.command()
def rehearse(
    game: GameName,
    seats: Annotated[
        int | None, numeric("--seats", "How many play; the game's usual number without it.")
    ] = None,
    option: Option = None,
    seed: Annotated[
        int, numeric("--seed", "The same seed plays the same matches.", -MOST_SEED, MOST_SEED)
    ] = 1,
    matches: Annotated[int, numeric("--matches", "How many matches.", 1, MOST)] = 1,
    jobs: Annotated[
        int, numeric("--jobs", "How many processes play, each with a referee of its own.", 1, 64)
    ] = 1,
    keep: Annotated[Path | None, option("--keep", "DIR", "Leave everything here.")] = None,
) -> None:
    """Seeded players play whole matches by mail against the real program."""
    plan = Plan(game, seats, given(option or []), seed, matches)
    report = rehearsed(plan, keep, out, jobs)
    for line in report.lines():
        out(line)
    if report.faults:
        raise CannotDo(*report.faults)


@app.command()
def demo(
    folder: Annotated[Path, place("[DIR]", "What is left lies here.")] = Path("fourplay-demo"),
) -> None:
    """A whole Fourplay cycle played by mail, with its records, letters and site left to be read."""
    target, number = folder, 2
    while target.exists():
        target = folder.with_name(f"{folder.name}-{number}")
        number += 1
    report = Rehearsal(Plan("fourplay", None, {}, 4, 1, human=True), target, out).play()
    for line in report.lines():
        out(line)
    if report.faults:
        raise CannotDo(*report.faults)
