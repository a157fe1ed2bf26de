"""When windows end, against a calendar that is walked minute by minute on the zone's own clock: ten years, four zones,
both changes of the clocks a year, leap days."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from random import Random
from zoneinfo import ZoneInfo

import pytest

from referee.base import shipped
from referee.core.options import WEEKDAYS, duration, resolved
from referee.match.timing import OPTIONS, Timing, timing_faults, timing_of

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo")
MINUTE = timedelta(minutes=1)
FIRST, LAST = 2021, 2030  # 2024 and 2028 are leap years; Cairo has had summer time since 2023


@cache
def changes(zone: str) -> tuple[datetime, ...]:
    """The hours in which the zone's clocks change in these years, found by looking at each."""
    at, found = datetime(FIRST, 1, 1, tzinfo=UTC), []
    before = at.astimezone(ZoneInfo(zone)).utcoffset()
    while at.year <= LAST:
        at += timedelta(hours=1)
        now = at.astimezone(ZoneInfo(zone)).utcoffset()
        if now != before:
            found.append(at)
        before = now
    return tuple(found)


def walked(zone: str, start: datetime, window: timedelta, hour: str, days_off: str) -> datetime:
    """The same by another way: a clock on the wall is looked at every minute. Minutes of days off do not count; when as
    many have been counted as the window has, the first minute that shows the hour on a day that counts is the end. A
    day on which no minute shows it has its end when it would have been shown by the clock as it went before the gap;
    a minute that was shown already that day is not shown anew."""
    off, here, left = set(days_off.split(",")), ZoneInfo(zone), window
    at = start

    def counts(moment: datetime) -> bool:
        day = moment.astimezone(here).date()
        return WEEKDAYS[day.weekday()] not in off and str(day) not in off

    while left > timedelta(0):
        left -= MINUTE if counts(at) else timedelta(0)
        at += MINUTE
    if hour == "none":
        return at
    return next(end for end in shown(zone, at.astimezone(here).date(), hour) if end >= at and counts(end))


def shown(zone: str, day: date, hour: str) -> Iterator[datetime]:
    """The minute of each day from that one on at which the clock first shows the hour."""
    here, clock = ZoneInfo(zone), time.fromisoformat(hour)
    while True:
        asked = datetime.combine(day, clock)
        at = asked.replace(tzinfo=UTC) - timedelta(hours=15)
        while at.astimezone(here).replace(tzinfo=None) < asked - timedelta(hours=3):
            at += timedelta(minutes=15)
        last = at
        while (told := at.astimezone(here).replace(tzinfo=None)) < asked:
            last = at
            at += MINUTE
        jumped = told > asked
        yield last + (asked - last.astimezone(here).replace(tzinfo=None)) if jumped else at
        day += timedelta(days=1)


def drawn(seed: int) -> tuple[str, datetime, timedelta, str, str]:
    """A zone, a start, a window, an hour and days off; half of the starts lie near a change of the clocks."""
    random = Random(seed)
    zone = ZONES[seed % len(ZONES)]
    if random.random() < 0.5 and changes(zone):
        start = random.choice(changes(zone)) - MINUTE * random.randrange(0, 6 * 1440)
    else:
        start = datetime(FIRST, 1, 1, tzinfo=UTC) + MINUTE * random.randrange((LAST - FIRST) * 525_600)
    if random.random() < 0.15:
        start = datetime(random.choice((2024, 2028)), 2, 28, tzinfo=UTC) + MINUTE * random.randrange(2880)
    window = MINUTE * random.choice((1, 60, 90, 720, 1440, 2880, 4321, 7 * 1440))
    hour = random.choice(("none", "20:00", "02:30", "02:15", "00:00", "23:59", "12:00", "01:30"))
    off = [day for day in WEEKDAYS if random.random() < 0.2][:5]
    local = start.astimezone(ZoneInfo(zone)).date()
    off += [str(local + timedelta(days=random.randrange(0, 12))) for _ in range(random.randrange(3))]
    return zone, start, window, hour, ",".join(off) or "none"


def timing(zone: str = "UTC", hour: str = "none", days_off: str = "none", **more: str) -> Timing:
    options, faults = resolved(
        shipped.game_options("morris"), {"zone": zone, "hour": hour, "days_off": days_off, **more}
    )
    assert not faults
    return timing_of(options.values)


@pytest.mark.parametrize("seed", range(60))
def test_a_window_ends_where_the_walked_calendar_says(seed: int) -> None:
    compared(seed)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_thousands_of_windows_end_where_the_walked_calendar_says(block: int) -> None:
    for seed in range(1000 + block * 250, 1250 + block * 250):
        compared(seed)


def compared(seed: int) -> None:
    zone, start, window, hour, off = drawn(seed)
    ends = timing(zone, hour, off).end(start, window)
    assert ends == walked(zone, start, window, hour, off), (zone, start, window, hour, off)


