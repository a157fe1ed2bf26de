"""The desk: one pass over everything that waits, in time order, one transaction per handful of stimuli."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import structlog

from referee.core.game import Demand
from referee.match import commands as do
from referee.match.announce import Notice
from referee.match.deadlines import next_deadline, reminders_due
from referee.match.decide import decide
from referee.match.match import AnyGame, Match, OpenRound, for_worker, unanswered
from referee.match.verdicts import Impossible
from referee.offices.collector import Collector
from referee.offices.courier_round import CourierRound
from referee.offices.keeping import Clock, KeptMail, NewMail, Settling, Store, Unit
from referee.offices.mail import Reader
from referee.offices.ports import Filing, Mailbox, MailboxTrouble
from referee.offices.registry import Registry
from referee.offices.settings import Policy
from referee.offices.speaker import Speaker

_HANDFUL = 40  # stimuli that share a commit
_FILING: dict[str, Filing] = {"refused": "refused", "held": "held", "shunted": "held"}
log = structlog.get_logger("referee.desk")

Solver = Callable[[AnyGame, Any, Demand, int], Any]


class NoVerdict(Exception):
    """The search for the referee's own answer found no end: its worker died, and so did the next one."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee itself owes in a match, as it stood when asked."""

    match: Match
    game: AnyGame
    label: str
    demand: Demand

    @property
    def key(self) -> tuple[str, int]:
        return self.match.name, self.match.version


class StaleClock(Exception):
    """The clock of this pass lies before the last pass's; time does not run backwards here."""


@dataclass(slots=True)
class Counts:
    """What a pass did. `read` is the sum of the verdicts and of what waits."""

    accepted: int = 0
    refused: int = 0
    ignored: int = 0
    answered: int = 0
    discarded: int = 0
    held: int = 0
    shunted: int = 0
    waiting: int = 0
    lapsed: int = 0
    sent: int = 0
    trouble: list[str] = field(default_factory=list)

    def facts(self) -> dict[str, Any]:
        """The counts by name, as `step --json` prints them."""
        verdicts = {
            name: getattr(self, name)
            for name in (
                "accepted",
                "refused",
                "ignored",
                "answered",
                "discarded",
                "held",
                "shunted",
                "waiting",
            )
        }
        rest = {"lapsed": self.lapsed, "sent": self.sent}
        trouble = {"trouble": self.trouble} if self.trouble else {}
        return {"read": sum(verdicts.values()), **verdicts, **rest, **trouble}


