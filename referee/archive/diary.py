"""Open deadlines as an iCalendar file, for players who live by their calendar."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from icalendar import Calendar, Event

from referee.archive.pages import Deadline, Summary
from referee.archive.wording import seemly


def calendar(
    title: str, matches: Iterable[Summary], wanted: Callable[[Summary, int], bool] = lambda match, seat: True
) -> bytes:
    """All deadlines of the matches' seats that are wanted, by time. A deadline that moves keeps its UID, so that
    calendars move it too."""
    diary = Calendar()
    diary.add("prodid", "-//referee//deadlines//EN")
    diary.add("version", "2.0")
    diary.add("method", "PUBLISH")
    diary.add("x-wr-calname", seemly(title))
    found = [
        (d.due_at, match, d)
        for match in {match.name: match for match in matches}.values()
        for d in match.deadlines
        if d.due_at is not None and wanted(match, d.seat)
    ]
    for due_at, match, deadline in sorted(
        found, key=lambda row: (row[0], row[1].name, row[2].seat, row[2].demand)
    ):
        diary.add_component(_event(match, deadline, due_at))
    return bytes(diary.to_ical())


def _event(match: Summary, deadline: Deadline, due_at: datetime) -> Event:
    what = "\x1f".join((match.name, deadline.label, str(deadline.seat), deadline.demand))
    who = match.sitter(deadline.seat)
    event = Event()
    event.add("uid", f"{hashlib.sha256(what.encode()).hexdigest()[:32]}@referee")
    event.add("dtstamp", match.updated.astimezone(UTC))
    event.add("dtstart", due_at.astimezone(UTC))
    event.add("summary", seemly(f"{match.title} [{match.name}]: {deadline.demand} by {who}"))
    event.add(
        "description", seemly(f"{deadline.label}: {who} (Player {deadline.seat}) owes {deadline.demand}.")
    )
    event.add("transp", "TRANSPARENT")
    return event
