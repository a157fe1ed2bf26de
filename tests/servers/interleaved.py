"""Two transactions at once, deterministically: one is stopped before a statement of its choice, the other runs until it
has ended or waits for the first, then the first goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import sqlalchemy as sa

from tests.servers.ground import PATIENCE
from tests.servers.postgres import Postgres

_GRACE = 0.05  # seconds for which one that waits for a lock is watched


class Side:
    """Work in a thread of its own, which may be stopped before its nth statement (from 1). Threads are told apart, so
    both sides may run the same code in one process."""

    def __init__(self, work: Callable[[], Any], stop_before: int | None = None) -> None:
        self._work = work
        self._stop_before = stop_before
        self.statements: list[str] = []
        self.result: Any = None
        self.error: BaseException | None = None
        self._stopped = False
        self._at_rest = threading.Event()  # stopped, or ended
        self._go = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Side:
        self._thread.start()
        return self

    def until_stopped(self) -> bool:
        """Whether it stands before its statement; False where it ended without one."""
        assert self._at_rest.wait(PATIENCE), "the first side never stops"
        return self._stopped

    def until_waiting(self, waits: Callable[[], bool]) -> None:
        """Until it has ended or waits for a lock."""
        end = time.monotonic() + PATIENCE
        while self._thread.is_alive():
            assert time.monotonic() < end, "the second side neither ends nor waits"
            if waits():
                time.sleep(_GRACE)
                if waits():
                    return
            self._thread.join(0.005)

    def finish(self) -> Any:
        """Let it go on to its end; its result, or its exception."""
        self._go.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "it never ended"
        if self.error is not None:
            raise self.error
        return self.result

    def statement(self, statement: str) -> None:
        """One is about to be executed by this side."""
        self.statements.append(statement)
        if len(self.statements) == self._stop_before:
            self._stopped = True
            self._at_rest.set()
            assert self._go.wait(PATIENCE)

    def _run(self) -> None:
        _HERE.side = self
        try:
            with _heard():
                self.result = self._work()
        except BaseException as error:  # noqa: BLE001 - it is raised where the side is finished
            self.error = error
        finally:
            self._at_rest.set()


_HERE = threading.local()  # the side whose thread this is
_LISTENING = threading.Lock()
_sides: list[Side] = []  # that are under way


@contextmanager
def _heard() -> Iterator[None]:
    """Statements are listened to as long as any side is under way."""
    with _LISTENING:
        if not _sides:
            sa.event.listen(sa.Engine, "before_cursor_execute", _before)
        _sides.append(_HERE.side)
    try:
        yield
    finally:
        with _LISTENING:
            _sides.remove(_HERE.side)
            if not _sides:
                sa.event.remove(sa.Engine, "before_cursor_execute", _before)


def _before(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
    side: Side | None = getattr(_HERE, "side", None)
    if side is not None:
        side.statement(statement)


def at_once(
    first: Callable[[], Any], second: Callable[[], Any], stop_before: int, url: str
) -> tuple[Any, Any, bool]:
    """Both, the second between two statements of the first; their results, and whether the first came so far."""
    one, two = Side(first, stop_before).start(), Side(second)
    stopped = one.until_stopped()
    two.start()
    with _watching(url) as waits:
        two.until_waiting(waits)
        result = one.finish()
        return result, two.finish(), stopped


@contextmanager
def _watching(url: str) -> Iterator[Callable[[], bool]]:
    """Whether anybody waits for a lock of the database."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    query = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    with engine.connect() as connection:
        yield lambda: bool(connection.execute(query).scalar_one())
    engine.dispose()


def copy_of(postgres: Postgres, url: str) -> AbstractContextManager[str]:
    """The URL of a copy of a database that nobody is connected to."""
    return postgres.database(like=url.rpartition("/")[2])
