"""How a server is spoken to: in private, and patiently after it failed."""

from __future__ import annotations

import ipaddress
import ssl
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Security = Literal["tls", "starttls", "plain"]
"""Encrypted from the first byte; encrypted on demand, or not used at all; in the clear."""


def trusting(ca: Path | None) -> ssl.SSLContext:
    """Certificates and host names are always checked, by `ca` (a file of certificates) or the system's own."""
    return ssl.create_default_context(cafile=None if ca is None else str(ca))


def untrusted(error: BaseException) -> str:
    """What to do about a certificate that nobody vouches for; empty where that was not what went wrong."""
    if not isinstance(error, ssl.SSLCertVerificationError):
        return ""
    return (
        "; its certificate is not trusted: if it is your own server's, name the file with it, or with that of "
        "whoever signed it, under the key `ca` beside `url`"
    )


def is_loopback(host: str) -> bool:
    """Whether the server is on this very machine: judged by its name alone, nothing is looked up."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


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
