"""The club: proposals and events, their ledgers, who is asked, and which matches are of which event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from referee.club.events import ClubEntry


class Gathering(NamedTuple):
    """A row: a proposal or an event. Nothing of it is a truth but its ledger."""

    name: str
    kind: Literal["proposal", "event"]
    game: str
    status: str
    version: int
    opened_at: datetime
    wakes_at: datetime | None


class Invitation(NamedTuple):
    """Who is asked to a gathering; `agreed` tells whether his last word was Yes."""

    gathering: str
    address: str
    agreed: bool


class ClubWish(NamedTuple):
    """Whether a player is to be rated, and stand on lists."""

    address: str
    rated: bool = True
    listed: bool = True


class ClubStore(Protocol):
    """The rows of the club."""

    def gathering(self, name: str) -> Gathering | None: ...
    def gatherings(self, kind: str, statuses: Sequence[str]) -> list[Gathering]:
        """Those of a kind that stand so, by their opening."""

    def gathered_history(self, name: str) -> list[ClubEntry]:
        """The whole ledger."""

    def save_gathering(self, row: Gathering, entries: Sequence[ClubEntry]) -> None:
        """Append to the ledger and rewrite the row. Raises Again if another changed it since it was read."""

    def next_gathering(self, before: datetime, beyond: Iterable[str] = ()) -> tuple[str, datetime] | None:
        """The one that is to be looked at first, where that is before the moment; none of those in `beyond`."""

    def wakes_at(self, name: str) -> datetime | None:
        """When it is to be looked at."""

    def wake(self, gathering: str, at: datetime) -> None:
        """Let it be looked at then, or earlier where that is so anyhow."""

    # --- who is asked
    def invite(self, token: str, gathering: str, address: str) -> None: ...
    def invitation(self, token: str) -> Invitation | None: ...
    def agree(self, token: str, *, agreed: bool) -> None: ...
    def agreed_to(self, address: str) -> list[str]:
        """The gatherings to which the address has said Yes, the newest last."""

    def refuse(self, address: str, proposer: str) -> None:
        """The address wishes never to be asked by that proposer again."""

    def refuses(self, address: str, proposer: str) -> bool: ...

    # --- what players wish of lists
    def club_wishes(self) -> list[ClubWish]:
        """Of all who ever wished anything."""

    def wish_of_club(self, wish: ClubWish) -> None: ...

    # --- matches of events
    def link(self, gathering: str, matches: Iterable[str]) -> None: ...
    def event_of(self, match: str) -> str | None: ...
