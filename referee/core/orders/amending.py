"""A part of an answer laid over a form (contract, 'Mail in'): who is asked for what is missing says just that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from referee.core.answers import Body
from referee.core.complaint import Line
from referee.core.orders.block import keyed, parted

_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_SLOT: Final = "..."
_A: Final = r"(?:and |und )?(?:(?:the|my|an?|der|die|das) )?"
_VERB: Final = r"(?:is|are|will be|should be|goes|stands|should stand|must be|belongs|ist|kommt|steht)"
_TOLD: Final = (
    re.compile(
        rf"{_A}(?P<key>[\w-]+(?: [\w-]+)??)(?: {_VERB})?(?: (?:to|on|at|auf|nach))? {_A}(?P<value>[\w-]+)"
    ),
    re.compile(rf"{_A}(?P<value>[\w-]+) (?:{_VERB}|for|as) {_A}(?P<key>[\w-]+(?: [\w-]+)?)"),
)
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
        found: list[tuple[str, str]] = []
        for sentence in _SENTENCES.split(line.text.strip()):
            for part in parted(sentence, lambda text: keyed(text)[0] in places):
                pairs = _keyed_part(part, said, line, places)
                found += pairs
                rest += [] if pairs else [part]
        told = () if found else _told(said, line, form, places)
        for key, value in (*found, *told):
            named = lines[places[key]].partition(":")[0]
            lines[places[key]] = f"{named}: {value}"
        laid += len(found) + len(told)
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


def _told(
    said: Body, line: Line, form: Sequence[str], places: Mapping[str, int]
) -> tuple[tuple[str, str], ...]:
    """The keys and values that the line says in words, and nothing else but courtesy."""
    sayings = [saying for saying in said.sayings if saying.number == line.number]
    if not all(saying.told for saying in sayings):
        return ()
    pairs: list[tuple[str, str] | None] = []
    for _, (whole, *parts) in groupby(sayings, lambda saying: saying.sentence):
        ways = ([whole.text], _PARTED.split(whole.text), [part.text for part in parts])
        found = [[_told_of(text, form, places) for text in texts] for texts in ways if texts]
        pairs += next((each for each in found if all(each)), [None])
    return tuple(pair for pair in pairs if pair) if all(pairs) else ()


def _told_of(text: str, form: Sequence[str], places: Mapping[str, int]) -> tuple[str, str] | None:
    """The key and the value that a text names; a key by its first word too, where no other begins so, or no other has
    that value ("total 605")."""
    for told in _TOLD:
        if (found := told.fullmatch(text)) is None:
            continue
        begun = [key for key in places if key.partition(" ")[0] == found["key"]]
        agreed = [key for key in begun if found["value"] in form[places[key]].casefold().split()]
        named = [found["key"]] if found["key"] in places else begun if len(begun) == 1 else agreed
        if len(named) == 1:
            return named[0], found["value"]
    return None


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
