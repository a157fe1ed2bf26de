"""What is wrong with a player's answer: values, never exceptions; their words stand in templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sender's own words; `number` counts from 1 in the body as the sender wrote it."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Complaint:
    """One fault. `code` picks the wording in the game's `complaints.toml`, which is given `facts`.

    `rule` is the clause that was broken ("604.A"; "house" for a house rule); `line` the line at fault,
    or None where something is missing altogether.
    """

    code: str
    rule: str
    line: Line | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
