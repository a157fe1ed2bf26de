"""An SMTP server in every mood: what it says to a letter stands in the letter's own address, so that
a batch may hold all kinds in any order; what it is like itself stands in `Mood`."""

from __future__ import annotations

import socket
import socketserver
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.servers.ground import PATIENCE, at_work


@dataclass
class Mood:
    """What is wrong with the server, if anything. Counts are of letters over one connection."""

    cap: int = 0  # letters it takes over one connection ...
    parting: str = (
        "421"  # ... and what it says to the next: a code; "cut" nothing, "reset" with a reset of the line
    )
    slow: float = 0.0  # seconds before every answer to a dot
    gate: threading.Event | None = None  # waited for before every answer to a dot but a connection's first
    lazy_go_ahead: bool = False  # 354 though no recipient was taken
    most: int = 0  # connections that it serves at once; another is told 421


@dataclass
class Piped:
    """`taken` are (sender, recipient, message) of those it answered for with 250; `lost` of those whose answer it kept
    to itself; `open` are its connections, `ending` the letters that wait for the answer to their end."""

    mood: Mood = field(default_factory=Mood)
    taken: list[tuple[str, str, bytes]] = field(default_factory=list)
    lost: list[tuple[str, str, bytes]] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    open: int = 0
    ending: int = 0

    @property
    def bodies(self) -> list[bytes]:
        return [message for _, _, message in self.taken]


class _Gone(Exception):
    """This connection is over."""


class _Talk(socketserver.BaseRequestHandler):
    """Addresses say what happens: `rcpt550@...` is answered 550 at RCPT; likewise `mail`, `data`, `end`; `endcut@...`
    is hung up upon after its dot, `end421@` too, in words. All others are taken."""

    def handle(self) -> None:
        self.piped: Piped = self.server.piped  # type: ignore[attr-defined]
        self.piped.connections += 1
        self.buffer, self.carried, self.sender, self.recipient = b"", 0, "", ""
        self.piped.open += 1
        try:
            if 0 < self.piped.mood.most < self.piped.open:
                self.say("421 too many connections")
                return
            self.say("220 here")
            while True:
                self.command(self.line())
        except (_Gone, OSError):
            return
        finally:
            self.piped.open -= 1

    # --- reading and writing

    def say(self, words: str) -> None:
        self.request.sendall(words.encode() + b"\r\n")

    def line(self) -> bytes:
        while b"\r\n" not in self.buffer:
            data = self.request.recv(65536)
            if not data:
                raise _Gone
            self.buffer += data
        text, _, self.buffer = self.buffer.partition(b"\r\n")
        return text

    def hang_up(self, *, reset: bool = False) -> None:
        if reset:
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.request.close()
        raise _Gone

    # --- commands

    def command(self, text: bytes) -> None:
        words = text.decode()
        verb = words.partition(" ")[0].upper()
        if verb == "EHLO":
            self.say("250-here\r\n250 SIZE")
        elif verb in ("RSET", "NOOP"):
            self.sender = self.recipient = ""
            self.say("250 OK")
        elif verb == "QUIT":
            self.say("221 bye")
            self.hang_up()
        elif verb == "MAIL":
            self.mail(words)
        elif verb == "RCPT":
            self.rcpt(words)
        elif verb == "DATA":
            self.data()
        else:
            self.say("500 unknown")

    def mail(self, words: str) -> None:
        mood = self.piped.mood
        if mood.cap and self.carried >= mood.cap:
            if mood.parting.isdigit():
                self.say(f"{mood.parting} enough")
            if mood.parting in ("421", "cut", "reset"):
                self.hang_up(reset=mood.parting == "reset")
            return
        if self.sender:
            self.say("503 nested MAIL")
            return
        sender = address_in(words)
        if code := planned(sender, "mail"):
            self.say(f"{code} not from you")
            return
        self.sender, self.recipient = sender, ""
        self.say("250 OK")

    def rcpt(self, words: str) -> None:
        if not self.sender:
            self.say("503 need MAIL")
            return
        recipient = address_in(words)
        if code := planned(recipient, "rcpt"):
            self.say(f"{code} not to him")
            return
        self.recipient = recipient
        self.say("250 OK")

    def data(self) -> None:
        mood = self.piped.mood
        if not self.recipient and not mood.lazy_go_ahead:
            self.say("554 no valid recipients" if self.sender else "503 need MAIL")
            return
        if code := planned(self.recipient, "data"):
            self.say(f"{code} not now")
            return
        self.say("354 go on")
        lines: list[bytes] = []
        while (text := self.line()) != b".":
            lines.append(text[text.startswith(b".") :] + b"\r\n")
        self.end(b"".join(lines))

    def end(self, message: bytes) -> None:
        sender, recipient, self.sender, self.recipient = self.sender, self.recipient, "", ""
        self.piped.ending += 1
        time.sleep(self.piped.mood.slow)
        if self.piped.mood.gate is not None and self.carried:
            assert self.piped.mood.gate.wait(PATIENCE)
        self.piped.ending -= 1
        if not recipient:
            self.say("554 no valid recipients")
            return
        plan = planned(recipient, "end")
        if plan == "cut":
            self.piped.lost.append((sender, recipient, message))
            self.hang_up()
        if plan:
            self.say(f"{plan} not like this")
            if plan == "421":
                self.hang_up()
            return
        self.carried += 1
        self.piped.taken.append((sender, recipient, message))
        self.say("250 taken")


def address_in(words: str) -> str:
    return words.partition("<")[2].partition(">")[0]


def planned(address: str, stage: str) -> str:
    """What is to happen at that stage, by the name before the @, whatever follows a dash in it."""
    name = address.partition("@")[0].partition("-")[0]
    return name.removeprefix(stage) if name.startswith(stage) else ""


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextmanager
def piped(mood: Mood | None = None) -> Iterator[Piped]:
    """A server on a port of its own."""
    with _Server(("127.0.0.1", 0), _Talk) as server:
        found = Piped(mood or Mood(), port=server.server_address[1])
        server.piped = found  # type: ignore[attr-defined]
        with at_work(server):
            yield found
