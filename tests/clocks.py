"""A machine's clock that a test sets, its count of seconds, which nobody sets, and a database's clock."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

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


class DatabaseClock:
    """`clock_timestamp()` of every connection to come says what is set here."""

    def __init__(self, url: str) -> None:
        self._engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        body = "LANGUAGE sql AS $$ SELECT at FROM public.the_clock $$"
        with self._engine.connect() as line:
            for words in (
                "CREATE TABLE public.the_clock (at timestamptz)",
                "INSERT INTO public.the_clock VALUES (now())",
                f"CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz STABLE {body}",
                f"ALTER DATABASE {sa.make_url(url).database} SET search_path = public, pg_catalog",
            ):
                line.execute(sa.text(words))

    def says(self, at: datetime) -> None:
        with self._engine.connect() as line:
            line.execute(sa.text("UPDATE public.the_clock SET at = :at"), {"at": at})
