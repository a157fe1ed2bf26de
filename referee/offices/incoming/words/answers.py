"""A seat's answer by mail: judged by its match, written down, and answered with every reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.core.answers import Body, Form, GivesUpSeat
from referee.core.complaint import Complaint, Line, gathered
from referee.core.replacing import replace
from referee.match import commands as do
from referee.match.commands import (
    Accepted,
    Asked,
    Discarded,
    Ignored,
    Kept,
    Refused,
    Verdict,
    Waiting,
    Withdrawn,
)
from referee.match.decide import Decision
from referee.match.events import Answered
from referee.match.match import RoundName
from referee.match.meanings import Meaning, discards, judged, meaning_of, meanings_of, understood, withdrawals
from referee.offices.decisions import Decisions
from referee.offices.incoming.case import Case, Order, Settled
from referee.offices.incoming.measures import WORDS, Allowances, Excess, excess, in_words
from referee.offices.incoming.moderators.questions import TOPIC, Questions
from referee.offices.incoming.requests.wishes import absence_spans, mail_address
from referee.offices.incoming.routing import Route, picked
from referee.offices.incoming.words.lines import (
    Taken,
    answers_form,
    asked_kind,
    consented,
    consents,
    holds_more,
    newest_form,
    order_in,
    orders_by_itself,
    rounds_answered,
    says_twice,
    talk_in,
)
from referee.offices.outgoing.alarms import to_moderator
from referee.offices.outgoing.letters import NO_REPLY, Letter, StillToTell, decoded
from referee.offices.outgoing.replies import answer
from referee.offices.outgoing.speaker import NOTHING_OWED, Speaker
from referee.offices.outgoing.verdicts import Heard, VerdictLetters, demand_of
from referee.offices.register.matches import Matches
from referee.offices.settings import Settings
from referee.store.inbox import DRAFT, Disposition

_GONE_BY = frozenset(("round_is_over", "round_set_back", "before_its_round"))
_COUNTED_AS = {"lines": "lines", "tokens": "words, numbers and signs", "orders": "orders"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a match would make of an answer, taken for one of that `kind`; nothing is written down. `leaves`: it would
    give up the seat."""

    decision: Decision
    kind: str
    lines: tuple[Line, ...]
    previewing: bool
    leaves: bool


