"""An SVG as pixels, by resvg with the packaged font alone, and pixels as PNG, by Pillow.

A picture's file has a palette of the colours that fill areas and of shades between them: a third of the bytes of true
colours. Areas are off by 4 of 255 at most, which nobody sees, the edges of lines and letters by 40.

Licences, read from the wheel of resvg_py 0.5.0 and from its upstream: the binding is MIT (LICENSE in its dist-info,
"Copyright (C) 2024, baseplate-admin"); resvg and usvg 0.48 inside it are "Apache-2.0 OR MIT"; every other crate that
its bill of materials (dist-info/sboms) lists is under MIT, Apache-2.0, BSD, Zlib, Unlicense or Unicode terms. None
binds the programs that use it. Pillow's is MIT-CMU. The font's licence lies beside it in `fonts/LICENSE`.
"""

from __future__ import annotations

from io import BytesIO
from itertools import product
from pathlib import Path

import resvg_py
from PIL import Image

from referee.drawing.palette import FLAT, TOUCHING

FONT_FILE = Path(__file__).with_name("fonts") / "DejaVuSans-Bold-subset.ttf"
FAMILY = "DejaVu Sans"
_COMPRESSED = 3  # of 9: half the time of the usual 6, a quarter more bytes
_CUBE = (0, 85, 170, 255)  # what shades are made of that none of those between two colours comes near


def render(svg: str, zoom: float = 1.0) -> Image.Image:
    """The pixels of an SVG in the palette's colours."""
    return in_palette(pixels(svg, zoom))


def in_palette(picture: Image.Image) -> Image.Image:
    """The picture in the palette's colours."""
    return picture.convert("RGB").quantize(palette=_PALETTE, dither=Image.Dither.NONE)


def pixels(svg: str, zoom: float = 1.0) -> Image.Image:
    """The pixels of an SVG, transparent where it draws nothing: no font but ours, no file but the font's."""
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=zoom,
        skip_system_fonts=True,
        font_files=[str(FONT_FILE)] if "<text" in svg else [],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    with Image.open(BytesIO(bytes(png)), formats=("PNG",)) as drawn:
        return drawn.convert("RGBA")


def blank(width: int, height: int) -> Image.Image:
    """A picture to put others into."""
    empty = Image.new("P", (width, height))
    empty.putpalette(_PALETTE.palette or b"")
    return empty


def encoded(picture: Image.Image) -> bytes:
    """The picture as PNG; the same bytes for the same pixels."""
    file = BytesIO()
    picture.save(file, "PNG", compress_level=_COMPRESSED)
    return file.getvalue()


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _between(one: str, other: str, share: float) -> tuple[int, int, int]:
    r, g, b = (round(a + (z - a) * share) for a, z in zip(_rgb(one), _rgb(other), strict=True))
    return r, g, b


def _palette() -> Image.Image:
    """Every flat colour, the shades between those that touch, and a few of everything else: 256 at most."""
    shades = [_between(*pair, share) for share in (0.5, 0.25, 0.75) for pair in TOUCHING]
    colours = list(dict.fromkeys([*map(_rgb, FLAT), *shades, *product(_CUBE, repeat=3)]))[:256]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in colours for part in colour])
    return palette


_PALETTE = _palette()
