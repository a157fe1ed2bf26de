"""A mailbox in memory that fails on cue. Its deeds: `fetch` (each call), `batch` (each handed over), `file`
(each mail put away)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from referee.offices.ports.transport import Arrival, Filing
from referee.rehearsal.cue import Prompter

BATCH = 100


@dataclass(frozen=True, slots=True)
class Held:
    """One mail as the server keeps it. `number` rises with every delivery and is never used again."""

    number: int
    arrived: datetime
    raw: bytes
    filed: Filing | None = None


@dataclass(slots=True)
class MemoryMailbox:
    """The server side outlives a crash: make a new MemoryMailbox over the same `mails` for the restarted referee,
    or keep this one."""

    prompter: Prompter = field(default_factory=Prompter)
    mails: dict[str, Held] = field(default_factory=dict)
    era: int = 1
    batch: int = BATCH
    _seen: int = 0

    def deliver(self, raw: bytes, arrived: datetime) -> str:
        """A mail comes in; its uid."""
        if arrived.utcoffset() is None:
            raise ValueError("arrival times are aware")
        number = self._last() + 1
        uid = f"memory:{self.era}:{number}"
        self.mails[uid] = Held(number, arrived, raw)
        return uid

    def renumber(self) -> None:
        """What a server does that lost its index: every mail gets another uid."""
        kept = sorted(self.mails.values(), key=lambda mail: mail.number)
        self.era += 1
        self.mails = {f"memory:{self.era}:{mail.number}": mail for mail in kept}

    def filed(self, filing: Filing) -> tuple[bytes, ...]:
        """What lies in that folder, for tests to look at."""
        return tuple(mail.raw for mail in self.mails.values() if mail.filed == filing)

    def fetch(self, known: Callable[[str], bool], largest: int) -> Iterator[Sequence[Arrival]]:
        self.prompter.begin("fetch")
        self._seen = self._last()
        waiting = [(uid, mail) for uid, mail in self.mails.items() if mail.filed is None and not known(uid)]
        waiting.sort(key=lambda each: (each[1].arrived, each[1].number))
        for start in range(0, len(waiting), self.batch):
            self.prompter.begin("batch")
            yield tuple(arrival(uid, mail, largest) for uid, mail in waiting[start : start + self.batch])
            self.prompter.end("batch")
        self.prompter.end("fetch")

    def file(self, filings: Sequence[tuple[str, Filing]]) -> None:
        for uid, filing in filings:
            self.prompter.begin("file")
            mail = self.mails.get(uid)
            if mail is not None:
                self.mails[uid] = Held(mail.number, mail.arrived, mail.raw, filing)
            self.prompter.end("file")

    def wait(self, seconds: float) -> bool:
        """Never sleeps: in memory nothing comes by itself."""
        return self._last() > self._seen

    def examine(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        """Nothing is held open."""

    def _last(self) -> int:
        return max((mail.number for mail in self.mails.values()), default=0)


def arrival(uid: str, mail: Held, largest: int) -> Arrival:
    size = len(mail.raw)
    return Arrival(uid, mail.arrived, mail.raw[:largest], size, cut=size > largest)
