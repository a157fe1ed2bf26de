"""`exclusive` keeps a second process out, and a killed process keeps nobody out."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.store.engine import connect
from referee.store.sql import Clock, Store
from tests.store.rows import NOON

HOUR = timedelta(hours=1)
HOLDER = """
import sys, time
from pathlib import Path
from referee.store.sql import Store
store = Store(sys.argv[1], Path(sys.argv[2]))
print("ready", flush=True)
with store.exclusive(), store.transaction() as unit:
    print("in", flush=True)
    sys.stdin.readline()
print("out", flush=True)
"""


@contextmanager
def holder(url: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that opens the same store and takes it for itself until it is told to go on."""
    command = [sys.executable, "-c", HOLDER, url, str(folder / "referee.secret")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def says(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_second_process_waits_until_the_first_is_done(store: Store, url: str, tmp_path: Path) -> None:
    with holder(url, tmp_path) as other:
        assert says(other) == "ready"
        assert says(other) == "in"
        with holder(url, tmp_path) as third:
            time.sleep(1)
            assert third.poll() is None
            assert third.stdin is not None
            assert other.stdin is not None
            other.stdin.write("go\n")
            other.stdin.flush()
            assert says(other) == "out"
            assert says(third) == "ready"
            assert says(third) == "in"
            third.stdin.write("go\n")
            third.stdin.flush()
            assert says(third) == "out"


def test_a_killed_process_lets_go(store: Store, url: str, tmp_path: Path) -> None:
    with holder(url, tmp_path) as other:
        assert says(other) == "ready"
        assert says(other) == "in"
        other.send_signal(signal.SIGKILL)
        other.wait()
    with store.exclusive(), store.transaction() as unit:
        assert unit.matches() == []


def cut_off(url: str) -> None:
    """The server drops every connection to that database but ours."""
    engine = connect(url)
    with engine.begin() as connection:
        everybody = (
            "SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity WHERE datname = current_database()"
        )
        connection.execute(sa.text(f"{everybody} AND pid <> pg_backend_pid()"))
    engine.dispose()


def clock_set(store: Store, at: datetime) -> None:
    with store.transaction() as unit:
        unit.set_clock(Clock(at, None, None))


@pytest.fixture
def two(store_url: str, tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    stores = Store(store_url, tmp_path / "a.secret"), Store(store_url, tmp_path / "a.secret")
    yield stores
    for store in stores:
        store.close()


@pytest.mark.server
def test_a_pass_that_lost_its_lock_writes_nothing_more(two: tuple[Store, Store], store_url: str) -> None:
    """Another pass enters as soon as the connection is gone: what the first one still tries must not count."""
    store, other = two
    with store.exclusive():
        clock_set(store, NOON)
        cut_off(store_url)
        with other.exclusive():
            clock_set(other, NOON + 2 * HOUR)
        for _ in range(3):  # however often it tries
            with pytest.raises(sa.exc.SQLAlchemyError):
                clock_set(store, NOON + HOUR)
    with store.exclusive(), store.transaction() as unit:  # the next pass takes the lock anew
        assert unit.clock().last_pass == NOON + 2 * HOUR


@pytest.mark.server
def test_what_a_pass_had_not_committed_when_its_lock_was_lost_is_undone(
    two: tuple[Store, Store], store_url: str
) -> None:
    store, other = two

    def lost_within() -> None:
        with store.exclusive(), store.transaction() as unit:
            unit.set_clock(Clock(NOON, None, None))
            cut_off(store_url)
            with other.exclusive():
                clock_set(other, NOON + 2 * HOUR)

    with pytest.raises(sa.exc.SQLAlchemyError):
        lost_within()
    with other.transaction() as unit:
        assert unit.clock().last_pass == NOON + 2 * HOUR


@pytest.mark.server
def test_a_server_that_was_started_again_is_found_again(store_url: str, tmp_path: Path) -> None:
    store = Store(store_url, tmp_path / "referee.secret")
    with store.exclusive(), store.transaction() as unit:
        assert unit.matches() == []
    cut_off(store_url)
    with store.exclusive(), store.transaction() as unit:
        assert unit.matches() == []
    store.close()
