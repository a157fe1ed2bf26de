"""Requests of a seat in its match, and of those who would have one or watch; and about the sender himself: how his
letters come, and who else answers for him: a further address, a substitute. Whoever has that address is asked; nothing
that the asker gets hangs on whose it is: who could tell a free address from somebody's would learn who plays here."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any, Literal
from zoneinfo import available_timezones

from referee.core.complaint import Line
from referee.core.seam import headings
from referee.core.texts.addresses import address_key
from referee.core.texts.words import without_addresses
from referee.letters.letter import Letter
from referee.letters.questions import address_question
from referee.match import commands as do
from referee.match.commands import Impossible, MatchCommand
from referee.match.events import Entrant
from referee.match.handling.seating import called_others, unfit_name
from referee.match.match import Match, held_by, substitute_of
from referee.match.names import name_fault
from referee.offices.register.matches import People
from referee.store.club import ClubWish
from referee.way import telling as wished
from referee.way.case import Order, Settled
from referee.way.club import join_proposal, withdraw_proposal
from referee.way.days import absence_spans
from referee.way.request import Request, readable
from referee.way.routing import Route, Unrouted, named_gathering

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


MOST = 5  # addresses of one seat
_DAY = timedelta(days=1)
_NOBODY = frozenset({"off", "none", "no", "nobody"})
_BUCKET = ": a substitute"
_ADDRESS = re.compile(r"<?[^\s<>]+@[^\s<>]+>?")


def set_format(request: Request) -> Settled | None:
    """Text or HTML only, and whether public letters come once a day."""
    wanted = medium(request.argument) if request.command == "format" else None
    digest = on_or_off(request.argument, "digest") if wanted is None else None
    if not request.seats or (wanted is None and digest is None):
        return request.done("format_unclear", good=False) if request.seats else None
    people = People(request.unit)
    for address in _addresses(request):
        people.wish(address, medium=wanted, digest=digest)
    hour = request.room.settings.limits.digest_hour
    return request.done("format", medium=wanted, digest=digest, hour=hour)


def wish_of_club(request: Request) -> Settled | None:
    """Whether the sender is rated, and stands on lists; from now on, and for all that was before."""
    wished = on_or_off(request.argument, request.command)
    if wished is None or not request.seats:
        return request.done("club_wish_unclear", good=False) if request.seats else None
    rating = request.command == "rating"
    known = {wish.address: wish for wish in request.unit.club_wishes()}
    for address in _addresses(request):
        wish = known.get(address) or ClubWish(address)
        wish = wish._replace(rated=wished) if rating else wish._replace(listed=wished)
        request.unit.wish_of_club(wish)
    return request.done("club_wish", field="rated" if rating else "listed", wished=wished)


def _addresses(request: Request) -> list[str]:
    """Those for which holds what the sender sets: his own, and those that it has proved."""
    return sorted(People(request.unit).proved_by(request.to.address))


# --- a further address --------------------------------------------------------------------------------------------


def add_address(request: Request) -> Settled | None:
    """A further address of the sender's; or, sent from the new one, that one. Who asks has proved himself; the new
    address must say Yes too, and what he hears until then is the same whether it is free or somebody's."""
    places = request.places
    if not places:
        return None
    new = _wanted(request, places)
    if new is None:
        plain = not request.room.offices.beyond_ascii
        return request.done("address_refused", good=False, asked_for=request.argument, plain=plain)
    if all(at.seat in at.match.seat_of(new) for at in places):
        return request.done("address", new=new, places=places)
    if not (request.case.kept.agreed and _is_free(request, new)):
        question, reason = further_question(request), "the address that it asks for is asked"
        return request.waits("address_asked", reason, question, new=new, places=places)
    People(request.unit).proved(new, request.to.address)
    for at in places:
        request.carry_out(at.match, do.AddAddress(at.seat, new))
    return request.done("address", new=new, places=places)


def further_question(request: Request) -> Letter | None:
    """The question to the further address that a mail asks for; None where none can be had, where it is somebody's, or
    where it or the asker has had enough of such letters within a day."""
    places, by = request.places, f" by {request.case.proof.best}"
    new = _wanted(request, places)
    if new is None or not places or request.case.kept.agreed or not _is_free(request, new):
        return None
    at = places[0]
    return _asked(request, at, new, f"address of {at.match.name}/{at.seat}{by}", by, "address")


def _wanted(request: Request, places: tuple[Route, ...]) -> str | None:
    """The address that a mail asks for: the one it names, or, naming none, its own; None where none can be had."""
    new = mail_address(request.argument) if request.argument else request.case.mail.sender
    there = all(new is not None and at.seat in at.match.seat_of(new) for at in places)
    full = not there and any(len(at.match.entrant(at.seat).addresses) >= MOST for at in places)
    return None if new is None or full or request.room.offices.hindrance(new) else new


def _is_free(request: Request, new: str) -> bool:
    """Whether the address is nobody's, or the asker's own in all that it has."""
    unit, asker = request.unit, request.to.address
    own, owner = set(unit.seats_of(asker)), unit.person(new).owner
    known = owner is None or owner in People(unit).proved_by(asker)
    return known and own.issuperset(unit.seats_of(new))


