"""A diagram as PNG: of tiles where that can be, else drawn whole. What draws is loaded with the first picture."""

from __future__ import annotations

from functools import lru_cache

from referee.core.diagram import Diagram


@lru_cache(maxsize=64)
def draw_png(diagram: Diagram, scale: float = 1.0) -> bytes:
    """The picture at `scale` times its size in pixels (`picture_size`); the same bytes for the same diagram.

    The last few are kept: one picture goes to many recipients.
    """
    from referee.drawing.raster import encoded, render
    from referee.drawing.svg import draw_svg
    from referee.drawing.tiles import of_tiles

    return of_tiles(diagram, scale) or encoded(render(draw_svg(diagram), scale))
