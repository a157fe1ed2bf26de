"""A mail that is for a seat: which one, what of its words counts there, and what they are taken for; judged by its
match, written down, and answered with every reason. Words decide, headings help (contract, 'Mail in'): where they fit
one answer that the seat may give now, the mail is that answer, under whatever subject; where they leave a doubt, they
are asked about before anything counts. A reply to a refusal that says a part of the answer is laid over the form of
that refusal, which its sender has before him: nothing of the form is lost by it. A word of consent (OK, Yes, a number,
the sign that a reaction is) sends what the letter that it answers has offered."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeGuard

from referee.core.answers import Body, Form, GivesUpSeat
from referee.core.seam import gives_up_seat, headings
from referee.core.value import Complaint, Line, gathered
from referee.language.interpret import beyond_courtesy
from referee.language.sentences import MOST_LINES, words_of
from referee.language.wishes import WHOLE, Wishes, asked_of, classes_of, points_to_subject, wishes
from referee.language.words import NO, called, words_of_all
from referee.letters.amending import exchanged, laid_over
from referee.letters.letter import ADDRESS, COMMANDS, NO_REPLY, Letter, Meant, Offered, PendingNews, decoded
from referee.letters.speaker import NOTHING_OWED
from referee.letters.verdicts import Route, demand_of
from referee.mail.mail import ARMOUR, Mail
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Accepted, Refused, Verdict, Waiting
from referee.match.decide import Decision
from referee.match.events import Answered
from referee.match.match import RoundName
from referee.match.meanings import Meaning, discards, judged, meanings_of, offhand, understood, withdrawals
from referee.store.post import DRAFT, Disposition, LetterStore
from referee.way import replies
from referee.way.case import Case, SeatOrder, Settled
from referee.way.limits import WORDS, excess, spent
from referee.way.quotes import PASTED, SHORTEST, Beside, ignored_parts, split_quotes, words_alone
from referee.way.requests import helped, mail_address, tell_wishes
from referee.way.routing import Unrouted, picked_match, seat_meant

# --- the seat -----------------------------------------------------------------------------------------------------


def routed(case: Case) -> Case | Settled:
    """The case with the seat that it is for; help where there is none, or more than one."""
    if case.at is not None:
        return _of_another_game(case, case.at) or case
    # the answer that it picks of a letter which asked for which match it was, while the round lasts that it is for
    offered = picked_match(case.mail, case.meant.offers) if case.meant.offers else None
    at = None if offered is None else case.seat_at(offered.match, offered.seat)
    if offered is not None and at is not None and while_open(at, offered.rounds):
        return replace(case, at=at, order=SeatOrder(offered.heading, Body.of(offered.form).lines))
    found = seat_meant(case.proof.seats, case.mail, case.letter)
    if isinstance(found, Route):
        return _of_another_game(case, found) or replace(case, at=found)
    return _by_words(case, found) or _helped(case, found)


def _of_another_game(case: Case, at: Route) -> Settled | None:
    """Asked for which match a mail is whose words name another game that its sender plays, and fit there too."""
    games, played = case.room.games, at.match.game
    others = [one for one in case.proof.seats if one.match.game != played and one.match.game in games]
    words = {w for line in case.mail.own[:MOST_LINES] for w in words_of(line.text)} if others else set()
    beyond = words - words_of_all(played).things
    named = (one for one in others if beyond & called(one.match.game, games[one.match.game].titles))
    seats = (at, *named)
    unrouted = Unrouted("which_match", seats)
    found = _by_words(replace(case, at=None), unrouted, surely=False) if seats[1:] else None
    return found if isinstance(found, Settled) else None


def _by_words(case: Case, unrouted: Unrouted, *, surely: bool = True) -> Case | Settled | None:
    """The case with the seat of the one match in which the sender's words fit what he owes, for sure or at all;
    where they fit in several, `surely` in one or not, or the subject names another seat or match, it is asked. Of a
    match that can't be read nobody knows what fits there; a heading of a game that he doesn't play says nothing."""
    asks = unrouted.why in ("which_match", "no_seat")
    readable = asks and case.known and all(at.match.known for at in unrouted.seats)
    if not readable or case.kept.cut or case.mail.tag.preview or too_much(case) is not None:
        return None
    if unrouted.why == "no_seat":
        tag = replace(case.mail.tag, game=None, kind=None, heading="", stated={})
        case = replace(case, mail=replace(case.mail, tag=tag))
    fitting, sure, meant = list[Route](), list[Route](), list[tuple[Route, Meaning]]()
    for at in _playing(unrouted.seats):
        there = replace(case, at=at)
        said = meanings_of(at.match, at.seat, there.kind, there.body(case.mail.own))
        if not any(at.match.round_of(meaning.demand) for meaning in said):
            continue
        fitting.append(at)
        sure += [at] if there.says() is not None else []
        if len(said) == 1 and (whole := judged(at.match, said[0])) is not None:
            meant.append((at, whole))
    if not meant:
        return None
    if surely and len(sure) == 1 and (one := [(at, whole) for at, whole in meant if at is sure[0]]):
        fitting, meant = sure, one
    if len(fitting) == 1:
        (at,), tag = fitting, case.mail.tag
        others = {seat.match.name.casefold() for seat in case.proof.seats} - {at.match.name.casefold()}
        elsewhere = not others.isdisjoint(bracket.casefold() for bracket in tag.brackets)
        if not elsewhere and tag.stated.get("seat") in (None, at.seat):
            return replace(case, at=at)
    letter = case.room.letters.which_match(case.answering, meant)
    return case.settled("answered", "asked for which match", letter)


def _playing(seats: Sequence[Route]) -> Iterator[Route]:
    """Those in matches that go on."""
    return (at for at in seats if at.match.inner is not None and at.match.status == "open")


def _helped(case: Case, unrouted: Unrouted) -> Settled:
    """Help; and of a player's words that order nothing, nor stand under a heading, what is for a person."""
    seats = [at for at in unrouted.seats if at.match.known]
    ordered = (replace(case, at=at).orders(case.mail.own) for at in _playing(seats))
    if not (case.known and seats) or case.mail.tag.kind is not None or any(ordered):
        return helped(case, unrouted)
    wishing, (passed, letters) = tell_wishes(case), replies.beside(case, seats[0], ())
    if wishing and (case.mail.wishes.wants or passed not in replies.DEALT_WITH):
        return case.settled("answered", "wishes of the desk", *wishing)
    settled = helped(case, unrouted, passed)
    told = settled.letters
    if passed == "offered":
        told = tuple(replace(x, reply=replace(x.reply, asks="words")) for x in told)
    if letters:
        told = (*(letter.counted(topic=replies.TOPIC) for letter in told), *letters)
    return replace(settled, letters=(*told, *wishing), match=seats[0].match.name, seat=seats[0].seat)


