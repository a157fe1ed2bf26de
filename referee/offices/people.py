"""What is kept of a person's address beside his seats: wishes, a pass phrase's hash, whether letters arrive."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Literal

from referee.offices.keeping import Person, Unit


class People:
    """Reads and changes it, in one transaction."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    def of(self, address: str) -> Person:
        return self._unit.person(address)

    def failing(self, addresses: Iterable[str]) -> list[Person]:
        """Those of the addresses at which letters do not arrive."""
        return self._unit.failing(addresses)

    def wish(
        self, address: str, *, medium: Literal["both", "text", "html"] | None, digest: bool | None
    ) -> None:
        """How letters should come; None leaves that as it is."""
        person = self.of(address)
        self._unit.remember(
            replace(
                person,
                medium=person.medium if medium is None else medium,
                digest=person.digest if digest is None else digest,
            )
        )

    def guard(self, address: str, phrase: str | None) -> None:
        """Keep the hash of a pass phrase, or drop it."""
        self._unit.remember(replace(self.of(address), phrase=phrase))

    def own(self, address: str, key: str | None) -> None:
        """Keep an OpenPGP public key, or drop it."""
        self._unit.remember(replace(self.of(address), key=key))

    def mark_failing(self, address: str, at: datetime, note: str) -> bool:
        """Letters do not arrive there; whether that is new. Only seats' addresses are marked."""
        person = self.of(address)
        if not self._unit.seats_of(address):
            return False
        self._unit.remember(replace(person, failing=person.failing or at, note=note[:300]))
        return person.failing is None

    def trusted(self, addresses: Iterable[str]) -> None:
        """The moderator has given these addresses: what was known of failures is past."""
        for person in self.failing(addresses):
            self._unit.remember(replace(person, failing=None, note=None))

    def heard_of(self, address: str, at: datetime) -> None:
        """A mail came from there: the address is alive again."""
        person = self.of(address)
        if person.failing is not None and at > person.failing:
            self._unit.remember(replace(person, failing=None, note=None))
