"""The moderator's commands, made of the table of verbs: what is done to a match, and to mails that were put aside; and
`open`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import typer

from referee.base import shipped
from referee.base.errors import CannotDo, WrongUsage
from referee.cli.app import at_desk, out, shown, told, verb
from referee.cli.facts import owing
from referee.cli.records import record_of
from referee.games import found
from referee.match.arguments import entrant, given
from referee.match.commands import Continuation
from referee.match.record.public import CannotContinue, continuation
from referee.moderation.acts import NONE, Effect
from referee.moderation.orders import DeskOrder, order_of
from referee.moderation.verbs import VERBS
from referee.offices.register.facts import facts_of
from referee.offices.register.opening import NewMatch


def _carried_out(name: str, context: typer.Context, **said: Any) -> None:
    order = order_of(name, said)
    with at_desk(context, said["now"]) as (referee, at):
        acts = referee.parts.acts
        done = referee.moderator.act(lambda unit: acts.carried_out(unit, order, at), at)
    for outcome in done:
        out("\n".join(_lines(order, outcome)))


def _lines(order: DeskOrder, outcome: Effect) -> Iterator[str]:
    """What was done, what is owed after it, and what undoes it; of a dry run what would be."""
    after = outcome.after
    if after is None:
        yield outcome.said
        return
    yield f"{after.name}: {'it would be so: ' if order.check else ''}{outcome.said}."
    if outcome.moved:
        facts = facts_of(after)
        yield from (f"  due: {owing(facts, due)}" for due in facts["due"])
    if outcome.status:
        yield f"  the match is {outcome.status}"
    if order.check:
        yield from (f"  board: {sentence}" for sentence in outcome.board)
        yield "Nothing is changed."
    else:
        undo = f"`referee {outcome.undo} --why TEXT` undoes it." if outcome.undo else NONE
        yield f"The letters leave at the next step. {undo}"


def _open(
    context: typer.Context,
    game: str,
    seat: list[str] | None,
    option: list[str] | None,
    vacant: int | None,
    now: str | None,
    json: bool,
    **more: Any,
) -> None:
    """A file option is replaced by the file's text."""
    record, position = more.pop("record"), more.pop("at")
    if position is not None and record is None:
        raise WrongUsage("--at names a position of a record: give --record FILE with it")
    if record is not None and option:
        raise WrongUsage("a match that goes on from a record keeps its options: leave --option away")
    with at_desk(context, now) as (referee, at):
        zone, beside = referee.settings.referee.timezone, referee.located.folder
        if game not in found():
            raise CannotDo(f"There is no game {game!r}. There are: {', '.join(found())}.")
        specs, values = shipped.game_options(game, beside, zone), given(option or [])
        for spec in specs:
            if spec.kind == "file" and values.get(spec.name):
                try:
                    values[spec.name] = shipped.text_of(Path(values[spec.name]))
                except (OSError, ValueError) as error:
                    raise CannotDo(f"{spec.name}: the file can't be read: {error}") from None
                if not values[spec.name].strip():
                    raise CannotDo(f"{spec.name}: the file is empty")
        roster, data = tuple(map(entrant, seat or ())), shipped.game_data(game, beside)
        more["continuation"] = _continued(game, Path(record), position) if record is not None else None
        match = referee.moderator.open(NewMatch(game, roster, values, specs, data, vacant or 0, **more), at)
        shown(facts_of(match), [match.name], json=json)
        if referee.offices.collision:
            told(referee.offices.collision)


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


for _name, _verb in VERBS.items():
    if _verb.does != "tells":
        verb(_name, _open if _name == "open" else partial(_carried_out, _name))
