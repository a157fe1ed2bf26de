"""What the moderator asks for when he amends the rules of a running match, and every fault of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.core.options import OptionSpec, resolved
from referee.match import commands as do
from referee.match.match import Match


@dataclass(frozen=True, slots=True)
class Amendments:
    """Options by name as they were typed, the game's data where they are to be taken anew, and the reason."""

    options: Mapping[str, str]
    specs: tuple[OptionSpec, ...]
    data: Mapping[str, Any] | None
    why: str


def amendment(match: Match, asked: Amendments) -> tuple[do.Amend | None, tuple[str, ...]]:
    """The command, or why it can't be: options nobody knows, values that are impossible, rules that are fixed."""
    options, faults = resolved(asked.specs, asked.options)
    known = {spec.name: spec for spec in asked.specs if spec.name in asked.options}
    changed = {name: value for name, value in options.values.items() if name in known}
    fixed = [
        name for name, value in changed.items() if not known[name].amend and value != match.options.get(name)
    ]
    if fixed:
        free = ", ".join(spec.name for spec in asked.specs if spec.amend) or "none"
        verb = "is" if len(fixed) == 1 else "are"
        fixed_since = f"{', '.join(fixed)} {verb} fixed since the match was opened; what may change: {free}."
        faults = (*faults, fixed_since)
    if faults:
        return None, faults
    again = any(
        known[name].amend == "again" for name, value in changed.items() if value != match.options.get(name)
    )
    return do.Amend(changed, asked.data, again, asked.why), ()
