"""Addresses: a strict reading of From, by which a sender is told, and a loose one of the recipients."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from referee.core.texts.addresses import address_key, ascii_domain, normal_address
from referee.post.reading.charset import tidy
from referee.post.reading.headers import read_words

_BREAKS = re.compile(r"[\s<>,;:\"()\[\]\\]+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_COMMENT = re.compile(r"\([^()]*\)")
_ENCODED = re.compile(r"=\?[^?\s]{1,60}\?[bBqQ]\?[^?]*\?=")


@dataclass(frozen=True, slots=True)
class Address:
    """One mailbox. `address` has its domain in lower case (and in ASCII); `name` is what the sender calls himself."""

    address: str
    name: str = ""


def domain_of(address: str) -> str:
    """What stands after the @, as domains are compared."""
    return ascii_domain(address.rpartition("@")[2])


def read_sender(values: tuple[str, ...]) -> tuple[Address | None, str | None]:
    """Who the From fields say wrote the mail; or why that cannot be told.

    Refused, since one program would show another sender than the next: several fields, several addresses in one,
    an address in a display name that is another than the mailbox, anything that is no mailbox of RFC 5322.
    """
    if not values:
        return None, "the mail has no From"
    if len(values) > 1:
        return None, "the mail has several From fields"
    found = _mailbox(values[0])
    if found is None:
        return None, "the From field cannot be read with certainty"
    return found, None


def _mailbox(value: str) -> Address | None:
    """`address`, `address (name)` or `name <address>`; None for anything else."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\x01{len(kept) - 1}\x02"

    if len(value) > 2000 or "\x01" in value:
        return None
    hidden = _QUOTED.sub(
        keep, _ENCODED.sub(keep, value)
    )  # quoted strings and encoded words may hold any sign
    comments = _COMMENT.findall(hidden)
    hidden = _COMMENT.sub(" ", hidden).strip()

    def shown(text: str) -> str:
        whole = re.sub("\x01(\\d+)\x02", lambda mark: kept[int(mark[1])], text)
        return re.sub("\x01(\\d+)\x02", lambda mark: kept[int(mark[1])], whole)

    if "<" not in hidden:
        address = normal_address(shown(hidden))
        name = comments[-1][1:-1] if comments else ""
    else:
        phrase, _, rest = hidden.partition("<")
        address = normal_address(shown(rest[:-1])) if rest.endswith(">") and "<" not in rest else None
        name = phrase.strip()
        if re.search(r"[>\[\]()@,;:\\\"]", phrase) and address_key(name) != address_key(address or ""):
            return None
    if address is None:
        return None
    return Address(address, re.sub(r"\\(.)", r"\1", read_words(shown(name))).strip(" \"'")[:200])


def loose_addresses(values: Iterable[str]) -> tuple[str, ...]:
    """Every address that stands anywhere in these values, once each, in order."""
    found: dict[str, None] = {}
    for value in values:
        for token in _BREAKS.split(tidy(value)):
            if token.count("@") == 1 and (address := normal_address(token.strip("'"))):
                found[address] = None
    return tuple(found)
