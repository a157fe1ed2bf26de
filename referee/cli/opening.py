"""`open`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from referee.base import shipped
from referee.base.errors import CannotDo, WrongUsage
from referee.cli.app import referee_of, shown, told
from referee.cli.archive.records import record_of
from referee.cli.arguments import clock, moment, verb
from referee.games import found
from referee.match.arguments import entrant, given
from referee.match.commands import Continuation
from referee.match.record.public import CannotContinue, continuation
from referee.offices.register.facts import facts_of
from referee.offices.register.opening import NewMatch
from referee.service.wiring import Referee


def _open(context: typer.Context, game: str, now: str | None, json: bool, **said: Any) -> None:
    moment(now)
    record, at = said.pop("record"), said.pop("at")
    if at is not None and record is None:
        raise WrongUsage("--at names a position of a record: give --record FILE with it")
    if record is not None and said["option"]:
        raise WrongUsage("a match that goes on from a record keeps its options: leave --option away")
    with referee_of(context) as referee:
        asked = _asked(referee, game, **said)
        if record is not None:
            asked = replace(asked, continuation=_continued(game, Path(record), at))
        match = referee.moderator.open(asked, clock(referee, now))
        shown(facts_of(match), [match.name], json=json)
        if referee.offices.collision:
            told(referee.offices.collision)


def _asked(
    referee: Referee,
    game: str,
    seat: list[str] | None,
    option: list[str] | None,
    vacant: int | None,
    **more: Any,
) -> NewMatch:
    """What the arguments ask for; a file option is replaced by the file's text."""
    zone, beside = referee.settings.referee.timezone, referee.located.folder
    if game not in found():
        raise CannotDo(f"There is no game {game!r}. There are: {', '.join(found())}.")
    specs = shipped.game_options(game, beside, zone)
    values = given(option or [])
    for spec in specs:
        if spec.kind == "file" and values.get(spec.name):
            try:
                values[spec.name] = shipped.text_of(Path(values[spec.name]))
            except (OSError, ValueError) as error:
                raise CannotDo(f"{spec.name}: the file can't be read: {error}") from None
            if not values[spec.name].strip():
                raise CannotDo(f"{spec.name}: the file is empty")
    roster, data = tuple(map(entrant, seat or ())), shipped.game_data(game, beside)
    return NewMatch(game, roster, values, specs, data, vacant or 0, **more)


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