# --- its words ----------------------------------------------------------------------------------------------------


def in_own_words(case: Case) -> Case | Settled:
    """The case in its sender's own words: none of a letter of ours come back, and those of an
    attached form only where those beside it are no orders. Refused where it is more than is read:
    of that nothing is sorted out, unless only an attached form makes it too much."""
    match, mail = case.place.match, case.mail
    if case.kept.cut:
        return case
    refused = too_much(case)
    others = case.letter is not None or mail.quoted or mail.left_out or mail.attached is not None
    if refused is None and not (others or any(len(line.text) >= SHORTEST for line in mail.own)):
        return case  # nothing in it can be another's
    if refused is None or not excess(words_alone(case.mail).own, case.room.settings.limits):
        ours = Beside(case)
        case = split_quotes(case, ours)
        if (own := case.mail.own) != mail.own and mail.wishes:  # what is ours wishes for nothing
            heard = wishes(own, mail.subject, mail.hints.own)
            case = replace(case, mail=replace(case.mail, wishes=heard))
        refused = too_much(case) if refused is not None else None
        if refused is None and match.inner is not None:
            case = replace(case, passed_over=ignored_parts(case, ours)) if case.mail.left_out else case
    if refused is not None and case.needs_confirmation():
        return replies.asked(case, case.place, case.place.seat)
    return refused or case


