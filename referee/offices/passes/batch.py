"""A pass: what it has done so far, and what of it shares a commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from referee.base.errors import RefereeError

if TYPE_CHECKING:
    from referee.store.inbox import Disposition
    from referee.store.sql import Clock, Unit

_NEVER = datetime.min.replace(tzinfo=UTC)
_MAILS = ("accepted", "refused", "ignored", "answered", "discarded", "held", "shunted", "waiting")


class StaleClock(RefereeError):
    """The clock of this pass lies before the last pass's; time does not run backwards here."""

    @classmethod
    def of(cls, last: datetime, now: datetime) -> StaleClock:
        """A pass at `now`, after one at `last`."""
        then, at = (moment.replace(microsecond=0).isoformat() for moment in (last, now))
        return cls(f"the last pass was at {then}; {at} is before it")


def begin(unit: Unit, now: datetime, outage: timedelta | None) -> Clock:
    """How the clock stands when a pass begins at `now`. Where the referee has been silent for as long as `outage`,
    every open match is owed the time. Raises StaleClock."""
    clock = unit.clock()
    if clock.last_pass is not None and now < clock.last_pass:
        raise StaleClock.of(clock.last_pass, now)
    if outage is not None and clock.heartbeat is not None and now - clock.heartbeat >= outage:
        unit.note_outage(clock.heartbeat, now - clock.heartbeat)
    return clock


@dataclass(slots=True)
class Counts:
    """What a pass did. `read` is the sum of the verdicts and of what waits."""

    accepted: int = 0
    refused: int = 0
    ignored: int = 0
    answered: int = 0
    discarded: int = 0
    held: int = 0
    shunted: int = 0
    waiting: int = 0
    lapsed: int = 0
    sent: int = 0
    trouble: list[str] = field(default_factory=list)
    mailbox_failed: bool = False  # it was not read, or not filed, to its end
    kept_back: int = 0  # letters that wait for another try

    @property
    def cut_off(self) -> bool:
        """Whether the mailbox failed, or no letter at all could leave."""
        return self.mailbox_failed or bool(self.kept_back and not self.sent)

    @property
    def judged(self) -> int:
        """How many mails were settled."""
        return sum(getattr(self, name) for name in _MAILS if name != "waiting")

    @property
    def idle(self) -> bool:
        """Whether nothing has been done that could be told of: no mail taken, no deadline fired."""
        return not (self.lapsed or any(getattr(self, name) for name in _MAILS))

    def settled(self, disposition: Disposition) -> None:
        """One mail more that was settled so."""
        setattr(self, disposition, getattr(self, disposition) + 1)

    def done(self) -> dict[str, int]:
        """What stays done, by name, however the pass ends."""
        return {name: getattr(self, name) for name in (*_MAILS, "lapsed", "sent") if name != "waiting"}

    def add_done(self, done: Mapping[str, int]) -> None:
        """What was done besides, by name."""
        for name, count in done.items():
            setattr(self, name, getattr(self, name) + count)

    def add(self, other: Counts) -> None:
        """What another count has found besides."""
        self.add_done({**other.done(), "waiting": other.waiting, "kept_back": other.kept_back})
        self.trouble += [words for words in other.trouble if words not in self.trouble]
        self.mailbox_failed |= other.mailbox_failed

    def facts(self) -> dict[str, Any]:
        """The counts by name, as `step --json` prints them."""
        mails: dict[str, int] = {name: getattr(self, name) for name in _MAILS}
        rest = {"lapsed": self.lapsed, "sent": self.sent}
        trouble = {"trouble": self.trouble} if self.trouble else {}
        return {"read": sum(mails.values()), **mails, **rest, **trouble}


@dataclass(slots=True)
class Batch:
    """What shares a commit, and what it must know of the batches before it. `now` is its clock, `reached` the latest
    stimulus that was judged, `waiting` the mails (by id) that wait for the referee's own answer, `held_up` the matches
    whose deadline was tried and is not ruled on yet, `counts` what this batch alone has done, `more` whether another
    one may find something."""

    now: datetime = _NEVER
    reached: datetime | None = None
    waiting: set[int] = field(default_factory=set)
    held_up: dict[str, Literal["delayed", "stuck"]] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    more: bool = True

    def following(self) -> Batch:
        """The one behind it, with nothing done yet; this one stays as it is, should the other be undone."""
        return replace(self, waiting=set(self.waiting), held_up=dict(self.held_up), counts=Counts())

    def reach(self, at: datetime) -> None:
        """A stimulus of that moment has been judged."""
        self.reached = at if self.reached is None else max(at, self.reached)

    @property
    def delayed(self) -> set[str]:
        """The matches whose deadline waits for a mail."""
        return {match for match, ruling in self.held_up.items() if ruling == "delayed"}
