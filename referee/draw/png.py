"""A diagram as PNG: its bare board is drawn once, and what stands on a square is laid on it. SVG to pixels by resvg,
with the packaged font alone; pixels to PNG by Pillow.

A picture's file has a palette of the colours that fill areas and of shades between them: a third of the bytes of true
colours. Areas are off by 4 of 255 at most, which nobody sees, the edges of lines and letters by 40.

Licences, read from the wheel of resvg_py 0.5.0 and from its upstream: the binding is MIT (LICENSE in its dist-info,
"Copyright (C) 2024, baseplate-admin"); resvg and usvg 0.48 inside it are "Apache-2.0 OR MIT"; every other crate that
its bill of materials (dist-info/sboms) lists is under MIT, Apache-2.0, BSD, Zlib, Unlicense or Unicode terms. None
binds the programs that use it. Pillow's is MIT-CMU. The font's licence lies beside it in `fonts/LICENSE`.
"""

from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from itertools import product
from pathlib import Path
from xml.etree.ElementTree import tostring

import resvg_py
from PIL import Image

from referee.core.diagram import Diagram, Lattice, Mark, Token
from referee.draw.svg import FLAT, TOUCHING, Canvas

FONT_FILE = Path(__file__).with_name("fonts") / "DejaVuSans-Bold-subset.ttf"
FAMILY = "DejaVu Sans"
_COMPRESSED = 3  # of 9: half the time of the usual 6, a quarter more bytes
_CUBE = (0, 85, 170, 255)  # what shades are made of that none of those between two colours comes near


@lru_cache(maxsize=64)  # one picture goes to many recipients
def draw_png(diagram: Diagram) -> bytes:
    """The picture at its size in pixels (`picture_size`); the same bytes for the same diagram."""
    sheet = Canvas(diagram)
    side, margin = sheet.pixels()
    ground, bare = _board(replace(diagram, title="", tokens=(), marks=(), legend=(), sentences=()))
    picture = bare.copy()
    for place in sorted({*sheet.grid.tokens, *sheet.grid.marks}):
        x, y = margin + place[0] * side, margin + place[1] * side
        token = sheet.grid.tokens.get(place)
        alone = replace(token, square=_ITSELF, name="") if token else None
        marks = tuple(replace(mark, square=_ITSELF) for mark in sheet.grid.marks.get(place, ()))
        beneath = ground.crop((x, y, x + side, y + side)).tobytes()
        picture.paste(_square(beneath, side, diagram.lattice, alone, marks), (x, y))
    return encoded(picture)


@lru_cache(maxsize=16)
def _board(bare: Diagram) -> tuple[Image.Image, Image.Image]:
    """A board on which nothing stands, in true colours and in the palette's."""
    sheet = Canvas(bare)
    sheet.labels()
    drawn = pixels(tostring(sheet.drawn(), encoding="unicode"))
    return drawn, in_palette(drawn)


@lru_cache(maxsize=2000)
def _square(
    beneath: bytes, side: int, lattice: Lattice, token: Token | None, marks: tuple[Mark, ...]
) -> Image.Image:
    """What stands on a square, laid on what lies beneath it."""
    picture = Image.frombytes("RGBA", (side, side), beneath)
    if token:
        picture.alpha_composite(_sprite(lattice, token, (), side))
    if marks:
        picture.alpha_composite(_sprite(lattice, token and _MAN, marks, side))
    return in_palette(picture)


_ITSELF = "11"
_MAN = Token(_ITSELF, "x", "")  # whichever stands there


@lru_cache(maxsize=1000)
def _sprite(lattice: Lattice, token: Token | None, marks: tuple[Mark, ...], side: int) -> Image.Image:
    """A token and nothing beneath; or the marks of a square with a token or without one."""
    sheet = Canvas(Diagram("", (_ITSELF[0],), (_ITSELF[1],), lattice, (token,) if token else (), marks=marks))
    sheet.root[:] = []
    if marks:
        sheet.marks()
    else:
        sheet.men()
    x, y = sheet.at((0, 0))
    sheet.root.set(
        "viewBox", f"{x - sheet.pitch / 2:g} {y - sheet.pitch / 2:g} {sheet.pitch:g} {sheet.pitch:g}"
    )
    sheet.root.set("width", str(side))
    sheet.root.set("height", str(side))
    return pixels(tostring(sheet.root, encoding="unicode"))


def in_palette(picture: Image.Image) -> Image.Image:
    """The picture in the palette's colours."""
    return picture.convert("RGB").quantize(palette=_PALETTE, dither=Image.Dither.NONE)


def pixels(svg: str) -> Image.Image:
    """The pixels of an SVG, transparent where it draws nothing: no font but ours, no file but the font's."""
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=True,
        font_files=[str(FONT_FILE)] if "<text" in svg else [],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    with Image.open(BytesIO(bytes(png)), formats=("PNG",)) as drawn:
        return drawn.convert("RGBA")


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
