"""Requests of a seat in its match, and of those who would have one or watch; and about the sender himself: how his
letters come and where they go, and who else answers for him: a substitute. Whoever has that address is asked; nothing
that the asker gets hangs on whose it is: who could tell a free address from somebody's would learn who plays here."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any, Literal
from zoneinfo import available_timezones

from referee.club.events import AddressChanged
from referee.core.complaint import Line
from referee.core.seam import headings
from referee.core.texts.addresses import address_key
from referee.core.texts.words import without_addresses
from referee.letters.letter import Letter
from referee.letters.replies import address_question
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Impossible, MatchCommand
from referee.match.events import Entrant
from referee.match.handling.seating import called_others, unfit_name
from referee.match.match import Match, held_by, substitute_of
from referee.match.names import name_fault
from referee.offices.register.matches import People
from referee.store.club import ClubWish
from referee.way.case import Case, SeatOrder, Settled
from referee.way.limits import asked_enough
from referee.way.requests.club import join_gathering, withdraw_proposal
from referee.way.requests.days import absence_spans
from referee.way.requests.request import (
    carry_out,
    name_given,
    named_in,
    place_of,
    places_of,
    readable,
    send_help,
    tell,
    tell_done,
    wait_for,
)
from referee.way.requests.telling import status, tell_wishes
from referee.way.routing import Route, Unrouted, named_gathering

_SEAT = re.compile(r"\b(?:player|seat)\s*#?(\d{1,3})\b", re.IGNORECASE)


def join(case: Case) -> Settled | None:
    """A vacant seat is taken, by an address that has said Yes to it and has no other seat there."""
    match = named_in(case)
    if match is None:
        gathering = named_gathering(case.unit, case.mail.tag)
        return join_gathering(case, gathering) if gathering else None
    match = readable(match)
    if (why := hindrance(match, case)) is not None:
        others = called_others(match)
        unfit = name_fault(name_given(case), others) if why == "name" else ""
        return send_help(case, why, facts={"unfit": unfit, "wanted": match.name})
    entrant = Entrant(name_given(case), (case.answering.address,))
    decision = carry_out(case, match, do.Join(entrant, wished_seat(case), (case.since or case.kept.arrived)))
    return tell(case, "joined", f"joined {match.name}", decision.match, disposition="accepted")


def hindrance(match: Match, case: Case) -> str | None:
    """Why the wish for a seat or for letters of the match can't be granted, as the help letter knows it; None where it
    can."""
    if case.room.offices.hindrance(case.answering.address):
        return "unwritable"
    if case.command == "join":
        vacant, seat = match.vacant, wished_seat(case)
        if held_by(match, case.answering.address):
            return "seated"
        if not vacant:
            return "full"
        if match.inner is not None and seat not in (None, *vacant):
            return "taken"
        return "name" if name_fault(name_given(case), called_others(match)) else None
    mine = address_key(case.answering.address)
    others = [address for address in match.observers if address_key(address) != mine]
    return "crowded" if len(others) >= case.room.settings.limits.observers else None


def wished_seat(case: Case) -> int | None:
    """The seat that `join MATCH / Player 2` names."""
    stated = _SEAT.search(case.argument)
    return int(stated[1]) if stated else None


def observe(case: Case) -> Settled | None:
    """Public letters of a match, or no more of them."""
    match = named_in(case)
    if match is None:
        return None
    stop = case.command == "stop"
    if not stop and (why := hindrance(readable(match), case)) is not None:
        return send_help(case, why)
    told = ev.ObserverRemoved if stop else ev.ObserverAdded
    decision = carry_out(case, match, told(case.answering.address))
    reason = "stopped observing" if stop else "observes"
    return tell(case, "unwatched" if stop else "observing", reason, decision.match, stop=stop)


def set_zone(case: Case) -> Settled | None:
    """The sender's time zone, for every seat whose letters go to his address or to one that it has proved."""
    if not case.speaking:
        return None
    zone = _zones().get(
        case.argument.strip().replace(" ", "_").casefold()
    )  # however it is spelt: europe/berlin
    covered = People(case.unit).proved_by(case.answering.address)
    seats = [at for at in case.speaking if at.match.known]
    mine = [at for at in seats if address_key(at.match.entrant(at.seat).addresses[0]) in covered]
    for at in mine if zone else ():
        carry_out(case, at.match, ev.ZoneSet(at.seat, zone or "UTC"))
    kind, asked = "zone" if zone and mine else "no_zone", case.argument
    return tell(case, kind, f"time zone {zone}", zone=zone, asked=asked, elsewhere=not mine)