def headed(case: Case) -> Case | Settled:
    """The case under a heading that its sender has written himself: one that gives up the seat is none where the
    subject only repeats that of an older letter. Help where nothing says what the mail is about: a reply to a letter of
    that match says it, or to any where the subject names no game, or a bare Preview."""
    at, tag, replied = case.place, case.mail.tag, case.letter
    if case.repeats and tag.kind and gives_up_seat(case.game, tag.kind):
        tag = replace(tag, kind=None)
        case = replace(case, mail=replace(case.mail, tag=tag))
    told = case.order is not None or case.doubt or tag.kind is not None
    if told or (not case.kept.cut and at.match.status == "open"):
        return case
    bare = tag.preview and tag.heading.casefold() in ("", at.match.name.casefold())
    if (replied is not None or bare) if tag.game is None else (replied and replied.match == at.match.name):
        return case
    why = Unrouted("unknown_heading" if tag.game is not None and not case.repeats else "nothing_asked", (at,))
    return _helped(case, why)


def weighed(case: Case) -> Case:
    """The case with what its words may mean; with an order where they mean one thing for sure."""
    match, mail, order = case.place.match, case.mail, case.order
    if case.kept.cut or match.inner is None or match.status != "open":
        return case
    # else what counts stands in a command, the form inside the quote, the letter that they agree to
    if (order and not order.preview) or case.form or mail.agrees or case.number is not None:
        return case
    if mail.tag.kind and not case.repeats and gives_up_seat(case.game, mail.tag.kind):
        return case
    said = case.says()
    if said is None and (told := _in_subject(case)) is not None:
        return replace(case, doubt=(told,), why="subject")
    tag = mail.tag
    of_another = tag.stated.get("seat", case.place.seat) != case.place.seat
    named = of_another and tag.kind is not None and case.letter is None and not tag.preview
    if said is not None and named and (told := _whole(case, said)) is not None:
        return replace(case, order=None, doubt=(told,), why="seat")
    if said is not None and not (said.demand.kind == case.kind and mail.tag.kind is not None):
        case = _ordered(case, said.demand.kind)  # of another kind than the heading's, it is said to be one
    # words that may be another's came with the sender's own: a letter pasted among them, a form attached
    others = (part.what.startswith(("attach", PASTED)) for part in mail.left_out)
    return case if mail.attached is not None or any(others) else _amended(case, said)


def _ordered(case: Case, kind: str, lines: tuple[Line, ...] | None = None) -> Case:
    preview = case.order is not None and case.order.preview
    return replace(case, order=SeatOrder(kind, lines, preview=preview))


def _in_subject(case: Case) -> Meaning | None:
    """The answer that stands in the subject of a mail without words: "Go: Move E6", or behind ours in a reply."""
    mail, tag = case.mail, case.mail.tag
    fresh = (case.letter is None and not (mail.quoted or mail.left_out)) or (case.repeats and tag.text)
    if not fresh or tag.preview or (tag.kind is not None and not case.repeats) or tag.command is not None:
        return None
    if beyond_courtesy(mail.own, mail.hints.own) and not points_to_subject(mail.own):
        return None
    kinds = headings(case.game)
    usual = next((heading for heading, named in kinds.items() if named == case.kind), "")
    text = tag.heading if tag.game is not None and not case.repeats else tag.text
    heading = next((name for name in kinds if text.casefold().startswith(f"{name} ".casefold())), "")
    line = f"{heading or usual}: {text[len(heading) :].strip() if heading else text}"
    return _whole(case, case.says(Body.of(line)))


def _whole(case: Case, said: Meaning | None) -> Meaning | None:
    """With its canonical lines; none where anything is wrong with it, or it gives up the seat."""
    gives_up = said is not None and isinstance(said.reading.action, GivesUpSeat)
    return None if gives_up else judged(case.place.match, said)


# --- a part of the answer, laid over the form of a refusal ----------------------------------------------------------


