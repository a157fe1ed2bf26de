"""What the clock does to gatherings of the club: proposals expire, letters that had to wait a day may go, the next
round of an event opens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.offices.club.proposals import Proposals
from referee.offices.club.tournaments import Tournaments
from referee.offices.faults import Faults
from referee.offices.passes.batch import Counts
from referee.offices.ports.store import Again, Unit


@dataclass(frozen=True, slots=True)
class Club:
    """Called inside transactions; it never looks at a clock itself."""

    proposals: Proposals
    tournaments: Tournaments
    faults: Faults

    def wake(self, unit: Unit, name: str, now: datetime, counts: Counts) -> bool:
        """The gathering's time has come; whether what that means could be done."""
        try:
            with unit.savepoint():
                row = unit.gathering(name)
                office = self.tournaments if row is not None and row.kind == "event" else self.proposals
                office.wake(unit, name, now)
        except Again:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, all others must go on
            self.faults.of_match(unit, name, "what time makes due", error, now, counts)
            return False
        return True