def take_absence(case: Case) -> Settled | None:
    """Away for some days: told to the others, and deadlines move to the end. They are the same days in all matches: in
    the zone of the first that knows the player's, and told in it."""
    places = [r for r in places_of(case) if r.match.status in ("open", "paused")]
    if not places:
        return None
    known = (zone for at in places if (zone := at.match.entrant(at.seat).zone))
    asked = replace(case, reader=replace(case.answering, zone=next(known, case.answering.zone)))
    said = case.argument or " ".join(line.text for line in case.mail.own)
    spans = absence_spans(said, asked.answering.zone or case.room.offices.timezone, case.now)
    if not spans and (wishing := tell_wishes(case)):
        return case.settled("answered", "an absence to be confirmed", *wishing)
    if len(spans) != 1:
        topic = "absence_which" if spans else "absence_unclear"
        return tell_done(asked, topic, good=False, days=tuple(spans.items()))
    (span,) = spans
    results = []
    for at in places:
        command = do.TakeAbsence(at.seat, *span, case.room.settings.limits.absence)
        results.append((at, span, carry_out(case, at.match, command).verdict))
    good = any(not isinstance(verdict, Impossible) for _, _, verdict in results)
    return tell_done(asked, "absence", good=good, results=results, most=case.room.settings.limits.absence)


def send_press(case: Case) -> Settled | None:
    """Words to other players; what is not understood is never sent to anybody."""
    at, settings = place_of(case), case.room.settings
    if isinstance(at, Unrouted):
        return send_help(case, at.why, at)
    readers = addressees(case.argument, at.match.name)
    words = "\n".join(line.text for line in case.mail.own)
    text = without_addresses(words).strip()
    size, most = len(text.encode()), settings.limits.largest_press
    if readers is not None and size > most:
        return tell_done(case, "press_long", good=False, at=at, size=size, most=most)
    if readers is None or not text:
        topic = "press_empty" if readers is not None else "press_unclear"
        return tell_done(case, topic, good=False, at=at)
    command = do.SendPress(at.seat, readers, text, settings.press.talk, settings.press.beside_sealed)
    verdict = carry_out(case, at.match, command).verdict
    good = not isinstance(verdict, Impossible)
    return tell_done(case, "press", good=good, at=at, seats=readers, text=text, verdict=verdict)


def renew(case: Case) -> Settled | None:
    """The reply addresses of earlier letters prove nothing any more."""
    places = places_of(case)
    for at in places:
        carry_out(case, at.match, ev.ReplyAddressRenewed(at.seat))
    return tell_done(case, "renewed", places=places) if places else None


# --- orders to the game in other words: judged like a mail under its own heading ------------------------------------


def withdraw(case: Case) -> SeatOrder | Settled | None:
    if named_in(case) is None and (gathering := named_gathering(case.unit, case.mail.tag)):
        return withdraw_proposal(case, gathering)
    places = places_of(case)
    holding = [r for r in places if any(a.demand.seat == r.seat for x in r.match.rounds for a in x.answered)]
    holding += [r for r in places if r.match.ahead_of(r.seat) or r.seat in r.match.drafts]
    return SeatOrder((*holding, *places)[0], take_back=True) if places else None


def discard(case: Case) -> SeatOrder | None:
    places = places_of(case)
    drafting = [r for r in places if r.seat in r.match.drafts]
    return SeatOrder((*drafting, *places)[0], take_back=True, draft=True) if places else None


