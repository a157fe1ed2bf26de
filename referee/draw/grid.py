"""Where everything of a diagram stands: one index that all drawings read, so that they agree."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from referee.core.diagram import Diagram, Link, Mark, Tint, Token
from referee.core.value import Value

Cell = tuple[int, int]  # column from the left, row from the top, both from 0

STARS: Mapping[int, tuple[int, ...]] = {9: (2, 4, 6), 13: (3, 6, 9), 19: (3, 9, 15)}


class ImpossibleDiagram(ValueError):
    """The diagram contradicts itself: an unknown square, two tokens on one square, a link of squares that are no
    neighbours, or a symbol that can't be seen."""


class Grid(Value):
    """A diagram by place. `tokens` has no entry for an empty square; `marks` and `tints` keep their order."""

    width: int
    height: int
    names: Mapping[Cell, str]
    places: Mapping[str, Cell]
    tokens: Mapping[Cell, Token]
    marks: Mapping[Cell, tuple[Mark, ...]]
    tints: Mapping[Cell, tuple[Tint, ...]]
    stars: frozenset[Cell]  # of the usual square Go boards

    def step(self, link: Link) -> tuple[Cell, int, int]:
        """The upper (or left) end of a link, and how far right and down the other end lies."""
        first, second = sorted(
            (self.places[link.first], self.places[link.second]), key=lambda place: (place[1], place[0])
        )
        return first, second[0] - first[0], second[1] - first[1]


@lru_cache(maxsize=64)
def grid(diagram: Diagram) -> Grid:
    """The index of a diagram; ImpossibleDiagram where it contradicts itself."""
    names = {(x, y): c + r for x, c in enumerate(diagram.columns) for y, r in enumerate(diagram.rows)}
    places = {name: place for place, name in names.items()}
    if not names or len(places) != len(names):
        raise ImpossibleDiagram("squares need names of their own")
    named = [token.square for token in diagram.tokens] + [mark.square for mark in diagram.marks]
    named += [end for link in diagram.links for end in (link.first, link.second)]
    named += [square for square, _ in diagram.tints]
    if strangers := sorted({square for square in named if square not in places}):
        raise ImpossibleDiagram(f"there is no square {', '.join(strangers)}")
    for text, owner in dict.fromkeys((token.text, token.owner) for token in diagram.tokens):
        said = text + owner
        if not said or said != visible(said) or " " in said:
            raise ImpossibleDiagram(f"{text!r} is no symbol that can be seen")
    tokens = {places[token.square]: token for token in diagram.tokens}
    if len(tokens) != len(diagram.tokens):
        raise ImpossibleDiagram("two tokens stand on one square")
    ends = (zip(places[link.first], places[link.second], strict=True) for link in diagram.links)
    if any(max(abs(one - other) for one, other in pair) != 1 for pair in ends):
        raise ImpossibleDiagram("a link joins squares that are no neighbours")
    marks: dict[Cell, tuple[Mark, ...]] = {}
    for mark in diagram.marks:
        marks[places[mark.square]] = (*marks.get(places[mark.square], ()), mark)
    tints: dict[Cell, tuple[Tint, ...]] = {}
    for square, tint in diagram.tints:
        tints[places[square]] = (*tints.get(places[square], ()), tint)
    width, height = len(diagram.columns), len(diagram.rows)
    lines = STARS.get(width, ()) if diagram.lattice == "points" and width == height else ()
    stars = frozenset((x, y) for x in lines for y in lines)
    return Grid(width, height, names, places, tokens, marks, tints, stars)


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def symbol(token: Token) -> str:
    """What text shows for a token: its symbol with its owner's sign behind it. A symbol's own last figure is raised
    where an owner's follows, so that M1 of Player 2 (M¹2) is not read as M12; an order that copies it is read as M1."""
    if token.owner[:1].isdigit() and token.text[-1:].isdigit():
        return token.text[:-1] + token.text[-1].translate(_RAISED) + token.owner
    return token.text + token.owner


def visible(text: str) -> str:
    """The text on one line, without characters that cannot be seen or may not stand in XML."""
    folded = " ".join(text.split())
    if folded.isascii() and folded.isprintable():
        return folded
    return "".join(c for c in folded if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Cn", "Co"))


def cells(text: str) -> int:
    """How many columns of a monospaced font the text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )
