"""`record`, `verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.base.errors import CannotDo
from referee.cli.app import out, out_json, referee_of
from referee.cli.archive.record_file import record_of
from referee.cli.arguments import Json
from referee.cli.command_line import app
from referee.core.capabilities import WritesSgf
from referee.drawing import draw_text
from referee.games import found
from referee.match.record.public import public_record, record_json
from referee.match.record.text import text_record


@app.command()
def record(
    context: typer.Context,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The match's name: see `referee list`.")],
    form: Annotated[str, typer.Option("--format", help="json, text or sgf.", metavar="FORMAT")] = "json",
) -> None:
    """The public game record."""
    with referee_of(context) as referee:
        history = referee.moderator.history(match)
        game = found()[referee.moderator.match(match).game]
        if form == "json":
            out(record_json(public_record(game, history)))
        elif form == "text":
            out(text_record(game, history, draw_text))
        elif form == "sgf" and isinstance(game, WritesSgf):
            out(game.sgf(public_record(game, history)))
        else:
            raise CannotDo(f"{game.title} has no record in the format {form!r}.")


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record in JSON, gzip or not.")],
    json: Json = False,
) -> None:
    """Check a record: its chain, seals and draw, and all that followed by the rules; needs no database."""
    _, faults = record_of(file)
    if json:
        out_json({"well": not faults, "faults": list(faults)})
    else:
        for fault in faults or (
            "The chain, seals, draw, answers and all that followed are as they should be.",
        ):
            out(fault)
    if faults:
        raise typer.Exit(1)
