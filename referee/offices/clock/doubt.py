"""Whether the machine's clock can be believed. It is doubted where the machine's own count of
seconds contradicts it, where it lies before the last pass's, and where server times do: two mails
of different passes that were, each by as much, not there when they are said to have come. A
silence, however long, or one mail, says nothing; a time that a command names is never doubted.
While it is doubted passes go by the machine's count, or stand still; deadlines wait."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from referee.base.errors import CannotDo
from referee.core.value import Value
from referee.store.sql import Clock

TOLERANCE = timedelta(minutes=5)
_EVER = "0001-01-01T00:00:00+00:00"
_LONGEST = timedelta(hours=48)  # then a clock is believed that its own count contradicts
_ALIKE = 900.0  # seconds by which two mails may be off differently: as far as two passes lie apart
_START = Path("/proc/sys/kernel/random/boot_id")


class ClockReading(NamedTuple):
    """The clock, which start of the machine this is ("" for unknown), seconds since; `shared` by machines."""

    at: datetime
    boot: str
    ticks: float
    shared: bool = False


def reading() -> ClockReading:
    count = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # on while the machine sleeps
    boot = _START.read_text().strip() if _START.exists() else ""
    return ClockReading(datetime.now(UTC), boot, time.clock_gettime(count))


class Witness(Value):
    """The last reading believed; why the clock is doubted `since`, by itself (`why`) or by server
    times (`mails`), and whether that was told; by how many seconds the last mail was `off`, and of
    which server times it is `believed` all the same; when somebody `said` how it is with it."""

    at: str
    boot: str
    ticks: float
    why: str = ""
    mails: str = ""
    since: str = ""
    off: float = 0.0
    told: bool = False
    believed: float = 0.0
    said: str = ""

    @property
    def doubt(self) -> str:
        return self.why or self.mails


def witness_of(clock: Clock) -> Witness | None:
    """None where the last pass had a time of its own."""
    return Witness(**json.loads(clock.witness)) if clock.witness else None


def noted(clock: Clock, known: Witness | None) -> Clock:
    return clock._replace(witness=json.dumps(asdict(known)) if known else None)


def weighed(clock: Clock, said: ClockReading) -> tuple[Witness, datetime]:
    """What is known of the clock now, and by what time a pass goes that begins."""
    last = witness_of(clock)
    fresh = Witness(said.at.isoformat(), said.boot, said.ticks, said=last.said if last else "")
    if last is None or clock.last_pass is None:
        return fresh, said.at
    if last.why and said.shared and last.boot != said.boot:  # another machine's doubt, from its last pass
        last = replace(last, at=clock.last_pass.isoformat(), boot=said.boot, ticks=said.ticks)
    counted = datetime.fromisoformat(last.at) + timedelta(seconds=said.ticks - last.ticks)
    now, why, behind = max(said.at, clock.last_pass), "", said.at < clock.last_pass - TOLERANCE
    since = last.since
    if last.boot == said.boot != "" and abs(said.at - counted) > TOLERANCE:
        now = max(counted, clock.last_pass)
        why = f"it says {said.at.isoformat()}, and by its count of seconds since {last.at} it is {counted.isoformat()}"
        since = last.doubt and since
    elif behind:
        why = f"it says {said.at.isoformat()}, and an earlier pass was at {clock.last_pass.isoformat()}"
    if not why and not last.mails:
        return replace(fresh, off=last.off, believed=last.believed), now
    since = since or now.isoformat()
    if now - datetime.fromisoformat(since) > _LONGEST:  # nor is it doubted anew for the same
        fresh = replace(fresh, off=last.off, believed=last.off if last.mails else last.believed)
        return replace(fresh, since=_EVER if behind else ""), max(said.at, clock.last_pass)
    at = last if why else replace(last, at=fresh.at, boot=said.boot, ticks=said.ticks)
    return replace(at, why=why, since=since), now


def heard(known: Witness, arrivals: Sequence[datetime], before: datetime | None, now: datetime) -> Witness:
    """What server times say of mails that were found now, and not by the pass that read the mailbox `before`."""
    if before is None or not arrivals:
        return known
    if any(before - TOLERANCE <= at <= now + TOLERANCE for at in arrivals):
        since = known.since if known.why or known.since == _EVER else ""
        return replace(known, off=0.0, mails="", believed=0.0, since=since)
    off = (min(min(arrivals) - before, timedelta()) or max(arrivals) - now).total_seconds()
    believed = known.since == _EVER or (known.believed and abs(known.believed - off) <= _ALIKE)
    if believed or not known.off or abs(known.off - off) > _ALIKE:
        return replace(known, off=off)
    way = "behind" if off < 0 else "ahead of"
    mails = f"by their server's clock mails come {abs(off) / 60:.0f} minutes {way} the passes that find them"
    return replace(known, mails=mails, since=known.since or now.isoformat(), off=off)


def right(clock: Clock, at: datetime) -> Clock:
    """Once somebody has said that it is right, or set it back, whatever server times say. Raises CannotDo."""
    if clock.last_pass and clock.last_pass > at + TOLERANCE:
        raise CannotDo("Passes ran ahead of it: `referee clock --back` voids what time alone did then.")
    known = replace(witness_of(clock) or Witness(at.isoformat(), "", 0.0), said=at.isoformat())
    known = replace(known, boot="", why="", mails="", since=_EVER, told=False, believed=known.off)
    return noted(clock, known)
