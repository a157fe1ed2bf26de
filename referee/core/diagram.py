"""What a picture is, whatever draws it: a grid of named squares with tokens, tints, links and marks.

A diagram is a value. `referee.drawing` turns it into plain text, SVG and PNG and reads it out for screen
readers; all four come from the same value, so they cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Names of colours, not codes: the drawing chooses shades that stay apart for the colour-blind and in print.
Colour = Literal["none", "black", "white", "red", "blue", "green", "yellow", "purple", "orange", "grey"]

# One shape per owner where owners share a symbol; "star" for what is nobody's; "none" draws the bare symbol.
Shape = Literal["disc", "square", "diamond", "hexagon", "star", "none"]

# "light" and "dark" are the chequers (a region without either is chequered by the drawing), "neutral" lies
# between regions, "home" is a corner or base to be noticed, "hole" is no square at all.
Tint = Literal[
    "plain", "light", "dark", "neutral", "home", "hole", "region1", "region2", "region3", "region4"
]

# Of the last turn: "from" and "to" where it began and ended, "last" the stone or piece just put down,
# "captured" where something was taken, "void" a placement that did not count, "run" part of a line made.
# Of the position: "centre" a special empty square, "check" a piece attacked, "territory" whose point it is
# (with a colour, and in text the mark's own text). Of a piece's powers: "quiet" and "target", where it may go
# and what it may take. Of a rewind: "changed" where another token stands than before, "emptied" where none
# does any more.
MarkKind = Literal[
    "from", "to", "captured", "void", "centre", "last", "run", "check", "territory", "quiet", "target",
    "changed", "emptied",
]  # fmt: skip
Bond = Literal["bridge", "domino"]
Lattice = Literal["cells", "points", "islands"]


@dataclass(frozen=True, slots=True)
class Token:
    """What stands on a square: `text` is its symbol in every drawing; `name` reads it out ("red Cannon").

    `owner` is the owner's short sign ("2"), where the symbol does not tell: text shows it behind the symbol
    ("Cn2"), pictures on a badge. Symbol and owner together are 1 to 3 visible characters.
    """

    square: str
    text: str
    name: str
    colour: Colour = "none"
    shape: Shape = "disc"
    ringed: bool = False  # a mascot, a claim: drawn with a second outline, `*` in text
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A line between two neighbouring squares: a bridge, or the joint of a domino.

    `text` is the bridge's sign in text ("r"); a domino's joint is drawn by its direction, whatever its text.
    """

    first: str
    second: str
    colour: Colour
    text: str
    bond: Bond = "bridge"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to notice on a square. `text` is one or two characters (the number of a move within the turn);
    `colour` only for territory."""

    square: str
    kind: MarkKind
    text: str = ""
    colour: Colour = "none"


@dataclass(frozen=True, slots=True)
class Diagram:
    """A board. `columns` left to right, `rows` top to bottom; a square's name is column + row ("h8").

    `lattice` "cells" draws squares, "points" draws crossings of lines (Go), "islands" draws separate spaces.
    At most one token stands on a square. `tints` gives squares other than plain ones; a square may have several
    ("region3" and "home"). `legend` explains symbols; what marks and tints mean is explained by the drawing.
    `sentences` describe the board and the last happening in words, for those who cannot see it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    lattice: Lattice = "cells"
    tokens: tuple[Token, ...] = ()
    tints: tuple[tuple[str, Tint], ...] = ()
    links: tuple[Link, ...] = ()
    marks: tuple[Mark, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    sentences: tuple[str, ...] = ()
