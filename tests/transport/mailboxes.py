"""The same mailbox seen from both sides: what a test puts in and finds filed, whatever keeps it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from imapclient import IMAPClient

from referee.base.ports import Arrival, Filing, Known, Mailbox, MailboxTrouble
from referee.transport.account import Account
from referee.transport.imap import ImapMailbox, keep_alive
from referee.transport.maildir import MaildirMailbox
from referee.transport.server import BackOff
from tests.memory import MemoryMailbox
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ground import PATIENCE, eventually
from tests.servers.severing import Line

LARGE = 1_000_000
MANY = 50  # mails past which they are dropped into the server's files: APPEND takes its time
FOLDERS: dict[Filing, str] = {"done": "Referee/Done", "refused": "Referee/Refused", "held": "Referee/Held"}


Mail = tuple[bytes, datetime]
"""The bytes and the arrival."""


class Place(Protocol):
    """One player's end: mails go in, and the filed ones can be looked at."""

    def deliver_all(self, mails: Sequence[Mail]) -> None: ...

    def open(self) -> Mailbox:
        """The referee's end, as after a restart."""

    def filed(self, filing: Filing) -> list[bytes]: ...

    def waiting(self) -> int: ...


@dataclass
class MemoryPlace:
    server: MemoryMailbox = field(default_factory=MemoryMailbox)

    def deliver_all(self, mails: Sequence[Mail]) -> None:
        for raw, arrived in mails:
            self.server.deliver(raw, arrived)

    def open(self) -> Mailbox:
        return MemoryMailbox(mails=self.server.mails)

    def filed(self, filing: Filing) -> list[bytes]:
        return sorted(self.server.filed(filing))

    def waiting(self) -> int:
        return sum(mail.filed is None for mail in self.server.mails.values())


@dataclass
class MaildirPlace:
    folder: Path
    count: int = 0

    def __post_init__(self) -> None:
        for part in ("new", "cur", "tmp"):
            (self.folder / part).mkdir(parents=True)

    def deliver_all(self, mails: Sequence[Mail]) -> None:
        for raw, arrived in mails:
            self.count += 1
            path = self.folder / "new" / f"{self.count:06}.mail"
            draft = self.folder / "tmp" / path.name
            draft.write_bytes(raw)
            os.utime(draft, (arrived.timestamp(), arrived.timestamp()))
            draft.rename(path)

    def open(self) -> Mailbox:
        return MaildirMailbox(self.folder)

    def filed(self, filing: Filing) -> list[bytes]:
        ending = ":2,FS" if filing == "held" else ":2,S"
        return sorted(
            path.read_bytes() for path in (self.folder / "cur").iterdir() if path.name.endswith(ending)
        )

    def waiting(self) -> int:
        return len(list((self.folder / "new").iterdir()))


@dataclass
class ImapPlace:
    """A user of the real Dovecot. `port` may lead through a line that is cut as planned."""

    server: Dovecot
    user: str
    port: int = 0
    read_timeout: float = PATIENCE
    dropped: int = 0
    opened: list[ImapMailbox] = field(default_factory=list)

    def client(self) -> IMAPClient:
        client = IMAPClient("127.0.0.1", self.server.imap, ssl=False, timeout=PATIENCE)
        keep_alive(client.socket())  # else every APPEND waits for an acknowledgement
        client.login(self.user, PASSWORD)
        return client

    def deliver_all(self, mails: Sequence[Mail]) -> None:
        with self.client() as client:
            if len(mails) > MANY:
                client.select_folder("INBOX")  # makes the folder
                self._drop(mails)
            else:
                for raw, arrived in mails:
                    client.append("INBOX", raw, msg_time=arrived)

    def _drop(self, mails: Sequence[Mail]) -> None:
        """Straight into the server's own files, whose time it takes for the arrival."""
        folder = self.server.folder(self.user)
        owner = folder.stat()
        for raw, arrived in mails:
            self.dropped += 1
            draft = folder / "tmp" / f"{self.dropped:06}.test"
            draft.write_bytes(raw)
            os.chown(draft, owner.st_uid, owner.st_gid)
            os.utime(draft, (arrived.timestamp(), arrived.timestamp()))
            draft.rename(folder / "new" / draft.name)

    def account(self) -> Account:
        port = self.port or self.server.imap
        return Account("127.0.0.1", port, "plain", self.user, PASSWORD, timeout=self.read_timeout)

    def open(self) -> ImapMailbox:
        self.opened.append(ImapMailbox(self.account(), BackOff(first=0, most=0)))
        return self.opened[-1]

    def filed(self, filing: Filing) -> list[bytes]:
        with self.client() as client:
            if not client.folder_exists(FOLDERS[filing]):
                return []
            client.select_folder(FOLDERS[filing], readonly=True)
            return sorted(
                facts[b"BODY[]"] for facts in client.fetch(client.search(), ["BODY.PEEK[]"]).values()
            )

    def waiting(self) -> int:
        with self.client() as client:
            return int(client.select_folder("INBOX", readonly=True)[b"EXISTS"])

    def hang_up(self, line: Line) -> None:
        """The server lets go of everybody who came through the line, and they could know by now."""

        def gone() -> bool:
            self.server.kick(self.user)
            return line.ended == line.connections

        eventually(gone, "the server has hung up")

    def close(self) -> None:
        for mailbox in self.opened:
            mailbox.close()


def nobody(uids: Sequence[str]) -> Sequence[str]:
    return ()


def everything(mailbox: Mailbox, known: Known = nobody, largest: int = LARGE) -> list[Arrival]:
    return [arrival for batch in mailbox.fetch(known, largest) for arrival in batch]


def mail(number: int, size: int = 0) -> bytes:
    headers = f"From: ann@example.test\r\nSubject: Mail {number}\r\nMessage-ID: <{number}@example.test>\r\n"
    return f"{headers}\r\nHello {number}\r\n".encode() + b"x" * size


def at(minute: int, second: int = 0) -> datetime:
    return datetime(2026, 3, 1, 12 + minute // 60, minute % 60, second, tzinfo=UTC)


def read_and_file(mailbox: ImapMailbox, largest: int = 10_000) -> tuple[list[bytes], int]:
    """Passes until nothing is left, as the desk does them; what was read, each mail once, and the broken passes."""
    read: dict[str, bytes] = {}
    troubles = 0
    for _ in range(12):
        try:
            mailbox.file([(uid, "done") for uid in read])
            for batch in mailbox.fetch(lambda uids: read.keys() & uids, largest):
                read.update({arrival.uid: arrival.raw for arrival in batch})
            mailbox.file([(uid, "done") for uid in read])
            mailbox.wait(0.05)
            if not everything(mailbox):
                return list(read.values()), troubles
        except MailboxTrouble:
            troubles += 1
    raise AssertionError("never came to an end")
