"""DKIM signatures (RFC 6376) that a trusted server has found good: what each covers, and for whom it speaks.

A signature proves the fields that it names and no other: from the lowest of a name upwards, as often as it names it."""

from __future__ import annotations

import binascii
import hashlib
from base64 import b64decode
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from publicsuffixlist import PublicSuffixList

from referee.core.texts.addresses import address_key, without_detail
from referee.post.reading.head import Headers, ParsedMail, domain_of, loose_addresses

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
