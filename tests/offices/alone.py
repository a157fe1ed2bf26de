"""A queue of one stimulus."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from referee.offices.passes import Batch, Next
from referee.store.post import KeptMail
from referee.store.sql import Unit


@dataclass
class Alone:
    """What `choose` finds in the store, if anything, is taken at that time, after what was `reached` before."""

    choose: Callable[[Unit], Next | None]
    now: datetime
    reached: datetime | None
    size: int = 1
    isolates: bool = False

    def begin(self, unit: Unit, batch: Batch) -> None:
        unit.now, batch.reached = self.now, self.reached

    def next(self, unit: Unit, batch: Batch) -> Next | None:
        return self.choose(unit)

    def check(self, unit: Unit, mail: Any, about: str | None, *, waits: bool) -> None: ...

    def move(self, unit: Unit, mail: KeptMail, key: str) -> None:
        raise AssertionError

    def end(self, unit: Unit, batch: Batch) -> None:
        batch.more = False
