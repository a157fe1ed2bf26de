"""What became of a command: values that the offices turn into letters and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.core.complaint import Complaint, Line
from referee.core.game import Demand


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer counts. `seal` only in sealed rounds."""

    label: str
    demand: Demand
    text: str
    seal: str | None = None
    courtesy: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A sealed answer was taken back; the seat owes again."""

    label: str
    demand: Demand
    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing changed; every complaint, and the answer as far as it was understood (for the mended form)."""

    demand: Demand | None
    complaints: tuple[Complaint, ...]
    draft: Any = None
    courtesy: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Ignored:
    """An earlier answer counts already; nothing changed."""

    label: str
    demand: Demand
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The referee's own answer must come first; try again after it."""


@dataclass(frozen=True, slots=True)
class Done:
    """The moderator's or the clock's stimulus was carried out (entries say what followed)."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """The moderator asked for what can't be done; one line that says why."""

    why: str


Verdict = Accepted | Withdrawn | Refused | Ignored | Waiting | Done | Impossible
