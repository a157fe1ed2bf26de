"""The program's frame: which commands there are, where each is written, and what it does in a line, which is all that
`referee --help` needs; options before the command, arguments that several have, exit statuses, and how facts are
printed. The module of a command is imported when it is run, and nothing heavy before."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from inspect import Parameter, Signature
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperGroup
from typer.main import get_command

from referee import __version__
from referee.base import logs
from referee.base.errors import RefereeError, WrongUsage
from referee.moderation import verbs
from referee.moderation.verbs import VERBS, Argument

if TYPE_CHECKING:
    from datetime import datetime

    from referee.service.config import Located
    from referee.service.wiring import Referee

# Of each command the module in which it is written, and how its help begins.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("setting_up", "Write a commented referee.toml that works at once, and the folders it names."),
    "doctor": ("setting_up", "Check the configuration, the mailbox, the courier and the store."),
    "games": ("setting_up", "The games known, their options and defaults."),
    "propose": ("desk", "Propose a match for a player; it opens when everybody has said Yes."),
    "rematch": ("desk", "Propose a match that has ended once more, to the same people."),
    "event": ("desk", "Tournaments: announce one, enter people, start it, see how it stands."),
    "ratings": ("desk", "Ratings, made anew from the ledgers of all matches that have ended."),
    "step": ("service", "One pass: read the mailbox, judge, fire deadlines, deliver letters."),
    "run": ("service", "The service: steps on a schedule, and when mail has come, until stopped."),
    "worker": ("service", "A worker of the engine named in [engine], until stopped."),
    "deliver": ("service", "Take one mail on standard input into the mailbox, a Maildir."),
    "clock": ("upkeep", "What the passes' clock says, whether it is doubted, and how it is mended."),
    "upgrade": ("upkeep", "Judge every match that goes on by this version; bring the tables up to it."),
    "backup": ("upkeep", "Write store, secret, configuration and mails into one file."),
    "restore": ("upkeep", "Make the referee of a backup again, in an empty folder."),
    "export": ("upkeep", "Write all that is kept of a person into one file."),
    "forget": ("upkeep", "Delete what a person said and was sent, and their names; the games stay."),
    "check": ("upkeep", "Hold the store against the ledgers of its matches."),
    "read": ("records", "What the referee understands of a mail, and what it would answer."),
    "letters": ("records", "The letters of a match or seat as pages to open, each beside its mail."),
    "record": ("records", "The public game record."),
    "verify": ("records", "Check a record: its chain, seals and draw, and what followed."),
    "site": ("records", "Build the public archive; only what has changed is written."),
    "serve": ("records", "Show the public archive and the letters on this machine, for looking."),
    "rehearse": ("rehearsing", "Seeded players play whole matches by mail against the real program."),
    "demo": ("rehearsing", "A whole Fourplay cycle played by mail, left to be read."),
}
for _name, _verb in VERBS.items():
    _told = re.sub(r"(?<=\.)\s.*", "", _verb.help, flags=re.DOTALL)
    COMMANDS[_name] = "facts" if _verb.does == "tells" else "desk", _told


class Commands(TyperGroup):
    """The commands of the table, each built when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            import_module(f"referee.cli.{COMMANDS[cmd_name][0]}")
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.registered_commands += [one for one in app.registered_commands if one.name == cmd_name]
            self.add_command(get_command(alone))
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            told = ((name, shorten(help, 64, placeholder="...")) for name, (_, help) in COMMANDS.items())
            formatter.write_dl([*told])


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


F = TypeVar("F", bound=Callable[..., None])


def command(run: F) -> F:
    """A command of the table, by its function: what the function's docstring says comes behind the table's words."""
    name = run.__name__.rstrip("_")
    app.command(name, help=f"{COMMANDS[name][1]}\n\n{run.__doc__ or ''}")(run)
    return run


def place(metavar: str, help: str, default: Any = ...) -> Any:
    """An argument that stands in its place; without a `default` it must be given."""
    return typer.Argument(default, metavar=metavar, help=help)


