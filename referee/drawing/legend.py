"""What marks, tints and links mean, in words, for the drawings that explain themselves."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.diagram import Diagram, MarkKind
from referee.drawing.grid import visible

MEANINGS: Mapping[MarkKind, str] = {
    "from": "where the last turn began",
    "to": "where it ended",
    "last": "just placed",
    "captured": "captured here",
    "void": "did not count",
    "run": "part of a line",
    "check": "attacked",
    "centre": "the centre",
    "territory": "territory",
    "quiet": "may go there",
    "target": "may capture there",
    "changed": "changed",
    "emptied": "empty now",
}

_LOOKS: Mapping[MarkKind, str] = {
    "from": "dashed frame",
    "to": "solid frame",
    "last": "solid frame",
    "captured": "cross",
    "void": "struck-out ring",
    "run": "dotted frame",
    "check": "exclamation mark",
    "centre": "four corners",
    "territory": "small square",
    "quiet": "dot",
    "target": "cross-hair",
    "changed": "solid frame",
    "emptied": "dashed frame",
}

LINES: Mapping[str, str] = {"red": "solid line", "black": "dashed line", "white": "double line"}


def kinds(diagram: Diagram) -> tuple[MarkKind, ...]:
    """The kinds of marks in use, in the order of their meanings."""
    used = {mark.kind for mark in diagram.marks}
    return tuple(kind for kind in MEANINGS if kind in used)


def given(diagram: Diagram) -> tuple[tuple[str, str], ...]:
    """The game's own legend, fit to be shown on one line each."""
    return tuple((visible(sign), visible(meaning)) for sign, meaning in diagram.legend)


def picture_key(diagram: Diagram) -> tuple[tuple[str, str], ...]:
    """The legend that belongs below a picture: the game's, then the looks of marks, squares and bridges in it."""
    own = tuple(("double outline" if sign == "*" else sign, meaning) for sign, meaning in given(diagram))
    rows = list(own)
    rows += [(_LOOKS[kind], MEANINGS[kind]) for kind in kinds(diagram)]
    tints = {tint for _, tint in diagram.tints}
    rows += [(look, what) for tint, look, what in _SQUARES if tint in tints]
    colours = dict.fromkeys(link.colour for link in diagram.links if link.bond == "bridge")
    rows += [(LINES[colour], f"{colour} bridge") for colour in colours if colour in LINES]
    return tuple(dict.fromkeys(rows))


_SQUARES = (
    ("neutral", "hatched square", "neutral"),
    ("home", "framed corner", "home"),
)
