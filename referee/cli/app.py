"""The program's frame: options before the command, exit statuses, and how facts are printed."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import click
import structlog
import typer

from referee.config import BadConfiguration, Located, read_configuration
from referee.offices.desk import StaleClock
from referee.offices.moderator import CannotDo
from referee.post.transports import BadAddress
from referee.wiring import Referee, running

app = typer.Typer(
    name="referee",
    help="A play-by-mail referee: reads mails, judges them by the rules, answers, keeps the record.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, nothing else.")]
Now = Annotated[
    str | None, typer.Option("--now", help="The clock: ISO 8601 with offset or Z.", metavar="TIME")
]
Why = Annotated[str, typer.Option("--why", help="Why; it goes into the record and to the players.")]


@app.callback()
def frame(
    context: typer.Context,
    config: Annotated[Path, typer.Option("--config", help="The configuration file.", metavar="FILE")] = Path(
        "referee.toml"
    ),
    verbose: Annotated[bool, typer.Option("--verbose", help="Log to standard error.")] = False,
) -> None:
    """The options that every command has."""
    context.obj = config
    level = logging.INFO if verbose else logging.ERROR
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def located(context: typer.Context) -> Located:
    """The configuration that the command line names."""
    return read_configuration(context.obj)


@contextmanager
def referee_of(context: typer.Context, **given: Any) -> Iterator[Referee]:
    """The referee of the configuration, for the length of a block."""
    with running(located(context), **given) as referee:
        yield referee


def moment(text: str | None) -> datetime:
    """The moment that an argument names; the machine's clock where there is none."""
    if text is None:
        return datetime.now(UTC)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(f"{text!r} is no moment such as 2026-03-01T18:00:00Z") from None
    if at.tzinfo is None:
        raise click.UsageError(f"{text!r} has no offset: add Z for UTC, or +01:00 and the like")
    return at.astimezone(UTC)


def out(text: str) -> None:
    """A line, or several, on standard output."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def out_json(document: Any) -> None:
    out(json.dumps(document, ensure_ascii=False, indent=2))


def main(arguments: list[str] | None = None) -> None:
    """Run the program; the exit status is 0 (done), 1 (can't be done), 2 (wrong usage)."""
    sys.exit(status(arguments))


def status(arguments: list[str] | None = None) -> int:
    """The exit status of a run; what went wrong is said on standard error, in plain words."""
    from referee.cli import commands  # noqa: F401 - the commands register themselves

    try:
        result = app(args=arguments, standalone_mode=False)
    except click.UsageError as error:
        error.show()
        return 2
    except click.exceptions.Abort:
        return 1
    except click.exceptions.Exit as error:
        return error.exit_code
    except (CannotDo, BadConfiguration) as error:
        sys.stderr.write("".join(f"referee: {line}\n" for line in error.args))
        return 1
    except (StaleClock, BadAddress, OSError, ValueError) as error:
        sys.stderr.write(f"referee: {' '.join(str(error).split())}\n")
        return 1
    return result if isinstance(result, int) else 0
