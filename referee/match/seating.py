"""Who sits where: the roster, the draw, who comes and who goes; their addresses and zones, and who looks on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.core.capabilities import filled
from referee.core.chance import Chance, mixed
from referee.core.game import Setup
from referee.core.options import Options
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Done, Impossible, Verdict
from referee.match.events import Entrant, Entry
from referee.match.match import held_by, vacancies
from referee.match.pen import Pen
from referee.match.sealing import Keys


def entered(history: Iterable[Entry]) -> tuple[dict[int, Entrant], tuple[tuple[int, Entrant], ...]]:
    """Who sits where, and who sat there before, each as the ledger first entered them: addresses that came later are no
    part of it. Before the draw the roster's order numbers the seats."""
    roster: list[Entrant] = []
    seating: tuple[int, ...] = ()
    former: list[tuple[int, Entrant]] = []
    for event in (entry.event for entry in history):
        if isinstance(event, ev.MatchOpened):
            roster = list(event.roster)
        elif isinstance(event, ev.EntrantJoined):
            roster.append(event.entrant)
        elif isinstance(event, ev.EntrantLeft):
            del roster[event.seat - 1]
        elif isinstance(event, ev.MatchBegun):
            seating = event.seating
        elif isinstance(event, ev.EntrantReplaced):
            place = seating.index(event.seat) if seating else event.seat - 1
            former.append((event.seat, roster[place]))
            roster[place] = event.entrant
    numbers = seating or range(1, len(roster) + 1)
    return dict(sorted(zip(numbers, roster, strict=True))), tuple(former)


def begin_when_full(pen: Pen, data: Any, seed: str) -> None:
    """The draw and the game's opening, once nobody is missing (600)."""
    match = pen.match
    if len(match.roster) < match.seats:
        return
    used = mixed(seed, match.beacon) if match.beacon else seed
    chance = Chance(used)
    opening = pen.game.opening(Setup(Options(match.options), data, match.seats), chance)
    pen.write(ev.MatchBegun(opening.seating, seed, chance.transcript))
    if match.version > 1:
        _renew_all(pen)
    pen.happen(opening.events)
    pen.settle()


def _renew_all(pen: Pen) -> None:
    """Letters sent before the draw knew places on the roster only. The draw, and whoever leaves, gives those numbers
    to others, for whom the old reply addresses must not speak."""
    for seat in range(1, pen.match.seats + 1):
        pen.write(ev.ReplyAddressRenewed(seat))


def join(pen: Pen, command: do.Join, keys: Keys) -> Verdict:
    """Somebody without a seat takes a vacant one; the last one to be taken begins a match that is filling."""
    vacant = vacancies(pen.match, pen.game)
    if any(held_by(pen.match, pen.game, address) for address in command.entrant.addresses):
        return Impossible("you have a seat in that match already")
    if vacant and pen.match.inner is None:
        return _entered(pen, command.entrant, keys)
    if not vacant or command.seat not in (None, *vacant):
        return Impossible("that seat is not vacant" if vacant else "no seat of that match is vacant")
    return _taken(pen, command.seat or vacant[0], command.entrant, "")


def step_back(pen: Pen, command: do.StepBack, keys: Keys) -> Verdict:
    """Somebody leaves the roster before the match begins."""
    if pen.match.status != "filling":
        return Impossible("the match has begun")
    pen.write(ev.EntrantLeft(command.seat))
    _renew_all(pen)
    return Done()


def replaced(pen: Pen, command: do.Replace, keys: Keys) -> Verdict:
    """The moderator gives a seat to another person, who has none there."""
    match, game = pen.match, pen.game
    vacant = match.inner is None and command.seat in vacancies(match, game)
    if not vacant and command.seat not in match.numbers:
        return Impossible(f"there is no seat {command.seat}; there are {', '.join(map(str, match.numbers))}")
    others = {s for address in command.entrant.addresses for s in held_by(match, game, address)}
    if others - {command.seat}:
        return Impossible(
            f"that address has seat {min(others)} already, and nobody holds two seats of a match"
        )
    if vacant:
        return _entered(pen, command.entrant, keys)
    return _taken(pen, command.seat, command.entrant, command.why)


def _entered(pen: Pen, entrant: Entrant, keys: Keys) -> Verdict:
    """One more on the roster of a match that is filling."""
    pen.write(ev.EntrantJoined(entrant))
    first = pen.history()[0].event
    assert isinstance(first, ev.MatchOpened)
    begin_when_full(pen, dict(first.data), first.seed or keys.seed(pen.match.name))
    return Done()


def _taken(pen: Pen, seat: int, entrant: Entrant, why: str) -> Verdict:
    """Another person takes the seat; what a left seat held up goes on (104). Answers that are still sealed were the
    first person's own: they are void, and the seat owes again."""
    for r in pen.match.rounds if pen.match.status != "ended" else ():
        for answer in r.answered if r.sealed else ():
            if answer.demand.seat == seat:
                pen.write(ev.AnswerWithdrawn(r.label, answer.demand))
    pen.write(ev.EntrantReplaced(seat, entrant, why))
    if pen.match.inner is not None and pen.match.status != "ended":
        pen.happen(filled(pen.game, pen.match.inner, seat))
        pen.settle()
    return Done()


def renew_reply_address(pen: Pen, command: do.RenewReplyAddress, keys: Keys) -> Verdict:
    """The seat's earlier reply addresses prove nothing any more."""
    pen.write(ev.ReplyAddressRenewed(command.seat))
    return Done()


def add_address(pen: Pen, command: do.AddAddress, keys: Keys) -> Verdict:
    if command.address.casefold() not in (a.casefold() for a in pen.match.entrant(command.seat).addresses):
        pen.write(ev.AddressAdded(command.seat, command.address))
    return Done()


def set_zone(pen: Pen, command: do.SetZone, keys: Keys) -> Verdict:
    if pen.match.entrant(command.seat).zone != command.zone:
        pen.write(ev.ZoneSet(command.seat, command.zone))
    return Done()


def observe(pen: Pen, command: do.Observe, keys: Keys) -> Verdict:
    watching = command.address in pen.match.observers
    if command.stop and watching:
        pen.write(ev.ObserverRemoved(command.address))
    elif not command.stop and not watching:
        pen.write(ev.ObserverAdded(command.address))
    return Done()
