"""A part of an answer laid over a form (contract, 'Mail in'): who is asked for what is missing says just that."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from referee.core.answers import Body
from referee.core.orders.keyed import keyed, parted
from referee.core.value import Line
from referee.language.hearing import Vocabulary, heard
from referee.language.sentences import sentences, words_of
from referee.language.words import FRAME, in_our_keys, words_of_all

_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_SLOT: Final = "..."
_BESIDE: Final = 1  # words of a clause that names a key and its value, beside these
_OPENING: Final = re.compile(r"(?:[^\W\d]+\W+){1,3}?(?=[A-Z])")  # "OK, Total cost: 605"
_POINT: Final = re.compile(r"(?<![^\W_])[a-z]\d{1,2}(?![^\W_])")

Pair = tuple[str, str]  # a key of the form, in small letters, and what it shall say


def laid_over(form: Sequence[str], said: Body, slug: str) -> tuple[tuple[str, ...], tuple[Line, ...]]:
    """A form of a game with what a mail says of its keys in the place of what stood there, none where
    it says nothing of them, and the mail's lines as they are left without that. By the keys that its
    lines or sentences begin with, or name in few words ("the King goes to k1"); else in the form's
    only gap, a value alone."""
    lines, left, laid = list(form), list[Line](), list[str]()
    places = {keyed(text)[0]: place for place, text in enumerate(lines) if keyed(text)[1] is not None}
    for line in said.lines:
        rest = list[str]()
        for sentence in _SENTENCES.split(in_our_keys(slug, line.text.strip())):
            for part in parted(sentence, lambda text: keyed(text)[0] in places):
                pairs = _keyed_pair(part, places) or _named_pairs(part, form, places, said, slug)
                for key, value in pairs:
                    named = lines[places[key]].partition(":")[0]
                    lines[places[key]] = f"{named}: {value}"
                    laid.append(key)
                if not pairs and _words(part, said):
                    rest.append(part)
        left += [Line(line.number, " ".join(rest))] if rest else []
    if not laid and (filled := _in_the_gap(lines, said)) is not None:
        return filled, ()
    twice = len({*laid}) < len(laid)  # no part of an answer, but a whole one that says too much
    if not laid or twice:
        return (), said.lines if twice else tuple(left)
    return tuple(lines), tuple(left)


def exchanged(form: Sequence[str], said: Body) -> Iterator[tuple[str, ...]]:
    """The form with one point in the place of another, in each way there is: "oops, d2" to
    `Place: 4 c2`. Nothing where the mail says more than a point."""
    points = [word for line in said.lines for word in _words(line.text, said)]
    if len(points) != 1 or not _POINT.fullmatch(points[0]):
        return
    for place, text in enumerate(form):
        key, value = keyed(text)
        if value and key != "comment":
            head = text[: len(text) - len(value)]
            for found in _POINT.finditer(value.lower()):
                line = f"{head}{value[: found.start()]}{points[0]}{value[found.end() :]}"
                yield (*form[:place], line, *form[place + 1 :])


def _keyed_pair(part: str, places: dict[str, int]) -> list[Pair]:
    """The key and the value with which the part begins, behind a word of courtesy too."""
    opening = _OPENING.match(part)
    for text in (part, part[opening.end() :] if opening else ""):
        key, value = keyed(text)
        if value and key in places:
            return [(key, value.strip(" !"))]
    return []


def _named_pairs(part: str, form: Sequence[str], places: dict[str, int], said: Body, slug: str) -> list[Pair]:
    """The keys and the values that the clauses of a part name in few words, none where one has a
    value and no key: a number, or a word that stands in the form; a key by its first word too, where
    no other begins so, or no other has that value ("total 605")."""
    clauses, doubted = _clauses(part, said)
    found, stand = list[Pair](), set(words_of(" ".join(form)))
    known = words_of_all(slug).values
    for told in clauses if not doubted else ():
        meant = ({*known.get(word, {}).values()} & (places.keys() | stand) for word in told)
        words = [min(ours, default=word) for word, ours in zip(told, meant, strict=True)]
        numbered = [word for word in words if any(map(str.isdigit, word))]
        pairs = list[Pair]()
        named_there = [word for word in (words[-1], words[0]) if word in stand]
        for value in numbered if len(numbered) == 1 else named_there:
            others = [word for word in words if word != value]
            begun = [key for key in places if key.partition(" ")[0] in others]
            agreed = [key for key in begun if value in form[places[key]].casefold().split()]
            whole = [key for key in places if key == " ".join(others)]
            named = whole or (begun if len(begun) == 1 else agreed)
            if len(named) == 1 and len({*others} - {*named[0].split()}) <= _BESIDE:
                pairs.append((named[0], value))
        if numbered and not (pairs or stand.issuperset(words)):
            return []
        found += pairs[:1]
    return found


def _words(text: str, said: Body) -> tuple[str, ...]:
    """The words of a text that say something."""
    return tuple(word for clause in _clauses(text, said)[0] for word in clause)


def _clauses(text: str, said: Body) -> tuple[list[tuple[str, ...]], bool]:
    """The words of each clause that say something, and whether anything casts doubt on them."""
    vocabulary, found, doubted = Vocabulary("", {}, said.hints.own), list[tuple[str, ...]](), False
    for sentence in sentences((Line(1, text),)):
        for one in heard(sentence, vocabulary, said.hints.language):
            doubted = doubted or one.asked or bool(one.doubtful - {"back"})
            words = () if one.courteous else one.telling(FRAME | {"back"})
            found += [words] if words else []
    return found, doubted


def _in_the_gap(lines: Sequence[str], said: Body) -> tuple[str, ...] | None:
    """The form with the mail's only word in its only gap."""
    gaps = [place for place, text in enumerate(lines) if text.rstrip().endswith(f": {_SLOT}")]
    own = [word for line in said.lines for word in _words(line.text, said)]
    if len(gaps) != 1 or len(own) != 1:
        return None
    filled = list(lines)
    filled[gaps[0]] = filled[gaps[0]].replace(_SLOT, own[0])
    return tuple(filled)
