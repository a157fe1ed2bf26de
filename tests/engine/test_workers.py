"""`referee worker` and `referee run` with the engine: processes of their own on one PostgreSQL, side by side, stopped,
killed and started again."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.servers.daemon import Daemon, counted, drop, letters_in
from tests.servers.ground import eventually
from tests.servers.postgres import running_postgres
from tests.servers.stream import SECRET, Stream, played
from tests.world import World

pytestmark = pytest.mark.server
MOVES = 16


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stream]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", SECRET)
        yield played(tmp_path_factory.mktemp("undisturbed"), MOVES)


def on_the_queue(folder: Path, url: str) -> World:
    return World(folder, f'[poll]\nevery = "1s"\n[store]\nurl = "{url}"\n[engine]\nkind = "procrastinate"\n')


@pytest.fixture
def world(tmp_path: Path, queue_url: str) -> World:
    return on_the_queue(tmp_path, queue_url)


def all_is_done(world: World, stream: Stream) -> bool:
    return (
        not list((world.folder / "mail/in/new").iterdir())
        and counted(world.folder / "mail/out") == stream.letters
        and world.show(stream.match)["position"] == stream.position
    )


def worker(world: World, number: int = 1, *command: str) -> Daemon:
    return Daemon(world.folder / "referee.toml", *(command or ("worker",)), log=f"worker-{number}.log")


def test_several_jobs_are_processes_that_are_replaced_when_they_end(world: World, stream: Stream) -> None:
    assert world.run(*stream.opening()).status == 0
    with worker(world, 1, "worker", "--jobs", "2") as both:
        eventually(lambda: both.log.count("event=started") == 2, "two have started")
        first, _ = children(both.pid)
        os.kill(first, signal.SIGKILL)
        eventually(lambda: both.log.count("event=started") == 3, "another one has started")
        for number, raw in enumerate(stream.mails):
            drop(world.folder / "mail/in", number, raw)
        eventually(lambda: all_is_done(world, stream), "everything is done")
        assert len(children(both.pid)) == 2
        assert both.terminate() == 0, both.log


def children(parent: int) -> list[int]:
    """The processes that it has started."""
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def test_a_mail_is_answered_at_once_where_the_service_listens(world: World, stream: Stream) -> None:
    world.configure('every = "1s"', 'every = "1h"')
    assert world.run(*stream.opening()).status == 0
    with worker(world, 1, "run") as one:
        eventually(lambda: len(letters_in(world.folder / "mail/out")) >= 3, "the opening letters")
        drop(world.folder / "mail/in", 1, stream.mails[0])
        eventually(
            lambda: any(kind == "receipt" for kind, _ in letters_in(world.folder / "mail/out").values()),
            "the receipt",
        )
        assert one.terminate() == 0, one.log


# --- the database goes away under a worker, and comes back --------------------------------------------------------


def test_a_worker_waits_for_the_database_and_goes_on(stream: Stream, tmp_path: Path) -> None:
    """With whatever it had in hand, and by itself."""
    with (
        running_postgres() as server,
        server.database() as url,
    ):  # one of its own: it is stopped without warning
        world = on_the_queue(tmp_path, url)
        assert world.run(*stream.opening()).status == 0
        with worker(world) as one:
            eventually(lambda: bool(letters_in(tmp_path / "mail/out")), "the opening letters")
            for number, raw in enumerate(stream.mails):
                drop(tmp_path / "mail/in", number, raw)
            eventually(lambda: len(letters_in(tmp_path / "mail/out")) > 4, "it is at work")
            server.restart()
            eventually(lambda: all_is_done(world, stream), "everything is done")
            assert one.terminate() == 0, one.log


# --- a worker that stands still, with a connection that still answers --------------------------------------------


ANN, BEN = "Ann <ann@example.org>", "Ben <ben@example.org>"


def test_a_key_in_the_hands_of_a_stopped_process_is_taken_by_another(
    tmp_path: Path, queue_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", SECRET)
    world = on_the_queue(tmp_path, queue_url)
    name, flag = (
        world.open("buttons", [ANN, BEN], datetime.now(UTC).isoformat(), starter="1"),
        tmp_path / "flag",
    )

    def worker(number: int) -> Daemon:
        return Daemon(
            tmp_path / "referee.toml", "worker", log=f"{number}.log", program="tests.engine.stopping",
            environment={"REFEREE_TEST_STOPPED": str(flag)},
        )  # fmt: skip

    def move(sender: str, seat: int, words: str) -> None:
        subject = f"Buttons: Move / Player {seat} [{name}]"
        world.mail(sender, subject, words, datetime.now(UTC).isoformat())

    def turn() -> object:
        return world.show(name)["due"][0]["seat"]

    with worker(1) as one:
        eventually(lambda: "event=started" in one.log, "it has started")
        move(ANN, 1, "Place: B1 at a1\nComment: Stop here")
        eventually(lambda: flag.exists() and flag.read_text() != "", "it stands still")
        with worker(2) as other:
            eventually(lambda: turn() == 2, "another one has taken what it had in hand")
            os.kill(int(flag.read_text()), signal.SIGCONT)
            move(BEN, 2, "Place: W1 at b1")
            eventually(lambda: turn() == 1, "it goes on")
            assert other.terminate() == 0, other.log
        assert one.terminate() == 0, one.log
    told = Counter(letters_in(tmp_path / "mail/out").values())
    assert (told["receipt", "ann@example.org"], told["receipt", "ben@example.org"]) == (1, 1)
    assert world.run("desk", "--json").json["shunted"] == []
    assert world.run("check").status == 0
