"""A machine's clock that a test sets, and its count of seconds, which nobody sets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from referee.offices.clock import doubt
from referee.offices.clock.doubt import ClockReading


@dataclass
class Machine:
    """`at` is what the clock says, `off` by how much it is wrong."""

    true: datetime
    off: timedelta = timedelta()
    boot: int = 1
    ticks: float = 1000.0

    def passes(self, **span: float) -> datetime:
        """Time goes by; the true time afterwards."""
        length = timedelta(**span)
        self.true, self.ticks = self.true + length, self.ticks + length.total_seconds()
        return self.true

    def restarts(self) -> None:
        self.boot, self.ticks = self.boot + 1, 10.0

    def reading(self) -> ClockReading:
        return ClockReading(self.true + self.off, f"boot {self.boot}", self.ticks)


def set_clock(patch: pytest.MonkeyPatch, true: datetime) -> Machine:
    made = Machine(true)
    patch.setattr(doubt, "reading", made.reading)
    return made
