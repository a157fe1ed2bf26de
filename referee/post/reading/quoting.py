"""The sender's own words told from what he quotes, forwards or signs with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.core.complaint import LeftOut, Line
from referee.post.reading.attribution import (
    DATED,
    attribution_lines,
    field_kind,
    head_lines,
    is_ruler,
    is_separator,
    parted,
)
from referee.post.reading.rows import Row, marked_below
from referee.post.reading.signature import footer_length, is_outlook_line, is_sent_from, signature_length

_INITIALS = re.compile(r" {0,2}([A-Z][A-Za-z]{0,15})(>{1,9})(?: |$)")
_SIGN = re.compile(r" ?([|}#:])(?: |$)")
SAID = 200  # lines of what is left out that are kept
_LINK_ALONE = re.compile(r"\s*[(<]https?://[^\s()<>]{1,500}[)>][\s>]*")


@dataclass(frozen=True, slots=True)
class PartedBody:
    """A body parted. Blank lines are kept within, not around. `quoted` has lost its quote marks. `signed_only`: the
    own words are nothing but a signature. `attached`: the last of the own words are those of a text attachment that
    stands beside words; which, and what it is called."""

    own: tuple[Line, ...]
    quoted: tuple[Line, ...]
    left_out: tuple[LeftOut, ...]
    signed_only: bool = False
    attached: tuple[tuple[Line, ...], str] | None = None


def own_words(rows: Sequence[Row]) -> PartedBody:
    """Part a body.

    Marked lines are quotes wherever they stand; what stands unmarked between and below them is the sender's. An
    attribution with marked lines below it goes with them. Where nothing is marked below an attribution, a ruled
    "Original Message" or the head of a quoted mail, all the rest is quoted: there is no telling where it ends.
    """
    rows = _signed(_initialled(parted(rows)))
    kinds = _by_marks(rows)
    _mark_introductions(rows, kinds)
    _mark_signatures(rows, kinds)
    silent = all(kind or row.blank for kind, row in zip(kinds, rows, strict=True))
    if silent:
        kinds = ["" if kind == "signature" else kind for kind in kinds]  # nothing else was said
    told = list(zip(rows, kinds, strict=True))
    return PartedBody(
        own=_trimmed([row for row, kind in told if kind == ""]),
        quoted=_trimmed([row for row, kind in told if kind.endswith(("quoted text", "forwarded text"))]),
        left_out=_left_out(rows, kinds),
        signed_only=silent,
    )


def _left_out(rows: Sequence[Row], kinds: Sequence[str]) -> tuple[LeftOut, ...]:
    """What is not own, by its kind; the head of a quoted mail counts, and says nothing."""
    counts: Counter[str] = Counter()
    said: dict[str, list[Line]] = {}
    head = 0
    for index, (row, kind) in enumerate(zip(rows, kinds, strict=True)):
        if not kind or row.blank:
            continue
        head = max(head, index + head_lines(rows, index))
        counts[kind] += 1
        if index >= head:
            said.setdefault(kind, []).append(row.line)
    return tuple(LeftOut(kind, lines, tuple(said.get(kind, ())[:SAID])) for kind, lines in counts.items())


def _trimmed(rows: Sequence[Row]) -> tuple[Line, ...]:
    said = [index for index, row in enumerate(rows) if not row.blank]
    return tuple(row.line for row in rows[said[0] : said[-1] + 1]) if said else ()


# Quote marks other than the usual one are taken off and counted as depth.


def _initialled(rows: Sequence[Row]) -> list[Row]:
    """A writer's initials (`AB> text`), or a name, where two lines bear the same."""
    found = [_INITIALS.match(row.text) for row in rows]
    often = Counter(match[1] for match in found if match)
    return [
        replace(row, text=row.text[match.end() :], depth=row.depth + len(match[2]))
        if match and often[match[1]] > 1
        else row
        for row, match in zip(rows, found, strict=True)
    ]


def _signed(rows: list[Row]) -> list[Row]:
    """Lines that begin with one sign, from an attribution down to the first line without it; anywhere else such signs
    draw tables and boards."""
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


