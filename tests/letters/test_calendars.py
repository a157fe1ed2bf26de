"""Calendar files: which deadlines stand in which, and nothing in them but those."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st
from icalendar import Calendar

from referee.letters.calendars import calendar_files
from referee.letters.letter import Appointment

WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=120)
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2099, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))
ENTRIES = st.builds(Appointment, WORDS, st.integers(0, 10**9), MOMENTS, WORDS, WORDS, st.booleans())
AT = datetime(2026, 3, 1, 12, 30, 15, tzinfo=timezone(timedelta(hours=2)))


@given(st.lists(ENTRIES, max_size=4))
@example([Appointment("UID:uid\r\nX: y", 7, AT, "what\nEND:VEVENT\r\nA:b", "how\\N")])
@example([Appointment("u" * 75, 7, AT, "w" * 66, "ü" * 40, done=True)])
def test_what_is_new_and_what_is_done_have_a_file_each(entries: list[Appointment]) -> None:
    made = {
        name: Calendar.from_ical(text) for name, _, text in calendar_files(entries, AT, ("R", "r@r.example"))
    }
    for name, done in ("deadline.ics", False), ("done.ics", True):
        mine = [entry for entry in entries if entry.done == done]
        assert (name in made) == bool(mine)
        events = made[name].walk("VEVENT") if mine else []
        assert [e["SEQUENCE"] for e in events] == [entry.sequence for entry in mine]
        assert [e["DTSTART"].dt for e in events] == [entry.at.replace(microsecond=0) for entry in mine]
        assert all(bool(e.walk("VALARM")) != done for e in events)


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
