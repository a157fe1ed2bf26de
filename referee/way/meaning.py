"""A mail that is for a seat: which one, what of its words counts there, and what they are taken for: words decide,
headings help (contract, 'Mail in'). Where its own words fit one answer that the seat may give now, the mail is that
answer, under whatever subject; where they leave a doubt, they are asked about before anything counts. A reply to a
refusal that says a part of the answer is laid over the form of that refusal, which its sender has before him: nothing
of the form is lost by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.core import seam
from referee.core.answers import AHEAD, Body, GivesUpSeat
from referee.core.complaint import Line
from referee.core.seam import gives_up_seat
from referee.language.interpret import beyond_courtesy
from referee.language.wishes import points_to_subject, wishes
from referee.letters.amending import exchanged, laid_over
from referee.letters.letter import Letter, decoded
from referee.match.meanings import Meaning, judged, meaning_of, meanings_of, understood
from referee.way import questions, replies
from referee.way.answers import VERDICTS, too_much, while_open
from referee.way.case import Case, SeatOrder, Settled, needs_confirmation
from referee.way.limits import excess
from referee.way.quotes import PASTED, SHORTEST, Beside, ignored_parts, split_quotes, words_alone
from referee.way.requests.request import helped
from referee.way.requests.telling import tell_wishes
from referee.way.routing import Route, Unrouted, picked_match, seat_meant

# --- the seat -----------------------------------------------------------------------------------------------------


def routed(case: Case) -> Case | Settled:
    """The case with the seat that it is for; help where there is none, or more than one."""
    if case.at is not None:
        return case
    if case.meant.offers and (chosen := _chosen(case)) is not None:
        return chosen
    found = seat_meant(case.proof.seats, case.mail, case.replied)
    if isinstance(found, Route):
        return replace(case, at=found)
    return _by_words(case, found) or _helped(case, found)


def _chosen(case: Case) -> Case | None:
    """The case with the answer that its mail picks of a letter which asked for which match it was, while the round
    lasts that it is for."""
    offered = picked_match(case.mail, case.meant.offers)
    if offered is None:
        return None
    place = (offered.match, offered.seat)
    at = next((s for s in case.proof.seats if (s.match.name, s.seat) == place), None)
    if at is None or not while_open(at, offered.rounds):
        return None
    return replace(case, at=at, order=SeatOrder(at, offered.heading, Body.of(offered.form).lines))


def _by_words(case: Case, unrouted: Unrouted[Route]) -> Case | Settled | None:
    """The case with the seat of the one match in which the sender's words fit what he owes, for sure or at all;
    where they fit in several, or the subject names another seat or match, which of them is meant is asked. Of a
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
        whole = judged(at.match, said[0]) if len(said) == 1 else None
        if whole is not None:
            meant.append((at, whole))
    if not meant:
        return None
    if len(sure) == 1 and (surely := [(at, whole) for at, whole in meant if at is sure[0]]):
        fitting, meant = sure, surely
    if len(fitting) == 1:
        (at,), tag = fitting, case.mail.tag
        others = {seat.match.name.casefold() for seat in case.proof.seats} - {at.match.name.casefold()}
        elsewhere = not others.isdisjoint(bracket.casefold() for bracket in tag.brackets)
        if not elsewhere and tag.stated.get("seat") in (None, at.seat):
            return replace(case, at=at)
    letter = case.room.letters.which_match(case.heard, meant)
    return case.settled("answered", "asked for which match", letter)


def _playing(seats: Sequence[Route]) -> Iterator[Route]:
    """Those in matches that go on."""
    return (at for at in seats if at.match.inner is not None and at.match.status == "open")


def _helped(case: Case, unrouted: Unrouted[Route]) -> Settled:
    """Help; and of a player's words that order nothing, nor stand under a heading, what is for a person."""
    seats = [at for at in unrouted.seats if at.match.known]
    ordered = (replace(case, at=at).orders(case.mail.own) for at in _playing(seats))
    if not (case.known and seats) or case.mail.tag.kind is not None or any(ordered):
        return helped(case, unrouted)
    wishing = tell_wishes(case)
    passed, letters = questions.beside(case, seats[0], ())
    if wishing and (case.mail.wishes.wants or passed not in questions.DEALT_WITH):
        return case.settled("answered", "wishes of the desk", *wishing)
    settled = helped(case, unrouted, passed)
    if passed == "offered":
        told = (replace(x, reply=replace(x.reply, asks="words")) for x in settled.letters)
        settled = replace(settled, letters=tuple(told))
    if letters:
        counted = (letter.counted(topic=questions.TOPIC) for letter in settled.letters)
        settled = replace(settled, letters=(*counted, *letters))
    everything = (*settled.letters, *wishing)
    return replace(settled, letters=everything, match=seats[0].match.name, seat=seats[0].seat)


