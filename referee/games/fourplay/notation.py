"""How players write: lines made plain, keys, counts, squares; the same for purchases and setups (604.B, 605.B).

Tolerant in form (bullets, case, typographic signs, tabs, tables), so that `purchase` and `setup` can be strict in
meaning. `SLOT` stands in our forms where something is to be filled in; a line left with it says nothing.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.core.block import bare, plain
from referee.core.complaint import Complaint, Line

SLOT: Final = "..."

_SIGNS: Final = str.maketrans(
    {"×": "x", "✕": "x", "–": "-", "—": "-", "−": "-", "‑": "-", "‐": "-", "‒": "-", "∼": "~", "│": "|"}
    | {
        "“": '"',
        "”": '"',
        "„": '"',
        "‘": "'",
        "’": "'",
        "\u200b": "",
        "\u200c": "",
        "\u200d": "",
        "\ufeff": "",
    }
)
_WORDS: Final = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
]
_NUMBER_WORDS: Final = {word: number for number, word in enumerate(_WORDS, 1)}


def tidied(text: str) -> str:
    """The line in plain signs: one space between words, no bullets, no asterisks or back quotes, tabs as `|`."""
    signs = unicodedata.normalize("NFKC", text.strip().replace("\t", " | ")).translate(_SIGNS)
    signs = re.sub(r"\$\s?F(?![A-Za-z])", "F$", signs.replace("*", " ").replace("`", " "))
    return re.sub(r"^\d{1,2}[.)]\s+(?=\d)", "", plain(signs).strip(" |").strip())


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


# --- keys ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a form: the ways to write it (folded), and what may follow it without a colon."""

    name: str
    written: tuple[str, ...]
    loose: str | None = None  # a pattern for the whole rest of the line


AMOUNT: Final = r"(?:F\s?\$|\$)?\s*\d+\s*(?:F\s?\$|\$|F|points?)?"

NAME: Final = Key("Name", ("name", "myname", "playername", "nameofplayer"))
PLAYER: Final = Key("Player", ("player", "playernumber", "playerno", "number", "seat"), r"#?\s*\d+")
EMAIL: Final = Key(
    "Email",
    ("email", "emailaddress", "mail", "mailaddress", "address", "emailadress", "mailto"),
    r"\S+@\S+",
)
COMMENT: Final = Key("Comment", ("comment", "comments", "remark"))
HEADER: Final = (NAME, PLAYER, EMAIL)


@dataclass(frozen=True, slots=True)
class Keyed:
    """A line with its key (None where it has none) and what it says, in plain signs."""

    line: Line
    key: str | None
    value: str


def keyed(line: Line, keys: Iterable[Key]) -> Keyed:
    """The line split at its key, where it begins with one of the keys."""
    text = tidied(line.text)
    for sign in (":", "=", "|", " - "):
        before, found, after = text.partition(sign)
        if found:
            for key in keys:
                if folded(before) in key.written:
                    return Keyed(line, key.name, after.strip(" |"))
    for key in keys:
        if folded(text) in key.written:
            return Keyed(line, key.name, "")
        for written in _spoken(text, key):
            return Keyed(line, key.name, written)
    return Keyed(line, None, text)


def _spoken(text: str, key: Key) -> Sequence[str]:
    """What follows a key that has no colon, where it is just what such a key is followed by."""
    if key.loose is None:
        return ()
    words = text.split(" ")
    for size in (3, 2, 1):
        rest = " ".join(words[size:])
        if folded("".join(words[:size])) in key.written and re.fullmatch(key.loose, rest.strip(" ."), re.I):
            return (rest,)
    return ()


def once(entries: Sequence[Keyed], key: str, rule: str) -> tuple[Keyed | None, tuple[Complaint, ...]]:
    """The entry of a key that is to be said once; a second one that says something else is a complaint."""
    said = [entry for entry in entries if entry.key == key and not empty(entry.value)]
    if not said:
        return None, ()
    others = [entry for entry in said[1:] if folded(entry.value) != folded(said[0].value)]
    return said[0], tuple(
        Complaint("said_twice", rule, other.line, {"key": key, "first": said[0].value}) for other in others
    )


def comment_of(entries: Sequence[Keyed]) -> str:
    """The words of the `Comment:` lines."""
    return "\n".join(entry.value for entry in entries if entry.key == COMMENT.name and entry.value)


def comment_lines(comment: str) -> list[str]:
    """A comment as the lines of canonical text."""
    return [f"Comment: {words}" for words in comment.splitlines()]


def near_key(text: str, keys: Sequence[Key]) -> str | None:
    """The key that was probably meant where a line begins with a word and a colon, and the word is none."""
    before, colon, _ = tidied(text).partition(":")
    names = {folded(key.name): key.name for key in keys}
    near = difflib.get_close_matches(folded(before), names, n=1, cutoff=0.75) if colon else []
    return names[near[0]] if near else None


RESIGNATIONS: Final = frozenset(
    ("resign", "i resign")
)  # in place of a turn, never beside one; a mail of its own


def not_understood(line: Line, keys: Sequence[Key], rule: str) -> Complaint:
    """The complaint about a line that says nothing, with the key it may be meant for."""
    if bare(line.text) in RESIGNATIONS:
        return Complaint("resign_elsewhere", "104", line)
    if (near := near_key(line.text, keys)) is not None:
        return Complaint("key_unknown", rule, line, {"near": near})
    return Complaint("not_understood", "house", line, {"text": line.text.strip()})


# --- squares ---------------------------------------------------------------------------------------------------------

SQUARE_LIKE: Final = re.compile(r"[A-Za-z]{1,2}-?\d{1,3}")


def square_of(word: str) -> str:
    """A square as the rules write it: lower case, letter then number, no leading noughts."""
    letters, digits = re.sub(r"[\d-]", "", word), re.sub(r"\D", "", word)
    return f"{letters.lower()}{int(digits)}"


def counted(counts: Mapping[str, int]) -> str:
    """Counts in words for a sentence: '10 Pawn, 4 Jester'."""
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "nothing"
