"""A diagram in words: what marks, tints and links mean, for the drawings that explain themselves; and all of it read
out, for screen readers and wherever no picture is shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from referee.core.diagram import Diagram, MarkKind
from referee.draw.grid import grid, visible


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
        named.setdefault((visible(token.name) or visible(token.text + token.owner), ringed), []).append(
            token.square
        )
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
