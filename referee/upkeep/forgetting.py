"""What is kept of a person (addresses and names, the matches he has or had to do with, his words
in them), put into one file for him: `person.json`, his mails, the letters to him; and forgotten.

Of what a sealed round hides until its reveal nothing is in the file but sender, match and reason
of a mail: it leaves the referee, and may be asked for by whoever writes in his name. Who is
forgotten has name, addresses and words replaced wherever the referee keeps them. The games stay,
and their chains stand where they stood: these cover a digest of each name and text
(`match/chain/salts`).
"""

from __future__ import annotations

import html
import json
import re
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import markupsafe
import sqlalchemy as sa

from referee.base.errors import CannotDo
from referee.base.private import private_file
from referee.club.events import CODEC, OfAddress, guests_in
from referee.core.codec import JsonDict
from referee.core.texts.addresses import address_key
from referee.letters.letter import decoded
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain.hashes import forgotten, in_place
from referee.match.events import Entrant, Entry
from referee.match.fold import applied, fold
from referee.match.match import UNOPENED, Match
from referee.offices.register.facts import moment
from referee.offices.register.matches import People
from referee.service.wiring import Referee
from referee.store.outbox import digest_of
from referee.store.sql import Unit
from referee.store.tables import (
    club_ledger,
    club_wishes,
    inbox,
    invitations,
    ledger,
    never_again,
    outbox,
    people,
    sheets,
)
from referee.upkeep.checking import write_anew


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


GONE = "[forgotten]"
_WHY = "This player has asked to be forgotten."
_OPEN = ("held", "shunted")  # mails whose words are needed still, where they are others'
_BLANK: dict[str, Any] = {
    "raw": b"",
    "reason": "",
    **dict.fromkeys(("sender", "message_id", "words", "resend", "signature")),
}


@dataclass(slots=True)
class Traces:
    """What was found of him."""

    who: Identity
    mails: int = 0
    letters: int = 0


def forget(referee: Referee, address: str, now: datetime) -> Traces:
    """Give up his seats and places, then replace all that tells of him. Raises CannotDo, also where mails of others
    that wait speak of him: once he is forgotten nobody could say of whom they speak."""
    if address_key(address) in map(address_key, referee.offices.at_desk):
        raise CannotDo("That is the moderator's address: hand the office over first.")
    with referee.store.transaction() as unit:
        who = identity(referee, unit, address)
        _none_waits(referee, unit, who, _pattern(who, _words(referee, unit, who)))
    _leave(referee, who, now)
    found = Traces(who)
    with referee.store.exclusive(), referee.store.transaction() as unit:
        pattern = _pattern(who, _words(referee, unit, who))
        _none_waits(referee, unit, who, pattern)
        for name in (*who.matches, *_elsewhere(referee, unit, who, pattern)):
            _rewrite(referee, unit, name, who, pattern)
        _blank_mails(referee, unit, found, pattern)
        _scrub_letters(unit, found, pattern)
        _scrub_club(referee, unit, found, pattern)
        unit.connection.execute(sa.delete(people).where(people.c.address.in_(who.addresses)))
        unit.connection.execute(sa.update(people).where(people.c.owner.in_(who.addresses)).values(owner=None))
    referee.parts.matches.forget()
    if (site := referee.site) is not None and site.is_dir():
        shutil.rmtree(site / "index", ignore_errors=True)  # so that every page is made anew
        referee.publish(site)
    return found


def _leave(referee: Referee, who: Identity, now: datetime) -> None:
    """No seat of a match that goes on is his any more, no place of an event or a proposal, and no letters about them go
    to him."""
    with referee.store.exclusive(), referee.store.transaction() as unit:
        for address in sorted(who.addresses):
            for event in [e for e in referee.parts.tournaments.all(unit) if e.player(address)]:
                referee.parts.tournaments.leave(unit, event, address, now)
            for proposal in [
                p for p in referee.parts.proposals.forming(unit) if p.plays(address) or address in p.kept
            ]:
                referee.parts.proposals.give_up(unit, proposal, address, now)
    for name in who.matches:
        match = referee.moderator.match(name)
        for address in [a for a in match.observers if address_key(a) in who.addresses]:
            referee.moderator.command(name, do.Observe(address, stop=True), now, _WHY)
        while match.status != "ended" and (seats := who.seats(match)):
            match = referee.moderator.command(name, do.Vacate(seats[0], _WHY), now, _WHY)


# --- ledgers ----------------------------------------------------------------------------------------------------------


def _elsewhere(referee: Referee, unit: Unit, who: Identity, pattern: re.Pattern[str]) -> Iterator[str]:
    """Matches with which he has nothing to do, and in which somebody speaks of him; where one of his name plays, it is
    that one who is spoken of."""
    names = {name.casefold() for name in who.names}
    for name in unit.names():
        bodies = unit.connection.execute(sa.select(ledger.c.body).where(ledger.c.match == name)).scalars()
        if name not in who.matches and any(pattern.search(_plain(body)) for body in bodies):
            match = referee.parts.matches.outline(unit, name)
            if names.isdisjoint(person.name.casefold() for person in match.roster):
                yield name


