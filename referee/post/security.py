"""How a line to a mail server is kept private."""

from __future__ import annotations

import ipaddress
import ssl
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