def _asked(
    request: Request, at: Route, address: str, bucket: str, kind: str, asks: Literal["address", "substitute"]
) -> Letter | None:
    """The question to an address; None where it has had enough of that kind within a day, or the seat of those that
    its bucket counts."""
    unit, since, speaker = request.unit, request.now - _DAY, request.room.speaker
    unit.hold("person", address_key(address))
    unit.hold("bucket", bucket)
    told = max(unit.bucket_since(bucket, since), unit.bucket_since(kind, since, address))
    identity = request.case.kept.identity
    letter = address_question(speaker, at.match, at.seat, address, identity, request.now, bucket, asks)
    known = unit.letter(letter.head.message_id) is not None
    return letter if told < request.room.settings.senders.challenges_a_day and not known else None


# --- a substitute -------------------------------------------------------------------------------------------------


def name_substitute(request: Request) -> Settled | None:
    """Somebody plays on where the sender's seat falls vacant, and stands in while he is away; or nobody any more."""
    at, offices = request.place, request.room.offices
    if isinstance(at, Unrouted):
        return request.help(at.why, at)
    words = re.split(r"[\s\[\]:,/\"]+", request.argument)  # beside the match's name
    said = " ".join(word for word in words if word and word.casefold() != at.match.name.casefold())
    if said.casefold() in _NOBODY:
        return _substituted(request, at, do.DropSubstitute(at.seat), "substitute_dropped")
    address = mail_address(request.argument)
    if address is None or (why := offices.hindrance(address)):
        return request.done("substitute_refused", good=False, at=at, why=why if address else "")
    name = " ".join(without_addresses(_ADDRESS.sub(" ", said)).split()) or address.partition("@")[0]
    person = Entrant(name, (address,))
    others = [p.name for seat, p in at.match.substitutes.items() if seat != at.seat]
    if (unfit := unfit_name(person, [*called_others(at.match), *others])) is not None:
        return request.done("substitute_refused", good=False, at=at, why=unfit.why)
    if request.case.kept.agreed:
        return _substituted(request, at, do.NameSubstitute(at.seat, person), "substitute", person=person)
    question = None
    if not (held_by(at.match, address) or substitute_of(at.match, address)):
        bucket = f"{at.match.name}/{at.seat}{_BUCKET}"
        question = _asked(request, at, address, bucket, _BUCKET, "substitute")
    reason = "the substitute that it names is asked"
    return request.waits("substitute_asked", reason, question, at=at, person=person, new=address)


def _substituted(request: Request, at: Route, command: MatchCommand, topic: str, **facts: Any) -> Settled:
    verdict = request.carry_out(at.match, command).verdict
    why = verdict.why if isinstance(verdict, Impossible) else ""
    return request.done("substitute_refused" if why else topic, good=not why, at=at, why=why, **facts)


_ADDRESS = re.compile(r"<?([^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+\.[^\s@<>,;:\"()\[\]\\.]+)>?")
_ALL = frozenset({"all", "everyone", "everybody", "public"})
_NUMBER_WORDS = frozenset({"player", "players", "seat", "seats", "and", "to", "&", "+", "only"})


def time_zone(text: str) -> str | None:
    """A zone of the tz database, however it is spelt: `europe/berlin`, `America/New York`."""
    return _zones().get(text.strip().replace(" ", "_").casefold())


@cache
def _zones() -> dict[str, str]:
    """The zones by their names in small letters; to list them takes longer than to answer a mail."""
    return {zone.casefold(): zone for zone in available_timezones()}


def addressees(text: str, match: str) -> tuple[int, ...] | None:
    """The players that `Player 2, Player 3` names; empty for all. None where any word is not understood."""
    words = re.split(r"[\s,;/:]+", text.replace("[", " ").replace("]", " ").casefold())
    words = [w for w in words if w and w != match.casefold()]
    numbers: list[int] = []
    everybody = not words
    for word in words:
        if word.isascii() and word.isdigit() and len(word) < 4:
            numbers.append(int(word))
        elif word in _ALL:
            everybody = True
        elif word not in _NUMBER_WORDS:
            return None
    if everybody == bool(numbers):
        return None
    return tuple(sorted(set(numbers)))


def mail_address(text: str) -> str | None:
    """The one mail address in the text."""
    found = _ADDRESS.findall(text)
    return found[0] if len(found) == 1 and len(found[0]) <= 254 else None


def medium(text: str) -> Literal["both", "text", "html"] | None:
    """What letters should hold."""
    words = text.casefold().replace("-", " ").split()
    kinds: dict[str, Literal["both", "text", "html"]] = {
        "text": "text",
        "plain": "text",
        "plaintext": "text",
        "html": "html",
        "both": "both",
        "all": "both",
    }
    said = {kinds[word] for word in words if word in kinds}
    return said.pop() if len(said) == 1 else "both" if said == {"text", "html"} else None


def on_or_off(text: str, name: str) -> bool | None:
    """`on`, `off`, or the bare name of what is switched, which means on."""
    words = [w for w in text.casefold().split() if w != name]
    if not words:
        return True
    return {"on": True, "yes": True, "off": False, "no": False, "none": False}.get(words[0])
