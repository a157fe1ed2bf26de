"""Which command undoes what a moderator has done, told with every answer; or that none does."""

from __future__ import annotations

from shlex import quote

from referee.match import commands as do
from referee.match.commands import MatchCommand
from referee.match.match import Match

NONE = "No command undoes it."


def undoing(before: Match, command: MatchCommand) -> str:
    """A sentence. `before` is the match as it stood."""
    name = before.name
    match command:
        case do.Extend(seat=seat):
            dues = {r.due_for(seat) if seat else r.due_at for r in before.rounds}
            if len(dues) != 1 or None in dues:
                return NONE
            until = f"{dues.pop():%Y-%m-%dT%H:%M:%SZ}"
            return _by(f"referee extend {name}{f' --seat {seat}' if seat else ''} --until {until} --why TEXT")
        case do.Pause():
            return _by(f"referee resume {name} --why TEXT")
        case do.Resume():
            return _by(f"referee pause {name} --why TEXT")
        case do.Rewind() | do.End() if before.inner is not None:
            return _by(f"referee rewind {name} --to {before.position} --why TEXT")
        case do.Rule(legal=False):
            return _by(f"referee rewind {name} --to {before.position} --why TEXT")
        case do.Amend(options=options, data=None):
            old = " ".join(f"--option {key}={before.options.get(key, '')}" for key in sorted(options))
            return _by(f"referee amend {name} {old} --why TEXT")
        case do.Replace(seat=seat) | do.Vacate(seat=seat) if (
            seat in before.numbers and before.inner is not None
        ):
            person = before.entrant(seat)
            if person.addresses:
                who = quote(
                    f"{person.name} <{person.addresses[0]}>"
                )  # he chose his name: no shell may obey it
                return _by(f"referee replace {name} {seat} {who} --why TEXT")
    return NONE


def _by(command: str) -> str:
    return f"`{command}` undoes it."
