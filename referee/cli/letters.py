"""`read`: what the referee understands of a mail, and what it would answer; records nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.app import Json, app, moment, out, out_json, referee_of
from referee.offices.moderator import CannotDo
from referee.wiring import Referee


@app.command()
def read(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE.eml...", help="Mails, one a file.")],
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", help="When it arrives: ISO 8601 with offset or Z.", metavar="TIME"),
    ] = None,
    json: Json = False,
) -> None:
    """What the referee understands of a mail, and what it would answer; records nothing."""
    at = moment(as_of)
    with referee_of(context) as referee:
        readings = [{"file": str(file), **_reading(referee, file, at)} for file in files]
    if json:
        for reading in readings:
            del reading["reason"]
        out_json(readings if len(readings) > 1 else readings[0])
        return
    for reading in readings:
        for key, value in reading.items():
            out(f"{key.replace('_', ' ')}: {_shown(key, value)}".rstrip())
        out("")


def _shown(key: str, value: Any) -> str:
    """A fact in words; what has several lines stands below, indented."""
    if value in (None, "", []):
        return "none"
    if key == "text":
        lines = value.splitlines()
    elif key == "left_out":
        lines = [f"{part['what']}: {part['lines']}" for part in value]
    elif key == "complaints":
        lines = [line for complaint in value for line in _complained(complaint)]
    else:
        return str(value)
    return "\n" + "\n".join(f"    {line}" for line in lines)


def _complained(complaint: dict[str, Any]) -> list[str]:
    where = f"line {complaint['line']['number']}, " if complaint["line"] else ""
    said = [f"{where}rule {complaint['rule']}: {complaint['says']}"]
    return said + [f"  {complaint['mend']}"] * bool(complaint["mend"])


def _reading(referee: Referee, file: Path, at: Any) -> dict[str, Any]:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise CannotDo(f"{file}: it can't be read: {error.strerror}") from None
    return referee.inquiry.read(raw, at)