@dataclass(frozen=True, slots=True)
class Answers:
    """Takes orders to their match."""

    matches: Matches
    decisions: Decisions
    speaker: Speaker
    letters: VerdictLetters
    allowances: Allowances
    questions: Questions
    settings: Settings

    # --- judged --------------------------------------------------------------------------------------------------

    def judged(self, case: Case, at: Route, order: Order | None = None) -> Judgement | Settled | None:
        """What the match makes of the mail's orders; settled already where they are not read, None where the mail must
        wait for the referee's own answer."""
        if case.kept.cut:
            return self._too_large(case, at)
        if (asked := self._unordered(case, at, order)) is not None:
            return asked
        said = self._said(case, at, order)
        if isinstance(said, Complaint):
            lines = tuple[Line, ...]()
            unsent = self._unsent(case, at, said)
            kind = unsent.demand.kind if unsent.demand else ""
            decision = Decision(at.match, (), unsent)
        else:
            kind, lines = said
            if lines is not case.mail.own and (too_much := excess(lines, self.settings.limits)):
                return self.too_much(case, too_much, at)
            decision = self._decided(case, at, order, kind, lines)
            if (asked := self._of_another_time(case, at, decision, kind, lines)) is not None:
                return asked
        if isinstance(decision.verdict, Waiting):
            return None
        previewing = case.mail.tag.preview or (order is not None and order.preview)
        return Judgement(decision, kind, lines, previewing, not previewing and self._leaves(at, decision))

    def _said(self, case: Case, at: Route, order: Order | None) -> Taken | Complaint:
        """The kind of answer that the mail is taken for, and its lines; or why it can't be taken for one."""
        mail, game = case.mail, self.matches.game(at.match)
        kind = (order.kind if order else None) or asked_kind(game, at, case)
        if order is not None and order.lines is not None:
            return kind, order.lines
        number = picked(mail, case.replied)
        if order is None and (consents(mail) or number) and at.match.status == "open" and not case.form:
            return consented(case.unit, at, case.replied, number)
        own = mail.own if order_in(game, at, case, mail.own) else case.form or mail.own
        return kind, own

    @staticmethod
    def _unsent(case: Case, at: Route, why: Complaint) -> Refused:
        """An OK that can't count: why, and the form of the newest refusal once more, while its round lasts; a form of
        which nothing was left to its sender OK may send from there."""
        newest, standing = newest_form(case.unit, at), at.match.standing
        reply = decoded(newest).reply if newest is not None and newest.kind == "refusal" else NO_REPLY
        current = {RoundName(r.label, r.opened) for r in at.match.rounds}
        if standing is None or not (reply.form and reply.rounds and current.issuperset(reply.rounds)):
            return Refused(None, (why,))
        kinds = [offered.heading for offered in reply.offers]
        kinds += [d.kind for _, d in at.match.due if d.seat == at.seat]
        if not kinds:
            return Refused(None, (why,))
        demand, reading = understood(at.match, at.seat, kinds[0], Body.of(reply.form))
        left = gathered((*reading.complaints, *standing.faults(demand, reading)))
        form = Form(reply.form)
        return Refused(demand, (why,), (), form, blank=False, unmended=left, mendable=bool(reply.offers))

    def _unordered(self, case: Case, at: Route, order: Order | None) -> Settled | None:
        """A few lines about a mail that answers or holds a letter of ours and orders nothing, or two things: one in its
        own words and one in the form inside the quote. None of any other: what it says is judged."""
        if at.match.inner is None or (order is not None and not order.preview):
            return None
        game, said = self.matches.game(at.match), case.mail
        ordered = order_in(game, at, case, said.own)
        if ordered and case.form and not says_twice(game, at, case):
            return self._undecided(case, at, "which_order", "an order beside a form changed inside the quote")
        if case.doubt:
            return self._asked_about(case, at, case.doubt, case.why if len(case.doubt) == 1 else "")
        if (consents(said) or picked(said, case.replied)) and answers_form(said, case.replied):
            return None
        if ordered or case.form or orders_by_itself(game, at, case):
            return None
        fresh = not case.replied and not holds_more(said) and said.tag.kind is not None
        if fresh and not (said.asks or talk_in(game, at, case)):
            return None
        return self._no_order(case, at, talk_in(game, at, case))

    def _no_order(self, case: Case, at: Route, talk: Sequence[Line]) -> Settled:
        """Words that order nothing: a few lines, and to a person what is for one. Days on which he is away are noted
        once he has said OK to them."""
        zone = at.match.entrant(at.seat).zone or self.settings.referee.timezone
        away = absence_spans(case.mail.gist.away, zone, case.now)
        if len(away) == 1:
            span, days = next(iter(away.items()))
            letter = self.letters.no_order(
                heard(case), at, talk, away=span, days=f"{days.first}..{days.last}"
            )
            return case.settled(
                "answered", "an absence to be confirmed", letter, match=at.match.name, seat=at.seat
            )
        passed, letters = self.questions.beside(case, at, talk)
        letter = self.letters.no_order(heard(case), at, talk, passed)
        if passed == "offered" and not letter.reply.offers:
            kind = letter.kind if case.mail.asks else "preview"  # what is answered asks for nothing more
            letter = replace(letter, kind=kind, reply=replace(letter.reply, asks="words"))
        if letters:
            letter = letter.counted(topic=TOPIC)
        reason = "words that order nothing"
        return case.settled("answered", reason, letter, *letters, match=at.match.name, seat=at.seat)

    def _undecided(self, case: Case, at: Route, template: str, reason: str) -> Settled:
        """Answered with a few lines; nothing is refused, and nothing recorded."""
        letter = self.letters.undecided(template, heard(case), at, case.form)
        return case.settled("answered", reason, letter, match=at.match.name, seat=at.seat)

    def _asked_about(
        self, case: Case, at: Route, found: Sequence[Meaning], why: str = "", told: str = ""
    ) -> Settled:
        """What the words may mean is shown, and nothing recorded."""
        letter = self.letters.asking(heard(case), at, found, why, told)
        return case.settled("answered", "asked what is meant", letter, match=at.match.name, seat=at.seat)

    def _of_another_time(
        self, case: Case, at: Route, decision: Decision, kind: str, lines: tuple[Line, ...]
    ) -> Settled | None:
        """A good answer to what is owed now, in a mail that answers the letter of an earlier round, or was written
        before this one began: it is asked about. A Date from before there was a match is but a wrong clock's."""
        verdict, written, told = decision.verdict, case.mail.written, rounds_answered(at, case.replied)
        if isinstance(verdict, Refused):
            gone_by = {c.code for c in verdict.named} <= _GONE_BY
        else:
            gone_by = (
                not told and case.replied is None and isinstance(verdict, Accepted) and written is not None
            )
            gone_by = gone_by and not case.mail.tag.preview and at.match.opened_at <= (written or case.now)
        found = meanings_of(at.match, at.seat, kind, case.body(lines)) if gone_by else ()
        rounds = [r for meaning in found if (r := at.match.round_of(meaning.demand)) is not None]
        if not rounds or len(rounds) < len(found):
            return None
        if isinstance(verdict, Accepted) and not (
            written and written < rounds[0].begun.replace(microsecond=0)
        ):
            return None
        whole = tuple(filter(None, (judged(at.match, meaning) for meaning in found)))
        why = "earlier" if told else "before"
        return self._asked_about(case, at, whole, why, ", ".join(n.label for n in told)) if whole else None

    def _decided(
        self, case: Case, at: Route, order: Order | None, kind: str, lines: tuple[Line, ...]
    ) -> Decision:
        mail, arrived, about = case.mail, case.kept.arrived, rounds_answered(at, case.replied)
        command: do.Submit | do.Withdraw
        if order is not None and order.take_back:
            command = do.Withdraw(at.seat, arrived, about, order.draft)
        elif self._takes_back(case, at):
            command = do.Withdraw(at.seat, arrived, about)
        elif self._discards(case, at):
            command = do.Withdraw(at.seat, arrived, about, draft=True)
        else:
            most = self.settings.limits.searches_a_day
            body = case.body(lines)
            stated = mail.tag.stated if mail.tag.kind is not None else {}
            command = do.Submit(at.seat, kind, body, arrived, stated, about, case.since, most)
        return self.decisions.decide(case.unit, at.match, command, case.now)

    def _takes_back(self, case: Case, at: Route) -> bool:
        """`Withdraw` alone on a line and no order beside it."""
        words = withdrawals(case.body(case.mail.own))
        rest = tuple(line for line in case.mail.own if line not in words)
        if len(rest) == len(case.mail.own):
            return False
        return not order_in(self.matches.game(at.match), at, case, case.mail.own, rest)

    def _discards(self, case: Case, at: Route) -> bool:
        """A word that drops a draft alone on a line, and no order beside it. `Withdraw` says it too, where that takes
        nothing else back."""
        if at.seat not in at.match.drafts:
            return False
        game, body = self.matches.game(at.match), case.body(case.mail.own)
        words = discards(body)
        if not words and meaning_of(at.match, at.seat, asked_kind(game, at, case), body) is None:
            words = withdrawals(body)
        rest = tuple(line for line in case.mail.own if line not in words)
        return bool(words) and not order_in(game, at, case, case.mail.own, rest)

    def _leaves(self, at: Route, decision: Decision) -> bool:
        """Whether what would count gives up the seat."""
        game = self.matches.game(at.match)
        said = (e.event for e in decision.entries if isinstance(e.event, Answered))
        kinds = (game.actions_codec.kind_of(a.action) for a in said if a.demand.seat == at.seat)
        return any(issubclass(kind, GivesUpSeat) for kind in kinds)

    # --- written down, and answered ------------------------------------------------------------------------------

    def counted(self, case: Case, at: Route, judged: Judgement) -> Settled:
        """The answer, recorded unless it is a preview, and the letters about it."""
        decision, previewing = judged.decision, judged.previewing
        told = not previewing and _told_unasked(decision)
        if told and (spent := self.allowances.spent(case, WORDS)) is not None:
            return spent
        mail, untold = heard(case), StillToTell()
        if not previewing:
            answering, cause = (at.seat, mail.to.address), _cause(case, at, decision)
            untold = self.decisions.record(
                case.unit, at.match, decision, case.now, cause, answering=answering
            )
        after = Route(at.match if previewing else decision.match, at.seat)
        letters = [
            self.letters.letter(
                mail,
                at.match,
                after,
                decision,
                judged.kind,
                "\n".join(line.text for line in judged.lines),
                previewing=previewing,
                untold=untold,
            )
        ]
        if told:  # beside what counts, and never at its cost: as words to the others
            letters = [letter.counted(quota=case.quota, topic=WORDS) for letter in letters]
        if not previewing:
            letters += self._missed(case, at, decision.verdict)
            letters += self._of_addresses(case, at, judged)
        disposition, reason = _settling(decision.verdict)
        if previewing:
            disposition, reason = "answered", "preview"
        settled = case.settled(disposition, reason, *letters, match=at.match.name, seat=at.seat)
        demand = demand_of(decision.verdict)
        return replace(settled, verdict=decision.verdict, demand=demand.kind if demand else None)

    def _of_addresses(self, case: Case, at: Route, judged: Judgement) -> list[Letter]:
        """Of an answer that counts and states an address of its sender's which is not registered: whether it shall
        be (604.B.i)."""
        if not isinstance(judged.decision.verdict, Accepted):
            return []
        reading = understood(at.match, at.seat, judged.kind, case.body(judged.lines))[1]
        asked = [address for address in reading.addresses if mail_address(address) == address][:1]
        return [self.letters.further_address(heard(case), at, address) for address in asked]

    def _missed(self, case: Case, at: Route, verdict: Verdict) -> list[Letter]:
        """In time, and seen only after the ruling: the moderator is told, who alone can set the match back."""
        if not isinstance(verdict, Refused) or "seen_too_late" not in {c.code for c in verdict.named}:
            return []
        demand = f"{verdict.demand.kind} of Player {at.seat}" if verdict.demand else f"Player {at.seat}"
        alarm = to_moderator(
            self.speaker,
            "missed",
            f"{at.match.name}: a mail arrived in time and was seen too late",
            ("missed", str(case.kept.id), case.kept.arrived.isoformat()),
            case.now,
            reason=demand,
            mail=case.kept,
            about=at.match.name,
        )
        return [alarm]

    # --- not read ------------------------------------------------------------------------------------------------

    def too_much(self, case: Case, found: Sequence[Excess], at: Route | None = None) -> Settled:
        """More than one mail may hold: nothing of it is judged."""
        said = [f"{one.counted:,} {_COUNTED_AS[one.what]}; I read at most {one.most:,}" for one in found]
        owing = self.letters.asked(at) if at else NOTHING_OWED
        context = {**owing, "heard": heard(case), "too_much": said}
        return self._unread(case, at, "too_much", f"too much: {in_words(found)}", context)

    def _too_large(self, case: Case, at: Route) -> Settled:
        size = case.kept.size
        context: dict[str, object] = {"size": size, "largest": self.settings.mailbox.largest}
        return self._unread(case, at, "too_large", f"too large: {size} bytes", context)

    def _unread(
        self, case: Case, at: Route | None, template: str, reason: str, context: dict[str, object]
    ) -> Settled:
        match, seat = (at.match, at.seat) if at else (None, None)
        demand = self.letters.asked(at)["demand"] if at else None
        letter = answer(self.speaker, template, case.answering, context, match, seat, demand=demand)
        return case.settled("refused", reason, letter, match=match.name if match else None, seat=seat)


