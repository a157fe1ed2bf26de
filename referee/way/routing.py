"""Which of its sender's seats a mail is for: by its subject, by the letter it answers, by what runs.
One rule for the desk and for workers, who have rows of matches and ask which mails go in order."""

import re
from collections.abc import Collection, Sequence
from typing import Final, Literal

from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.letter import Letter, Offered, decoded
from referee.letters.verdicts import Route
from referee.mail.mail import Identified, Mail, Tag
from referee.match.match import Match
from referee.moderation.orders import verb_of
from referee.offices.register import Matches, Unfoldable, outline_of
from referee.store.sql import Unit

NOBODY = "from nobody"
_NUMBER: Final = re.compile(r"\W{0,3}(?:no\.? |nr\.? |number )?(\d)\W{0,3}", re.IGNORECASE)


class Unrouted(Value):
    """Why a mail is for no seat, and the seats its sender has (for the help letter)."""

    why: Literal["stranger", "no_seat", "which_match", "which_seat", "unknown_heading", "nothing_asked"]
    seats: tuple[Route, ...] = ()


def answered_letter(unit: Unit, references: Sequence[str]) -> Letter | None:
    """The letter of ours that a mail replies to: the latest of its references that we wrote; in the
    bucket in which it still counts."""
    rows = filter(None, map(unit.letter, reversed(references)))
    return next((decoded(row).counted(bucket=row.bucket) for row in rows), None)


def seats_of(unit: Unit, matches: Matches, address: str) -> tuple[Route, ...]:
    """Every seat of an address, running matches first; none that became another's between two looks at the store."""
    looked = [Route(matches.outline(unit, name), seat) for name, seat in unit.seats_of(address)]
    found = [at for at in looked if not at.match.known or at.seat in at.match.seat_of(address)]
    return tuple(sorted(found, key=lambda route: route.match.status == "ended"))


def seats_of_tokens(unit: Unit, tokens: Collection[str]) -> list[tuple[str, int]]:
    """The seats whose reply addresses a mail was written to, by match."""
    return sorted({place for token in tokens if (place := unit.seat_of_token(token)) is not None})


# --- the seat -------------------------------------------------------------------------------------


def seat_meant(seats: tuple[Route, ...], mail: Mail, replied: Letter | None) -> Route | Unrouted:
    """The one of its sender's seats that the mail is for, or why there is none. A mail for a match that can't be
    folded goes to no other: it raises Unfoldable, and is put aside until the match can be read again."""
    found = route(seats, mail.tag, replied)
    if (at := _certain(found)) is not None:
        readable(at.match)
    return found


def _certain(found: Route | Unrouted) -> Route | None:
    """A seat of the match that is meant, where that is known."""
    if isinstance(found, Unrouted):
        return found.seats[0] if found.why == "which_seat" else None
    return found


def readable(match: Match) -> Match:
    """The match. Raises Unfoldable where there is but the outline: the mail waits until it can be read."""
    if not match.known:
        raise Unfoldable(f"{match.name}: the mail waits until its ledger can be folded")
    return match


def route(all_seats: tuple[Route, ...], tag: Tag, replied: Letter | None) -> Route | Unrouted:
    """The seat that the subject and the letter answered mean: by the match, then by the seat
    stated, then by the letter answered."""
    if not all_seats:
        return Unrouted("stranger")
    seats = all_seats
    if tag.game is not None and not (seats := tuple(r for r in seats if r.match.game == tag.game)):
        return Unrouted("no_seat", all_seats)
    brackets = {b.casefold() for b in tag.brackets}
    if tag.game is None and tag.command is None:
        brackets.add(tag.heading.casefold())  # a subject that is but the name of the match
    if elsewhere := tuple(r for r in all_seats if r not in seats and r.match.name.casefold() in brackets):
        return Unrouted("which_match", (*elsewhere, *seats))
    named = [r for r in seats if r.match.name.casefold() in brackets]
    replying = [r for r in seats if replied and replied.match == r.match.name]
    running = [r for r in seats if r.match.status != "ended"]
    choice = next(filter(None, (named, replying, running)), list(seats))
    if len({r.match.name for r in choice}) > 1:
        stated = [r for r in choice if r.seat == tag.stated.get("seat")]
        return stated[0] if len(stated) == 1 and tag.game is None else Unrouted("which_match", tuple(choice))
    wanted = tag.stated.get("seat") or (replied.seat if replied else None)
    fitting = choice if len(choice) == 1 else [r for r in choice if r.seat == wanted]
    return fitting[0] if fitting else Unrouted("which_seat", tuple(choice))


