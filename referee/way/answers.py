"""A seat's answer by mail: judged by its match, written down, and answered with every reason; and
a word of consent (OK, Yes, a number, the sign that a reaction is), which sends what the letter
that it answers has offered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.core.answers import Body, Form, GivesUpSeat
from referee.core.complaint import Complaint, Line, gathered
from referee.core.seam import headings
from referee.language.wishes import WHOLE
from referee.letters.letter import NO_REPLY, Letter, PendingNews, decoded
from referee.letters.speaker import NOTHING_OWED
from referee.letters.verdicts import demand_of
from referee.mail.mail import ARMOUR, Mail
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Accepted, Refused, Verdict, Waiting
from referee.match.decide import Decision
from referee.match.events import Answered
from referee.match.match import RoundName
from referee.match.meanings import Meaning, discards, judged, meanings_of, understood, withdrawals
from referee.store.inbox import DRAFT, Disposition
from referee.store.outbox import LetterStore
from referee.way import questions, replies
from referee.way.case import Case, Settled, needs_confirmation
from referee.way.limits import WORDS, excess, spent
from referee.way.requests.request import carry_out, tell_done
from referee.way.requests.seats import mail_address
from referee.way.requests.telling import tell_wishes
from referee.way.routing import Route

# A later one of these has taken an offer's place.
VERDICTS: Final = ("refusal", "receipt", "ignored", "preview")
_ASKING: Final = ("due", "reminder")
_SIGNED: Final = 8  # lines that a signature has at most


def consented(case: Case) -> tuple[str, tuple[Line, ...]] | Refused:
    """The kind and the lines of the form that a letter offered whole, which OK sends as if the mail held it (contract,
    'Mail in'), or of the one of several that a number picks; or why nothing is sent."""
    at, replied, offered, number = case.place, case.replied, case.meant.offers, case.number
    why = ""
    if replied is None or (replied.match, replied.seat) != (at.match.name, at.seat):
        why = "elsewhere"
    elif not offered and at.seat in at.match.drafts:
        why = "asked" if at.match.drafts[at.seat].asked is not None else "draft"
    elif not offered:
        why = "left" if replied.kind == "refusal" else "elsewhere"
    elif (number is None and len(offered) > 1) or (number or 1) > len(offered) or number == 0:
        why = "which"
    if not why:
        chosen, newest = offered[(number or 1) - 1], _newest_form(case.unit, at)
        if newest is None or chosen not in newest.reply.offers:
            why = "superseded"
        elif not while_open(at, chosen.rounds):
            why = "over"
        else:
            return chosen.heading, Body.of(chosen.form).lines
    return _unsent(case, Complaint("ok_sends_nothing", "house", None, {"why": why}))


def while_open(at: Route, rounds: tuple[RoundName, ...]) -> bool:
    """Whether these rounds of the seat's match are still those that are open."""
    return {RoundName(r.label, r.opened) for r in at.match.rounds}.issuperset(rounds)


def _unsent(case: Case, why: Complaint) -> Refused:
    """An OK that can't count: why, and the form of the newest refusal once more, while its round lasts; a form of
    which nothing was left to its sender OK may send from there."""
    at = case.place
    newest, standing = _newest_form(case.unit, at), at.match.standing
    reply = newest.reply if newest is not None and newest.kind == "refusal" else NO_REPLY
    if standing is None or not (reply.form and reply.rounds and while_open(at, reply.rounds)):
        return Refused(None, (why,))
    kinds = [offered.heading for offered in reply.offers]
    kinds += [d.kind for _, d in at.match.due if d.seat == at.seat]
    if not kinds:
        return Refused(None, (why,))
    demand, reading = understood(at.match, at.seat, kinds[0], Body.of(reply.form))
    left = gathered((*reading.complaints, *standing.faults(demand, reading)))
    form = Form(reply.form)
    return Refused(demand, (why,), (), form, blank=False, unmended=left, mendable=bool(reply.offers))


