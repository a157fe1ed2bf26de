"""Deadlines as calendar entries that go with a letter (RFC 5545, RFC 5546)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from icalendar import Event

from referee.offices.outgoing.letters import Appointment

_AHEAD = timedelta(days=1)  # when the calendar reminds


def calendar_files(
    appointments: Sequence[Appointment], at: datetime, organizer: tuple[str, str]
) -> tuple[tuple[str, str, str], ...]:
    """Files (name, MIME type, text) for a letter written at that moment: one with the deadlines that are new or have
    moved, one with those that are done. `organizer` is a name and an address: calendars take changes only from
    whoever sent the entry."""
    standing = [each for each in appointments if not each.done]
    past = [each for each in appointments if each.done]
    files = []
    if standing:
        text = _calendar("PUBLISH", standing, at, organizer)
        files.append(("deadline.ics", "text/calendar; method=PUBLISH", text))
    if past:
        files.append(("done.ics", "text/calendar; method=CANCEL", _calendar("CANCEL", past, at, organizer)))
    return tuple(files)


def _calendar(
    method: str, appointments: Sequence[Appointment], at: datetime, organizer: tuple[str, str]
) -> str:
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", "-//referee//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for appointment in appointments:
        calendar.add_component(_event(appointment, at, organizer))
    return bytes(calendar.to_ical()).decode()


def _event(appointment: Appointment, at: datetime, organizer: tuple[str, str]) -> Event:
    from icalendar import Alarm, Event, vCalAddress, vText

    name, address = organizer
    sender = vCalAddress(f"mailto:{address}")
    sender.params["cn"] = vText(name)
    event = Event()
    event.add("uid", appointment.uid)
    event.add("sequence", appointment.sequence)
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
    return event