def _amended(case: Case, said: Meaning | None) -> Case:
    """The case with the refusal's form as its own words amend it; as it is where they amend nothing. Where they may be
    a whole answer as well, as which they were `said`, both are what it may mean."""
    refusal = _refusal_before_him(case)
    if refusal is None:
        return case
    at, body = case.place, case.body(case.mail.own)
    demand, form = case.read(case.mail.own)[0], tuple(refusal.reply.form.splitlines())
    laid, left = laid_over(form, body, at.match.game)
    alone = judged(at.match, said)
    answers = case.letter is not None and case.letter.head.message_id == refusal.head.message_id
    if not laid and alone is None and answers:
        # the only one of several forms with which nothing is wrong; where there are more, they are asked about
        ways = [Body.of("\n".join(lines)) for lines in exchanged(form, body)]
        tried = ((way.lines, judged(at.match, case.says(way))) for way in ways)
        fair = [(lines, whole) for lines, whole in tried if whole is not None]
        if len(fair) == 1:
            return _ordered(case, fair[0][1].demand.kind, fair[0][0])
        return replace(case, order=None, doubt=tuple(whole for _, whole in fair)) if fair else case
    if not laid or understood(at.match, at.seat, case.kind, Body(left))[1].orders_in(left):
        return case
    lines = Body.of("\n".join(laid)).lines
    if answers and alone is None:
        return _ordered(case, demand.kind, lines)
    if alone is not None and not answers:
        return case  # whole by itself, it counts, and only below the refusal it may be meant as a part
    whole = judged(at.match, case.says(Body(lines)))
    if whole is None or (alone is not None and whole.form == alone.form):
        return case
    return replace(case, order=None, doubt=(whole,) if alone is None else (alone, whole))


def _refusal_before_him(case: Case) -> Letter | None:
    """The refusal that is the last word about the seat's orders, and of this round; none where the
    mail answers an older one."""
    at, replied = case.place, case.letter
    newest = case.unit.newest_letter(at.match.name, at.seat, VERDICTS)
    if newest is None or newest.kind != "refusal":
        return None
    if replied is not None and replied.kind in VERDICTS and replied.head.message_id != newest.message_id:
        return None
    letter = decoded(newest)
    return letter if letter.reply.form and while_open(at, letter.reply.rounds) else None


# A later one of these has taken an offer's place.
VERDICTS: Final = ("refusal", "receipt", "ignored", "preview")
_ASKING: Final = ("due", "reminder")
_SIGNED: Final = 8  # lines that a signature has at most


def consented(case: Case) -> tuple[str, tuple[Line, ...]] | Refused:
    """The kind and the lines of the form that a letter offered whole, which OK sends as if the mail held it (contract,
    'Mail in'), or of the one of several that a number picks; or why nothing is sent."""
    at, replied, offered, number = case.place, case.letter, case.meant.offers, case.number
    why = ""
    if replied is None or (replied.match, replied.seat) != (at.match.name, at.seat):
        why = "elsewhere"
    elif not offered and at.seat in at.match.drafts:
        why = "asked" if at.match.drafts[at.seat].asked is not None else "draft"
    elif not offered:
        why = "left" if replied.kind == "refusal" else "elsewhere"
    elif (
        (number is None and (len(offered) > 1 or case.meant.asks == "number"))
        or (number or 1) > len(offered)
        or number == 0
    ):
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
    """An OK that can't count: why, and the form of the newest refusal once more, while its round
    lasts; a form of which nothing was left to its sender OK may send from there."""
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
    """The letter that has shown the seat a form last, or has taken the place of one: the last
    verdict on its orders, or one that asks for an answer with the seat's draft in it."""
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


class Judgement(NamedTuple):
    """What a match would make of an answer, taken for that `kind`; nothing is written."""

    decision: Decision
    kind: str
    lines: tuple[Line, ...] = ()


def answered(case: Case) -> Settled | None:
    """The verdict, if its sender proves enough for an order; who would give up his seat is asked, unless his mail
    proves more than an address. None where the mail must wait for the referee's own answer."""
    at, tag, order = case.place, case.mail.tag, case.order
    if case.needs_confirmation():
        # a mail that does nothing but ask is answered on whatever evidence: that goes to its seat's own address
        asks = case.mail.wishes.asks and case.known and not (case.order or case.form)
        if asks and (case.mail.wishes.only or not case.orders(case.mail.own)):
            return _no_order(case, ())
        return _at_fault(case) or replies.asked(case, at, at.seat)
    # a match that has not begun has no game yet that could judge who leaves it
    kind = (order.kind if order else None) or tag.kind
    filling = at.match.status == "filling" and not tag.preview
    if filling and kind is not None and kind == headings(case.game).get("Resign"):
        if case.needs_confirmation("resign"):
            return replies.asked(case, at, 0, leaving=True)
        case.carry_out(at.match, ev.EntrantLeft(at.seat))
        return case.done("stepped_back", accepted=f"left {at.match.name}", at=at)
    found = judgement(case)
    if isinstance(found, Judgement):
        said = (e.event for e in found.decision.entries if isinstance(e.event, Answered))
        own = (case.game.actions_codec.kind_of(a.action) for a in said if a.demand.seat == at.seat)
        leaves = not case.previewing and any(issubclass(kind, GivesUpSeat) for kind in own)
        if leaves and case.needs_confirmation("resign"):
            return replies.asked(case, at, 0, leaving=True)
        found = _counted(case, found)
        wishing = tell_wishes(case, at, ordered=True) if case.mail.wishes else ()
        found = replace(found, letters=(*found.letters, *wishing))
    return None if found is None else replace(found, case=case)


