"""Addresses: a strict reading of From, by which a sender is told, and a loose one of the recipients."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from referee.post.reading.charset import tidy
from referee.post.reading.headers import read_words

_ATOM = r"[^\s\x00-\x1f\x7f\ufffd()<>\[\]:;@\\,\".]+"
_LOCAL = re.compile(rf"(?:{_ATOM}(?:\.{_ATOM})*|\"(?:[^\"\\\r\n]|\\.)*\")")
_LABEL = re.compile(r"(?!-)[\w-]{1,63}(?<!-)")
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
    """What stands after the @, in lower case."""
    return address.rpartition("@")[2].lower()


def without_detail(address: str) -> str:
    """The address without what stands behind a plus: `collector+x@host` is `collector@host`. In lower case."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def detail_of(address: str) -> str:
    """What stands behind the first plus of the local part, in lower case; empty where there is none."""
    return address.lower().rpartition("@")[0].partition("+")[2]


def normal_address(text: str) -> str | None:
    """`local@domain` with the domain in lower-case ASCII, or None where a strict reading refuses it."""
    local, at, domain = text.strip().rpartition("@")
    if not at or len(text) > 320 or not _LOCAL.fullmatch(local) or "=?" in text:
        return None
    labels = domain.lower().rstrip(".").split(".")
    if not all(_LABEL.fullmatch(label) for label in labels):
        return None
    return f"{local}@{'.'.join(map(_ascii_label, labels))}"


def _ascii_label(label: str) -> str:
    try:
        return label if label.isascii() else label.encode("idna").decode("ascii")
    except UnicodeError:
        return label


def ascii_domain(address: str) -> str:
    """The address with its domain in the letters every server takes (IDNA), where that can be done."""
    local, at, domain = address.rpartition("@")
    try:
        return f"{local}{at}{domain.encode('idna').decode('ascii')}" if not domain.isascii() else address
    except UnicodeError:
        return address


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
        if re.search(r"[>\[\]()@,;:\\\"]", phrase) and name.lower() != (address or "").lower():
            return None
    if address is None:
        return None
    return Address(address, _plain_name(shown(name)))


def _plain_name(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", read_words(text)).strip(" \"'")[:200]


def loose_addresses(values: Iterable[str]) -> tuple[str, ...]:
    """Every address that stands anywhere in these values, once each, in order."""
    found: dict[str, None] = {}
    for value in values:
        for token in _BREAKS.split(tidy(value)):
            if token.count("@") == 1 and (address := normal_address(token.strip("'"))):
                found[address] = None
    return tuple(found)
