"""Which match and seat a mail is for: by sender, title, bracketed name, the letter it answers, the stated seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.match.match import Match
from referee.offices.matches import Matches, Unfoldable
from referee.offices.ports.mail import Mail
from referee.offices.ports.store import OutgoingLetter, Unit


@dataclass(frozen=True, slots=True)
class Route:
    """The seat a mail is for."""

    match: Match
    seat: int


@dataclass(frozen=True, slots=True)
class Astray:
    """Why a mail is for no seat, and the seats its sender has (for the help letter)."""

    why: Literal["stranger", "no_seat", "which_match", "which_seat", "unknown_heading", "nothing_asked"]
    seats: tuple[Route, ...] = ()


def answered_letter(unit: Unit, mail: Mail) -> OutgoingLetter | None:
    """The letter of ours that a mail replies to: the latest of its references that we wrote."""
    for reference in reversed(mail.references):
        if (letter := unit.letter(reference)) is not None:
            return letter
    return None


def seats_of(unit: Unit, matches: Matches, address: str) -> tuple[Route, ...]:
    """Every seat of an address, running matches first; none that became another's between two looks at the store."""
    looked = [Route(matches.outline(unit, name), seat) for name, seat in unit.seats_of(address)]
    found = [at for at in looked if not at.match.known or at.seat in at.match.seat_of(address)]
    return tuple(sorted(found, key=lambda route: route.match.status == "ended"))


def route(all_seats: tuple[Route, ...], mail: Mail, replied: OutgoingLetter | None) -> Route | Astray:
    """The one of its sender's seats that the mail is for, or why there is none. A mail for a match that can't be
    folded goes to no other: it raises Unfoldable, and is put aside until the match can be read again."""
    found = _routed(all_seats, mail, replied)
    meant = (found,) if isinstance(found, Route) else found.seats if found.why == "which_seat" else ()
    for choice in meant:
        if not choice.match.known:
            raise Unfoldable(f"{choice.match.name}: the mail waits until its ledger can be folded")
    return found


def _routed(all_seats: tuple[Route, ...], mail: Mail, replied: OutgoingLetter | None) -> Route | Astray:
    if not all_seats:
        return Astray("stranger")
    seats = all_seats
    if mail.tag.game is not None:
        seats = tuple(r for r in seats if r.match.game == mail.tag.game)
        if not seats:
            return Astray("no_seat", all_seats)
    brackets = {b.casefold() for b in mail.tag.brackets}
    if elsewhere := tuple(r for r in all_seats if r not in seats and r.match.name.casefold() in brackets):
        return Astray("which_match", (*elsewhere, *seats))
    named = [r for r in seats if r.match.name.casefold() in brackets]
    replying = [r for r in seats if replied and replied.match == r.match.name]
    running = [r for r in seats if r.match.status != "ended"]
    for choice in (named, replying, running, list(seats)):
        if choice:
            return _one(choice, mail, replied)
    return Astray("no_seat", all_seats)


def _one(choice: list[Route], mail: Mail, replied: OutgoingLetter | None) -> Route | Astray:
    """One of the seats left: by the match, then by the seat stated, then by the letter answered."""
    if len({r.match.name for r in choice}) > 1:
        stated = [r for r in choice if r.seat == mail.tag.stated.get("seat")]
        if len(stated) == 1 and mail.tag.game is None:
            return stated[0]
        return Astray("which_match", tuple(choice))
    if len(choice) == 1:
        return choice[0]
    wanted = mail.tag.stated.get("seat") or (replied.seat if replied else None)
    fitting = [r for r in choice if r.seat == wanted]
    return fitting[0] if fitting else Astray("which_seat", tuple(choice))
