"""How moments and lengths of time are told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from referee.core.options import duration

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
