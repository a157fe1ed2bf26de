"""The command line: which commands there are, where each is written, and what it does in a line, which is all that
`referee --help` needs. The module of a command is imported when it is run, and nothing heavy before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command
from typer.models import CommandInfo

from referee.moderation.verbs import VERBS


def _listed(line: str) -> tuple[str, tuple[str, str]]:
    """A row of the table; of a verb of the desk the first sentence of its own help."""
    name, module, about = (part.strip() for part in line.split("|"))
    return name, (module, about or re.sub(r"(?<=\.)\s.*", "", VERBS[name].help, flags=re.DOTALL))


_TABLE = files(__package__).joinpath("commands.txt").read_text(encoding="utf-8")
COMMANDS: Mapping[str, tuple[str, str]] = dict(map(_listed, _TABLE.splitlines()))


class Commands(TyperGroup):
    """The commands of the table, each built when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            import_module(f"referee.cli.{COMMANDS[cmd_name][0]}")
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.registered_commands += [one for one in app.registered_commands if _name(one) == cmd_name]
            self.add_command(get_command(alone))
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _short(help)) for name, (_, help) in COMMANDS.items()])


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


def _name(info: CommandInfo) -> str:
    """The name of a command: that of its function, where it has none of its own."""
    return info.name or (info.callback.__name__ if info.callback else "")


def _short(help: str) -> str:
    """What fits beside the name on a line."""
    words = help.split()
    room = 62
    kept: list[str] = []
    for word in words:
        room -= len(word) + 1
        if room < 0:
            return " ".join(kept) + "..."
        kept.append(word)
    return help


def place(metavar: str, help: str) -> Any:
    """An argument that stands in its place."""
    return typer.Argument(metavar=metavar, help=help)


def option(name: str, metavar: str, help: str) -> Any:
    """An argument behind its name."""
    return typer.Option(name, metavar=metavar, help=help)


def flag(name: str, help: str) -> Any:
    return typer.Option(name, help=help)
