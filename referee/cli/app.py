"""The program's frame: options before the command, exit statuses, and how facts are printed."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.main import get_command

from referee import __version__
from referee.base import logs
from referee.base.errors import RefereeError, WrongUsage
from referee.cli.command_line import app, flag, option

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
    config: Path = option("--config", "FILE", "The configuration file.", Path("referee.toml")),
    verbose: bool = flag("--verbose", "Log to standard error what is done."),
    version: bool = typer.Option(
        False, "--version", help="Say which version this is.", is_eager=True, callback=_version
    ),
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
    told(*found.warnings)
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


def shown(facts: object, lines: Iterable[str], *, json: bool) -> None:
    """One document, or what it says in lines."""
    if json:
        from json import dumps

        lines = [dumps(facts, ensure_ascii=False, indent=2)]
    for line in lines:
        out(line)


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
        return told(*error.reasons, code=2)
    except Exception as error:
        reasons = _plain_reasons(error)
        if reasons is None:
            raise
        return told(*reasons, code=1)
    return 0


def _plain_reasons(error: Exception) -> tuple[str, ...] | None:
    """Why what was asked can't be done; None where the error is the program's own."""
    from referee.service.wiring import STORE_TROUBLE

    if isinstance(error, STORE_TROUBLE):
        return (f"the store: {error.orig if hasattr(error, 'orig') else error}",)
    if isinstance(error, RefereeError):
        return error.reasons
    return (str(error),) if isinstance(error, OSError) else None


def told(*reasons: str, code: int = 0) -> int:
    """Lines on standard error; the exit status."""
    for reason in reasons:
        sys.stderr.write(f"referee: {' '.join(reason.split())}\n")
    return code
