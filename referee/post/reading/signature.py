"""What ends or wraps a sender's words: signatures, lines that phones add, legal footers, and the armour of OpenPGP."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from referee.core.complaint import LeftOut
from referee.post.reading.languages.phrases import (
    LEGAL,
    LIST_FOOTERS,
    SENT_FROM,
    SENT_FROM_ENDS,
    SENT_FROM_MINE,
)
from referee.post.reading.rows import Row

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


def is_outlook_line(row: Row) -> bool:
    """Outlook's line on a phone. It stands between the answer and a quote that has no mark of its own, or last."""
    text = row.text.strip(" \t_*").lower()
    named = "outlook" in text and ("android" in text or "ios" in text)
    return named and is_sent_from(row)


def footer_length(rows: Sequence[Row]) -> int:
    """How many rows at the end are a mailing list's footer or paragraphs in the language of lawyers."""
    end = len(rows)
    while True:
        while end and rows[end - 1].blank:
            end -= 1
        start = end
        while start and not rows[start - 1].blank:
            start -= 1
        if start == end or not _is_footer(rows[start:end]):
            break
        end = start
    return len(rows) - end if any(not row.blank for row in rows[end:]) else 0


def _is_footer(paragraph: Sequence[Row]) -> bool:
    text = " ".join(row.text.strip() for row in paragraph).lower()
    if _LIST_RULE.fullmatch(paragraph[0].text.strip()) and any(words in text for words in LIST_FOOTERS):
        return True
    hits = sum(phrase in text for phrase in LEGAL)
    return (hits >= 2 and len(text) >= 80) or (hits >= 3)


SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
SIGNATURE_END = "-----END PGP SIGNATURE-----"
KEY = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
KEY_END = "-----END PGP PUBLIC KEY BLOCK-----"
_ENDS = {SIGNED: SIGNATURE_END, KEY: KEY_END}


def unarmoured(rows: Sequence[Row]) -> tuple[list[Row], list[LeftOut]]:
    """The rows without armour, and what was left out. A block that never ends is no block: its rows stay."""
    kept: list[Row] = []
    left_out: list[LeftOut] = []
    last = {row.text.strip(): index for index, row in enumerate(rows)}
    at = 0
    while at < len(rows):
        begun = "" if rows[at].depth else rows[at].text.strip()
        wanted = _ENDS.get(begun)
        if wanted is None or last.get(wanted, -1) < at:
            kept.append(rows[at])
            at += 1
            continue
        end = next(i for i in range(at + 1, len(rows)) if rows[i].text.strip() == wanted)
        words = [] if begun == KEY else _signed_rows(rows[at : end + 1])
        kept += words
        what = "an OpenPGP key" if begun == KEY else "an OpenPGP signature"
        left_out.append(LeftOut(what, end + 1 - at - len(words)))
        at = end + 1
    return kept, left_out


def _signed_rows(block: Sequence[Row]) -> list[Row]:
    """The words between the block's head and its signature, dashes put back (RFC 9580, 7.2). Without a head or the
    beginning of a signature all is words."""
    first = next((i for i, row in enumerate(block) if row.blank), None)
    last = next((i for i, row in enumerate(block) if row.text.strip() == SIGNATURE), None)
    if first is None or last is None or last < first:
        return list(block)
    return [replace(row, text=row.text.removeprefix("- ")) for row in block[first + 1 : last]]
