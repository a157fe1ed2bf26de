"""Where everything of a diagram stands: one index that all drawings read, so that they agree."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from referee.core.diagram import Diagram, Lattice, Link, Mark, Tint, Token

Cell = tuple[int, int]  # column from the left, row from the top, both from 0

STARS: Mapping[int, tuple[int, ...]] = {9: (2, 4, 6), 13: (3, 6, 9), 19: (3, 9, 15)}


class ImpossibleDiagram(ValueError):
    """The diagram contradicts itself: an unknown square, two tokens on one square, or a symbol that can't be seen."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A diagram by place. `tokens` has no entry for an empty square; `marks` and `tints` keep their order."""

    width: int
    height: int
    names: Mapping[Cell, str]
    places: Mapping[str, Cell]
    tokens: Mapping[Cell, Token]
    marks: Mapping[Cell, tuple[Mark, ...]]
    tints: Mapping[Cell, tuple[Tint, ...]]
    stars: frozenset[Cell]
    alike: Mapping[
        tuple[tuple[Tint, ...], bool], tuple[Cell, ...]
    ]  # the squares that are no plain ones, by how

    def holes(self) -> frozenset[Cell]:
        return frozenset(place for place, tints in self.tints.items() if "hole" in tints)

    def step(self, link: Link) -> tuple[Cell, int, int]:
        """The upper (or left) end of a link, and how far right and down the other end lies."""
        first, second = sorted(
            (self.places[link.first], self.places[link.second]), key=lambda place: (place[1], place[0])
        )
        return first, second[0] - first[0], second[1] - first[1]


@lru_cache(maxsize=64)
def grid(diagram: Diagram) -> Grid:
    """The index of a diagram; ImpossibleDiagram where it contradicts itself."""
    names, places = _named(diagram.columns, diagram.rows)
    if not names or len(places) != len(names):
        raise ImpossibleDiagram("squares need names of their own")
    _refuse_strangers(diagram, places)
    tokens = {places[token.square]: token for token in diagram.tokens}
    if len(tokens) != len(diagram.tokens):
        raise ImpossibleDiagram("two tokens stand on one square")
    marks: dict[Cell, list[Mark]] = defaultdict(list)
    for mark in diagram.marks:
        marks[places[mark.square]].append(mark)
    tints, stars, alike = _ground(diagram.columns, diagram.rows, diagram.lattice, diagram.tints)
    return Grid(
        width=len(diagram.columns),
        height=len(diagram.rows),
        names=names,
        places=places,
        tokens=tokens,
        marks={place: tuple(found) for place, found in marks.items()},
        tints=tints,
        stars=stars,
        alike=alike,
    )


@lru_cache(maxsize=32)
def _named(columns: tuple[str, ...], rows: tuple[str, ...]) -> tuple[Mapping[Cell, str], Mapping[str, Cell]]:
    """The squares' names by place, and their places by name: the same for all boards of one shape."""
    names = {(x, y): column + row for x, column in enumerate(columns) for y, row in enumerate(rows)}
    return names, {name: place for place, name in names.items()}


def _refuse_strangers(diagram: Diagram, places: Mapping[str, Cell]) -> None:
    named = [token.square for token in diagram.tokens] + [mark.square for mark in diagram.marks]
    named += [end for link in diagram.links for end in (link.first, link.second)]
    if strangers := sorted({square for square in named if square not in places}):
        raise ImpossibleDiagram(f"there is no square {', '.join(strangers)}")
    for text, owner in dict.fromkeys((token.text, token.owner) for token in diagram.tokens):
        said = text + owner
        if not said or said != visible(said) or " " in said:
            raise ImpossibleDiagram(f"{text!r} is no symbol that can be seen")


_Ground = tuple[
    Mapping[Cell, tuple[Tint, ...]], frozenset[Cell], Mapping[tuple[tuple[Tint, ...], bool], tuple[Cell, ...]]
]


@lru_cache(maxsize=32)
def _ground(
    columns: tuple[str, ...], rows: tuple[str, ...], lattice: Lattice, tinted: tuple[tuple[str, Tint], ...]
) -> _Ground:
    """The squares' tints, the star points, and which squares are alike in both: of a board they hardly ever change."""
    _, places = _named(columns, rows)
    if strangers := sorted({square for square, _ in tinted if square not in places}):
        raise ImpossibleDiagram(f"there is no square {', '.join(strangers)}")
    tints: dict[Cell, tuple[Tint, ...]] = {}
    for square, tint in tinted:
        tints[places[square]] = (*tints.get(places[square], ()), tint)
    stars = _stars(columns, rows, lattice)
    alike: dict[tuple[tuple[Tint, ...], bool], tuple[Cell, ...]] = {}
    for place in {**dict.fromkeys(sorted(stars)), **tints}:
        look = tints.get(place, ()), place in stars
        alike[look] = (*alike.get(look, ()), place)
    return tints, stars, alike


def _stars(columns: tuple[str, ...], rows: tuple[str, ...], lattice: Lattice) -> frozenset[Cell]:
    """The star points of the usual square Go boards."""
    if lattice != "points" or len(columns) != len(rows):
        return frozenset()
    lines = STARS.get(len(columns), ())
    return frozenset((x, y) for x in lines for y in lines)


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
