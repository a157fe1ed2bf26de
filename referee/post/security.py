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


def is_loopback(host: str) -> bool:
    """Whether the server is on this very machine: judged by its name alone, nothing is looked up."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
