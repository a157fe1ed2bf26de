"""How a server is spoken to: in private, patiently after it failed, and carefully: of what comes back to one thing said
only so many bytes are read, and it is waited for only so long in all, however the server spreads its words.

smtplib and imaplib bound a line and each wait, never an answer: of one without an end smtplib alone took 170 MB
into memory in five seconds, and would have gone on. What bounds it stands between them and the socket, here alone."""

import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


def tls_context(ca: Path | None) -> ssl.SSLContext:
    """Certificates and host names are always checked, by `ca` (a file of certificates) or the system's own."""
    return ssl.create_default_context(cafile=None if ca is None else str(ca))


def certificate_hint(error: BaseException) -> str:
    """What to do about a certificate that nobody vouches for; empty where that was not what went wrong."""
    if not isinstance(error, ssl.SSLCertVerificationError):
        return ""
    return (
        "; its certificate is not trusted: if it is your own server's, name the file with it, or with that of "
        "whoever signed it, under the key `ca` beside `url`"
    )


@dataclass(slots=True)
class BackOff:
    """Back-off between connections, in seconds: none after the first failure, then `first`, doubled up to `most`.
    A connection that held for `steady` seconds wipes the slate. Lives in memory only: a restart tries at once."""

    first: float = 1.0
    most: float = 60.0
    steady: float = 60.0
    failures: int = 0
    _since: float = field(default_factory=time.monotonic)
    _reached: float | None = None

    def reached(self) -> None:
        """The server answered; the connection's life begins."""
        self._reached = time.monotonic()

    def served(self) -> None:
        """The server did what it is for: what went before is forgiven."""
        self.failures = 0

    def failed(self) -> None:
        """The connection broke, or none came about."""
        now = time.monotonic()
        held = self._reached is not None and now - self._reached >= self.steady
        self.failures = 1 if held else self.failures + 1
        self._since, self._reached = now, None

    def left(self) -> float:
        """Seconds to wait before the next try; 0 when it may be made now."""
        if self.failures < 2:
            return 0.0
        pause = min(self.most, self.first * 2.0 ** min(self.failures - 2, 30))
        return max(0.0, self._since + pause - time.monotonic())


# --- the line to it ------------------------------------------------------------------------------------------------


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
    """What the libraries take for an SSL context: it gives them the socket that they made back as a
    metered one, encrypted where there is a `context`, in the clear where there is none."""

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
