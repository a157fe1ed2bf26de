"""Finding the line or lines that introduce a quote. Every test is linear in the few lines it looks at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.post.phrases import (
    FIELDS,
    FORWARDED_BARE,
    FORWARDED_BELOW,
    QUOTED_BELOW,
    STARTS,
    WROTE,
    WROTE_WITHIN,
)
from referee.post.rows import Row

LONGEST_LINE = 500  # characters; no attribution is longer
MOST_LINES = 4  # over which one is folded

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}")
_DATED = re.compile(
    r"\d{1,2}[:.h]\d\d|\b(?:19|20)\d\d\b|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}\s*[年년]|\d{1,2}\s*[月월]|\b\d{1,2}/\d{1,2}\b"
)
_STARTS_WITH_DATE = re.compile(
    r"\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}|\d{4}\s*[年년]|\d{1,2}:\d\d|\d{1,2}\.? [^\W\d]{3,12}\.?,? \d{2,4}"
    r"|[^\W\d]{2,12}[.,]{1,2} (?:[^\W\d]{3,12}\.? )?\d{1,2}\b"
)
_NAMED = re.compile(r"(?:[^\W\d_][\w.'-]{0,30}\s?){1,5}")
_NO_NAMES = frozenset(  # who "wrote:" in the sender's own sentence
    {
        "i",
        "you",
        "he",
        "she",
        "they",
        "we",
        "it",
        "as",
        "who",
        "what",
        "like",
        "ich",
        "du",
        "er",
        "sie",
        "wir",
        "ihr",
    }
    | {"je", "tu", "il", "elle", "nous", "vous", "yo", "él", "ella"}
)
_RULER = re.compile(r"[\s*]*([-_=~+*#—–]{2,})\s*(.*?)\s*([-_=~+*#—–]*)[\s*]*:?[\s*]*")
_FIELD = re.compile(r"[\s*_>|]*([^\s*:<@][^:<@\n]{0,24}?)[\s*_]*:[*_]*(?:\s|$|<|(?=\w))")


def attribution_lines(rows: Sequence[Row], end: int) -> int:
    """How many rows, the last of them `rows[end]`, are one attribution; 0 if none.

    What must be there: a verb of writing at the end, or an address and a colon; and a date, an address, or (before
    marked lines) a bare name. The first of the rows must begin as such a line does.
    """
    last = _bare(rows[end])
    if not last or len(last) > LONGEST_LINE or not _may_end(last):
        return 0
    text, fallback = "", 0
    for count in range(1, MOST_LINES + 1):
        start = end - count + 1
        if start < 0 or rows[start].blank or rows[start].depth != rows[end].depth:
            break
        first = _bare(rows[start])
        text = f"{first} {text}".strip()
        if len(text) > LONGEST_LINE:
            break
        if _begins(first) and _is_attribution(text):
            return count + _goes_up(rows, start)
        if not fallback and count <= 3 and _names_its_writer(text):
            fallback = count
    if fallback:
        return fallback
    return 1 if _marked_below(rows, end) and (_dated_verb(last) or _bare_name(last)) else 0


def _bare(row: Row) -> str:
    """Without emphasis and rulers ("---- On Monday, Ann wrote ----")."""
    return row.text.strip(" *_=\t").strip("-").strip()


def _may_end(text: str) -> bool:
    return text.endswith(":") or _verb_last(text)


def _verb_last(text: str) -> bool:
    bare = text.lower().rstrip(' :.,;"').rstrip()
    if not bare.endswith(WROTE):
        return False
    for verb in WROTE:
        if bare.endswith(verb):
            before = bare[-len(verb) - 1 : -len(verb)]
            if not before.isalnum() or not verb.isascii() or "@" in bare or before.isdigit():
                return True
    return False


def _begins(first: str) -> bool:
    lowered = first.lower().lstrip('"([ ')
    return _starts_with_word(lowered) or _STARTS_WITH_DATE.match(lowered) is not None


def _starts_with_word(lowered: str) -> bool:
    words = lowered.split(None, 1)
    return bool(words) and words[0].strip(".,:") in STARTS


def _goes_up(rows: Sequence[Row], start: int) -> int:
    """How many rows above `start` are the line's true beginning ("On 21 Nov 2014," above "at 10:18, Ann wrote:")."""
    for count in (1, 2):
        if start < count or rows[start - count].blank or rows[start - count].depth != rows[start].depth:
            return 0
        text = rows[start - count].text.strip().lower()
        if len(text) > 120 or text.endswith((".", "!", "?")):
            return 0
        if _starts_with_word(text) and any(sign.isdigit() for sign in text):
            return count
    return 0


def _is_attribution(text: str) -> bool:
    dated = _DATED.search(text) is not None
    addressed = _ADDRESS.search(text) is not None
    if _verb_last(text):
        return dated or addressed
    if not text.endswith(":") or not addressed:
        return False
    return dated or any(verb in text.lower().split() for verb in WROTE_WITHIN)


def _names_its_writer(text: str) -> bool:
    """`Ann Archer <ann@example.org> wrote:`, or a name, address and date in an unforeseen order or language."""
    if len(text) > 250 or not _ADDRESS.search(text):
        return False
    return _verb_last(text) or (text.endswith(":") and "<" in text and _DATED.search(text) is not None)


def _marked_below(rows: Sequence[Row], end: int) -> bool:
    """Whether marked lines follow, with at most one blank line between."""
    below = next((row for row in rows[end + 1 : end + 3] if not row.blank), None)
    return below is not None and below.depth > rows[end].depth


def _dated_verb(text: str) -> bool:
    """`Am 12.01.26 um 09:00 schrieb Ann:`, which counts only above marked lines."""
    return (
        text.endswith(":")
        and len(text) < 150
        and _begins(text)
        and _DATED.search(text) is not None
        and any(word in WROTE_WITHIN for word in text.lower().split())
    )


def _bare_name(text: str) -> bool:
    """`Ann Archer wrote:`, which counts only above marked lines."""
    if not text.endswith(":") or not _verb_last(text) or len(text) > 80:
        return False
    return not _NO_NAMES & set(text.lower().split()) and _NAMED.fullmatch(text.rstrip(": ")) is not None


def is_separator(row: Row) -> str | None:
    """`quoted text` or `forwarded text` where the row is the ruled line or the phrase above such; else None."""
    text = row.text.strip(" \t*")
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
    """How many rows from `start` on are the head of a quoted mail: a sender and two more kinds of field among at
    most ten rows without a blank between fields (two rows may be folds of a long one); 0 if none."""
    if field_kind(rows[start]) in (None, "cc"):
        return 0
    kinds: set[str] = set()
    folds = last = blanks = 0
    for index in range(start, min(start + 14, len(rows))):
        if rows[index].depth != rows[start].depth:
            break
        kind = field_kind(rows[index])
        if kind:
            kinds.add(kind)
            last, folds = index, 0
        elif rows[index].blank:
            blanks += 1
            if len(kinds) >= 3 or blanks > 4:
                break
        else:
            folds += 1
            if folds > 3:
                break
    enough = "from" in kinds and len(kinds - {"cc"}) >= 3
    return last - start + 1 if enough else 0