# --- one of what a letter offers ------------------------------------------------------------------


def picked(mail: Mail) -> int | None:
    """The number that is all the sender's own words, by which he picks one of what the letter he replies to offers."""
    own = [line for line in mail.own if line.text.strip()]
    found = _NUMBER.fullmatch(own[0].text.strip()) if len(own) == 1 else None
    return int(found[1]) if found else None


def picked_match(mail: Mail, offered: Sequence[Offered]) -> Offered | None:
    """Of what a letter offers that asks for which match a mail was, the answer that its reader picks: by its number, by
    OK where there is but one, or by the name of the match in a subject above no words of his own."""
    offers = [one for one in offered if one.match]
    brackets, said = {b.casefold() for b in mail.tag.brackets}, any(line.text.strip() for line in mail.own)
    if not said and (named := [one for one in offers if one.match.casefold() in brackets]):
        return named[0]
    number = picked(mail) or (1 if mail.agrees and len(offers) == 1 else 0)
    return offers[number - 1] if 0 < number <= len(offers) else None


# --- the ordering key -----------------------------------------------------------------------------


def key_of(unit: Unit, mail: Identified | Mail) -> str:
    """The mails of one key are judged one after another: those for one match, by its name; those
    that name no single one, by their sender; those that could not be looked at. A guess at worst:
    whoever judges the mail gives it another key where this one proves wrong."""
    if (tag := mail.tag) is None:
        return NOBODY
    replied = answered_letter(unit, mail.references)
    if replied is not None and replied.kind == "challenge" and replied.match:
        return replied.match
    offers = replied.reply.offers if replied is not None and not replied.match else ()
    if isinstance(mail, Mail) and (offered := picked_match(mail, offers)) is not None:
        return offered.match
    if tag.command is not None and tag.kind is None and (named := named_match(unit, tag)):
        return named
    invited = next(filter(None, map(unit.invitation, mail.tokens)), None)
    if gathering := invited.gathering if invited else named_gathering(unit, tag):
        return key_of_gathering(gathering)
    if tag.game is None and verb_of(tag.text) and (ordered := named_match(unit, tag, *tag.text.split())):
        return ordered
    own = unit.seats_of(mail.sender) if mail.sender else []
    places = own or seats_of_tokens(unit, mail.tokens)
    rows = {row.name: outline_of(row) for row in unit.summaries({name for name, _ in places})}
    seats = tuple(Route(rows[name], seat) for name, seat in places if name in rows)
    found = _certain(route(seats, tag, replied))
    return key_of_person(mail.sender) if found is None else found.match.name


def named_gathering(unit: Unit, tag: Tag) -> str | None:
    """The first gathering that a bracket, or a word of a command's argument, names."""
    words = (*tag.brackets, *tag.argument.replace("/", " ").split()) if tag.command is not None else ()
    return next((word.lower() for word in words if unit.gathering(word.lower()) is not None), None)


def key_of_gathering(name: str) -> str:
    """The key of what is about a gathering of the club."""
    return f"club {name}"


def key_of_person(address: str | None) -> str:
    """The key of what is written to no single match. No match has a name with a blank in it."""
    return f"from {address_key(address)}" if address else NOBODY


def named_match(unit: Unit, tag: Tag, *further: str) -> str | None:
    """The first match that a bracket, a word of a command's argument or one of the further words names."""
    argument = tag.argument.strip()
    words = (*tag.brackets, argument.strip("[] "), *argument.replace("/", " ").split(), *further)
    there = {row.name for row in unit.summaries(filter(None, words))}
    return next((word for word in words if word in there), None)
