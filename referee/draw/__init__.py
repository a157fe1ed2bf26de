"""Diagrams to plain text, SVG, PNG and sentences: four drawings of one value, so they cannot disagree."""

from referee.core.diagram import Diagram
from referee.draw.grid import ImpossibleDiagram, describe, picture_key
from referee.draw.svg import draw_svg, picture_size
from referee.draw.text import draw_text

__all__ = [
    "ImpossibleDiagram",
    "describe",
    "draw_png",
    "draw_svg",
    "draw_text",
    "picture_key",
    "picture_size",
]


def draw_png(diagram: Diagram) -> bytes:
    """A diagram as PNG. What draws it is loaded with the first picture."""
    from referee.draw.png import draw_png

    return draw_png(diagram)
