"""A courier in memory that fails on cue. Its deed: `send`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from referee.offices.ports.transport import Delivery, Parcel
from referee.rehearsal.cue import Prompter

SENT = Delivery("sent")


def accepts_all(parcel: Parcel) -> Delivery:
    return SENT


@dataclass(slots=True)
class MemoryCourier:
    """Keeps every parcel it took, in order, repeats included. `answer` is what the server says to each; only what
    it lets be sent is kept."""

    prompter: Prompter = field(default_factory=Prompter)
    answer: Callable[[Parcel], Delivery] = accepts_all
    sent: list[Parcel] = field(default_factory=list)

    def send(self, parcel: Parcel) -> Delivery:
        self.prompter.begin("send")
        delivery = self.answer(parcel)
        if delivery.fate == "sent":
            self.sent.append(parcel)
        self.prompter.end("send")
        return delivery

    def examine(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        """Nothing is held open."""
