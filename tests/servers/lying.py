"""An IMAP server that says what it likes: what it has, of which UID, size and time, and any words in the place of those
that belong there."""

import contextlib
import re
import socketserver
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.servers.ground import at_work

ABLE = "IMAP4rev1 IDLE MOVE UIDPLUS"


@dataclass
class Listed:
    """A mail as the server tells of it; None is not told. `size` and `date` are words of its own."""

    uid: int
    raw: bytes
    date: str | None = "01-Mar-2026 12:00:00 +0000"
    size: str | None = ""
    filed: str = ""

    def facts(self) -> str:
        said = [f"UID {self.uid}"]
        if self.date is not None:
            said.append(f'INTERNALDATE "{self.date}"')
        if self.size is not None:
            said.append(f"RFC822.SIZE {self.size or len(self.raw)}")
        return " ".join(said)


Words = Callable[["Lying", bytes], "bytes | Iterator[bytes] | None"]
"""What is said to a command (the line without its tag) before the tagged OK; None for the usual."""


@dataclass
class Lying:
    mails: list[Listed]
    says: dict[str, Words] = field(default_factory=dict)  # by the command's first words
    validity: int = 7
    partial: bool = True  # whether it gives no more than was asked for
    keeps: bool = False  # MOVE says OK and does nothing
    able: str = ABLE
    commands: list[bytes] = field(default_factory=list)
    connections: int = 0
    given: int = 0  # bytes written
    port: int = 0

    def count(self, verb: bytes) -> int:
        return sum(command.upper().startswith(verb) for command in self.commands)

    def usual(self, command: bytes) -> bytes:
        verb = command.upper()
        here = [mail for mail in self.mails if not mail.filed]
        if verb.startswith(b"CAPABILITY"):
            return f"* CAPABILITY {self.able}\r\n".encode()
        if verb.startswith((b"SELECT", b"EXAMINE")):
            following = max((mail.uid for mail in self.mails), default=0) + 1
            return (
                f"* {len(here)} EXISTS\r\n* FLAGS (\\Seen)\r\n* OK [PERMANENTFLAGS (\\Seen \\*)] kept\r\n"
                f"* OK [UIDVALIDITY {self.validity}] era\r\n* OK [UIDNEXT {following}] next\r\n"
            ).encode()
        if verb.startswith(b"UID SEARCH"):
            return b"* SEARCH" + b"".join(b" %d" % mail.uid for mail in here) + b"\r\n"
        if verb.startswith(b"LIST"):
            return b'* LIST (\\Noselect) "/" ""\r\n'
        if verb.startswith(b"UID MOVE") and not self.keeps:
            for mail in self._meant(command.split()[2]):
                mail.filed = command.split()[3].decode()
        if verb.startswith(b"UID FETCH"):
            return b"".join(self.fetched(mail, verb) for mail in self._meant(command.split()[2]))
        return b""

    def _meant(self, numbers: bytes) -> list[Listed]:
        wanted = {int(number) for number in numbers.split(b",") if number.isdigit()}
        return [mail for mail in self.mails if mail.uid in wanted and not mail.filed]

    def fetched(self, mail: Listed, verb: bytes) -> bytes:
        at = self.mails.index(mail) + 1
        if b"BODY" not in verb:
            return f"* {at} FETCH ({mail.facts()})\r\n".encode()
        asked = re.search(rb"<0\.(\d+)>", verb)
        raw = mail.raw[: int(asked[1])] if asked and self.partial else mail.raw
        return b"* %d FETCH (UID %d BODY[]%s {%d}\r\n%s)\r\n" % (
            *(at, mail.uid, b"<0>" if asked else b""),
            *(len(raw), raw),
        )


class _Talk(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self) -> None:
        lying: Lying = self.server.lying  # type: ignore[attr-defined]
        lying.connections += 1
        with contextlib.suppress(OSError):
            if self.said(lying, b"greeting") is None:
                self.wfile.write(b"* OK here\r\n")
            while line := self.rfile.readline():
                tag, _, command = line.strip().partition(b" ")
                lying.commands.append(command)
                if command.upper() == b"IDLE":
                    self.idle(lying, tag)
                    continue
                usual = self.said(lying, command)
                if usual is None:
                    self.wfile.write(lying.usual(command))
                if usual != b"":
                    self.wfile.write(tag + b" OK done\r\n")

    def idle(self, lying: Lying, tag: bytes) -> None:
        self.wfile.write(b"+ idling\r\n")
        self.said(lying, b"IDLE")
        self.rfile.readline()
        self.wfile.write(tag + b" OK done\r\n")

    def said(self, lying: Lying, command: bytes) -> bytes | None:
        """Say the words of one's own, if there are any for it; None where there are none, empty where nothing is to
        follow."""
        for start, words in lying.says.items():
            if command.upper().startswith(start.upper().encode()):
                told = words(lying, command)
                if told is None:
                    continue
                endless = not isinstance(told, bytes)
                for some in told if endless else [told]:
                    self.wfile.write(some)
                    lying.given += len(some)
                return b"" if endless else b"said"
        return None


def for_ever(words: bytes, pause: float = 0.0) -> Iterator[bytes]:
    """Until nobody listens any more."""
    while True:
        yield words
        time.sleep(pause)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextmanager
def lying(*mails: Listed, **settings: object) -> Iterator[Lying]:
    """A server on a port of its own."""
    with _Server(("127.0.0.1", 0), _Talk) as server:
        found = Lying(list(mails), port=server.server_address[1], **settings)  # type: ignore[arg-type]
        server.lying = found  # type: ignore[attr-defined]
        with at_work(server):
            yield found