def _at_fault(case: Case) -> Settled | None:
    """What is wrong with an answer by its form or by what all may know, told to its seat's own
    address before anybody is asked whose it is. None where it may count."""
    found = judgement(case) if case.known and not case.proof.refuted else None
    if not isinstance(found, Judgement) or not isinstance(found.decision.verdict, Refused):
        return None
    return None if _too_late(found.decision.verdict) else replace(_counted(case, found), case=case)


def _too_late(verdict: Verdict) -> TypeGuard[Refused]:
    """Whether it came in time and was seen only after the ruling."""
    return isinstance(verdict, Refused) and "seen_too_late" in {c.code for c in verdict.named}


# --- judged -------------------------------------------------------------------------------------------------------


def judgement(case: Case) -> Judgement | Settled | None:
    """What the match makes of the mail's orders; settled already where they are not read, None
    where the mail must wait for the referee's own answer."""
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
    once = own and form and own[0] == form[0] and own[1].action == form[1].action is not None
    if ordered and case.form and not once:
        letter = case.room.letters.undecided(case.answering, at, case.form)
        return case.settled("answered", "an order beside a form changed inside the quote", letter, at=at)
    if case.doubt:
        return _asked_about(case, case.doubt, case.why if len(case.doubt) == 1 else "")
    if ordered or case.form:
        return None
    # a word takes an answer or a draft back; a heading orders by itself where it is not our
    # letter's come back, and, above a quote, where something says which letter the mail answers
    body, headed = case.body(said.own), said.tag.kind is not None and not case.repeats
    headed = headed and not (case.letter is None and holds_more(said))
    taken = withdrawals(body) or (discards(body) and at.seat in at.match.drafts)
    if taken or (headed and case.read(said.own)[1].action is not None):
        return None
    # a reaction to a letter that shows no form of the seat's own words says nothing
    shows = case.letter.kind in ("refusal", "preview") if case.letter else not holds_more(said)
    if (said.agrees or case.number) and (case.meant.offers or (shows and said.agrees != "reaction")):
        return None
    talk = case.read(said.own)[1].talk
    fresh = not case.letter and not holds_more(said) and said.tag.kind is not None
    if fresh and not (said.wishes or talk):
        return None
    return _offered_again(case) or _no_order(case, talk)


_OFFHAND: Final = 8  # words of a mail that may say an answer by words alone
_DENYING: Final = NO | {"drop"}


def _offered_again(case: Case) -> Settled | None:
    """What the letter that a mail answers has offered, once more, where its words may agree to that:
    they order nothing, ask nothing, deny nothing, and say more than courtesy."""
    mail, offers = case.mail, case.meant.offers
    if mail.wishes or len(offers) != 1 or offers[0].heading in COMMANDS:
        return None
    if not replies.says_something(mail) or _DENYING & classes_of(
        word for line in mail.own for word in words_of(line.text)
    ):
        return None
    offered = consented(case)
    if isinstance(offered, Refused):
        return None
    (kind, lines), at = offered, case.place
    demand, reading = understood(at.match, at.seat, kind, Body(lines))
    whole = judged(at.match, Meaning(demand, reading))
    return _asked_about(case, (whole,), "again") if whole is not None else None


