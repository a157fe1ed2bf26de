"""Quote marks other than the usual one: a writer's initials (`AB> text`), and signs that count only directly below
the line that introduces a quote, since anywhere else they draw tables and boards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referee.post.reading.attribution import attribution_lines
from referee.post.reading.rows import Row

_INITIALS = re.compile(r" {0,2}([A-Z][A-Za-z]{0,3})(>{1,9})(?: |$)")
_SIGN = re.compile(r" ?([|}#:])(?: |$)")


def otherwise_marked(rows: Sequence[Row]) -> list[Row]:
    """The rows with such marks taken off and counted as depth."""
    return _signed(_initialled(rows))


def _initialled(rows: Sequence[Row]) -> list[Row]:
    """Initials count where two lines bear the same."""
    found = [_INITIALS.match(row.text) for row in rows]
    often = Counter(match[1] for match in found if match)
    return [
        replace(row, text=row.text[match.end() :], depth=row.depth + len(match[2]))
        if match and often[match[1]] > 1
        else row
        for row, match in zip(rows, found, strict=True)
    ]


def _signed(rows: list[Row]) -> list[Row]:
    """Lines that begin with one sign, from an attribution down to the first line without it."""
    out = list(rows)
    index = 1
    while index < len(out):
        match = _SIGN.match(out[index].text)
        above = index - 1 if not out[index - 1].blank else index - 2
        if not match or above < 0 or out[above].blank or _SIGN.match(out[above].text):
            index += 1
            continue
        end = index
        while end < len(out) and (_sign(out[end]) == match[1]):
            out[end] = replace(
                out[end], text=out[end].text.lstrip(" ")[1:].removeprefix(" "), depth=out[end].depth + 1
            )
            end += 1
        if not attribution_lines(out, above):
            out[index:end] = rows[index:end]
        index = end
    return out


def _sign(row: Row) -> str:
    found = _SIGN.match(row.text)
    return found[1] if found else ""
