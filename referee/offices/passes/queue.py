"""Where stimuli wait to be taken. A single desk has all of them in one row (`offices.desk`); of several workers each
takes those of one ordering key at a time (`engine.keyed`)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from referee.base.errors import RefereeError
from referee.store.inbox import KeptMail

if TYPE_CHECKING:
    from referee.offices.passes.batch import Batch
    from referee.offices.ports.mail import Mail
    from referee.store.sql import Unit


class TimeOwed(NamedTuple):
    """A match is owed what an outage of the referee's own took from its windows; before anything else befalls it."""

    match: str


class Overdue(NamedTuple):
    """A match whose deadline has passed."""

    match: str
    due: datetime


class Woken(NamedTuple):
    """A gathering of the club whose time has come."""

    gathering: str
    due: datetime


Next = KeptMail | Overdue | TimeOwed | Woken
U = TypeVar("U", bound="Unit", contravariant=True)  # what a transaction of its store is


class Misrouted(RefereeError):
    """The mail is for another key than the one under which it was taken: nothing of its judgement counts."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Queue(Protocol[U]):
    """What waits, in time order: one transaction (`unit`) after the other, between `begin` and `end`, takes a batch of
    it. All that outlasts a transaction is in the batch or in the store, so that what is undone leaves nothing."""

    @property
    def size(self) -> int:
        """How many stimuli share a commit."""

    @property
    def isolates(self) -> bool:
        """Whether an earlier try broke off, perhaps because of a mail: each is taken alone, and claimed before it is
        looked at."""

    def begin(self, unit: U, batch: Batch) -> None:
        """Tell the batch its clock, and what was reached before."""

    def next(self, unit: U, batch: Batch) -> Next | None:
        """The first in time order; a mail goes before a deadline of the same moment. None where nothing is left that
        may be taken in this transaction."""

    def check(self, unit: U, mail: Mail, about: str | None, *, waits: bool) -> None:
        """A mail as it was read, and the match that it turned out to be about; whether it waits for the referee's own
        answer. Raises Misrouted where another key has it."""

    def move(self, unit: U, mail: KeptMail, key: str) -> None:
        """The mail waits under that key."""

    def end(self, unit: U, batch: Batch) -> None:
        """Note how far it came, and whether there is more behind it."""