def _no_order(case: Case, talk: Sequence[Line]) -> Settled:
    """Words that order nothing: what they wish of the desk is answered, else a few lines, and to a
    person what is for one."""
    at, write, topic = case.place, case.room.letters.no_order, ""
    if not case.mail.wishes and (state := at.match.inner) is not None:
        names = [name for answer in case.game.answers for name in answer.named(state)]
        people = [at.match.entrant(other).name for other in at.match.seating if other != at.seat]
        topic = asked_of(case.mail.own, at.match.game, (*names, *headings(case.game)), people)
    if topic == "turn" and talk:
        case = replace(case, mail=replace(case.mail, wishes=Wishes((topic,), (), frozenset((topic,)))))
    asks = case.mail.wishes.asks
    wishing, (passed, letters) = tell_wishes(case, at), replies.beside(case, at, talk)
    if wishing and (case.mail.wishes.wants or passed not in replies.DEALT_WITH):
        passed, letters = "", ()
    asking = case.mail.wishes.asked and not (wishing or case.mail.wishes.only)
    few = len([word for line in case.mail.own for word in words_of(line.text)]) <= _OFFHAND
    few = few and case.letter is not None and passed in replies.TOLD
    meant = offhand(at.match, at.seat) if few and not (asking or asks or topic) else ()
    letter = write(case.answering, at, talk, passed, asking=asking, offhand=meant)
    if passed == "offered":
        kind = letter.kind if asks or topic else "preview"  # what is answered asks for nothing more
        letter = replace(letter, kind=kind, reply=replace(letter.reply, asks="words"))
    if meant:  # an OK to such a letter only says that it was read, or is for the moderator
        reply = letter.reply if passed == "offered" else replace(letter.reply, asks="number")
        letter = replace(letter, kind="preview", reply=reply)
    if letters:
        letter = letter.counted(topic=replies.TOPIC)
    told = () if wishing and not passed and WHOLE.issuperset(asks) else (letter, *letters)
    reason = "wishes of the desk" if wishing else "words that order nothing"
    return case.settled("answered", reason, *wishing, *told, at=at)


def _asked_about(case: Case, found: Sequence[Meaning], why: str = "", told: str = "") -> Settled:
    """What the words may mean is shown, and nothing recorded."""
    letter = case.room.letters.asking(case.answering, case.place, found, why, told)
    wishing = tell_wishes(case, case.place, ordered=True)
    return case.settled("answered", "asked what is meant", letter, *wishing, at=case.place)


def _of_another_time(case: Case, decision: Decision, kind: str, lines: tuple[Line, ...]) -> Settled | None:
    """A good answer to what is owed now, in a mail that answers the letter of an earlier round, or was written
    before this one began: it is asked about. A Date from before there was a match is but a wrong clock's."""
    at, verdict, written, told = case.place, decision.verdict, case.mail.written, case.rounds_answered
    if isinstance(verdict, Refused):
        gone_by = {c.code for c in verdict.named} <= _GONE_BY
    else:
        fresh = not told and case.letter is None and isinstance(verdict, Accepted) and written is not None
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
    if taken := (order.takes if order is not None else "") or _taken_back(case):
        command = do.Withdraw(seat, arrived, about, draft=taken == "draft")
    else:
        most = case.room.settings.limits.searches_a_day
        stated = mail.tag.stated if mail.tag.kind is not None else {}
        proved = case.proof.proved
        command = do.Submit(seat, kind, case.body(lines), arrived, stated, about, case.since, most, proved)
    return case.room.decisions.decide(case.unit, at.match, command)


def _taken_back(case: Case) -> str:
    """What a word alone on a line takes back, with no order beside it: `Withdraw` an answer, and a
    draft where it takes nothing else back; another word a draft ("draft")."""
    at, own = case.place, case.mail.own
    body = case.body(own)
    words = withdrawals(body)
    if words and not case.orders(own, tuple(line for line in own if line not in words)):
        return "answer"
    if at.seat not in at.match.drafts:
        return ""
    dropping = discards(body) or (words if case.says() is None else ())
    rest = tuple(line for line in own if line not in dropping)
    return "draft" if dropping and not case.orders(own, rest) else ""


# --- written down, and answered -----------------------------------------------------------------------------------


