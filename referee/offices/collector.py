"""The collector: one kept mail in; its verdict, its effect and its answer out. Called inside a transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from referee.core.complaint import Line
from referee.core.game import Demand
from referee.match import commands as do
from referee.match import events as ev
from referee.match.decide import Decision, decide
from referee.match.match import AnyGame, owed, unanswered
from referee.match.sealing import Keys
from referee.match.verdicts import Accepted, Ignored, Refused, Verdict, Waiting, Withdrawn
from referee.offices import commands
from referee.offices.blanking import without_phrases
from referee.offices.bounces import Bounces
from referee.offices.challenges import Challenges
from referee.offices.keeping import KeptMail, OutgoingLetter, Settling, Unit
from referee.offices.letters import Letter
from referee.offices.mail import Mail, Reader, Signatures
from referee.offices.people import People
from referee.offices.registry import Registry
from referee.offices.routing import Astray, Route, answered_letter, route
from referee.offices.senders import Senders, Standing
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


@dataclass(frozen=True, slots=True)
class _Case:
    """A mail under judgement: what it is, who sent it, and the letter of ours it answers."""

    unit: Unit
    kept: KeptMail
    mail: Mail
    standing: Standing
    replied: OutgoingLetter | None
    now: datetime


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
        signatures: Signatures | None = None,
    ) -> None:
        self._senders = Senders(registry.book, keys, policy.trust, signatures)
        self._challenges = Challenges(registry, speaker, policy.trust, offices)
        self._bounces = Bounces(speaker, registry.forwarding)
        self._commands = commands.Commands(
            registry, speaker, games, offices, policy, self._senders, signatures
        )
        self._reader = reader
        self._registry = registry
        self._speaker = speaker
        self._keys = keys
        self._offices = offices
        self._policy = policy

    def judge(self, unit: Unit, kept: KeptMail, now: datetime) -> Judged | None:
        """The verdict, or None where the mail must wait for the referee's own answer."""
        mail = self._reader.read(kept.raw, cut=kept.cut, proof=kept.proof)
        judged = self._judged(unit, kept, mail, now)
        if judged is not None and mail.phrases and judged.settling.verdict != "held":
            unit.blank(kept.id, without_phrases(mail))
        return judged

    def _judged(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Judged | None:
        if (early := self._triaged(unit, kept, mail, now)) is not None:
            return early
        People(unit).heard_of(mail.sender or "", kept.arrived)
        if (answered := self._challenges.answered(unit, kept, mail, now)) is not None:
            return Judged(*answered)
        passed = kept.released or kept.confirmed
        if any(m.id != kept.id for m in unit.resends(mail.resend)) and not passed:
            return self._resent(unit, kept, mail, now)
        judged = self._routed(unit, kept, mail, now)
        if judged is None:
            return None
        return self._calmed(unit, kept, mail, judged, now)

    def evidence(self, unit: Unit, kept: KeptMail, mail: Mail) -> str:
        """On what evidence the sender is who he says, in words."""
        return self._senders.standing(unit, kept, mail).evidence

    # --- before anyone looks for orders ------------------------------------------------------------------------

    def _triaged(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Judged | None:
        if mail.disposition == "bounce":
            return Judged(*self._bounces.judged(unit, kept, mail, now))
        if mail.disposition == "discard":
            return Judged(Settling("discarded", mail.reason))
        if mail.disposition == "hold" and not kept.released:
            return self._held(unit, kept, mail, mail.reason, now)
        if mail.sender is None:
            return self._held(unit, kept, mail, "its From line does not say for certain who sent it", now)
        return None

    def _held(
        self, unit: Unit, kept: KeptMail, mail: Mail, reason: str, now: datetime, at: Route | None = None
    ) -> Judged:
        found = unit.seats_of(mail.sender) if mail.sender else []
        match, seat = (at.match.name, at.seat) if at else found[0] if len(found) == 1 else (None, None)
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

    def _calmed(self, unit: Unit, kept: KeptMail, mail: Mail, judged: Judged, now: datetime) -> Judged:
        """The same words a third time within a day, never once accepted: held, so that no loop goes on."""
        if judged.settling.verdict in ("accepted", "held") or not self._thrice(unit, kept, mail):
            return judged
        s = judged.settling
        at = (s.match, s.seat) if s.match and s.seat else None
        return self._stilled(unit, kept, mail, now, at)

    def _stilled(
        self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime, at: tuple[str, int] | None = None
    ) -> Judged:
        """Held as a loop: the moderator is told once a day, the sender nothing."""
        held = self._held(unit, kept, mail, "the same words for the third time within a day", now)
        if at:
            held = replace(held, settling=replace(held.settling, match=at[0], seat=at[1]))
        told = unit.same_words(mail.words, kept.arrived - _DAY)
        return replace(held, letters=()) if any(m.verdict == "held" for m in told) else held

    @staticmethod
    def _thrice(unit: Unit, kept: KeptMail, mail: Mail) -> bool:
        if kept.released or kept.confirmed:
            return False
        before = unit.same_words(mail.words, kept.arrived - _DAY)
        answered = [m for m in before if m.id != kept.id and m.verdict in ("refused", "ignored", "answered")]
        return len(answered) >= 2

    # --- the way to a seat -------------------------------------------------------------------------------------

    def _routed(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Judged | None:
        """A command or an answer, of a seat or a stranger."""
        standing = self._senders.standing(unit, kept, mail)
        known = standing.registered or standing.owned
        if standing.denied and not known:
            return Judged(
                Settling("discarded", f"forged, it seems: {mail.evidence[1]}", mail.words, mail.resend)
            )
        mail = _with_doubts(mail, standing)
        case = _Case(unit, kept, mail, standing, answered_letter(unit, mail), now)
        if mail.tag.command is not None and mail.tag.kind is None:
            return self._commanded(case, mail.tag.command)
        found = route(standing.seats, mail, case.replied) if standing.seats else Astray("stranger")
        if isinstance(found, Route) and mail.tag.kind is None and not self._understood(case, found):
            found = Astray("unknown_heading" if mail.tag.game else "nothing_asked", (found,))
        if isinstance(found, Astray):
            return self._astray(case, found if known else Astray("stranger"))
        if not (mail.tag.preview and standing.registered):
            weight = self._senders.weigh(standing, mail, "order")
            if weight != "enough":
                return self._challenged(case, found, found.seat)
        return self._submitted(case, found)

    @staticmethod
    def _understood(case: _Case, found: Route) -> bool:
        """Whether a subject without a heading still tells what it is about: a reply to a letter, or a bare Preview."""
        tag = case.mail.tag
        bare = tag.preview and tag.heading.casefold() in ("", found.match.name.casefold())
        return tag.game is None and (case.replied is not None or bare)

    def _commanded(self, case: _Case, command: str) -> Judged | None:
        """A command: of a seat as far as it is proved, of a stranger as far as it is open to all."""
        standing, mail = case.standing, case.mail
        known = standing.registered or standing.owned
        touches = command not in commands.TELLING
        if self._thrice(case.unit, case.kept, mail):
            return self._stilled(case.unit, case.kept, mail, case.now)
        if not known:
            if standing.seats and touches and command not in commands.OPEN_TO_ALL:
                return self._challenged(case, standing.seats[0], 0)
            if not self._may_answer(case.unit, self._to(case.kept, mail), case.now):
                return self._quiet(mail)
            if command not in commands.OPEN_TO_ALL:
                return self._astray(case, Astray("stranger"))
            if (asked := self._wished(case, command)) is not None:
                return asked
        elif touches and standing.seats and self._senders.weigh(standing, mail, command) != "enough":
            return self._challenged(case, standing.seats[0], 0)
        seats = standing.seats if known else ()
        done = self._commands.obey(self._asked(case, seats))
        if isinstance(done, commands.Order):
            return self._submitted(case, done.route, done)
        verdict, reason, letters = done
        return Judged(Settling(verdict, reason, mail.words, mail.resend), letters)

    def _wished(self, case: _Case, command: str) -> Judged | None:
        """A stranger's wish for letters of a match: held until the address itself has confirmed it, so that nobody
        can wish them for somebody else. None where nothing need be asked."""
        match = self._commands.named(self._asked(case, ()))
        if command != "observe" or match is None:
            return None
        if not self._senders.asks_stranger(case.standing, case.kept, command):
            return None
        letter = self._challenges.wish(match, self._to(case.kept, case.mail), case.kept, case.now)
        reason = f"its sender is asked whether he wishes to observe {match.name}"
        return Judged(Settling("held", reason, case.mail.words, case.mail.resend), (letter,))

    def _asked(self, case: _Case, seats: tuple[Route, ...]) -> commands.Asked:
        return commands.Asked(case.unit, case.mail, self._answering(case), seats, case.replied, case.now)

    def _challenged(self, case: _Case, at: Route, seat: int) -> Judged:
        """Weak evidence: held, and its owner is asked. `seat` 0 where no deadline need wait for it."""
        letter = self._challenges.letter(case.unit, case.kept, case.mail, case.standing, at, case.now)
        if letter is None:
            reason = f"too many doubtful mails for seat {at.seat} of {at.match.name} today"
            return self._held(case.unit, case.kept, case.mail, reason, case.now, Route(at.match, seat))
        reason = f"its owner is asked whether it is his ({case.standing.evidence})"
        match = at.match.name if seat else None
        return Judged(Settling("held", reason, case.mail.words, case.mail.resend, match, seat), (letter,))

    def _astray(self, case: _Case, astray: Astray) -> Judged:
        """Help: for a seat always, for a stranger at most once a thread and day."""
        mail, to = case.mail, self._answering(case)
        settling = Settling("answered", f"help: {astray.why}", mail.words, mail.resend)
        if astray.why == "stranger":
            if not self._may_answer(case.unit, to, case.now):
                return self._quiet(mail)
            to = replace(to, name="")
        context = {"mail": mail, "astray": astray, "why": astray.why}
        only = astray.seats[0] if len(astray.seats) == 1 else None
        letter = self._speaker.answer(
            "help", to, case.now, context, only.match if only else None, only.seat if only else None
        )
        return Judged(settling, (letter,))

    @staticmethod
    def _quiet(mail: Mail) -> Judged:
        return Judged(
            Settling("discarded", "strangers have had their answers for today", mail.words, mail.resend)
        )

    def _may_answer(self, unit: Unit, to: Answering, now: datetime) -> bool:
        since = now - _DAY
        if unit.answers_since(to.address, to.thread, since):
            return False
        if unit.answers_since(to.address, None, since) >= self._policy.strangers_a_day:
            return False
        return unit.answers_to_strangers(since) < self._policy.strangers_in_all

    # --- an answer of a seat -----------------------------------------------------------------------------------

    def _submitted(self, case: _Case, at: Route, order: commands.Order | None = None) -> Judged | None:
        kept, mail = case.kept, case.mail
        if kept.cut:
            return self._too_large(case, at)
        decision = self._decided(case, at, order)
        if isinstance(decision.verdict, Waiting):
            return None
        previewing = mail.tag.preview or (order is not None and order.preview)
        if decision.entries and not previewing:
            cause = f"mail {kept.identity} {kept.arrived.isoformat()}"
            self._registry.record(case.unit, at.match, decision, cause, case.now)
        match = at.match if previewing else decision.match
        letters = [self._verdict_letter(case, Route(match, at.seat), decision, previewing=previewing)]
        if not previewing:
            letters += self._missed(case, at, decision.verdict)
        verdict = "answered" if previewing else _COUNTED[type(decision.verdict)]
        reason = "preview" if previewing else _reason(decision.verdict)
        settling = Settling(verdict, reason, mail.words, mail.resend, at.match.name, at.seat)  # type: ignore[arg-type]
        demand = getattr(decision.verdict, "demand", None)
        return Judged(settling, tuple(letters), decision.verdict, demand.kind if demand else None)

    def _decided(self, case: _Case, at: Route, order: commands.Order | None) -> Decision:
        game, mail = self._registry.book.game(at.match), case.mail

        def history() -> Any:
            return case.unit.history(at.match.name)

        if (order is not None and order.take_back) or self._takes_back(mail, at):
            return decide(game, at.match, do.Withdraw(at.seat), case.now, self._keys, history)
        lines = order.lines if order and order.lines is not None else self._orders(mail, at, case.replied)
        kind = (order.kind if order else None) or mail.tag.kind or self._asked_kind(at, game)
        submit = do.Submit(at.seat, kind, lines, case.kept.arrived, mail.tag.stated)
        return decide(game, at.match, submit, case.now, self._keys, history)

    def _missed(self, case: _Case, at: Route, verdict: Verdict) -> list[Letter]:
        """In time, and seen only after the ruling: the moderator is told, who alone can set the match back."""
        if not isinstance(verdict, Refused) or "seen_too_late" not in {c.code for c in verdict.complaints}:
            return []
        demand = f"{verdict.demand.kind} of Player {at.seat}" if verdict.demand else f"Player {at.seat}"
        context = {"topic": "missed", "reason": demand, "mail": case.kept, "about": at.match.name}
        key = ("missed", case.kept.identity, case.kept.arrived.isoformat())
        subject = f"{at.match.name}: a mail arrived in time and was seen too late"
        return [self._speaker.alarm(subject, key, case.now, context)]

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

    def _too_large(self, case: _Case, at: Route) -> Judged:
        kept, mail = case.kept, case.mail
        context = {"mail": mail, "size": kept.size, "largest": self._policy.largest}
        letter = self._speaker.answer(
            "too_large", self._answering(case), case.now, context, at.match, at.seat
        )
        reason = f"too large: {kept.size} bytes"
        return Judged(Settling("refused", reason, mail.words, mail.resend, at.match.name, at.seat), (letter,))

    def _verdict_letter(self, case: _Case, at: Route, decision: Decision, *, previewing: bool) -> Letter:
        verdict = decision.verdict
        context: dict[str, Any] = {"mail": case.mail, "verdict": verdict, "arrived": case.kept.arrived}
        context.update(self._next(at, verdict))
        context["entries"] = () if previewing else self._own_entries(at, decision)
        context["still"] = not previewing and self._still_owes(at, decision, context["demand"])
        kind = _LETTERS[type(verdict)]
        if previewing:
            context["outcome"] = kind
            kind = "preview"
        return self._speaker.answer(kind, self._answering(case), case.now, context, at.match, at.seat)

    def _own_entries(self, at: Route, decision: Decision) -> tuple[Any, ...]:
        """What happened that nobody but the seat may know."""
        game = self._registry.book.game(at.match)
        happened = [e for e in decision.entries if not e.public and isinstance(e.event, ev.Happened)]
        return tuple(
            e for e in happened
            if isinstance(e.event, ev.Happened)
            and game.secret_to(game.events_codec.decode(e.event.event)) == at.seat
        )  # fmt: skip

    def _still_owes(self, at: Route, decision: Decision, demand: Demand | None) -> bool:
        """Whether the seat owes the next answer in a round that stays open: no other letter asks for it."""
        if demand is None or not isinstance(decision.verdict, Accepted):
            return False
        fresh = {e.event.label for e in decision.entries if isinstance(e.event, ev.RoundOpened)}
        r = at.match.round_of(demand)
        game = self._registry.book.game(at.match)
        return r is not None and r.label not in fresh and demand in unanswered(at.match, game, r)

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

    def _answering(self, case: _Case) -> Answering:
        """To the sender; of a mail from elsewhere that a seat's owner has confirmed, to him."""
        to = self._to(case.kept, case.mail)
        standing = case.standing
        if not standing.seats or not (standing.registered or standing.owned):
            return to
        at = standing.seats[0]
        owner = at.match.entrant(at.seat)
        address = to.address if standing.registered else owner.addresses[0]
        return replace(to, address=address, name=owner.name, zone=owner.zone)

    @staticmethod
    def _to(kept: KeptMail, mail: Mail) -> Answering:
        return Answering(
            mail.sender or "", mail.sender_name, mail.subject, mail.message_id, mail.references,
            f"{kept.identity} {kept.arrived.isoformat()}",
        )  # fmt: skip


_COUNTED = {Accepted: "accepted", Withdrawn: "accepted", Refused: "refused", Ignored: "ignored"}
_LETTERS = {Accepted: "receipt", Withdrawn: "receipt", Refused: "refusal", Ignored: "ignored"}


def _with_doubts(mail: Mail, standing: Standing) -> Mail:
    """The mail, with what its answer must say of a signature that proves nothing."""
    if standing.signed is not False:
        return mail
    why = "it is not of your key, or not over all of these words, or has been sent before"
    return replace(mail, faults=(*mail.faults, f"its OpenPGP signature proves nothing ({why})"))


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
