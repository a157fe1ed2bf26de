"""A reply to a refusal that says a part of the answer: laid over the form of that refusal, which its sender has before
him. Nothing of the form is lost by it."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.answers import Body
from referee.core.complaint import Line
from referee.core.game import AnyGame
from referee.core.orders.amending import exchanged, laid_over
from referee.core.replacing import replace
from referee.match.match import RoundName
from referee.match.meanings import Meaning, judged, meaning_of, understood
from referee.offices.incoming.case import Case, Order
from referee.offices.incoming.routing import Route
from referee.offices.incoming.words.lines import VERDICTS, asked_kind
from referee.offices.outgoing.letters import decoded
from referee.store.outbox import OutgoingLetter


def amended(game: AnyGame, at: Route, case: Case, said: Meaning | None) -> Case:
    """The case with the refusal's form as its own words amend it; as it is where they amend nothing. Where they may be
    a whole answer as well, as which they were `said`, both are what it may mean."""
    row = _refusal_before_him(at, case)
    if row is None:
        return case
    letter = decoded(row)
    kind = asked_kind(game, at, case)
    body = case.body(case.mail.own)
    demand, _ = understood(at.match, at.seat, kind, body)
    form = tuple(letter.reply.form.splitlines())
    found = laid_over(form, body)
    alone = judged(at.match, said) if said is not None else None
    answers = case.replied is not None and case.replied.message_id == row.message_id
    if not found.told and alone is None and answers:
        return _exchanged(at, case, kind, tuple(_lined(lines) for lines in exchanged(form, body)))
    beside = understood(at.match, at.seat, kind, Body(found.left))[1]
    if not found.told or beside.orders_in(found.left):
        return case
    whole = _lined(found.lines)
    meant = meaning_of(at.match, at.seat, kind, Body(whole))
    if alone is not None:  # whole by itself, it counts, and only below the refusal it may be meant as a part
        return _either(case, alone, judged(at.match, meant)) if answers and meant is not None else case
    if not answers:
        return _asked(at, case, meant)
    return replace(
        case, order=Order(at, demand.kind, whole, preview=case.order is not None and case.order.preview)
    )


def _lined(texts: Sequence[str]) -> tuple[Line, ...]:
    return tuple(Line(number, text) for number, text in enumerate(texts, 1))


def _exchanged(at: Route, case: Case, kind: str, ways: Sequence[tuple[Line, ...]]) -> Case:
    """With the only one of several forms with which nothing is wrong; where there are more, they are asked about."""
    said = ((lines, meaning_of(at.match, at.seat, kind, Body(lines))) for lines in ways)
    fair = [(lines, whole) for lines, one in said if one and (whole := judged(at.match, one))]
    if len(fair) != 1:
        return replace(case, order=None, doubt=tuple(whole for _, whole in fair)) if fair else case
    preview = case.order is not None and case.order.preview
    return replace(case, order=Order(at, fair[0][1].demand.kind, fair[0][0], preview=preview))


def _refusal_before_him(at: Route, case: Case) -> OutgoingLetter | None:
    """The refusal that is the last word about the seat's orders, and of this round; none where the mail answers an
    older one."""
    newest, replied = case.unit.newest_letter(at.match.name, at.seat, VERDICTS), case.replied
    if newest is None or newest.kind != "refusal":
        return None
    if replied is not None and replied.kind in VERDICTS and replied.message_id != newest.message_id:
        return None
    letter, current = decoded(newest), {RoundName(r.label, r.opened) for r in at.match.rounds}
    return newest if letter.reply.form and current.issuperset(letter.reply.rounds) else None


def _asked(at: Route, case: Case, meant: Meaning | None) -> Case:
    """A part in a mail that answers no refusal: the whole that it makes is asked about."""
    whole = judged(at.match, meant) if meant is not None else None
    return case if whole is None else replace(case, order=None, doubt=(whole,))


def _either(case: Case, alone: Meaning, meant: Meaning | None) -> Case:
    """A whole answer of its own; where, laid over the form, it would be another one, either may be meant."""
    if meant is None or meant.text == alone.text:
        return case
    return replace(case, order=None, doubt=(alone, meant))
