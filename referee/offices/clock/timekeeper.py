"""The timekeeper: what the clock does to matches and to gatherings of the club. Deadlines that
have passed, and those that must wait for a mail; reminders; the referee's own outages; proposals
that expire, letters that had to wait a day, the next round of an event. And what the referee itself
owes: the questions there are, and its answers written down like any other's."""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any, Literal

from referee.base.errors import RefereeError
from referee.base.logs import Log, about
from referee.base.settings import Settings
from referee.core.game import AnyGame
from referee.core.value import Demand, Value
from referee.letters.announcements import Telling
from referee.letters.replies import to_moderator
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Impossible
from referee.match.handling.deadlines import next_passing, reminders_due
from referee.match.match import Match, OpenRound, for_solver, outstanding
from referee.match.notices import Notice
from referee.offices.club import Proposals, Tournaments
from referee.offices.decisions import Decisions
from referee.offices.passes import Batch, Counts, Timed
from referee.store.engine import Again, again
from referee.store.post import KeptMail
from referee.store.sql import Store, Unit

Ruling = Literal["ruled", "delayed", "stuck"]
log = Log("referee.desk")
_TICK = timedelta(microseconds=1)


class Timekeeper(Value):
    """Called inside transactions; it never looks at a clock itself. Where one match or gathering
    stumbles, all others go on."""

    decisions: Decisions
    proposals: Proposals
    tournaments: Tournaments
    settings: Settings

    def take(self, unit: Unit, found: Timed, batch: Batch) -> None:
        """What is due befalls its match or gathering; of what it can't the batch knows."""
        name, counts = found.name, batch.counts
        if found.what == "owed":
            for silent in unit.take_outages(name):
                self._add_downtime(unit, name, silent, batch)
            return
        ruling: Ruling = "stuck"
        if found.what == "gathering":
            with self.decisions.apart(unit, name, "what time makes due", counts):
                row = unit.gathering(name)
                office = self.tournaments if row is not None and row.kind == "event" else self.proposals
                office.wake(unit, name)
                ruling = "ruled"
        else:
            with about(match=name):
                ruling = self._lapse(unit, name, batch)
                log.info("deadline", due=found.due.isoformat(), ruling=ruling)
        if ruling != "ruled":
            batch.held_up[name] = ruling
        batch.reach(found.due)

    # --- deadlines ---------------------------------------------------------------------------------------------

    def _lapse(self, unit: Unit, name: str, batch: Batch) -> Ruling:
        """The match's next deadline has passed: it is ruled on, unless a mail holds it up ("delayed") or the match
        can't be judged ("stuck")."""
        reached, counts = batch.reached, batch.counts
        with self.decisions.apart(unit, name, "the deadline", counts):
            match = self.decisions.matches.load(unit, name)
            passing = next_passing(match)
            if passing is None:
                return "stuck"
            due, lapses = passing.at, passing.what == "lapse"
            if lapses and self._holding_up(unit, match, due):
                return "delayed"
            command = do.Expire(due + _TICK, due if reached is None else max(due, reached))
            cause = f"lapse {match.position} {due.isoformat()}"
            if self.decisions.carry_out(unit, match, command, cause).entries:
                counts.lapsed += lapses
                return "ruled"
        return "stuck"

    def _holding_up(self, unit: Unit, match: Match, due: datetime) -> list[tuple[OpenRound, KeptMail]]:
        """The mails of seats that owe, in time, that are still held or shunted (a deadline waits 48 hours at most, and
        of a round once: where it was moved while it waited, the new one is final)."""
        if unit.now >= due + self.settings.limits.held_wait:
            return []
        return [
            (r, mail)
            for r in match.rounds
            if not r.waited
            for seat in sorted({d.seat for d in outstanding(match, r)})
            if (own := match.closes_for(r, seat)) is not None and own <= due
            for mail in unit.holding_up(match.name, seat, r.opened_at, own)
        ]

    def tell_delays(self, unit: Unit, names: set[str], watermark: datetime, counts: Counts) -> None:
        """Once for each deadline before the watermark that still waits at the end of a pass, all
        learn that its ruling is delayed; whose mail it waits for, the moderator alone."""
        for name in sorted(names):
            with self.decisions.apart(unit, name, "the deadline", counts):
                match = self.decisions.matches.load(unit, name)
                passing = next_passing(match)
                if passing is None or passing.what != "lapse" or passing.at >= watermark:
                    continue
                due, speaker = passing.at, self.decisions.speaker
                if not (found := self._holding_up(unit, match, due)):
                    continue
                (r, mail), until = found[0], due + self.settings.limits.held_wait
                subject = speaker.subject(match, "a deadline waits for a mail")
                key = ("delayed", match.name, due.isoformat())
                alarm = to_moderator(
                    speaker, "delayed", subject, key, unit.now, reason=r.label, mail=mail,
                    about=mail.sender or "nobody", due_at=due, until=until, where=match.name,
                    numbers=sorted({each.id for _, each in found}),
                )  # fmt: skip
                letters = Telling(speaker, match, "", unit.now).delayed(r, due, until)
                self.decisions.outbox.post(unit, [*letters, alarm])

    # --- outages -----------------------------------------------------------------------------------------------

    def _add_downtime(self, unit: Unit, name: str, silent: tuple[datetime, datetime], batch: Batch) -> None:
        """The referee's own outage is added to the open windows of a match, as much of it as they
        had begun; where it is open no more, nothing is."""
        with self.decisions.apart(unit, name, "the referee's outage", batch.counts):
            match = self.decisions.matches.load(unit, name)
            if match.status == "open":
                begun = min((r.opened_at for r in match.rounds), default=unit.now)
                lost = silent[1] - max(silent[0], begun)
                command = ev.DowntimeAdded(int(lost.total_seconds()))
                self.decisions.carry_out(unit, match, command, f"downtime {match.position}")

    # --- reminders ---------------------------------------------------------------------------------------------

    def remind(self, unit: Unit, name: str, counts: Counts) -> None:
        """Remind those who owe in a match, where a reminder is due, each of his own, and note in
        the ledger that it was sent."""
        with self.decisions.apart(unit, name, "the reminder", counts):
            match = self.decisions.matches.load(unit, name)
            due = reminders_due(match, unit.now, self.settings.reminders)
            if not due:
                self.decisions.matches.save(unit, match, (), unit.now)
            for r, reminder, silent in due:
                cause = f"remind {r.opened} {r.label} {reminder} {r.due_for(silent[0].seat)}"
                cause += " again" * sum(isinstance(e.event, ev.ReminderVoided) for e in unit.history(name))
                command = ev.SilentReminded(r.label, reminder)
                match = self.decisions.carry_out(unit, match, command, cause).match
                for d in silent:  # each told by itself: nothing in a letter may depend on who else is silent
                    notice, about = Notice("reminder", (d.seat,), (), r, d), f"{cause} {d.kind} {d.about}"
                    told = Telling(self.decisions.speaker, match, about, unit.now).letters([notice])[0]
                    self.decisions.outbox.post(unit, told)


