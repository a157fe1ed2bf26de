"""The clock's one row: the last pass, the watermark, the heartbeat."""

from __future__ import annotations

import sqlalchemy as sa

from referee.offices.keeping import Clock
from referee.store.rows import Rows
from referee.store.tables import clock


class ClockRows(Rows):
    def clock(self) -> Clock:
        query = sa.select(clock.c.last_pass, clock.c.watermark, clock.c.heartbeat)
        row = self.connection.execute(query).first()
        return Clock(*row) if row else Clock(None, None, None)

    def set_clock(self, now: Clock) -> None:
        values = {"last_pass": now.last_pass, "watermark": now.watermark, "heartbeat": now.heartbeat}
        if not self.connection.execute(sa.update(clock).values(**values)).rowcount:
            self.connection.execute(sa.insert(clock).values(id=1, **values))
