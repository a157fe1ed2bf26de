"""The sender's own words told from what he quotes, forwards or signs with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.core.complaint import Line
from referee.post.reading.attribution import (
    DATED,
    attribution_lines,
    field_kind,
    head_lines,
    is_ruler,
    is_separator,
    parted,
)
from referee.post.reading.rows import LeftOut, Row
from referee.post.reading.signature import footer_length, is_outlook_line, is_sent_from, signature_length

_INITIALS = re.compile(r" {0,2}([A-Z][A-Za-z]{0,15})(>{1,9})(?: |$)")
_SIGN = re.compile(r" ?([|}#:])(?: |$)")
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
    rows = _otherwise_marked(parted(rows))
    kinds = ["" for _ in rows]
    _mark_quotes(rows, kinds)
    _mark_wrapped(rows, kinds)
    _mark_introductions(rows, kinds)
    _mark_signatures(rows, kinds)
    silent = not any(kind == "" and not row.blank for kind, row in zip(kinds, rows, strict=True))
    if silent:
        kinds = ["" if kind == "signature" else kind for kind in kinds]  # nothing else was said
    return PartedBody(
        own=_trimmed([row.line for row, kind in zip(rows, kinds, strict=True) if kind == ""]),
        quoted=_trimmed(
            [
                row.line
                for row, kind in zip(rows, kinds, strict=True)
                if kind.endswith(("quoted text", "forwarded text"))
            ]
        ),
        left_out=_named(rows, kinds),
        signed_only=silent,
    )


def _otherwise_marked(rows: Sequence[Row]) -> list[Row]:
    """The rows with quote marks other than the usual one taken off and counted as depth: a writer's initials
    (`AB> text`), and signs that count only directly below the line that introduces a quote, since anywhere else they
    draw tables and boards."""
    return _signed(_initialled(rows))


def _initialled(rows: Sequence[Row]) -> list[Row]:
    """Initials, or a name, count where two lines bear the same."""
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


def _mark_quotes(rows: Sequence[Row], kinds: list[str]) -> None:
    for index, row in enumerate(rows):
        if row.depth or row.mark == "attribution":
            kinds[index] = "quoted text"
        elif row.mark == "signature":
            kinds[index] = "signature"
        if row.mark == "tail" or (_is_between_marks(row) and not _marked_below(rows, index)):
            kinds[index:] = ["quoted text"] * (len(rows) - index)
            return


def _is_between_marks(row: Row) -> bool:
    """`>>> Ann Archer <ann@example.org> 12.01.26 09:00 >>>`, as GroupWise writes it above what it does not mark."""
    return row.depth == 3 and row.text.rstrip().endswith(">>>") and DATED.search(row.text[:200]) is not None


def _mark_wrapped(rows: Sequence[Row], kinds: list[str]) -> None:
    """A quoted line that a mail program wrapped without marking its rest, marked lines above and below it."""
    for index in range(1, len(rows) - 1):
        if (
            kinds[index] == ""
            and rows[index - 1].depth
            and rows[index + 1].depth
            and (_goes_on(rows[index - 1], rows[index]) or _ends_a_link(rows[index - 1], rows[index]))
        ):
            kinds[index] = "quoted text"


def _goes_on(above: Row, row: Row) -> bool:
    """Whether the row reads like the rest of the line above: several words that begin small, below a line that was
    full in the midst of a sentence; or below a long line, without the digits and colons that orders have."""
    words = row.text.split()
    if len(words) < 2 or not words[0][0].islower():
        return False
    full = above.width + len(words[0]) >= 72 and not above.text.rstrip().endswith((".", "?", "!", ":"))
    return full or (above.width >= 60 and not any(sign.isdigit() or sign == ":" for sign in row.text))


def _ends_a_link(above: Row, row: Row) -> bool:
    """Whether a link that began in brackets on the marked line above ends on this one, or stands on it alone."""
    opened = above.text.rfind("(")
    broken = (
        opened >= 0 and "://" in above.text[opened:] and ")" not in above.text[opened:] and ")" in row.text
    )
    return broken or _LINK_ALONE.fullmatch(row.text) is not None


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
            if not _marked_below(rows, index):
                return _mark_rest(rows, kinds, start, "quoted text")
            kinds[start : index + 1] = ["quoted text"] * count
        said = said or not kinds[index]
    return None


def _introduces(rows: Sequence[Row], start: int, count: int) -> bool:
    """Whether a head is one person's way to introduce marked lines: sender and date alone, marked lines below."""
    kinds = {field_kind(row) for row in rows[start : start + count]} - {None}
    return kinds == {"from", "date"} and _marked_below(rows, start + count - 1)


def _marked_below(rows: Sequence[Row], index: int) -> bool:
    """Whether the next row that says anything is a marked one."""
    below = index + 1
    while below < len(rows) and rows[below].blank:
        below += 1
    return below < len(rows) and rows[below].depth > rows[index].depth


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
        end = start
        while end < len(rows) and kinds[end] == "":
            end += 1
        _mark_run(rows, kinds, start, end, said)
        said = said or any(not row.blank for row in rows[start:end])
        start = end


def _mark_run(rows: Sequence[Row], kinds: list[str], start: int, end: int, said: bool) -> None:
    cut = end - signature_length(rows[start:end], said)
    kinds[cut:end] = ["signature"] * (end - cut)
    foot = cut - footer_length(rows[start:cut])
    kinds[foot:cut] = ["legal footer"] * (cut - foot)
    for index in range(start, foot):
        if is_sent_from(rows[index]):
            kinds[index] = "signature"


def _trimmed(lines: Sequence[Line]) -> tuple[Line, ...]:
    said = [index for index, line in enumerate(lines) if line.text.strip()]
    return tuple(lines[said[0] : said[-1] + 1]) if said else ()


def _named(rows: Sequence[Row], kinds: Sequence[str]) -> tuple[LeftOut, ...]:
    counts: dict[str, int] = {}
    for row, kind in zip(rows, kinds, strict=True):
        if kind and not row.blank:
            counts[kind] = counts.get(kind, 0) + 1
    return tuple(LeftOut(what, lines) for what, lines in counts.items())
