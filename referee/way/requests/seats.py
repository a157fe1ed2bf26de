"""Requests of a seat in its match, and of those who would have one or watch."""

from __future__ import annotations

import re
from dataclasses import replace

from referee.core.complaint import Line
from referee.core.seam import headings
from referee.core.texts.addresses import address_key
from referee.core.texts.words import without_addresses
from referee.match import commands as do
from referee.match.commands import Impossible
from referee.match.events import Entrant
from referee.match.handling.seating import called_others
from referee.match.match import Match, held_by
from referee.match.names import name_fault
from referee.offices.register.matches import People
from referee.way.case import Order, Settled
from referee.way.requests import wished
from referee.way.requests.club import join_proposal, withdraw_proposal
from referee.way.requests.days import absence_spans
from referee.way.requests.request import Request, readable
from referee.way.requests.wishes import addressees, time_zone
from referee.way.routing import Unrouted, named_gathering

_SEAT = re.compile(r"\b(?:player|seat)\s*#?(\d{1,3})\b", re.IGNORECASE)


def join(request: Request) -> Settled | None:
    """A vacant seat is taken, by an address that has said Yes to it and has no other seat there."""
    match = request.named
    if match is None:
        gathering = named_gathering(request.unit, request.case.mail.tag)
        return join_proposal(request, gathering) if gathering else None
    match = readable(match)
    if (why := hindrance(match, request)) is not None:
        others = called_others(match)
        unfit = name_fault(request.name_given, others) if why == "name" else ""
        return request.help(why, facts={"unfit": unfit, "wanted": match.name})
    entrant = Entrant(request.name_given, (request.to.address,))
    decision = request.carry_out(match, do.Join(entrant, wished_seat(request), request.arrived))
    return request.told("joined", f"joined {match.name}", decision.match, disposition="accepted")


def hindrance(match: Match, request: Request) -> str | None:
    """Why the wish for a seat or for letters of the match can't be granted, as the help letter knows it; None where it
    can."""
    if request.room.offices.hindrance(request.to.address):
        return "unwritable"
    if request.command == "join":
        return _no_way_in(match, request)
    mine = address_key(request.to.address)
    others = [address for address in match.observers if address_key(address) != mine]
    return "crowded" if len(others) >= request.room.settings.limits.observers else None


def _no_way_in(match: Match, request: Request) -> str | None:
    """Why the sender can't take a seat of the match, as the help letter knows it; None where he can."""
    vacant, seat = match.vacant, wished_seat(request)
    if held_by(match, request.to.address):
        return "seated"
    if not vacant:
        return "full"
    if match.inner is not None and seat not in (None, *vacant):
        return "taken"
    return "name" if name_fault(request.name_given, called_others(match)) else None


def wished_seat(request: Request) -> int | None:
    """The seat that `join MATCH / Player 2` names."""
    stated = _SEAT.search(request.argument)
    return int(stated[1]) if stated else None


def observe(request: Request) -> Settled | None:
    """Public letters of a match, or no more of them."""
    match = request.named
    if match is None:
        return None
    stop = request.command == "stop"
    if not stop and (why := hindrance(readable(match), request)) is not None:
        return request.help(why)
    decision = request.carry_out(match, do.Observe(request.to.address, stop))
    reason = "stopped observing" if stop else "observes"
    return request.told("observing", reason, decision.match, stop=stop)


def set_zone(request: Request) -> Settled | None:
    """The sender's time zone, for every seat whose letters go to his address or to one that it has proved."""
    if not request.seats:
        return None
    zone, covered = time_zone(request.argument), People(request.unit).proved_by(request.to.address)
    seats = [at for at in request.seats if at.match.known]
    mine = [at for at in seats if address_key(at.match.entrant(at.seat).addresses[0]) in covered]
    for at in mine if zone else ():
        request.carry_out(at.match, do.SetZone(at.seat, zone or "UTC"))
    kind, asked = "zone" if zone and mine else "no_zone", request.argument
    return request.told(kind, f"time zone {zone}", zone=zone, asked=asked, elsewhere=not mine)


