"""What marks, tints and links mean, in words, for the drawings that explain themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.core.diagram import Diagram, MarkKind
from referee.drawing.grid import visible


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
    "check": Sign("attacked", "exclamation mark", "Attacked:"),
    "centre": Sign("the centre", "four corners"),
    "territory": Sign("territory", "small square"),
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
    own = tuple(("double outline" if sign == "*" else sign, meaning) for sign, meaning in given(diagram))
    rows = list(own)
    rows += [(SIGNS[kind].look, SIGNS[kind].meaning) for kind in kinds(diagram)]
    tints = {tint for _, tint in diagram.tints}
    rows += [(look, what) for tint, look, what in _SQUARES if tint in tints]
    colours = dict.fromkeys(link.colour for link in diagram.links if link.bond == "bridge")
    rows += [(LINES[colour], f"{colour} bridge") for colour in colours if colour in LINES]
    return tuple(dict.fromkeys(rows))


_SQUARES = (
    ("neutral", "hatched square", "neutral"),
    ("home", "framed corner", "home"),
)
