"""Deadlines as calendar entries that go with a letter (RFC 5545, RFC 5546)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from icalendar import Event

from referee.offices.outgoing.letters import Appointment

_AHEAD = timedelta(days=1)  # when the calendar reminds
_SHORT = 75  # bytes of a line that is not folded


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
    mould = _mould(method, organizer)
    written = _moment(at)
    entries = [mould.entry(appointment, written) for appointment in appointments]
    return "".join((mould.head, *entries, mould.tail))


@dataclass(frozen=True, slots=True)
class _Mould:
    """A calendar of the library's making, parted into what comes before its one entry, that entry's lines, and the
    end. Lines of the entry that hang on the appointment are there by name, all others as they are."""

    head: str
    lines: tuple[
        tuple[str, str], ...
    ]  # what stands before the value, and the value's name; or the line and nothing
    tail: str

    def entry(self, appointment: Appointment, written: str) -> str:
        values = {
            "uid": _text(appointment.uid),
            "sequence": str(appointment.sequence),
            "written": written,
            "at": _moment(appointment.at),
            "what": _text(appointment.what),
            "how": _text(appointment.how),
        }
        return "".join([_folded(f"{line}{values[name]}") if name else line for line, name in self.lines])


@lru_cache(16)
def _mould(method: str, organizer: tuple[str, str]) -> _Mould:
    """Made once: the library takes a quarter of a millisecond for each calendar, most of it for lines that never
    change."""
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", "-//referee//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    blank = Appointment("uid", 77777, _EPOCH, "what", "how", done=method == "CANCEL")
    calendar.add_component(_event(blank, _EPOCH + timedelta(days=1), organizer))
    head, begun, rest = bytes(calendar.to_ical()).decode().partition("BEGIN:VEVENT\r\n")
    entry, ended, tail = rest.partition("END:VEVENT\r\n")
    places = {
        "UID:uid": "uid",
        "SEQUENCE:77777": "sequence",
        "DTSTAMP:19700102T000000Z": "written",
        "DTSTART:19700101T000000Z": "at",
        "SUMMARY:what": "what",
        "DESCRIPTION:what": "what",
        "DESCRIPTION:how": "how",
    }
    lines = [
        (f"{line.partition(':')[0]}:", places[line]) if line in places else (f"{line}\r\n", "")
        for line in entry.split("\r\n")[:-1]
    ]
    return _Mould(head, ((begun, ""), *lines, (ended, "")), tail)


_ESCAPED = ("\\", ";", ",")  # of what is printable
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    """A value of words, as the library escapes it, and without the byte order mark that it takes off."""
    if words.isascii() and words.isprintable() and not any(sign in words for sign in _ESCAPED):
        return words
    from icalendar import vText

    return bytes(vText(words).to_ical()).decode("utf-8-sig")


def _folded(line: str) -> str:
    """A line as the library folds it; one of plain letters without its help."""
    if line.isascii() and not any(sign in line for sign in "\\^\n"):
        parts = [line[at : at + _SHORT - 1] for at in range(0, len(line), _SHORT - 1)]
        return "\r\n ".join(parts) + "\r\n"
    from icalendar.parser import Contentline

    folded: bytes = Contentline(line).to_ical()  # type: ignore[no-untyped-call]
    return f"{folded.decode()}\r\n"


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
