"""From `absence.toml`: on which days a mail says that its sender is away, in English words for whoever reads days."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files
from typing import Final

from referee.core.complaint import Line
from referee.language.sentences import words_of

_DATA = tomllib.loads(files(__package__).joinpath("absence.toml").read_text(encoding="utf-8"))
_AWAY: Final = frozenset(map(words_of, _DATA["away"]))
_NOT: Final = frozenset(map(words_of, _DATA["not"]))
_I: Final = frozenset(word for said in _DATA["i"] for word in words_of(said))
_ENGLISH: Final = frozenset((*_DATA["days"], *_DATA["days"]["english"])) - {"english"}
_DAYS: Final = (
    _ENGLISH
    - {"from", "to", "for", "next", "this", "a", "two", "three", "four", "five"}
    - set(_DATA["days"]["english"])
)
_MEANT: Final[dict[str, str]] = {
    w: day for day, said in _DATA["days"].items() if day != "english" for t in said for w in words_of(t)
}
_LONGEST: Final = max(map(len, _AWAY | _NOT))
_DATED: Final = re.compile(r"\d[\d./-]*(?:st|nd|rd|th)?")
_SENTENCES: Final = re.compile(r"(?<=[!?])\s+|(?<=[^\W\d]\.)\s+")
_SIGNS: Final = re.compile(r"[,;:()]|\.{2,3}(?=\d)|(?<=\d\.)-|\s-\s")
_MOST: Final = 20  # lines that are looked at
_LONG: Final = 300  # signs of one


def away(own: Iterable[Line], subject: str) -> str:
    """The days of the first sentence that tells of an absence; '' where none does, or more than one."""
    texts = [line.text[:_LONG] for line in own if line.text.strip()][:_MOST]
    named = _spans(words_of(subject), _AWAY)
    told = [
        days for text in (subject, *texts) for one in _SENTENCES.split(text) if (days := _days(one, named))
    ]
    return told[0] if len(set(told)) == 1 else ""


def _days(sentence: str, named: bool) -> str:
    """`named`: the subject tells of an absence already."""
    signs = sentence.replace("t/m", "tot")  # the only word with a sign in it
    words = words_of(_SIGNS.sub(lambda sign: " to " if sign[0].strip(" ,;:()") else " ", signs))
    opens = any(words[:n] in _AWAY for n in range(1, _LONGEST + 1))
    tells = _spans(words, _AWAY) and (opens or not _I.isdisjoint(words))
    if not (tells or named) or sentence.rstrip().endswith("?") or _spans(words, _NOT):
        return ""
    found = [day for word in words if (day := _day(word))]
    found = [day for day, before in zip(found, ["", *found], strict=False) if day != before]
    for place in range(1, len(found)):
        if found[place - 1 : place + 1] == ["week", "next"]:  # "semaine prochaine"
            found[place - 1 : place + 1] = ["next", "week"]
        elif found[place] == "a" and found[place - 1][-1].isdigit():  # "10 a 14"
            found[place] = "to"
    return " ".join(found) if _DAYS.intersection(found) or any(map(str.isdigit, "".join(found))) else ""


def _day(word: str) -> str:
    if _DATED.fullmatch(word) or word in _ENGLISH:
        return word
    return _MEANT.get(word, "")


def _spans(words: tuple[str, ...], phrases: frozenset[tuple[str, ...]]) -> bool:
    return any(words[i : i + n] in phrases for i in range(len(words)) for n in range(1, _LONGEST + 1))
