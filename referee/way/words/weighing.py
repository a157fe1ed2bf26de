"""What a mail to a seat is taken for: words decide, headings help (contract, 'Mail in'). Where its own words fit one
answer that the seat may give now, the mail is that answer, under whatever subject; where they leave a doubt, they are
asked about before anything counts. A reply to a refusal that says a part of the answer is laid over the form of that
refusal, which its sender has before him: nothing of the form is lost by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.core import seam
from referee.core.answers import AHEAD, Body, GivesUpSeat
from referee.core.complaint import Line
from referee.core.seam import gives_up_seat
from referee.language.amending import exchanged, laid_over
from referee.language.interpret import beyond_courtesy
from referee.letters.letter import Letter, decoded
from referee.match.meanings import Meaning, judged, meaning_of, understood
from referee.way.case import Case, Order
from referee.way.words.answers import VERDICTS, while_open
from referee.way.words.quotes import PASTED


def weighed(case: Case) -> Case:
    """The case with what its words may mean; with an order where they mean one thing for sure."""
    match, mail, order = case.place.match, case.mail, case.order
    if case.kept.cut or match.inner is None or match.status != "open":
        return case
    if (order and not order.preview) or case.form or mail.agrees or case.number is not None:
        return (
            case  # what counts stands in a command, the form inside the quote, the letter that they agree to
        )
    if mail.tag.kind and not case.repeats and gives_up_seat(case.game, mail.tag.kind):
        return case
    said = case.says()
    if said is None and (told := _in_subject(case)) is not None:
        return replace(case, doubt=(told,), why="subject")
    if said is not None and (told := _for_another(case, said)) is not None:
        return replace(case, order=None, doubt=(told,), why="seat")
    if said is not None and not (said.demand.kind == case.kind and mail.tag.kind is not None):
        case = _ordered(case, said.demand.kind)  # of another kind than the heading's, it is said to be one
    # words that may be another's came with the sender's own: a letter pasted among them, a form attached
    others = (part.what.startswith(("attach", PASTED)) for part in mail.left_out)
    return case if mail.attached is not None or any(others) else _amended(case, said)


def _ordered(case: Case, kind: str, lines: tuple[Line, ...] | None = None) -> Case:
    preview = case.order is not None and case.order.preview
    return replace(case, order=Order(case.place, kind, lines, preview=preview))


def _in_subject(case: Case) -> Meaning | None:
    """The answer that stands in the subject of a fresh mail without words: "Go: Move E6"."""
    at, mail, tag = case.place, case.mail, case.mail.tag
    fresh = case.replied is None and not (mail.quoted or mail.left_out or tag.preview)
    if (
        not fresh
        or tag.kind is not None
        or tag.command is not None
        or beyond_courtesy(mail.own, mail.hints.own)
    ):
        return None
    headings = seam.headings(case.game)
    usual = next((heading for heading, named in headings.items() if named == case.kind), "")
    text = tag.heading if tag.game is not None else tag.text
    known = (name for name in headings if text.casefold().startswith(f"{name} ".casefold()))
    heading = next(known, None)
    line = f"{heading or usual}: {text[len(heading) :].strip() if heading else text}"
    said = meaning_of(at.match, at.seat, case.kind, Body.of(line))
    return _whole(case, said) if said is not None else None


def _for_another(case: Case, said: Meaning) -> Meaning | None:
    """An answer under a subject of its sender's own that names another seat."""
    tag = case.mail.tag
    named = tag.stated.get("seat", case.place.seat) != case.place.seat
    own = tag.kind is not None and case.replied is None and not tag.preview
    return _whole(case, said) if named and own else None


def _whole(case: Case, said: Meaning) -> Meaning | None:
    """With its canonical lines; none where anything is wrong with it, or it gives up the seat."""
    return None if isinstance(said.reading.action, GivesUpSeat) else judged(case.place.match, said)


# --- a part of the answer, laid over the form of a refusal ----------------------------------------------------------


def _amended(case: Case, said: Meaning | None) -> Case:
    """The case with the refusal's form as its own words amend it; as it is where they amend nothing. Where they may be
    a whole answer as well, as which they were `said`, both are what it may mean."""
    refusal = _refusal_before_him(case)
    if refusal is None:
        return case
    at, body = case.place, case.body(case.mail.own)
    demand, form = case.read(case.mail.own)[0], tuple(refusal.reply.form.splitlines())
    found = laid_over(form, body)
    alone = judged(at.match, said) if said is not None else None
    answers = case.replied is not None and case.replied.message_id == refusal.head.message_id
    if not found.told and alone is None and answers:
        return _exchanged(case, [_lined(lines) for lines in exchanged(form, body)])
    beside = understood(at.match, at.seat, case.kind, Body(found.left))[1]
    if not found.told or beside.orders_in(found.left):
        return case
    lines = _lined(found.lines)
    if answers and alone is None:
        return _ordered(case, demand.kind, lines)
    if alone is not None and not answers:
        return case  # whole by itself, it counts, and only below the refusal it may be meant as a part
    meant = meaning_of(at.match, at.seat, case.kind, Body(lines))
    whole = judged(at.match, meant) if meant is not None else None
    if whole is None or (alone is not None and _as_form(case, whole) == _as_form(case, alone)):
        return case
    return replace(case, order=None, doubt=(whole,) if alone is None else (alone, whole))


