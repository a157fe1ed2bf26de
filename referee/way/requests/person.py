"""Requests about the sender himself: how his letters come, and who else answers for him: a further address, a
substitute. Whoever has that address is asked; nothing that the asker gets hangs on whose it is: who could tell a free
address from somebody's would learn who plays here."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Literal

from referee.core.texts.addresses import address_key
from referee.core.texts.words import without_addresses
from referee.letters.letter import Letter
from referee.letters.questions import address_question
from referee.match import commands as do
from referee.match.commands import Impossible, MatchCommand
from referee.match.events import Entrant
from referee.match.handling.seating import called_others, unfit_name
from referee.match.match import held_by, substitute_of
from referee.offices.register.matches import People
from referee.store.club import ClubWish
from referee.way.case import Settled
from referee.way.requests.request import Request
from referee.way.requests.wishes import mail_address, medium, on_or_off
from referee.way.routing import Route, Unrouted

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
