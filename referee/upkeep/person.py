"""Who a person is to the referee: his addresses and names, the matches he has or had to do with, his words in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from referee.base.errors import CannotDo
from referee.club.events import CODEC, guests_in
from referee.core.texts.addresses import address_key
from referee.match import events as ev
from referee.match.events import Entrant, Entry
from referee.match.fold import applied
from referee.match.match import UNOPENED, Match
from referee.offices.register.people import People
from referee.service.wiring import Referee
from referee.store.sql import Unit
from referee.store.tables import club_ledger, inbox


@dataclass(frozen=True, slots=True)
class Identity:
    """`addresses` are as addresses are compared; `matches` are those in which he sits, sat, or looks on."""

    addresses: frozenset[str]
    names: frozenset[str]
    matches: tuple[str, ...]

    def has(self, entrant: Entrant) -> bool:
        return not self.addresses.isdisjoint(map(address_key, entrant.addresses))

    def seats(self, match: Match) -> tuple[int, ...]:
        return tuple(n for n in match.numbers if self.has(match.entrant(n)))


def identity(referee: Referee, unit: Unit, address: str) -> Identity:
    """The addresses that have proved to be one person's, those of a seat with one of them, and what they say of him.
    Raises CannotDo where the referee knows nothing of him."""
    addresses = set(People(unit).proved_by(address))
    matches = [referee.parts.matches.outline(unit, name) for name in unit.names()]
    people = [person for match in matches for person in _people(match)] + list(_guests(unit))
    for person in people * 2:  # an address may lead to a seat whose further address leads to another
        if not addresses.isdisjoint(map(address_key, person.addresses)):
            addresses.update(map(address_key, person.addresses))
    found = Identity(
        frozenset(addresses),
        frozenset(p.name for p in people if not addresses.isdisjoint(map(address_key, p.addresses))),
        tuple(m.name for m in matches if _concerns(m, addresses)),
    )
    sent = sa.select(inbox.c.id).where(inbox.c.sender.in_(addresses)).limit(1)
    if not found.matches and not found.names and unit.connection.execute(sent).first() is None:
        raise CannotDo(f"Nothing is kept of {address}.")
    return found


def _people(match: Match) -> Iterator[Entrant]:
    yield from match.roster
    yield from (former.entrant for former in match.former)


def _guests(unit: Unit) -> Iterator[Entrant]:
    """Whoever is named in a ledger of the club."""
    for (body,) in unit.connection.execute(sa.select(club_ledger.c.body)):
        for guest in guests_in(CODEC.decode(json.loads(body))):
            yield Entrant(guest.name, (guest.address,), guest.zone)


def _concerns(match: Match, addresses: set[str]) -> bool:
    there = {address_key(a) for person in _people(match) for a in person.addresses}
    return not addresses.isdisjoint(there | set(map(address_key, match.observers)))


def followed(referee: Referee, match: Match, history: list[Entry]) -> Iterator[tuple[Entry, Match]]:
    """Every entry with the match before it (of the first: after it)."""
    game = referee.games[match.game]
    then = applied(game, UNOPENED, history[0], tuple)
    yield history[0], then
    for entry in history[1:]:
        yield entry, then
        then = applied(game, then, entry, lambda: history)


def his_words(entry: Entry, then: Match, who: Identity) -> bool:
    """Whether the stimulus that begins with the entry is his doing."""
    match entry.event:
        case ev.Answered(demand=demand) | ev.DraftKept(demand=demand):
            return demand.seat in who.seats(then)
        case ev.PressSent(seat=seat) | ev.SaidToOne(seat=seat):
            return seat in who.seats(then)
    return False
