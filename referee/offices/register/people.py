"""What is kept of a person's address beside his seats: wishes, whether letters arrive."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from referee.core.texts.addresses import address_key
from referee.store.people import Person
from referee.store.sql import Unit


class People:
    """Reads and changes it, in one transaction."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    def _held(self, address: str) -> Person:
        """What is kept of it, for whoever changes it: until that is done, nobody else does."""
        self._unit.hold("person", address_key(address))
        return self._unit.person(address)

    def wish(
        self, address: str, *, medium: Literal["both", "text", "html"] | None, digest: bool | None
    ) -> None:
        """How letters should come; None leaves that as it is."""
        person = self._held(address)
        self._unit.remember(
            person._replace(
                medium=person.medium if medium is None else medium,
                digest=person.digest if digest is None else digest,
            )
        )

    def proved_by(self, address: str) -> tuple[str, ...]:
        """The address and those that it has proved to be its own, directly or through one another: what its player
        sets holds for these, and for no others of his seats."""
        found = [address_key(address)]
        for one in found:
            found += [other for other in self._unit.owned_by(one) if other not in found]
        return tuple(found)

    def proved(self, new: str, by: str) -> None:
        """The address has said Yes to a player who writes from `by`: what he has set holds for it from now on."""
        new, by = address_key(new), address_key(by)
        if new != by:
            held = {address: self._held(address) for address in sorted((new, by))}
            known = held[new]
            self._unit.remember(
                held[by]._replace(
                    address=known.address,
                    owner=by,
                    failing=known.failing,
                    note=known.note,
                )
            )

    def seated(self, addresses: Iterable[str]) -> None:
        """These are an entrant's own, by a word that is not that of another address's player: they are their own."""
        own = sorted(map(address_key, addresses))
        for address in own:
            if self._unit.person(address).owner in (None, *own):
                continue
            person = self._held(address)
            if person.owner not in (None, *own):
                self._unit.remember(person._replace(owner=None))

    def mark_failing(self, address: str, at: datetime, note: str) -> bool:
        """Letters do not arrive there; whether that is new. Only seats' addresses are marked."""
        if not self._unit.seats_of(address):
            return False
        person = self._held(address)
        self._unit.remember(person._replace(failing=person.failing or at, note=note[:300]))
        return person.failing is None

    def trusted(self, addresses: Iterable[str]) -> None:
        """The moderator has given these addresses: what was known of failures is past."""
        for person in self._unit.failing(addresses):
            self._unit.remember(self._held(person.address)._replace(failing=None, note=None))

    def heard_of(self, address: str, at: datetime) -> None:
        """A mail came from there: the address is alive again."""
        if self._unit.person(address).failing is None:
            return
        person = self._held(address)
        if person.failing is not None and at > person.failing:
            self._unit.remember(person._replace(failing=None, note=None))
