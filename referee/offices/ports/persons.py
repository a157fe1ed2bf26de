"""People: what is kept of an address beside its seats, and the reply addresses that letters gave out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple, Protocol


class Person(NamedTuple):
    """What is kept of an address beside its seats."""

    address: str  # without case
    medium: Literal["both", "text", "html"] = "both"  # what his letters hold
    digest: bool = False  # public letters come once a day
    phrase: str | None = None  # the hash of a pass phrase
    failing: datetime | None = None  # since when letters do not arrive
    note: str | None = None  # why they do not
    key: str | None = None  # an OpenPGP certificate in ASCII armour
    owner: str | None = None  # the address whose player has proved that this one is his too, by its own yes


class PersonStore(Protocol):
    """The rows of people."""

    def person(self, address: str) -> Person:
        """What is kept of the address; the defaults where nothing is."""

    def persons(self, addresses: Iterable[str]) -> dict[str, Person]:
        """The same of several addresses, each by the address as it is given here."""

    def remember(self, person: Person) -> None: ...
    def failing(self, addresses: Iterable[str]) -> list[Person]:
        """Those of the addresses at which letters do not arrive."""

    def owned_by(self, address: str) -> list[str]:
        """The addresses that this one has proved to be its own."""

    def reply_tokens(self, match: str, held: Iterable[tuple[int, str]]) -> None:
        """The tokens of a match's seats, instead of those it had."""

    def seat_of_token(self, token: str) -> tuple[str, int] | None: ...
