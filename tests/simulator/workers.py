"""The same club on PostgreSQL, where several workers share a pass: in one thread, a step of one and a step of another,
in an order that is drawn; one may be killed at a point, paused until all others have ended, or all are cut off."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from greenlet import getcurrent, greenlet

from referee.offices.clock import doubt
from referee.offices.clock.doubt import ClockReading
from referee.offices.passes import Counts
from referee.rehearsal.players import seeded
from referee.service.wiring import STORE_TROUBLE, Referee
from referee.transport.maildir import MaildirCourier, MaildirMailbox
from tests.clocks import DatabaseClock
from tests.simulator.simulation import Crash, Outside, Shell, Simulation

_CONFIGURATION = """
[store]
url = "{}"
[engine]
kind = "procrastinate"
"""


@dataclass
class Interleaved(Outside):
    """At every point outside of a transaction, where nobody can wait for a lock of who stands, another may go on."""

    hub: greenlet | None = field(default_factory=getcurrent)

    def point(self, where: str = "") -> None:
        super().point(where)
        if where != "commit" and getcurrent() is not self.hub:
            assert self.hub is not None
            self.hub.switch()


class Workers(Simulation):
    """As many of them as the seed says. A pass of theirs is over when all have ended."""

    def __init__(self, url: str, seed: int, count: int, folder: Path, shell: Shell) -> None:
        self.url, self.seed, self.database = url, seed, DatabaseClock(url)
        super().__init__(seed, count, folder, shell, _CONFIGURATION.format(url))
        self.others = [self.begun() for _ in range(1 + seed % 2)]

    def world(self) -> Outside:
        return Interleaved(MaildirMailbox(self.folder / "mail/in"), MaildirCourier(self.folder / "mail/out"))

    def reading(self, minute: int) -> ClockReading:
        """They go by the database's clock."""
        said = super().reading(minute)
        self.database.says(said.at)
        return said

    def doubtful(self) -> bool:
        """There is no pass to compare with: who did what first is drawn."""
        return True

    def close(self) -> None:
        for referee in (self.referee, *self.others):
            referee.close()

    def tried(self, reading: ClockReading) -> Counts | None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(doubt, "reading", lambda: reading)
            return self._tried(reading)

    def _tried(self, reading: ClockReading) -> Counts | None:
        self.outside.passed, counts, failed = 0, Counts(), False
        armed, chance = dict(self.outside.armed), seeded("steps", self.seed, reading.at)
        lanes = {greenlet(self._work): referee for referee in (self.referee, *self.others)}
        paused = list(lanes)[armed["disk"] % len(lanes)] if "disk" in armed else None
        steps = 0
        while lanes:
            steps += 1
            free = [lane for lane in lanes if lane is not paused] or list(lanes)
            lane = free[chance.below(len(free), "who")]
            if armed.get("crash", -1) % 90 == steps and "crash" in armed and armed["crash"] % 2:
                self._cut_off()
            done = lane.switch(lanes[lane], reading) if not lane else lane.switch()
            if lane.dead:
                failed |= done is None
                counts.add(done or Counts())
                self._again(lanes.pop(lane), dead=done is None)
        if failed:
            self.outside.armed.clear()
            return None
        return counts

    def _work(self, referee: Referee, reading: ClockReading) -> Counts | None:
        try:
            return referee.desk.step(reading)
        except (Crash, OSError, *STORE_TROUBLE):
            if not {"crash", "disk"} & self.outside.armed.keys():
                raise
            return None

    def _again(self, referee: Referee, *, dead: bool) -> None:
        """In the place of a worker that has died comes another."""
        if dead:
            referee.close()
            if referee is self.referee:
                self.referee = self.begun()
            else:
                self.others = [self.begun() if other is referee else other for other in self.others]

    def _cut_off(self) -> None:
        """The database ends every connection."""
        engine: Any = sa.create_engine(self.url)
        with engine.connect() as line:
            ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            line.execute(sa.text(f"{ends} AND pid <> pg_backend_pid()"))
        engine.dispose()