# --- what the referee itself owes (seat 0) --------------------------------------------------------------------------

# The answer that the referee itself owes in a state, within so many nodes; None where none is found.
Solver = Callable[[AnyGame, Any, Demand, int], Any]
_AGAIN = timedelta(hours=1)  # after an answer that could not be written down


class NoVerdict(RefereeError):
    """The search for the referee's own answer found no end: it stumbled, or its process died, and so did the next."""


class Searches(Value):
    """Asks the solver, one question at a time, in no transaction."""

    store: Store
    decisions: Decisions
    settings: Settings
    solver: Solver
    given_up: dict[str, datetime] = field(default_factory=dict)  # matches in which none is sought before then

    def questions(self, only: Collection[str] | None = None) -> list[Match]:
        """The matches in which the referee itself owes something, or of `only` those: the first thing that
        each waits for is asked. One that can't be folded, or that owes nothing any more, asks nothing."""
        with self.store.transaction() as unit:
            names = [name for name in unit.computing() if only is None or name in only]
            matches = [self.decisions.matches.outline(unit, name) for name in names]
        return [match for match in matches if match.known and for_solver(match)]

    def solve(self, match: Match) -> Any:
        """The referee's own answer, in no transaction. Raises NoVerdict."""
        demand, most = for_solver(match)[0][1], self.settings.limits.solver_nodes
        try:
            action = self.solver(self.decisions.matches.game(match), match.inner, demand, most)
        except Exception as error:
            raise NoVerdict from error
        if action is None:
            raise NoVerdict
        return action

    @again
    def answer(self, asked: Match, action: Any, now: datetime) -> bool:
        """Write the answer down, unless the match has moved on since it was asked; whether it was written."""
        with self.store.transaction() as unit:
            unit.now = now
            match = self.decisions.matches.load(unit, asked.name)
            owed, then = ([(r.label, demand) for r, demand in for_solver(m)[:1]] for m in (match, asked))
            if match.standing != asked.standing or owed != then:
                return False
            label = then[0][0]
            command, cause = do.Compute(label, action), f"verdict {match.position} {label}"
            decision = self.decisions.carry_out(unit, match, command, cause)
            return not isinstance(decision.verdict, Impossible)

    @again
    def unsolved(self, asked: Match, error: Exception, now: datetime, counts: Counts) -> None:
        """The match waits, and the moderator is told: a search that came to nothing is held for
        him, an answer that could not be written down is looked for again."""
        with self.store.transaction() as unit:
            unit.now = now
            match = self.decisions.matches.outline(unit, asked.name)
            if not isinstance(error, NoVerdict):
                self.decisions.fault_of_match(unit, match.name, "the referee's own answer", error, counts)
            elif match.known and match.version == asked.version:
                self.decisions.fault_of_search(unit, match, error, counts)

    def compute(
        self,
        names: Collection[str] | None,
        now: Callable[[], datetime],
        counts: Counts,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> list[bool]:
        """Look for what the referee itself owes in those matches, or in all, each at its time: of each that was looked
        for whether it was found. It is written down while this thread is `alone`."""
        found = []
        for match in self.questions(names):
            name = match.name
            if (until := self.given_up.get(name)) is not None and until > now():
                continue
            try:
                action = self.solve(match)
                with alone():
                    found.append(self.answer(match, action, now()))
            except Again:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
                with alone():
                    self.unsolved(match, error, now(), counts)
                if not isinstance(error, NoVerdict):
                    self.given_up[name] = now() + _AGAIN
                found.append(False)
        return found
