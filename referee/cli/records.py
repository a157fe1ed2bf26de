"""`record`, `verify`; and a record's file, read and verified."""

from __future__ import annotations

from pathlib import Path

import typer

from referee.base import shipped
from referee.base.errors import CannotDo
from referee.cli.app import out, referee_of, shown
from referee.cli.arguments import JSON, MATCH_NAME
from referee.cli.command_line import command, option, place
from referee.core.texts.bounded import BadData, read_json
from referee.draw import draw_text
from referee.games import found
from referee.match.record.public import public_record, record_json
from referee.match.record.text import HEAD as TEXT_HEAD
from referee.match.record.text import text_record
from referee.match.record.verifying import verified
from referee.offices.register.facts import Facts

# What the values of a text that is no record of ours make the checks raise, wherever they look.
NO_RECORD = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
IS_TEXT = (
    "this is a record as text, which has no chain: verify the one that `record MATCH --format json` writes"
)


def record_of(file: Path) -> tuple[Facts, tuple[str, ...]]:
    """A record (empty where it is none), and what is wrong with it; without faults it verifies.
    Raises CannotDo where the file can't be read, OSError where there is none."""
    try:
        text = shipped.text_of(file, shipped.LARGEST_RECORD)
        if text.startswith(TEXT_HEAD):
            return {}, (IS_TEXT,)
        told = read_json(text)
        game = found().get(told.get("game"))
        return told, verified(told, game, shipped.game_options(game.slug) if game else None)
    except shipped.BadFile as error:
        raise CannotDo(str(error)) from None
    except BadData as error:
        return {}, (f"this is no record: {error}",)
    except NO_RECORD as error:
        words = " ".join(str(error).split())
        return {}, (f"this is no record: {type(error).__name__} {words}"[:300],)


@command
def record(
    context: typer.Context,
    match: str = MATCH_NAME,
    form: str = option("--format", "FORMAT", "json, text or sgf.", "json"),
) -> None:
    with referee_of(context) as referee:
        history = referee.moderator.history(match)
        game = found()[referee.moderator.match(match).game]
        if form == "json":
            out(record_json(public_record(game, history)))
        elif form == "text":
            out(text_record(game, history, draw_text))
        elif form == "sgf" and (sgf := game.sgf(public_record(game, history))) is not None:
            out(sgf)
        else:
            raise CannotDo(f"{game.title} has no record in the format {form!r}.")


@command
def verify(file: Path = place("FILE", "A record in JSON, gzip or not."), json: bool = JSON) -> None:
    _, faults = record_of(file)
    well = "The chain, seals, draw, answers and all that followed are as they should be."
    shown({"well": not faults, "faults": list(faults)}, faults or [well], json=json)
    if faults:
        raise typer.Exit(1)
