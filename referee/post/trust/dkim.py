"""The referee's own look at DKIM signatures (RFC 6376), for servers that write no Authentication-Results."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field

from referee.offices.ports.mail import Evidence
from referee.post.reading.head import LONGEST_FIELD, MOST_FIELDS, ParsedMail, domain_of
from referee.post.reading.parsing import LONGEST_HEAD
from referee.post.servers import BackOff
from referee.post.trust.authentication import aligned
from referee.post.trust.coverage import signatures_on

MOST_SIGNATURES = 5  # further ones are not looked at
LONGEST_SIGNATURE = 8192  # bytes of its field
LONGEST_GAP = (
    200  # blanks in a row; a line of the head that holds nothing else makes it one that proves nothing
)
_KEPT = 600.0  # seconds that an answer of the DNS is remembered
_MOST = 1000  # names remembered
_SILENT = logging.Logger("referee.dkim", logging.CRITICAL + 1)

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_NEW_FIELD = re.compile(rb"\n(?![ \t])")

Lookup = Callable[..., bytes | None]  # a name, and `timeout` in seconds, to the text kept there


class SignatureCheck:
    """Vouches for a sender whose domain signed the mail. A signature that fails proves nothing: lists and gateways
    break many. `lookup` is asked for keys, for `timeout` seconds at most; the DNS where it is None."""

    def __init__(self, lookup: Lookup | None = None, timeout: int = 5) -> None:
        self._lookup = lookup or DnsCache()
        self._timeout = timeout

    def __call__(self, raw: bytes, mail: ParsedMail, takes: Collection[str]) -> Evidence | None:
        """Evidence that the sender's own domain signed what is read of this very mail, or None. Total."""
        domain = domain_of(mail.sender.address) if mail.sender else ""
        made = [
            (index, one)
            for index, one in enumerate(signatures_on(mail, takes)[:MOST_SIGNATURES])
            if not one.lacks and aligned(one.signer, domain)  # about no other is the DNS asked
        ]
        if not made or beyond_checking(raw):
            return None
        import dkim

        try:
            checked = dkim.DKIM(raw, logger=_SILENT, timeout=self._timeout)
        except Exception:  # noqa: BLE001 - the library raises whatever odd bytes make it raise
            return None
        for index, one in made:
            with suppress(Exception):  # as above; a signature that cannot be checked is none
                if checked.verify(index, dnsfunc=self._lookup):
                    return Evidence("aligned", f"own check: dkim passed for {one.signer}", one.digest)
        return None


def beyond_checking(raw: bytes) -> str:
    """Why no signature on these bytes is checked; '' where it may be. What is checked are the bytes as they came, so
    what would take the library more than linear time is not cut but left alone: it takes gaps, fields and what a
    signature names times each other."""
    end = _HEAD_END.search(raw)
    head = raw[: end.start()] if end else raw
    if len(head) > LONGEST_HEAD:
        return f"no signature checked: the mail has a head of more than {LONGEST_HEAD} bytes"
    fields = _NEW_FIELD.split(head)
    if len(fields) > MOST_FIELDS or max(map(len, fields)) > LONGEST_FIELD:
        return f"no signature checked: the mail has more than {MOST_FIELDS} fields, or one beyond {LONGEST_FIELD} bytes"
    if any(len(one) > LONGEST_SIGNATURE for one in fields if one[:15].lower() == b"dkim-signature:"):
        return f"no signature checked: one takes more than {LONGEST_SIGNATURE} bytes"
    if b" " * (LONGEST_GAP + 1) in raw.replace(b"\t", b" "):
        return f"no signature checked: the mail has more than {LONGEST_GAP} blanks in a row"
    return ""


@dataclass(slots=True)
class DnsCache:
    """Names to the texts kept there. What was said, also that there is nothing, is remembered for ten minutes. After
    two silences in a row nobody is asked for a while: a dead resolver costs a heap of mails seconds, not hours."""

    ask: Lookup | None = None  # the DNS itself where it is None
    back_off: BackOff = field(default_factory=lambda: BackOff(first=30.0, most=600.0))
    _known: dict[bytes, tuple[float, bytes | None]] = field(default_factory=dict)

    def __call__(self, name: bytes, timeout: float = 5) -> bytes | None:
        """Raises dkim.DnsTimeoutError where the DNS is silent, or is left alone because it was."""
        import dkim
        from dkim.dnsplug import get_txt

        known = self._known.get(name)
        if known is not None and time.monotonic() - known[0] < _KEPT:
            return known[1]
        if self.back_off.left():
            raise dkim.DnsTimeoutError("the DNS was silent a moment ago")
        try:
            said = (self.ask or get_txt)(name, timeout=timeout)
        except dkim.DnsTimeoutError:
            self.back_off.failed()
            raise
        self.back_off.served()
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[name] = (time.monotonic(), said)
        return said
