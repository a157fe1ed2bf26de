"""Commands of a seat in its match, and of those who would have one or watch."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.match import commands as do
from referee.match.commands import Impossible
from referee.match.events import Entrant
from referee.match.match import AnyGame, Match, held_by, vacancies
from referee.offices.incoming.commands.clerk import Asked, Clerk, Obeyed, sort_of
from referee.offices.incoming.commands.wishes import absence_span, addressees, time_zone
from referee.offices.incoming.routing import Astray
from referee.offices.people import People

_LONGEST_NAME = 60
_SEAT = re.compile(r"\b(?:player|seat)\s*#?(\d{1,3})\b", re.IGNORECASE)


def join(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """A vacant seat is taken, by an address that has said Yes to it and has no other seat there."""
    match = clerk.named(asked)
    if match is None:
        return None
    if (hindrance := no_way_in(clerk.games[match.game], match, asked)) is not None:
        return clerk.help(asked, hindrance)
    entrant = Entrant(_free_name(match, clerk.games[match.game], asked), (asked.to.address,))
    decision = clerk.decided(asked, match, do.Join(entrant, wished_seat(asked), asked.arrived))
    letter = clerk.speaker.answer("joined", asked.to, asked.now, {}, decision.match, None)
    return "accepted", f"joined {match.name}", (letter,)


def no_way_in(game: AnyGame, match: Match, asked: Asked) -> str | None:
    """Why the sender can't take a seat of the match, as the help letter knows it; None where he can."""
    vacant, seat = vacancies(match, game), wished_seat(asked)
    if held_by(match, game, asked.to.address):
        return "seated"
    if match.inner is None or not vacant:
        return None if vacant else "full"
    return None if seat in (None, *vacant) else "taken"


def wished_seat(asked: Asked) -> int | None:
    """The seat that `join MATCH / Player 2` names."""
    stated = _SEAT.search(asked.argument)
    return int(stated[1]) if stated else None


def observe(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """Public letters of a match, or no more of them."""
    match = clerk.named(asked)
    if match is None:
        return None
    stop = asked.command == "stop"
    decision = clerk.decided(asked, match, do.Observe(asked.to.address, stop))
    letter = clerk.speaker.answer("observing", asked.to, asked.now, {"stop": stop}, decision.match, None)
    return "answered", "stopped observing" if stop else "observes", (letter,)


def set_zone(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """The sender's time zone, for every seat whose letters go to his address or to one that it has proved."""
    if not asked.seats:
        return None
    zone, covered = time_zone(asked.argument), People(asked.unit).proved_by(asked.to.address)
    mine = [at for at in asked.seats if at.match.entrant(at.seat).addresses[0].casefold() in covered]
    for at in mine if zone else ():
        clerk.decided(asked, at.match, do.SetZone(at.seat, zone or "UTC"))
    context = {"zone": zone, "asked": asked.argument, "elsewhere": not mine}
    letter = clerk.speaker.answer("zone", asked.to, asked.now, context, kind=sort_of(bool(zone and mine)))
    return "answered", f"time zone {zone}", (letter,)


def take_absence(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """Away for some days: told to the others, and deadlines move to the end."""
    places = [r for r in clerk.places(asked) if r.match.status in ("open", "paused")]
    if not places:
        return None
    results = []
    for at in places:
        zone = at.match.entrant(at.seat).zone or clerk.offices.timezone
        span = absence_span(asked.argument, zone, asked.now)
        if span is None:
            return clerk.done(asked, "absence_unclear", good=False)
        command = do.TakeAbsence(at.seat, *span, clerk.settings.limits.absence)
        results.append((at, span, clerk.decided(asked, at.match, command).verdict))
    good = any(not isinstance(verdict, Impossible) for _, _, verdict in results)
    return clerk.done(asked, "absence", good=good, results=results, most=clerk.settings.limits.absence)


def send_press(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """Words to other players; what is not understood is never sent to anybody."""
    at = clerk.place(asked)
    if isinstance(at, Astray):
        return clerk.help(asked, at.why, at)
    readers = addressees(asked.argument, at.match.name)
    words = "\n".join(line.text for line in asked.mail.own)
    text = without_addresses(words, at.match, clerk.offices.addresses).strip()
    size, most = len(text.encode()), clerk.settings.limits.largest_press
    if readers is not None and size > most:
        return clerk.done(asked, "press_long", good=False, at=at, size=size, most=most)
    if readers is None or not text:
        topic = "press_empty" if readers is not None else "press_unclear"
        return clerk.done(asked, topic, good=False, at=at)
    command = do.SendPress(
        at.seat, readers, text, clerk.settings.press.talk, clerk.settings.press.beside_sealed
    )
    verdict = clerk.decided(asked, at.match, command).verdict
    return clerk.done(
        asked, "press", good=not isinstance(verdict, Impossible), at=at, seats=readers, text=text,
        verdict=verdict,
    )  # fmt: skip


def renew(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """The reply addresses of earlier letters prove nothing any more."""
    places = clerk.places(asked)
    for at in places:
        clerk.decided(asked, at.match, do.RenewReplyAddress(at.seat))
    return clerk.done(asked, "renewed", places=places) if places else None


def _free_name(match: Match, game: AnyGame, asked: Asked) -> str:
    """The name the sender gives himself, on one line, unlike that of anybody who plays there."""
    given = "".join(c if c.isprintable() else " " for c in asked.to.name.replace("@", " "))
    name = " ".join(given.split())[:_LONGEST_NAME] or asked.to.address.partition("@")[0][:_LONGEST_NAME]
    vacant = vacancies(match, game)
    taken = {match.entrant(n).name.casefold() for n in match.numbers if n not in vacant}
    number = 2
    free = name
    while free.casefold() in taken:
        free, number = f"{name} {number}", number + 1
    return free


def without_addresses(text: str, match: Match, offices: Sequence[str]) -> str:
    """The text with every player's address left out, and of the offices' reply addresses what makes them a player's
    own: press never shows one, not even where somebody writes below his letter's head."""
    for local, _, host in (office.rpartition("@") for office in offices):
        own = rf"{re.escape(local)}\+[\w.=-]{{1,200}}@{re.escape(host)}"
        text = re.sub(own, f"{local}@{host}", text, flags=re.IGNORECASE)
    for address in sorted({a for e in match.roster for a in e.addresses}, key=len, reverse=True):
        text = re.sub(re.escape(address), "(address left out)", text, flags=re.IGNORECASE)
    return text
