"""The program's frame: options before the command, exit statuses, and how facts are printed."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

from referee import logs
from referee.cli.command_line import Commands

if TYPE_CHECKING:
    from referee.config import Located
    from referee.wiring import Referee

ABOUT = """A play-by-mail referee: it reads players' mails, judges them by the rules of their game, answers, watches
the deadlines and keeps the record.

`referee init` writes a configuration, `referee open` opens a match, `referee step` is one pass (for cron),
`referee run` the service. `referee COMMAND --help` tells more. Exit status: 0 done; 1 it can't be done, and why
stands on standard error; 2 the command line is wrong."""

app = typer.Typer(
    cls=Commands,
    name="referee",
    help=ABOUT,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class WrongUsage(Exception):
    """The command line can't be understood; the arguments say why, one line each."""


MatchName = Annotated[str, typer.Argument(metavar="MATCH", help="The match's name: see `referee list`.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game: see `referee games`.")]
Option = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the game, as often as needed.", metavar="NAME=VALUE"),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, nothing else.")]
Now = Annotated[
    str | None,
    typer.Option(
        "--now", help="The clock: ISO 8601 with offset or Z. Without it, the machine's.", metavar="TIME"
    ),
]
Why = Annotated[
    str, typer.Option("--why", help="Why; it goes into the record and to the players.", metavar="TEXT")
]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        out(f"referee {version('referee')}")
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
    from referee.config import read_configuration

    return read_configuration(context.obj)


@contextmanager
def referee_of(context: typer.Context, **given: Any) -> Iterator[Referee]:
    """The referee of the configuration, for the length of a block."""
    from referee.wiring import running

    with running(located(context), **given) as referee:
        yield referee


def forgive(context: typer.Context, mails: Sequence[str]) -> None:
    """These mails were in hand when the process was killed that was to end: for none of them is that a death."""
    with referee_of(context) as referee, referee.store.transaction() as unit:
        for mail in mails:
            unit.forgive(mail)


def moment(text: str | None) -> datetime:
    """The moment that an argument names; the machine's clock where there is none."""
    if text is None:
        return datetime.now(UTC)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise WrongUsage(f"{text!r} is no moment such as 2026-03-01T18:00:00Z") from None
    if at.tzinfo is None:
        raise WrongUsage(f"{text!r} has no offset: add Z for UTC, or +01:00 and the like")
    return at.astimezone(UTC)


def clock(referee: Referee, text: str | None) -> datetime:
    """The moment of a command at the desk; without one, now, but never before the last pass."""
    at = moment(text)
    last = referee.moderator.last_pass()
    return at if text is not None or last is None else max(at, last)


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
        return _said(2, *error.args)
    except Exception as error:
        reasons = _plain_reasons(error)
        if reasons is None:
            raise
        return _said(1, *reasons)
    return 0


def _plain_reasons(error: Exception) -> tuple[str, ...] | None:
    """Why what was asked can't be done; None where the error is the program's own."""
    from referee.brought import BadGame
    from referee.config import BadConfiguration
    from referee.games import TwoGames
    from referee.offices.passes import StaleClock
    from referee.offices.ports.transport import MailboxTrouble
    from referee.offices.register import CannotDo
    from referee.post.carrying.transports import BadAddress
    from referee.shipped import BadFile
    from referee.store.engine import (
        NewerTables,
        OlderAtWork,
        OlderTables,
        OtherSecret,
        Unreleased,
        WorkersAtWork,
        WrongEncoding,
    )
    from referee.wiring import STORE_TROUBLE, EngineMissing

    match error:
        case CannotDo() | BadConfiguration():
            return error.args
        case _ if isinstance(error, STORE_TROUBLE):
            return (f"the store: {error.orig if hasattr(error, 'orig') else error}",)
        case (
            NewerTables()
            | Unreleased()
            | OlderAtWork()
            | OlderTables()
            | WorkersAtWork()
            | OtherSecret()
            | WrongEncoding()
            | EngineMissing()
        ):
            return (str(error),)
        case StaleClock() | BadAddress() | BadFile() | MailboxTrouble() | TwoGames() | BadGame() | OSError():
            return (str(error),)
    return None


def _said(code: int, *reasons: str) -> int:
    sys.stderr.write("".join(f"referee: {' '.join(reason.split())}\n" for reason in reasons))
    return code
