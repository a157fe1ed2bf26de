"""What there is to do, as jobs of procrastinate's. A job is a hint and never the truth: it says where to look, and what
is found there decides. So one too many does nothing, and of two that say the same and wait, one is enough. Jobs of one
lock are taken one at a time, in order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

# In which order a single process takes what waits. Of a worker each queue is taken by a thread of its own.
_KINDS = {  # the queue, the priority
    "poll": ("desk", 100),
    "receive": ("mailbox", 90),
    "tick": ("desk", 60),
    "judge": ("desk", 50),
    "search": ("searches", 40),
    "remind": ("desk", 30),
    "file": ("mailbox", 20),
    "refresh": ("site", 15),
    "deliver": ("letters", 10),
}
QUEUES = tuple(dict.fromkeys(queue for queue, _ in _KINDS.values()))
_AFTER_ALL_MAILS = 35
GATHERING = timedelta(seconds=0.25)  # in which letters come together before they leave


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do: a task of `tasks`, what no other job may be about at the same time, its arguments."""

    task: str
    lock: str | None
    args: tuple[tuple[str, Any], ...] = ()
    priority: int | None = None
    after: timedelta | None = None  # not before so much later

    def row(self) -> dict[str, Any]:
        queue, priority = _KINDS[self.task]
        return {
            "queue": queue,
            "task": self.task,
            "lock": self.lock,
            "args": dict(self.args),
            "after": None if self.after is None else self.after.total_seconds(),
            "priority": priority if self.priority is None else self.priority,
        }


def judge(key: str, then: str | None = None, *, patient: bool = False) -> Job:
    """Judge what is open under a key; then under another, which waits for it. One that is `patient` waits for people
    whom another worker has in hand; any other leaves them to the next."""
    more = (("then", then),) if then else (("patient", True),) if patient else ()
    return Job("judge", key, (("key", key), *more))


def remind(match: str) -> Job:
    """Tell what time itself makes due in a match."""
    return Job("remind", match, (("match", match),))


def search(match: str, after: timedelta | None = None) -> Job:
    """Look for the referee's own answer. Its lock is not the match's, whose mails need not wait for it."""
    return Job("search", f"search {match}", (("match", match),), after=after)


RECEIVE = Job("receive", "mailbox")
FILE = Job("file", "mailbox file")
TICK = Job("tick", "tick")
LAST_TICK = Job("tick", "tick", (("last", True),), priority=_AFTER_ALL_MAILS)
REFRESH = Job("refresh", "site")
DELIVER = Job("deliver", None)  # several at once: no two have letters to the same reader in hand
# Where workers are at work these wait until what the next mails make due is there too: one job does it all.
SOON = {
    FILE: replace(FILE, after=timedelta(seconds=1)),
    REFRESH: replace(REFRESH, after=timedelta(seconds=1)),
    DELIVER: replace(DELIVER, after=GATHERING),
}
