"""What a picture is, whatever draws it: a grid of named squares with tokens, tints, links and marks.

A diagram is a value. `referee.drawing` turns it into plain text, SVG and PNG and reads it out for screen
readers; all four come from the same value, so they cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Names of colours, not codes: the drawing chooses shades that stay apart for the colour-blind and in print.
Colour = Literal[
    "none", "black", "white", "red", "blue", "green", "yellow", "purple", "orange", "grey"
]
Shape = Literal["disc", "square", "diamond", "none"]
Tint = Literal["plain", "light", "dark", "neutral", "home", "hole", "region1", "region2", "region3", "region4"]
MarkKind = Literal["from", "to", "captured", "void", "centre", "last"]
Bond = Literal["bridge", "domino"]


@dataclass(frozen=True, slots=True)
class Token:
    """What stands on a square: `text` is its symbol in every drawing (at most 3 characters); `name` reads it out."""

    square: str
    text: str
    name: str
    colour: Colour = "none"
    shape: Shape = "disc"
    ringed: bool = False  # a mascot, a claim: drawn with a second outline, `*` in text


@dataclass(frozen=True, slots=True)
class Link:
    """A line between two neighbouring squares: a bridge, or the joint of a domino. `text` is its sign in text."""

    first: str
    second: str
    colour: Colour
    text: str
    bond: Bond = "bridge"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to notice on a square: where the last turn began and ended, what was captured."""

    square: str
    kind: MarkKind
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A board. `columns` left to right, `rows` top to bottom; a square's name is column + row ("h8").

    `lattice` "cells" draws squares, "points" draws crossings of lines (Go), "islands" draws separate spaces.
    `tints` gives squares other than plain ones; `legend` explains symbols; `sentences` describe the board and
    the last happening in words, for those who cannot see it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    lattice: Literal["cells", "points", "islands"] = "cells"
    tokens: tuple[Token, ...] = ()
    tints: tuple[tuple[str, Tint], ...] = ()
    links: tuple[Link, ...] = ()
    marks: tuple[Mark, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    sentences: tuple[str, ...] = ()
