"""Finding what introduces a quote: the line that names its writer, a ruled phrase, or the quoted mail's own head. Every
test is linear in the few lines it looks at."""

import re
from collections.abc import Sequence
from dataclasses import replace

from referee.core.complaint import Line
from referee.mail.read.phrases import (
    FIELDS,
    FORWARDED_BARE,
    FORWARDED_BELOW,
    NO_WRITERS,
    QUOTED_BELOW,
    STARTS,
    WROTE,
    WROTE_IN,
    WROTE_WITHIN,
)
from referee.mail.read.rows import Row, marked_below

LONGEST_LINE = 500  # characters; no attribution is longer
MOST_LINES = 4  # over which one is folded

ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}")
DATED = re.compile(
    r"\d{1,2}[:.h]\d\d|\b(?:19|20)\d\d\b|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}\s*[年년]|\d{1,2}\s*[月월]|\b\d{1,2}/\d{1,2}\b"
)
_STARTS_WITH_DATE = re.compile(
    r"\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}|\d{4}\s*[年년]|\d{1,2}:\d\d|\d{1,2}\.? [^\W\d]{3,12}\.?,? \d{2,4}"
    r"|[^\W\d]{2,12}[.,]{1,2} (?:[^\W\d]{3,12}\.? )?\d{1,2}\b"
)
_KEYED = re.compile(r"[^\W\d]{2,20}:\s")  # a form's own line ("Email: ...")
_BEHIND = re.compile(
    r"^(.*?[^\s,<>(][ \t]*[ \t-])((?:On|Am|Le|El|Il|Op|Em|Den) (?:[^\W\d]{2,9}\.?,? )?(?:[^\W\d]{3,9}\.? )?\d)"
)
# The older Gmail's line: a date, a time, a zone and a name, without a verb, and where it lost its address, a colon.
_STAMPED = re.compile(r"\d{4}[-/]\d\d?[-/]\d\d? \d\d?:\d\d (?:GMT|UTC)[+-]\d\d:?\d\d \S.{0,60}")
_TIMED = re.compile(r"\d{1,2}[:.h]\d\d\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NAMED = re.compile(r"(?:[^\W\d_][\w.'-]{0,30}\s?){1,5}")


def attribution_lines(rows: Sequence[Row], end: int) -> int:
    """How many rows, the last of them `rows[end]`, are one attribution; 0 if none.

    What must be there: a verb of writing at the end, or an address and a colon; and a date, an address, or (before
    marked lines) a bare name. The first of the rows must begin as such a line does.
    """
    last = _bare(rows[end].text)
    if not last or len(last) > LONGEST_LINE:
        return 0
    if _STAMPED.fullmatch(last):
        return 1
    if not (last.endswith(":") or _verb_last(last)):  # perhaps `2026/1/12 Ann Archer <ann@example.org>`
        dated = last.endswith(">") and "@" in last and _STARTS_WITH_DATE.match(last.lower())
        return 1 if dated and marked_below(rows, end, 1) else 0
    text, fallback = "", 0
    for count in range(1, MOST_LINES + 1):
        start = end - count + 1
        if start < 0 or rows[start].blank or rows[start].depth != rows[end].depth:
            break
        first = _bare(rows[start].text)
        text = f"{first} {text}".strip()
        if len(text) > LONGEST_LINE:
            break
        if _begins(first) and _is_attribution(text):
            return count + _goes_up(rows, start)
        if not fallback and count <= 3 and _names_its_writer(text):
            fallback = count
    if fallback:
        return end - _opened_above(rows, end - fallback + 1) + 1
    text = rows[end].text.strip()
    ruled = (
        text.startswith("---") and text.endswith("---") and len(text) < 100
    )  # `---- Ann Archer wrote ----`
    if (ruled and _verb_last(last)) or _verb_between(last):
        return 1
    # `Ann Archer wrote:` counts only above marked lines
    named = last.endswith(":") and _verb_last(last) and len(last) <= 80
    named = named and not NO_WRITERS & set(last.lower().split()) and bool(_NAMED.fullmatch(last.rstrip(": ")))
    return 1 if marked_below(rows, end, 1) and (_dated_verb(last) or named) else 0


def language_of(quoted: Sequence[Line]) -> str:
    """The language in which the line is that introduces a quote, by its verb; "" where that is of none we read."""
    for line in quoted[:MOST_LINES]:
        text = f" {_bare(line.text[:LONGEST_LINE]).lower().rstrip(': ')} "
        if verb := next((verb for verb in WROTE if f" {verb} " in text), ""):
            return WROTE_IN[verb].replace("others", "")
    return ""


def _bare(text: str) -> str:
    """Without emphasis and rulers ("---- On Monday, Ann wrote ----")."""
    return text.strip(" *_=\t").strip("-").strip()


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


def _opened_above(rows: Sequence[Row], start: int) -> int:
    """Where one begins whose first line blank lines part from the rest ("On 12 Jan 2026 at 9:03 AM Ann", then "<", then
    "mailto:Ann <ann@example.org>", then "> wrote:"), as some programs write it; `start` where none does."""
    below = start - 1 if start and rows[start - 1].text.strip() == "<" else start
    above = below - 1
    while above >= 0 and below - above <= 2 and rows[above].blank:
        above -= 1
    if above < 0 or above == below - 1 or rows[above].depth != rows[start].depth:
        return below
    text = _bare(rows[above].text)
    opens = _starts_with_word(text.lower()) and DATED.search(text) is not None and _TIMED.search(text)
    return above if opens and len(text) < 120 and not text.endswith((".", "!", "?")) else below


def _is_attribution(text: str) -> bool:
    dated = DATED.search(text) is not None
    addressed = ADDRESS.search(text) is not None
    if _verb_last(text):
        return dated or addressed
    if not text.endswith(":") or not addressed:
        return False
    return dated or any(verb in text.lower().split() for verb in WROTE_WITHIN)


def _names_its_writer(text: str) -> bool:
    """`Ann Archer <ann@example.org> wrote:`, or a name, address and date in an unforeseen order or language."""
    if len(text) > 250 or not ADDRESS.search(text) or _KEYED.match(text):
        return False
    return _verb_last(text) or (text.endswith(":") and "<" in text and DATED.search(text) is not None)


def _verb_between(text: str) -> bool:
    """`Ann Archer schrieb am Do. 20. Juni 2026 um 14:49:`: few words, a verb, a date and its time."""
    words = text.lower().split()
    at = next((index for index, word in enumerate(words[:9]) if word in WROTE_WITHIN), 0)
    if not 0 < at <= 8 or len(text) > 150 or not text.endswith(":") or NO_WRITERS & set(words[:at]):
        return False
    when = " ".join(words[at + 1 :]).rstrip(":")
    time = _TIMED.search(when)
    return time is not None and DATED.search(when[: time.start()]) is not None


def _dated_verb(text: str) -> bool:
    """`Am 12.01.26 um 09:00 schrieb Ann:`, `On 12 Jan Ann wrote:`, or in whatever words a person chose a year and a
    time; these count only above marked lines."""
    if not text.endswith(":") or len(text) >= 150:
        return False
    if DATED.search(text) is None:
        return _verb_last(text) and _begins(text) and any(sign.isdigit() for sign in text)
    verb = _verb_last(text) or any(word in WROTE_WITHIN for word in text.lower().split())
    return verb or (_TIMED.search(text) is not None and _YEAR.search(text) is not None)


def parted(rows: Sequence[Row]) -> list[Row]:
    """The rows, but where an attribution stands behind words on their own line it becomes a row of its own."""
    out: list[Row] = []
    for row in rows:
        ends = not row.depth and row.width < LONGEST_LINE and (row.text.endswith(":") or _verb_last(row.text))
        found = _BEHIND.search(row.text) if ends else None
        if found and _is_attribution(row.text[found.start(2) :]) and not _begins(_bare(row.text)):
            out.append(replace(row, text=found[1].rstrip(" -")))
            out.append(replace(row, text=row.text[found.start(2) :]))
        else:
            out.append(row)
    return out


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
    """The field of a quoted mail's head that the row states: from, date, to, subject, cc, or None."""
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
    count = max(fields.values()) - start + 1
    texts = [row.text[:LONGEST_LINE] for row in rows[start : start + count]]
    addressed = any(ADDRESS.search(text) for text in texts)
    if "from" in fields and len(fields.keys() - {"cc"}) >= 3:
        return count if addressed or "date" in fields else 0
    dated = "date" in fields and len(fields) >= 2 and any(DATED.search(text) for text in texts)
    return count if addressed and dated else 0
