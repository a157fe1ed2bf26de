"""What the rooms above need of the world, as protocols and the values they pass: how mails come in and letters leave
(`transport` has the adapters: IMAP, Maildir, SMTP), and how long a mail may be looked at."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Literal, NamedTuple, Protocol, TypeVar

from referee.base.errors import RefereeError

Filing = Literal["done", "refused", "held"]


class Arrival(NamedTuple):
    """One mail as the mailbox has it. `uid` is the mailbox's own handle (for filing only, never an identity);
    `arrived` the server's arrival time (aware, UTC); `raw` the bytes, or only the first part where `cut`."""

    uid: str
    arrived: datetime
    raw: bytes
    size: int
    cut: bool = False


class MailboxTrouble(RefereeError):
    """The mailbox could not be reached or did not obey; nothing is lost, the next pass tries again."""


class Withheld(MailboxTrouble):
    """The mailbox has mails that it does not give out; the last of them arrived at `arrived`. All others were given."""

    def __init__(self, words: str, arrived: datetime) -> None:
        super().__init__(words)
        self.arrived = arrived


Known = Callable[[Sequence[str]], Collection[str]]
"""Which of these uids are known already: asked for many at once."""


class WorthKnowing(str):
    """What `doctor` tells of a mailbox or a courier though nothing is wrong with it."""


class Mailbox(Protocol):
    """Where players' mails wait. Adapters: Maildir, IMAP, and one in tests that fails as planned."""

    def fetch(self, known: Known, largest: int) -> Iterator[Sequence[Arrival]]:
        """The unfiled mails in batches, oldest first, without those whose uids are `known`; of a
        mail above `largest` bytes only the first `largest`. Raises MailboxTrouble."""

    def file(self, filings: Sequence[tuple[str, Filing]]) -> None:
        """Put settled mails away; a uid that has vanished is no trouble. Raises MailboxTrouble."""

    def wait(self, seconds: float) -> bool:
        """Sleep until mail may have come (True) or the time is over (False)."""

    def examine(self) -> tuple[str, ...]:
        """For `doctor`: every fault found, in plain words with its remedy, and remarks; empty when all is well."""

    def close(self) -> None:
        """Let go of connections."""

    def recall(self, known: Known, since: datetime) -> int:
        """Put settled mails whose uids are not `known` back among those to be read; a server with many looks only among
        those that arrived since about then. How many. Raises MailboxTrouble."""


class Parcel(NamedTuple):
    """One letter for one recipient, ready to leave. `raw` is the whole message with CRLF or LF line ends."""

    sender: str
    recipient: str
    message_id: str
    raw: bytes


class Delivery(NamedTuple):
    """What became of a parcel: `sent`; `later` (4xx, no connection: try again); `never` (5xx). `note` says why;
    not `tried` is one that never got as far as the server, not `known` one that it may have taken all the same."""

    fate: Literal["sent", "later", "never"]
    note: str = ""
    tried: bool = True
    known: bool = True


HandedOver = tuple[Parcel, Delivery]  # a letter, and what became of it


class Courier(Protocol):
    """How letters leave. Adapters: Maildir out, SMTP, and one in tests that fails as planned."""

    def send(self, parcels: Iterable[Parcel]) -> Iterator[HandedOver]:
        """Hand letters over in their order, and tell of each what became of it. One that is refused
        keeps none behind it; behind one that found no server nothing more is drawn. Never raises
        for what a server says or fails to say; what the drawing raises goes through."""

    def examine(self) -> tuple[str, ...]:
        """For `doctor`, as above."""

    def close(self) -> None:
        """Let go of connections."""


def hand_over(courier: Courier, parcel: Parcel) -> Delivery:
    """One parcel alone."""
    ((_, delivery),) = courier.send((parcel,))
    return delivery


def unknown(uids: Sequence[str], known: Known) -> list[str]:
    """Those that are not known, in their order."""
    found = known(uids) if uids else ()
    return [uid for uid in uids if uid not in found]


BATCH = 100  # mails handed over at once
BATCH_BYTES = 16 * 1024 * 1024
_T = TypeVar("_T")


def batches(mails: Iterable[_T], weigh: Callable[[_T], int]) -> Iterator[list[_T]]:
    """Them by no more than so many, and no more bytes but for the last, at once."""
    batch: list[_T] = []
    weight = 0
    for each in mails:
        batch.append(each)
        weight += weigh(each)
        if len(batch) == BATCH or weight >= BATCH_BYTES:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


class Overrun(BaseException):
    """A mail took longer than one may (`[limits] seconds`); raised by the watchdog alone. No
    `Exception`: what takes trouble in its stride must not take this."""

    def __init__(self, seconds: float = 0) -> None:
        super().__init__(f"it took longer than {seconds:g} seconds" if seconds else "it took too long")


class Stopped(BaseException):
    """The process is to end at once, and what is in hand is to be undone; raised by the watchdog alone."""


class TimeLimit(Protocol):
    """How long a mail may be looked at. Adapter: `referee.service.supervisor`."""

    def over(self, mail: str = "") -> AbstractContextManager[None]:
        """A limit on the block that follows, a look at that mail (its uid): Overrun is raised in it
        where it takes too long, Stopped where the process is to end, and neither after it."""
