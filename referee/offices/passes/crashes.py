"""Mails over which the process itself ends: each is claimed, in a commit of its own, before it is looked at, so that
the next process knows how often that was the last thing an earlier one did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from referee.base.errors import RefereeError
from referee.offices.ports.tools import Stopped

if TYPE_CHECKING:
    from referee.store.sql import Store, Unit

CRASHES = 2  # so often a process may end over a mail that it had claimed; then the mail is put aside unread


class Deadly(RefereeError):
    """The process ended more than once while a mail was in hand: it is put aside unread."""


class Claimed(NamedTuple):
    """A mail (its uid) that is looked at, and how many processes have ended over it."""

    uid: str
    crashes: int

    @property
    def deadly(self) -> bool:
        return self.crashes >= CRASHES


@contextmanager
def isolated(store: Store, choose: Callable[[Unit], str | None]) -> Iterator[Claimed | None]:
    """A look at the mail (its uid) that is chosen in the transaction which claims it; None where it is none. Whoever
    looked releases the claim with what he writes."""
    with store.transaction() as unit:
        uid = choose(unit)
        claimed = None if uid is None else Claimed(uid, unit.claim(uid))
    try:
        yield claimed
    except (Exception, Stopped):  # the store failed or the process is to end: that is no mail's fault
        if claimed is not None:
            with store.transaction() as unit:
                unit.forgive(claimed.uid)
        raise
