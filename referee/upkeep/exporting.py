"""All that the referee keeps of a person (his addresses and names, the matches he has or had to do with, his words in
them), in one file for him: `person.json`, his mails, the letters to him.

Of what a sealed round hides until its reveal nothing is in it but sender, match and reason of a mail: the file leaves
the referee, and may be asked for by whoever writes in his name.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from referee.base.errors import CannotDo
from referee.base.private import private_file
from referee.club.events import CODEC, OfAddress, guests_in
from referee.core.texts.addresses import address_key
from referee.match import events as ev
from referee.match.events import Entrant, Entry
from referee.match.fold import applied, fold
from referee.match.match import UNOPENED, Match
from referee.offices.outgoing.letters import decoded
from referee.offices.register.facts import moment
from referee.offices.register.people import People
from referee.service.wiring import Referee
from referee.store.sql import Unit
from referee.store.tables import club_ledger, inbox, outbox


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


def exported(referee: Referee, address: str, file: Path) -> dict[str, Any]:
    """Write the file, for its owner alone; what stands in its `person.json`. Raises CannotDo."""
    with referee.store.transaction() as unit:
        who = identity(referee, unit, address)
        matches = [_match(referee, unit, name, who) for name in who.matches]
        hidden = [referee.parts.matches.outline(unit, name) for name in who.matches]
        private_file(file)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as into:
            facts = {
                "addresses": sorted(who.addresses),
                "names": sorted(who.names),
                "settings": [_settings(unit, one) for one in sorted(who.addresses)],
                "matches": matches,
                "club": list(_club(unit, who)),
                "mails": list(_mails(referee, unit, who, into)),
                "letters": list(_letters(referee, unit, who, hidden, into)),
            }
            into.writestr("person.json", json.dumps(facts, ensure_ascii=False, indent=1))
    return facts


def _club(unit: Unit, who: Identity) -> Iterator[dict[str, Any]]:
    """Where he was named, asked or entered, and what he said to it; of others nothing."""
    rows = sa.select(club_ledger).order_by(club_ledger.c.gathering, club_ledger.c.version)
    for row in unit.connection.execute(rows):
        event = CODEC.decode(json.loads(row.body))
        named = {address_key(g.address) for g in guests_in(event)}
        named |= {event.address} if isinstance(event, OfAddress) else set()
        if not who.addresses.isdisjoint(named):
            yield {"gathering": row.gathering, "at": moment(row.at), "is": row.kind}


def _settings(unit: Unit, address: str) -> dict[str, Any]:
    person = unit.person(address)
    return {**person._asdict(), "failing": moment(person.failing)}


def _match(referee: Referee, unit: Unit, name: str, who: Identity) -> dict[str, Any]:
    """The seats he has or had, and what he did and said there, but for what is still sealed."""
    history = unit.history(name)
    match = fold(referee.games.__getitem__, history)
    sealed = {r.label for r in match.rounds if r.sealed}
    deeds = []
    for entry, then in followed(referee, match, history):
        event = entry.event
        if isinstance(event, ev.Answered) and event.sealed and event.label in sealed:
            continue
        if isinstance(event, ev.Answered | ev.PressSent | ev.SaidToOne) and his_words(entry, then, who):
            at, what = moment(entry.at), entry.body["is"]
            deeds.append({"position": entry.position, "at": at, "is": what, "text": event.text})
    former = [{"seat": f.seat, "until": moment(f.until)} for f in match.former if who.has(f.entrant)]
    seats = [
        {"seat": n, "name": there.name, "zone": there.zone, "language": match.languages.get(n, "")}
        for n in who.seats(match)
        for there in (match.entrant(n),)
    ]
    return {"match": name, "seats": seats, "former": former, "said": deeds}


def _mails(referee: Referee, unit: Unit, who: Identity, into: zipfile.ZipFile) -> Iterator[dict[str, Any]]:
    rows = (
        sa.select(inbox.c.id).where(inbox.c.sender.in_(who.addresses)).order_by(inbox.c.arrived, inbox.c.id)
    )
    for number in unit.connection.execute(rows).scalars().all():
        kept = unit.mail(number)
        assert kept is not None
        told = {"from": kept.sender, "match": kept.match, "why": kept.verdict}
        if referee.parts.tray.sealed(unit, kept):
            yield {**told, "sealed": True}
            continue
        into.writestr(f"mails/{number}.eml", kept.raw)
        yield {**told, "why": kept.reason, "arrived": moment(kept.arrived), "file": f"mails/{number}.eml"}


def _letters(
    referee: Referee, unit: Unit, who: Identity, matches: list[Match], into: zipfile.ZipFile
) -> Iterator[dict[str, Any]]:
    """Of a match with a sealed round those written since it opened wait for its reveal; those that show a draft are for
    nobody but their reader."""
    since = {
        m.name: min(r.begun for r in m.rounds if r.sealed) for m in matches if any(r.sealed for r in m.rounds)
    }
    rows = sa.select(outbox.c.message_id).where(outbox.c.recipient.in_(who.addresses)).order_by(outbox.c.id)
    for index, named in enumerate(unit.connection.execute(rows).scalars().all(), 1):
        row = unit.letter(named)
        assert row is not None
        told = {"kind": row.kind, "match": row.match, "at": moment(row.at)}
        begun = since.get(row.match or "") if row.match else min(since.values(), default=None)
        if decoded(row).reply.draft or (begun is not None and row.at >= begun):
            yield {**told, "sealed": True}
            continue
        into.writestr(f"letters/{index}.eml", referee.parts.envelope(decoded(row)))
        yield {**told, "file": f"letters/{index}.eml"}
