"""One pass with the engine: the same queue that workers take from is driven to its end, in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.engine.jobs import DELIVER, FILE, LAST_TICK, QUEUES, RECEIVE, REFRESH
from referee.engine.store import KeyedStore
from referee.engine.tasks import Tasks
from referee.engine.worker import Engine
from referee.offices.passes import Counts


@dataclass(frozen=True, slots=True)
class QueueDesk:
    """In the place of the desk: mails are received, whatever they and the clock make due is taken, letters leave.
    Workers may be at work beside it; what they take is not among its counts."""

    tasks: Callable[[], Tasks]

    def step(
        self,
        now: datetime,
        *,
        wait: bool = True,
        outage: timedelta | None = None,
        stopping: Callable[[], bool] = lambda: False,
        told: Callable[[Counts], None] = lambda counts: None,
    ) -> Counts:
        """One pass at the clock `now`. Raises StaleClock where an earlier pass was later. `told` hears what was done
        with every commit of stimuli."""
        tasks = self.tasks()
        tasks.counts, tasks.stopping, tasks.told, tasks.time = Counts(), stopping, told, now
        with tasks.store.at_work():
            self._begin(tasks, now, outage)
            queues = QUEUES if wait else tuple(q for q in QUEUES if q != "searches")
            Engine(tasks.store.conninfo, lambda queue: tasks, stopping).drain(queues)
            self._end(tasks.store, tasks.counts, stopping())
        return tasks.counts

    @staticmethod
    def _begin(tasks: Tasks, now: datetime, outage: timedelta | None) -> None:
        """Note the pass, what it will do, and what nobody else goes on with."""
        tasks.store.free_the_dead()
        with tasks.store.transaction() as unit:
            tasks.note_pass(unit, now, outage)
            unit.sweep(now)
            unit.note(RECEIVE, LAST_TICK, FILE, REFRESH, DELIVER)

    @staticmethod
    def _end(store: KeyedStore, counts: Counts, broken_off: bool) -> None:
        """What has come by now has been judged."""
        with store.transaction() as unit:
            counts.waiting = unit.open_mails()
            clock = unit.clock()
            if clock.watermark is not None and not broken_off:
                unit.forward({"reached": clock.watermark})
