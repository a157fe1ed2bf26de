"""When deadlines end: the options that every match has, whatever its game, and what they make of a window.

The tz database is all that is asked of the machine; what was decided by it stands in the ledger, so
that no ledger hangs on it. A time of day that a zone skips or has twice is taken as calendars take
it (RFC 5545, 3.3.5): one that is skipped by the offset before the gap, of two the first."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from referee.core.game import Setup
from referee.core.options import WEEKDAYS, Options, duration
from referee.core.value import Value

OPTIONS = ("hour", "days_off", "zone", "reminders", "grace", "delay", "miss")
MOVING = frozenset(("hour", "days_off", "zone"))  # an amendment of these reaches deadlines that run
BEFORE = {"max_timeouts": "miss"}  # what two games called an option in 0.2.0
_DAY = timedelta(days=1)


class Timing(Value):
    """The options as values. `reminders`: how long before a deadline; "usual" is the referee's own
    habit. `delay`: how long at most a conditional turn waits once its condition has come true."""

    zone: str = "UTC"
    hour: time | None = None
    weekdays: frozenset[int] = frozenset()
    dates: frozenset[date] = frozenset()
    reminders: tuple[timedelta, ...] | Literal["usual"] = "usual"
    grace: timedelta = timedelta(0)
    delay: timedelta = timedelta(0)
    miss: int = 0

    def end(self, start: datetime, window: timedelta) -> datetime:
        """When a window is over that begins at `start`: the time that passes on days that count is as long as the
        window, and then the hour comes on such a day. A window of no length is over at once."""
        if not window:
            return start
        at = self._counted(start, window) if self.weekdays or self.dates else start + window
        return at if self.hour is None else self._at_hour(at, self.hour)

    def later(self, due: datetime, span: timedelta) -> datetime:
        """Where a deadline moves that is given so much time. One that stands on the hour stays on
        it, whatever the clocks of the zone do in between."""
        if self.hour is None or not span:
            return self.end(due, span)
        at, zone = self._counted(due, span), ZoneInfo(self.zone)
        shown = [moment.astimezone(zone).replace(tzinfo=None) for moment in (due, at)]
        shift = (shown[1] - shown[0]) - (at - due)
        return self._at_hour(max(due, at - shift), self.hour)

    def on_the_hour(self, at: datetime) -> datetime:
        """The first moment, from then on, at which a deadline may end."""
        if self.hour is not None:
            return self._at_hour(at, self.hour)
        while not self._counts(day := self._day(at)):
            at = self._over(day, at)
        return at

    def between(self, start: datetime, end: datetime) -> timedelta:
        """How much of the time from `start` to `end` counts."""
        counted, at = timedelta(0), start
        while at < end:
            day = self._day(at)
            over = min(self._over(day, at), end)
            counted += over - at if self._counts(day) else timedelta(0)
            at = over
        return counted

    def start(self, due: datetime, window: timedelta) -> datetime | None:
        """The first moment from which a window ends at `due`; None where there is none."""
        early, late = due - window - timedelta(days=2000), due
        while (span := late - early) > timedelta(microseconds=1):
            middle = early + span / 2
            early, late = (middle, late) if self.end(middle, window) < due else (early, middle)
        return late if self.end(late, window) == due else None

    def _counted(self, start: datetime, window: timedelta) -> datetime:
        at, left = start, window
        while True:
            day = self._day(at)
            over = self._over(day, at)
            if self._counts(day):
                if at + left <= over:
                    return at + left
                left -= over - at
            at = over

    def _at_hour(self, at: datetime, hour: time) -> datetime:
        day = self._day(at)
        while not self._counts(day) or self._moment(day, hour) < at:
            day += _DAY
        return self._moment(day, hour)

    def _counts(self, day: date) -> bool:
        return day.weekday() not in self.weekdays and day not in self.dates

    def _day(self, at: datetime) -> date:
        return at.astimezone(ZoneInfo(self.zone)).date()

    def _over(self, day: date, at: datetime) -> datetime:
        """When the day is over; of a midnight that comes twice the one behind `at`."""
        over = self._moment(day + _DAY, time())
        return over if over > at else self._moment(day + _DAY, time(fold=1))

    def _moment(self, day: date, at: time) -> datetime:
        return datetime.combine(day, at, ZoneInfo(self.zone)).astimezone(UTC)


def timing_of(options: Mapping[str, str]) -> Timing:
    """The timing that a match's options say; what a ledger older than the option does not say changes nothing."""
    said = {BEFORE.get(name, name): value for name, value in options.items() if name in BEFORE}
    said |= {name: options[name] for name in OPTIONS if options.get(name)}
    days = said["days_off"].split(",") if said.get("days_off", "none") != "none" else []
    if set(WEEKDAYS) <= set(days):
        raise ValueError("no day would count")
    reminders = said.get("reminders", "usual")
    spans = tuple(map(duration, reminders.split(","))) if reminders not in ("usual", "none") else ()
    return Timing(
        zone=said.get("zone", "UTC"),
        hour=time.fromisoformat(said["hour"]) if said.get("hour", "none") != "none" else None,
        weekdays=frozenset(WEEKDAYS.index(day) for day in days if day in WEEKDAYS),
        dates=frozenset(date.fromisoformat(day) for day in days if day not in WEEKDAYS),
        reminders="usual" if reminders == "usual" else spans,
        grace=duration(said.get("grace", "0")),
        delay=duration(said.get("delay", "0")),
        miss=int(said.get("miss", "0")),
    )


def timing_faults(options: Mapping[str, str]) -> tuple[str, ...]:
    """What is wrong with the values of these options beside their form, in words."""
    timing, faults = timing_of(options), list[str]()
    try:
        ZoneInfo(timing.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        faults.append(f"zone = {options['zone']!r} is no time zone such as Europe/Berlin.")
    if timing.delay > _DAY:
        faults.append(f"delay = {options['delay']!r} is too long; it may be up to 24h.")
    return tuple(faults)


def telling(options: Mapping[str, str]) -> dict[str, str]:
    """The options without those of every match that change nothing."""
    quiet = {"hour": "none", "days_off": "none", "reminders": "usual", "grace": "0", "delay": "0"}
    bare = all(options.get(name, "none") == "none" for name in ("hour", "days_off"))
    zone = {"zone"} if bare else set()
    return {name: value for name, value in options.items() if quiet.get(name) != value and name not in zone}


def game_setup(options: Mapping[str, str], data: Mapping[str, Any], seats: int) -> Setup:
    """What a game is told of the options: its own."""
    return Setup(Options({name: options[name] for name in options if name not in OPTIONS}), data, seats)
