"""What happens to a gathering: facts in the past participle, written once, never edited."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import reduce
from typing import Any, Literal, NamedTuple, Self, TypeVar

from referee.core.codec import Codec
from referee.core.texts.addresses import address_key
from referee.core.value import FreeText, Value


class Guest(Value):
    """Who plays, or would. Address and zone are private: no letter, list or page shows them."""

    name: FreeText
    address: str
    zone: str | None = None


class GatheringEvent(Value):
    """What all of them are."""


# --- of both kinds ---------------------------------------------------------------------------------------------------


class OfAddress(GatheringEvent):
    """It tells of somebody by his address alone: by its key (`address_key`)."""

    address: str


class Named(OfAddress):
    """A place is kept for somebody, who may be asked."""


class Parked(OfAddress):
    """A place is kept for somebody unknown here, who may be asked once the moderator says Yes."""


class Invited(OfAddress):
    """Somebody was asked by a letter: one who is named, or who wished a seat, under that name, and
    is to say that it was he."""

    name: FreeText = ""


class Agreed(GatheringEvent):
    """They play."""

    guest: Guest


class Declined(OfAddress):
    """They do not, or no more."""


class AddressChanged(GatheringEvent):
    """A person has a new address; the name and all that was theirs stay. What is not `kept` is theirs no more."""

    old: str
    new: str
    kept: bool = True

    def moved(self, guest: Guest) -> Guest:
        """The guest, by the address that is theirs now."""
        there = address_key(guest.address) == address_key(self.old)
        return replace(guest, address=self.new) if there else guest


# --- of a proposal ---------------------------------------------------------------------------------------------------


class Proposed(GatheringEvent):
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
    called: str = ""  # the match's name, where it is to have one of its own


class Filled(GatheringEvent):
    """Everybody has said Yes: the match is open under this name."""

    match: str


class ProposalWithdrawn(GatheringEvent):
    """Its proposer took it back."""


class ProposalExpired(GatheringEvent):
    """Its time was over before it was full."""


class ProposalRenewed(GatheringEvent):
    """By a clock that ran ahead it was over, or made: its time is this."""

    until: datetime


# --- of an event -----------------------------------------------------------------------------------------------------


class EventAnnounced(GatheringEvent):
    """An event was announced, and with it all its rules: `rounds` is how many a Swiss has, how often all meet in a
    round robin, how many of a design of tables are played (0: all); `size` how many sit at a table."""

    name: str
    game: str
    kind: Literal["round-robin", "swiss"]
    rounds: int
    size: int
    options: Mapping[str, str]


class Entered(GatheringEvent):
    """Somebody was entered, and asked: he is in with his Yes, in the place of a player where one is named."""

    guest: Guest
    instead: str = ""


class EventStarted(GatheringEvent):
    """Those who had said Yes play. `order` is the draw: their keys, shuffled by the seed."""

    seed: str
    order: tuple[str, ...]


class TableSet(Value):
    """Who meets in a round, by the seats they have, in which match. None where the second was gone
    before: the first has a point."""

    players: tuple[str, ...]
    match: str | None


class RoundSet(GatheringEvent):
    """A round begins."""

    number: int
    tables: tuple[TableSet, ...]
    byes: tuple[str, ...]


class Scored(GatheringEvent):
    """A match of the event has ended, or its result is another than before: the points of each who
    plays it, and what the game itself counts. Empty: it is played on, or was called off."""

    match: str
    points: Mapping[str, str]
    own: Mapping[str, str]
    over: bool = True


class PlayerLeft(GatheringEvent):
    """They play no more of it."""

    player: str


class PlayerReplaced(GatheringEvent):
    """Somebody goes on in his place, with all that he had."""

    player: str
    guest: Guest


class EventEnded(GatheringEvent):
    """The last round is over."""


CODEC = Codec(
    kind
    for kind in globals().values()
    if isinstance(kind, type) and issubclass(kind, GatheringEvent) and kind not in (GatheringEvent, OfAddress)
)


class ClubEntry(NamedTuple):
    """A fact in a gathering's ledger: its number there, and when it was written."""

    version: int
    at: datetime
    event: GatheringEvent


def entries(version: int, now: datetime, *events: GatheringEvent) -> tuple[ClubEntry, ...]:
    """The events of one stimulus as they stand in a ledger that had `version` entries before."""
    return tuple(ClubEntry(number, now, event) for number, event in enumerate(events, version + 1))


class Gathered(Value):
    """What a gathering has come to: the fold of its ledger, which begins with what was `made`."""

    made: Any
    version: int = 0
    status: Any = ""

    @property
    def name(self) -> str:
        return str(self.made.name)

    def after(self, event: GatheringEvent) -> Self:
        """With one fact more."""
        return self

    def wakes(self, now: datetime) -> datetime | None:
        """When time makes something due in it; None where it waits for others alone."""
        return None


G = TypeVar("G", bound=Gathered)


def fold(kind: type[G], history: Iterable[ClubEntry]) -> G:
    """The gathering of that kind that a whole ledger tells of."""
    told = list(history)
    found = reduce(lambda so_far, entry: so_far.after(entry.event), told, kind(told[0].event))
    return replace(found, version=told[-1].version)


def guests_in(event: GatheringEvent) -> tuple[Guest, ...]:
    """Who is told of in it by name."""
    match event:
        case Proposed(by=guest) | Agreed(guest) | Entered(guest) | PlayerReplaced(guest=guest):
            return (guest,)
    return ()
