"""Days as people write them: `24 December to 2 January`, `24.12.-2.1.`, `from Friday for a week`, `until 3 Jan`.

A library's parser guesses where a text leaves a choice, and takes what it does not know for nothing. Here every word
must be understood, and what may be read in two ways (`03/04`, `next Friday`) gives both readings.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

_LONGEST: Final = 300
_LAST_YEAR: Final = 9000
_SEARCHED: Final = 9 * 366  # days, among which each date is
_ONE: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
_LENGTHS: Final = {"day": 1, "week": 7, "fortnight": 14, "month": 30}
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_COUNTING: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS: Final = {"a": 1, "an": 1, **{word: number for number, word in enumerate(_COUNTING, 1)}}

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY: Final = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b"
_TH: Final = r"(?:st\b|nd\b|rd\b|th\b|\.)?"
_YEAR: Final = r"(?:,?\s*(?P<{0}3>\d{{4}})\b)?"
# A day, or days, with the weekday before it; tried in this order. Behind a kind's letter: 1 day, 2 month, 3 year.
_TOKEN: Final = re.compile(
    rf"(?:(?P<on>{_WEEKDAY})\.?,?\s+(?:the\s+)?(?=\d|{_MONTH}\s*\d))?(?:"
    r"(?P<iso>(?P<i3>\d{4})-(?P<i2>\d{1,2})-(?P<i1>\d{1,2})\b)"
    r"|(?P<dot>(?P<d1>\d{1,2})\.\s?(?P<d2>\d{1,2})(?:\.|\b)(?:(?P<d3>\d{4}|\d\d)\b)?)"
    r"|(?P<slash>(?P<s1>\d{1,2})/(?P<s2>\d{1,2})(?:/(?P<s3>\d{4}|\d\d))?\b)"
    rf"|(?P<nth>(?P<n1>\d{{1,2}}){_TH}\s*(?:of\s+)?(?P<n2>{_MONTH}){_YEAR.format('n')})"
    rf"|(?P<mname>(?P<m2>{_MONTH})\s+(?:the\s+)?(?P<m1>\d{{1,2}})(?!\d){_TH}{_YEAR.format('m')})"
    rf"|(?P<lone>(?P<ld>\d{{1,2}}){_TH}(?=\s*(?:-|to\b|until\b|till\b|through\b|bis\b|[.!]?$)))"
    r"|(?P<length>(?P<many>\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?P<unit>day|week|fortnight|month)s?\b)"
    r"|(?P<named>today|tomorrow)\b"
    r"|(?P<week>(?:(?P<which>this|next|the|coming)\s+)?(?P<of>week(?:end)?)\b)"
    rf"|(?P<weekday>(?P<wnext>next\s+|this\s+|coming\s+)?(?P<wd>{_WEEKDAY}))"
    rf"|(?P<month>(?P<xm>{_MONTH}){_YEAR.format('x')})"
    r"|(?P<link>-+|\.{2,3}|/|(?:to|until|till|through|thru|bis)\b)"
    r"|(?P<since>(?:from|starting|beginning|since|von|vom|ab)\b)"
    r"|(?P<filler>(?:on|the|and|i'm|i'll|i|am|will|be|away|out|off|for|inclusive|incl|included|please|"
    r"both|in|all|whole|of|including|during)\b|[,;.!])"
    r"|(?P<space>\s+)|(?P<strange>.))"
)  # fmt: skip


class Days(NamedTuple):
    """From the first day to the last, both among them."""

    first: date
    last: date


def days_in(text: str, today: date) -> tuple[Days, ...]:
    """The days that the text says, once for each way in which it can be read; none where it can't be. Linear."""
    text = text[:_LONGEST].casefold().replace("–", "-").replace("—", "-").replace("…", "...")
    readings = (_read(text, _Way(today, swapped, far)) for swapped in (False, True) for far in (False, True))
    return tuple(dict.fromkeys(days for days in readings if days is not None and days.first <= days.last))


def absence_spans(text: str, zone: str, now: datetime) -> dict[tuple[datetime, datetime], Days]:
    """From the first day's beginning to the last day's end, in the zone, and the days, for every
    way in which the text can be read."""
    found = days_in(text, now.astimezone(ZoneInfo(zone)).date())
    known = (days for days in found if days.last.year < _LAST_YEAR)
    return {(_midnight(d.first, zone), _midnight(d.last + _ONE, zone)): d for d in known}


def _midnight(day: date, zone: str) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(ZoneInfo("UTC"))


class _Way(NamedTuple):
    """A way to read. `swapped`: where there are slashes the month stands before the day. `far`: "next Friday" is that
    of next week, not the one to come; "from Friday for a week" has the next Friday in it."""

    today: date
    swapped: bool
    far: bool


class _Day(NamedTuple):
    """A day, or days, as said: `after` gives the first such days on or after a date. `yearly`: its
    year was not said; `lone`: nor its month. Which days such a one may be is told by `fits`."""

    after: Callable[[date], Days]
    fits: Callable[[date], bool] = bool
    yearly: bool = False
    lone: bool = False
    weekday: bool = False


