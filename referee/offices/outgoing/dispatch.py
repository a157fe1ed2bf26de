"""Letters leave while the desk goes on judging, where the courier has a porter: who waits for somebody else's machine
waits beside it.

A porter is given nothing but what is committed. What became of it is written down by the desk, in the desk's own
transactions: the store has one writer, as ever.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from datetime import datetime

from referee.offices.outgoing.courier_round import CourierRound, Gone
from referee.offices.outgoing.letters import Letter, decoded
from referee.offices.passes import Counts
from referee.offices.ports.store import OutgoingLetter, Unit
from referee.offices.ports.transport import Delivery, HandedOver, Porter

_AHEAD = 100  # letters read from the store at once
_PATIENCE = 0.5  # seconds between two looks at whether the pass is to stop


class Dispatch:
    """What leaves beside the desk within one pass, until `end`. No more than `[courier] batch` letters are with the
    porter that are not marked, so that a crash repeats no more than these. Once no server is to be had nothing more is
    given to it: the round at the end of the pass looks again.

    `note` is called within each transaction of the desk's, `go_on` once that is committed.
    """

    def __init__(
        self,
        courier: CourierRound,
        porter: Porter,
        now: datetime,
        counts: Counts,
        stopping: Callable[[], bool],
    ) -> None:
        self.fates: Counter[str] = Counter()
        self._round = courier
        self._porter = porter
        self._now = now
        self._counts = counts
        self._stopping = stopping
        self._batch = courier.settings.courier.batch
        self._ahead: deque[OutgoingLetter] = deque()  # committed, and not given
        self._found: list[OutgoingLetter] = []  # in a transaction that is not committed yet
        self._away: dict[str, tuple[OutgoingLetter, Letter]] = {}  # given and not marked, by Message-ID
        self._gone: list[Gone] = []  # to be marked
        self._closed = False

    @property
    def calls(self) -> bool:
        """Whether it is time for a commit: the porter has little left to do, or will have."""
        self._hear(self._porter.settled())
        return not self._closed and 2 * (len(self._away) - len(self._gone)) <= self._batch

    def note(self, unit: Unit) -> None:
        """Mark what is gone, and see what leaves next."""
        self._hear(self._porter.settled())
        self.fates += self._round.mark(unit, self._gone, self._now)
        if not self._ahead and not self._closed:
            found = unit.unsent(self._now, len(self._away) + _AHEAD)
            self._found = [queued for queued in found if queued.message_id not in self._away]

    def go_on(self) -> None:
        """What was marked is done with; what was found leaves."""
        for queued, _, _ in self._gone:
            del self._away[queued.message_id]
        self._gone.clear()
        self._ahead.extend(self._found)
        self._found.clear()
        while self._ahead and len(self._away) < self._batch and not (self._closed or self._stopping()):
            self._give(self._ahead.popleft())

    def finish(self) -> None:
        """What is left to leave leaves, as far as there is a server, and is waited for."""
        try:
            while not (self._closed or self._stopping()):
                with self._round.store.transaction() as unit:
                    self.note(unit)
                self.go_on()
                if not self._away:
                    break
                while not (self._closed or self._stopping() or self._few_left):
                    self._hear(self._porter.settled(_PATIENCE))
        finally:
            self.end()

    @property
    def _few_left(self) -> bool:
        """Whether it is time to mark what is gone: where nothing is left to be given, once all is."""
        return self.calls if self._ahead else len(self._gone) == len(self._away)

    def end(self) -> None:
        """The letters in hand are the last ones. What is gone is marked."""
        self._closed = True
        self._hear(self._porter.halt())
        with self._round.store.transaction() as unit:
            self.note(unit)
        self.go_on()

    def _give(self, queued: OutgoingLetter) -> None:
        letter = decoded(queued)
        self._away[queued.message_id] = queued, letter
        parcel = self._round.packed(letter)
        if isinstance(parcel, Delivery):
            self._gone.append((queued, letter, parcel))
        else:
            self._porter.give((parcel,))

    def _hear(self, settled: Sequence[HandedOver]) -> None:
        fresh = [(*self._away[message_id], delivery) for message_id, delivery in settled]
        tried = [gone for gone in fresh if gone[2].tried]
        self._gone += fresh
        self._round.tell(
            tried, self._counts
        )  # of those that were not, the round at the end has to say what is true
        self._closed |= len(tried) < len(fresh)
