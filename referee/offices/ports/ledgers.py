"""Matches: their ledgers, their rows with the cached state, who sits in them, and what outages they are owed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from referee.base.errors import RefereeError

if TYPE_CHECKING:
    from referee.match.events import Entry


class BadLedger(RefereeError):
    """The entries that the store holds of a match can't be read."""


class StoredMatch(NamedTuple):
    """A match's row: its summary and its cached state."""

    name: str
    game: str
    status: Literal["filling", "open", "paused", "ended"]
    phase: str
    version: int
    opened_at: datetime
    stamp: str
    state: str
    lapses_at: datetime | None
    reminds_at: datetime | None
    computes: bool
    vacant: bool = False
    table: str | None = None  # with which others of its game it is compared
    facts: str | None = None  # how it stands in public; written with the row, and read as `KeptFacts`


class KeptFacts(NamedTuple):
    """How a match stands, as its row keeps it: `facts` is None where nobody has written them yet."""

    name: str
    version: int
    stamp: str
    facts: str | None


class MatchSummary(NamedTuple):
    """What the row of a match says without its state."""

    name: str
    game: str
    status: str


class Published(NamedTuple):
    """How far a match's public record goes."""

    name: str
    opened_at: datetime
    position: int


class Outage(NamedTuple):
    """Since when, and for how long, the referee was silent."""

    since: datetime
    length: timedelta


class MatchStore(Protocol):
    """The rows of matches."""

    def match(self, name: str) -> StoredMatch | None: ...
    def matches(self) -> list[StoredMatch]: ...
    def running(self, most: int) -> list[str]:
        """The matches that go on and were opened last, so many at most."""

    def names(self) -> list[str]:
        """All matches, by their opening; for who must look at each, in a transaction of its own."""

    def all_kept_facts(self) -> list[KeptFacts]:
        """How all matches stand, by their opening."""

    def kept_facts_of(self, name: str) -> KeptFacts | None: ...
    def keep_facts(self, name: str, version: int, facts: str) -> None:
        """Write down how a match of that version stands; nothing where it has moved on."""

    def compared(self, game: str, table: str) -> list[str]:
        """The matches of a table, by their opening."""

    def has_match(self, name: str) -> bool: ...
    def summaries(self, names: Iterable[str]) -> list[MatchSummary]:
        """Of the matches that have one of the names, by name."""

    def has_match_like(self, name: str) -> bool:
        """Whether a match has that name, compared without case."""

    def published(self) -> list[Published]:
        """How far every match's public record goes, by their opening, read without their states and ledgers."""

    def history(self, name: str) -> list[Entry]:
        """The whole ledger. Raises BadLedger."""

    def save(self, row: StoredMatch, entries: Sequence[Entry]) -> None:
        """Append to the ledger and rewrite the row. Raises Again if another changed the match since it was read."""

    def seat_addresses(self, match: str, held: Iterable[tuple[int, str]]) -> None: ...
    def seats_of(self, address: str) -> list[tuple[str, int]]: ...
    def former_addresses(self, match: str, addresses: Iterable[str]) -> None:
        """The addresses of those who sat in the match before, instead of those it had."""

    def left_by(self, address: str) -> list[str]:
        """The matches in which the address was somebody's who sits there no more."""

    def vacant(self) -> list[tuple[str, str]]:
        """The matches with a seat that one may join: name and game."""

    def next_lapse(self, before: datetime, beyond: Iterable[str]) -> tuple[str, datetime] | None: ...
    def reminding(self, by: datetime) -> list[str]:
        """Matches whose next reminder is due."""

    def computing(self) -> list[str]:
        """Matches that wait for the referee's own answer, without those that are stuck."""

    def stick(self, name: str, version: int) -> None:
        """The answer was not found; it is not looked for again in this version of the match."""

    def unstick(self, names: Iterable[str]) -> None: ...
    def stuck(self) -> list[str]: ...

    # --- the referee's own outages
    def note_outage(self, since: datetime, length: timedelta) -> None:
        """Every open match is owed the time; each is given it in a transaction of its own, before anything else befalls
        it."""

    def owed_time(self, most: int) -> list[str]:
        """Matches that are owed time, by their opening."""

    def take_outages(self, match: str) -> list[Outage]:
        """The time that the match is owed, which it is given now."""
