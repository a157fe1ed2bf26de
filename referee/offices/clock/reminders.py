"""Reminders of what is owed, to each seat by itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.core.owing import Demand
from referee.match import commands as do
from referee.match.events import Reminder
from referee.match.handling.deadlines import reminders_due
from referee.match.match import Match, OpenRound
from referee.match.notices import Notice
from referee.offices.decisions import Decisions
from referee.offices.faults import Faults
from referee.offices.outgoing.announcements import announced
from referee.offices.outgoing.outbox import Outbox
from referee.offices.outgoing.speaker import Speaker
from referee.offices.passes.batch import Counts
from referee.offices.ports.store import Again, Unit
from referee.offices.register.matches import Matches
from referee.offices.settings import Settings


@dataclass(frozen=True, slots=True)
class Reminders:
    """Sends them when they are due, and notes in the ledger that they were sent."""

    matches: Matches
    decisions: Decisions
    speaker: Speaker
    outbox: Outbox
    faults: Faults
    settings: Settings

    def send_in(self, unit: Unit, name: str, now: datetime, counts: Counts) -> None:
        """Remind those who owe in a match, where a reminder is due."""
        try:
            with unit.savepoint():
                self._of_match(unit, self.matches.load(unit, name), now)
        except Again:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
            self.faults.of_match(unit, name, "the reminder", error, now, counts)

    def _of_match(self, unit: Unit, match: Match, now: datetime) -> None:
        due = reminders_due(match, now, self.settings.reminders)
        if not due:
            self.matches.save(unit, match, (), now)
        for r, reminder, silent in due:
            match = self._of_round(unit, match, r, reminder, silent, now)

    def _of_round(
        self,
        unit: Unit,
        match: Match,
        r: OpenRound,
        reminder: Reminder,
        silent: tuple[Demand, ...],
        now: datetime,
    ) -> Match:
        cause = f"remind {r.opened} {r.label} {reminder} {r.due_for(silent[0].seat)}"
        after = self.decisions.carry_out(unit, match, do.Remind(r.label, reminder), now, cause).match
        for d in silent:  # each told by itself: nothing in a letter may depend on who else is silent
            notice = Notice("reminder", (d.seat,), (), r, d)
            self.outbox.post(
                unit, announced(self.speaker, after, [notice], f"{cause} {d.kind} {d.about}", now)[0]
            )
        return after
