"""`referee worker` and `referee run` with the engine: processes of their own on one PostgreSQL, side by side, stopped,
killed and started again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.servers.daemon import Daemon, counted, drop, letters_in
from tests.servers.ground import eventually
from tests.servers.stream import SECRET, Stream, played
from tests.world import World

pytestmark = pytest.mark.server
MOVES = 16


@pytest.fixture(autouse=True)
def one_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SECRET", SECRET)


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stream]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", SECRET)
        yield played(tmp_path_factory.mktemp("undisturbed"), MOVES)


@pytest.fixture
def world(tmp_path: Path, postgres_url: str) -> World:
    config = f'[poll]\nevery = "1s"\n[store]\nurl = "{postgres_url}"\n[engine]\nkind = "procrastinate"\n'
    return World(tmp_path, config)


def all_is_done(world: World, stream: Stream) -> bool:
    return (
        not list((world.folder / "mail/in/new").iterdir())
        and world.show(stream.match)["position"] == stream.position
        and counted(world.folder / "mail/out") == stream.letters
    )


def worker(world: World, number: int = 1, *command: str) -> Daemon:
    return Daemon(world.folder / "referee.toml", *(command or ("worker",)), log=f"worker-{number}.log")


def test_a_worker_plays_a_stream_of_mails_and_ends_in_order(world: World, stream: Stream) -> None:
    assert world.run(*stream.opening()).status == 0
    with worker(world) as one:
        for number, raw in enumerate(stream.mails):
            drop(world.folder / "mail/in", number, raw)
        eventually(lambda: all_is_done(world, stream), "everything is done")
        assert one.terminate() == 0, one.log
        assert "Traceback" not in one.log, one.log
    assert world.step(datetime.now(UTC).isoformat())["sent"] == 0


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
