"""An SVG as pixels, by resvg with the packaged font alone, and pixels as PNG, by Pillow; or of rows that were deflated
before, so that those which have not changed are not deflated again.

A picture's file has a palette of the colours that fill areas and of shades between them: a third of the bytes of true
colours. Areas are off by 4 of 255 at most, which nobody sees, the edges of lines and letters by 40.

Licences, read from the wheel of resvg_py 0.5.0 and from its upstream: the binding is MIT (LICENSE in its dist-info,
"Copyright (C) 2024, baseplate-admin"); resvg and usvg 0.48 inside it are "Apache-2.0 OR MIT"; every other crate that
its bill of materials (dist-info/sboms) lists is under MIT, Apache-2.0, BSD, Zlib, Unlicense or Unicode terms. None
binds the programs that use it. Pillow's is MIT-CMU. The font's licence lies beside it in `fonts/LICENSE`.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import NamedTuple

import resvg_py
from PIL import Image
from PIL.PngImagePlugin import putchunk

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


class Pressed(NamedTuple):
    """Rows of a picture as they stand in its file, which others can stand before and behind: deflated (RFC 1951, ending
    at a byte), with the checksum and the number of the bytes they were made of (RFC 1950)."""

    data: bytes
    checksum: int
    length: int


def pressed(picture: Image.Image, top: int, bottom: int) -> Pressed:
    """The rows from `top` to `bottom` of a picture in the palette's colours."""
    width = picture.width
    pixels = picture.crop((0, top, width, bottom)).tobytes()
    # before each row stands which filter it went through: none
    rows = b"\0" + b"\0".join([pixels[at : at + width] for at in range(0, len(pixels), width)])
    deflating = zlib.compressobj(_COMPRESSED, wbits=-zlib.MAX_WBITS)
    data = deflating.compress(rows) + deflating.flush(zlib.Z_FULL_FLUSH)
    return Pressed(data, zlib.adler32(rows), len(rows))


def together(width: int, height: int, rows: Iterable[Pressed]) -> bytes:
    """A picture in the palette's colours as PNG, of its rows from top to bottom."""
    stream, checksum = [_ZLIB], 1
    for data, its_own, length in rows:
        stream.append(data)
        checksum = _of_both(checksum, its_own, length)
    file = BytesIO(_PNG)
    file.seek(len(_PNG))
    putchunk(file, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, _INDEXED, 0, 0, 0))
    putchunk(file, b"PLTE", bytes(_PALETTE.getpalette() or ()))
    putchunk(file, b"IDAT", *stream, _LAST, checksum.to_bytes(4, "big"))
    putchunk(file, b"IEND")
    return file.getvalue()


def _of_both(first: int, second: int, length: int) -> int:
    """Adler's checksum of bytes whose first part has the one, and whose second part, so long, the other."""
    total = (first & 0xFFFF) + (second & 0xFFFF) - 1
    weighted = (first >> 16) + (second >> 16) + length * ((first & 0xFFFF) - 1)
    return total % _ADLER | weighted % _ADLER << 16


_PNG = b"\x89PNG\r\n\x1a\n"
_INDEXED = 3  # of a PNG: its pixels are numbers of a palette's colours
_ZLIB, _LAST = b"\x78\x01", b"\x03\x00"  # how such a stream begins, and a last block with nothing in it
_ADLER = 65521  # a prime


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
