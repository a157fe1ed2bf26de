"""An SMTP server that takes a conversation by the letter and answers as it is told to: at any stage other words, none,
or words without an end; by the letter's own address; and it lets go of a connection when it likes."""

import contextlib
import socket
import socketserver
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.servers.ground import at_work

HANG_UP = "hang up"
USUAL = {
    "greeting": "220 here", "EHLO": "250-here\r\n250-SIZE 99999999\r\n250 SMTPUTF8", "HELO": "250 here",
    "MAIL": "250 OK", "RCPT": "250 OK", "DATA": "354 go on", "end": "250 taken", "RSET": "250 OK",
    "QUIT": "221 bye", "NOOP": "250 OK",
}  # fmt: skip


class Taken(NamedTuple):
    """A letter that was answered for with 250, and what its MAIL said besides the sender."""

    sender: str
    recipient: str
    message: bytes
    options: list[str]


@dataclass
class Curt:
    """`answers` replace the usual ones, those of `once` the next ones, in order. Where it is at a stage of `endless`
    its answer never ends; before each it waits `slow` seconds. An address such as `rcpt550-1@...` is answered 550 at
    RCPT, one `end554@...` behind the dot. A connection takes `cap` letters, if any number; what comes then hears
    `parting`: a code (421 hangs up), "cut" nothing, "reset" a reset of the line."""

    answers: dict[str, str] = field(default_factory=dict)
    once: dict[str, list[str]] = field(default_factory=dict)
    taken: list[Taken] = field(default_factory=list)
    port: int = 0
    endless: str = ""
    slow: float = 0.0
    drip: float = 0.0  # seconds between the lines of an answer without an end
    given: int = 0  # those lines
    cap: int = 0
    parting: str = "452"
    reached: list[str] = field(default_factory=list)  # the stages, one after the other
    connections: int = 0
    open: int = 0

    @property
    def messages(self) -> list[bytes]:
        return [letter.message for letter in self.taken]

    def say(self, stage: str, *answers: str) -> None:
        self.once.setdefault(stage, []).extend(answers)

    def says(self, stage: str, address: str = "") -> str:
        if self.once.get(stage):
            return self.once[stage].pop(0)
        name = address.partition("@")[0].partition("-")[0]
        if name.startswith(stage.lower()) and name[-3:].isdigit():
            return f"{name[-3:]} planned"
        return self.answers.get(stage, USUAL.get(stage, "502 unknown"))


class _Talk(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.curt: Curt = self.server.curt  # type: ignore[attr-defined]
        self.curt.connections += 1
        self.curt.open += 1
        self.carried, self.sender, self.recipient = 0, "", ""
        self.options: list[str] = []
        try:
            with contextlib.suppress(OSError):  # the other side has left
                self.talk()
        finally:
            self.curt.open -= 1

    def talk(self) -> None:
        self.say("greeting")
        while line := self.rfile.readline():
            words = line.decode("utf-8", "replace").strip()
            verb, address = words.partition(" ")[0].upper(), words.partition("<")[2].partition(">")[0]
            if verb == "MAIL" and self.curt.cap and self.carried >= self.curt.cap:
                self.part()
            elif out_of_step := self.out_of_step(verb):
                self.wfile.write(f"{out_of_step}\r\n".encode())
            elif self.say(verb, address or self.recipient)[:1] not in "23":
                continue
            elif verb == "MAIL":
                self.sender, self.options = address, words.partition("> ")[2].split()
            elif verb == "RCPT":
                self.recipient = address
            elif verb == "RSET":
                self.sender = self.recipient = ""
            elif verb == "QUIT":
                self.hang_up()
            elif verb == "DATA":
                self.message()

    def out_of_step(self, verb: str) -> str:
        """A letter that was not ended is in the way of the next one's MAIL."""
        if verb == "MAIL" and self.sender:
            return "503 nested MAIL"
        missing = {"RCPT": not self.sender, "DATA": not self.recipient}
        return "503 not yet" if missing.get(verb) else ""

    def message(self) -> None:
        lines: list[bytes] = []
        while (line := self.rfile.readline()).strip(
            b"\r\n"
        ) != b".":  # also where an end is careless of its signs
            if not line:
                return  # the other side has left in the middle of it
            lines.append(line[line.startswith(b".") :])
        letter = Taken(self.sender, self.recipient, b"".join(lines), self.options)
        self.sender = self.recipient = ""
        answer = self.curt.says("end", letter.recipient)
        if answer.startswith("250"):
            self.carried += 1
            self.curt.taken.append(letter)
        self.say("end", answer=answer)

    def say(self, stage: str, address: str = "", answer: str = "") -> str:
        """The answer, once it is given."""
        curt = self.curt
        curt.reached.append(stage)
        time.sleep(curt.slow)
        while stage == curt.endless:
            self.wfile.write(b"250-and more\r\n" * (1 if curt.drip else 1_000))
            curt.given += 1 if curt.drip else 1_000
            time.sleep(curt.drip)
        answer = answer or curt.says(stage, address)
        if answer == HANG_UP:
            self.hang_up()
        self.wfile.write(f"{answer}\r\n".encode())
        if answer.startswith("421"):
            self.hang_up()
        return answer

    def part(self) -> None:
        parting = self.curt.parting
        if parting.isdigit():
            self.wfile.write(f"{parting} enough letters for one connection\r\n".encode())
        if parting in ("421", "cut", "reset"):
            self.hang_up(reset=parting == "reset")

    def hang_up(self, *, reset: bool = False) -> None:
        if reset:
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.request.close()
        else:
            self.request.shutdown(socket.SHUT_RDWR)
        raise ConnectionError


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextmanager
def curt(**settings: object) -> Iterator[Curt]:
    """A server on a port of its own."""
    with _Server(("127.0.0.1", 0), _Talk) as server:
        found = Curt(port=server.server_address[1], **settings)  # type: ignore[arg-type]
        server.curt = found  # type: ignore[attr-defined]
        with at_work(server):
            yield found