# --- its words ----------------------------------------------------------------------------------------------------


def interpreted(case: Case) -> Case | Settled:
    """The case with what its sender's own words may mean."""
    found = _within_limits(case)
    return _headed(_weighed(found)) if isinstance(found, Case) else found


def _within_limits(case: Case) -> Case | Settled:
    """The case in its sender's own words: none of a letter of ours come back, and those of an attached form only
    where those beside it are no orders. Refused where it is more than is read: of that nothing is sorted out, unless
    only an attached form makes it too much."""
    match = case.place.match
    if case.kept.cut:
        return case
    refused = too_much(case)
    mail = case.mail
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
    if refused is not None and needs_confirmation(case):
        return replies.asked(case, case.place, case.place.seat)
    return refused or case


def _headed(case: Case) -> Case | Settled:
    """The case under a heading that its sender has written himself: one that gives up the seat is none where the
    subject only repeats that of an older letter. Help where nothing says what the mail is about: a reply to a letter of
    that match says it, or to any where the subject names no game, or a bare Preview."""
    at, tag, replied = case.place, case.mail.tag, case.replied
    if case.repeats and tag.kind and gives_up_seat(case.game, tag.kind):
        tag = replace(tag, kind=None)
        case = replace(case, mail=replace(case.mail, tag=tag))
    if case.order is not None or case.doubt or tag.kind is not None:
        return case
    if not case.kept.cut and at.match.status == "open":
        return case
    if tag.game is not None and replied is not None and replied.match == at.match.name:
        return case
    bare = tag.preview and tag.heading.casefold() in ("", at.match.name.casefold())
    if tag.game is None and (replied is not None or bare):
        return case
    why = Unrouted("unknown_heading" if tag.game is not None and not case.repeats else "nothing_asked", (at,))
    return _helped(case, why)


def _weighed(case: Case) -> Case:
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
    tag = mail.tag
    of_another = (
        tag.stated.get("seat", case.place.seat) != case.place.seat
    )  # a subject of its sender's own names it
    named = of_another and tag.kind is not None and case.replied is None and not tag.preview
    if said is not None and named and (told := _whole(case, said)) is not None:
        return replace(case, order=None, doubt=(told,), why="seat")
    if said is not None and not (said.demand.kind == case.kind and mail.tag.kind is not None):
        case = _ordered(case, said.demand.kind)  # of another kind than the heading's, it is said to be one
    # words that may be another's came with the sender's own: a letter pasted among them, a form attached
    others = (part.what.startswith(("attach", PASTED)) for part in mail.left_out)
    return case if mail.attached is not None or any(others) else _amended(case, said)


def _ordered(case: Case, kind: str, lines: tuple[Line, ...] | None = None) -> Case:
    preview = case.order is not None and case.order.preview
    return replace(case, order=SeatOrder(case.place, kind, lines, preview=preview))


def _in_subject(case: Case) -> Meaning | None:
    """The answer that stands in the subject of a mail without words: "Go: Move E6", or behind ours in a reply."""
    at, mail, tag = case.place, case.mail, case.mail.tag
    fresh = (case.replied is None and not (mail.quoted or mail.left_out)) or (case.repeats and tag.text)
    if (
        not fresh
        or tag.preview
        or (tag.kind is not None and not case.repeats)
        or tag.command is not None
        or (beyond_courtesy(mail.own, mail.hints.own) and not points_to_subject(mail.own))
    ):
        return None
    headings = seam.headings(case.game)
    usual = next((heading for heading, named in headings.items() if named == case.kind), "")
    text = tag.heading if tag.game is not None and not case.repeats else tag.text
    known = (name for name in headings if text.casefold().startswith(f"{name} ".casefold()))
    heading = next(known, None)
    line = f"{heading or usual}: {text[len(heading) :].strip() if heading else text}"
    said = meaning_of(at.match, at.seat, case.kind, Body.of(line))
    return _whole(case, said) if said is not None else None


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