def take_absence(request: Request) -> Settled | None:
    """Away for some days: told to the others, and deadlines move to the end. They are the same days in all matches: in
    the zone of the first that knows the player's, and told in it."""
    places = [r for r in request.places if r.match.status in ("open", "paused")]
    if not places:
        return None
    known = (zone for at in places if (zone := at.match.entrant(at.seat).zone))
    request = replace(request, to=replace(request.to, zone=next(known, request.to.zone)))
    said = request.argument or " ".join(line.text for line in request.case.mail.own)
    spans = absence_spans(said, request.to.zone or request.room.offices.timezone, request.now)
    if not spans and (wishing := wished.answers(request.case)):
        return request.case.settled("answered", "an absence to be confirmed", *wishing)
    if len(spans) != 1:
        topic = "absence_which" if spans else "absence_unclear"
        return request.done(topic, good=False, days=tuple(spans.items()))
    (span,) = spans
    results = []
    for at in places:
        command = do.TakeAbsence(at.seat, *span, request.room.settings.limits.absence)
        results.append((at, span, request.carry_out(at.match, command).verdict))
    good = any(not isinstance(verdict, Impossible) for _, _, verdict in results)
    return request.done("absence", good=good, results=results, most=request.room.settings.limits.absence)


def send_press(request: Request) -> Settled | None:
    """Words to other players; what is not understood is never sent to anybody."""
    at, settings = request.place, request.room.settings
    if isinstance(at, Unrouted):
        return request.help(at.why, at)
    readers = addressees(request.argument, at.match.name)
    words = "\n".join(line.text for line in request.case.mail.own)
    text = without_addresses(words).strip()
    size, most = len(text.encode()), settings.limits.largest_press
    if readers is not None and size > most:
        return request.done("press_long", good=False, at=at, size=size, most=most)
    if readers is None or not text:
        topic = "press_empty" if readers is not None else "press_unclear"
        return request.done(topic, good=False, at=at)
    command = do.SendPress(at.seat, readers, text, settings.press.talk, settings.press.beside_sealed)
    verdict = request.carry_out(at.match, command).verdict
    good = not isinstance(verdict, Impossible)
    return request.done("press", good=good, at=at, seats=readers, text=text, verdict=verdict)


def renew(request: Request) -> Settled | None:
    """The reply addresses of earlier letters prove nothing any more."""
    places = request.places
    for at in places:
        request.carry_out(at.match, do.RenewReplyAddress(at.seat))
    return request.done("renewed", places=places) if places else None


# --- orders to the game in other words: judged like a mail under its own heading ------------------------------------


def withdraw(request: Request) -> Order | Settled | None:
    if request.named is None and (gathering := named_gathering(request.unit, request.case.mail.tag)):
        return withdraw_proposal(request, gathering)
    places = request.places
    holding = [r for r in places if any(a.demand.seat == r.seat for x in r.match.rounds for a in x.answered)]
    holding += [r for r in places if r.match.ahead_of(r.seat) or r.seat in r.match.drafts]
    return Order((holding or list(places))[0], take_back=True) if places else None


def discard(request: Request) -> Order | None:
    places = request.places
    drafting = [r for r in places if r.seat in r.match.drafts]
    return Order((drafting or list(places))[0], take_back=True, draft=True) if places else None


def resign(request: Request) -> Order | Settled:
    """The word Resign under the game's own heading for it."""
    at, own = request.place, request.case.mail.own
    if isinstance(at, Unrouted):
        return request.help(at.why, at)
    kind = headings(request.room.games[at.match.game]).get("Resign")
    last = max((line.number for line in own), default=0)
    says = any(line.text.strip(" .!*_-").casefold() == "resign" for line in own)
    return Order(at, kind, own if says else (*own, Line(last + 1, "Resign")))


def preview(request: Request) -> Order | Settled:
    at = request.place
    return request.help(at.why, at) if isinstance(at, Unrouted) else Order(at, preview=True)
