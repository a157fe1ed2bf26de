"""Diagrams to plain text, SVG, PNG and sentences: four drawings of one value, so they cannot disagree."""

from referee.core.diagram import Diagram
from referee.drawing.grid import ImpossibleDiagram
from referee.drawing.legend import describe, picture_key
from referee.drawing.svg import draw_svg, picture_size
from referee.drawing.text import draw_text

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
    from referee.drawing.png import draw_png

    return draw_png(diagram)
