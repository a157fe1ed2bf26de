"""A seat's answer by mail: judged by its match, written down, and answered with every reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from referee.core.answers import GivesUpSeat
from referee.core.complaint import Complaint, Line
from referee.match import commands as do
from referee.match.commands import Accepted, Ignored, Refused, Verdict, Waiting, Withdrawn
from referee.match.decide import Decision, decide
from referee.match.events import Answered
from referee.match.sealing import Keys
from referee.match.submit import says_withdraw
from referee.offices.incoming.allowances import WORDS
from referee.offices.incoming.cases import Case, Judged, Unproved
from referee.offices.incoming.commands.clerk import Order
from referee.offices.incoming.consent import Consented, consented, consents
from referee.offices.incoming.measures import Excess, excess, in_words
from referee.offices.incoming.routing import Route
from referee.offices.incoming.verdict_letters import VerdictLetters
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.store import Settling
from referee.offices.registry import Registry, rounds_answered
from referee.offices.settings import Settings


class Answers:
    """Takes orders to their match."""

    def __init__(
        self, registry: Registry, speaker: Speaker, letters: VerdictLetters, keys: Keys, settings: Settings
    ) -> None:
        self._registry = registry
        self._speaker = speaker
        self._letters = letters
        self._keys = keys
        self._settings = settings

    def submitted(
        self, case: Case, at: Route, order: Order | None = None, *, may_leave: bool
    ) -> Judged | Unproved | None:
        """The verdict on the mail's orders; None where it must wait for the referee's own answer. `may_leave`: whether
        it is sure enough who sent it to let him give up his seat."""
        kept, mail = case.kept, case.mail
        if kept.cut:
            return self._too_large(case, at)
        found = self._lines(case, at, order)
        if isinstance(found, Complaint):
            heading, decision = "", Decision(at.match, (), Refused(None, (found,)))
        else:
            heading, lines = found
            if too_much := excess(lines, self._settings.limits):
                return self.too_much(case, too_much, at)
            decision = self._decided(case, at, order, heading, lines)
        if isinstance(decision.verdict, Waiting):
            return None
        previewing = mail.tag.preview or (order is not None and order.preview)
        if not (previewing or may_leave) and self._leaves(at, decision):
            return Unproved()
        told = not previewing and _told_unasked(decision)
        if told and (spent := self._registry.allowances.spent(case, WORDS)) is not None:
            return spent
        if decision.entries and not previewing:
            cause = f"mail {kept.identity} {kept.arrived.isoformat()}"
            self._registry.record(case.unit, at.match, decision, cause, case.now)
        match = at.match if previewing else decision.match
        letters = [
            self._letters.letter(
                case, at.match, Route(match, at.seat), decision, heading, previewing=previewing
            )
        ]
        if told:  # beside what counts, and never at its cost: as words to the others
            letters = [replace(letter, purse=case.purse, topic=WORDS) for letter in letters]
        if not previewing:
            letters += self._missed(case, at, decision.verdict)
        verdict = "answered" if previewing else _COUNTED[type(decision.verdict)]
        reason = "preview" if previewing else _reason(decision.verdict)
        settling = Settling(verdict, reason, mail.words, mail.resend, at.match.name, at.seat)  # type: ignore[arg-type]
        demand = getattr(decision.verdict, "demand", None)
        return Judged(settling, tuple(letters), decision.verdict, demand.kind if demand else None)

    def _lines(self, case: Case, at: Route, order: Order | None) -> Consented | Complaint:
        """The kind of answer that the mail is taken for, and its lines; or why it can't be taken for one."""
        mail = case.mail
        kind = (order.kind if order else None) or self._registry.asked_kind(at, mail, case.replied)
        if order is not None and order.lines is not None:
            return kind, order.lines
        if order is None and consents(mail) and at.match.status == "open" and not self._quoted(case):
            return consented(case.unit, at, case.replied)
        return kind, self._orders(case, at)

    def _decided(
        self, case: Case, at: Route, order: Order | None, kind: str, lines: tuple[Line, ...]
    ) -> Decision:
        game, mail = self._registry.book.game(at.match), case.mail

        def history() -> Any:
            return case.unit.history(at.match.name)

        if (order is not None and order.take_back) or self._takes_back(case, at):
            take_back = do.Withdraw(at.seat, case.kept.arrived, rounds_answered(at, case.replied))
            return decide(game, at.match, take_back, case.now, self._keys, history)
        answered = rounds_answered(at, case.replied)
        submit = do.Submit(at.seat, kind, lines, case.kept.arrived, mail.tag.stated, answered, case.since)
        return decide(game, at.match, submit, case.now, self._keys, history)

    def _leaves(self, at: Route, decision: Decision) -> bool:
        """Whether what would count gives up the seat."""
        game = self._registry.book.game(at.match)
        said = (e.event for e in decision.entries if isinstance(e.event, Answered))
        actions = (game.actions_codec.decode(a.action) for a in said if a.demand.seat == at.seat)
        return any(isinstance(action, GivesUpSeat) for action in actions)

    def _missed(self, case: Case, at: Route, verdict: Verdict) -> list[Letter]:
        """In time, and seen only after the ruling: the moderator is told, who alone can set the match back."""
        if not isinstance(verdict, Refused) or "seen_too_late" not in {c.code for c in verdict.named}:
            return []
        demand = f"{verdict.demand.kind} of Player {at.seat}" if verdict.demand else f"Player {at.seat}"
        context = {"topic": "missed", "reason": demand, "mail": case.kept, "about": at.match.name}
        key = ("missed", case.kept.identity, case.kept.arrived.isoformat())
        subject = f"{at.match.name}: a mail arrived in time and was seen too late"
        return [self._speaker.alarm(subject, key, case.now, context)]

    def _orders(self, case: Case, at: Route) -> tuple[Line, ...]:
        """The sender's own words; or, where they hold no order, our quoted form if he changed it."""
        if self._registry.has_orders(at, case.mail, case.replied):
            return case.mail.own
        return self._quoted(case) or case.mail.own

    def _quoted(self, case: Case) -> tuple[Line, ...]:
        return self._registry.quoted_form(case.mail, case.replied)

    def _takes_back(self, case: Case, at: Route) -> bool:
        """`Withdraw` alone on a line and no order beside it, and a sealed answer to take back."""
        rest = tuple(line for line in case.mail.own if not says_withdraw(line))
        sealed = any(a.demand.seat == at.seat for r in at.match.rounds if r.sealed for a in r.answered)
        if not sealed or len(rest) == len(case.mail.own):
            return False
        return not self._registry.has_orders(at, replace(case.mail, own=rest), case.replied)

    def too_much(self, case: Case, found: Sequence[Excess], at: Route | None = None) -> Judged:
        """More than one mail may hold: nothing of it is judged."""
        mail = case.mail
        said = [f"{one.counted:,} {_COUNTED_AS[one.what]}; I read at most {one.most:,}" for one in found]
        match, seat = (at.match, at.seat) if at else (None, None)
        context = {"mail": mail, "too_much": said, **(self._letters.asked(at) if at else {})}
        letter = self._speaker.answer("too_much", case.answering, case.now, context, match, seat)
        reason, name = f"too much: {in_words(found)}", match.name if match else None
        return Judged(Settling("refused", reason, mail.words, mail.resend, name, seat), (letter,))

    def _too_large(self, case: Case, at: Route) -> Judged:
        kept, mail = case.kept, case.mail
        context = {"mail": mail, "size": kept.size, "largest": self._settings.mailbox.largest}
        letter = self._speaker.answer("too_large", case.answering, case.now, context, at.match, at.seat)
        reason = f"too large: {kept.size} bytes"
        return Judged(Settling("refused", reason, mail.words, mail.resend, at.match.name, at.seat), (letter,))


_COUNTED_AS = {"lines": "lines", "tokens": "words, numbers and signs", "orders": "orders"}
_COUNTED = {Accepted: "accepted", Withdrawn: "accepted", Refused: "refused", Ignored: "ignored"}


def _told_unasked(decision: Decision) -> bool:
    """Whether all others are told of an answer that nobody waited for: a comment, an offer. One may send it again and
    again."""
    said = decision.verdict
    return isinstance(said, Accepted) and not said.label and any(e.public for e in decision.entries)


def _reason(verdict: Verdict) -> str:
    """The verdict in a few words, for the moderator."""
    match verdict:
        case Accepted(label, demand):
            return f"{demand.kind} of seat {demand.seat}{f' in {label}' if label else ''}"
        case Refused():
            return ", ".join(c.code for c in verdict.named)
        case Ignored(label, demand):
            return f"seat {demand.seat} had answered {label}"
        case Withdrawn(label, demand):
            return f"seat {demand.seat} took back its answer to {label}"
    return type(verdict).__name__
