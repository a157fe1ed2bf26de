"""A mail's header fields as a value, with encoded words (RFC 2047) read and folds undone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from referee.post.reading.charset import decode, tidy
from referee.post.reading.transfer import undo

MOST_FIELDS = 1000  # more is a flood; what follows is not read
LONGEST_FIELD = 32_768  # characters

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields in the mail's order: (name in lower case, value unfolded, encoded words still encoded)."""

    fields: tuple[tuple[str, str], ...]

    def every(self, name: str) -> tuple[str, ...]:
        """All values of that field, topmost first."""
        return tuple(value for field, value in self.fields if field == name.lower())

    def first(self, name: str) -> str | None:
        """The topmost value of that field, or None."""
        return next((value for field, value in self.fields if field == name.lower()), None)

    def text(self, name: str) -> str:
        """The topmost value with encoded words read, on one line; empty where there is none."""
        return read_words(self.first(name) or "")

    def any_of(self, *names: str) -> str | None:
        """The first of these names that stands in the mail, or None."""
        return next((name for name in names if self.first(name) is not None), None)


def headers_of(items: Iterable[tuple[str, str]]) -> Headers:
    """From (name, raw value) pairs as the parser gives them: 8-bit characters as surrogates, folds in place."""
    fields: list[tuple[str, str]] = []
    for name, value in items:
        if len(fields) >= MOST_FIELDS:
            break
        fields.append((name.strip().lower(), unfolded(str(value)[:LONGEST_FIELD])))
    return Headers(tuple(fields))


def unfolded(value: str) -> str:
    """Raw bytes in a header read by the rules for undeclared text; folds and outer blanks gone; every control
    character a visible U+FFFD, so that none reaches a letter or the store, or is passed over within an address."""
    if value.isascii():
        if value.isprintable():
            return value.strip()
    else:
        value, _ = decode(value.encode("utf-8", "surrogateescape"))
    return _CONTROL.sub("\ufffd", re.sub(r"\r?\n[ \t]?|\r", " ", value)).strip()


def read_words(value: str) -> str:
    """Encoded words read, the whole tidied to one line. Neighbours of one charset are joined before they are
    decoded, since senders split characters between them; blanks between neighbours do not count (RFC 2047, 6.2)."""
    out: list[str] = []
    pending, charset, end = b"", "", 0
    for word in _WORD.finditer(value):
        gap = value[end : word.start()]
        name = word[1].lower().split("*")[0]
        if pending and (gap.strip() or name != charset):
            out.append(decode(pending, charset)[0])
            pending = b""
        if gap.strip() or end == 0:
            out.append(gap)
        charset, end = name, word.end()
        coded = word[3].encode("utf-8", "surrogateescape")
        if word[2] in "bB":
            pending += undo(coded.replace(b" ", b""), "base64")
        else:
            pending += undo(coded.replace(b"_", b"=20").replace(b" ", b"=20"), "quoted-printable")
    if pending:
        out.append(decode(pending, charset)[0])
    return " ".join(tidy("".join(out) + value[end:]).split())