class Desk:
    """Takes the next stimulus in time order until none is left (design, sections 4 and 5)."""

    def __init__(
        self,
        store: Store,
        mailbox: Mailbox,
        reader: Reader,
        collector: Collector,
        registry: Registry,
        speaker: Speaker,
        courier: CourierRound,
        games: Mapping[str, AnyGame],
        policy: Policy,
        solver: Solver,
    ) -> None:
        self._store = store
        self._mailbox = mailbox
        self._reader = reader
        self._collector = collector
        self._registry = registry
        self._speaker = speaker
        self._courier = courier
        self._games = games
        self._policy = policy
        self._solver = solver
        self._stopping: Callable[[], bool] = lambda: False

    def step(
        self,
        now: datetime,
        *,
        wait: bool = True,
        outage: timedelta | None = None,
        stopping: Callable[[], bool] = lambda: False,
    ) -> Counts:
        """One pass at the clock `now`. Raises StaleClock where an earlier pass was later.

        `outage` is given by the service alone: a longer silence since its last pass is added to open deadlines. No
        gap between passes of other callers, however long, moves anything. Once `stopping` says so, the stimulus or
        letter in hand is the last; the next pass goes on from there.
        """
        self._stopping = stopping
        counts = Counts()
        with self._store.exclusive():
            self._registry.book.forget()
            watermark = self._receive(now, outage, counts)
            self._judge_all(now, watermark, counts)
            if wait:
                while not stopping() and self._compute(now, counts):
                    self._judge_all(now, watermark, counts)
            if not stopping():
                self._remind(now, counts)
                self._file(counts)
            counts.sent = self._courier.deliver(now, stopping, counts.trouble)
        return counts

    # --- receiving ---------------------------------------------------------------------------------------------

    def _receive(self, now: datetime, outage: timedelta | None, counts: Counts) -> datetime:
        """Keep what the mailbox has; the watermark moves to `now` only if it could be read to its end."""
        with self._store.transaction() as unit:
            clock = unit.clock()
            if clock.last_pass is not None and now < clock.last_pass:
                raise StaleClock(
                    f"the last pass was at {clock.last_pass.isoformat()}; {now.isoformat()} is before it"
                )
            unit.set_clock(Clock(now, clock.watermark, None if outage is None else now))
            if outage is not None and clock.heartbeat is not None and now - clock.heartbeat > outage:
                self._add_downtime(unit, now, now - clock.heartbeat)
        try:
            if not self._keep_all(counts):
                return clock.watermark or datetime.min.replace(tzinfo=now.tzinfo)
        except MailboxTrouble as trouble:
            log.warning("mailbox", trouble=str(trouble))
            counts.trouble.append(str(trouble))
            return clock.watermark or datetime.min.replace(tzinfo=now.tzinfo)
        with self._store.transaction() as unit:
            unit.set_clock(replace(unit.clock(), watermark=now))
        return now

    def _keep_all(self, counts: Counts) -> bool:
        """Whether the mailbox was read to its end."""
        for batch in self._mailbox.fetch(self._knows, self._policy.largest):
            with self._store.transaction() as unit:
                for arrival in batch:
                    identity, message_id, sender = self._reader.identity(arrival.raw)
                    mail = NewMail(
                        arrival.uid, identity, arrival.arrived, arrival.size, arrival.cut, arrival.raw,
                        message_id, sender,
                    )  # fmt: skip
                    if not unit.knows_uid(arrival.uid) and not unit.keep(mail):
                        counts.ignored += 1
            if self._stopping():
                return False
        return True

    def _knows(self, uid: str) -> bool:
        with self._store.transaction() as unit:
            return unit.knows_uid(uid)

    # --- judging -----------------------------------------------------------------------------------------------

    def _judge_all(self, now: datetime, watermark: datetime, counts: Counts) -> None:
        waiting: set[int] = set()
        delayed: set[str] = set()
        busy = True
        while busy:
            with self._store.transaction() as unit:
                for _ in range(_HANDFUL):
                    busy = not self._stopping() and self._judge_next(
                        unit, now, watermark, counts, waiting, delayed
                    )
                    if not busy:
                        counts.waiting = unit.open_mails()
                        break

    def _judge_next(
        self,
        unit: Unit,
        now: datetime,
        watermark: datetime,
        counts: Counts,
        waiting: set[int],
        delayed: set[str],
    ) -> bool:
        """The next stimulus in time order; a mail goes before a deadline of the same moment."""
        mail = unit.next_mail(now, waiting)
        lapse = unit.next_lapse(watermark, delayed)
        if mail is None and lapse is None:
            return False
        if lapse is None or (mail is not None and mail.arrived <= lapse[1]):
            assert mail is not None
            self._judge_mail(unit, mail, now, counts, waiting)
        else:
            self._judge_lapse(unit, lapse[0], now, counts, delayed)
        return True

    def _judge_mail(
        self, unit: Unit, mail: KeptMail, now: datetime, counts: Counts, waiting: set[int]
    ) -> None:
        try:
            with unit.savepoint():
                judged = self._collector.judge(unit, mail, now)
                if judged is None:
                    waiting.add(mail.id)
                    return
                self._registry.post(unit, judged.letters)
                unit.settle(mail.id, judged.settling, now)
                verdict = judged.settling.verdict
        except Exception as error:  # noqa: BLE001 - whatever it is, the queue must go on
            self._registry.book.forget()
            self._shunt(unit, mail, error, now)
            verdict = "shunted"
        setattr(counts, verdict, getattr(counts, verdict) + 1)
        log.info("mail", id=mail.id, verdict=verdict)

    def _shunt(self, unit: Unit, mail: KeptMail, error: Exception, now: datetime) -> None:
        """Our fault, not the player's: the mail is put aside with its traceback, and the queue goes on."""
        trace = "".join(traceback.format_exception(error))
        found = unit.seats_of(mail.sender) if mail.sender else []
        match, seat = found[0] if len(found) == 1 else (None, None)
        unit.settle(mail.id, Settling("shunted", trace, None, None, match, seat), now)
        alarm = self._speaker.alarm(
            "A mail could not be judged",
            ("shunted", mail.identity, mail.arrived.isoformat(), now.isoformat()),
            now,
            {
                "topic": "shunted",
                "reason": f"{type(error).__name__}",
                "mail": mail,
                "about": mail.sender or "",
            },
        )
        self._registry.post(unit, [alarm])

    def _judge_lapse(self, unit: Unit, name: str, now: datetime, counts: Counts, delayed: set[str]) -> None:
        match = self._registry.book.load(unit, name)
        game = self._registry.book.game(match)
        due = next_deadline(match, game)
        if due is None or self._held_up(unit, match, game, due, now):
            delayed.add(name)
            return
        try:
            with unit.savepoint():
                after = due + timedelta(microseconds=1)
                decision = decide(
                    game, match, do.Expire(after), now, self._speaker.keys, lambda: unit.history(name)
                )
                cause = f"lapse {match.position} {due.isoformat()}"
                self._registry.record(unit, match, decision, cause, now)
                counts.lapsed += bool(decision.entries)
                if not decision.entries:
                    delayed.add(name)
        except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
            delayed.add(name)
            self._fault(unit, match, "the deadline", error, now, counts)

    def _held_up(self, unit: Unit, match: Match, game: AnyGame, due: datetime, now: datetime) -> bool:
        """Whether a mail that came in time from a seat that owes is still held or shunted (48 hours at most)."""
        if now >= due + self._policy.grace:
            return False
        return any(
            unit.holds_up(match.name, d.seat, r.opened_at, own)
            for r in match.rounds
            for d in unanswered(match, game, r)
            if (own := r.due_for(d.seat)) is not None and own <= due
        )

    def _fault(
        self, unit: Unit, match: Match, what: str, error: Exception, now: datetime, counts: Counts
    ) -> None:
        """Our fault in a match: undone by the caller's savepoint, told to the moderator once, tried at every pass."""
        self._registry.book.forget()
        log.error("fault", match=match.name, what=what, trace="".join(traceback.format_exception(error)))
        counts.trouble.append(f"{match.name}: {what} could not be judged; see the log")
        alarm = self._speaker.alarm(
            f"{match.name}: {what} could not be judged",
            ("fault", match.name, what, str(match.version)),
            now,
            {
                "topic": "fault",
                "reason": type(error).__name__,
                "mail": None,
                "about": match.name,
                "what": what,
            },
        )
        self._registry.post(unit, [alarm])

    # --- the referee's own answers -----------------------------------------------------------------------------

    def questions(self) -> list[Question]:
        """The first thing the referee itself owes in each match that waits for it."""
        with self._store.transaction() as unit:
            matches = [self._registry.book.load(unit, name) for name in unit.computing()]
        return [self._question(match) for match in matches]

    def _question(self, match: Match) -> Question:
        game = self._registry.book.game(match)
        r, demand = for_worker(match, game)[0]
        return Question(match, game, r.label, demand)

    def solve(self, question: Question) -> Any:
        """The referee's own answer, in no transaction. Raises NoVerdict, and whatever the search raises."""
        action = self._solver(question.game, question.match.inner, question.demand, self._policy.nodes)
        if action is None:
            raise NoVerdict
        return action

    def answer(self, question: Question, action: Any, now: datetime) -> bool:
        """Write the answer down, unless the match has moved on since it was asked; whether it was written."""
        with self._store.transaction() as unit:
            match = self._registry.book.load(unit, question.match.name)
            owed = for_worker(match, question.game)
            if match.inner != question.match.inner or not owed:
                return False
            r, demand = owed[0]
            if (r.label, demand) != (question.label, question.demand):
                return False
            command = do.Compute(r.label, action)
            decision = decide(
                question.game, match, command, now, self._speaker.keys, lambda: unit.history(match.name)
            )
            if isinstance(decision.verdict, Impossible):
                return False
            self._registry.record(unit, match, decision, f"verdict {match.position} {r.label}", now)
            return True

    def unsolved(self, question: Question, error: Exception, now: datetime, counts: Counts) -> None:
        """The match waits, and the moderator is told once."""
        with self._store.transaction() as unit:
            self._fault(unit, question.match, "the referee's own answer", error, now, counts)

    def _compute(self, now: datetime, counts: Counts) -> bool:
        """Answer what the referee itself owes; whether anything was answered."""
        done = False
        for question in self.questions():
            try:
                done |= self.answer(question, self.solve(question), now)
            except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
                self.unsolved(question, error, now, counts)
        return done

    # --- the clock ---------------------------------------------------------------------------------------------

    def _remind(self, now: datetime, counts: Counts) -> None:
        with self._store.transaction() as unit:
            for name in unit.reminding(now):
                match = self._registry.book.load(unit, name)
                try:
                    with unit.savepoint():
                        self._remind_match(unit, match, now)
                except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
                    self._fault(unit, match, "the reminder", error, now, counts)

    def _remind_match(self, unit: Unit, match: Match, now: datetime) -> None:
        game = self._registry.book.game(match)
        told = reminders_due(match, game, now, self._policy.reminders)
        if not told:
            self._registry.book.save(unit, match, (), now)
        for r, mark, silent in told:
            match = self._remind_round(unit, match, game, r, mark, silent, now)

    def _remind_round(
        self,
        unit: Unit,
        match: Match,
        game: AnyGame,
        r: OpenRound,
        mark: str,
        silent: tuple[Demand, ...],
        now: datetime,
    ) -> Match:
        command = do.Remind(r.label, mark)
        decision = decide(game, match, command, now, self._speaker.keys, lambda: unit.history(match.name))
        cause = f"remind {r.opened} {r.label} {mark} {r.due_for(silent[0].seat)}"
        self._registry.record(unit, match, decision, cause, now)
        for d in silent:  # each told by itself: nothing in a letter may depend on who else is silent
            reminding = Notice("reminder", (d.seat,), (), r, d)
            told = self._speaker.told(decision.match, [reminding], f"{cause} {d.kind} {d.about}", now)
            self._registry.post(unit, told)
        return decision.match

    def _add_downtime(self, unit: Unit, now: datetime, downtime: timedelta) -> None:
        """The referee's own outage is added to every open window, in the transaction that notes the sign of life."""
        command = do.AddDowntime(int(downtime.total_seconds()))
        for row in unit.matches():
            if row.status == "open":
                match = self._registry.book.load(unit, row.name)
                game = self._registry.book.game(match)
                decision = decide(game, match, command, now, self._speaker.keys, tuple)
                self._registry.record(unit, match, decision, f"downtime {match.position}", now)

    # --- filing ------------------------------------------------------------------------------------------------

    def _file(self, counts: Counts) -> None:
        """Put settled mails away on the server; whatever is not filed now is filed by a later pass."""
        with self._store.transaction() as unit:
            settled = unit.unfiled()
        if not settled:
            return
        try:
            self._mailbox.file([(uid, _FILING.get(verdict, "done")) for uid, verdict in settled])
        except MailboxTrouble as trouble:
            counts.trouble.append(str(trouble))
            return
        with self._store.transaction() as unit:
            unit.filed([uid for uid, _ in settled])
