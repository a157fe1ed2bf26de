"""A word of consent - OK, Yes, a number, the sign that a reaction is - and what it sends: what the letter that it
answers has offered."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.core.answers import Body, Form
from referee.core.complaint import Complaint, Line, gathered
from referee.core.texts.addresses import address_key
from referee.language.wishes import NO_WISHES
from referee.match.commands import Refused
from referee.match.match import RoundName
from referee.match.meanings import understood
from referee.offices.incoming.case import Case
from referee.offices.incoming.routing import Route
from referee.offices.outgoing.letters import ADDRESS, COMMANDS, NO_REPLY, PRESS, Letter, decoded
from referee.offices.ports.mail import ARMOUR, Mail
from referee.store.outbox import LetterStore

# A later one of these has taken an offer's place.
VERDICTS: Final = ("refusal", "receipt", "ignored", "preview")
_ASKING: Final = ("due", "reminder")
_SIGNED: Final = 8  # lines that a signature has at most


def to_an_offer(case: Case) -> Case:
    """The case of an OK to the offer of a command, or of a number to one of several: as by that command."""
    replied, offers, number = case.replied, case.meant.offers, case.number or 1
    chosen = bool(case.mail.agrees and len(offers) == 1) or case.number is not None
    named, _, whom = offers[number - 1].heading.partition(" ") if 0 < number <= len(offers) else ("", "", "")
    if replied is None or not chosen or named not in COMMANDS:
        return case
    form = offers[number - 1].form
    argument = whom or replied.match or "" if named == PRESS else form
    tag = replace(case.mail.tag, command=named, argument=argument, kind=None)
    mail = replace(case.mail, own=Body.of(form).lines, tag=tag, agrees="", wishes=NO_WISHES)
    asked = named == ADDRESS and case.proof.registered and not case.proof.refuted
    if asked and address_key(case.sender.address) == replied.recipient:
        # it answers by a keyed id, like a challenge
        return replace(case, mail=mail, proof=replace(case.proof, owned=True))
    return replace(case, mail=mail)


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


def answers_form(case: Case) -> bool:
    """Whether an OK is to be judged: one to a letter that shows a form of the seat's own words, or that says so to
    none. A reaction to any other letter says nothing."""
    if case.meant.offers:
        return True
    if case.mail.agrees == "reaction":
        return False
    if case.replied is None:
        return not holds_more(case.mail)
    return case.replied.kind in ("refusal", "preview")


def holds_more(mail: Mail) -> bool:
    """Whether it holds what may be a letter of ours: quoted, below the mark of a signature, or attached."""
    others = (part for part in mail.left_out if part.what != ARMOUR)
    return bool(mail.quoted) or any(p.lines > _SIGNED or p.what.startswith("attach") for p in others)
