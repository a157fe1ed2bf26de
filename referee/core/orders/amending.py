"""A part of an answer laid over a form (contract, 'Mail in'): who is asked for what is missing says just that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.core.answers import Body
from referee.core.complaint import Line
from referee.core.orders.block import keyed

_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_SLOT: Final = "..."
_TOLD: Final = re.compile(
    r"(?:the |my )?([\w-]+(?: [\w-]+)??)(?: (?:goes|is|stands))?(?: (?:to|on|at))? ([a-z]\d{1,2})"
)
_BARE: Final = re.compile(r"[\w-]{1,30}")


@dataclass(frozen=True, slots=True)
class LaidOver:
    """A form with what a mail says of its keys in the place of what stood there; the lines of the mail, as they are
    `left` once that is taken out of them."""

    lines: tuple[str, ...]
    left: tuple[Line, ...]


def laid_over(form: Sequence[str], said: Body) -> LaidOver:
    """By the keys that the mail's lines or sentences begin with, or name in few words ("the King goes to k1"); else in
    the form's only gap, a value alone."""
    lines, left = list(form), list[Line]()
    places = {keyed(text)[0]: place for place, text in enumerate(lines) if keyed(text)[1] is not None}
    for line in said.lines:
        rest: list[str] = []
        for sentence in _SENTENCES.split(line.text.strip()):
            key, value = keyed(sentence)
            if value:
                value = _without_courtesy(value, said, line)
            else:
                key, value = _told(said, line)
            if value and key in places:
                named = lines[places[key]].partition(":")[0]
                lines[places[key]] = f"{named}: {value}"
            elif sentence:
                rest.append(sentence)
        left += [Line(line.number, " ".join(rest))] if rest else []
    if lines == list(form) and (filled := _in_the_gap(lines, said)) is not None:
        return LaidOver(filled, ())
    return LaidOver(tuple(lines), tuple(left))


def _told(said: Body, line: Line) -> tuple[str, str]:
    """The key and the value that the line says, and nothing else but courtesy."""
    sayings = [saying for saying in said.sayings if saying.number == line.number]
    found = _TOLD.fullmatch(sayings[0].text) if len(sayings) == 1 and sayings[0].alone else None
    return (found[1], found[2]) if found else ("", "")


def _without_courtesy(value: str, said: Body, line: Line) -> str:
    """The value without the clauses behind it that the gist of its line does not hold."""
    told = [saying.text for saying in said.sayings if saying.number == line.number]
    head, comma, tail = value.rpartition(",")
    words = tail.casefold().strip(" .!")
    if comma and words and not any(words in text for text in told):
        return _without_courtesy(head, said, line)
    return value.strip(" !")


def _in_the_gap(lines: Sequence[str], said: Body) -> tuple[str, ...] | None:
    """The form with the mail's only saying in its only gap."""
    gaps = [place for place, text in enumerate(lines) if text.rstrip().endswith(f": {_SLOT}")]
    own = [saying.text for saying in said.sayings if saying.alone]
    sentences = {saying.sentence for saying in said.sayings}
    if len(gaps) != 1 or len(own) != 1 or len(sentences) != 1 or not _BARE.fullmatch(own[0]):
        return None
    filled = list(lines)
    filled[gaps[0]] = filled[gaps[0]].replace(_SLOT, own[0])
    return tuple(filled)