def resign(case: Case) -> SeatOrder | Settled:
    """The word Resign under the game's own heading for it."""
    at, own = place_of(case), case.mail.own
    if isinstance(at, Unrouted):
        return send_help(case, at.why, at)
    kind = headings(case.room.games[at.match.game]).get("Resign")
    last = max((line.number for line in own), default=0)
    says = any(line.text.strip(" .!*_-").casefold() == "resign" for line in own)
    return SeatOrder(at, kind, own if says else (*own, Line(last + 1, "Resign")))


def preview(case: Case) -> SeatOrder | Settled:
    at = place_of(case)
    return send_help(case, at.why, at) if isinstance(at, Unrouted) else SeatOrder(at, preview=True)


_NOBODY = frozenset({"off", "none", "no", "nobody"})
_BUCKET = ": a substitute"
_ADDRESS = re.compile(r"<?[^\s<>]+@[^\s<>]+>?")


def set_format(case: Case) -> Settled | None:
    """Text or HTML only, and whether public letters come once a day."""
    wanted = medium(case.argument) if case.command == "format" else None
    digest = on_or_off(case.argument, "digest") if wanted is None else None
    if not case.speaking or (wanted is None and digest is None):
        return tell_done(case, "format_unclear", good=False) if case.speaking else None
    people = People(case.unit)
    for address in sorted(people.proved_by(case.answering.address)):
        people.wish(address, medium=wanted, digest=digest)
    hour = case.room.settings.limits.digest_hour
    return tell_done(case, "format", medium=wanted, digest=digest, hour=hour)


def wish_of_club(case: Case) -> Settled | None:
    """Whether the sender is rated, and stands on lists; from now on, and for all that was before."""
    wished = on_or_off(case.argument, case.command)
    if wished is None or not case.speaking:
        return tell_done(case, "club_wish_unclear", good=False) if case.speaking else None
    field = "rated" if case.command == "rating" else "listed"
    known = {wish.address: wish for wish in case.unit.club_wishes()}
    for address in sorted(People(case.unit).proved_by(case.answering.address)):
        wish = known.get(address) or ClubWish(address)
        case.unit.wish_of_club(
            wish._replace(rated=wished) if field == "rated" else wish._replace(listed=wished)
        )
    return tell_done(case, "club_wish", field=field, wished=wished)


# --- a new address ------------------------------------------------------------------------------------------------


def change_address(case: Case) -> Settled | None:
    """A new address of the sender's, or, sent from there, that one: it takes along all that is theirs. Who asks has
    proved himself; the new address must say Yes too, and what he hears until then is the same whether it is free or
    somebody's."""
    places = [at for at in case.speaking if at.match.known]
    if not places:
        return None
    new, old = wanted_address(case), case.answering.address
    if new is None:
        plain = not case.room.offices.beyond_ascii
        return tell_done(case, "address_refused", good=False, asked_for=case.argument, plain=plain)
    if all(at.match.entrant(at.seat).addresses[:1] == (new,) for at in places):
        return tell_done(case, "address", new=new, places=places)
    if not case.kept.agreed:
        at, by = places[0], f" by {case.proof.best}"
        bucket = f"address of {at.match.name}/{at.seat}{by}"
        question = _asked(case, at, new, bucket, by, "address") if _is_free(case, new) else None
        return wait_for(case, "address_asked", "the address that it asks for is asked", question, new=new)
    change, persons = AddressChanged(old, new), case.room.persons
    faults = persons.hindrances(case.unit, change, case.now) if _is_free(case, new) else ["It is somebody's."]
    if faults:
        return tell_done(case, "address_taken", good=False, new=new, faults=faults)
    persons.change(case.unit, change, case.now, f"mail {case.answering.identity} AddressChanged")
    told = tell_done(case, "address", new=new, places=places)
    identity = f"{case.answering.identity} there"
    there = replace(case, reader=replace(case.answering, address=new, identity=identity))
    owed = status(there).letters if address_key(new) != case.mail.whose else ()
    return replace(told, letters=(*told.letters, *owed))


def wanted_address(case: Case) -> str | None:
    """The address that a mail asks for: the one it names, or, naming none, its own; None where none can be had."""
    new = mail_address(case.argument) if case.argument else case.mail.sender
    return None if new is None or case.room.offices.hindrance(new) else new


