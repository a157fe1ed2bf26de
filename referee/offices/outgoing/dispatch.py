"""Many letters leave several at once, where the courier has a porter: while somebody else's machine keeps one of them
waiting, another is under way.

A porter is given nothing but what is committed. What became of it is written down here: the store has one writer, as
ever.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from datetime import datetime

from referee.offices.outgoing.courier_round import CourierRound, Gone
from referee.offices.outgoing.letters import Letter, decoded
from referee.offices.passes import Counts
from referee.offices.ports.store import OutgoingLetter
from referee.offices.ports.transport import Delivery, HandedOver, Porter

_AHEAD = 100  # letters read from the store at once
_PATIENCE = 0.5  # seconds between two looks at whether the pass is to stop


class Dispatch:
    """One bout of letters. No more than `[courier] batch` of them are with the porter that are not marked, so that a
    crash repeats no more than these. Once no server is to be had nothing more is given to it: the round at the end of
    the pass looks again."""

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
        self._away: dict[str, tuple[OutgoingLetter, Letter]] = {}  # given and not marked, by Message-ID
        self._gone: list[Gone] = []  # to be marked
        self._closed = False

    def hand_over(self) -> None:
        """What is committed leaves, as far as there is a server, and is waited for."""
        try:
            while not (self._closed or self._stopping()):
                self._mark()
                self._go_on()
                if not self._away:
                    break
                while not (self._closed or self._stopping() or self._time_to_mark):
                    self._hear(self._porter.settled(_PATIENCE))
        finally:  # the letters in hand are the last ones
            self._closed = True
            self._hear(self._porter.halt())
            self._mark()

    @property
    def _time_to_mark(self) -> bool:
        """The porter has little left to do; or where nothing is left to be given, nothing."""
        unknown = len(self._away) - len(self._gone)
        return 2 * unknown <= self._batch if self._ahead else unknown == 0

    def _mark(self) -> None:
        """Write down what is gone, and see what leaves next."""
        with self._round.store.transaction() as unit:
            fates = self._round.mark(unit, self._gone, self._now)
            found: Sequence[OutgoingLetter] = ()
            if not self._ahead and not self._closed:
                found = unit.unsent(self._now, len(self._away) + _AHEAD)
        self.fates += fates
        self._ahead.extend(queued for queued in found if queued.message_id not in self._away)
        for queued, _, _ in self._gone:
            del self._away[queued.message_id]
        self._gone.clear()

    def _go_on(self) -> None:
        while self._ahead and len(self._away) < self._batch and not (self._closed or self._stopping()):
            self._give(self._ahead.popleft())

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
        self._round.tell(tried, self._counts)  # of the others the round at the end has to say what is true
        self._closed |= len(tried) < len(fresh)
