"""What happens to a gathering: facts in the past participle, written once, never edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from referee.core.codec import Codec
from referee.core.texts.words import FreeText


@dataclass(frozen=True, slots=True)
class Guest:
    """Who plays, or would. Address and zone are private: no letter, list or page shows them to others."""

    name: FreeText
    address: str
    zone: str | None = None


# --- of both kinds ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Named:
    """A place is kept for somebody, who may be asked. Of addresses stand their keys (`address_key`)."""

    address: str


@dataclass(frozen=True, slots=True)
class Parked:
    """A place is kept for somebody unknown here, who may be asked once the moderator says Yes."""

    address: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody was asked by a letter: one who is named, or who wished a seat, under that name, and is to say that it
    was he."""

    address: str
    name: FreeText = ""


@dataclass(frozen=True, slots=True)
class Agreed:
    """He plays."""

    guest: Guest


@dataclass(frozen=True, slots=True)
class Declined:
    """He does not, or no more."""

    address: str


# --- of a proposal ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Proposed:
    """A match was proposed: `options` are all of its options, `until` when the proposal expires. `turned` are the
    addresses by the seats that they are to have, where these are turned from an earlier match (`after`)."""

    name: str
    game: str
    options: Mapping[str, str]
    seats: int
    by: Guest
    until: datetime
    turned: tuple[str, ...] = ()
    after: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """Everybody has said Yes: the match is open under this name."""

    match: str


@dataclass(frozen=True, slots=True)
class ProposalWithdrawn:
    """Its proposer took it back."""


@dataclass(frozen=True, slots=True)
class ProposalExpired:
    """Its time was over before it was full."""


Event = Named | Asked | Parked | Agreed | Declined | Proposed | Filled | ProposalWithdrawn | ProposalExpired
CODEC = Codec((Named, Asked, Parked, Agreed, Declined, Proposed, Filled, ProposalWithdrawn, ProposalExpired))


class Entry(NamedTuple):
    """A fact in a gathering's ledger: its number there, and when it was written."""

    version: int
    at: datetime
    event: Event


def entries(version: int, now: datetime, *events: Event) -> tuple[Entry, ...]:
    """The events of one stimulus as they stand in a ledger that had `version` entries before."""
    return tuple(Entry(number, now, event) for number, event in enumerate(events, version + 1))
