"""How values are told within a sentence: moments, lengths of time, lines, lists, names, the parts of an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import jinja2

from referee.core.complaint import Line
from referee.core.options import duration
from referee.core.texts import speech as theirs
from referee.core.texts.speech import Speech
from referee.match.match import Match

When = Callable[[datetime | None], str]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def clock_in(zone: str | None, fallback: str) -> When:
    """How a moment is told: in the person's zone where known, with UTC beside it."""
    own = ZoneInfo(zone or fallback)

    def when(at: datetime | None) -> str:
        if at is None:
            return "no deadline"
        local = at.astimezone(own)
        day = f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]} {local.year}"
        told = f"{day}, {local.hour:02}:{local.minute:02} {local.tzname()}"
        if local.utcoffset():
            utc = at.astimezone(UTC)
            other = "" if utc.date() == local.date() else f" on {utc.day} {_MONTHS[utc.month - 1]}"
            told += f" ({utc.hour:02}:{utc.minute:02} UTC{other})"
        return told

    return when


def span(length: timedelta | int) -> str:
    """A length of time (a whole number is seconds) in words: "2 weeks", "1 day 12 hours"."""
    seconds = length if isinstance(length, int) else int(length.total_seconds())
    if seconds and seconds % 604800 == 0:
        return _several(seconds // 604800, "week")
    parts = []
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(_several(count, unit))
    return " ".join(parts[:2]) or "no time"


def time_of(option: str) -> str:
    """An option that is a length of time, in words: "7d" is "1 week"."""
    return span(duration(option))


def _several(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


# --- filters of templates -------------------------------------------------------------------------------------------

_COMMENT = "Comment: "
_BESIDE = re.compile(rf"(?:Player|Round|Cycle): \d+$|{_COMMENT}")


def numbered(lines: Sequence[Line]) -> str:
    """Lines by their numbers: "line 4", "lines 3, 5 and 7 to 16"."""
    runs: list[list[int]] = []
    for number in sorted({line.number for line in lines}):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [word for run in runs for word in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    return f"line{'s' if len(lines) > 1 else ''} {listed(words)}"


def orders_alone(answer: Speech) -> Speech:
    """The lines of an answer without those that say whose and of when it is, as a subject does, and its comment."""
    return Speech("\n".join(line for line in answer.text.splitlines() if not _BESIDE.match(line)))


def words_beside(answer: Speech) -> Speech:
    """The comment of an answer."""
    lines = answer.text.splitlines()
    return Speech("\n".join(line.removeprefix(_COMMENT) for line in lines if line.startswith(_COMMENT)))


@jinja2.pass_context
def name_of(context: Mapping[str, Any], seat: int) -> str:
    """A seat's name, in a chain of filters."""
    return str(context["name"](seat))


def name_of_in(seat: int, match: Match) -> str:
    """A seat's name in a match that is not the letter's own."""
    return theirs.called(match.entrant(seat).name, seat if match.seating else None)


def listed(entries: Sequence[object], last: str = "and") -> str:
    """ "a, b and c"."""
    words = [str(entry) for entry in entries]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
