"""A line to a server that may be careless: of what comes back to one thing said only so many bytes are read, and it is
waited for only so long in all, however the server spreads its words.

smtplib and imaplib bound a line and each wait, never an answer: of one without an end smtplib alone took 170 MB
into memory in five seconds, and would have gone on. What bounds it stands between them and the socket, here alone."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class OverlongAnswer(OSError):
    """The server's answer has no end."""


@dataclass
class Allowance:
    """What may come back to one thing said: `most` bytes, waited for `patience` seconds in all."""

    most: int
    patience: float
    _read: int = 0
    _waited: float = 0.0

    def begin(self) -> None:
        """Something is said; its answer has the whole allowance."""
        self._read, self._waited = 0, 0.0

    def metered(self, read: Callable[[], int]) -> int:
        """What `read` gives. Raises OverlongAnswer and TimeoutError."""
        if self._read > self.most:
            raise OverlongAnswer(f"the server's answer is longer than {self.most} bytes")
        if self._waited > self.patience:
            raise TimeoutError("the server's answer comes to no end")
        started = time.monotonic()
        count = read()
        self._waited += time.monotonic() - started
        self._read += count
        return count


class _Metered(socket.socket):
    allowance: Allowance

    def recv_into(self, *given: Any, **named: Any) -> int:
        read = super().recv_into
        return self.allowance.metered(lambda: read(*given, **named))

    def sendall(self, *given: Any, **named: Any) -> None:
        self.allowance.begin()
        super().sendall(*given, **named)


class _Encrypted(_Metered, ssl.SSLSocket):
    """The same over an encrypted one."""


class Wrapping:
    """What the libraries take for an SSL context: it gives them the socket that they made back as a metered one,
    encrypted where there is a `context`, in the clear where there is none."""

    def __init__(self, allowance: Allowance, context: ssl.SSLContext | None) -> None:
        self._allowance = allowance
        self._context = context
        if context is not None:
            context.sslsocket_class = _Encrypted

    def wrap_socket(self, line: socket.socket, server_hostname: str) -> socket.socket:
        wrapped: Any
        if self._context is not None:
            wrapped = self._context.wrap_socket(line, server_hostname=server_hostname)
        else:
            patience = line.gettimeout()
            wrapped = _Metered(line.family, line.type, line.proto, fileno=line.detach())
            wrapped.settimeout(patience)
        wrapped.allowance = self._allowance
        self._allowance.begin()
        return wrapped  # type: ignore[no-any-return]
