"""The frame: exit statuses, help, wrong usage, what stands on which output."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.base.logs import Log
from tests.cli.company import buttons, plain_words
from tests.world import World

COMMANDS = (
    "init", "open", "games", "list", "show", "step", "run", "rehearse", "extend", "pause", "resume", "rewind", "rule",
    "replace", "say", "release", "unshunt", "read", "record", "verify", "site", "doctor", "demo",
    "deliver",
)  # fmt: skip


def test_help_names_every_command_of_the_contract(world: World) -> None:
    ran = world.run("--help", config=False)
    assert (ran.status, ran.err) == (0, "")
    for command in COMMANDS:
        assert f"\n  {command} " in ran.out, command
    assert "Exit status" in ran.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(world: World, command: str) -> None:
    ran = world.run(command, "--help", config=False)
    assert (ran.status, ran.err) == (0, "")
    arguments = ran.out.partition("Arguments:")[2].partition("Options:")[0]
    for line in arguments.strip().splitlines():
        assert not re.search(r">\s*(\[|$)", line), f"{line}: not a word of help"


def test_open_explains_every_option(world: World) -> None:
    told = world.run("open", "--help", config=False).out
    for option in ("--seat", "--vacant", "--name", "--option", "--seed", "--beacon", "--now", "--json"):
        line = next(line for line in told.splitlines() if line.strip().startswith(option))
        assert len(line.split()) > 2, option
    assert '"NAME <ADDRESS>; ZONE"' in told


@pytest.mark.parametrize(
    "arguments",
    [
        ["conquer"],
        ["show"],
        ["step", "--sideways"],
        ["step", "--now", "tomorrow"],
        ["step", "--now", "2026-03-01T12:00:00"],
        ["open", "buttons", "--seat", "nobody at all"],
        ["open", "buttons", "--seat", "Ann <ann@example.org>; Atlantis/Capital"],
        ["open", "buttons", "--option", "mode"],
        ["open", "buttons", "--vacant", "-1"],
        ["open", "buttons", "--seed", "seven"],
        ["extend", "M", "--why", "rain"],
        ["extend", "M", "--by", "3d", "--until", "2026-03-01T12:00:00Z", "--why", "rain"],
        ["extend", "M", "--by", "soon", "--why", "rain"],
        ["extend", "M", "--by", "3d"],
        ["pause", "M"],
        ["rewind", "M", "--to", "3"],
        ["rule", "M", "--turn", "Round 1 / Player 1", "--why", "rain"],
        ["replace", "M", "one", "Eve <eve@example.org>", "--why", "rain"],
        ["games", "--piece", "Queen"],
    ],
)
def test_wrong_usage_is_exit_status_2_and_says_what_is_wrong(world: World, arguments: list[str]) -> None:
    ran = world.run(*arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.strip()
    assert "Traceback" not in ran.err


def test_without_a_command_the_help_is_shown_and_the_usage_is_wrong(world: World) -> None:
    ran = world.run(config=False)
    assert ran.status == 2
    assert "Commands:" in ran.out + ran.err


def test_without_a_configuration_the_remedy_is_named(tmp_path: Path) -> None:
    world = World(tmp_path)
    (tmp_path / "referee.toml").unlink()
    assert "`referee init`" in plain_words(world.run("list"))


def test_the_program_runs_as_a_process_with_its_exit_status(world: World) -> None:
    program = [sys.executable, "-c", "from referee.cli import program; program()"]
    before = ["--config", str(world.folder / "referee.toml")]
    done = subprocess.run([*program, *before, "show", "x"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "referee: There is no match 'x'; `referee list` shows them.\n"


def test_no_module_outside_what_the_package_declares_is_needed() -> None:
    """Typer brings a copy of click of its own; ours would have to be declared."""
    check = "import sys; import referee.cli.app, referee.service.service; print('click' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_logs_go_to_standard_error_and_only_when_asked_for(world: World) -> None:
    buttons(world)
    world.mail("Ann Archer <ann@example.org>", "status", "How do I stand?")
    quiet = world.run("step", "--json", "--now", "2026-03-01T12:00:00Z")
    assert (quiet.err, quiet.json["answered"]) == ("", 1)
    world.mail("Ann Archer <ann@example.org>", "status", "And now?")
    loud = world.run("--verbose", "step", "--json", "--now", "2026-03-01T12:00:00Z")
    assert loud.json["answered"] == 1
    assert "event=mail " in loud.err


def test_a_log_after_the_command_never_reaches_standard_output(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.run("--verbose", "list")
    Log("referee.test").error("spoken afterwards")
    said = capsys.readouterr()
    assert said.out == ""
    assert "spoken afterwards" in said.err
    world.run("list")
