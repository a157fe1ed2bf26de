"""The timekeeper: deadlines that have passed, those that must wait for a mail, reminders, the referee's own outages."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.core.game import Demand
from referee.match import commands as do
from referee.match.deadlines import next_deadline, reminders_due
from referee.match.decide import Decision, decide
from referee.match.events import Reminder
from referee.match.match import AnyGame, Match, OpenRound, unanswered
from referee.match.notices import Notice
from referee.offices.book import Unfoldable
from referee.offices.faults import Faults
from referee.offices.outgoing.speaker import Speaker
from referee.offices.passes import Counts, Pass
from referee.offices.ports.store import KeptMail, Unit
from referee.offices.registry import Registry
from referee.offices.settings import Settings

_TICK = timedelta(microseconds=1)


class Timekeeper:
    """What the clock does to matches. Called inside transactions; it never looks at a clock itself."""

    def __init__(self, registry: Registry, speaker: Speaker, faults: Faults, settings: Settings) -> None:
        self._registry = registry
        self._speaker = speaker
        self._faults = faults
        self._settings = settings

    # --- deadlines ---------------------------------------------------------------------------------------------

    def lapse(self, unit: Unit, name: str, this: Pass) -> None:
        """The match's next deadline has passed: rule on it, unless a mail holds it up."""
        try:
            match = self._registry.book.load(unit, name)
        except Unfoldable as error:
            this.stuck.add(name)
            self._faults.of_match(unit, name, "the deadline", error, this.now, this.counts)
            return
        game = self._registry.book.game(match)
        due = next_deadline(match, game)
        if due is None:
            this.stuck.add(name)
        elif self._holding_up(unit, match, game, due, this.now):
            this.delayed.add(name)
        else:
            self._rule(unit, match, due, this)

    def _rule(self, unit: Unit, match: Match, due: datetime, this: Pass) -> None:
        try:
            with unit.savepoint():
                cause = f"lapse {match.position} {due.isoformat()}"
                expire = do.Expire(due + _TICK, this.later(due))
                decision = self._decided(unit, match, expire, cause, this.now)
                this.counts.lapsed += bool(decision.entries)
                if not decision.entries:
                    this.stuck.add(match.name)
        except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
            this.stuck.add(match.name)
            self._faults.of_match(unit, match.name, "the deadline", error, this.now, this.counts)

    def _holding_up(
        self, unit: Unit, match: Match, game: AnyGame, due: datetime, now: datetime
    ) -> list[tuple[OpenRound, KeptMail]]:
        """The mails of seats that owe, in time, that are still held or shunted (a deadline waits 48 hours at most, and
        of a round once: where it was moved while it waited, the new one is final)."""
        if now >= due + self._settings.limits.grace:
            return []
        return [
            (r, mail)
            for r in match.rounds
            if not r.waited
            for seat in sorted({d.seat for d in unanswered(match, game, r)})
            if (own := r.due_for(seat)) is not None and own <= due
            for mail in unit.holding_up(match.name, seat, r.opened_at, own)
        ]

    def tell_delays(self, unit: Unit, this: Pass) -> None:
        """Once for each deadline that still waits at the end of a pass, all learn that its ruling is delayed; whose
        mail it waits for, the moderator alone."""
        for name in sorted(this.delayed):
            match = self._registry.book.outline(unit, name)
            if not match.known:
                continue
            game = self._registry.book.game(match)
            due = next_deadline(match, game)
            if due is None or due >= this.watermark:
                continue
            found = self._holding_up(unit, match, game, due, this.now)
            if found:
                self._tell_delay(unit, match, found, due, this.now)

    def _tell_delay(
        self, unit: Unit, match: Match, found: list[tuple[OpenRound, KeptMail]], due: datetime, now: datetime
    ) -> None:
        r, until = found[0][0], due + self._settings.limits.grace
        letters = self._speaker.delayed(match, r, due, until, now)
        context = {
            "topic": "delayed", "reason": r.label, "mail": found[0][1], "about": found[0][1].sender or "nobody",
            "due_at": due, "until": until, "numbers": sorted({mail.id for _, mail in found}), "where": match.name,
        }  # fmt: skip
        subject = f"{match.name}: a deadline waits for a mail"
        key = ("delayed", match.name, due.isoformat())
        self._registry.post(unit, [*letters, self._speaker.alarm(subject, key, now, context)])

    # --- reminders ---------------------------------------------------------------------------------------------

    def remind(self, unit: Unit, now: datetime, counts: Counts) -> None:
        """Remind those who owe, wherever a reminder is due."""
        for name in unit.reminding(now):
            try:
                with unit.savepoint():
                    self._remind_match(unit, self._registry.book.load(unit, name), now)
            except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
                self._faults.of_match(unit, name, "the reminder", error, now, counts)

    def _remind_match(self, unit: Unit, match: Match, now: datetime) -> None:
        game = self._registry.book.game(match)
        told = reminders_due(match, game, now, self._settings.reminders.habit)
        if not told:
            self._registry.book.save(unit, match, (), now)
        for r, reminder, silent in told:
            match = self._remind_round(unit, match, r, reminder, silent, now)

    def _remind_round(
        self,
        unit: Unit,
        match: Match,
        r: OpenRound,
        reminder: Reminder,
        silent: tuple[Demand, ...],
        now: datetime,
    ) -> Match:
        cause = f"remind {r.opened} {r.label} {reminder} {r.due_for(silent[0].seat)}"
        decision = self._decided(unit, match, do.Remind(r.label, reminder), cause, now)
        for d in silent:  # each told by itself: nothing in a letter may depend on who else is silent
            reminding = Notice("reminder", (d.seat,), (), r, d)
            told = self._speaker.told(decision.match, [reminding], f"{cause} {d.kind} {d.about}", now)
            self._registry.post(unit, told)
        return decision.match

    # --- outages -----------------------------------------------------------------------------------------------

    def add_downtime(self, unit: Unit, now: datetime, downtime: timedelta, counts: Counts) -> None:
        """The referee's own outage is added to every open window, in the transaction that notes the sign of life."""
        command = do.AddDowntime(int(downtime.total_seconds()))
        for row in unit.matches():
            if row.status == "open":
                try:
                    with unit.savepoint():
                        match = self._registry.book.load(unit, row.name)
                        self._decided(unit, match, command, f"downtime {match.position}", now)
                except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
                    self._faults.of_match(unit, row.name, "the referee's outage", error, now, counts)

    def _decided(
        self,
        unit: Unit,
        match: Match,
        command: do.Expire | do.Remind | do.AddDowntime,
        cause: str,
        now: datetime,
    ) -> Decision:
        """What the command does to the match, written down and told."""
        game, keys = self._registry.book.game(match), self._speaker.keys
        decision = decide(game, match, command, now, keys, lambda: unit.history(match.name))
        self._registry.record(unit, match, decision, cause, now)
        return decision
