"""The collector: one kept mail in; its verdict, its effect and its answer out. Called inside a transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from referee.core.complaint import Line
from referee.match import commands as do
from referee.match.decide import Decision, decide
from referee.match.match import AnyGame, owed
from referee.match.sealing import Keys
from referee.match.verdicts import Accepted, Ignored, Refused, Verdict, Waiting, Withdrawn
from referee.offices import commands
from referee.offices.keeping import KeptMail, OutgoingLetter, Settling, Unit
from referee.offices.letters import Letter
from referee.offices.mail import Mail, Reader
from referee.offices.registry import Registry
from referee.offices.routing import Astray, Route, answered_letter, route
from referee.offices.settings import Offices, Policy
from referee.offices.speaker import Answering, Speaker

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Judged:
    """A mail's verdict and the letters that answer it; letters to others are queued by the registry."""

    settling: Settling
    letters: tuple[Letter, ...] = ()
    verdict: Verdict | None = None  # of an answer of a seat
    demand: str | None = None


class Collector:
    """Judges mails, one at a time, each on the state the earlier ones left."""

    def __init__(
        self,
        reader: Reader,
        registry: Registry,
        speaker: Speaker,
        games: Mapping[str, AnyGame],
        keys: Keys,
        offices: Offices,
        policy: Policy,
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._speaker = speaker
        self._games = games
        self._keys = keys
        self._offices = offices
        self._policy = policy

    def judge(self, unit: Unit, kept: KeptMail, now: datetime) -> Judged | None:
        """The verdict, or None where the mail must wait for the referee's own answer."""
        mail = self._reader.read(kept.raw, cut=kept.cut)
        if (early := self._triaged(unit, kept, mail, now)) is not None:
            return early
        if any(m.id != kept.id for m in unit.resends(mail.resend)) and not kept.released:
            return self._resent(unit, kept, mail, now)
        judged = self._routed(unit, kept, mail, now)
        if judged is None:
            return None
        return self._calmed(unit, kept, mail, judged)

    # --- before anyone looks for orders ------------------------------------------------------------------------

    def _triaged(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Judged | None:
        if mail.disposition == "bounce":
            about = mail.failed_address or "an address that the report does not name"
            alarm = self._speaker.alarm(
                f"A letter to {about} did not arrive",
                ("bounce", about, f"{now:%Y-%m-%d}"),
                now,
                {"topic": "bounce", "reason": mail.reason, "mail": kept, "about": about},
            )
            return Judged(Settling("discarded", f"{mail.reason}: {about}"), (alarm,))
        if mail.disposition == "discard":
            return Judged(Settling("discarded", mail.reason))
        if mail.disposition == "hold" and not kept.released:
            return self._held(unit, kept, mail, mail.reason, now)
        if mail.sender is None:
            return self._held(unit, kept, mail, "its From line does not say for certain who sent it", now)
        if mail.evidence[0] == "failed" and not kept.released:
            return self._held(unit, kept, mail, f"it may be forged: {mail.evidence[1]}", now)
        return None

    def _held(self, unit: Unit, kept: KeptMail, mail: Mail, reason: str, now: datetime) -> Judged:
        found = unit.seats_of(mail.sender) if mail.sender else []
        match, seat = found[0] if len(found) == 1 else (None, None)
        alarm = self._speaker.alarm(
            f"A mail is held: {reason}",
            ("held", kept.identity, kept.arrived.isoformat()),
            now,
            {"topic": "held", "reason": reason, "mail": kept, "about": mail.sender or "nobody"},
        )
        return Judged(Settling("held", reason, mail.words, mail.resend, match, seat), (alarm,))

    def _resent(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Judged:
        """The same mail under a new Message-ID: one effect; the answer says which one counted."""
        first = next(m for m in unit.resends(mail.resend) if m.id != kept.id)
        settling = Settling("ignored", f"the same mail as no. {first.id}", mail.words, mail.resend)
        if (mail.message_id and first.message_id == mail.message_id) or not unit.seats_of(mail.sender or ""):
            return Judged(settling)
        context = {"mail": mail, "earlier": first, "demand": None, "label": "", "text": ""}
        return Judged(settling, (self._speaker.answer("ignored", self._to(kept, mail), now, context),))

    def _calmed(self, unit: Unit, kept: KeptMail, mail: Mail, judged: Judged) -> Judged:
        """The same words a third time within a day, never once accepted: held, so that no loop goes on."""
        if judged.settling.verdict in ("accepted", "held") or kept.released:
            return judged
        before = [
            m for m in unit.same_words(mail.words, kept.arrived - _DAY)
            if m.id != kept.id and m.verdict in ("refused", "ignored", "answered")
        ]  # fmt: skip
        if len(before) < 2:
            return judged
        reason = "the same words for the third time within a day"
        s = judged.settling
        calmed = Settling("held", reason, mail.words, mail.resend, s.match, s.seat)
        return replace(judged, settling=calmed, letters=())

    # --- the way to a seat -------------------------------------------------------------------------------------

    def _routed(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Judged | None:
        replied = answered_letter(unit, mail)
        if mail.tag.command is not None and mail.tag.kind is None:
            desk = commands.Commands(self._registry, self._speaker, self._games, self._offices)
            done = desk.obey(unit, mail, self._to(kept, mail), replied, now)
            if isinstance(done, commands.TakeBack):
                return self._submitted(unit, kept, mail, done.route, replied, now, take_back=True)
            verdict, reason, letters = done
            return Judged(Settling(verdict, reason, mail.words, mail.resend), letters)
        found = route(unit, self._registry.book, self._games, mail, replied)
        if isinstance(found, Astray):
            return self._astray(unit, kept, mail, found, now)
        if mail.tag.kind is None and (mail.tag.game is not None or replied is None):
            astray = Astray("unknown_heading" if mail.tag.game else "nothing_asked", (found,))
            return self._astray(unit, kept, mail, astray, now)
        return self._submitted(unit, kept, mail, found, replied, now)

    def _astray(self, unit: Unit, kept: KeptMail, mail: Mail, astray: Astray, now: datetime) -> Judged:
        """Help: for a seat always, for a stranger at most once a thread and day."""
        settling = Settling("answered", f"help: {astray.why}", mail.words, mail.resend)
        to = self._to(kept, mail)
        if astray.why == "stranger" and not self._may_answer(unit, to, now):
            quiet = Settling("discarded", "a stranger had an answer already today", mail.words, mail.resend)
            return Judged(quiet)
        context = {"mail": mail, "astray": astray, "why": astray.why}
        only = astray.seats[0] if len(astray.seats) == 1 else None
        letter = self._speaker.answer(
            "help", to, now, context, only.match if only else None, only.seat if only else None
        )
        return Judged(settling, (letter,))

    def _may_answer(self, unit: Unit, to: Answering, now: datetime) -> bool:
        since = now - _DAY
        in_thread = unit.answers_since(to.address, to.thread, since)
        return not in_thread and unit.answers_since(to.address, None, since) < self._policy.strangers_a_day

    # --- an answer of a seat -----------------------------------------------------------------------------------

    def _submitted(
        self,
        unit: Unit,
        kept: KeptMail,
        mail: Mail,
        at: Route,
        replied: OutgoingLetter | None,
        now: datetime,
        *,
        take_back: bool = False,
    ) -> Judged | None:
        if kept.cut:
            return self._too_large(kept, mail, at, now)
        command = do.Withdraw(at.seat) if take_back or self._takes_back(mail, at) else None
        decision = self._decided(unit, kept, mail, at, replied, now, command)
        if isinstance(decision.verdict, Waiting):
            return None
        previewing = mail.tag.preview
        if decision.entries and not previewing:
            cause = f"mail {kept.identity} {kept.arrived.isoformat()}"
            self._registry.record(unit, at.match, decision, cause, now)
        match = at.match if previewing else decision.match
        letter = self._verdict_letter(kept, mail, Route(match, at.seat), decision.verdict, now, previewing)
        verdict = "answered" if previewing else _COUNTED[type(decision.verdict)]
        reason = "preview" if previewing else _reason(decision.verdict)
        settling = Settling(verdict, reason, mail.words, mail.resend, at.match.name, at.seat)  # type: ignore[arg-type]
        demand = getattr(decision.verdict, "demand", None)
        return Judged(settling, (letter,), decision.verdict, demand.kind if demand else None)

    def _decided(
        self,
        unit: Unit,
        kept: KeptMail,
        mail: Mail,
        at: Route,
        replied: OutgoingLetter | None,
        now: datetime,
        command: Any,
    ) -> Decision:
        game = self._registry.book.game(at.match)

        def history() -> Any:
            return unit.history(at.match.name)

        if command is not None:
            return decide(game, at.match, command, now, self._keys, history)
        lines = self._orders(mail, at, replied)
        kind = mail.tag.kind or self._asked_kind(at, game)
        submit = do.Submit(at.seat, kind, lines, kept.arrived, mail.tag.stated)
        return decide(game, at.match, submit, now, self._keys, history)

    @staticmethod
    def _asked_kind(at: Route, game: AnyGame) -> str:
        """A reply under a subject we cannot read: it answers what the seat owes."""
        mine = [d.kind for _, d in owed(at.match, game) if d.seat == at.seat] if at.match.inner else []
        return mine[0] if mine else next(iter(game.headings.values()))

    def _orders(self, mail: Mail, at: Route, replied: OutgoingLetter | None) -> tuple[Line, ...]:
        """The sender's own words; or, where they hold no order, our quoted form if he changed it."""
        if self._registry.has_orders(at, mail):
            return mail.own
        return self._registry.quoted_form(mail, replied) or mail.own

    @staticmethod
    def _takes_back(mail: Mail, at: Route) -> bool:
        """`Withdraw` alone on a line, and a sealed answer to take back."""
        says = any(line.text.strip(" .!*_-").casefold() == "withdraw" for line in mail.own)
        sealed = any(a.demand.seat == at.seat for r in at.match.rounds if r.sealed for a in r.answered)
        return says and sealed

    def _too_large(self, kept: KeptMail, mail: Mail, at: Route, now: datetime) -> Judged:
        context = {"mail": mail, "size": kept.size, "largest": self._policy.largest}
        letter = self._speaker.answer("too_large", self._to(kept, mail), now, context, at.match, at.seat)
        reason = f"too large: {kept.size} bytes"
        return Judged(Settling("refused", reason, mail.words, mail.resend, at.match.name, at.seat), (letter,))

    def _verdict_letter(
        self, kept: KeptMail, mail: Mail, at: Route, verdict: Verdict, now: datetime, preview: bool
    ) -> Letter:
        context: dict[str, Any] = {"mail": mail, "verdict": verdict, "arrived": kept.arrived}
        context.update(self._next(at, verdict))
        kind = _LETTERS[type(verdict)]
        if preview:
            context["outcome"] = kind
            kind = "preview"
        return self._speaker.answer(kind, self._to(kept, mail), now, context, at.match, at.seat)

    def _next(self, at: Route, verdict: Verdict) -> dict[str, Any]:
        """What the seat owes now, with its form; in a refusal the form is the answer with its faults mended."""
        empty = {"round": None, "demand": None, "due_at": None, "form": "", "send_to": "", "send_as": ""}
        if at.match.inner is None or at.match.status == "ended":
            return empty
        game = self._registry.book.game(at.match)
        mine = [(r, d) for r, d in owed(at.match, game) if d.seat == at.seat]
        if not isinstance(verdict, Refused):
            return {**empty, **(self._speaker.owing(at.match, *mine[0]) if mine else {})}
        demand = verdict.demand
        if demand is not None and demand not in [d for _, d in mine]:
            if demand in game.open_to(at.match.inner, at.seat):
                form = self._speaker.form(at.match, demand, verdict.draft)
                return {**empty, "demand": demand, "form": form, "send_to": self._offices.collector,
                        "send_as": self._speaker.order_subject(at.match, demand)}  # fmt: skip
            demand = None
        if not mine:
            return empty
        r, owing = next(((r, d) for r, d in mine if d == demand), mine[0])
        facts = self._speaker.owing(at.match, r, owing)
        if owing == verdict.demand:
            facts["form"] = self._speaker.form(at.match, owing, verdict.draft)
        return {**empty, **facts}

    @staticmethod
    def _to(kept: KeptMail, mail: Mail) -> Answering:
        return Answering(
            mail.sender or "", mail.sender_name, mail.subject, mail.message_id, mail.references,
            f"{kept.identity} {kept.arrived.isoformat()}",
        )  # fmt: skip


_COUNTED = {Accepted: "accepted", Withdrawn: "accepted", Refused: "refused", Ignored: "ignored"}
_LETTERS = {Accepted: "receipt", Withdrawn: "receipt", Refused: "refusal", Ignored: "ignored"}


def _reason(verdict: Verdict) -> str:
    """The verdict in a few words, for the moderator."""
    match verdict:
        case Accepted(label, demand):
            return f"{demand.kind} of seat {demand.seat}{f' in {label}' if label else ''}"
        case Refused(demand, complaints):
            return ", ".join(c.code for c in complaints)
        case Ignored(label, demand):
            return f"seat {demand.seat} had answered {label}"
        case Withdrawn(label, demand):
            return f"seat {demand.seat} took back its answer to {label}"
    return type(verdict).__name__
