"""DKIM signatures (RFC 6376): what each covers, for whom it speaks, and the referee's own look at them, for servers
that write no Authentication-Results.

A signature proves the fields that it names and no other: from the lowest of a name upwards, as often as it names it."""

from __future__ import annotations

import binascii
import hashlib
import logging
import re
import time
from base64 import b64decode
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache

from publicsuffixlist import PublicSuffixList

from referee.core.texts.addresses import address_key, without_detail
from referee.offices.ports.mail import Evidence
from referee.post.reading.head import (
    LONGEST_FIELD,
    MOST_FIELDS,
    Headers,
    ParsedMail,
    domain_of,
    loose_addresses,
)
from referee.post.reading.parsing import LONGEST_HEAD
from referee.post.servers import BackOff

MOST_SIGNATURES = 20  # on a mail with more none counts
OF_OTHERS = "signs no To or Cc with an address of mine"
_NEEDED = ("from", "subject", "date")
_SINGLE = ("to", "cc", "content-type", "content-transfer-encoding")  # of two, programs take this one or that


@dataclass(frozen=True, slots=True)
class DomainSignature:
    """A DKIM-Signature field by its tags; none where it can't be read. `lacks` tells, behind the signer's name, why it
    does not prove what is read of its mail; '' where it would, should it hold."""

    tags: Mapping[str, str]
    lacks: str

    @property
    def signer(self) -> str:
        """The domain that signed, in lower case."""
        return self.tags.get("d", "").lower()

    @property
    def agent(self) -> str:
        """The domain of `i`, which lies within that of the signer."""
        return domain_of(self.tags.get("i", f"@{self.signer}"))

    @property
    def digest(self) -> str:
        """What tells the signature from all others, however it is written."""
        try:
            value = b64decode(self.value)
        except (binascii.Error, ValueError):
            value = self.value.encode("utf-8", "replace")
        return hashlib.sha256(b"dkim\n" + value).hexdigest()

    @property
    def value(self) -> str:
        """The signature itself, in Base64."""
        return "".join(self.tags.get("b", "").split())


def signatures_on(mail: ParsedMail, takes: Collection[str]) -> tuple[DomainSignature, ...]:
    """The mail's DKIM signatures, topmost first. `takes` are the addresses, in lower case, that this mailbox takes."""
    found = [_tags(value) for value in mail.headers.every("dkim-signature")]
    general = _unfit(mail) or (f"signed {len(found)} times over" if len(found) > MOST_SIGNATURES else "")
    return tuple(DomainSignature(tags, general or _lacks(mail.headers, tags, takes)) for tags in found)


def _tags(value: str) -> dict[str, str]:
    """A list of tags (RFC 6376, 3.2); none where one stands twice."""
    tags: dict[str, str] = {}
    for one in value.strip().removesuffix(";").split(";"):
        name, sign, text = one.partition("=")
        if not sign or name.strip() in tags:
            return {}
        tags[name.strip()] = text.strip()
    return tags


def _unfit(mail: ParsedMail) -> str:
    """Why no signature can prove what is read of the mail."""
    if mail.ragged:
        return "signs a head that not all programs read alike"
    doubled = [name.title() for name in _SINGLE if len(mail.headers.every(name)) > 1]
    if doubled or mail.twice:
        return f"signs one of several {', '.join((*mail.twice, *doubled))}"
    return ""


def _lacks(headers: Headers, tags: Mapping[str, str], takes: Collection[str]) -> str:
    names = [name.strip() for name in tags.get("h", "").lower().split(":")]
    unsigned = [name.title() for name in _NEEDED if name not in names]
    if not tags or unsigned:
        return f"does not sign {', '.join(unsigned)}"
    if "l" in tags or "bh" not in tags:
        return "does not sign the whole body"
    if tags.get("a", "").lower().endswith("sha1"):
        return "signs by SHA-1, which can be forged"  # RFC 8301
    if headers.first("date") is None:
        return "signs no Date"
    addresses = loose_addresses(_values(headers, names))
    if not any(address_key(a) in takes or without_detail(a) in takes for a in addresses):
        named = ", ".join(addresses[:3])
        return f"{OF_OTHERS} ({named})" if named else "does not sign To"
    return ""


def _values(headers: Headers, names: list[str]) -> Iterator[str]:
    """The values of To and Cc that are signed."""
    for name in ("to", "cc"):
        signed = min(names.count(name), len(values := headers.every(name)))
        yield from values[len(values) - signed :]


def aligned(signer: str, domain: str) -> bool:
    """Relaxed alignment (RFC 7489, 3.1): equal, or one within the other and both of one owner by the public suffix
    list, so that nobody speaks for another who has his name under the same ending."""
    signer, domain = signer.lower().strip(". "), domain.lower().strip(". ")
    if "." not in signer:
        return False
    if signer == domain:
        return True
    if not (domain.endswith("." + signer) or signer.endswith("." + domain)):
        return False
    owner = _suffixes().privatesuffix(domain)
    return owner is not None and owner == _suffixes().privatesuffix(signer)


@cache
def _suffixes() -> PublicSuffixList:
    """The list that the library ships; read once, when it is first asked."""
    return PublicSuffixList()


# --- our own look --------------------------------------------------------------------------------------------------

MOST_CHECKED = 5  # further ones are not looked at
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
            for index, one in enumerate(signatures_on(mail, takes)[:MOST_CHECKED])
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
