"""`step` and `run`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from referee.cli.app import Json, Now, app, moment, out, out_json, referee_of
from referee.service import serve


@app.command()
def step(
    context: typer.Context,
    now: Now = None,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Leave a solver's verdict to a later step.")
    ] = False,
    json: Json = False,
) -> None:
    """One pass: read the mailbox, judge, fire deadlines, deliver letters."""
    at = moment(now)
    with referee_of(context) as referee:
        counts = referee.desk.step(at, wait=not no_wait).facts()
    trouble = counts.get("trouble", [])
    if json:
        out_json(counts)
    else:
        out(", ".join(f"{name} {count}" for name, count in counts.items() if name != "trouble"))
    for line in trouble:
        sys.stderr.write(f"referee: {line}\n")


@app.command()
def run(context: typer.Context) -> None:
    """The service: steps on a schedule, and when the mail server says that mail has come, until stopped."""
    with referee_of(context) as referee:
        serve(referee)
