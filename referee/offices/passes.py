"""A pass: what it has done so far, what of it shares a commit, where it finds what comes next, and
mails that ended the process."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple, Protocol, Self

from referee.base.errors import RefereeError
from referee.base.ports import Stopped
from referee.mail.mail import Mail
from referee.store.post import KeptMail
from referee.store.sql import Clock, Store, Unit

_NEVER = datetime.min.replace(tzinfo=UTC)
_MAILS = ("accepted", "refused", "ignored", "answered", "discarded", "held", "shunted", "waiting")
CRASHES = 2  # so often a process may end over a mail that it had claimed; then the mail is put aside unread


class StaleClock(RefereeError):
    """The clock of this pass lies before the last pass's; time does not run backwards here."""


def begin(unit: Unit, now: datetime, outage: timedelta | None) -> Clock:
    """How the clock stands when a pass begins at `now`. Where the referee has been silent for as
    long as `outage`, every open match is owed the time. Raises StaleClock."""
    clock = unit.clock()
    if clock.last_pass is not None and now < clock.last_pass:
        then, at = (moment.replace(microsecond=0).isoformat() for moment in (clock.last_pass, now))
        raise StaleClock(f"the last pass was at {then}; {at} is before it")
    unit.now = now
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
    heard: list[datetime] = field(default_factory=list)  # when new mails came, by the clock of their server

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

    def done(self) -> dict[str, int]:
        """What stays done, by name, however the pass ends."""
        return {name: getattr(self, name) for name in (*_MAILS, "lapsed", "sent") if name != "waiting"}

    def add_done(self, done: Mapping[str, int]) -> None:
        """What was done besides, by name."""
        for name, count in done.items():
            setattr(self, name, getattr(self, name) + count)

    def add(self, other: Self) -> None:
        """What another count has found besides."""
        self.add_done({**other.done(), "waiting": other.waiting, "kept_back": other.kept_back})
        self.trouble += [words for words in other.trouble if words not in self.trouble]
        self.mailbox_failed |= other.mailbox_failed

    def facts(self) -> dict[str, Any]:
        """The counts by name, as `step --json` prints them."""
        mails: dict[str, int] = {name: getattr(self, name) for name in _MAILS}
        told = {"read": sum(mails.values()), **mails, "lapsed": self.lapsed, "sent": self.sent}
        return {**told, "trouble": self.trouble} if self.trouble else told


@dataclass(slots=True)
class Batch:
    """What shares a commit, and what it must know of the batches before it.
    `reached` is the latest stimulus that was judged, `waiting` the mails (by id) that wait for the
    referee's own answer, `held_up` the matches whose deadline was tried and is not ruled on yet,
    `counts` what this batch alone has done, `more` whether another one may find something."""

    reached: datetime | None = None
    waiting: set[int] = field(default_factory=set)
    held_up: dict[str, Literal["delayed", "stuck"]] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    more: bool = True

    def following(self) -> Self:
        """The one behind it, with nothing done yet; this one stays as it is, should the other be undone."""
        return replace(self, waiting=set(self.waiting), held_up=dict(self.held_up), counts=Counts())

    def reach(self, at: datetime) -> None:
        """A stimulus of that moment has been judged."""
        self.reached = at if self.reached is None else max(at, self.reached)

    @property
    def delayed(self) -> set[str]:
        """The matches whose deadline waits for a mail."""
        return {match for match, ruling in self.held_up.items() if ruling == "delayed"}


# --- where it finds what comes next ---------------------------------------------------------------------------
# A single desk has all of it in one row (`way.loop`); of several workers each takes that of one
# ordering key at a time (`service.tasks`).


class Timed(NamedTuple):
    """What time makes due: the "deadline" of a match has passed, or it is "owed" what an outage of the referee's own
    took from its windows, before all else befalls it; or a "gathering" of the club has its time."""

    what: Literal["deadline", "owed", "gathering"]
    name: str
    due: datetime = _NEVER


Next = KeptMail | Timed


class Misrouted(RefereeError):
    """The mail is for another key, which it says, than the one under which it was taken: nothing of its judgement
    counts."""


class Queue(Protocol):
    """What waits, in time order: one transaction (`unit`) after the other, between `begin` and `end`, takes a batch of
    it. All that outlasts a transaction is in the batch or in the store, so that what is undone leaves nothing. `size`
    stimuli share a commit; where an earlier try broke off, perhaps because of a mail, it `isolates`: each is taken
    alone, and claimed before it is looked at."""

    size: int
    isolates: bool

    def begin(self, unit: Any, batch: Batch) -> None:
        """Tell the transaction its moment, and the batch what was reached before."""

    def next(self, unit: Any, batch: Batch) -> Next | None:
        """The first in time order; a mail goes before a deadline of the same moment. None where
        nothing is left that may be taken in this transaction."""

    def check(self, unit: Any, mail: Mail, about: str | None, *, waits: bool) -> None:
        """A mail as it was read, and the match that it turned out to be about; whether it waits
        for the referee's own answer. Raises Misrouted where another key has it."""
        return

    def move(self, unit: Any, mail: KeptMail, key: str) -> None:
        """The mail waits under that key."""
        return

    def end(self, unit: Any, batch: Batch) -> None:
        """Note how far it came, and whether there is more behind it."""


# --- mails over which the process itself ends: each is claimed, in a commit of its own, before it is looked at,
# so that the next process knows how often that was the last thing an earlier one did


class Deadly(RefereeError):
    """The process ended more than once while a mail was in hand: it is put aside unread."""


class Claimed(NamedTuple):
    """A mail (its uid) that is looked at, and whether too many processes have ended over it."""

    uid: str
    deadly: bool


@contextmanager
def isolated(store: Store, choose: Callable[[Unit], str | None]) -> Iterator[Claimed | None]:
    """A look at the mail (its uid) that is chosen in the transaction which claims it; None where
    it is none. Whoever looked releases the claim with what he writes."""
    with store.transaction() as unit:
        uid = choose(unit)
        claimed = None if uid is None else Claimed(uid, unit.claim(uid) >= CRASHES)
    try:
        yield claimed
    except (Exception, Stopped):  # the store failed, or the process is to end: no mail's fault
        if claimed is not None:
            with store.transaction() as unit:
                unit.forgive(claimed.uid)
        raise
