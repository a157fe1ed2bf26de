"""Mistakes as people make them in a filled-in form: what a rehearsal's players send before they mend it.

Each mistake takes the lines of a good form and gives those of a bad one, or None where the form has nothing that could
be done wrong so. Whether the game minds is for the game to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from referee.core.chance import Chance

FormLines = list[str]
Mistake = Callable[[FormLines, Chance], FormLines | None]

_OWN = re.compile(
    r"(?i)\s*(name|player|email|round|cycle)\s*:"
)  # the head of a form, which nobody types anew
_KEYED = re.compile(r"^\s*[A-Za-z ]+:\s*\S")
_WORD = re.compile(r"[A-Za-z]{5,}")
_SQUARE = re.compile(r"\b([a-oA-O])(\d{1,2})\b")
_NUMBER = re.compile(r"(?<![A-Za-z\d])\d+(?![\d.])")
_AWAY = (
    "Sorry, I am on holiday until Sunday. My answer comes when I am back.",
    "I have not had the time yet - you will hear from me tomorrow.",
    "Thanks for the letter! I must think about this one.",
)


def mistaken(body: str, chance: Chance) -> Iterator[str]:
    """The form with one mistake after another, in drawn order; the first of them has two at once."""
    lines = body.splitlines()
    drawn = [MISTAKES[i] for i in chance.shuffle(tuple(range(len(MISTAKES))), "which mistakes")]
    made = [bad for mistake in drawn if (bad := mistake(lines, chance)) is not None]
    twice = drawn[1](made[0], chance) if made else None
    for bad in ([twice] if twice else []) + made:
        if bad != lines:  # two mistakes may undo each other
            yield "\n".join(bad)


def put_off(chance: Chance) -> str:
    """A mail under the right subject that holds no orders at all."""
    return _AWAY[chance.below(len(_AWAY), "which excuse")]


def top_posted(body: str, at: str) -> str:
    """The form filled in below a few words, inside the quoted letter, as hurried people do."""
    quoted = "\n".join(f"> {line}".rstrip() for line in body.splitlines())
    return f"I have filled it in below.\n\nOn {at}, the referee wrote:\n> Here is a form.\n>\n{quoted}"


def _orders(lines: FormLines, pattern: re.Pattern[str]) -> list[int]:
    """The lines that somebody fills in himself and that hold such a thing."""
    return [i for i, line in enumerate(lines) if not _OWN.match(line) and pattern.search(line)]


def _one(chance: Chance, found: list[int], what: str) -> int:
    return found[chance.below(len(found), what)]


def _in_a_line(pattern: re.Pattern[str], what: str, spoilt: Callable[[str, Chance], str]) -> Mistake:
    """A mistake in one of the lines that hold such a thing."""

    def mistake(lines: FormLines, chance: Chance) -> FormLines | None:
        if not (found := _orders(lines, pattern)):
            return None
        at = _one(chance, found, what)
        return [*lines[:at], spoilt(lines[at], chance), *lines[at + 1 :]]

    return mistake


def _misspelt(line: str, chance: Chance) -> str:
    """Two letters of a word change places, or one is left out."""
    word = _WORD.search(line)
    assert word is not None
    middle = word.start() + 1 + chance.below(len(word[0]) - 2, "misspelt letter")
    swapped = line[:middle] + line[middle + 1] + line[middle] + line[middle + 2 :]
    return swapped if swapped != line else line[:middle] + line[middle + 1 :]


def _forgotten(lines: FormLines, chance: Chance) -> FormLines | None:
    """A line that was to be filled in is missing; totals before all others."""
    keyed = _orders(lines, _KEYED)
    found = [i for i in keyed if lines[i].casefold().lstrip().startswith("total")] or keyed
    if not found:
        return None
    at = _one(chance, found, "forgotten line")
    return lines[:at] + lines[at + 1 :]


def _elsewhere(line: str, chance: Chance) -> str:
    """A wrong square: the row beside the right one."""
    squares = list(_SQUARE.finditer(line))
    square = squares[chance.below(len(squares), "which square")]
    row = int(square[2]) + (1 if int(square[2]) < 8 else -1)  # towards the middle, where boards still are
    return line[: square.start(2)] + str(row) + line[square.end(2) :]


def _miscounted(line: str, chance: Chance) -> str:
    """A number that is off by one."""
    return _NUMBER.sub(lambda number: str(int(number[0]) + 1), line, count=1)


def _unfilled(line: str, chance: Chance) -> str:
    """A line that still has the dots of the form."""
    return f"{line.partition(':')[0]}: ..."


MISTAKES: tuple[Mistake, ...] = (
    _in_a_line(_WORD, "misspelt line", _misspelt),
    _forgotten,
    _in_a_line(_SQUARE, "line of the wrong square", _elsewhere),
    _in_a_line(_NUMBER, "miscounted line", _miscounted),
    _in_a_line(_KEYED, "unfilled line", _unfilled),
)
