"""A reply to a refusal that says a part of the answer: laid over the form of that refusal, which its sender has before
him. Nothing of the form is lost by it."""

from __future__ import annotations

from referee.core.answers import Body
from referee.core.complaint import Line
from referee.core.game import AnyGame
from referee.core.orders.amending import laid_over
from referee.core.replacing import replace
from referee.match.handling.submit import understood
from referee.match.match import RoundName
from referee.match.meanings import Meaning, judged, meaning_of
from referee.offices.incoming.case import Case, Order
from referee.offices.incoming.routing import Route
from referee.offices.incoming.words.lines import VERDICTS, asked_kind
from referee.offices.outgoing.letters import Letter, decoded


def amended(game: AnyGame, at: Route, case: Case, said: Meaning | None) -> Case:
    """The case with the refusal's form as its own words amend it; as it is where they amend nothing. Where they may be
    a whole answer as well, as which they were `said`, both are what it may mean."""
    letter = _form_before_him(at, case)
    if letter is None:
        return case
    kind = asked_kind(game, at, case)
    body = case.body(case.mail.own)
    demand, _ = understood(at.match, at.seat, kind, body)
    form = tuple(letter.reply.form.splitlines())
    found = laid_over(form, body)
    beside = understood(at.match, at.seat, kind, Body(found.left))[1]
    if found.lines == form or beside.orders_in(found.left):
        return case
    whole = tuple(Line(number, text) for number, text in enumerate(found.lines, 1))
    alone = judged(at.match, said) if said is not None else None
    if alone is not None:
        meant = meaning_of(at.match, at.seat, kind, Body(whole))
        return _either(case, alone, judged(at.match, meant) if meant is not None else None)
    return replace(
        case, order=Order(at, demand.kind, whole, preview=case.order is not None and case.order.preview)
    )


def _form_before_him(at: Route, case: Case) -> Letter | None:
    """The refusal that the mail answers, if it is the last word about the seat's orders, and of this round."""
    replied, unit = case.replied, case.unit
    if (
        replied is None
        or replied.kind != "refusal"
        or (replied.match, replied.seat) != (at.match.name, at.seat)
    ):
        return None
    newest = unit.newest_letter(at.match.name, at.seat, VERDICTS)
    letter = decoded(replied)
    current = {RoundName(r.label, r.opened) for r in at.match.rounds}
    fresh = newest is not None and newest.message_id == replied.message_id
    return letter if fresh and letter.reply.form and current.issuperset(letter.reply.rounds) else None


def _either(case: Case, alone: Meaning, meant: Meaning | None) -> Case:
    """A whole answer of its own; where, laid over the form, it would be another one, either may be meant."""
    if meant is None or meant.text == alone.text:
        return case
    return replace(case, order=None, doubt=(alone, meant))
