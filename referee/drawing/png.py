"""A diagram as PNG, rendered from its SVG by resvg with the packaged font alone.

Licences, read from the wheel of resvg_py 0.5.0 and from its upstream: the binding is MIT (LICENSE in its dist-info,
"Copyright (C) 2024, baseplate-admin"); resvg and usvg 0.48 inside it are "Apache-2.0 OR MIT"; every other crate that
its bill of materials (dist-info/sboms) lists is under MIT, Apache-2.0, BSD, Zlib, Unlicense or Unicode terms. None
binds the programs that use it. The font's licence lies beside it in `fonts/LICENSE`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import resvg_py

from referee.core.diagram import Diagram
from referee.drawing.mosaic import mosaic
from referee.drawing.svg import draw_svg

FONT_FILE = Path(__file__).with_name("fonts") / "DejaVuSans-Bold-subset.ttf"
FAMILY = "DejaVu Sans"


@lru_cache(maxsize=64)
def draw_png(diagram: Diagram, scale: float = 1.0) -> bytes:
    """The picture at `scale` times its size in pixels (`picture_size`); the same bytes for the same diagram.

    The last few are kept: one picture goes to many recipients.
    """
    return mosaic(diagram, scale, render) or render(draw_svg(diagram), scale)


def render(svg: str, zoom: float = 1.0) -> bytes:
    """An SVG as PNG: no font but ours, no file but the font's."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=zoom,
            skip_system_fonts=True,
            font_files=[str(FONT_FILE)] if "<text" in svg else [],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
