"""The DNS, asked for the keys of signatures: patiently once, and not again at every mail where it is silent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import dkim
from dkim.dnsplug import get_txt

from referee.post.patience import Patience

_KEPT = 600.0  # seconds
_MOST = 1000  # names

Ask = Callable[..., bytes | None]  # a name, and `timeout` in seconds, to the text kept there


@dataclass(slots=True)
class Directory:
    """Names to the texts kept there. What was said, also that there is nothing, is remembered for ten minutes. After
    two silences in a row nobody is asked for a while: a dead resolver costs a heap of mails seconds, not hours."""

    ask: Ask = get_txt
    patience: Patience = field(default_factory=lambda: Patience(first=30.0, most=600.0))
    _known: dict[bytes, tuple[float, bytes | None]] = field(default_factory=dict)

    def __call__(self, name: bytes, timeout: float = 5) -> bytes | None:
        """Raises dkim.DnsTimeoutError where the DNS is silent, or is left alone because it was."""
        known = self._known.get(name)
        if known is not None and time.monotonic() - known[0] < _KEPT:
            return known[1]
        if self.patience.left():
            raise dkim.DnsTimeoutError("the DNS was silent a moment ago")
        try:
            said = self.ask(name, timeout=timeout)
        except dkim.DnsTimeoutError:
            self.patience.failed()
            raise
        self.patience.served()
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[name] = (time.monotonic(), said)
        return said
