"""Commands of a seat in its match, and of those who would have one or watch."""

from __future__ import annotations

import re

from referee.match import commands as do
from referee.match.decide import joined
from referee.match.events import Entrant
from referee.match.match import Match
from referee.match.verdicts import Impossible
from referee.offices.commands.clerk import Asked, Clerk, Obeyed, sort_of
from referee.offices.routing import Astray
from referee.offices.wishes import absence_span, addressees, time_zone

_LONGEST_NAME = 60


def join(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """A vacant seat is taken (contract: `open --vacant`)."""
    match = clerk.named(asked)
    if match is None:
        return None
    if match.status != "filling" or match.seat_of(asked.to.address):
        return clerk.help(asked, "seated" if match.seat_of(asked.to.address) else "full")
    entrant = Entrant(_free_name(match, asked), (asked.to.address,))
    game, keys = clerk.games[match.game], clerk.speaker.keys
    decision = joined(
        game, match, do.Join(entrant, asked.arrived), asked.now, keys, lambda: asked.unit.history(match.name)
    )
    clerk.registry.record(asked.unit, match, decision, f"mail {asked.to.identity}", asked.now)
    letter = clerk.speaker.answer("joined", asked.to, asked.now, {}, decision.match, None)
    return "accepted", f"joined {match.name}", (letter,)


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
    """The sender's time zone, for every seat he holds."""
    if not asked.seats:
        return None
    zone = time_zone(asked.argument)
    for at in asked.seats if zone else ():
        clerk.decided(asked, at.match, do.SetZone(at.seat, zone or "UTC"))
    letter = clerk.speaker.answer(
        "zone", asked.to, asked.now, {"zone": zone, "asked": asked.argument}, kind=sort_of(bool(zone))
    )
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
        command = do.TakeAbsence(at.seat, *span, clerk.policy.absence)
        results.append((at, span, clerk.decided(asked, at.match, command).verdict))
    good = any(not isinstance(verdict, Impossible) for _, _, verdict in results)
    return clerk.done(asked, "absence", good=good, results=results, most=clerk.policy.absence)


def send_press(clerk: Clerk, asked: Asked) -> Obeyed | None:
    """Words to other players; what is not understood is never sent to anybody."""
    at = clerk.place(asked)
    if isinstance(at, Astray):
        return clerk.help(asked, at.why, at)
    readers = addressees(asked.argument, at.match.name)
    text = without_addresses("\n".join(line.text for line in asked.mail.own), at.match).strip()
    if readers is None or not text:
        topic = "press_empty" if readers is not None else "press_unclear"
        return clerk.done(asked, topic, good=False, at=at)
    command = do.SendPress(at.seat, readers, text, clerk.policy.talk, clerk.policy.talk_beside_sealed)
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


def _free_name(match: Match, asked: Asked) -> str:
    """The name the sender gives himself, on one line, unlike any that somebody has there already."""
    given = "".join(c if c.isprintable() else " " for c in asked.to.name.replace("@", " "))
    name = " ".join(given.split())[:_LONGEST_NAME] or asked.to.address.partition("@")[0][:_LONGEST_NAME]
    taken = {e.name.casefold() for e in match.roster}
    number = 2
    free = name
    while free.casefold() in taken:
        free, number = f"{name} {number}", number + 1
    return free


def without_addresses(text: str, match: Match) -> str:
    """The text with every player's address left out: press never shows one."""
    for address in sorted({a for e in match.roster for a in e.addresses}, key=len, reverse=True):
        text = re.sub(re.escape(address), "(address left out)", text, flags=re.IGNORECASE)
    return text
