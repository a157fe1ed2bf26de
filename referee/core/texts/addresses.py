"""Mail addresses: one strict form, what the post writes for them, and the one key by which they are compared."""

import re

LONGEST = 254  # RFC 5321, 4.5.3.1.3
_LONGEST_DOMAIN, _LONGEST_LABEL = 253, 63
_ATOM = r"[^\s\x00-\x1f\x7f\ufffd()<>\[\]:;@\\,\".]+"
_LOCAL = re.compile(rf"(?:{_ATOM}(?:\.{_ATOM})*|\"(?:[^\"\\\r\n]|\\.)*\")")
_LABEL = re.compile(r"(?!-)[\w-]{1,63}(?<!-)")


def address_key(address: str) -> str:
    """What tells whose an address is: two that differ here are two persons'. Whatever compares addresses compares this.

    The domain by IDNA 2008, so that A-label and U-label are one and `ß` is not `ss`; the rest in
    small letters, never case-folded. No sign beyond ASCII becomes one within it: the small letter
    of U+212A is `k`, and here it has none."""
    local, at, domain = address.rpartition("@")
    return f"{_small(local)}{at}{ascii_domain(domain)}"


def ascii_domain(domain: str) -> str:
    """In small letters and A-labels, without the dot of the root. What is no domain by IDNA 2008
    stays as it is: it is nobody else's, and nothing can be sent there."""
    small = _small(domain).removesuffix(".")
    if small.isascii() or len(small) > _LONGEST_DOMAIN:
        return small
    return ".".join(map(_a_label, small.split(".")))


def _a_label(label: str) -> str:
    if label.isascii() or len(label) > _LONGEST_LABEL:  # to encode takes time with the square of the length
        return label
    import idna  # its tables are large, and most mails need none of them

    try:
        return idna.alabel(label).decode("ascii")
    except UnicodeError:
        return label


def _small(text: str) -> str:
    if text.isascii():
        return text.lower()
    return "".join(low if (low := sign.lower()).isascii() == sign.isascii() else sign for sign in text)


def posted(address: str) -> str:
    """As mail servers are told it: the name before the @ as its owner writes it, the domain in A-labels."""
    local, at, domain = address.rpartition("@")
    return address if domain.isascii() else f"{local}{at}{ascii_domain(domain)}"


def normal_address(text: str) -> str | None:
    """`local@domain` with the domain in small letters and A-labels, or None where a strict reading refuses it."""
    local, at, domain = text.strip().rpartition("@")
    if not at or len(text) > 320 or not _LOCAL.fullmatch(local) or "=?" in text:
        return None
    labels = domain.removesuffix(".").split(".")
    return f"{local}@{ascii_domain(domain)}" if all(map(_LABEL.fullmatch, labels)) else None


def unpostable(address: str) -> str:
    """Why no letter can be sent there, whatever the server; empty where one can."""
    if (known := normal_address(address)) is None or len(known) > LONGEST:
        return "it is no mail address"
    if not known.rpartition("@")[2].isascii():
        return "what stands behind the @ is no domain that mail can be sent to"
    return ""


def without_detail(address: str) -> str:
    """The key without what stands behind a plus: `collector+x@host` is `collector@host`."""
    local, at, domain = address_key(address).rpartition("@")
    return f"{local.partition('+')[0]}{at}{domain}"


def detail_of(address: str) -> str:
    """What stands behind the first plus of the local part, in small letters; empty where there is none."""
    return address_key(address).rpartition("@")[0].partition("+")[2]
