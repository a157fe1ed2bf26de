"""People: what is kept of an address beside its seats, and the reply addresses that letters gave out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple

import sqlalchemy as sa

from referee.core.texts.addresses import address_key
from referee.store.engine import Rows, pair
from referee.store.tables import as_indexed, people, reply_tokens


class Person(NamedTuple):
    """What is kept of an address beside its seats."""

    address: str  # without case
    medium: Literal["both", "text", "html"] = "both"  # what his letters hold
    digest: bool = False  # public letters come once a day
    failing: datetime | None = None  # since when letters do not arrive
    note: str | None = None  # why they do not
    owner: str | None = None  # the address whose player has proved that this one is his too, by its own yes
    guarded: bool = False  # he kept a pass phrase or a key with 0.2.0


_COLUMNS = [people.c[name] for name in Person._fields]  # the address first
_PERSON = sa.select(*_COLUMNS).where(people.c.address == sa.bindparam("address"))
_PERSONS = sa.select(*_COLUMNS).where(people.c.address.in_(sa.bindparam("wanted", expanding=True)))
_FAILING = (
    sa.select(*_COLUMNS)
    .where(people.c.address.in_(sa.bindparam("wanted", expanding=True)), people.c.failing.is_not(None))
    .order_by(people.c.address)
)
_GUARDED = sa.select(*_COLUMNS).where(people.c.guarded).order_by(people.c.address)
_OWNED = sa.select(people.c.address).where(people.c.owner == sa.bindparam("owner")).order_by(people.c.address)


class PersonStore(Rows):
    """The rows of people."""

    def person(self, address: str) -> Person:
        """What is kept of the address; the defaults where nothing is."""
        return self.first(Person, _PERSON, address=address_key(address)) or Person(address_key(address))

    def persons(self, addresses: Iterable[str]) -> dict[str, Person]:
        """The same of several addresses, each by the address as it is given here."""
        stored = {address: as_indexed(address_key(address)) for address in addresses}
        known = self.all(Person, _PERSONS, wanted=sorted(set(stored.values())))
        found = {person.address: person for person in known}
        return {given: found.get(kept, Person(address_key(given))) for given, kept in stored.items()}

    def remember(self, person: Person) -> None:
        values = {**person._asdict(), "address": address_key(person.address)}
        if not self.insert_new(people, values, "address"):
            self.change(sa.update(people).where(people.c.address == values["address"]).values(**values))

    def failing(self, addresses: Iterable[str]) -> list[Person]:
        """Those of the addresses at which letters do not arrive."""
        return self.all(Person, _FAILING, wanted=list(map(address_key, addresses)))

    def guarded(self) -> list[Person]:
        """Those who kept a pass phrase or a key with 0.2.0."""
        return self.all(Person, _GUARDED)

    def owned_by(self, address: str) -> list[str]:
        """The addresses that this one has proved to be its own."""
        return self.column(_OWNED, owner=address_key(address))

    def reply_tokens(self, match: str, held: Iterable[tuple[int, str]]) -> None:
        """The tokens of a match's seats, instead of those it had."""
        self.change(sa.delete(reply_tokens).where(reply_tokens.c.match == match))
        rows = [{"match": match, "seat": seat, "token": token} for seat, token in held]
        self.write(sa.insert(reply_tokens), rows)

    def seat_of_token(self, token: str) -> tuple[str, int] | None:
        query = sa.select(reply_tokens.c.match, reply_tokens.c.seat).where(reply_tokens.c.token == token)
        return self.first(pair, query)
