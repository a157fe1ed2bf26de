"""A line between client and server that is cut as planned, falls silent, or drips."""

from __future__ import annotations

import re
import selectors
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Literal

from tests.servers.ground import PATIENCE

Moment = Literal["command", "answer", "midway"]
"""Cut before the server hears the command; after it has obeyed, before its first word; in the middle of its answer."""
QUICKACK: int | None = getattr(socket, "TCP_QUICKACK", None)


@dataclass
class Line:
    """A TCP proxy. `arm` names what cuts it; `hidden` words of the server become as many X."""

    target: int
    hidden: tuple[bytes, ...] = ()
    drip: float = 0.0  # seconds before every packet of the server's
    cuts: int = 0
    connections: int = 0
    ended: int = 0  # of these; whoever was connected has been told
    port: int = 0
    _pattern: re.Pattern[bytes] | None = None
    _moment: Moment = "command"
    _left: int = 0
    _silent: bool = False
    _open: list[socket.socket] = field(default_factory=list)
    _threads: list[threading.Thread] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)
    _counting: threading.Lock = field(default_factory=threading.Lock)

    def arm(
        self, pattern: bytes, moment: Moment = "command", times: int = 1, *, silent: bool = False
    ) -> None:
        """Cut the next `times` commands that match; `silent` keeps the line open and lets nothing through any more."""
        self._pattern = re.compile(pattern, re.IGNORECASE)
        self._moment, self._left, self._silent = moment, times, silent

    def __enter__(self) -> Line:
        self._door = socket.create_server(("127.0.0.1", 0))
        self._door.settimeout(0.1)
        self.port = self._door.getsockname()[1]
        self._start(self._accept)
        return self

    def close(self) -> None:
        """Whoever is connected is cut off, and nobody is let in any more."""
        self._over.set()
        self._shut(self._door, *self._open)  # which wakes all who wait at them

    def __exit__(self, *_: object) -> None:
        self.close()
        for thread in self._threads:
            thread.join(PATIENCE)
        for line in (*self._open, self._door):
            line.close()

    def _start(self, work: object, *args: object) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                client, _ = self._door.accept()
            except TimeoutError:
                continue
            except OSError:
                return  # it is over
            self.connections += 1
            server = socket.create_connection(("127.0.0.1", self.target))
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open += [client, server]
            self._start(self._carry, client, server)

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        self._relay(client, server)
        with self._counting:
            self.ended += 1

    def _relay(self, client: socket.socket, server: socket.socket) -> None:
        due = False  # the next answer is to be cut
        with selectors.DefaultSelector() as either:
            either.register(client, selectors.EVENT_READ)
            either.register(server, selectors.EVENT_READ)
            while not self._over.is_set():
                for key, _ in either.select(0.1):
                    source = key.fileobj
                    try:
                        data = source.recv(65536)  # type: ignore[union-attr]
                        if not data:
                            return self._shut(client, server)
                        if QUICKACK is not None:  # else whoever sends little by little waits 40 ms for it
                            source.setsockopt(socket.IPPROTO_TCP, QUICKACK, 1)  # type: ignore[union-attr]
                        if source is client:
                            cut = self._is_cue(data)
                            if cut and self._moment == "command":
                                return self._cut(client, server)
                            due = due or cut
                            server.sendall(data)
                        else:
                            if due:
                                if self._moment == "midway":
                                    client.sendall(data[: len(data) // 2])
                                return self._cut(client, server)
                            self._over.wait(self.drip)
                            client.sendall(self._veiled(data))
                    except OSError:
                        return self._shut(client, server)
        return self._shut(client, server)

    def _is_cue(self, data: bytes) -> bool:
        if self._left and self._pattern is not None and self._pattern.search(data):
            self._left -= 1
            return True
        return False

    def _veiled(self, data: bytes) -> bytes:
        for word in self.hidden:
            data = data.replace(word, b"X" * len(word))
        return data

    def _cut(self, client: socket.socket, server: socket.socket) -> None:
        self.cuts += 1
        if not self._silent:
            time.sleep(0.05)  # let what the server was told take effect
            self._shut(client, server)

    @staticmethod
    def _shut(*lines: socket.socket) -> None:
        for line in lines:
            try:
                line.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # the other side was first
