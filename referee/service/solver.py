"""The solver: searches run in a process of their own; the service stays responsive and a crash costs nothing."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import Connection, wait
from typing import Any

from referee.base.errors import traced
from referee.base.logs import Log
from referee.core.game import AnyGame
from referee.core.owing import Demand
from referee.games import found

_TRIES = 2
_LONGEST = 3600.0  # seconds of a search, and as many more each time: a bound for what hangs, not for nodes
_SPAWN = multiprocessing.get_context("spawn")
log = Log("referee.solver")

_Asked = tuple[str, Any, Demand, int]  # the game, the state, what is owed, the nodes


class SolverFault(Exception):
    """The search itself stumbled; the argument is its traceback."""


class _Died(Exception):
    """The process is gone, or had no memory left."""


class SolverProcess:
    """Computes the referee's own answers, one at a time. Only the node limit decides what is `unknown`; a dead process
    is followed by a fresh one once, then the answer is None and the match waits."""

    def __init__(self) -> None:
        self._process: multiprocessing.process.BaseProcess | None = None
        self._line: Connection | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process that searches, where there is one."""
        return self._process.pid if self._process is not None else None

    def __call__(self, game: AnyGame, state: Any, demand: Demand, nodes: int) -> Any:
        """The answer; None where two processes died over it. Raises SolverFault."""
        for attempt in range(_TRIES):
            if self._closed:
                return None
            try:
                return self._asked((game.slug, state, demand, nodes), _LONGEST * (attempt + 1))
            except _Died as death:
                self._let_go()
                if not self._closed:
                    log.warning(
                        "solver died", game=game.slug, demand=demand.kind, attempt=attempt, how=str(death)
                    )
        return None

    def close(self) -> None:
        """Stop, also in the midst of a search (from another thread)."""
        self._closed = True
        if self._process is not None:
            self._process.kill()
        self._let_go()

    def _asked(self, question: _Asked, patience: float) -> Any:
        line = self._running()
        try:
            line.send(question)
            if not line.poll(patience):
                raise _Died("out of time")
            kind, answer = line.recv()
        except (EOFError, OSError) as error:
            raise _Died(type(error).__name__) from None
        if kind == "memory":
            raise _Died("no memory left")
        if kind == "fault":
            raise SolverFault(answer)
        return answer

    def _running(self) -> Connection:
        if self._line is None:
            self._line, theirs = _SPAWN.Pipe()
            self._process = _SPAWN.Process(target=_serve, args=(theirs,), name="solver", daemon=True)
            self._process.start()
            theirs.close()
        return self._line

    def _let_go(self) -> None:
        process, line = self._process, self._line
        self._process = self._line = None
        if process is not None:
            process.kill()
            process.join()
        if line is not None:
            line.close()


def _serve(line: Connection) -> None:
    """The process: answers until its parent is gone. An interrupt at the terminal is the parent's affair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    games = found()
    while True:
        try:
            slug, state, demand, nodes = line.recv()
        except EOFError:
            return
        line.send(_answer(games[slug], state, demand, nodes))


def _answer(game: AnyGame, state: Any, demand: Demand, nodes: int) -> tuple[str, Any]:
    try:
        return "answer", game.compute(state, demand, nodes)
    except MemoryError:
        return "memory", None
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent is to hear of it
        return "fault", traced(error)


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