def _plain(body: str) -> str:
    """The texts in an entry, as they were written."""
    found: list[str] = []

    def collect(value: Any) -> None:
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            collect(part)
        if isinstance(value, str):
            found.append(value)

    collect(json.loads(body))
    return "\n".join(found)


def _words(referee: Referee, unit: Unit, who: Identity) -> list[str]:
    return [text for name in who.matches for text in _said(referee, unit, name, who)]


def _said(referee: Referee, unit: Unit, name: str, who: Identity) -> Iterator[str]:
    """His words in a match."""
    history = unit.history(name)
    match = fold(referee.games.__getitem__, history)
    own = _own(referee, match, history, who)
    for entry in history:
        if entry.cause in own:
            yield from (str(_at(entry.body, place)) for place in entry.body.get("salts", {}))
            match entry.event:
                case ev.PressSent(text=text) | ev.SaidToOne(text=text) if not entry.public:
                    yield text


def _own(referee: Referee, match: Match, history: list[Entry], who: Identity) -> set[int]:
    """By what numbers the stimuli are known that are his doing."""
    return {entry.cause for entry, then in followed(referee, match, history) if his_words(entry, then, who)}


def _rewrite(referee: Referee, unit: Unit, name: str, who: Identity, pattern: re.Pattern[str]) -> None:
    """The ledger without him; its chain must stand where it stood."""
    history = unit.history(name)
    before = fold(referee.games.__getitem__, history)
    own = _own(referee, before, history, who)
    for entry, then in followed(referee, before, history):
        body = _without(entry, then, who, entry.cause in own, pattern)
        if body != entry.body:
            place = sa.and_(ledger.c.match == name, ledger.c.version == entry.version)
            text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
            unit.connection.execute(sa.update(ledger).where(place).values(body=text))
    after = fold(referee.games.__getitem__, unit.history(name))
    if after.head != before.head:
        raise CannotDo(f"{name}: the chain would not stand any more; nothing is changed.")
    write_anew(referee, unit, after)


def _without(entry: Entry, then: Match, who: Identity, own: bool, pattern: re.Pattern[str]) -> JsonDict:
    """The entry as it is kept from now on."""
    body: JsonDict = json.loads(json.dumps(entry.body))
    texts = {place: str(_at(body, place)) for place in body.get("salts", {})}
    if gone := [place for place, text in texts.items() if own or pattern.search(text)]:
        body = forgotten({**body, "position": entry.position}, gone)
        del body["position"]
    match entry.event:
        case ev.MatchOpened(roster=roster):
            for person, kept in zip(roster, body["roster"], strict=True):
                _unknown(kept, who.has(person))
        case (
            ev.EntrantJoined(entrant)
            | ev.EntrantReplaced(entrant=entrant)
            | ev.SubstituteNamed(entrant=entrant)
            | ev.StoodIn(entrant=entrant)
            | ev.CameBack(entrant=entrant)
        ):
            _unknown(body["entrant"], who.has(entrant))
        case ev.AddressAdded(seat) if seat in who.seats(then):
            body["address"] = ""
        case ev.ZoneSet(seat) if seat in who.seats(then):
            body["zone"] = "UTC"
        case ev.LanguageHeard(seat) if seat in who.seats(then):
            body["language"] = ""
        case ev.ObserverAdded(address) | ev.ObserverRemoved(address) if address_key(address) in who.addresses:
            body["address"] = ""
        case ev.DraftKept(text=text) if own or pattern.search(text):
            body["text"] = ""
        case ev.PressSent(text=text) | ev.SaidToOne(text=text) if not entry.public and (
            own or pattern.search(text)
        ):
            body["text"] = in_place(entry.position)
    return body


def _unknown(person: JsonDict, his: bool) -> None:
    if his:
        person.update(addresses=[], zone=None)


def _at(value: Any, place: str) -> Any:
    for step in place.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


# --- mails and letters ------------------------------------------------------------------------------------------------


def _pattern(who: Identity, words: Iterable[str]) -> re.Pattern[str]:
    """Whatever tells of him, however it is broken into lines (at blanks, behind hyphens), quoted, or put into HTML. Of
    his words the shortest tell of nobody, and stay."""
    said = [*who.names, *(text for text in words if len(text) >= 8)]
    forms = {form for text in said for form in (text, str(markupsafe.escape(text)), html.escape(text))}
    texts = sorted(forms, key=len, reverse=True)
    spoken = (r"[\s>|]+".join(map(_broken, text.split())) for text in texts if text.strip())
    named = [rf"(?<!\w){text}(?!\w)" for text in spoken]
    return re.compile("|".join([*map(re.escape, sorted(who.addresses)), *named]), re.IGNORECASE)


def _broken(word: str) -> str:
    """A word, also where a line ends behind one of its hyphens; in capitals ß is two letters."""
    return r"-[\s>|]*".join(map(re.escape, word.split("-"))).replace("ß", "(?:ß|ss)")


