"""The program's frame: options before the command, exit statuses, and how facts are printed."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

from referee import __version__
from referee.base import logs
from referee.base.errors import RefereeError, WrongUsage
from referee.cli.command_line import app

if TYPE_CHECKING:
    from referee.service.config import Located
    from referee.service.wiring import Referee


def _version(wanted: bool) -> None:
    if wanted:
        out(f"referee {__version__}")
        raise typer.Exit


@app.callback()
def frame(
    context: typer.Context,
    config: Annotated[Path, typer.Option("--config", help="The configuration file.", metavar="FILE")] = Path(
        "referee.toml"
    ),
    verbose: Annotated[bool, typer.Option("--verbose", help="Log to standard error what is done.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Say which version this is.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """The options that every command has."""
    if context.invoked_subcommand is None:
        return
    context.obj = config
    context.meta["verbose"] = verbose
    logs.level = logging.INFO if verbose else logging.ERROR


def located(context: typer.Context) -> Located:
    """The configuration that the command line names."""
    from referee.service.config import read_configuration

    found = read_configuration(context.obj)
    _said(0, *found.warnings)
    return found


@contextmanager
def referee_of(context: typer.Context, **given: Any) -> Iterator[Referee]:
    """The referee of the configuration, for the length of a block."""
    from referee.service.wiring import running

    with running(located(context), **given) as referee:
        yield referee


def forgive(context: typer.Context, mails: Sequence[str]) -> None:
    """These mails were in hand when the process was killed that was to end: for none of them is that a death."""
    with referee_of(context) as referee, referee.store.transaction() as unit:
        for mail in mails:
            unit.forgive(mail)


def out(text: str) -> None:
    """A line, or several, on standard output."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def out_json(document: object) -> None:
    import json

    out(json.dumps(document, ensure_ascii=False, indent=2))


def said(reason: str) -> None:
    """A line on standard error."""
    _said(0, reason)


def main(arguments: list[str] | None = None) -> None:
    """Run the program; the exit status is 0 (done), 1 (can't be done), 2 (wrong usage)."""
    sys.exit(status(arguments))


@cache
def _program() -> Any:
    """The command line as typer makes it of `app`, once a process; commands join it as they are asked for."""
    return get_command(app)


def status(arguments: list[str] | None = None) -> int:
    """The exit status of a run; what went wrong is said on standard error, in plain words, one line for each reason."""
    try:
        _program()(args=arguments, prog_name="referee")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except WrongUsage as error:
        return _said(2, *error.reasons)
    except Exception as error:
        reasons = _plain_reasons(error)
        if reasons is None:
            raise
        return _said(1, *reasons)
    return 0


def _plain_reasons(error: Exception) -> tuple[str, ...] | None:
    """Why what was asked can't be done; None where the error is the program's own."""
    from referee.service.wiring import STORE_TROUBLE

    if isinstance(error, STORE_TROUBLE):
        return (f"the store: {error.orig if hasattr(error, 'orig') else error}",)
    if isinstance(error, RefereeError):
        return error.reasons
    return (str(error),) if isinstance(error, OSError) else None


def _said(code: int, *reasons: str) -> int:
    for reason in reasons:
        sys.stderr.write(f"referee: {' '.join(reason.split())}\n")
    return code
