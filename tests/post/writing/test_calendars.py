"""Calendar files are put together of what the library made once: they are what it makes of the same entries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st
from icalendar import Calendar

from referee.offices.outgoing.letters import Appointment
from referee.post.writing.calendars import _event, calendar_files

WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=120)
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2099, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))
ENTRIES = st.builds(Appointment, WORDS, st.integers(0, 10**9), MOMENTS, WORDS, WORDS, st.booleans())
AT = datetime(2026, 3, 1, 12, 30, 15, tzinfo=timezone(timedelta(hours=2)))


def by_the_library(method: str, entries: list[Appointment], organizer: tuple[str, str]) -> str:
    calendar = Calendar()
    calendar.add("prodid", "-//referee//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for entry in entries:
        calendar.add_component(_event(entry, AT, organizer))
    return calendar.to_ical().decode()


@given(
    st.lists(ENTRIES, max_size=4),
    st.sampled_from([("The referee", "speaker@r.example"), ('A "b"; c', "a@b")]),
)
@example([Appointment("UID:uid\r\nX: y", 7, AT, "what\nEND:VEVENT\r\nA:b", "how\\N\r\n\r\n")], ("R", "r@r"))
@example([Appointment("u" * 75, 7, AT, "w" * 66, "ü" * 40, done=True)], ("R", "r@r"))
@example([Appointment("\ufeffu", 1, AT, "\ufeff\ufeffw", "\ufeff")] * 2, ("R", "r@r"))
@example([Appointment("uid", 77777, AT, "how", "what")], ("what", "uid@how"))
def test_a_calendar_is_the_librarys_own(entries: list[Appointment], organizer: tuple[str, str]) -> None:
    made = {name: text for name, _, text in calendar_files(entries, AT, organizer)}
    standing, done = [e for e in entries if not e.done], [e for e in entries if e.done]
    expected = {}
    if standing:
        expected["deadline.ics"] = by_the_library("PUBLISH", standing, organizer)
    if done:
        expected["done.ics"] = by_the_library("CANCEL", done, organizer)
    assert made == expected


@given(st.lists(ENTRIES, min_size=1, max_size=3))
def test_no_word_adds_an_entry_or_a_line(entries: list[Appointment]) -> None:
    for _, _, text in calendar_files(entries, AT, ("The referee", "speaker@r.example")):
        lines = text.replace("\r\n ", "").removesuffix("\r\n").split("\r\n")
        names = [line.partition(":")[0].partition(";")[0] for line in lines]
        assert names.count("BEGIN") == 1 + sum(
            1 if "CANCEL" in text[:90] else 2 for _ in range(names.count("UID"))
        )
        assert set(names) <= {
            "BEGIN", "END", "VERSION", "PRODID", "METHOD", "SUMMARY", "DTSTART", "DTSTAMP", "UID", "SEQUENCE",
            "DESCRIPTION", "ORGANIZER", "STATUS", "TRANSP", "ACTION", "TRIGGER",
        }  # fmt: skip
