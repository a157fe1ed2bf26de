"""The solver: searches run in a process of their own; the service stays responsive and a crash costs nothing."""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any

from referee.base.errors import traced
from referee.base.logs import Log
from referee.core.game import AnyGame
from referee.core.value import Demand
from referee.games import found

_TRIES = 2
_BEGUN = 60.0  # seconds until a process answers at all
_LONGEST = 3600.0  # seconds of a search, and as many more each time: a bound for what hangs, not for nodes
_SPAWN = multiprocessing.get_context("spawn")
log = Log("referee.solver")


class SolverFault(Exception):
    """The search itself stumbled; the argument is its traceback."""


class SolverProcess:
    """Computes the referee's own answers, one at a time. Only the node limit decides what is `unknown`; a dead process
    is followed by a fresh one once, then the answer is None and the match waits."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._process = 0  # its id
        self._closed = False

    def __call__(self, game: AnyGame, state: Any, demand: Demand, nodes: int) -> Any:
        """The answer; None where two processes died over it. Raises SolverFault."""
        for attempt in range(_TRIES):
            if self._closed:
                return None
            try:
                return self._asked(game.slug, state, demand, nodes).result(_LONGEST * (attempt + 1))
            except (BrokenExecutor, CancelledError, TimeoutError, MemoryError) as death:
                self._let_go()
                if not self._closed:
                    how = type(death).__name__
                    log.warning("solver died", game=game.slug, demand=demand.kind, attempt=attempt, how=how)
        return None

    def _asked(self, *question: Any) -> Future[Any]:
        if self._pool is None:
            before = set(multiprocessing.active_children())
            self._pool = ProcessPoolExecutor(1, _SPAWN, _begin)
            begun = self._pool.submit(os.getpid)
            started = {*multiprocessing.active_children()} - before
            self._process = max((one.pid or 0 for one in started), default=0)
            begun.result(_BEGUN)  # known by now, so that one that does not begin can be killed
        return self._pool.submit(_answer, *question)

    def close(self) -> None:
        """Stop, also in the midst of a search (from another thread)."""
        self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            for child in (one for one in multiprocessing.active_children() if one.pid == self._process):
                child.kill()
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """The process ends with its parent, whose affair an interrupt at the terminal is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _answer(slug: str, state: Any, demand: Demand, nodes: int) -> Any:
    try:
        return found()[slug].compute(state, demand, nodes)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent is to hear of it
        raise SolverFault(traced(error)) from None


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
