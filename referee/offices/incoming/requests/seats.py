"""Requests of a seat in its match, and of those who would have one or watch."""

from __future__ import annotations

import re

from referee.core.complaint import Line
from referee.core.replacing import replace
from referee.core.seam import headings
from referee.core.texts.addresses import address_key
from referee.core.texts.words import without_addresses
from referee.match import commands as do
from referee.match.commands import Impossible
from referee.match.events import Entrant
from referee.match.handling.seating import called_others
from referee.match.match import Match, held_by
from referee.match.names import name_fault
from referee.offices.decisions import OBSERVING
from referee.offices.incoming.case import Case, Order, Settled
from referee.offices.incoming.requests.doors import join_proposal, withdraw_proposal
from referee.offices.incoming.requests.request import Request, Requests, name_given
from referee.offices.incoming.requests.wishes import absence_spans, addressees, time_zone
from referee.offices.incoming.routing import Unrouted, named_gathering
from referee.offices.outgoing.letters import AnsweredMail, Letter
from referee.offices.outgoing.replies import answer
from referee.offices.register.people import People

_SEAT = re.compile(r"\b(?:player|seat)\s*#?(\d{1,3})\b", re.IGNORECASE)


def join(requests: Requests, request: Request) -> Settled | None:
    """A vacant seat is taken, by an address that has said Yes to it and has no other seat there."""
    match = requests.named(request)
    if match is None:
        gathering = named_gathering(request.unit, request.case.mail.tag)
        return join_proposal(requests, request, gathering) if gathering else None
    match = requests.readable(match)
    if (why := hindrance(requests, match, request)) is not None:
        others = called_others(match)
        unfit = name_fault(name_given(request), others) if why == "name" else ""
        return requests.help(request, why, facts={"unfit": unfit, "wanted": match.name})
    entrant = Entrant(name_given(request), (request.to.address,))
    decision = requests.carry_out(request, match, do.Join(entrant, wished_seat(request), request.arrived))
    letter = answer(requests.speaker, "joined", request.to, {}, decision.match, None)
    return request.case.settled("accepted", f"joined {match.name}", letter)


def hindrance(requests: Requests, match: Match, request: Request) -> str | None:
    """Why the wish for a seat or for letters of the match can't be granted, as the help letter knows it; None where it
    can."""
    if requests.offices.hindrance(request.to.address):
        return "unwritable"
    if request.command == "join":
        return _no_way_in(match, request)
    mine = address_key(request.to.address)
    others = [address for address in match.observers if address_key(address) != mine]
    return "crowded" if len(others) >= requests.settings.limits.observers else None


def _no_way_in(match: Match, request: Request) -> str | None:
    """Why the sender can't take a seat of the match, as the help letter knows it; None where he can."""
    vacant, seat = match.vacant, wished_seat(request)
    if held_by(match, request.to.address):
        return "seated"
    if not vacant:
        return "full"
    if match.inner is not None and seat not in (None, *vacant):
        return "taken"
    return "name" if name_fault(name_given(request), called_others(match)) else None


def wished_seat(request: Request) -> int | None:
    """The seat that `join MATCH / Player 2` names."""
    stated = _SEAT.search(request.argument)
    return int(stated[1]) if stated else None


def observe(requests: Requests, request: Request) -> Settled | None:
    """Public letters of a match, or no more of them."""
    match = requests.named(request)
    if match is None:
        return None
    stop = request.command == "stop"
    if not stop and (why := hindrance(requests, requests.readable(match), request)) is not None:
        return requests.help(request, why)
    decision = requests.carry_out(request, match, do.Observe(request.to.address, stop))
    letter = answer(requests.speaker, "observing", request.to, {"stop": stop}, decision.match, None)
    return request.case.settled("answered", "stopped observing" if stop else "observes", letter)


def stopped(requests: Requests, case: Case) -> Case | Settled:
    """A mail to the address by which an observer's letters end: whoever has it may end them, nothing is asked, and the
    observer is told once. Every other mail goes on."""
    for token in case.mail.tokens:
        place = case.unit.seat_of_token(token)
        if place is None or place[1] != OBSERVING:
            continue
        match = requests.matches.load(case.unit, place[0])
        watching = [a for a in match.observers if requests.keys.stop_token(match.name, a) == token]
        letters = (_no_more(requests, case, match, address) for address in watching[:1])
        return case.settled("answered", "an observer's letters end", *letters, match=match.name)
    return case


def _no_more(requests: Requests, case: Case, match: Match, address: str) -> Letter:
    to = AnsweredMail(address, "", None, (), case.kept.identity, case.now)
    after = requests.carry_out(Request(case, to), match, do.Observe(address, stop=True)).match
    return answer(requests.speaker, "observing", to, {"stop": True}, after)


