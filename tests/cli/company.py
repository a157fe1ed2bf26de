"""People, and the shortest ways into a match, through the command line alone."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.servers.ground import PATIENCE
from tests.world import START, Ran, World

SEVERAL = """
import json, sys
from referee.cli.app import status
for words in json.loads(sys.argv[1]):
    code = status(words)
    print(end="\\0")
    code and sys.exit(f"{words}: {code}")
"""

FOUR = [
    "Ann Archer <ann@example.org>; Europe/Berlin",
    "Ben Baker <ben@example.org>",
    "Cleo Carter <cleo@example.org>; America/New_York",
    "Dan Draper <dan@example.org>",
]
ANN_AND_BEN = (FOUR[0].partition(";")[0], FOUR[1])
ADDRESSES = [f"{name}@example.org" for name in ("ann", "ben", "cleo", "dan")]


def seats(*people: str) -> list[str]:
    return [part for person in people for part in ("--seat", person)]


def open_with(world: World, *arguments: str, now: str = START) -> Ran:
    return world.run("open", *arguments, "--now", now)


def buttons(world: World, *arguments: str, now: str = START) -> str:
    """A match for two, whose letters have left; Ann is Player 1 and on turn."""
    ran = open_with(
        world, "buttons", *seats(*FOUR[:2]), "--option", "starter=1", "--seed", "1", *arguments, now=now
    )
    assert ran.status == 0, ran.err
    world.passed(now)
    return ran.out.strip()


def purchase(world: World) -> str:
    """A Fourplay match whose four seats owe a sealed purchase."""
    ran = open_with(world, "fourplay", *seats(*FOUR), "--seed", "1")
    assert ran.status == 0, ran.err
    world.step()
    for person in FOUR:
        world.mail(person.partition(";")[0], "Fourplay: Ready", "I am ready for battle. Let the Games begin!")
    assert world.step()["accepted"] == 4
    world.new_letters()
    return ran.out.strip()


def plain_words(ran: Ran, status: int = 1, lines: int = 1) -> str:
    """What a command that could not be done says: nothing on standard output, so many lines on standard error."""
    assert ran.status == status, ran
    assert ran.out == ""
    said = ran.err.splitlines()
    assert len(said) == lines, ran.err
    assert all(line.startswith("referee: ") for line in said)
    assert "Traceback" not in ran.err
    return ran.err


def carried_out(
    python: Path | str, folder: Path, environment: Mapping[str, str], *commands: Sequence[str]
) -> list[str]:
    """What each of these commands says in one process of that Python: none of them fails, nothing goes wrong."""
    words = [str(python), "-c", SEVERAL, json.dumps(commands)]
    ran = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran
    return ran.stdout.split("\0")[:-1]
