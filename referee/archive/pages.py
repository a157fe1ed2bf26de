"""What a page of the archive is made of: public facts, as values. Addresses, seals and secrets have no place here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.core.diagram import Diagram


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits where: a name for all to see, never an address."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Deadline:
    """What is publicly owed. `due_at` (aware) is None where no clock runs."""

    seat: int
    demand: str
    label: str
    due_at: datetime | None


@dataclass(frozen=True, slots=True)
class Posting:
    """One public entry: its public position, when, its heading, what happened in the words of the letters (HTML where
    it is Markup), and the board after it, where there is one."""

    number: int
    at: datetime
    told: str
    diagram: Diagram | None = None
    heading: str = ""


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Everything public of a match. `postings` in order; `records` are files by name, offered as they are."""

    name: str
    game: str  # the title: "Fourplay"
    status: str
    phase: str
    roster: tuple[Sitter, ...]
    postings: tuple[Posting, ...]
    outcome: str = ""
    deadlines: tuple[Deadline, ...] = ()
    vacant: str = ""  # which seats one may join, in words
    records: tuple[tuple[str, bytes], ...] = ()

    @property
    def updated(self) -> datetime | None:
        """When something last happened in public."""
        return max((posting.at for posting in self.postings), default=None)

    @property
    def board(self) -> Diagram | None:
        """The board as it stands."""
        return next((p.diagram for p in reversed(self.postings) if p.diagram is not None), None)

    @property
    def next_due(self) -> datetime | None:
        """When the first open deadline is."""
        return min((d.due_at for d in self.deadlines if d.due_at is not None), default=None)

    def sitter(self, seat: int) -> str:
        return next((s.name for s in self.roster if s.seat == seat), f"Player {seat}")
