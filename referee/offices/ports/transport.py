"""How mails come in and letters leave. `post` has the adapters: IMAP, Maildir, SMTP."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

Filing = Literal["done", "refused", "held"]


class Arrival(NamedTuple):
    """One mail as the mailbox has it. `uid` is the mailbox's own handle (for filing only, never an identity);
    `arrived` the server's arrival time (aware, UTC); `raw` the bytes, or only the first part where `cut`."""

    uid: str
    arrived: datetime
    raw: bytes
    size: int
    cut: bool = False


class MailboxTrouble(Exception):
    """The mailbox could not be reached or did not obey; nothing was lost, the next pass tries again."""


Known = Callable[[Sequence[str]], Collection[str]]
"""Which of these uids are known already: asked for many at once."""


class Mailbox(Protocol):
    """Where players' mails wait. Adapters: Maildir, IMAP, and one in `rehearsal` that fails as planned."""

    def fetch(self, known: Known, largest: int) -> Iterator[Sequence[Arrival]]:
        """The unfiled mails in batches, oldest first, without those whose uids are `known`; of a mail above `largest`
        bytes only the first `largest`. Raises MailboxTrouble."""

    def file(self, filings: Sequence[tuple[str, Filing]]) -> None:
        """Put settled mails away; a uid that has vanished is no trouble. Raises MailboxTrouble."""

    def wait(self, seconds: float) -> bool:
        """Sleep until mail may have come (True) or the time is over (False)."""

    def examine(self) -> tuple[str, ...]:
        """For `doctor`: every fault found, in plain words with its remedy; empty when all is well."""

    def close(self) -> None:
        """Let go of connections."""


class Parcel(NamedTuple):
    """One letter for one recipient, ready to leave. `raw` is the whole message with CRLF or LF line ends."""

    sender: str
    recipient: str
    message_id: str
    raw: bytes


class Delivery(NamedTuple):
    """What became of a parcel: `sent`; `later` (4xx, no connection: try again); `never` (5xx). `note` says why;
    not `tried` is one that never got as far as the server."""

    fate: Literal["sent", "later", "never"]
    note: str = ""
    tried: bool = True


HandedOver = tuple[str, Delivery]  # a letter by its Message-ID, and what became of it


class Porter(Protocol):
    """Hands letters over while whoever gave them goes on: each reader's in the order in which they are given. Once
    there is no server to be had the letters behind are left alone, until the next `halt`. Never raises for what a
    server says."""

    def give(self, parcels: Iterable[Parcel]) -> None:
        """More letters, each under a Message-ID of its own; does not wait for them."""

    def settled(self, patience: float = 0.0) -> Sequence[HandedOver]:
        """What became of letters, as far as it is known and was not told before; waits so many seconds for the next
        one, where none is known."""

    def halt(self) -> Sequence[HandedOver]:
        """The letters in hand are the last. The same, once they are done with; the others were left alone."""

    def close(self) -> None:
        """Let go of connections and threads."""


class Courier(Protocol):
    """How letters leave. Adapters: Maildir out, SMTP, and one in `rehearsal` that fails as planned."""

    def send(self, parcels: Iterable[Parcel]) -> Sequence[Delivery]:
        """Hand over a batch; what became of each parcel, in their order. One that is refused keeps none behind it. A
        parcel is drawn when there is room for it, so that it can be made while the server has those before it in
        hand, and no longer once there is no server to be had. Never raises for what a server says or fails to say;
        what the drawing raises goes through."""

    def porter(self) -> Porter | None:
        """The same courier beside whoever does something else meanwhile; always the same one. None where handing over
        is no waiting for somebody else's machine."""

    def examine(self) -> tuple[str, ...]:
        """For `doctor`, as above."""

    def close(self) -> None:
        """Let go of connections."""


def hand_over(courier: Courier, parcel: Parcel) -> Delivery:
    """One parcel alone."""
    (delivery,) = courier.send((parcel,))
    return delivery


def unknown(uids: Sequence[str], known: Known) -> list[str]:
    """Those that are not known, in their order."""
    found = known(uids) if uids else ()
    return [uid for uid in uids if uid not in found]