def _as_form(case: Case, said: Meaning) -> str:
    """An answer as its form says it: whether its lines also state whose it is, and of which round, makes no other."""
    at, action = case.place, said.reading.action
    if said.demand.kind == AHEAD:
        return said.text
    return seam.filled_in(case.game, at.match.inner, said.demand, at.match.party(at.seat), action)


def _exchanged(case: Case, ways: Sequence[tuple[Line, ...]]) -> Case:
    """With the only one of several forms with which nothing is wrong; where there are more, they are asked about."""
    at = case.place
    said = ((lines, meaning_of(at.match, at.seat, case.kind, Body(lines))) for lines in ways)
    fair = [(lines, whole) for lines, one in said if one and (whole := judged(at.match, one))]
    if len(fair) == 1:
        return _ordered(case, fair[0][1].demand.kind, fair[0][0])
    return replace(case, order=None, doubt=tuple(whole for _, whole in fair)) if fair else case


def _refusal_before_him(case: Case) -> Letter | None:
    """The refusal that is the last word about the seat's orders, and of this round; none where the mail answers an
    older one."""
    at, replied = case.place, case.replied
    newest = case.unit.newest_letter(at.match.name, at.seat, VERDICTS)
    if newest is None or newest.kind != "refusal":
        return None
    if replied is not None and replied.kind in VERDICTS and replied.message_id != newest.message_id:
        return None
    letter = decoded(newest)
    return letter if letter.reply.form and while_open(at, letter.reply.rounds) else None


def _lined(texts: Sequence[str]) -> tuple[Line, ...]:
    return tuple(Line(number, text) for number, text in enumerate(texts, 1))


# --- what was weighed ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weighed:
    """An answer, in canonical lines where it could count, else as it was written; `sure`: it would, and the words leave
    no doubt of it."""

    demand: str
    text: str
    sure: bool


def readings(case: Case) -> tuple[Weighed, ...]:
    """Every answer that the words of a mail to a seat, or a form that came with them, may be; each once, what is sure
    of it first."""
    match = case.place.match
    if match.standing is None or match.status != "open":
        return ()
    found: dict[tuple[str, str], Weighed] = {}
    for one in sorted(_all(case), key=lambda one: not one.sure):
        found.setdefault((one.demand, one.text), one)
    return tuple(found.values())


def _all(case: Case) -> Iterator[Weighed]:
    at, order, number, offers = case.place, case.order, case.number, case.meant.offers
    kind = (order.kind if order else None) or case.kind
    if order is None and (case.mail.agrees or number) and not case.form:
        for offer in offers[number - 1 : number] if number else offers:
            yield from _said(case, offer.heading, Body.of(offer.form))
        return
    for meaning in case.doubt:
        yield Weighed(meaning.demand.kind, meaning.text, sure=False)
    if order is not None and order.lines is not None:
        yield from _said(case, kind, case.body(order.lines))
        return
    owed = [d.kind for _, d in at.match.due if d.seat == at.seat]
    for each in dict.fromkeys((kind, *owed)):
        yield from _said(case, each, case.body(case.mail.own))
    if case.form:
        yield from _said(case, kind, case.body(case.form))


def _said(case: Case, kind: str, body: Body) -> Iterator[Weighed]:
    """What lines say under a heading of that kind."""
    at, sure = case.place, not case.doubt
    demand, reading = understood(at.match, at.seat, kind, body)
    meant = meaning_of(at.match, at.seat, kind, body)
    whole = judged(at.match, meant) if meant is not None else None
    if whole is not None:
        yield Weighed(whole.demand.kind, whole.text, sure)
    elif reading.choices:
        yield from (Weighed(demand.kind, choice, sure=False) for choice in reading.choices)
    elif reading.action is not None and reading.orders:
        standing = at.match.standing
        if standing is not None and not standing.check(demand, reading.action):
            text = seam.write(standing.game, at.match.inner, demand, reading.action)
        else:
            text = "\n".join(line.text for line in reading.orders)
        yield Weighed(demand.kind, text, sure=False)
