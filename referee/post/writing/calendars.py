"""Deadlines as calendar entries that go with a letter (RFC 5545, RFC 5546)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from referee.offices.outgoing.letters import Appointment

_AHEAD = timedelta(days=1)  # when the calendar reminds


def calendar_files(
    appointments: Sequence[Appointment], at: datetime, organizer: tuple[str, str]
) -> tuple[tuple[str, str, str], ...]:
    """Files (name, MIME type, text) for a letter written at that moment: one with the deadlines that are new or have
    moved, one with those that are done. `organizer` is a name and an address: calendars take changes only from
    whoever sent the entry."""
    both = ("PUBLISH", "deadline.ics", False), ("CANCEL", "done.ics", True)
    rows = [
        (method, name, [each for each in appointments if each.done == done]) for method, name, done in both
    ]
    return tuple(
        (name, f"text/calendar; method={method}", _calendar(method, entries, at, organizer))
        for method, name, entries in rows
        if entries
    )


def _calendar(
    method: str, appointments: Sequence[Appointment], at: datetime, organizer: tuple[str, str]
) -> str:
    from icalendar import Alarm, Calendar, Event, vCalAddress, vText  # loaded with the first deadline

    sender = vCalAddress(f"mailto:{organizer[1]}")
    sender.params["cn"] = vText(organizer[0])
    calendar = Calendar()
    calendar.add("prodid", "-//referee//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for appointment in appointments:
        event = Event()
        event.add("uid", appointment.uid)
        event.add("sequence", min(appointment.sequence, 2**31 - 1))
        event.add("dtstamp", at.astimezone(UTC))
        event.add("dtstart", appointment.at.astimezone(UTC))
        event.add("organizer", sender)
        event.add("summary", appointment.what)
        event.add("description", appointment.how)
        event.add("transp", "TRANSPARENT")
        event.add("status", "CANCELLED" if appointment.done else "CONFIRMED")
        if not appointment.done:
            alarm = Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", appointment.what)
            alarm.add("trigger", -_AHEAD)
            event.add_component(alarm)
        calendar.add_component(event)
    return bytes(calendar.to_ical()).decode()
