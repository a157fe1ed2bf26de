"""Finding what stands above a quoted or forwarded mail: a ruled phrase, or the mail's own head."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.post.reading.attribution import ADDRESS, DATED, LONGEST_LINE
from referee.post.reading.phrases import FIELDS, FORWARDED_BARE, FORWARDED_BELOW, QUOTED_BELOW
from referee.post.reading.rows import Row

_RULER = re.compile(r"[\s*]*([-_=~+*#—–]{2,})\s*(.*?)\s*([-_=~+*#—–]*)[\s*]*:?[\s*]*")
_RUN_ON = re.compile(r"[-_=]{3,40} ?[^-_=]{3,60}[-_=]{3,40} ?(?=[^\s\W])(.+)")
_FIELD = re.compile(r"[\s*_>|]*([^\s*:<@][^:<@\n]{0,24}?)[\s*_]*:[*_]*(?:\s|$|<|(?=\w))")


def is_separator(row: Row) -> str | None:
    """`quoted text` or `forwarded text` where the row is the ruled line or the phrase above such; else None."""
    text = row.text.strip(" \t*")
    if found := _RUN_ON.match(text):  # the mail's head begins on the same line
        text = text[: found.start(1)] if field_kind(replace(row, text=found[1])) else text
    if not text or len(text) > 120:
        return None
    phrase = text.lower().strip(" :.*_-=~+#\t")
    if text.endswith(":") and phrase in FORWARDED_BARE:
        return "forwarded text"
    if phrase.startswith("original message processed by"):  # Tobit David rules nothing
        return "quoted text"
    ruled = _RULER.fullmatch(text)
    if not ruled or not phrase:
        return None
    if phrase in FORWARDED_BELOW or phrase.startswith("forwarded by"):
        return "forwarded text"
    if phrase in QUOTED_BELOW or ("reply above" in phrase and "line" in phrase):
        return "quoted text"
    return None


def is_ruler(row: Row) -> bool:
    """A line of dashes or underscores, or of words between three of them on either side."""
    text = "".join(row.text.split()).strip("*")
    if len(text) >= 7 and text[:3] == text[-3:] and not text[:3].strip("-_=~"):
        return len(row.text) < 100
    return len(text) >= 3 and not text.strip("-_=~")


def field_kind(row: Row) -> str | None:
    """Which field of a quoted mail's head the row states: from, date, to, subject, cc; None if none."""
    if row.width > 2000 or not (match := _FIELD.match(row.text[:80])):
        return None
    return FIELDS.get(" ".join(match[1].lower().strip(" *_").split()))


def head_lines(rows: Sequence[Row], start: int) -> int:
    """How many rows from `start` on are the head of a quoted mail; 0 if they are none.

    A head names a sender and two more kinds of field, a date or an address among them; or a date that is one and an
    address. Long fields may be folded, blank lines may stand between.
    """
    if field_kind(rows[start]) in (None, "cc"):
        return 0
    fields: dict[str, int] = {}
    folds = blanks = 0
    for index in range(start, min(start + 14, len(rows))):
        if rows[index].depth != rows[start].depth:
            break
        if kind := field_kind(rows[index]):
            fields[kind] = index
            folds = 0
        elif rows[index].blank:
            blanks += 1
            if len(fields) >= 3 or blanks > 4:
                break
        else:
            folds += 1
            if folds > 3:
                break
    last = max(fields.values())
    return (
        last - start + 1
        if _is_head(fields, [row.text[:LONGEST_LINE] for row in rows[start : last + 1]])
        else 0
    )


def _is_head(fields: Mapping[str, int], texts: Sequence[str]) -> bool:
    addressed = any(ADDRESS.search(text) for text in texts)
    if "from" in fields and len(fields.keys() - {"cc"}) >= 3:
        return addressed or "date" in fields
    return addressed and "date" in fields and len(fields) >= 2 and any(DATED.search(text) for text in texts)
