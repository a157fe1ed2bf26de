"""`open`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import typer

from referee.base import shipped
from referee.base.errors import CannotDo, WrongUsage
from referee.cli.app import out, out_json, referee_of, said
from referee.cli.archive.records import record_of
from referee.cli.arguments import clock, moment, verb
from referee.games import found
from referee.match.arguments import entrant, given
from referee.match.commands import Continuation
from referee.match.record.public import CannotContinue, continuation
from referee.offices.register.facts import facts_of
from referee.offices.register.opening import NewMatch


def opening(
    game: str,
    seats: list[str],
    options: list[str],
    beside: Path | None,
    vacant: int = 0,
    name: str | None = None,
    seed: int | None = None,
    beacon: str | None = None,
    zone: str = "UTC",
) -> NewMatch:
    """What the arguments of `open` ask for; a file option is replaced by the file's text. `zone` is the referee's."""
    if game not in found():
        raise CannotDo(f"There is no game {game!r}. There are: {', '.join(found())}.")
    specs = shipped.game_options(game, beside, zone)
    values = given(options)
    for spec in specs:
        if spec.kind == "file" and values.get(spec.name):
            try:
                values[spec.name] = shipped.text_of(Path(values[spec.name]))
            except (OSError, ValueError) as error:
                raise CannotDo(f"{spec.name}: the file can't be read: {error}") from None
            if not values[spec.name].strip():
                raise CannotDo(f"{spec.name}: the file is empty")
    roster = tuple(entrant(seat) for seat in seats)
    return NewMatch(game, roster, values, specs, shipped.game_data(game, beside), vacant, name, seed, beacon)


def _open(
    context: typer.Context,
    game: str,
    seat: list[str] | None,
    vacant: int | None,
    name: str | None,
    option: list[str] | None,
    seed: int | None,
    beacon: str | None,
    record: str | None,
    at: int | None,
    now: str | None,
    json: bool,
) -> None:
    moment(now)
    if at is not None and record is None:
        raise WrongUsage("--at names a position of a record: give --record FILE with it")
    if record is not None and option:
        raise WrongUsage("a match that goes on from a record keeps its options: leave --option away")
    with referee_of(context) as referee:
        zone, beside = referee.settings.referee.timezone, referee.located.folder
        asked = opening(game, seat or [], option or [], beside, vacant or 0, name, seed, beacon, zone)
        if record is not None:
            asked = replace(asked, continuation=_continued(game, Path(record), at))
        match = referee.moderator.open(asked, clock(referee, now))
        if json:
            out_json(facts_of(match))
        else:
            out(match.name)
        if referee.offices.collision:
            said(referee.offices.collision)


verb("open", _open)


def _continued(game: str, file: Path, at: int | None) -> Continuation:
    """What the match takes over from a record, which is verified first."""
    record, faults = record_of(file)
    if faults:
        raise CannotDo(f"{file} does not verify: {faults[0]}")
    if record["game"] != game:
        raise CannotDo(f"{file} is the record of a match of {record['game']}, not of {game}.")
    try:
        return continuation(found()[game], record, at)
    except CannotContinue as error:
        raise CannotDo(f"{file}: {error}.") from None
