"""The sender's own words told from what he quotes, forwards or signs with."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referee.core.complaint import LeftOut, Line
from referee.core.value import Value
from referee.mail.read.attribution import (
    DATED,
    attribution_lines,
    field_kind,
    head_lines,
    is_ruler,
    is_separator,
    parted,
)
from referee.mail.read.phrases import LEGAL, LIST_FOOTERS, SENT_FROM, SENT_FROM_ENDS, SENT_FROM_MINE
from referee.mail.read.rows import Row, marked_below

_INITIALS = re.compile(r" {0,2}([A-Z][A-Za-z]{0,15})(>{1,9})(?: |$)")
_SIGN = re.compile(r" ?([|}#:])(?: |$)")
SAID = 200  # lines of what is left out that are kept
_LINK_ALONE = re.compile(r"\s*[(<]https?://[^\s()<>]{1,500}[)>][\s>]*")


class PartedBody(Value):
    """A body parted. Blank lines are kept within, not around. `quoted` has lost its quote marks. `signed_only`: the
    own words are nothing but a signature. `attached`: the last of the own words are those of a text attachment that
    stands beside words; which, and what it is called."""

    own: tuple[Line, ...] = ()
    quoted: tuple[Line, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
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
        while end < len(out) and (found := _SIGN.match(out[end].text)) and found[1] == match[1]:
            out[end] = replace(
                out[end], text=out[end].text.lstrip(" ")[1:].removeprefix(" "), depth=out[end].depth + 1
            )
            end += 1
        if not attribution_lines(out, above):
            out[index:end] = rows[index:end]
        index = end
    return out


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
            # sender and date alone, marked lines below: one person's way to introduce these
            fields = {field_kind(head) for head in rows[index : index + count]} - {None}
            introduces = fields == {"from", "date"} and marked_below(rows, index + count - 1, len(rows))
            if said or not introduces:
                return _mark_rest(rows, kinds, index, "quoted text")
            kinds[index : index + count] = ["quoted text"] * count
            continue
        # Outlook's line on a phone stands between the answer and a quote that has no mark of its own, or last
        text = row.text.strip(" \t_*").lower()
        if "outlook" in text and ("android" in text or "ios" in text) and is_sent_from(row):
            kinds[index + 1 :] = ["quoted text"] * (len(rows) - index - 1)
            return None
        if count := attribution_lines(rows, index):
            start = index - count + 1
            if not marked_below(rows, index, len(rows)):
                return _mark_rest(rows, kinds, start, "quoted text")
            kinds[start : index + 1] = ["quoted text"] * count
        said = said or not kinds[index]
    return None


def _mark_rest(rows: Sequence[Row], kinds: list[str], start: int, what: str) -> None:
    """All from `start` on, with a ruler directly above it."""
    above = start - 1
    while above >= 0 and rows[above].blank:
        above -= 1
    if above >= 0 and start - above <= 3 and is_ruler(rows[above]):
        start = above
    kinds[start:] = [what] * (len(rows) - start)


def _mark_signatures(rows: Sequence[Row], kinds: list[str]) -> None:
    """In every run of own rows between quotes; a signature only ends a run."""
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


# --- signatures, lines that phones add, legal footers --------------------------------------------------------------

_LIST_RULE = re.compile(r"[_-]{2,}\s*")
_PHONES = re.compile(
    r"iphon|ipad|android|blackberry|samsung|galaxy|huawei|xiaomi|nokia|windows|outlook|mail|phone|mobile|mobil|handy|smartphone"
    r"|telefon|téléphone|teléfono|cellul|móvil|portable|tablet|verizon|t-mobile|wireless|htc|motorola|sony|yahoo|gmx|web\.de|orange"
    r"|proton|apple|watch|thunderbird|spark|sparrow|телефон|устройства|почты|手机|電話|携帯|device|gerät|aqua|k-9|fairmail|superhuman|edison|airmail|ios\b|app\b|bq|oneplus|pixel",
    re.IGNORECASE,
)

_MARKS = re.compile("[\u064b-\u0652]")  # vowel marks, which Arabic may leave out
_EXCUSE = re.compile(r"[.,;-]+ (?:please |pls )?(?:excuse|forgive|pardon|apologies|sorry)\b.*")


def signature_length(rows: Sequence[Row], said: bool) -> int:
    """How many rows at the end of this run of own rows are a signature begun by a line of two dashes.

    The dashes with a blank are the standard's mark. Without it they count only where words stand above (or `said`:
    in an earlier run) and a few lines below, since some people rule their mails with them.
    """
    for index, row in enumerate(rows):
        if row.text == "-- ":
            return len(rows) - index
        if row.text.strip() == "--" and (said or any(not above.blank for above in rows[:index])):
            below = [later for later in rows[index + 1 :] if not later.blank]
            return len(rows) - index if len(below) <= 10 else 0
    return 0


def is_sent_from(row: Row) -> bool:
    """`Sent from my iPhone` and its like: short, by its first or last words, and naming a device or program."""
    text = _MARKS.sub("", row.text).strip(" \t-_*").lower()
    if text == "\u1427":  # what a tracking extension of Gmail leaves behind
        return True
    if len(text) > 2 and text[0] in "(<[":
        text = text.strip("()<>[]")
    if not text or len(text) > 140:
        return False
    said = re.sub(r"<[^>]*>|\([^)]*\)|\[[^\]]*\]|https?://\S+", " ", text).strip()
    said = _EXCUSE.sub("", said)
    if len(said.split()) > 11 or ", " in said:
        return False
    if said.startswith(SENT_FROM_MINE) and len(said.split()) <= 7:
        return True
    return _PHONES.search(text) is not None and (said.startswith(SENT_FROM) or said.endswith(SENT_FROM_ENDS))


def footer_length(rows: Sequence[Row]) -> int:
    """How many rows at the end are a mailing list's footer or the language of lawyers."""
    end = len(rows)
    while True:
        while end and rows[end - 1].blank:
            end -= 1
        start = end
        while start and not rows[start - 1].blank:
            start -= 1
        text = " ".join(row.text.strip() for row in rows[start:end]).lower()
        ruled = start < end and _LIST_RULE.fullmatch(rows[start].text.strip())
        listed = ruled and any(words in text for words in LIST_FOOTERS)
        hits = sum(phrase in text for phrase in LEGAL)
        if not (listed or (hits >= 2 and len(text) >= 80) or hits >= 3):
            break
        end = start
    return len(rows) - end if any(not row.blank for row in rows[end:]) else 0
