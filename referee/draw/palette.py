"""The colours of the pictures: apart in hue and in lightness, after what Okabe and Ito found the colour-blind to see.

Colour never stands alone: symbols, shapes, badges and line styles say the same once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.diagram import Colour, Tint
from referee.core.value import Value


class Paint(Value):
    """A token's filling, the ink of its symbol, its outline."""

    fill: str
    ink: str
    edge: str


PAINTS: Mapping[Colour, Paint] = {
    "none": Paint("#f4efe4", "#1d1d1f", "#55524b"),
    "black": Paint("#26262a", "#ffffff", "#000000"),
    "white": Paint("#ffffff", "#1d1d1f", "#33333a"),
    "red": Paint("#c62f24", "#ffffff", "#6b120b"),
    "blue": Paint("#0b63a8", "#ffffff", "#05335a"),
    "green": Paint("#0a7d5a", "#ffffff", "#04402e"),
    "yellow": Paint("#f4dd3c", "#1d1d1f", "#7a6a00"),
    "purple": Paint("#b483c9", "#1d1d1f", "#5b2f70"),
    "orange": Paint("#ee9125", "#1d1d1f", "#7c4300"),
    "grey": Paint("#c9ccd1", "#1d1d1f", "#3f434a"),
}

# The light and the dark chequer of each tint. Regions 1 to 4 lean to red, blue, green and yellow.
GROUNDS: Mapping[Tint, tuple[str, str]] = {
    "plain": ("#f6f0e4", "#e8dcc8"),
    "neutral": ("#eeeeec", "#dededb"),
    "region1": ("#fbe9e2", "#f3d3c6"),
    "region2": ("#e4eef8", "#c9deef"),
    "region3": ("#e5f2e3", "#cbe4c8"),
    "region4": ("#fbf6d8", "#f1e7b4"),
}

PAPER = "#ffffff"
INK = "#1d1d1f"
LABEL = "#4a4a50"
GRID = "#9a917d"
WOOD = "#f1dcae"
LINE = "#6a5631"
ISLAND = "#f3ecdb"
BONE = "#fdf8ea"
FRAME = "#c4006e"  # where the last turn went
ALERT = "#a30000"
GOLD = "#8a4b00"
HATCH = "#b9b9b4"

# What a picture is made of, for its file: every colour that fills an area, and which of them touch, so that shades
# between the two stand along their edge.
_OUTLINES = (PAPER, INK, LABEL, GRID, WOOD, LINE, ISLAND, BONE, FRAME, ALERT, GOLD, HATCH)
_GROUND = tuple(colour for pair in GROUNDS.values() for colour in pair)
FLAT: Sequence[str] = tuple(
    dict.fromkeys((*_OUTLINES, *(c for p in PAINTS.values() for c in (p.fill, p.ink, p.edge)), *_GROUND))
)
TOUCHING: Sequence[tuple[str, str]] = tuple(
    dict.fromkeys(
        (
            *((p.fill, other) for p in PAINTS.values() for other in (p.ink, p.edge)),
            *((WOOD, LINE), (PAPER, INK), (PAPER, LABEL), (ISLAND, INK), (WOOD, FRAME), (PAPER, FRAME)),
            *((p.edge, GROUNDS["plain"][0]) for p in PAINTS.values()),
            *((GRID, colour) for colour in _GROUND),
        )
    )
)


def ground(tints: Sequence[Tint], dark: bool) -> str:
    """The colour of a square; `dark` where it falls on a dark chequer, which a plain one does not show."""
    zone: Tint = next((tint for tint in tints if tint in GROUNDS), "plain")
    return GROUNDS[zone][dark and zone != "plain"]