def option(name: str, metavar: str, help: str, default: Any = None) -> Any:
    """An argument behind its name."""
    return typer.Option(default, name, metavar=metavar, help=help)


def numeric(name: str, help: str, default: int | None = None, least: int = 1, most: int = 99) -> Any:
    """An option that is a number."""
    return typer.Option(default, name, min=least, max=most, metavar="N", help=help)


def flag(name: str, help: str) -> Any:
    return typer.Option(False, name, help=help)


# --- a run ---


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


@cache
def _program() -> Any:
    """The command line as typer makes it of `app`, once a process; commands join it as they are asked for."""
    return get_command(app)


def status(arguments: list[str] | None = None) -> int:
    """The exit status of a run: 0 (done), 1 (can't be done), 2 (wrong usage); what went wrong is said on standard
    error, in plain words, one line for each reason."""
    try:
        _program()(args=arguments, prog_name="referee")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except WrongUsage as error:
        return told(*error.reasons, code=2)
    except Exception as error:
        from referee.service.wiring import STORE_TROUBLE

        if isinstance(error, STORE_TROUBLE):
            return told(f"the store: {getattr(error, 'orig', error)}", code=1)
        if not isinstance(error, RefereeError | OSError):
            raise
        return told(*(error.reasons if isinstance(error, RefereeError) else (str(error),)), code=1)
    return 0


def told(*reasons: str, code: int = 0) -> int:
    """Lines on standard error; the exit status."""
    for reason in reasons:
        sys.stderr.write(f"referee: {' '.join(reason.split())}\n")
    return code


# --- what several commands take ---


def moment(text: str | None) -> datetime:
    """The moment that an argument names; the machine's clock where there is none."""
    from referee.match.arguments import instant
    from referee.offices.clock import doubt

    return doubt.reading().at if text is None else instant(text)


def clock(referee: Referee) -> datetime:
    """What a pass would take for now, never before the last."""
    from referee.offices.clock import doubt

    with referee.store.transaction() as unit:
        known = unit.clock()
        _, at = doubt.weighed(known, unit.by_its_clock(doubt.reading()))
        return max(at, known.last_pass or at)


@contextmanager
def at_desk(context: typer.Context, now: str | None) -> Iterator[tuple[Referee, datetime]]:
    """The referee and the clock of a command at its desk, for the length of a block."""
    at = moment(now)  # what is written wrong is said before anything is read
    with referee_of(context) as referee:
        yield referee, clock(referee) if now is None else at


def verb(name: str, run: Callable[..., None]) -> None:
    """The command of a desk's verb, with its arguments and its help as the table has them: `run`
    is given what was said, by name."""

    def command(context: typer.Context, **said: Any) -> None:
        run(context, **{name.removesuffix("_"): value for name, value in said.items()})

    context = Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    taken = [context, *map(_parameter, VERBS[name].arguments)]
    command.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    app.command(name, help=VERBS[name].help)(command)


def _parameter(argument: Argument) -> Parameter:
    """An argument of a verb as a function takes it; `as` alone would be no name in Python."""
    kind: Any = {"text": str, "number": int, "flag": bool}[argument.kind]
    if argument.many:
        kind = list[kind]
    if not argument.needed and (argument.kind != "flag" or argument.off):
        kind = kind | None
    default = _as_typer_reads_it(argument)
    return Parameter(f"{argument.name}_", Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _as_typer_reads_it(argument: Argument) -> Any:
    shown: dict[str, Any] = {"help": argument.help or None, "metavar": argument.metavar or None}
    if argument.kind == "number":
        shown |= {"min": argument.least, "max": argument.most}
    default = ... if argument.needed else False if argument.kind == "flag" and not argument.off else None
    if argument.place:
        return typer.Argument(default, **shown)
    named = f"--{argument.name}" + (f"/--{argument.off}" if argument.off else "")
    return typer.Option(default, named, **shown)


# What other commands take too.
MATCH_NAME, OPTIONS, NOW, JSON = map(_as_typer_reads_it, (verbs.MATCH, verbs.OPTION, verbs.NOW, verbs.JSON))
