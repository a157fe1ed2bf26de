"""A command imports what it needs: help, the version and a wrong command need nothing of the referee but its table."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.main import get_command

from referee.cli.app import COMMANDS, app
from referee.games import found
from tests.world import World

# pydantic is not among them: typer itself needs it to read what stands on the command line
HEAVY = {
    "sqlalchemy", "jinja2", "alembic", "structlog", "rich", "pygments", "dns", "icalendar", "apscheduler",
    "imapclient", "resvg_py", "selectolax", "psycopg", "asyncio", "referee.service.wiring", "referee.match",
    "referee.games", "referee.offices", "referee.way", "referee.mail", "referee.core",
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


# What every command with a configuration needs of the referee: the file, the address of the store, its rows.
ANY = {
    "base", "base.brought", "base.errors", "base.logs", "base.ports", "base.private",
    "base.settings", "base.shipped", "cli", "cli.app", "core",
    "core.options", "core.texts", "core.texts.addresses", "core.texts.bounded", "core.texts.naming", "core.value",
    "games", "moderation",
    "moderation.verbs", "service", "service.config", "service.wiring",
    "store", "store.club", "store.engine", "store.matches", "store.post",
    "store.sql", "store.tables", "transport", "transport.account", "transport.maildir", "transport.urls",
}  # fmt: skip
# A pass that finds nothing to do asks for mails, deadlines, searches, reminders and letters, and makes no office that
# judges or writes; a list reads rows.
PASS = {
    "cli.service", "way.loop", "offices", "offices.passes", "mail", "mail.mail",
    "way", "service.supervisor", "offices.clock", "offices.clock.doubt",
}  # fmt: skip
LIST = {"cli.facts"}
# And none of what only judging, writing and drawing need.
NOT_IDLE = {
    "alembic", "structlog", "rich", "icalendar", "apscheduler", "resvg_py", "PIL", "psycopg",
    "jinja2", "selectolax", "sqlalchemy.orm",
    "imapclient",
}  # fmt: skip


def games_in(modules: set[str]) -> set[str]:
    """Of which games more is loaded than their titles."""
    return {
        name.split(".")[2] for name in modules if name.startswith("referee.games.") and name.count(".") > 2
    }


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration of a referee with matches of several games, in which nothing is left to do."""
    world = World(tmp_path_factory.mktemp("quiet"))
    for game, count in (("multigo", 3), ("fourplay", 4), ("onepiece", 2), ("buttons", 2)):
        people = [f"P{n} <{game}{n}@example.org>" for n in range(count)]
        world.open(game, people, datetime.now(UTC).isoformat(), 1)
    world.step(datetime.now(UTC).isoformat())
    return world.folder / "referee.toml"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("arguments", "own"),
    [
        (["step"], PASS),
        (["step", "--json"], PASS),
        (["list"], LIST),
        (["list", "--json"], LIST),
        (["show", "fourplay-1"], LIST),
        (["show", "multigo-1", "--json"], LIST),
    ],
)
def test_an_idle_command_loads_only_what_it_needs(arguments: list[str], own: set[str], quiet: Path) -> None:
    """Whoever adds a module here makes every pass of a quiet evening pay for it."""
    status, modules = loaded("--config", str(quiet), *arguments)
    assert status == 0
    assert modules & NOT_IDLE == set()
    ours = {name.removeprefix("referee.") for name in modules if name.startswith("referee.")}
    assert ours == ANY | own


def test_what_is_seen_by_a_seat_needs_its_own_game_alone(quiet: Path) -> None:
    status, modules = loaded("--config", str(quiet), "show", "buttons-1", "--as", "1")
    assert status == 0
    assert games_in(modules) == {"buttons"}


def test_a_mail_needs_its_own_game_alone(tmp_path: Path) -> None:
    """Whoever reads a subject knows the titles of all."""
    world = World(tmp_path)
    for game, count in (("multigo", 3), ("buttons", 2)):
        people = [f"P{n} <{game}{n}@example.org>" for n in range(count)]
        world.open(game, people, datetime.now(UTC).isoformat(), 1)
    world.step(datetime.now(UTC).isoformat())
    (tmp_path / "mail/in/new/one").write_text(
        "From: buttons0@example.org\nMessage-ID: <one@example.org>\nSubject: Buttons: Move / Player 1 [buttons-1]\n"
        "Date: Sun, 01 Mar 2026 12:00:00 +0000\n\nnothing of the kind\n"
    )
    status, modules = loaded("--config", str(tmp_path / "referee.toml"), "step")
    assert status == 0
    assert games_in(modules) == {"buttons"}
    assert {f"referee.games.{slug}" for slug in found()} <= modules
    assert "structlog" not in modules


def test_titles_beside_a_game_are_its_titles() -> None:
    assert found().titles == {title: slug for slug, game in found().items() for title in game.titles}


def test_the_table_of_commands_says_what_the_commands_say() -> None:
    group = get_command(app)
    context = group.make_context("referee", ["list"])
    for name, (_, help) in COMMANDS.items():
        command = group.get_command(context, name)  # type: ignore[attr-defined]
        assert command is not None, name
        assert " ".join((command.help or "").split()).startswith(help), name
    registered = {info.name or info.callback.__name__ for info in app.registered_commands if info.callback}
    assert registered == set(COMMANDS)
