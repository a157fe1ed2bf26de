"""Lines of a mail beside a letter of ours as it was sent. Mail programs wrap, mark, convert and trim what they quote,
so lines are compared without blanks, punctuation and line ends, in the letter's order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

_COPIES = 4  # of a letter in a mail, and other letters between them, that are looked at
_LONG = 20  # letters and digits of a row that is known for the letter's wherever a line of it was wrapped
_LINK = re.compile(r"<(?:mailto:|https?:)[^<>\s]{0,1000}>|\[(?:cid:[^\]\s]{0,200}\]|image:)")
_NO_SIGN, _NO_SIGN_IN_LINES = re.compile(r"[^0-9a-z=^+]+"), re.compile(r"[^0-9a-z=^+\n]+")
_WIDE = re.compile("[\uff01-\uff5e]")  # ASCII as East Asian keyboards write it


def folded(text: str) -> str:
    """A line's letters, digits and the signs that orders hang on. What is beyond ASCII is left out on both sides: it is
    what mail programs spoil first."""
    text = _LINK.sub("", text)
    text = unescape(text) if "&" in text else text
    return _NO_SIGN.sub("", _lower(text))


def _all_folded(lines: Sequence[str]) -> list[str]:
    """Every line, folded in one go."""
    text = _LINK.sub("", "\n".join(lines))
    if "&" in text:
        text = "\n".join(unescape(line).replace("\n", "") for line in text.split("\n"))
    return _NO_SIGN_IN_LINES.sub("", _lower(text)).split("\n")


def _lower(text: str) -> str:
    return _WIDE.sub(lambda sign: chr(ord(sign[0]) - 0xFEE0), text).lower()


@dataclass(frozen=True, slots=True)
class AsSent:
    """A letter's words in one run. `edges` are where its lines begin and end in it, `form` where its form begins (0
    where it shows none), `orders` from where to where it repeats its reader's own orders."""

    run: str
    edges: frozenset[int]
    form: int
    orders: tuple[int, int]

    @classmethod
    def of(cls, lines: Sequence[str], form: str = "", orders: str = "") -> AsSent:
        parts = _all_folded(lines)
        edges, end = {0}, 0
        for part in parts:
            end += len(part)
            edges.add(end)
        run, bare, said = "".join(parts), folded(form), folded(orders)
        repeated = max(run.find(said), 0)
        return cls(
            run,
            frozenset(edges),
            form=max(run.rfind(bare), 0) if bare else 0,
            orders=(repeated, repeated + len(said)),
        )

    def is_own(self, place: int) -> bool:
        """Whether what stands there is what the letter's reader may write himself: his orders, or the form's lines."""
        return self.orders[0] <= place < self.orders[1] or 0 < self.form <= place

    def all_places(self, rows: Sequence[str], keyed: Sequence[bool]) -> list[int]:
        """The places of a letter that came back more than once, or beside another one that says some of the same:
        what one look leaves over is looked at again, from its first long row on."""
        places = self.places(rows, keyed)
        for _ in range(_COPIES - 1):
            over = [index for index, words in enumerate(rows) if words and places[index] < 0]
            known = (i for i, index in enumerate(over) if self._is_known(rows[index], keyed=keyed[index]))
            if (first := next(known, None)) is None:
                break
            over = over[first:]
            again = self.places([rows[index] for index in over], [keyed[index] for index in over])
            for index, place in zip(over, again, strict=True):
                places[index] = place
        return places

    def _is_known(self, words: str, *, keyed: bool) -> bool:
        return is_long(words) and not keyed and words in self.run

    def places(self, rows: Sequence[str], keyed: Sequence[bool]) -> list[int]:
        """Where each folded row stands in the run; -1 for one that is not the letter's. Long rows are found first, as
        many as follow one another: the head of a quoted mail may read like a line far below. What is short, or `keyed`
        like a line of the form, only where it goes on between them, or as whole lines: an edited line may read like an
        example elsewhere in the letter."""
        places = [-1] * len(rows)
        known = [is_long(words) and not keyed[index] for index, words in enumerate(rows)]
        found = [(index, self.run.find(words)) for index, words in enumerate(rows) if known[index]]
        for index, place in _rising([one for one in found if one[1] >= 0]):
            places[index] = place
        ceilings, ceiling = [0] * len(rows), len(self.run)
        for index in reversed(range(len(rows))):
            ceilings[index] = ceiling
            ceiling = places[index] if places[index] >= 0 else ceiling
        low = 0
        for index, words in enumerate(rows):
            if places[index] < 0 and words:
                high = ceilings[index]
                between = self.run.find(words, low, high) if known[index] else self._between(words, low, high)
                places[index] = between
            if places[index] >= 0:
                low = places[index] + len(words)
        return self._whole(rows, places)

    def _between(self, words: str, low: int, high: int) -> int:
        """Where the words go on at `low`, or end at `high`, or are whole lines between the two; -1 where nowhere."""
        if low + len(words) <= high and self.run.startswith(words, low):
            return low
        last = high - len(words)
        if low <= last and high < len(self.run) and self.run.startswith(words, last):
            return last
        at = self.run.find(words, low, high)
        while at >= 0 and not (at in self.edges and at + len(words) in self.edges):
            at = self.run.find(words, at + 1, high)
        return at

    def _whole(self, rows: Sequence[str], places: Sequence[int]) -> list[int]:
        """The places, but for rows that end within a line of the letter which the next row does not go on with:
        something was taken out there."""
        kept, said = list(places), [index for index, words in enumerate(rows) if words]
        for index, below in zip(said, [*said[1:], None], strict=True):
            end = places[index] + len(rows[index])
            goes_on = below is not None and places[below] == end
            if end not in self.edges and not goes_on:
                kept[index] = -1
        return kept


def _rising(found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of rows whose places follow one another."""
    ends: list[int] = []  # the least place at which a run of that length ends, and the row that does
    last: list[int] = []
    before = [-1] * len(found)
    for number, (_, place) in enumerate(found):
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
        before[number] = last[length - 1] if length else -1
    run, at = list[tuple[int, int]](), last[-1] if last else -1
    while at >= 0:
        run.append(found[at])
        at = before[at]
    return run[::-1]


def is_long(words: str) -> bool:
    """Whether a folded row says enough to be known for a letter's by itself."""
    return len(words) >= _LONG
