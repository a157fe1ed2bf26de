"""What a moderator has done, in words, and which command undoes it: told with every answer."""

from __future__ import annotations

from shlex import quote

from referee.match import commands as do
from referee.match.commands import MatchCommand
from referee.match.match import Match

NONE = "No command undoes it."


def in_words(undo: str) -> str:
    """What undoes it, as a sentence for the command line."""
    return f"`referee {undo} --why TEXT` undoes it." if undo else NONE


def undoing(before: Match, command: MatchCommand) -> str:
    """The command that undoes it, without its reason; empty where none does. `before` is the match as it stood."""
    name = before.name
    match command:
        case do.Extend(seat=seat):
            dues = {r.due_for(seat) if seat else r.due_at for r in before.rounds}
            if len(dues) != 1 or None in dues:
                return ""
            until = f"{dues.pop():%Y-%m-%dT%H:%M:%SZ}"
            return f"extend {name}{f' --seat {seat}' if seat else ''} --until {until}"
        case do.Pause():
            return f"resume {name}"
        case do.Resume():
            return f"pause {name}"
        case do.Rewind() | do.End() if before.inner is not None:
            return f"rewind {name} --to {before.position}"
        case do.Rule(legal=False):
            return f"rewind {name} --to {before.position}"
        case do.Amend(options=options, data=None):
            old = " ".join(f"--option {key}={before.options.get(key, '')}" for key in sorted(options))
            return f"amend {name} {old}"
        case do.NameSubstitute(seat=seat) if seat not in before.substitutes:
            return f"substitute {name} {seat} --off"
        case do.Replace(seat=seat) | do.Vacate(seat=seat) if (
            seat in before.numbers and before.inner is not None
        ):
            person = before.entrant(seat)
            if person.addresses:
                who = quote(
                    f"{person.name} <{person.addresses[0]}>"
                )  # he chose his name: no shell may obey it
                return f"replace {name} {seat} {who}"
    return ""
