"""The clock's one row: the last pass and whether it came to its end, the watermark, the heartbeat."""

from __future__ import annotations

from dataclasses import fields

import sqlalchemy as sa

from referee.offices.ports.store import Clock
from referee.store.rows import Rows
from referee.store.tables import clock


class ClockRows(Rows):
    def clock(self) -> Clock:
        query = sa.select(*(clock.c[field.name] for field in fields(Clock)))
        row = self.connection.execute(query).first()
        return Clock(*row) if row else Clock(None, None, None)

    def set_clock(self, now: Clock) -> None:
        values = {field.name: getattr(now, field.name) for field in fields(Clock)}
        if not self.connection.execute(sa.update(clock).values(**values)).rowcount:
            self.connection.execute(sa.insert(clock).values(id=1, **values))