def _newest_form(unit: LetterStore, at: Route) -> Letter | None:
    """The letter that has shown the seat a form last, or has taken the place of one: the last verdict on its orders, or
    one that asks for an answer with the seat's draft in it."""
    name, seat = at.match.name, at.seat
    newest = unit.newest_letter(name, seat, (*VERDICTS, *_ASKING))
    if newest is not None and newest.kind in _ASKING and not decoded(newest).reply.offers:
        newest = unit.newest_letter(name, seat, VERDICTS)
    return None if newest is None else decoded(newest)


def holds_more(mail: Mail) -> bool:
    """Whether it holds what may be a letter of ours: quoted, below the mark of a signature, or attached."""
    others = (part for part in mail.left_out if part.what != ARMOUR)
    return bool(mail.quoted) or any(p.lines > _SIGNED or p.what.startswith("attach") for p in others)


_GONE_BY = frozenset(("round_is_over", "round_set_back", "before_its_round"))
_COUNTED_AS = {"lines": "lines", "tokens": "words, numbers and signs", "orders": "orders"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a match would make of an answer, taken for one of that `kind`; nothing is written down."""

    decision: Decision
    kind: str
    lines: tuple[Line, ...] = ()


def answered(case: Case) -> Settled | None:
    """The verdict, if its sender proves enough for an order; who would give up his seat is asked, unless his mail
    proves more than an address. None where the mail must wait for the referee's own answer."""
    at, tag, order = case.place, case.mail.tag, case.order
    if needs_confirmation(case):
        # a mail that does nothing but ask is answered on whatever evidence: that goes to its seat's own address
        asks = case.mail.wishes.asks and case.known and not (case.order or case.form)
        if asks and (case.mail.wishes.only or not case.orders(case.mail.own)):
            return _no_order(case, ())
        return _at_fault(case) or replies.asked(case, at, at.seat)
    # a match that has not begun has no game yet that could judge who leaves it
    kind = (order.kind if order else None) or tag.kind
    filling = at.match.status == "filling" and not tag.preview
    if filling and kind is not None and kind == headings(case.game).get("Resign"):
        if needs_confirmation(case, "resign"):
            return replies.asked(case, at, 0, leaving=True)
        carry_out(case, at.match, ev.EntrantLeft(at.seat))
        return tell_done(case, "stepped_back", accepted=f"left {at.match.name}", at=at)
    found = judgement(case)
    if isinstance(found, Judgement):
        said = (e.event for e in found.decision.entries if isinstance(e.event, Answered))
        own = (case.game.actions_codec.kind_of(a.action) for a in said if a.demand.seat == at.seat)
        leaves = not case.previewing and any(issubclass(kind, GivesUpSeat) for kind in own)
        if leaves and needs_confirmation(case, "resign"):
            return replies.asked(case, at, 0, leaving=True)
        found = _counted(case, found)
        wishing = tell_wishes(case, at, ordered=True) if case.mail.wishes else ()
        found = replace(found, letters=(*found.letters, *wishing))
    return None if found is None else replace(found, case=case)


def _at_fault(case: Case) -> Settled | None:
    """What is wrong with an answer by its form or by what all may know, told to its seat's own address
    before anybody is asked whose it is. None where it may count."""
    found = judgement(case) if case.known and not case.proof.refuted else None
    if not isinstance(found, Judgement) or not isinstance(found.decision.verdict, Refused):
        return None
    late = "seen_too_late" in {c.code for c in found.decision.verdict.named}
    return None if late else replace(_counted(case, found), case=case)


# --- judged -------------------------------------------------------------------------------------------------------


def judgement(case: Case) -> Judgement | Settled | None:
    """What the match makes of the mail's orders; settled already where they are not read, None where the mail must
    wait for the referee's own answer."""
    at, mail, order = case.place, case.mail, case.order
    if case.kept.cut:
        size, largest = case.kept.size, case.room.settings.mailbox.largest
        context: dict[str, object] = {"size": size, "largest": largest}
        return _unread(case, at, "too_large", f"too large: {size} bytes", context)
    if (asked := _unordered(case)) is not None:
        return asked
    kind, lines = (order.kind if order else None) or case.kind, order.lines if order else None
    if order is None and at.match.status == "open" and not case.form and (mail.agrees or case.number):
        taken = consented(case)
        if isinstance(taken, Refused):
            return Judgement(Decision(at.match, (), taken), taken.demand.kind if taken.demand else "")
        kind, lines = taken
    if lines is None:
        lines = mail.own if not case.form or case.orders(mail.own) else case.form
    if lines is not mail.own and (refused := too_much(case, lines)) is not None:
        return refused
    decision = _decided(case, kind, lines)
    if (asked := _of_another_time(case, decision, kind, lines)) is not None:
        return asked
    return None if isinstance(decision.verdict, Waiting) else Judgement(decision, kind, lines)


def _unordered(case: Case) -> Settled | None:
    """A few lines about a mail that answers or holds a letter of ours and orders nothing, or two things: one in its
    own words and one in the form inside the quote. None of any other: what it says is judged."""
    at, said = case.place, case.mail
    if at.match.inner is None or (case.order is not None and not case.order.preview):
        return None
    if said.wishes.only and case.order is None and not case.form:
        return _no_order(case, ())
    ordered = case.orders(said.own)
    own, form = (case.read(said.own), case.read(case.form)) if ordered and case.form else (None, None)
    twice = (
        own and form and own[0] == form[0] and own[1].action is not None and own[1].action == form[1].action
    )
    if ordered and case.form and not twice:
        letter = case.room.letters.undecided("which_order", case.heard, at, case.form)
        return case.settled("answered", "an order beside a form changed inside the quote", letter, at=at)
    if case.doubt:
        return _asked_about(case, case.doubt, case.why if len(case.doubt) == 1 else "")
    if ordered or case.form:
        return None
    # a word takes an answer or a draft back; a heading orders by itself where it is not our letter's come back, and,
    # above a quote, where something says which letter the mail answers
    body, headed = case.body(said.own), said.tag.kind is not None and not case.repeats
    headed = headed and not (case.replied is None and holds_more(said))
    taken = withdrawals(body) or (discards(body) and at.seat in at.match.drafts)
    if taken or (headed and case.read(said.own)[1].action is not None):
        return None
    # a reaction to a letter that shows no form of the seat's own words says nothing
    shows = case.replied.kind in ("refusal", "preview") if case.replied else not holds_more(said)
    if (said.agrees or case.number) and (case.meant.offers or (shows and said.agrees != "reaction")):
        return None
    talk = case.read(said.own)[1].talk
    fresh = not case.replied and not holds_more(said) and said.tag.kind is not None
    return None if fresh and not (said.wishes or talk) else _no_order(case, talk)


def _no_order(case: Case, talk: Sequence[Line]) -> Settled:
    """Words that order nothing: what they wish of the desk is answered, else a few lines, and to a person what is for
    one."""
    at, write, asks = case.place, case.room.letters.no_order, case.mail.wishes.asks
    wishing, (passed, letters) = tell_wishes(case, at), questions.beside(case, at, talk)
    if wishing:
        more = passed in questions.DEALT_WITH and not case.mail.wishes.wants
        told = write(case.heard, at, talk, passed if more else "")
        told = told.counted(topic=questions.TOPIC) if letters and more else told
        beside = (told, *(letters if more else ())) if more or not WHOLE.issuperset(asks) else ()
        return case.settled("answered", "wishes of the desk", *wishing, *beside, at=at)
    letter = write(case.heard, at, talk, passed)
    if passed == "offered":
        kind = letter.kind if asks else "preview"  # what is answered asks for nothing more
        letter = replace(letter, kind=kind, reply=replace(letter.reply, asks="words"))
    if letters:
        letter = letter.counted(topic=questions.TOPIC)
    return case.settled("answered", "words that order nothing", letter, *letters, at=at)


def _asked_about(case: Case, found: Sequence[Meaning], why: str = "", told: str = "") -> Settled:
    """What the words may mean is shown, and nothing recorded."""
    letter = case.room.letters.asking(case.heard, case.place, found, why, told)
    wishing = tell_wishes(case, case.place, ordered=True)
    return case.settled("answered", "asked what is meant", letter, *wishing, at=case.place)


def _of_another_time(case: Case, decision: Decision, kind: str, lines: tuple[Line, ...]) -> Settled | None:
    """A good answer to what is owed now, in a mail that answers the letter of an earlier round, or was written
    before this one began: it is asked about. A Date from before there was a match is but a wrong clock's."""
    at, verdict, written, told = case.place, decision.verdict, case.mail.written, case.rounds_answered
    if isinstance(verdict, Refused):
        gone_by = {c.code for c in verdict.named} <= _GONE_BY
    else:
        fresh = not told and case.replied is None and isinstance(verdict, Accepted) and written is not None
        begun = [r.begun.replace(microsecond=0) for r in at.match.rounds]
        gone_by = fresh and any(at.match.opened_at <= (written or case.now) < each for each in begun)
        gone_by = gone_by and not case.mail.tag.preview
    found = meanings_of(at.match, at.seat, kind, case.body(lines)) if gone_by else ()
    rounds = [r for meaning in found if (r := at.match.round_of(meaning.demand)) is not None]
    if not rounds or len(rounds) < len(found):
        return None
    if isinstance(verdict, Accepted) and not (written and written < rounds[0].begun.replace(microsecond=0)):
        return None
    whole = tuple(filter(None, (judged(at.match, meaning) for meaning in found)))
    why = "earlier" if told else "before"
    return _asked_about(case, whole, why, ", ".join(n.label for n in told)) if whole else None


def _decided(case: Case, kind: str, lines: tuple[Line, ...]) -> Decision:
    at, mail, order, about = case.place, case.mail, case.order, case.rounds_answered
    arrived, seat = case.kept.arrived, at.seat
    command: do.Submit | do.Withdraw
    if order is not None and order.take_back:
        command = do.Withdraw(seat, arrived, about, order.draft)
    elif (taken := _taken_back(case)) is not None:
        command = do.Withdraw(seat, arrived, about, draft=taken == "draft")
    else:
        most = case.room.settings.limits.searches_a_day
        stated = mail.tag.stated if mail.tag.kind is not None else {}
        proved = case.proof.proved
        command = do.Submit(seat, kind, case.body(lines), arrived, stated, about, case.since, most, proved)
    return case.room.decisions.decide(case.unit, at.match, command, case.now)


def _taken_back(case: Case) -> str | None:
    """What a word alone on a line takes back, with no order beside it: `Withdraw` an answer, and a draft where it takes
    nothing else back; another word a draft ("draft")."""
    at, own = case.place, case.mail.own
    body = case.body(own)
    words = withdrawals(body)
    if words and not case.orders(own, tuple(line for line in own if line not in words)):
        return "answer"
    if at.seat not in at.match.drafts:
        return None
    dropping = discards(body) or (words if case.says() is None else ())
    rest = tuple(line for line in own if line not in dropping)
    return "draft" if dropping and not case.orders(own, rest) else None


# --- written down, and answered -----------------------------------------------------------------------------------


def _counted(case: Case, found: Judgement) -> Settled:
    """The answer, recorded unless it is a preview, and the letters about it."""
    at, decision, verdict, previewing = case.place, found.decision, found.decision.verdict, case.previewing
    public = any(entry.public for entry in decision.entries)
    # All others are told of an answer that nobody waited for, a comment, an offer: one may send it again and again.
    unasked = not previewing and isinstance(verdict, Accepted) and not verdict.label and public
    if unasked and (enough := spent(case, WORDS)) is not None:
        return enough
    heard, untold = case.heard, PendingNews()
    if not previewing:
        # what others get hangs on nothing of the mail: it may hold more than they may know
        cause = f"mail at {at.match.position}" if public else f"mail {heard.identity}"
        answering = (at.seat, heard.address)
        record = case.room.decisions.record
        untold = record(case.unit, at.match, decision, case.now, cause, answering=answering)
    after = Route(at.match if previewing else decision.match, at.seat)
    form = "\n".join(line.text for line in found.lines)
    letter = case.room.letters.letter(
        heard, at.match, after, decision, found.kind, form, previewing=previewing, untold=untold
    )
    if unasked:  # beside what counts, and never at its cost: as words to the others
        letter = letter.counted(quota=case.quota, topic=WORDS)
    disposition, reason = _settling(verdict, previewing=previewing)
    more = () if previewing else _further_letters(case, found)
    demand = demand_of(verdict)
    settled = case.settled(disposition, reason, letter, *more, at=at)
    return replace(settled, verdict=verdict, demand=demand.kind if demand else None)


def _further_letters(case: Case, found: Judgement) -> list[Letter]:
    """Of an answer that counts and states an address of its sender's which is not registered: whether it shall be
    (604.B.i). Of one that came in time and was seen only after the ruling: to the moderator, who alone can set the
    match back."""
    at, verdict = case.place, found.decision.verdict
    if isinstance(verdict, Accepted):
        reading = understood(at.match, at.seat, found.kind, case.body(found.lines))[1]
        stated = [address for address in reading.addresses if mail_address(address) == address][:1]
        return [case.room.letters.further_address(case.heard, at, address) for address in stated]
    if not isinstance(verdict, Refused) or "seen_too_late" not in {c.code for c in verdict.named}:
        return []
    name, kept = at.match.name, case.kept
    demand = f"{verdict.demand.kind} of Player {at.seat}" if verdict.demand else f"Player {at.seat}"
    subject = case.room.speaker.subject(at.match, "a mail arrived in time and was seen too late")
    key = kept.arrived.isoformat()
    return [case.alarm("missed", subject, str(kept.id), key, mail=kept, about=name, reason=demand)]


def _settling(verdict: Verdict, *, previewing: bool) -> tuple[Disposition, str]:
    """How a mail with that verdict is settled, and the verdict in a few words for the moderator."""
    if previewing:
        return "answered", "preview"
    match verdict:
        case Refused():
            return "refused", ", ".join(c.code for c in verdict.named)
        case Accepted(label, demand):
            return "accepted", f"{demand.kind} of seat {demand.seat}{f' in {label}' if label else ''}"
        case do.Withdrawn(label, demand):
            return "accepted", f"seat {demand.seat} took back its answer to {label}"
        case do.Ignored(label, demand):
            return "ignored", f"seat {demand.seat} had answered {label}"
        case do.Kept(demand):
            return "answered", f"{DRAFT}: {demand.kind} of seat {demand.seat}"
        case do.Discarded(demand):
            return "answered", f"a draft of seat {demand.seat} is dropped"
        case do.Asked(demand):
            return "answered", f"asked what it means: {demand.kind} of seat {demand.seat}"
    raise AssertionError(f"no answer to a mail: {verdict}")


# --- not read -----------------------------------------------------------------------------------------------------


def too_much(case: Case, lines: Sequence[Line] | None = None) -> Settled | None:
    """Of more than is read, in the lines or in all of its own words: refused by these counts alone, and nothing of it
    is judged. A mail above the size limit has an answer of its own."""
    words = case.mail.own if lines is None else lines
    found = [] if case.kept.cut else excess(words, case.room.settings.limits)
    if not found:
        return None
    said = [f"{counted:,} {_COUNTED_AS[what]}; I read at most {most:,}" for what, counted, most in found]
    owing = case.room.letters.asked(case.at) if case.at else NOTHING_OWED
    reason = ", ".join(f"{counted} {what} ({most} are read)" for what, counted, most in found)
    context = {**owing, "heard": case.heard, "too_much": said}
    return _unread(case, case.at, "too_much", f"too much: {reason}", context)


def _unread(case: Case, at: Route | None, template: str, reason: str, context: dict[str, object]) -> Settled:
    demand = case.room.letters.asked(at)["demand"] if at else None
    letter = case.written(template, context, at, demand=demand)
    return case.settled("refused", reason, letter, at=at)
