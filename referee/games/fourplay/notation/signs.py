"""Lines in plain signs; counts, sums and squares in any usual writing (604.B.i, 605.B.i).

Tolerant in form (bullets, case, typographic signs, tabs, tables), so that judging can be strict in meaning. `SLOT`
stands in our forms where something is to be filled in; a line left with it says nothing."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from referee.core.orders.sheet import plain

SLOT: Final = "..."

_SIGNS: Final = str.maketrans("×✕–—−‑‐‒∼│“”„‘’", 'xx------~|"""\'\'', "\u200b\u200c\u200d\ufeff")
_MONEY: Final = re.compile(r"\$\s?F(?![A-Za-z])")  # turned round
_NUMBERED: Final = re.compile(  # (i), a), 2.
    r"^(?:\((?:\d{1,2}|[ivx]{1,4}|[a-z])\)\s*|(?:[ivx]{1,4}|[a-z]|\d{1,2}(?=\S\s+\d))[.)]\s+)", re.I
)
COUNTING: Final = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_NUMBER_WORDS: Final = {word: number for number, word in enumerate(COUNTING.split(), 1)}


def tidied(text: str) -> str:
    """The line in plain signs: one space between words, no bullets, no asterisks or back quotes, tabs as `|`."""
    signs = unicodedata.normalize("NFKC", text.strip().replace("\t", " | ")).translate(_SIGNS)
    signs = _MONEY.sub("F$", signs.replace("*", " ").replace("`", " "))
    return _NUMBERED.sub("", plain(signs).strip(" |").strip())


_ROUND_LABELS: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"\([^()]*\)|\b(?:in |of )?F\s?\$|\bin points\b",
        r"\b(?:of|for|by)(?: (?:all|the|that|this|each|his|her|my|your|these))* (?:players?|offices?|pieces|army)"
        r"(?: (?:purchased|bought|chosen|owned))?(?!\S)",
        r"\b(?:players?|offices?)'s?(?!\S)",
        r"\b(?:(?:is|are|shall|will|to|be) )*(?:placed|located|put|set|standing|stands?|goes)(?: (?:on|at|in|to))?"
        r"(?: (?:the )?squares?)?(?!\S)",
        r"^(?:the )?(?:squares?|place|position)(?: (?:of|for))?(?=\s)|'s (?:squares?|place|position)$",
        r"\b(?:the|that|this|his|her|my|your)(?=\s)|(?:\s(?:is|are|on|at|in))+$",
    )
)


def label(text: str) -> str:
    """What a line is about, without the words that a rule puts round it: of "the Player's King is placed on" the King,
    of "Number of that Player" the number (604.B, 605.B)."""
    about = text if len(text) < 200 else ""
    for words in _ROUND_LABELS:
        about = " ".join(words.sub(" ", about).split())
    return about or text


def folded(word: str) -> str:
    """The letters and digits of a word, in lower case, without accents."""
    if word.isascii():
        return "".join(filter(str.isalnum, word.lower()))
    bare = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return "".join(c for c in bare.casefold() if c.isalnum())


def empty(value: str) -> bool:
    """Whether nothing was filled in: only dots, underscores, dashes, or a currency sign beside them."""
    return not re.sub(r"F\$|[\s._\-?|$]", "", value)


def is_slot(text: str) -> bool:
    """Whether the line is one of our form's that was left as it was."""
    return bool(re.match(r"\s*(?:\.{2,}|_{2,})", tidied(text)))


def is_ruling(text: str) -> bool:
    """Whether the line is only drawn (a table's rule, a row of dashes)."""
    return not any(c.isalnum() or c in "~$" for c in tidied(text))


def whole(text: str) -> int | None:
    """The whole number that a text is, in digits or in words up to fifteen."""
    text = text.strip().lower()
    if re.fullmatch(r"[+-]?\d{1,9}", text):
        return int(text)
    return _NUMBER_WORDS.get(text)


def amount(text: str) -> int | None:
    """The whole number of F$, or the value, that a text states: `543`, `F$ 543`, `$543`, `543 F$`, `74 points`."""
    found = re.fullmatch(
        r"(?:F\s?\$|\$\s?F|\$)?\s*([+-]?\d{1,9})\s*(?:F\s?\$|\$\s?F|\$|F|points?|pts?|dollars)?",
        re.sub(r"\([^()]*\)", "", text).strip(" .,;"),
        re.I,
    )
    return int(found[1]) if found else None


# --- squares ---------------------------------------------------------------------------------------------------------

SQUARE_LIKE: Final = re.compile(r"[A-Za-z]{1,2}-?\d{1,3}")


_NO_LETTER: Final = re.compile(r"[\d-]")
_NO_DIGIT: Final = re.compile(r"\D")


def square_of(word: str) -> str:
    """A square as the rules write it: lower case, letter then number, no leading noughts."""
    letters, digits = _NO_LETTER.sub("", word), _NO_DIGIT.sub("", word)
    return f"{letters.lower()}{int(digits)}"