def _by_marks(rows: Sequence[Row]) -> list[str]:
    """What each row is by its marks and those around it: quoted, signed or own."""
    kinds: list[str] = []
    for index, row in enumerate(rows):
        around = rows[index - 1].depth and rows[index + 1].depth if 0 < index < len(rows) - 1 else 0
        if row.depth or row.mark == "attribution":
            kinds.append("quoted text")
        elif row.mark == "signature":
            kinds.append("signature")
        else:  # perhaps a quoted line that a mail program wrapped without marking its rest
            kinds.append("quoted text" if around and _goes_on(rows[index - 1], row) else "")
        # `>>> Ann Archer <ann@example.org> 12.01.26 09:00 >>>`, as GroupWise writes it above what it does not mark
        between = row.depth == 3 and row.text.rstrip().endswith(">>>") and DATED.search(row.text[:200])
        if row.mark == "tail" or (between and not marked_below(rows, index, len(rows))):
            return [*kinds[:-1], *["quoted text"] * (len(rows) - index)]
    return kinds


def _goes_on(above: Row, row: Row) -> bool:
    """Whether the row reads like the rest of the line above: several words that begin small, below a line that was
    full in the midst of a sentence; or below a long line, without the digits and colons that orders have. Or it ends a
    link that began in brackets there, or is one alone."""
    link = above.text[above.text.rfind("(") :] if "(" in above.text else ""
    if ("://" in link and ")" not in link and ")" in row.text) or _LINK_ALONE.fullmatch(row.text):
        return True
    words = row.text.split()
    if len(words) < 2 or not words[0][0].islower():
        return False
    full = above.width + len(words[0]) >= 72 and not above.text.rstrip().endswith((".", "?", "!", ":"))
    return full or (above.width >= 60 and not any(sign.isdigit() or sign == ":" for sign in row.text))


def _mark_introductions(rows: Sequence[Row], kinds: list[str]) -> None:
    """Attributions, rulers and heads of quoted mails among the own rows."""
    said = False  # anything above
    for index, row in enumerate(rows):
        if kinds[index] or row.blank:
            continue
        if what := is_separator(row):
            return _mark_rest(rows, kinds, index, what)
        if count := head_lines(rows, index):
            if said or not _introduces(rows, index, count):
                return _mark_rest(rows, kinds, index, "quoted text")
            kinds[index : index + count] = ["quoted text"] * count
            continue
        if is_outlook_line(row):
            kinds[index + 1 :] = ["quoted text"] * (len(rows) - index - 1)
            return None
        if count := attribution_lines(rows, index):
            start = index - count + 1
            if not marked_below(rows, index, len(rows)):
                return _mark_rest(rows, kinds, start, "quoted text")
            kinds[start : index + 1] = ["quoted text"] * count
        said = said or not kinds[index]
    return None


def _introduces(rows: Sequence[Row], start: int, count: int) -> bool:
    """Whether a head is one person's way to introduce marked lines: sender and date alone, marked lines below."""
    kinds = {field_kind(row) for row in rows[start : start + count]} - {None}
    return kinds == {"from", "date"} and marked_below(rows, start + count - 1, len(rows))


def _mark_rest(rows: Sequence[Row], kinds: list[str], start: int, what: str) -> None:
    """All from `start` on, with a ruler directly above it."""
    above = start - 1
    while above >= 0 and rows[above].blank:
        above -= 1
    if above >= 0 and start - above <= 3 and is_ruler(rows[above]):
        start = above
    kinds[start:] = [what] * (len(rows) - start)


def _mark_signatures(rows: Sequence[Row], kinds: list[str]) -> None:
    """In every run of own rows between quotes; a signature is only looked for at the end of a run."""
    start, said = 0, False
    while start < len(rows):
        if kinds[start]:
            start += 1
            continue
        end = next((index for index in range(start, len(rows)) if kinds[index]), len(rows))
        cut = end - signature_length(rows[start:end], said)
        foot = cut - footer_length(rows[start:cut])
        kinds[foot:end] = ["legal footer"] * (cut - foot) + ["signature"] * (end - cut)
        for index in range(start, foot):
            if is_sent_from(rows[index]):
                kinds[index] = "signature"
        said = said or any(not row.blank for row in rows[start:end])
        start = end
