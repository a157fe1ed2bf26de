"""A pass: one step of the desk, what it has done so far, and what must wait for the next one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from referee.errors import RefereeError

if TYPE_CHECKING:
    from referee.offices.ports.store import Disposition

_MAILS = ("accepted", "refused", "ignored", "answered", "discarded", "held", "shunted", "waiting")
DEATHS = 2  # so often a process may end over a mail that it had marked; then the mail is put aside unread


class StaleClock(RefereeError):
    """The clock of this pass lies before the last pass's; time does not run backwards here."""

    @classmethod
    def of(cls, last: datetime, now: datetime) -> StaleClock:
        """A pass at `now`, after one at `last`."""
        then, at = (moment.replace(microsecond=0).isoformat() for moment in (last, now))
        return cls(f"the last pass was at {then}; {at} is before it")


class Deadly(RefereeError):
    """The process ended more than once while a mail was in hand: it is put aside unread."""


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

    def put_back(self, before: Counts) -> None:
        """What was counted since is undone."""
        for name in (*_MAILS, "lapsed", "sent"):
            setattr(self, name, getattr(before, name))

    def copied(self) -> Counts:
        """The same count, which may go another way."""
        return replace(self, trouble=list(self.trouble))

    def add(self, other: Counts) -> None:
        """What another count has found besides."""
        for name in (*_MAILS, "lapsed", "sent", "kept_back"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.trouble += [words for words in other.trouble if words not in self.trouble]
        self.mailbox_failed |= other.mailbox_failed

    def facts(self) -> dict[str, Any]:
        """The counts by name, as `step --json` prints them."""
        mails: dict[str, int] = {name: getattr(self, name) for name in _MAILS}
        rest = {"lapsed": self.lapsed, "sent": self.sent}
        trouble = {"trouble": self.trouble} if self.trouble else {}
        return {"read": sum(mails.values()), **mails, **rest, **trouble}


@dataclass(slots=True)
class Pass:
    """`now` is its clock, `watermark` how far the mailbox has been read; once `stopping` says so, the stimulus in hand
    is the last. `waiting` are mails (by id) that wait for the referee's own answer; `reached` is the latest stimulus so
    far (before the first: how far the last pass came); `whole` tells that the mailbox was read to its end, `asks` that
    the referee itself owes something; `unfiled` are settled mails (uid and verdict) that are still to be put away;
    `delayed` matches whose deadline waits for a mail, `stuck` those whose deadline could not be judged; `careful` that
    the last pass broke off, perhaps because of a mail: each is marked before it is looked at; `told` hears what was
    done with every commit; `judged` how many mails were since letters left."""

    now: datetime
    watermark: datetime
    counts: Counts
    stopping: Callable[[], bool]
    reached: datetime | None = None
    waiting: set[int] = field(default_factory=set)
    delayed: set[str] = field(default_factory=set)
    stuck: set[str] = field(default_factory=set)
    unfiled: list[tuple[str, Disposition]] = field(default_factory=list)
    whole: bool = False
    asks: bool = False
    careful: bool = False
    deaths: int = 0  # how often the mail in hand has ended the process
    told: Callable[[Counts], None] = lambda counts: None
    judged: int = 0

    def later(self, at: datetime) -> datetime:
        """The moment, or what the pass has reached where that is later."""
        return at if self.reached is None else max(at, self.reached)
