"""A mailbox and a courier in memory that fail as planned: at the nth call of an operation, before or after its effect.

The mailbox's operations: `fetch` (each call), `batch` (each handed over), `file` (each mail put away); the courier's:
`send`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from referee.base.ports import Arrival, Delivery, Filing, HandedOver, Known, Parcel, unknown

BATCH = 100
SENT = Delivery("sent")


class Crash(BaseException):
    """The process is gone, as by kill -9. No handler of errors may take this for an error of its own."""


@dataclass(frozen=True, slots=True)
class PlannedFailure:
    """At the `nth` call (from 1) of `operation`, `before` or `after` its effect, raise what `fault` makes."""

    operation: str
    nth: int
    when: Literal["before", "after"]
    fault: Callable[[], BaseException] = Crash


@dataclass(slots=True)
class FailurePlan:
    """Counts operations and raises where a failure is planned. Shared among adapters it numbers their operations
    together."""

    planned: tuple[PlannedFailure, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, planned: Iterable[PlannedFailure]) -> FailurePlan:
        return cls(tuple(planned))

    def begin(self, operation: str) -> None:
        """The operation is about to take effect."""
        self.counts[operation] = self.counts.get(operation, 0) + 1
        self._raise_if_planned(operation, "before")

    def end(self, operation: str) -> None:
        """The operation has taken effect."""
        self._raise_if_planned(operation, "after")

    def _raise_if_planned(self, operation: str, when: str) -> None:
        for failure in self.planned:
            if (failure.operation, failure.nth, failure.when) == (operation, self.counts[operation], when):
                raise failure.fault()


@dataclass(frozen=True, slots=True)
class ServerMail:
    """One mail as the server keeps it. `number` rises with every delivery and is never used again."""

    number: int
    arrived: datetime
    raw: bytes
    filed: Filing | None = None


@dataclass(slots=True)
class MemoryMailbox:
    """The server side outlives a crash: make a new MemoryMailbox over the same `mails` for the restarted referee,
    or keep this one."""

    failures: FailurePlan = field(default_factory=FailurePlan)
    mails: dict[str, ServerMail] = field(default_factory=dict)
    era: int = 1
    batch: int = BATCH
    _seen: int = 0

    def deliver(self, raw: bytes, arrived: datetime) -> str:
        """A mail comes in; its uid."""
        if arrived.utcoffset() is None:
            raise ValueError("arrival times are aware")
        number = self._last() + 1
        uid = f"memory:{self.era}:{number}"
        self.mails[uid] = ServerMail(number, arrived, raw)
        return uid

    def filed(self, filing: Filing) -> tuple[bytes, ...]:
        """What lies in that folder, for tests to look at."""
        return tuple(mail.raw for mail in self.mails.values() if mail.filed == filing)

    def fetch(self, known: Known, largest: int) -> Iterator[Sequence[Arrival]]:
        self.failures.begin("fetch")
        self._seen = self._last()
        strange = unknown([uid for uid, mail in self.mails.items() if mail.filed is None], known)
        waiting = [(uid, self.mails[uid]) for uid in strange]
        waiting.sort(key=lambda each: (each[1].arrived, each[1].number))
        for start in range(0, len(waiting), self.batch):
            self.failures.begin("batch")
            yield tuple(arrival(uid, mail, largest) for uid, mail in waiting[start : start + self.batch])
            self.failures.end("batch")
        self.failures.end("fetch")

    def file(self, filings: Sequence[tuple[str, Filing]]) -> None:
        for uid, filing in filings:
            self.failures.begin("file")
            mail = self.mails.get(uid)
            if mail is not None:
                self.mails[uid] = ServerMail(mail.number, mail.arrived, mail.raw, filing)
            self.failures.end("file")

    def wait(self, seconds: float) -> bool:
        """Never sleeps: in memory nothing comes by itself."""
        return self._last() > self._seen

    def examine(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        """Nothing is held open."""

    def _last(self) -> int:
        return max((mail.number for mail in self.mails.values()), default=0)


def arrival(uid: str, mail: ServerMail, largest: int) -> Arrival:
    size = len(mail.raw)
    return Arrival(uid, mail.arrived, mail.raw[:largest], size, cut=size > largest)


def accepts_all(parcel: Parcel) -> Delivery:
    return SENT


@dataclass(slots=True)
class MemoryCourier:
    """Keeps every parcel it took, in order, repeats included. `answer` is what the server says to each; only what
    it lets be sent is kept, and nothing more is drawn after one that was not tried."""

    failures: FailurePlan = field(default_factory=FailurePlan)
    answer: Callable[[Parcel], Delivery] = accepts_all
    sent: list[Parcel] = field(default_factory=list)

    def send(self, parcels: Iterable[Parcel]) -> Iterator[HandedOver]:
        for parcel in parcels:
            delivery = self._take(parcel)
            yield parcel, delivery
            if not delivery.tried:
                return

    def _take(self, parcel: Parcel) -> Delivery:
        self.failures.begin("send")
        delivery = self.answer(parcel)
        if delivery.fate == "sent":
            self.sent.append(parcel)
        self.failures.end("send")
        return delivery

    def examine(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        """Nothing is held open."""