def heard(case: Case) -> Heard:
    """The mail, for the letter that answers it."""
    return Heard(case.mail, case.kept.arrived, case.answering, case.passed_over)


def _cause(case: Case, at: Route, decision: Decision) -> str:
    """What tells the stimulus from all others in the ids of its letters. What others get hangs on nothing of the mail:
    it may hold more than they may know."""
    public = any(entry.public for entry in decision.entries)
    return f"mail at {at.match.position}" if public else f"mail {case.key}"


def _told_unasked(decision: Decision) -> bool:
    """Whether all others are told of an answer that nobody waited for: a comment, an offer. One may send it again and
    again."""
    said = decision.verdict
    return isinstance(said, Accepted) and not said.label and any(e.public for e in decision.entries)


def _settling(verdict: Verdict) -> tuple[Disposition, str]:
    """How a mail with that verdict is settled, and the verdict in a few words for the moderator."""
    match verdict:
        case Accepted(label, demand):
            return "accepted", f"{demand.kind} of seat {demand.seat}{f' in {label}' if label else ''}"
        case Withdrawn(label, demand):
            return "accepted", f"seat {demand.seat} took back its answer to {label}"
        case Ignored(label, demand):
            return "ignored", f"seat {demand.seat} had answered {label}"
        case Kept(demand):
            return "answered", f"{DRAFT}: {demand.kind} of seat {demand.seat}"
        case Discarded(demand):
            return "answered", f"a draft of seat {demand.seat} is dropped"
        case Asked(demand):
            return "answered", f"asked what it means: {demand.kind} of seat {demand.seat}"
        case Refused():
            return "refused", ", ".join(c.code for c in verdict.named)
    raise AssertionError(f"no answer to a mail: {verdict}")