def set_zone(requests: Requests, request: Request) -> Settled | None:
    """The sender's time zone, for every seat whose letters go to his address or to one that it has proved."""
    if not request.seats:
        return None
    zone, covered = time_zone(request.argument), People(request.unit).proved_by(request.to.address)
    seats = [at for at in request.seats if at.match.known]
    mine = [at for at in seats if address_key(at.match.entrant(at.seat).addresses[0]) in covered]
    for at in mine if zone else ():
        requests.carry_out(request, at.match, do.SetZone(at.seat, zone or "UTC"))
    context = {"zone": zone, "asked": request.argument, "elsewhere": not mine}
    letter = answer(requests.speaker, "zone" if zone and mine else "no_zone", request.to, context)
    return request.case.settled("answered", f"time zone {zone}", letter)


def take_absence(requests: Requests, request: Request) -> Settled | None:
    """Away for some days: told to the others, and deadlines move to the end. They are the same days in all matches: in
    the zone of the first that knows the player's, and told in it."""
    places = [r for r in requests.places(request) if r.match.status in ("open", "paused")]
    if not places:
        return None
    known = (zone for at in places if (zone := at.match.entrant(at.seat).zone))
    request = replace(request, to=replace(request.to, zone=next(known, request.to.zone)))
    said = request.argument or " ".join(line.text for line in request.case.mail.own)
    spans = absence_spans(said, request.to.zone or requests.offices.timezone, request.now)
    if len(spans) != 1:
        topic = "absence_which" if spans else "absence_unclear"
        return requests.done(request, topic, good=False, days=tuple(spans.items()))
    (span,) = spans
    results = []
    for at in places:
        command = do.TakeAbsence(at.seat, *span, requests.settings.limits.absence)
        results.append((at, span, requests.carry_out(request, at.match, command).verdict))
    good = any(not isinstance(verdict, Impossible) for _, _, verdict in results)
    return requests.done(
        request, "absence", good=good, results=results, most=requests.settings.limits.absence
    )


def send_press(requests: Requests, request: Request) -> Settled | None:
    """Words to other players; what is not understood is never sent to anybody."""
    at = requests.place(request)
    if isinstance(at, Unrouted):
        return requests.help(request, at.why, at)
    readers = addressees(request.argument, at.match.name)
    words = "\n".join(line.text for line in request.case.mail.own)
    text = without_addresses(words).strip()
    size, most = len(text.encode()), requests.settings.limits.largest_press
    if readers is not None and size > most:
        return requests.done(request, "press_long", good=False, at=at, size=size, most=most)
    if readers is None or not text:
        topic = "press_empty" if readers is not None else "press_unclear"
        return requests.done(request, topic, good=False, at=at)
    command = do.SendPress(
        at.seat, readers, text, requests.settings.press.talk, requests.settings.press.beside_sealed
    )
    verdict = requests.carry_out(request, at.match, command).verdict
    return requests.done(
        request,
        "press",
        good=not isinstance(verdict, Impossible),
        at=at,
        seats=readers,
        text=text,
        verdict=verdict,
    )


def renew(requests: Requests, request: Request) -> Settled | None:
    """The reply addresses of earlier letters prove nothing any more."""
    places = requests.places(request)
    for at in places:
        requests.carry_out(request, at.match, do.RenewReplyAddress(at.seat))
    return requests.done(request, "renewed", places=places) if places else None


# --- orders to the game in other words: judged like a mail under its own heading ------------------------------------


def withdraw(requests: Requests, request: Request) -> Order | Settled | None:
    if requests.named(request) is None and (
        gathering := named_gathering(request.unit, request.case.mail.tag)
    ):
        return withdraw_proposal(requests, request, gathering)
    places = requests.places(request)
    holding = [r for r in places if any(a.demand.seat == r.seat for x in r.match.rounds for a in x.answered)]
    holding += [r for r in places if r.match.ahead_of(r.seat) or r.seat in r.match.drafts]
    return Order((holding or list(places))[0], take_back=True) if places else None


def discard(requests: Requests, request: Request) -> Order | None:
    places = requests.places(request)
    drafting = [r for r in places if r.seat in r.match.drafts]
    return Order((drafting or list(places))[0], take_back=True, draft=True) if places else None


def resign(requests: Requests, request: Request) -> Order | Settled:
    """The word Resign under the game's own heading for it."""
    at, own = requests.place(request), request.case.mail.own
    if isinstance(at, Unrouted):
        return requests.help(request, at.why, at)
    kind = headings(requests.games[at.match.game]).get("Resign")
    last = max((line.number for line in own), default=0)
    says = any(line.text.strip(" .!*_-").casefold() == "resign" for line in own)
    return Order(at, kind, own if says else (*own, Line(last + 1, "Resign")))


def preview(requests: Requests, request: Request) -> Order | Settled:
    at = requests.place(request)
    return requests.help(request, at.why, at) if isinstance(at, Unrouted) else Order(at, preview=True)
