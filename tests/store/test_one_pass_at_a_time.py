"""`exclusive` keeps a second process out, and a killed process keeps nobody out."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.store.engine import connect
from referee.store.sql import SqlStore

HOLDER = """
import sys, time
from pathlib import Path
from referee.store.sql import SqlStore
store = SqlStore(sys.argv[1], Path(sys.argv[2]))
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


def test_a_second_process_waits_until_the_first_is_done(store: SqlStore, url: str, tmp_path: Path) -> None:
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


def test_a_killed_process_lets_go(store: SqlStore, url: str, tmp_path: Path) -> None:
    with holder(url, tmp_path) as other:
        assert says(other) == "ready"
        assert says(other) == "in"
        other.send_signal(signal.SIGKILL)
        other.wait()
    began = time.monotonic()
    with store.exclusive(), store.transaction() as unit:
        assert unit.matches() == []
    assert time.monotonic() - began < 20


@pytest.mark.server
def test_a_server_that_was_started_again_is_found_again(postgres_url: str, tmp_path: Path) -> None:
    store = SqlStore(postgres_url, tmp_path / "referee.secret")
    with store.exclusive(), store.transaction() as unit:
        assert unit.matches() == []
    other = connect(postgres_url)
    with other.begin() as connection:
        everybody = (
            "SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity WHERE datname = current_database()"
        )
        connection.execute(sa.text(f"{everybody} AND pid <> pg_backend_pid()"))
    with store.exclusive(), store.transaction() as unit:
        assert unit.matches() == []
    other.dispose()
    store.close()
