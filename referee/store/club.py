"""The club: proposals and events with their ledgers, who is asked, and which matches are of which
event. People: what is kept of an address beside its seats, and the reply addresses that letters
gave out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import sqlalchemy as sa

from referee.core.texts.addresses import address_key
from referee.store.engine import AMONG, Rows, given, pair
from referee.store.tables import ENTRY, INDEXED, NO, Foreign, Found, Name, as_indexed, columns, table

if TYPE_CHECKING:
    from referee.club.events import ClubEntry


class Gathering(NamedTuple):
    """A row: a proposal or an event of the club. Nothing of it is a truth but its ledger."""

    name: Name
    kind: Annotated[Literal["proposal", "event", "people"], sa.String(10)]
    game: Annotated[str, sa.String(40)]
    status: Annotated[str, sa.String(10)]
    version: int
    opened_at: datetime
    wakes_at: datetime | None  # when it expires, or is to be looked at


gatherings = table("gatherings", *columns(Gathering, "name", status=INDEXED, wakes_at=INDEXED))

club_ledger = table("club_ledger", keys=2, gathering="gatherings.name", version=sa.Integer, **ENTRY)


class Invitation(NamedTuple):
    """Who is asked to a gathering; `agreed` tells whether his last word was Yes."""

    gathering: Annotated[str, sa.ForeignKey("gatherings.name")]
    address: Annotated[str, Foreign(indexed=True)]
    agreed: bool


invitations = table(
    "invitations",
    sa.Column("token", sa.String(40), primary_key=True),  # of their own reply address
    *columns(Invitation, gathering=INDEXED, agreed=NO),
    sa.Index("invitations_by_address", "address"),
)

# who wishes to be asked no more, and by whom
never_again = table("never_again", keys=2, address=Foreign(indexed=True), proposer=Foreign(indexed=True))


class ClubWish(NamedTuple):
    """Whether a player is to be rated, and stand on lists."""

    address: Annotated[str, Foreign(indexed=True)]
    rated: bool = True
    listed: bool = True


club_wishes = table("club_wishes", *columns(ClubWish, "address"))

_OF_EVENT = sa.Index("ix_event_matches_gathering", "gathering")
event_matches = table("event_matches", _OF_EVENT, keys=1, match="matches.name", gathering="gatherings.name")


_ROW = sa.select(*(gatherings.c[name] for name in Gathering._fields))
_OPENED = (gatherings.c.opened_at, gatherings.c.name)
_WAKING = sa.select(gatherings.c.name, gatherings.c.wakes_at)
_WAKING = _WAKING.order_by(gatherings.c.wakes_at, gatherings.c.name).limit(1)
_NEXT = _WAKING.where(gatherings.c.wakes_at < given("before"), gatherings.c.name.not_in(AMONG))


class ClubStore(Rows):
    """The rows of the club."""

    def gathering(self, name: str) -> Gathering | None:
        return self.first(Gathering, _ROW.where(gatherings.c.name == name))

    def gatherings(self, kind: str, statuses: Sequence[str]) -> list[Gathering]:
        """Those of a kind that stand so, by their opening."""
        query = _ROW.where(gatherings.c.kind == kind, gatherings.c.status.in_(statuses))
        return self.all(Gathering, query.order_by(*_OPENED))

    def gathered_history(self, name: str) -> list[ClubEntry]:
        """The whole ledger."""
        from referee.club.events import CODEC, ClubEntry  # with the first ledger that is read

        query = sa.select(club_ledger).where(club_ledger.c.gathering == name).order_by(club_ledger.c.version)
        rows = self.connection.execute(query)
        return [ClubEntry(row.version, row.at, CODEC.decode(json.loads(row.body))) for row in rows]

    def save_gathering(self, row: Gathering, entries: Sequence[ClubEntry]) -> None:
        """Append to the ledger and rewrite the row. Raises Again if another changed it since it was read."""
        self.rewrite(gatherings, row._asdict(), entries[0].version - 1 if entries else row.version)
        self.write(sa.insert(club_ledger), [_line(row.name, entry) for entry in entries])

    def next_gathering(self, before: datetime, beyond: Iterable[str] = ()) -> tuple[str, datetime] | None:
        """The one that is to be looked at first, where that is before the moment; none of those in `beyond`."""
        return self.first(pair, _NEXT, before=before, among=list(beyond))

    def wake(self, gathering: str, at: datetime) -> None:
        """Let it be looked at then, or earlier where that is so anyhow."""
        later = sa.or_(gatherings.c.wakes_at.is_(None), gatherings.c.wakes_at > at)
        self.change(sa.update(gatherings).where(gatherings.c.name == gathering, later).values(wakes_at=at))

    # --- who is asked

    def invite(self, token: str, gathering: str, address: str) -> None:
        values = {"token": token, "gathering": gathering, "address": address_key(address), "agreed": False}
        self.insert_new(invitations, values, "token")

    def invitation(self, token: str) -> Invitation | None:
        columns = (invitations.c[name] for name in Invitation._fields)
        return self.first(Invitation, sa.select(*columns).where(invitations.c.token == token))

    def agree(self, token: str, *, agreed: bool) -> None:
        self.change(sa.update(invitations).where(invitations.c.token == token).values(agreed=agreed))

    def agreed_to(self, address: str) -> list[str]:
        """The gatherings to which the address has said Yes, the newest last."""
        of = gatherings.c.name == invitations.c.gathering
        query = sa.select(invitations.c.gathering).join(gatherings, of).order_by(*_OPENED)
        return self.column(query.where(invitations.c.address == address_key(address), invitations.c.agreed))

    def refuse(self, address: str, proposer: str) -> None:
        """The address wishes never to be asked by that proposer again."""
        if not self.refuses(address, proposer):
            values = {"address": address_key(address), "proposer": address_key(proposer)}
            self.write(sa.insert(never_again), [values])

    def refuses(self, address: str, proposer: str) -> bool:
        refused = never_again.c.proposer == address_key(proposer)
        query = sa.select(never_again.c.address).where(never_again.c.address == address_key(address), refused)
        return self.value(query) is not None

    # --- what players wish of lists

    def club_wishes(self) -> list[ClubWish]:
        """Of all who ever wished anything."""
        return self.all(ClubWish, sa.select(club_wishes).order_by(club_wishes.c.address))

    def wish_of_club(self, wish: ClubWish) -> None:
        self.put(club_wishes, {**wish._asdict(), "address": address_key(wish.address)}, "address")

    def take_invitations(self, old: str, new: str) -> list[tuple[str, bool]]:
        """To what an old address was asked is asked of the new one: the gatherings, and whether it agreed."""
        theirs = invitations.c.address == address_key(old)
        found = self.all(pair, sa.select(invitations.c.gathering, invitations.c.agreed).where(theirs))
        self.change(sa.update(invitations).where(theirs).values(address=address_key(new)))
        return found

    def take_wishes(self, old: str, new: str) -> None:
        """What somebody wished from an old address, and others of it, holds for the new one."""
        old, new = address_key(old), address_key(new)
        for wish in self.club_wishes():
            if wish.address == old:
                self.wish_of_club(wish._replace(address=new))
        of = sa.or_(never_again.c.address == old, never_again.c.proposer == old)
        for one, other in self.all(pair, sa.select(never_again.c.address, never_again.c.proposer).where(of)):
            self.refuse(*(new if each == old else each for each in (one, other)))

    # --- matches of events

    def link(self, gathering: str, matches: Iterable[str]) -> None:
        self.write(sa.insert(event_matches), [{"match": name, "gathering": gathering} for name in matches])

    def event_of(self, match: str) -> str | None:
        query = sa.select(event_matches.c.gathering).where(event_matches.c.match == match)
        return self.first(str, query)


def _line(gathering: str, entry: ClubEntry) -> dict[str, object]:
    from referee.club.events import CODEC

    body = CODEC.encode(entry.event)
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    own = {"gathering": gathering, "version": entry.version, "at": entry.at}
    return {**own, "kind": body["is"], "body": text}


class Person(NamedTuple):
    """What is kept of an address beside its seats."""

    address: Annotated[str, Foreign(indexed=True)]  # without case
    medium: Annotated[Literal["both", "text", "html"], sa.String(8)] = "both"  # what his letters hold
    digest: bool = False  # letters that can wait come once a day
    apart: str = ""  # those of these matches come the other way
    failing: datetime | None = None  # since when letters do not arrive
    note: Annotated[str | None, Foreign()] = None  # why they do not
    owner: Found = None  # the address whose player has proved that this one is his too, by its own yes
    guarded: bool = False  # he kept a pass phrase or a key with 0.2.0

    def gathers(self, match: str | None) -> bool:
        """Whether the letters of a match wait for the digest where they can."""
        return self.digest != (match in self.apart.split())


people = table(
    "people",
    *columns(Person, "address", apart={"default": "", "server_default": ""}, guarded=NO),
    sa.Index("people_by_owner", "owner"),
)

_OF_MATCH = sa.Index("ix_reply_tokens_match", "match")
_HELD = {"token": sa.String(40), "match": "matches.name", "seat": sa.Integer}
reply_tokens = table("reply_tokens", _OF_MATCH, keys=1, **_HELD)


_PERSON = sa.select(*(people.c[name] for name in Person._fields))  # the address first
_PERSONS = _PERSON.where(people.c.address.in_(AMONG))


class PersonStore(Rows):
    """The rows of people."""

    def person(self, address: str) -> Person:
        """What is kept of the address; the defaults where nothing is."""
        key = address_key(address)
        return self.first(Person, _PERSON.where(people.c.address == key)) or Person(key)

    def persons(self, addresses: Iterable[str]) -> dict[str, Person]:
        """The same of several addresses, each by the address as it is given here."""
        stored = {address: as_indexed(address_key(address)) for address in addresses}
        known = self.all(Person, _PERSONS, among=sorted(set(stored.values())))
        found = {person.address: person for person in known}
        return {given: found.get(kept, Person(address_key(given))) for given, kept in stored.items()}

    def remember(self, person: Person) -> None:
        self.put(people, {**person._asdict(), "address": address_key(person.address)}, "address")

    def failing(self, addresses: Iterable[str]) -> list[Person]:
        """Those of the addresses at which letters do not arrive."""
        theirs = people.c.address.in_(list(map(address_key, addresses)))
        query = _PERSON.where(theirs, people.c.failing.is_not(None))
        return self.all(Person, query.order_by(people.c.address))

    def guarded(self) -> list[Person]:
        """Those who kept a pass phrase or a key with 0.2.0."""
        return self.all(Person, _PERSON.where(people.c.guarded).order_by(people.c.address))

    def owned_by(self, address: str) -> list[str]:
        """The addresses that this one has proved to be its own."""
        query = sa.select(people.c.address).where(people.c.owner == address_key(address))
        return self.column(query.order_by(people.c.address))

    def reply_tokens(self, match: str, held: Iterable[tuple[int, str]]) -> None:
        """The tokens of a match's seats, instead of those it had."""
        self.change(sa.delete(reply_tokens).where(reply_tokens.c.match == match))
        rows = [{"match": match, "seat": seat, "token": token} for seat, token in held]
        self.write(sa.insert(reply_tokens), rows)

    def seat_of_token(self, token: str) -> tuple[str, int] | None:
        query = sa.select(reply_tokens.c.match, reply_tokens.c.seat).where(reply_tokens.c.token == token)
        return self.first(pair, query)
