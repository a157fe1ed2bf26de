"""The database goes away under a worker, with whatever it had in hand, and comes back: the worker goes on by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.daemon import Daemon, counted, drop, letters_in
from tests.servers.ground import eventually
from tests.servers.postgres import Postgres, running_postgres
from tests.servers.stream import SECRET, Stream, played
from tests.world import World

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """One of its own: it is stopped without warning."""
    with running_postgres() as made:
        yield made


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Stream:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", SECRET)
        return played(tmp_path_factory.mktemp("undisturbed"), 8)


def test_a_worker_waits_for_the_database_and_goes_on(
    server: Postgres, stream: Stream, tmp_path: Path
) -> None:
    with server.database() as url:
        world = World(
            tmp_path, f'[poll]\nevery = "1s"\n[store]\nurl = "{url}"\n[engine]\nkind = "procrastinate"\n'
        )
        assert world.run(*stream.opening()).status == 0
        with Daemon(tmp_path / "referee.toml", "worker") as one:
            eventually(lambda: bool(letters_in(tmp_path / "mail/out")), "the opening letters")
            for number, raw in enumerate(stream.mails):
                drop(tmp_path / "mail/in", number, raw)
            eventually(lambda: len(letters_in(tmp_path / "mail/out")) > 4, "it is at work")
            server.restart()

            def done() -> bool:
                left = list((tmp_path / "mail/in/new").iterdir())
                return not left and counted(tmp_path / "mail/out") == stream.letters

            eventually(done, "everything is done")
            assert world.show(stream.match)["position"] == stream.position
            assert one.terminate() == 0, one.log


def test_a_worker_that_finds_no_database_says_so_in_a_line(tmp_path: Path) -> None:
    store = '[store]\nurl = "postgresql+psycopg://nobody@127.0.0.1:1/nowhere"\n'
    world = World(tmp_path, f'{store}[engine]\nkind = "procrastinate"\n')
    ran = world.run("worker")
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert ran.err.startswith("referee: the store: ")