@pytest.mark.parametrize("seed", range(100))
def test_what_is_counted_what_is_left_and_where_it_began_agree(seed: int) -> None:
    zone, start, window, hour, off = drawn(seed)
    counted = timing(zone, "none", off)
    end = counted.end(start, window)
    assert counted.between(start, end) == window
    begun = timing(zone, hour, off).start(timing(zone, hour, off).end(start, window), window)
    assert begun is not None
    assert begun <= start
    assert timing(zone, hour, off).end(begun, window) == timing(zone, hour, off).end(start, window)


@pytest.mark.parametrize("seed", range(100))
def test_a_deadline_that_is_given_time_stays_on_its_hour_and_loses_nothing(seed: int) -> None:
    zone, start, window, hour, off = drawn(seed)
    clock = timing(zone, hour, off)
    due = clock.end(start, window)
    later = clock.later(due, timedelta(days=1))
    assert later > due
    if hour != "none":
        assert clock.on_the_hour(later) == later
        assert clock.on_the_hour(due) == due
    if hour == "20:00" and off == "none":
        shown_at = [moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) for moment in (due, later)]
        assert shown_at[1] - shown_at[0] == timedelta(days=1), "whatever the clocks do in between"


BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("day", "hour", "ends"),
    [
        ("2026-03-29", "02:30", "2026-03-29T01:30:00Z"),  # skipped: as if the clocks went on, 03:30 by then
        ("2026-10-25", "02:30", "2026-10-25T00:30:00Z"),  # twice: the first
        ("2026-03-29", "20:00", "2026-03-29T18:00:00Z"),
        ("2026-10-25", "20:00", "2026-10-25T19:00:00Z"),
    ],
)
def test_an_hour_that_is_skipped_or_comes_twice(day: str, hour: str, ends: str) -> None:
    start = datetime.fromisoformat(f"{day}T00:00:00").replace(tzinfo=ZoneInfo(BERLIN)).astimezone(UTC)
    assert timing(BERLIN, hour).end(start, MINUTE) == datetime.fromisoformat(ends)


def test_no_hour_is_on_a_day_off_and_days_off_stop_the_window() -> None:
    friday = datetime(2026, 3, 6, 12, tzinfo=UTC)
    weekends = timing(days_off="sat,sun")
    assert weekends.end(friday, timedelta(days=2)) == datetime(2026, 3, 10, 12, tzinfo=UTC)
    assert weekends.end(friday, timedelta(hours=12)) == datetime(2026, 3, 7, tzinfo=UTC), (
        "Friday's last moment"
    )
    evenings = timing(hour="20:00", days_off="sat,sun,2026-03-09")
    assert evenings.end(friday, timedelta(hours=9)) == datetime(2026, 3, 10, 20, tzinfo=UTC)
    saturday = friday + timedelta(days=1)
    assert weekends.end(saturday, timedelta(hours=1)) == datetime(2026, 3, 9, 1, tzinfo=UTC)
    assert weekends.end(saturday, timedelta(0)) == saturday, "no window, no waiting"


def test_every_fault_of_a_value_is_named() -> None:
    given = {
        "hour": "24:00", "days_off": "sat,noday,2026-02-29", "reminders": "2d,soon", "grace": "a day",
        "miss": "-1", "zone": "Berlin?", "hours": "20:00",
    }  # fmt: skip
    faults = "\n".join(resolved(shipped.game_options("buttons"), given)[1])
    for wrong in ("24:00", "'noday', '2026-02-29'", "'soon'", "a day", "-1", "Berlin?", "'hours'"):
        assert wrong in faults
    assert "'sat'" not in faults, "what is right is not named"
    assert resolved(shipped.game_options("buttons"), {"days_off": ",".join(WEEKDAYS)})[1]
    assert timing_faults({"zone": "Europe/Nowhere"})
    assert not timing_faults({"zone": "Europe/Berlin"})


def test_every_game_has_the_options_of_every_match_with_the_defaults_of_the_contract() -> None:
    for slug, miss in (
        ("multigo", "3"),
        ("onepiece", "3"),
        ("fourplay", "0"),
        ("buttons", "0"),
        ("morris", "0"),
    ):
        specs = {spec.name: spec for spec in shipped.game_options(slug)}
        assert set(OPTIONS) <= specs.keys()
        assert all(specs[name].amend == "later" for name in OPTIONS)
        assert specs["miss"].default == miss
        assert "max_timeouts" not in specs


def test_values_are_kept_in_one_form() -> None:
    given = {"hour": "8:05", "days_off": "2026-12-25, Sundays ,sat,2026-01-01,Sat", "reminders": "12h,2d"}
    options, faults = resolved(shipped.game_options("morris"), given)
    assert not faults
    assert [options.values[name] for name in given] == ["08:05", "sat,sun,2026-01-01,2026-12-25", "2d,12h"]
    assert timing_of(options.values).reminders == (duration("2d"), duration("12h"))
