"""Commands about the sender himself: his addresses, how his letters come, what proves that a mail is his."""

from __future__ import annotations

from dataclasses import replace

from referee.match import commands as do
from referee.offices.incoming.commands.clerk import Asked, Clerk, Obeyed
from referee.offices.incoming.commands.wishes import medium, on_or_off
from referee.offices.people import People

_NOTHING = frozenset({"off", "none", "no", "remove", "delete"})


def add_address(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """A further address of the sender's; or, sent from the new one, that one. Who asks has proved himself; the new
    address must say Yes too, and what he hears until then is the same whether it is free or somebody's."""
    places = clerk.places(asked)
    if not places:
        return None
    unit, asker = asked.unit, asked.to.address
    new = clerk.further.wanted(asked.argument, asked.mail.sender, places)
    if new is None:
        return clerk.done(asked, "address_refused", good=False, asked_for=asked.argument)
    if all(at.seat in at.match.seat_of(new) for at in places):
        return clerk.done(asked, "address", new=new, places=places)
    if not (asked.kept and asked.kept.agreed and clerk.further.free(unit, new, asker)):
        question = clerk.further_question(asked)
        first = replace(
            asked.to, identity=f"{asked.to.identity} asked"
        )  # the mail is answered once more later
        _, _, letters = clerk.done(replace(asked, to=first), "address_asked", new=new, places=places)
        return "held", "the address that it asks for is asked", (*letters, *((question,) if question else ()))
    People(unit).proved(new, asker)
    for at in places:
        clerk.decided(asked, at.match, do.AddAddress(at.seat, new))
    return clerk.done(asked, "address", new=new, places=places)


def set_format(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """Text or HTML only, and whether public letters come once a day."""
    wanted = medium(asked.argument) if asked.command == "format" else None
    digest = on_or_off(asked.argument, "digest") if wanted is None else None
    if not asked.seats or (wanted is None and digest is None):
        return clerk.done(asked, "format_unclear", good=False) if asked.seats else None
    people = People(asked.unit)
    for address in _addresses(asked):
        people.wish(address, medium=wanted, digest=digest)
    return clerk.done(asked, "format", medium=wanted, digest=digest, hour=clerk.settings.limits.digest_hour)


def set_phrase(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """A pass phrase is kept (as a hash), changed, or dropped."""
    if not asked.seats:
        return None
    new = [words for which, words in asked.mail.phrases if which != "old"]
    off = asked.argument.casefold() in _NOTHING
    if not off and (not new or len(new[-1]) < 8):
        return clerk.done(asked, "phrase_unclear", good=False)
    people = People(asked.unit)
    for address in _addresses(asked):
        kept = None if off else clerk.senders.hashed(new[-1], address, asked.to.identity)
        people.guard(address, kept)
    return clerk.done(asked, "phrase", off=off)


def set_key(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """An OpenPGP public key is kept, changed, or dropped."""
    if not asked.seats:
        return None
    off = asked.argument.casefold() in _NOTHING
    if clerk.signatures is None:
        return clerk.done(asked, "key_unsupported", good=False)
    found = None if off else clerk.signatures.certificate(asked.mail.certificate)
    if found is None and not off:
        return clerk.done(asked, "key_unclear", good=False)
    people = People(asked.unit)
    for address in _addresses(asked):
        people.own(address, found.armoured if found else None)
    return clerk.done(asked, "key", off=off, fingerprint=found.fingerprint if found else "")


def _addresses(asked: Asked) -> list[str]:
    """Those for which holds what the sender sets: his own, and those that it has proved."""
    return sorted(People(asked.unit).proved_by(asked.to.address))
