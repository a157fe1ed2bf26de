"""`site` and `serve`: the public archive, written and shown."""

from __future__ import annotations

import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from referee.archive.serving import Serving
from referee.cli.app import app, located, out, referee_of


@app.command()
def site(
    context: typer.Context, folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put it.")]
) -> None:
    """Build the public archive; where one stands already, only what has changed is written."""
    with referee_of(context) as referee:
        count = referee.publish(folder).matches
    out(f"{folder / 'index.html'}: {count} match{'' if count == 1 else 'es'}.")


@app.command()
def serve(
    context: typer.Context,
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, metavar="N", help="0 takes any that is free."),
    ] = 8000,
) -> None:
    """Show the public archive on this machine (127.0.0.1), for looking; the world is served by any static host."""
    with ExitStack() as stack:
        shelves = {"": _archive(context, stack)}
        server = stack.enter_context(Serving(shelves, port))
        signal.signal(signal.SIGTERM, _stop)
        out(f"{server.address} shows the archive until you press Ctrl-C.")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            out("")


def _archive(context: typer.Context, stack: ExitStack) -> Path:
    """The archive as it is now: in its own folder, or in one that is gone afterwards."""
    own = located(context).settings.site.folder
    with referee_of(context) as referee:
        folder = (
            referee.located.folder / own
            if own
            else Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-site-")))
        )
        referee.publish(folder)
    return folder


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
