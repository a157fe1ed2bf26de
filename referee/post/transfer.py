"""Content-Transfer-Encoding undone, however badly it was done."""

from __future__ import annotations

import binascii
import quopri
import re

_SIXTY_FOUR = re.compile(rb"[A-Za-z0-9+/=\s]*")


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


def _base64(payload: bytes) -> bytes:
    """Decodes the lines that are base64; what a gateway wrote plainly below them is kept as it stands."""
    lines = payload.splitlines(keepends=True)
    coded = 0
    while coded < len(lines) and _SIXTY_FOUR.fullmatch(lines[coded]) and not _wordy(lines[coded]):
        coded += 1
    tail = b"".join(lines[coded:])
    return b"".join(map(_quads, re.split(rb"(?<==)(?!=)", b"".join(lines[:coded])))) + (
        b"\n" + tail if tail else b""
    )


def _wordy(line: bytes) -> bool:
    """Whether blanks stand between words: no base64."""
    return b" " in line.strip()


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
