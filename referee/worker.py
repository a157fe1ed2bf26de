"""The worker: searches run in a process of their own; the service stays responsive and a crash costs nothing."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import structlog

from referee.core.game import Demand
from referee.games import found
from referee.match.match import AnyGame

_TRIES = 2
log = structlog.get_logger("referee.worker")


class Worker:
    """Computes the referee's own answers. Only the node limit decides what is `unknown`; a dead worker is tried once
    more with a fresh process, then the answer is None and the moderator is told by the log."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def __call__(self, game: AnyGame, state: Any, demand: Demand, nodes: int) -> Any:
        for attempt in range(_TRIES):
            try:
                return self._running().submit(_compute, game.slug, state, demand, nodes).result()
            except (BrokenProcessPool, MemoryError) as error:
                log.warning(
                    "worker died", game=game.slug, demand=demand.kind, attempt=attempt, error=str(error)
                )
                self.close()
        return None

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _compute(slug: str, state: Any, demand: Demand, nodes: int) -> Any:
    return found()[slug].compute(state, demand, nodes)
