"""The sender's own words told from what he quotes, forwards or signs with. What introduces a quote is found first: the
line that names its writer, a ruled phrase, or the quoted mail's own head; every test is linear in the few lines it
looks at."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referee.core.value import LeftOut, Line, Value
from referee.mail.read import phrases
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
    named = (
        named
        and not phrases.NO_WRITERS & set(last.lower().split())
        and bool(_NAMED.fullmatch(last.rstrip(": ")))
    )
    return 1 if marked_below(rows, end, 1) and (_dated_verb(last) or named) else 0


def language_of(quoted: Sequence[Line]) -> str:
    """The language in which the line is that introduces a quote, by its verb; "" where that is of none we read."""
    for line in quoted[:MOST_LINES]:
        text = f" {_bare(line.text[:LONGEST_LINE]).lower().rstrip(': ')} "
        if verb := next((verb for verb in phrases.WROTE if f" {verb} " in text), ""):
            return phrases.WROTE_IN[verb].replace("others", "")
    return ""


def _bare(text: str) -> str:
    """Without emphasis and rulers ("---- On Monday, Ann wrote ----")."""
    return text.strip(" *_=\t").strip("-").strip()


def _verb_last(text: str) -> bool:
    bare = text.lower().rstrip(' :.,;"').rstrip()
    if not bare.endswith(phrases.WROTE):
        return False
    for verb in phrases.WROTE:
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
    return bool(words) and words[0].strip(".,:") in phrases.STARTS


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
    return dated or any(verb in text.lower().split() for verb in phrases.WROTE_WITHIN)


def _names_its_writer(text: str) -> bool:
    """`Ann Archer <ann@example.org> wrote:`, or a name, address and date in an unforeseen order or language."""
    if len(text) > 250 or not ADDRESS.search(text) or _KEYED.match(text):
        return False
    return _verb_last(text) or (text.endswith(":") and "<" in text and DATED.search(text) is not None)


def _verb_between(text: str) -> bool:
    """`Ann Archer schrieb am Do. 20. Juni 2026 um 14:49:`: few words, a verb, a date and its time."""
    words = text.lower().split()
    at = next((index for index, word in enumerate(words[:9]) if word in phrases.WROTE_WITHIN), 0)
    if not 0 < at <= 8 or len(text) > 150 or not text.endswith(":") or phrases.NO_WRITERS & set(words[:at]):
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
    verb = _verb_last(text) or any(word in phrases.WROTE_WITHIN for word in text.lower().split())
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
    if text.endswith(":") and phrase in phrases.FORWARDED_BARE:
        return "forwarded text"
    if phrase.startswith("original message processed by"):  # Tobit David rules nothing
        return "quoted text"
    ruled = _RULER.fullmatch(text)
    if not ruled or not phrase:
        return None
    if phrase in phrases.FORWARDED_BELOW or phrase.startswith("forwarded by"):
        return "forwarded text"
    if phrase in phrases.QUOTED_BELOW or ("reply above" in phrase and "line" in phrase):
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
    return phrases.FIELDS.get(" ".join(match[1].lower().strip(" *_").split()))


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


# --- whose words they are -------------------------------------------------------------------------------------------

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
    if said.startswith(phrases.SENT_FROM_MINE) and len(said.split()) <= 7:
        return True
    return _PHONES.search(text) is not None and (
        said.startswith(phrases.SENT_FROM) or said.endswith(phrases.SENT_FROM_ENDS)
    )


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
        listed = ruled and any(words in text for words in phrases.LIST_FOOTERS)
        hits = sum(phrase in text for phrase in phrases.LEGAL)
        if not (listed or (hits >= 2 and len(text) >= 80) or hits >= 3):
            break
        end = start
    return len(rows) - end if any(not row.blank for row in rows[end:]) else 0
