"""The command line: which commands there are, where each is written, and what it does in a line, which is all that
`referee --help` needs. The module of a command is imported when it is run, and nothing heavy before."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from textwrap import shorten
from typing import Any, TypeVar

import typer
from typer.core import TyperGroup
from typer.main import get_command

from referee.moderation.verbs import VERBS

# Of each command the module in which it is written, and how its help begins.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("setting_up", "Write a commented referee.toml that works at once, and the folders it names."),
    "doctor": ("setting_up", "Check the configuration, the mailbox, the courier and the store."),
    "games": ("setting_up", "The games known, their options and defaults."),
    "propose": ("events", "Propose a match for a player; it opens when everybody has said Yes."),
    "rematch": ("events", "Propose a match that has ended once more, to the same people."),
    "event": ("events", "Tournaments: announce one, enter people, start it, see how it stands."),
    "ratings": ("events", "Ratings, made anew from the ledgers of all matches that have ended."),
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
    "read": ("letters", "What the referee understands of a mail, and what it would answer."),
    "letters": ("letters", "The letters of a match or seat as pages to open, each beside its mail."),
    "record": ("records", "The public game record."),
    "verify": ("records", "Check a record: its chain, seals and draw, and what followed."),
    "site": ("showing", "Build the public archive; only what has changed is written."),
    "serve": ("showing", "Show the public archive and the letters on this machine, for looking."),
    "rehearse": ("rehearsing", "Seeded players play whole matches by mail against the real program."),
    "demo": ("rehearsing", "A whole Fourplay cycle played by mail, left to be read."),
}
for _name, _verb in VERBS.items():
    COMMANDS[_name] = (
        "facts" if _verb.does == "tells" else "desk",
        re.sub(r"(?<=\.)\s.*", "", _verb.help, flags=re.DOTALL),
    )


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
            formatter.write_dl(
                [(name, shorten(help, 64, placeholder="...")) for name, (_, help) in COMMANDS.items()]
            )


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


def flag(name: str, help: str, *, default: bool = False) -> Any:
    return typer.Option(default, name, help=help)
