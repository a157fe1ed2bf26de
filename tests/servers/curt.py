"""The barest SMTP server: one answer for each verb, the greeting and the message's end among them."""

from __future__ import annotations

import contextlib
import socketserver
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.servers.ground import at_work

USUAL = {
    "greeting": "220 here", "EHLO": "250 here", "HELO": "250 here", "MAIL": "250 OK", "RCPT": "250 OK",
    "DATA": "354 go on", "end": "250 taken", "RSET": "250 OK", "QUIT": "221 bye", "NOOP": "250 OK",
}  # fmt: skip


@dataclass
class Curt:
    """`answers` replace the usual ones; `taken` are the messages it answered for with 250. Where it is at a stage of
    `endless` its answer never ends; before each it waits `slow` seconds."""

    answers: dict[str, str] = field(default_factory=dict)
    taken: list[bytes] = field(default_factory=list)
    port: int = 0
    endless: str = ""
    slow: float = 0.0
    given: int = 0  # lines of an answer without an end
    reached: list[str] = field(default_factory=list)  # the stages, one after the other

    def says(self, stage: str) -> bytes:
        return f"{self.answers.get(stage, USUAL.get(stage, '502 unknown'))}\r\n".encode()


class _Talk(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):  # the other side has left
            self.talk(self.server.curt)  # type: ignore[attr-defined]

    def talk(self, curt: Curt) -> None:
        self.say(curt, "greeting")
        while line := self.rfile.readline():
            verb = line.decode("ascii", "replace").strip().partition(" ")[0].upper()
            answer = curt.says(verb)
            self.say(curt, verb)
            if verb == "QUIT":
                return
            if verb == "DATA" and answer.startswith(b"3"):
                self._message(curt)

    def _message(self, curt: Curt) -> None:
        lines: list[bytes] = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return  # the other side has left in the middle of it
            lines.append(line)
        answer = curt.says("end")
        if answer.startswith(b"250"):
            curt.taken.append(b"".join(line[line.startswith(b".") :] for line in lines))
        self.say(curt, "end")

    def say(self, curt: Curt, stage: str) -> None:
        curt.reached.append(stage)
        time.sleep(curt.slow)
        while stage == curt.endless:
            self.wfile.write(b"250-and more\r\n" * 1_000)
            curt.given += 1_000
        self.wfile.write(curt.says(stage))


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextmanager
def curt() -> Iterator[Curt]:
    """A server on a port of its own."""
    with _Server(("127.0.0.1", 0), _Talk) as server:
        found = Curt(port=server.server_address[1])
        server.curt = found  # type: ignore[attr-defined]
        with at_work(server):
            yield found