def _none_waits(referee: Referee, unit: Unit, who: Identity, pattern: re.Pattern[str]) -> None:
    """Their words are needed still, and would bring his back. Raises CannotDo."""
    rows = sa.select(inbox.c.id, inbox.c.raw, inbox.c.cut).where(
        sa.or_(inbox.c.verdict.is_(None), inbox.c.verdict.in_(_OPEN)),
        sa.or_(inbox.c.sender.is_(None), inbox.c.sender.not_in(who.addresses)),
    )
    found = [
        str(number)
        for number, raw, cut in unit.connection.execute(rows)
        if pattern.search(_text_of(referee, bytes(raw), cut))
    ]
    if found:
        raise CannotDo(
            f"Mails that wait speak of him: {', '.join(found)}. Settle them (`referee desk` has the commands), "
            "then do it again."
        )


def _blank_mails(referee: Referee, unit: Unit, found: Traces, pattern: re.Pattern[str]) -> None:
    """His own mails, and those of others that quote him or hold his name."""
    rows = sa.select(inbox.c.id, inbox.c.sender, inbox.c.verdict, inbox.c.cut)
    for number, sender, verdict, cut in unit.connection.execute(rows).all():
        raw = unit.connection.execute(sa.select(inbox.c.raw).where(inbox.c.id == number)).scalar_one()
        his = sender in found.who.addresses
        if not his and not pattern.search(_text_of(referee, bytes(raw), cut)):
            continue
        gone = {**_BLANK, "verdict": "discarded" if verdict is None or verdict in _OPEN else verdict}
        values = gone if his else {"raw": b"", "reason": ""}
        unit.connection.execute(sa.update(inbox).where(inbox.c.id == number).values(**values))
        found.mails += 1


def _text_of(referee: Referee, raw: bytes, cut: bool) -> str:
    """A mail's bytes as they are, and what they say."""
    read = referee.reader.read(raw, cut=cut)
    lines = [line.text for line in (*read.own, *read.quoted)]
    return "\n".join([raw.decode("utf-8", "replace"), read.subject, read.sender_name, *lines])


def _scrub_letters(unit: Unit, found: Traces, pattern: re.Pattern[str]) -> None:
    """Letters to him are gone; in others something else stands in his place."""
    to_him = outbox.c.recipient.in_(found.who.addresses)
    found.letters = unit.connection.execute(sa.delete(outbox).where(to_him)).rowcount
    for old, content in unit.connection.execute(sa.select(sheets.c.digest, sheets.c.content)).all():
        if (fresh := _scrubbed_json(content, pattern)) != content:
            kept = {"digest": digest_of(fresh), "content": fresh}
            unit.insert_all_new(sheets, [kept], "digest")
            moved = sa.update(outbox).where(outbox.c.sheet == old).values(sheet=kept["digest"])
            found.letters += unit.connection.execute(moved).rowcount
    for number, body in unit.connection.execute(sa.select(outbox.c.id, outbox.c.body)).all():
        if (fresh := _scrubbed_json(body, pattern)) != body:
            unit.connection.execute(sa.update(outbox).where(outbox.c.id == number).values(body=fresh))
    unit.connection.execute(sa.delete(sheets).where(sheets.c.digest.not_in(sa.select(outbox.c.sheet))))


def _scrub_club(referee: Referee, unit: Unit, found: Traces, pattern: re.Pattern[str]) -> None:
    """In the ledgers of the club something else stands in his place: the same wherever he played by his address, since
    that is what a player is known by there."""
    mark = f"{GONE} {referee.keys.derive('forgotten', *sorted(found.who.addresses))[:12]}"
    rows = sa.select(club_ledger.c.gathering, club_ledger.c.version, club_ledger.c.body)
    for name, version, body in unit.connection.execute(rows).all():
        fresh = pattern.sub(lambda told: mark if "@" in told[0] else GONE, body)
        if fresh != body:
            place = sa.and_(club_ledger.c.gathering == name, club_ledger.c.version == version)
            unit.connection.execute(sa.update(club_ledger).where(place).values(body=fresh))
    his = found.who.addresses
    for table, column in (
        (invitations, invitations.c.address),
        (club_wishes, club_wishes.c.address),
        (never_again, never_again.c.address),
        (never_again, never_again.c.proposer),
    ):
        unit.connection.execute(sa.delete(table).where(column.in_(his)))


def _scrubbed_json(text: str, pattern: re.Pattern[str]) -> str:
    value = json.loads(text)
    fresh = _scrubbed(value, pattern)
    return text if fresh == value else json.dumps(fresh, ensure_ascii=False, separators=(",", ":"))


def _scrubbed(value: Any, pattern: re.Pattern[str]) -> Any:
    match value:
        case str():
            return pattern.sub(GONE, value)
        case list():
            return [_scrubbed(part, pattern) for part in value]
        case dict():
            return {name: _scrubbed(part, pattern) for name, part in value.items()}
    return value