def _is_free(case: Case, new: str) -> bool:
    """Whether the address is nobody's, or the asker's own in all that it has."""
    unit, asker = case.unit, case.answering.address
    own, owner = set(unit.seats_of(asker)), unit.person(new).owner
    known = owner is None or owner in People(unit).proved_by(asker)
    return known and own.issuperset(unit.seats_of(new))


def _asked(
    case: Case, at: Route, address: str, bucket: str, kind: str, asks: Literal["address", "substitute"]
) -> Letter | None:
    """The question to an address; None where it has had enough of that kind within a day, or the seat of those that
    its bucket counts."""
    speaker, identity = case.room.speaker, case.kept.identity
    letter = address_question(speaker, at.match, at.seat, address, identity, case.now, bucket, asks)
    known = case.unit.letter(letter.head.message_id) is not None
    return None if known or asked_enough(case, bucket) or asked_enough(case, kind, address) else letter


# --- a substitute -------------------------------------------------------------------------------------------------


def name_substitute(case: Case) -> Settled | None:
    """Somebody plays on where the sender's seat falls vacant, and stands in while he is away; or nobody any more."""
    at, offices = place_of(case), case.room.offices
    if isinstance(at, Unrouted):
        return send_help(case, at.why, at)
    words = re.split(r"[\s\[\]:,/\"]+", case.argument)  # beside the match's name
    said = " ".join(word for word in words if word and word.casefold() != at.match.name.casefold())
    if said.casefold() in _NOBODY:
        return _substituted(case, at, ev.SubstituteDropped(at.seat), "substitute_dropped")
    address = mail_address(case.argument)
    if address is None or (why := offices.hindrance(address)):
        return tell_done(case, "substitute_refused", good=False, at=at, why=why if address else "")
    name = " ".join(without_addresses(_ADDRESS.sub(" ", said)).split()) or address.partition("@")[0]
    person = Entrant(name, (address,))
    others = [p.name for seat, p in at.match.substitutes.items() if seat != at.seat]
    if (unfit := unfit_name(person, [*called_others(at.match), *others])) is not None:
        return tell_done(case, "substitute_refused", good=False, at=at, why=unfit.why)
    if case.kept.agreed:
        return _substituted(case, at, ev.SubstituteNamed(at.seat, person), "substitute", person=person)
    question = None
    if not (held_by(at.match, address) or substitute_of(at.match, address)):
        bucket = f"{at.match.name}/{at.seat}{_BUCKET}"
        question = _asked(case, at, address, bucket, _BUCKET, "substitute")
    reason = "the substitute that it names is asked"
    return wait_for(case, "substitute_asked", reason, question, at=at, person=person, new=address)


def _substituted(case: Case, at: Route, command: MatchCommand, topic: str, **facts: Any) -> Settled:
    verdict = carry_out(case, at.match, command).verdict
    why = verdict.why if isinstance(verdict, Impossible) else ""
    return tell_done(case, "substitute_refused" if why else topic, good=not why, at=at, why=why, **facts)


_ADDRESS = re.compile(r"<?([^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+\.[^\s@<>,;:\"()\[\]\\.]+)>?")
_ALL = frozenset({"all", "everyone", "everybody", "public"})
_NUMBER_WORDS = frozenset({"player", "players", "seat", "seats", "and", "to", "&", "+", "only"})


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
    named = {
        "both": "both",
        "all": "both",
        "text": "text",
        "plain": "text",
        "plaintext": "text",
        "html": "html",
    }
    found = {named.get(word) for word in text.casefold().replace("-", " ").split()} - {None}
    if found in ({"both"}, {"text", "html"}):
        return "both"
    return "text" if found == {"text"} else "html" if found == {"html"} else None


def on_or_off(text: str, name: str) -> bool | None:
    """`on`, `off`, or the bare name of what is switched, which means on."""
    words = [w for w in text.casefold().split() if w != name]
    if not words:
        return True
    return {"on": True, "yes": True, "off": False, "no": False, "none": False}.get(words[0])