def _counted(case: Case, found: Judgement) -> Settled:
    """The answer, recorded unless it is a preview, and the letters about it."""
    at, decision, verdict, previewing = case.place, found.decision, found.decision.verdict, case.previewing
    public, heard, untold = any(entry.public for entry in decision.entries), case.answering, PendingNews()
    # All others are told of an answer that nobody waited for, a comment, an offer: one may send it again and again.
    unasked = not previewing and isinstance(verdict, Accepted) and not verdict.label and public
    if unasked and (enough := spent(case, WORDS)) is not None:
        return enough
    if not previewing:
        # what others get hangs on nothing of the mail: it may hold more than they may know
        cause = f"mail at {at.match.position}" if public else f"mail {heard.identity}"
        answering = (at.seat, heard.address)
        record = case.room.decisions.record
        untold = record(case.unit, at.match, decision, cause, answering=answering)
    after = Route(at.match if previewing else decision.match, at.seat)
    form = "\n".join(line.text for line in found.lines)
    letter = case.room.letters.letter(
        heard, at.match, after, decision, found.kind, form, previewing=previewing, untold=untold
    )
    if unasked:  # beside what counts, and never at its cost: as words to the others
        letter = letter.counted(quota=case.quota, topic=WORDS)
    demand, more = demand_of(verdict), () if previewing else _further_letters(case, found)
    settled = case.settled(*_settling(verdict, previewing=previewing), letter, *more, at=at)
    return replace(settled, verdict=verdict, demand=demand.kind if demand else None)


def _further_letters(case: Case, found: Judgement) -> list[Letter]:
    """Of an answer that counts and states an address of its sender's which is not registered:
    whether it shall be (604.B.i). Of one that came in time and was seen only after the ruling: to
    the moderator, who alone can set the match back."""
    at, kept, verdict = case.place, case.kept, found.decision.verdict
    if isinstance(verdict, Accepted):
        reading = understood(at.match, at.seat, found.kind, case.body(found.lines))[1]
        stated = [address for address in reading.addresses if mail_address(address) == address][:1]
        offers = [Meant(offers=(Offered(ADDRESS, address),)) for address in stated]
        return [case.written("further_address", {"further": r.offers[0].form}, at, reply=r) for r in offers]
    if not _too_late(verdict):
        return []
    whose, key = f"Player {at.seat}", (str(kept.id), kept.arrived.isoformat())
    demand = f"{verdict.demand.kind} of {whose}" if verdict.demand else whose
    subject = case.room.speaker.subject(at.match, "a mail arrived in time and was seen too late")
    return [case.alarm("missed", subject, *key, mail=kept, about=at.match.name, reason=demand)]


def _settling(verdict: Verdict, *, previewing: bool) -> tuple[Disposition, str]:
    """How a mail with that verdict is settled, and the verdict in a few words for the moderator."""
    codes = ", ".join(c.code for c in verdict.named) if isinstance(verdict, Refused) else ""
    settled: Mapping[type, tuple[Disposition, str]] = {
        Accepted: ("accepted", "{0.kind} of seat {0.seat} in {1}"),
        Refused: ("refused", codes),
        do.Withdrawn: ("accepted", "seat {0.seat} took back its answer to {1}"),
        do.Ignored: ("ignored", "seat {0.seat} had answered {1}"),
        do.Kept: ("answered", f"{DRAFT}: {{0.kind}} of seat {{0.seat}}"),
        do.Discarded: ("answered", "a draft of seat {0.seat} is dropped"),
        do.Asked: ("answered", "asked what it means: {0.kind} of seat {0.seat}"),
    }
    if previewing:
        return "answered", "preview"
    disposition, told = settled[type(verdict)]
    return disposition, told.format(demand_of(verdict), getattr(verdict, "label", "")).removesuffix(" in ")


# --- not read -----------------------------------------------------------------------------------------------------


def too_much(case: Case, lines: Sequence[Line] | None = None) -> Settled | None:
    """Of more than is read, in the lines or in all of its own words: refused by these counts alone,
    and nothing of it is judged. A mail above the size limit has an answer of its own."""
    words = case.mail.own if lines is None else lines
    found = [] if case.kept.cut else excess(words, case.room.settings.limits)
    if not found:
        return None
    said = [f"{counted:,} {_COUNTED_AS[what]}; I read at most {most:,}" for what, counted, most in found]
    owing = case.room.letters.asked(case.at) if case.at else NOTHING_OWED
    reason = ", ".join(f"{counted} {what} ({most} are read)" for what, counted, most in found)
    context = {**owing, "heard": case.answering, "too_much": said}
    return _unread(case, case.at, "too_much", f"too much: {reason}", context)


def _unread(case: Case, at: Route | None, template: str, reason: str, context: dict[str, object]) -> Settled:
    demand = case.room.letters.asked(at)["demand"] if at else None
    letter = case.written(template, context, at, demand=demand)
    return case.settled("refused", reason, letter, at=at)
