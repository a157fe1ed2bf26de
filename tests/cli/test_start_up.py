"""A command imports what it needs: help, the version and a wrong command need nothing of the referee but its table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from referee.cli.app import app
from referee.cli.command_line import COMMANDS

# pydantic is not among them: typer itself needs it to read what stands on the command line
HEAVY = {
    "sqlalchemy", "jinja2", "alembic", "structlog", "rich", "pygments", "dns", "icalendar", "apscheduler",
    "imapclient", "resvg_py", "selectolax", "psycopg", "asyncio", "referee.wiring", "referee.match",
    "referee.games", "referee.offices", "referee.post", "referee.core",
}  # fmt: skip
SCRIPT = """
import sys
from referee.cli.app import status
code = status(sys.argv[1:])
print("\\nLOADED", code, *sorted(sys.modules))
"""


def loaded(*arguments: str) -> tuple[int, set[str]]:
    """The exit status of a command in a process of its own, and the modules it has loaded."""
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=True
    )
    code, *modules = ran.stdout.rpartition("LOADED ")[2].split()
    return int(code), set(modules)


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), (["--version"], 0), (["sing"], 2), ([], 2)])
def test_help_loads_nothing_heavy(arguments: list[str], code: int) -> None:
    status, modules = loaded(*arguments)
    assert status == code
    assert modules & HEAVY == set()


# What a command that meets nothing to do does not load: neither those libraries nor those rooms.
NOT_IDLE = {
    "alembic",
    "structlog",
    "rich.console",
    "dns",
    "dkim",
    "icalendar",
    "apscheduler",
    "resvg_py",
    "PIL",
    "psycopg",
    "pysequoia",
    "referee.archive",
    "referee.rehearsal",
    "referee.games.fourplay",
    "referee.games.onepiece",
    "referee.games.multigo",
}


@pytest.mark.parametrize("arguments", [["list"], ["step"], ["step", "--json"]])
def test_an_idle_command_loads_only_what_it_needs(arguments: list[str], tmp_path: Path) -> None:
    """The tables are there already: the first command has made them."""
    assert loaded("init", str(tmp_path))[0] == 0
    where = ["--config", str(tmp_path / "referee.toml")]
    assert loaded(*where, *arguments)[0] == 0
    status, modules = loaded(*where, *arguments)
    assert status == 0
    assert modules & NOT_IDLE == set()


def test_the_table_of_commands_says_what_the_commands_say() -> None:
    group = get_command(app)
    context = group.make_context("referee", ["list"])
    for name, (_, help) in COMMANDS.items():
        command = group.get_command(context, name)  # type: ignore[attr-defined]
        assert command is not None, name
        assert " ".join((command.help or "").split()).startswith(help), name
    registered = {info.name or info.callback.__name__ for info in app.registered_commands if info.callback}
    assert registered == set(COMMANDS)
