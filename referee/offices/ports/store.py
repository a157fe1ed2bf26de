"""The store as the offices need it: a unit of work over the rows of mails, matches, people and letters, each of which
stand in a file of their own. (Rows are named tuples: a command loads them all, and a dataclass costs five times as much
to make.)"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, Protocol, TypeVar

from referee.base.errors import RefereeError
from referee.offices.ports.club import ClubStore
from referee.offices.ports.inbox import MailStore
from referee.offices.ports.ledgers import MatchStore
from referee.offices.ports.letters import LetterStore, OutgoingLetter
from referee.offices.ports.persons import PersonStore

if TYPE_CHECKING:
    pass


P = ParamSpec("P")
R = TypeVar("R")
_TIMES = 8  # in which one transaction may be in another's way, before that is trouble


class Again(RefereeError):
    """Another transaction was in this one's way, and was first. All that this one did is undone; the same done once
    more, from its beginning, is done on what the other left. It is nobody's fault, and no mail is put aside for it."""


def again(work: Callable[P, R]) -> Callable[P, R]:
    """The same work, a transaction of its own, taken again as long as another one was first. Raises Again where that
    does not end."""

    @wraps(work)
    def taken(*args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(_TIMES - 1):
            try:
                return work(*args, **kwargs)
            except Again:
                continue
        return work(*args, **kwargs)

    return taken


class Clock(NamedTuple):
    """How far the desk has come."""

    last_pass: datetime | None  # its clock
    watermark: datetime | None  # how far the mailbox has been read
    heartbeat: datetime | None  # the service's last sign of life
    # the latest stimulus that was judged: written with what it did, so that a pass that goes on after a crash knows it
    reached: datetime | None = None
    desk_at: datetime | None = None  # when the desk was looked through for the moderators' daily letter
    under_way: bool = False  # the last pass has not come to the end of its judging


class Unit(MailStore, MatchStore, PersonStore, LetterStore, ClubStore, Protocol):
    """One transaction, over all rows. Who needs some of them alone asks for these."""

    def savepoint(self) -> AbstractContextManager[None]:
        """What is inside is undone whole when it raises."""

    def hold(self, what: str, which: str) -> None:
        """Wait until no other transaction holds this ("person", an address), then keep others from it until this one
        has ended. For what is no row yet, or more than one: what is read afterwards stays so. A transaction holds the
        sender of its mail first, and further people in the order of their addresses."""

    def clock(self) -> Clock: ...
    def set_clock(self, clock: Clock) -> None: ...


Claim = Callable[[Unit, datetime, int], list[OutgoingLetter]]  # what is to leave, and nobody else has in hand


class Store(Protocol):
    """The database. `exclusive` keeps other passes out; it is let go when the process dies."""

    def exclusive(self) -> AbstractContextManager[None]: ...
    def transaction(self) -> AbstractContextManager[Unit]: ...
    def claiming(self) -> AbstractContextManager[Claim]:
        """Letters to claim: as long as it lasts nobody else has letters to their readers in hand; it ends with the
        process."""

    def secret(self) -> bytes: ...
    def examine(self) -> tuple[str, ...]: ...
    def close(self) -> None: ...
