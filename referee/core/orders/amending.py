"""A part of an answer laid over a form (contract, 'Mail in'): who is asked for what is missing says just that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.core.answers import Body
from referee.core.complaint import Line
from referee.core.orders.block import keyed

_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_SLOT: Final = "..."
_TOLD: Final = re.compile(
    r"(?:the |my )?([\w-]+(?: [\w-]+)??)(?: (?:goes|is|stands|should be|should stand|must be))?(?: (?:to|on|at))?"
    r" ([a-z]\d{1,2})"
)
_IS: Final = re.compile(r"(?:the |my )?([\w-]+) (?:is|will be|should be) (?:the |my )?([\w-]+)")
_PARTED: Final = re.compile(r",\s+|\s+(?:and|und|et|y|e|en|i|och)\s+")
_OPENING: Final = re.compile(r"(?:[^\W\d]+\W+){1,3}?(?=[A-Z])")  # "OK, Total cost: 605"
_POINT: Final = re.compile(r"(?<![^\W_])[a-z]\d{1,2}(?![^\W_])")
_BARE: Final = re.compile(r"[\w-]{1,30}")


@dataclass(frozen=True, slots=True)
class LaidOver:
    """A form with what a mail says of its keys in the place of what stood there, `told` whether it says any; the lines
    of the mail, as they are `left` once that is taken out of them."""

    lines: tuple[str, ...]
    left: tuple[Line, ...]
    told: bool = True


def laid_over(form: Sequence[str], said: Body) -> LaidOver:
    """By the keys that the mail's lines or sentences begin with, or name in few words ("the King goes to k1"); else in
    the form's only gap, a value alone."""
    lines, left, laid = list(form), list[Line](), 0
    places = {keyed(text)[0]: place for place, text in enumerate(lines) if keyed(text)[1] is not None}
    for line in said.lines:
        rest: list[str] = []
        sentences = _SENTENCES.split(line.text.strip())
        for sentence in sentences:
            found = _keyed_part(sentence, said, line, places)
            for key, value in found:
                named = lines[places[key]].partition(":")[0]
                lines[places[key]] = f"{named}: {value}"
            laid += len(found)
            rest += [] if found else [sentence]
        told = _told(said, line, places) if rest == sentences else ()
        for key, value in told:
            named = lines[places[key]].partition(":")[0]
            lines[places[key]] = f"{named}: {value}"
        laid += len(told)
        left += [Line(line.number, " ".join(rest))] if any(rest) and not told else []
    if not laid and (filled := _in_the_gap(lines, said)) is not None:
        return LaidOver(filled, ())
    return LaidOver(tuple(lines), tuple(left), bool(laid))


def exchanged(form: Sequence[str], said: Body) -> Iterator[tuple[str, ...]]:
    """The form with one point in the place of another, in each way there is: "oops, d2" to `Place: 4 c2`. Nothing where
    the mail says more than a point."""
    points = [saying.text for saying in said.sayings if _POINT.fullmatch(saying.text) and saying.alone]
    if len(points) != 1 or len(said.sayings) != 1:
        return
    for place, text in enumerate(form):
        key, value = keyed(text)
        if value and key != "comment":
            head = text[: len(text) - len(value)]
            for found in _POINT.finditer(value.lower()):
                line = f"{head}{value[: found.start()]}{points[0]}{value[found.end() :]}"
                yield (*form[:place], line, *form[place + 1 :])


def _keyed_part(
    sentence: str, said: Body, line: Line, places: Mapping[str, int]
) -> tuple[tuple[str, str], ...]:
    """The key and the value with which the sentence begins, behind a word of courtesy too."""
    opening = _OPENING.match(sentence)
    for text in (sentence, sentence[opening.end() :] if opening else ""):
        key, value = keyed(text)
        value = _without_courtesy(value, said, line) if value else None
        if value and key in places and (text is sentence or _begins(said, line, key)):
            return ((key, value),)
    return ()


def _begins(said: Body, line: Line, words: str) -> bool:
    """Whether what the line says, without courtesy, begins with the words."""
    return any(saying.number == line.number and saying.text.startswith(words) for saying in said.sayings)


def _told(said: Body, line: Line, places: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """The keys and values that the line says in words, and nothing else but courtesy."""
    sayings = [saying for saying in said.sayings if saying.number == line.number]
    if not sayings or not all(saying.told for saying in sayings):
        return ()
    whole = sayings[0].text
    found = [
        _told_of(part, places) for part in ([whole] if _told_of(whole, places) else _PARTED.split(whole))
    ]
    if any(pair is None for pair in found) and len(sayings) > 1:  # it goes on in other lines
        found = [_told_of(saying.text, places) for saying in sayings[1:]]
    return tuple(pair for pair in found if pair) if all(found) else ()


def _told_of(text: str, places: Mapping[str, int]) -> tuple[str, str] | None:
    if (found := _TOLD.fullmatch(text)) and found[1] in places:
        return found[1], found[2]
    found = _IS.fullmatch(text)
    pairs = ((found[1], found[2]), (found[2], found[1])) if found else ()
    return next((pair for pair in pairs if pair[0] in places), None)


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
