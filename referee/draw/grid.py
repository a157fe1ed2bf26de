"""Where everything of a diagram stands: one index that all drawings read, so that they agree; and a diagram in words:
what marks, tints and links mean, for the drawings that explain themselves, and all of it read out, for screen readers
and wherever no picture is shown."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from referee.core.diagram import Diagram, Link, Mark, MarkKind, Tint, Token
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
        if not (said := text + owner) or said != visible(said) or " " in said:
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


# --- in words -------------------------------------------------------------------------------------------------------


class Sign(NamedTuple):
    """What a mark means: as a legend says it, how it looks in a picture, and how its squares are read out ("" of what
    the reader knows, or hears otherwise)."""

    meaning: str
    look: str
    said: str = ""


SIGNS: Mapping[MarkKind, Sign] = {
    "from": Sign("where the last turn began", "dashed frame", "The last turn began on"),
    "to": Sign("where it ended", "solid frame", "It ended on"),
    "last": Sign("just placed", "solid frame", "Just placed on"),
    "captured": Sign("captured here", "cross", "Captured on"),
    "void": Sign("did not count", "struck-out ring", "Did not count:"),
    "run": Sign("part of a line", "dotted frame", "Part of a line:"),
    "centre": Sign("the centre", "four corners"),
    "quiet": Sign("may go there", "dot", "May go to"),
    "target": Sign("may capture there", "cross-hair", "May capture on"),
    "changed": Sign("changed", "solid frame", "Changed:"),
    "emptied": Sign("empty now", "dashed frame", "Empty now:"),
}
LINES: Mapping[str, str] = {"red": "solid line", "black": "dashed line", "white": "double line"}


def kinds(diagram: Diagram) -> tuple[MarkKind, ...]:
    """The kinds of marks in use, in the order of their meanings."""
    used = {mark.kind for mark in diagram.marks}
    return tuple(kind for kind in SIGNS if kind in used)


def given(diagram: Diagram) -> tuple[tuple[str, str], ...]:
    """The game's own legend, fit to be shown on one line each."""
    return tuple((visible(sign), visible(meaning)) for sign, meaning in diagram.legend)


def picture_key(diagram: Diagram) -> tuple[tuple[str, str], ...]:
    """The legend that belongs below a picture: the game's, then the looks of marks, squares and bridges in it."""
    rows = [("double outline" if sign == "*" else sign, meaning) for sign, meaning in given(diagram)]
    rows += [(SIGNS[kind].look, SIGNS[kind].meaning) for kind in kinds(diagram)]
    tints = {tint for _, tint in diagram.tints}
    rows += [(look, what) for tint, look, what in _SQUARES if tint in tints]
    colours = dict.fromkeys(link.colour for link in diagram.links if link.bond == "bridge")
    rows += [(LINES[colour], f"{colour} bridge") for colour in colours if colour in LINES]
    return tuple(dict.fromkeys(rows))


_SQUARES = (("neutral", "hatched square", "neutral"), ("home", "framed corner", "home"))


# --- read out ---------------------------------------------------------------------------------------------------------

SHORT = 72  # tokens that are still listed one by one


@lru_cache(maxsize=16)
def describe(diagram: Diagram, short: int = SHORT) -> str:
    """The game's own sentences; then, unless they name every occupied square, who stands where (on a full board how
    many stand there); then the marks and bridges. One paragraph."""
    grid(diagram)  # refuses what contradicts itself
    said = filter(None, map(visible, diagram.sentences))
    sentences = [sentence if sentence[-1] in ".!?:;" else f"{sentence}." for sentence in said]
    told = set(re.findall(r"\w+", " ".join(sentences)))
    if not sentences or any(token.square not in told for token in diagram.tokens):
        sentences += _standing(diagram, short)
    sentences += _marked(diagram)
    sentences += _joined(diagram, short)
    return " ".join(sentences)


def _standing(diagram: Diagram, short: int) -> list[str]:
    if not diagram.tokens:
        return ["The board is empty."]
    named: dict[tuple[str, str], list[str]] = {}
    for token in sorted(diagram.tokens, key=lambda token: token.owner):
        ringed = " (ringed)" if token.ringed else ""
        name = visible(token.name) or visible(token.text + token.owner)
        named.setdefault((name, ringed), []).append(token.square)
    if len(diagram.tokens) > short:
        counts = Counter(name for (name, _), squares in named.items() for _ in squares)
        return [f"On the board: {', '.join(f'{n} {name}' for name, n in counts.items())}."]
    return [f"{_capital(name)}{ringed}: {', '.join(squares)}." for (name, ringed), squares in named.items()]


def _marked(diagram: Diagram) -> list[str]:
    squares: dict[str, list[str]] = {}
    for mark in (mark for mark in diagram.marks if mark.kind != "centre"):
        text = f" ({visible(mark.text)})" if mark.text else ""
        squares.setdefault(SIGNS[mark.kind].said, []).append(mark.square + text)
    return [f"{said} {', '.join(found)}." for said, found in squares.items()]


def _joined(diagram: Diagram, short: int) -> list[str]:
    bridges: dict[str, list[str]] = {}
    for link in diagram.links:
        kind = f"{link.colour} bridges" if link.bond == "bridge" else "dominoes"
        bridges.setdefault(kind, []).append(f"{link.first}-{link.second}")
    many = len(diagram.links) > short
    told = ((kind, str(len(found)) if many else ", ".join(found)) for kind, found in bridges.items())
    return [f"{_capital(kind)}: {found}." for kind, found in told]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
