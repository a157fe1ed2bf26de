"""Open deadlines as an iCalendar file, for players who live by their calendar."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime

from icalendar import Calendar, Event

from referee.archive.pages import Deadline, MatchPage
from referee.archive.wording import seemly

_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)


def calendar(title: str, pages: Iterable[MatchPage]) -> bytes:
    """All deadlines of the pages, by time. A deadline that moves keeps its UID, so that calendars move it too."""
    diary = Calendar()
    diary.add("prodid", "-//referee//deadlines//EN")
    diary.add("version", "2.0")
    diary.add("method", "PUBLISH")
    diary.add("x-wr-calname", seemly(title))
    found = [(d.due_at, page, d) for page in pages for d in page.deadlines if d.due_at is not None]
    for due_at, page, deadline in sorted(
        found, key=lambda row: (row[0], row[1].name, row[2].seat, row[2].demand)
    ):
        diary.add_component(_event(page, deadline, due_at))
    return bytes(diary.to_ical())


def _event(page: MatchPage, deadline: Deadline, due_at: datetime) -> Event:
    what = "\x1f".join((page.name, deadline.label, str(deadline.seat), deadline.demand))
    who = page.sitter(deadline.seat)
    event = Event()
    event.add("uid", f"{hashlib.sha256(what.encode()).hexdigest()[:32]}@referee")
    event.add("dtstamp", (page.updated or _NO_TIME).astimezone(UTC))
    event.add("dtstart", due_at.astimezone(UTC))
    event.add("summary", seemly(f"{page.game} [{page.name}]: {deadline.demand} by {who}"))
    event.add(
        "description", seemly(f"{deadline.label}: {who} (Player {deadline.seat}) owes {deadline.demand}.")
    )
    event.add("transp", "TRANSPARENT")
    return event
