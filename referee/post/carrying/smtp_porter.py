"""Letters by SMTP over a few connections, each served by a thread of its own: while the server's disk keeps one of them
waiting another letter is under way.

Each recipient's letters leave one after the other, in the order in which they were given: one is drawn only while no
other connection has a letter of the same recipient in hand.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from referee.logs import Log
from referee.offices.ports.transport import Delivery, HandedOver, Parcel

log = Log("referee.courier")
_PARTING = 10.0  # seconds for the letters in hand and a farewell, where nobody asks what became of them
_BROKEN = Delivery("later", "A connection was given up.", tried=False)
Tell = Callable[[Parcel, Delivery], None]


class Connection(Protocol):
    """One connection, made anew when the server wants it so: `SmtpCourier`."""

    def carry(self, parcels: Iterable[Parcel], tell: Tell) -> None:
        """Hand over what is drawn; what became of each is told as soon as it is known."""

    def close(self) -> None:
        """Let go of it."""


@dataclass(eq=False)
class _Hand:
    """Who serves one connection; the parcels drawn that are not settled, by Message-ID, with their numbers."""

    connection: Connection
    drawn: dict[str, tuple[int, Parcel]] = field(default_factory=dict)
    served: bool = False  # a letter of its was settled
    lost: Delivery | None = None  # it could not be used any more, and why


class SmtpPorter:
    """As a Porter. It begins with the connection `first`, which is its owner's and stays open; `made` makes one more,
    so that there are `most` at most. These keep what they have learnt of the server, but are open only until the next
    halt.

    A connection joins when those before it have proved of use and letters still wait. One that finds no server leaves
    its letters to the others; where there is no other, the letters behind are left alone.
    """

    def __init__(self, first: Connection, made: Callable[[], Connection], most: int) -> None:
        self._first = first
        self._made = made
        self._most = most
        self._free: list[Connection] = [first]  # in nobody's hand; the first last
        self._change = threading.Condition()
        self._given: dict[int, Parcel] = {}  # not drawn yet, by the number under which each was given
        self._count = 0
        self._hands: list[_Hand] = []
        self._settled: list[HandedOver] = []
        self._full = False  # no connection joins any more, until the next halt
        self._halted = False  # nothing more is drawn
        self._threads: list[threading.Thread] = []

    def give(self, parcels: Iterable[Parcel]) -> None:
        given = list(parcels)
        with self._change:
            self._given.update(enumerate(given, self._count))
            self._count += len(given)
            self._join()
            self._change.notify_all()

    def settled(self, patience: float = 0.0) -> list[HandedOver]:
        with self._change:
            if patience:
                self._change.wait_for(lambda: self._settled or not self._hands, patience)
            return self._taken()

    def halt(self) -> list[HandedOver]:
        with self._change:
            self._stop(None)
            self._full = self._halted = False
            return self._taken()

    def close(self) -> None:
        with self._change:
            self._stop(_PARTING)
        end = time.monotonic() + _PARTING
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        self._threads.clear()

    # --- with the lock held -----------------------------------------------------------------------------------------

    def _taken(self) -> list[HandedOver]:
        found, self._settled = self._settled, []
        return found

    def _stop(self, patience: float | None) -> None:
        self._halted = True
        self._change.notify_all()
        self._change.wait_for(lambda: not self._hands, patience)
        self._given.clear()

    def _join(self) -> None:
        """One connection more, if it is of use and there is work for it."""
        proved = all(hand.served for hand in self._hands)
        if self._full or not self._given or not proved or len(self._hands) >= self._most:
            return
        hand = _Hand(self._free.pop() if self._free else self._made())
        thread = threading.Thread(target=self._serve, args=(hand,), daemon=True, name="porter")
        self._threads = [each for each in self._threads if each.is_alive()]
        try:
            thread.start()
        except RuntimeError:  # the system gives us no thread more
            log.exception("porter")
            self._free.append(hand.connection)
            self._leave(hand)
        else:
            self._threads.append(thread)
            self._hands.append(hand)

    def _draw(self, mine: _Hand) -> Parcel | None:
        """The first parcel of whose recipient no other connection has one in hand."""
        if self._halted:
            return None
        others = [hand.drawn.values() for hand in self._hands if hand is not mine]
        busy = {parcel.recipient for drawn in others for _, parcel in drawn}
        for number, parcel in self._given.items():
            if parcel.recipient not in busy:
                del self._given[number]
                mine.drawn[parcel.message_id] = number, parcel
                return parcel
        return None

    def _leave(self, hand: _Hand) -> None:
        """A connection ends before it was to. What it had drawn and did not try is the others' affair, each in its
        place; where there are none, or it ended in an unknown way, that is told."""
        self._full = True
        if hand.lost is not None and self._hands:
            self._given = dict(sorted([*self._given.items(), *hand.drawn.values()]))
            return
        left = list(hand.drawn)
        if not left and not self._hands:
            left = [parcel.message_id for parcel in self._given.values()][:1]
        self._settled += [(message_id, hand.lost or _BROKEN) for message_id in left]

    # --- a connection's thread ----------------------------------------------------------------------------------------

    def _serve(self, hand: _Hand) -> None:
        try:
            while hand.lost is None and (first := self._awaited(hand)) is not None:
                hand.connection.carry(self._drawn(hand, first), lambda *told: self._tell(hand, *told))
        except Exception:
            log.exception("porter")
        with self._change:
            self._hands.remove(hand)
            if self._halted:
                self._settled += [(message_id, hand.lost or _BROKEN) for message_id in hand.drawn]
            else:
                self._leave(hand)
            self._change.notify_all()
        if hand.connection is not self._first:
            hand.connection.close()
        with self._change:
            self._free.append(hand.connection)
            self._free.sort(key=lambda connection: connection is self._first)

    def _awaited(self, hand: _Hand) -> Parcel | None:
        """The next parcel, however long it takes; None once all is over."""
        with self._change:
            while True:
                if (parcel := self._draw(hand)) is not None or self._halted:
                    return parcel
                self._change.wait()

    def _drawn(self, hand: _Hand, first: Parcel) -> Iterator[Parcel]:
        parcel: Parcel | None = first
        while parcel is not None:
            yield parcel
            with self._change:
                parcel = self._draw(hand)

    def _tell(self, hand: _Hand, parcel: Parcel, delivery: Delivery) -> None:
        with self._change:
            if delivery.tried:
                del hand.drawn[parcel.message_id]
                self._settled.append((parcel.message_id, delivery))
                hand.served = True
                self._join()
                self._change.notify_all()
            else:
                hand.lost = delivery
