"""Requests about the sender himself: his addresses, how his letters come, what proves that a mail is his."""

from __future__ import annotations

from referee.match import commands as do
from referee.offices.incoming.case import Settled
from referee.offices.incoming.requests.request import Request, Requests
from referee.offices.incoming.requests.wishes import medium, on_or_off
from referee.offices.register.people import People
from referee.store.club import ClubWish

_NOTHING = frozenset({"off", "none", "no", "remove", "delete"})


def add_address(requests: Requests, request: Request) -> Settled | None:
    """A further address of the sender's; or, sent from the new one, that one. Who asks has proved himself; the new
    address must say Yes too, and what he hears until then is the same whether it is free or somebody's."""
    places = requests.places(request)
    if not places:
        return None
    unit, asker = request.unit, request.to.address
    new = requests.further.wanted(request.argument, request.case.mail.sender, places)
    if new is None:
        plain = not requests.offices.beyond_ascii
        return requests.done(request, "address_refused", good=False, asked_for=request.argument, plain=plain)
    if all(at.seat in at.match.seat_of(new) for at in places):
        return requests.done(request, "address", new=new, places=places)
    if not (request.case.kept.agreed and requests.further.free(unit, new, asker)):
        question = requests.further_question(request)
        reason = "the address that it asks for is asked"
        return requests.waits(request, "address_asked", reason, question, new=new, places=places)
    People(unit).proved(new, asker)
    for at in places:
        requests.carry_out(request, at.match, do.AddAddress(at.seat, new))
    return requests.done(request, "address", new=new, places=places)


def set_format(requests: Requests, request: Request) -> Settled | None:
    """Text or HTML only, and whether public letters come once a day."""
    wanted = medium(request.argument) if request.command == "format" else None
    digest = on_or_off(request.argument, "digest") if wanted is None else None
    if not request.seats or (wanted is None and digest is None):
        return requests.done(request, "format_unclear", good=False) if request.seats else None
    people = People(request.unit)
    for address in _addresses(request):
        people.wish(address, medium=wanted, digest=digest)
    return requests.done(
        request, "format", medium=wanted, digest=digest, hour=requests.settings.limits.digest_hour
    )


def set_phrase(requests: Requests, request: Request) -> Settled | None:
    """A pass phrase is kept (as a hash), changed, or dropped."""
    if not request.seats:
        return None
    new = [words for which, words in request.case.mail.phrases if which != "old"]
    off = request.argument.casefold() in _NOTHING
    if not off and (not new or len(new[-1]) < 8):
        return requests.done(request, "phrase_unclear", good=False)
    people = People(request.unit)
    for address in _addresses(request):
        kept = None if off else requests.senders.hashed(new[-1], address, request.to.identity)
        people.guard(address, kept)
    return requests.done(request, "phrase", off=off)


def set_key(requests: Requests, request: Request) -> Settled | None:
    """An OpenPGP public key is kept, changed, or dropped."""
    if not request.seats:
        return None
    off = request.argument.casefold() in _NOTHING
    if requests.signatures is None:
        return requests.done(request, "key_unsupported", good=False)
    found = None if off else requests.signatures.certificate(request.case.mail.certificate)
    if found is None and not off:
        return requests.done(request, "key_unclear", good=False)
    people = People(request.unit)
    for address in _addresses(request):
        people.own(address, found.armoured if found else None)
    return requests.done(request, "key", off=off, fingerprint=found.fingerprint if found else "")


def wish_of_club(requests: Requests, request: Request) -> Settled | None:
    """Whether the sender is rated, and stands on lists; from now on, and for all that was before."""
    wished = on_or_off(request.argument, request.command)
    if wished is None or not request.seats:
        return requests.done(request, "club_wish_unclear", good=False) if request.seats else None
    rating = request.command == "rating"
    known = {wish.address: wish for wish in request.unit.club_wishes()}
    for address in _addresses(request):
        wish = known.get(address) or ClubWish(address)
        wish = wish._replace(rated=wished) if rating else wish._replace(listed=wished)
        request.unit.wish_of_club(wish)
    return requests.done(request, "club_wish", field="rated" if rating else "listed", wished=wished)


def _addresses(request: Request) -> list[str]:
    """Those for which holds what the sender sets: his own, and those that it has proved."""
    return sorted(People(request.unit).proved_by(request.to.address))
