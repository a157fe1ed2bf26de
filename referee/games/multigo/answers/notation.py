"""The words of an action mail: keys, points, colours, counts. Tolerant in form, strict in meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from referee.core.complaint import Complaint, Line
from referee.core.orders.block import Vocabulary, bare, keyed, plain
from referee.core.orders.orderlike import Terms, words
from referee.core.orders.sheet import Notation, SheetEntry, meanings
from referee.games.multigo.board.points import COLOURS, SYMBOLS

KEYS = meanings(
    "move,moves,seal,seals,sealed|take,takes|prefer,prefers,preference,preferences|dead,dead stones,dead stone"
    "|ally,allies,alliance|comment,comments|press",
    between=",",
)
WORDS = frozenset({"pass", "resign"})
SAYINGS = frozenset({"comment", "press"})  # whose words are a person's, not orders

_POINT = r"[A-Za-z]\s?-?\s?[0-9]{1,2}"
_POINTS = re.compile(rf"(?:{_POINT}(?:[\s,;&+/]|and\b)*)+\.?", re.IGNORECASE)
_WORDY_MOVE = re.compile(rf"(?:move|seal)\s+(?:{_POINTS.pattern}|pass\W*)", re.IGNORECASE)
_COUNT = re.compile(r"([0-9]{1,3})\s*[x×]?\s*([A-Za-z]+)")
_BETWEEN = re.compile(r"[\s,;&+/.]*")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")


def _is_order(text: str) -> bool:
    return bool(_WORDY_MOVE.fullmatch(plain(text)))


TERMS = Terms(
    keys=frozenset(key.replace(" ", "") for key in KEYS) - {"comment", "comments", "press"}
    | {"fallbacks", "order"},
    whole=WORDS | words("passing skip noalliance noally"),
    actions=words(
        "move moves moved capture captures captured take takes took taken kill kills killed place places placed prefer "
        "prefers ally allies allied partner partners seal seals"
    ),
    gestures=words("dead alive"),
    pieces=words("stone stones chain chains prisoner prisoners"),
    players=frozenset(COLOURS) | {f"{colour}s" for colour in COLOURS},
    values=words("none"),
    square=re.compile(r"[a-z](?:1\d|2[0-5]|0?[1-9])"),
    notation=re.compile(  # a point in two parts: "Q 16", "at Q-16"
        r"^[a-hj-z] ?[ -] ?(?:1\d|2[0-5]|[1-9])\W*$"
        r"|\b(?:at|play|move|stone|point|and|then|also) [b-hj-z] ?[ -] ?(?:1\d|2[0-5]|[1-9])(?![\w.:%])"
    ),
)
VOCABULARY = Vocabulary(frozenset(KEYS), WORDS, _is_order, TERMS)


def normal(text: str) -> str:
    """Compatibility characters made plain: full-width letters, odd spaces, typographic dashes."""
    return unicodedata.normalize("NFKC", text).translate(_DASHES)


def _understood(text: str, written: Line) -> tuple[SheetEntry[str] | Complaint]:
    """The one order of a line, with its words as they stand below its key."""
    key, value = keyed(text)
    if value is not None and key in KEYS:
        if KEYS[key] in SAYINGS:  # the player's words stay as they were
            value = keyed(written.text)[1] or value
        return (SheetEntry(KEYS[key], value, written),)
    if (word := bare(text)) in WORDS:
        return (SheetEntry(word, "", written),)
    if _WORDY_MOVE.fullmatch(plain(text)):
        word, _, rest = plain(text).partition(" ")
        return (SheetEntry(KEYS[word.lower()], rest, written),)
    return (Complaint("not_understood", "2.7", written),)


NOTATION: Notation[str] = Notation(VOCABULARY, normal, _understood, "2.7")


def says(value: str, *words: str) -> bool:
    """Whether the value is one of the words alone."""
    return value.strip(" .!,;:*_\"'()").lower() in words


def points_in(value: str) -> tuple[str, ...] | None:
    """The points a value names, as "D4"; None where it holds anything else."""
    if not _POINTS.fullmatch(value.strip()):
        return None
    found = re.findall(rf"({_POINT})", value)
    return tuple(_tidy(point) for point in found)


def _tidy(point: str) -> str:
    letter, number = point[0].upper(), re.sub(r"\D", "", point)
    return f"{letter}{int(number)}"


def colour_of(word: str, players: int) -> int | None:
    """The seat a word names: "white", "Whites", "W", "Player 2", "2"."""
    text = " ".join(word.strip(" .!,;:*_\"'()").lower().split())
    if match := re.fullmatch(r"(?:player|seat)?\s*([1-8])", text):
        seat = int(match[1])
    else:
        names: Sequence[str] = COLOURS
        single = text[:-1] if text.endswith("s") and len(text) > 2 else text
        if single in names:
            seat = names.index(single) + 1
        elif len(text) == 1 and text.upper() in SYMBOLS:
            seat = SYMBOLS.index(text.upper()) + 1
        else:
            return None
    return seat if seat <= players else None


def words_in(value: str) -> tuple[str, ...]:
    """The items of a list parted by commas, "and", signs, or spaces: "player 2" stays together."""
    text = re.sub(r"\b(player|seat)\s+([1-8])\b", r"\1\2", value, flags=re.IGNORECASE)
    parts = re.split(r"[\s,;&+/>]+|\band\b", text, flags=re.IGNORECASE)
    return tuple(word for part in parts if (word := part.strip(" .!:*_\"'()-")))


def counts_in(value: str) -> tuple[tuple[int, str], ...] | None:
    """The counts and colour words of "2 white, 1 blue" or "2W1U"; None where it holds anything else."""
    text = re.sub(r"\band\b", ",", value.strip(), flags=re.IGNORECASE)
    found: list[tuple[int, str]] = []
    at = 0
    while at < len(text):  # one pattern for all items could read "1 x and" in two ways, each time
        item = _COUNT.match(text, at)
        between = _BETWEEN.match(text, item.end()) if item else None
        if item is None or between is None:
            return None
        found.append((int(item[1]), item[2]))
        at = between.end()
    return tuple(found) or None
