"""What was weighed of a mail to a seat: every answer that its words, or a form that came with them, may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.core import seam
from referee.core.answers import Body
from referee.core.game import AnyGame
from referee.match.meanings import judged, meaning_of, understood
from referee.offices.incoming.case import Case
from referee.offices.incoming.routing import picked
from referee.offices.incoming.words.lines import asked_kind, consents
from referee.offices.outgoing.letters import decoded


@dataclass(frozen=True, slots=True)
class Weighed:
    """An answer, in canonical lines where it could count, else as it was written; `sure`: it would, and the words leave
    no doubt of it."""

    demand: str
    text: str
    sure: bool


def readings(game: AnyGame, case: Case) -> tuple[Weighed, ...]:
    """Each once, what is sure of it first."""
    at = case.place
    if at.match.standing is None or at.match.status != "open":
        return ()
    found: dict[tuple[str, str], Weighed] = {}
    for one in sorted(_all(game, case), key=lambda one: not one.sure):
        found.setdefault((one.demand, one.text), one)
    return tuple(found.values())


def _all(game: AnyGame, case: Case) -> Iterator[Weighed]:
    at, order = case.place, case.order
    kind = (order.kind if order else None) or asked_kind(game, at, case)
    number = picked(case.mail, case.replied)
    if order is None and (consents(case.mail) or number) and not case.form:
        offers = decoded(case.replied).reply.offers if case.replied is not None else ()
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