def _read(text: str, way: _Way) -> Days | None:
    """The days that fit what was said, and nothing else; where they are said with their weekdays they fall on them."""
    days, weekdays = list[_Day](), list[str | None]()  # weekdays: what was said beside each
    links, length, since = list[int](), None, False  # links: how many days stand before each
    try:
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            kind = found.lastgroup or "" if found is not None else "strange"
            if found is None or kind == "strange" or (kind == "length" and length is not None):
                return None
            at = found.end()
            if kind == "link":
                links.append(len(days))
            elif kind == "length":
                many = _NUMBERS.get(found["many"]) or int(found["many"])
                length = many * _LENGTHS[found["unit"]] * _ONE
            elif kind == "since":
                since = True
            elif kind not in ("filler", "space"):
                days.append(_day(kind, found, way))
                weekdays.append(found["on"])
        said = _said(days, links, length, way, since=since)
        both = () if said is None else (said.first, said.last) if links != [0] else (said.last,)
        told = zip(both, weekdays, strict=False)
        fits = all(named is None or day.weekday() == _WEEKDAYS.index(named[:3]) for day, named in told)
        return said if fits else None
    except (ValueError, OverflowError, StopIteration):
        return None


def _said(
    days: list[_Day], links: list[int], length: timedelta | None, way: _Way, *, since: bool
) -> Days | None:
    today = way.today
    match days, links:
        case [], [] if length is not None:
            return Days(today, today + length - _ONE)
        case [day], [] if length is not None and not day.lone:
            first = day.after(today).first
            whole = way.far and day.weekday and length % _WEEK == timedelta()
            return Days(first, first + length - (timedelta() if whole else _ONE))
        case [day], [] if not day.lone and not since:
            return day.after(today)
        case [day], [0] if length is None:
            return Days(today, day.after(today).last)
        case [first, last], [1] if length is None:
            return _between(first, last, today)
    return None


def _between(first: _Day, last: _Day, today: date) -> Days:
    """Of a day whose year was not said the one that leaves the end before us: it may have begun already."""
    if first.lone:
        end = last.after(today).last
        return Days(_nearest(end, -_ONE, first.fits), end)
    begun = first.after(today).first
    end = last.after(begun if last.lone else today).last  # March 10-14
    if first.yearly and end < begun:
        return Days(_nearest(end, -_ONE, first.fits), end)
    return Days(begun, end if first.yearly and not last.yearly else last.after(begun).last)


# --- days -----------------------------------------------------------------------------------------------------------


def _nearest(start: date, step: timedelta, fits: Callable[[date], bool]) -> date:
    """The first day that fits, from one on or back."""
    return next(day for n in range(_SEARCHED) if fits(day := start + n * step))


def _floating(
    fits: Callable[[date], bool], *, yearly: bool = False, lone: bool = False, weekday: bool = False
) -> _Day:
    def after(start: date) -> Days:
        day = _nearest(start, _ONE, fits)
        return Days(day, day)

    return _Day(after, fits, yearly, lone, weekday)


def _fixed(first: date, last: date | None = None) -> _Day:
    return _Day(lambda start: Days(first, last or first))


def _dated(said_day: str, said_month: str, year: str | None) -> _Day:
    number, month = int(said_day), int(said_month) if said_month.isdecimal() else _month(said_month)
    if year:
        return _fixed(date(int(year) + (2000 if len(year) == 2 else 0), month, number))
    date(2024, month, number)  # a leap year: whatever is no day is none
    return _floating(lambda day: (day.month, day.day) == (month, number), yearly=True)


def _month(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1


def _day(kind: str, found: re.Match[str], way: _Way) -> _Day:
    today = way.today
    match kind:
        case "iso" | "dot" | "slash" | "nth" | "mname":
            day, month, year = (found[kind[0] + part] for part in "123")
            return _dated(month, day, year) if way.swapped and found["slash"] else _dated(day, month, year)
        case "lone":
            number = int(found["ld"])
            return _floating(lambda day: day.day == number, lone=True)
        case "named":
            return _fixed(today + _ONE if found["named"] == "tomorrow" else today)
        case "weekday":
            wanted = _WEEKDAYS.index(found["wd"][:3])
            named = _floating(lambda day: day.weekday() == wanted, weekday=True)
            if (found["wnext"] or "").strip() != "next":
                return named
            return _fixed(named.after(_next_monday(today) if way.far else today + _ONE).first)
        case "week":
            return _week(found, way)
    month = _month(found["xm"])

    def month_of(year: int) -> Days:
        return Days(date(year, month, 1), date(year + month // 12, month % 12 + 1, 1) - _ONE)

    if found["x3"]:
        return _fixed(*month_of(int(found["x3"])))
    return _Day(lambda start: next(of for n in (0, 1) if (of := month_of(start.year + n)).last >= start))


def _next_monday(today: date) -> date:
    return today - timedelta(days=today.weekday()) + _WEEK


def _week(found: re.Match[str], way: _Way) -> _Day:
    which, today = found["which"], way.today
    if which is None:
        raise ValueError
    sunday = _next_monday(today) - _ONE
    if found["of"] == "week":
        return _fixed(sunday + _ONE, sunday + _WEEK) if which in ("next", "coming") else _fixed(today, sunday)
    begun = today.weekday() >= _WEEKDAYS.index("sat")
    if which == "next" and (way.far or begun):
        sunday += _WEEK
    return _fixed(max(sunday - _ONE, today), sunday)
