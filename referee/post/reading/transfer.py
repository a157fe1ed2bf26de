"""Content-Transfer-Encoding undone, however badly it was done."""

from __future__ import annotations

import binascii
import quopri
import re

_SIXTY_FOUR = re.compile(rb"[A-Za-z0-9+/=\s]*")


# What undeclared quoted-printable shows: long lines that end in a soft break, the bytes of a UTF-8 character, or
# blanks kept at line ends; and no equals sign that is not part of an escape.
_SOFT_BREAK = re.compile(rb"^[^\r\n]{59,75}=\r?$", re.MULTILINE)
_CHARACTER = re.compile(rb"=(?:C[2-9A-F]|D[0-9A-F]|E[0-9A-F]=[89AB][0-9A-F])=[89AB][0-9A-F]")
_KEPT_BLANK = re.compile(rb"=20\r?$", re.MULTILINE)
_NO_ESCAPE = re.compile(rb"=(?![0-9A-F]{2}|[ \t]*\r?(?:\n|\Z))")


def undo(payload: bytes, declared: str) -> bytes:
    """The bytes that were sent. `declared` is matched by what it contains ('"Base64";' is base64)."""
    name = declared.lower()
    if "base64" in name:
        return _base64(payload)
    if "quoted" in name or name.strip() == "qp":
        return quopri.decodestring(re.sub(rb"=[ \t]+(?=\r?\n)", b"=", payload))
    if "uu" in name:
        return _uu(payload)
    return payload


def is_quoted_printable(payload: bytes) -> bool:
    """Whether a text is quoted-printable though nothing declares it, as gateways and copied sources leave it."""
    if _NO_ESCAPE.search(payload):
        return False
    blanks, breaks = len(_KEPT_BLANK.findall(payload)), len(_SOFT_BREAK.findall(payload))
    return breaks > 0 or blanks >= 2 or _CHARACTER.search(payload) is not None


def _base64(payload: bytes) -> bytes:
    """Decodes the lines that are base64, without blanks between words; what a gateway wrote plainly below them is kept
    as it stands."""
    lines = payload.splitlines(keepends=True)
    coded = 0
    while coded < len(lines) and _SIXTY_FOUR.fullmatch(lines[coded]) and b" " not in lines[coded].strip():
        coded += 1
    tail = b"".join(lines[coded:])
    return b"".join(map(_quads, re.split(rb"(?<==)(?!=)", b"".join(lines[:coded])))) + (
        b"\n" + tail if tail else b""
    )


def _quads(coded: bytes) -> bytes:
    """One run of base64 up to its padding; a last quantum that was cut off gives the bytes it still holds."""
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", coded)
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def _uu(payload: bytes) -> bytes:
    begin = re.search(rb"^begin [0-7]{3,4} [^\n]*\n", payload, re.MULTILINE)
    if not begin:
        return payload
    out = []
    for line in payload[begin.end() :].splitlines():
        if line.strip() in (b"end", b"`", b""):
            break
        try:
            out.append(binascii.a2b_uu(line))
        except binascii.Error:
            break
    return b"".join(out)
