"""A mail that keeps a process in machine code, the interpreter's lock held: no handler and no thread of ours reaches
it. The system ends the process by computing time, its supervisor goes on, the mail is put aside. SIGTERM ends it at
once, and that is no crash."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling import one_in
from tests.servers.daemon import ROOT, Daemon, letters_in
from tests.servers.ground import PATIENCE, eventually
from tests.world import START, World, kinds

LATER = "2026-03-01T13:00:00Z"
pytestmark = pytest.mark.usefixtures("one_secret")
PROGRAM = "tests.attacks.heavy_program"
QUICK = '[poll]\nevery = "1s"\n'
SHORT, LONG = "[limits]\nseconds = 1\n", "[limits]\nseconds = 120\n"


def ran(world: World, heavy: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", PROGRAM, "--config", str(world.folder / "referee.toml"), *arguments]
    environment = {**os.environ, "REFEREE_TEST_HEAVY": heavy}
    return subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def service(world: World, heavy: str, *command: str) -> Daemon:
    environment = {"REFEREE_TEST_HEAVY": heavy}
    return Daemon(world.folder / "referee.toml", *command, program=PROGRAM, environment=environment)


def three_mails(world: World) -> None:
    world.mail("ann@example.org", "help", "", START)
    world.mail("evil@example.org", "help", "Poison", START)
    world.mail("ben@example.org", "help", "", START)


@pytest.mark.parametrize("where", one_in(2, ["read", "identify"]))
def test_a_pass_comes_to_its_end_and_prints_what_was_done(tmp_path: Path, where: str) -> None:
    world = World(tmp_path, SHORT)
    three_mails(world)
    done = ran(world, f"Poison {where} computing", "step", "--now", LATER, "--json")
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert {k: v for k, v in counts.items() if v} == {"read": 3, "answered": 2, "shunted": 1, "sent": 3}
    assert set(kinds(world.new_letters())["help"]) == {"ann@example.org", "ben@example.org"}
    assert world.step(LATER)["read"] == 0, "a later pass does not meet it again"


def test_read_tells_of_it_and_of_the_others(tmp_path: Path) -> None:
    world = World(tmp_path, SHORT)
    three_mails(world)
    files = sorted(map(str, (tmp_path / "mail/in/new").iterdir()))
    assert len(files) == 3
    done = ran(world, "Poison read computing", "read", *files, "--json")
    assert done.returncode == 0, done.stderr
    found = {"Poison" in Path(facts["file"]).read_text(): facts for facts in json.loads(done.stdout)}
    assert found[True]["disposition"] == "shunted"
    assert found[False]["disposition"] == "answered"


@pytest.mark.soak  # a pass that is ended so, and a service that is ended, are above and below
def test_the_service_comes_back_by_itself(tmp_path: Path) -> None:
    world = World(tmp_path, QUICK + SHORT)
    three_mails(world)
    with service(world, "Poison read computing", "run") as one:
        settled(tmp_path)
        eventually(lambda: len(letters_in(tmp_path / "mail/out")) == 3, "two answers and an alarm")
        assert one.terminate() == 0, one.log
    assert set(kinds(world.new_letters())) == {"help", "alarm"}


@pytest.mark.server
@pytest.mark.soak
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_worker_comes_back_by_itself(tmp_path: Path, queue_url: str, jobs: str) -> None:
    engine = f'[store]\nurl = "{queue_url}"\n[engine]\nkind = "procrastinate"\n'
    world = World(tmp_path, QUICK + SHORT + engine)
    three_mails(world)
    with service(world, "Poison read computing", "worker", "--jobs", jobs) as one:
        settled(tmp_path)
        eventually(lambda: len(letters_in(tmp_path / "mail/out")) == 3, "two answers and an alarm")
        assert one.terminate() == 0, one.log
    assert set(kinds(world.new_letters())) == {"help", "alarm"}


def settled(folder: Path) -> None:
    eventually(lambda: not list((folder / "mail/in/new").iterdir()), "all mails are settled")


@pytest.mark.parametrize("how", one_in(2, ["computing", "sleeping"]))
def test_what_sigterm_ends_is_no_crash(tmp_path: Path, how: str) -> None:
    """Where each mail is isolated, and crashes are counted, more often than a mail may end the process."""
    world = World(tmp_path, QUICK + LONG)
    world.step(START)
    world.mail("evil@example.org", "help", "Poison", START)
    for _ in range(3):
        broken_off(tmp_path)
        with service(world, f"Poison read {how}", "run") as one:
            eventually(lambda: marks(tmp_path) == [1], "it is in hand")
            assert one.terminate() == 0, one.log
        assert sum(marks(tmp_path)) == 0
    assert world.step("2030-01-01T00:00:00Z")["answered"] == 1


@pytest.mark.parametrize("how", one_in(2, ["sleeping", "computing"]))
def test_a_pass_that_is_to_end_ends(tmp_path: Path, how: str) -> None:
    world = World(tmp_path, LONG)
    world.step(START)
    broken_off(tmp_path)
    world.mail("evil@example.org", "help", "Poison", START)
    world.mail("ann@example.org", "help", "", START)
    with service(world, f"Poison read {how}", "step", "--now", LATER) as one:
        eventually(lambda: marks(tmp_path) == [1], "it is in hand")
        one.terminate()
    assert sum(marks(tmp_path)) == 0
    assert world.step(LATER)["answered"] == 2


def marks(folder: Path) -> list[int]:
    """How often each mail in hand has been so."""
    with sqlite3.connect(folder / "referee.db") as database:
        return [times for (times,) in database.execute("SELECT times FROM claims")]


def broken_off(folder: Path) -> None:
    """As if the last pass had died."""
    with sqlite3.connect(folder / "referee.db") as database:
        database.execute("UPDATE clock SET under_way = 1")


def test_what_works_ends_with_its_supervisor(tmp_path: Path) -> None:
    """Killed, it can tell nobody; and two that work at the same store would be one too many."""
    world = World(tmp_path, QUICK + LONG)
    world.step(START)
    broken_off(tmp_path)
    world.mail("evil@example.org", "help", "Poison", START)
    with service(world, "Poison read computing", "run") as one:
        eventually(lambda: marks(tmp_path) == [1], "it is in hand")
        (working,) = Path(f"/proc/{one.pid}/task/{one.pid}/children").read_text().split()
        one.kill()
        eventually(lambda: not _lives(int(working)), "it has ended as well")


def _lives(pid: int) -> bool:
    """Whether the process is there, and no mere entry that nobody has looked at."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
