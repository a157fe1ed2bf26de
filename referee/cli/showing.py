"""`site` and `serve`: the public archive, written and shown."""

from __future__ import annotations

import secrets
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

import typer

from referee.base import shipped
from referee.base.errors import CannotDo
from referee.cli.app import command, flag, located, numeric, option, out, place, referee_of
from referee.cli.records import record_of
from referee.offices.register.facts import Facts
from referee.site.letterbox import write_front
from referee.site.publish import FromRecords
from referee.site.serving import Serving

_LETTERS = "Also the letters of every match, which are private."


@command
def site(
    context: typer.Context,
    folder: Path = place("DIR", "Where to put it."),
    record: list[Path] | None = option(
        "--record", "FILE", "Instead of the matches here, those of records in JSON."
    ),
) -> None:
    with referee_of(context) as referee:
        ledgers = FromRecords(_verified(record), referee.games) if record else None
        count = referee.publish(folder, ledgers)
    out(f"{folder / 'index.html'}: {count} match{'' if count == 1 else 'es'}.")


@command
def serve(
    context: typer.Context,
    port: int = numeric("--port", "0 takes any that is free.", 8000, 0, 65535),
    letters: bool = flag("--letters/--no-letters", _LETTERS, default=True),
) -> None:
    """The world is served by any static host. The letters stand at an address that nobody guesses: other accounts
    of the machine can ask as well."""
    with ExitStack() as stack:
        # the archive in its own folder, or in one that is gone afterwards
        own = located(context).settings.site.folder
        folder = Path(own or stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-site-")))
        with referee_of(context) as referee:
            folder = referee.located.folder / folder
            referee.publish(folder)
        shelves = {"": folder}
        hidden = f"letters-{secrets.token_urlsafe(16)}"
        if letters:
            shelves[hidden] = _letters(context, stack)
        server = stack.enter_context(Serving(shelves, port))
        signal.signal(signal.SIGTERM, _stop)
        out(f"{server.address} shows the archive until you press Ctrl-C.")
        if letters:
            out(f"{server.address}{hidden}/ shows the letters, which are private.")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            out("")


def _letters(context: typer.Context, stack: ExitStack) -> Path:
    """The letters of every match, in a folder that is gone afterwards."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-letters-")))
    with referee_of(context) as referee:
        parts = []
        for match in referee.moderator.matches():
            _, count = referee.write_letters(match.name, folder / match.name)
            told = f"{count} letter{'' if count == 1 else 's'}"
            parts.append((f"{match.name}/index.html", match.name, told))
        templates = shipped.folders("templates", referee.located.folder)
    write_front(folder, "Letters", parts, templates)
    return folder


def _verified(files: list[Path]) -> list[Facts]:
    """The records in files, each of which must verify."""
    found = []
    for file in files:
        record, faults = record_of(file)
        if faults:
            raise CannotDo(f"{file} does not verify: {faults[0]}")
        found.append(record)
    names = [record["match"] for record in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CannotDo(f"there are several records of {', '.join(twice)}: give one of each match")
    return found


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
