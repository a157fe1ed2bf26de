"""Sentences: a mail's own words, cut once, into sentences and their clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from referee.core.value import Line, Value
from referee.language.words import SIGNS, plain

MOST_LINES: Final = 40  # of a mail whose words are read; what is longer answers by its form
LONGEST: Final = 400  # signs of such a line
_WRAPPED: Final = 48  # signs that a line has at least which goes on in the next one
_BROKEN: Final = range(60, 101)  # signs of the longest line of a mail whose program breaks full lines

_SENTENCE: Final = re.compile(r"(?<=[.!?\u061f\u037e])[\s\"')]+|(?<=\s[:;][)(DP])\s+|(?<=\s[:;]-[)(DP])\s+")
_CLAUSE: Final = re.compile(
    r"([,;:]\s+|[,;:]+$|(?<!\d)\s+-{1,2}\s+|\s+-{1,2}\s+(?![^\W\d_]{1,2}\d)|[()]|\.{2,}\s*|…|(?<=[^\W\d])!\s)"
)
_SHORT: Final = re.compile(
    r"(?:^|[\s(])(?:(?:[^\W\d_]\.)+|(?:st|nr|mr|ms|dr|pl|op|ed|fr|sr|jr|etc|bzw|ca|vs)\.)$", re.IGNORECASE
)
_DAY: Final = re.compile(r"(?:^|\s)\d{1,2}\.$")
_LETTER: Final = re.compile(r"\s[a-z]\.$")  # a column: "blue on e. No claim"
_BULLET: Final = re.compile(r"^\s*(?:[-*•‣◦·]\s+|\d{1,2}[.)°º]{1,2}\s+(?=\D|\d+\s+[^\W\d]))*")
_ROW: Final = re.compile(r"\|([^|].*)\|")  # of a table
_EDGES: Final = " \t\"'*_~`´^>()[]{}<|/\\-–.,;:!?¡¿«»„“”#"
_NUMBERED: Final = re.compile(r"\bn[º°](?=\s?\d)", re.IGNORECASE)


class Clause(Value):
    """A part of a sentence: the number of its line, its text as it was written, its words in small letters, without
    accents and with them. `ends`: in a colon, or in a comma at the end of its line."""

    number: int
    text: str
    words: tuple[str, ...]
    accented: tuple[str, ...]
    ends: str = ""


@dataclass(slots=True)
class Sentence:
    """What stands between two ends. `asked`: it ends in a question mark; that concerns its last clause, and the others
    where this says nothing for itself."""

    clauses: list[Clause] = field(default_factory=list)
    asked: bool = False
    lines: set[int] = field(default_factory=set)  # numbers of those on which it stands

    @property
    def number(self) -> int:
        """Of the line on which it begins."""
        return self.clauses[0].number

    @property
    def text(self) -> str:
        return ", ".join(clause.text for clause in self.clauses)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in small letters; what holds a digit is one of them, whatever signs join its parts."""
    return tuple(map(plain, _split(text)))


@lru_cache(2048)
def _split(text: str) -> tuple[str, ...]:
    found: list[str] = []
    text = _NUMBERED.sub("nr ", text).translate(SIGNS).casefold()
    text = text.replace("n't", " not").replace("m'n ", "mijn ")
    for part in text.split():
        word = part.strip(_EDGES)
        if any(map(str.isdigit, word)):
            found += filter(None, (piece.strip(_EDGES) for piece in re.split(r"[/&+]", word)))
        elif word:
            found += filter(None, re.split(r"[^\w]+|_", word))
    return tuple(found)


def sentences(own: Iterable[Line]) -> tuple[Sentence, ...]:
    """Those of lines, above the mark of a signature; none of a mail that is too long to be read by its words."""
    lines = list(own)
    said = [line for line in lines if line.text.strip()]
    if len(said) > MOST_LINES or any(len(line.text) > LONGEST for line in said):
        return ()
    return tuple(_cut(lines))


def _cut(lines: Sequence[Line]) -> Iterator[Sentence]:
    sentence, before = Sentence(), ""
    width = max((len(line.text.rstrip()) for line in lines), default=0)
    for line in lines:
        if line.text.strip() == "--":
            break
        text = _ROW.sub(r"\1", _BULLET.sub("", line.text).strip())
        if text[:1] in (">", "|"):  # somebody else's words
            text = ""
        if sentence.clauses and not _goes_on(before, text, width):
            yield sentence
            sentence = Sentence()
        within = bool(sentence.clauses) and before[-1:] not in (":", ",")
        before = text
        *ended, last = pieces(text)
        for piece in ended:
            _add(sentence, line.number, piece, within)
            if sentence.clauses:
                yield sentence
            sentence, within = Sentence(), False
        _add(sentence, line.number, last, within)
    if sentence.clauses:
        yield sentence


def _goes_on(before: str, text: str, width: int) -> bool:
    """Whether a line goes on in the one below: that begins small, or with a word for which this one had no room."""
    if before[-1:] in (":", ","):
        return True
    if len(before) < _WRAPPED or before[-1] in ".!?" or not text:
        return False
    full = width in _BROKEN and len(before) + len(text.split()[0]) >= width
    return text[0].islower() or (full and text[0].isalnum() and ":" not in before + text)


def pieces(text: str) -> list[str]:
    """The sentences of a line; the dot of a short word ends none ("e.g. d4", "St. Gallen"), nor that
    of a day ("vom 9. bis zum 15. März")."""
    found: list[str] = []
    for piece in _SENTENCE.split(text):
        ends = _LETTER.search(found[-1]) and piece[:1].isupper() if found else None
        dated = bool(found and _DAY.search(found[-1])) and (piece[:1].islower() or _of_a_month(piece))
        if found and not ends and (dated or found[-1].endswith("..") or _SHORT.search(found[-1])):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found


def _of_a_month(text: str) -> bool:
    return words_of(text)[:1] in _months()


@cache
def _months() -> frozenset[tuple[str, ...]]:
    from babel import Locale

    return frozenset(map(words_of, Locale("de").months["format"]["wide"].values()))


def _add(sentence: Sentence, number: int, piece: str, within: bool) -> None:
    """The clauses of a piece of a line; the first may go on `within` the last that there is."""
    sentence.lines |= {number} if _split(piece) else set()
    if within:
        begun = sentence.clauses.pop()
        number, piece = begun.number, f"{begun.text} {piece}"
    said = _CLAUSE.split(piece)
    for text, sign in zip(said[::2], [*said[1::2], ""], strict=True):
        if words := _split(text):
            ends = sign[:1] if sign[:1] == ":" or sign == "," else ""
            sentence.clauses.append(Clause(number, text.strip(), tuple(map(plain, words)), words, ends))
    asks = re.search(r"[?\u061f\u037e][\s!?.\"')\]*_:;)(DP]*$", piece)
    sentence.asked = sentence.asked or bool(asks)
