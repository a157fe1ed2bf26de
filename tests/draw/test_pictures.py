"""SVG and PNG: well-formed, safe to stand in a page, the same bytes every time."""

import random
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import replace
from io import BytesIO
from operator import sub
from pathlib import Path
from typing import TypeVar
from xml.etree.ElementTree import fromstring

import pytest
import resvg_py
from PIL import Image

from referee.core.diagram import Diagram, Link, Mark, Token
from referee.draw import ImpossibleDiagram, draw_png, draw_svg, draw_text, picture_key, picture_size, png
from referee.draw.png import FONT_FILE, in_palette, pixels
from referee.draw.svg import FLAT, PAINTS

_Part = TypeVar("_Part")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>&\"']]>\x00\x1b\ud800\u202e"


def test_a_picture_names_and_describes_itself(sample: Diagram) -> None:
    root = fromstring(draw_svg(sample))
    assert root[0].tag == SVG + "title"
    assert root[0].text == (sample.title or "Board")
    assert root[1].tag == SVG + "desc"
    assert root.get("role") == "img"


def test_a_picture_has_no_ids_scripts_styles_or_references(sample: Diagram) -> None:
    text = draw_svg(sample)
    assert not re.search(r"<(script|style|image|use|a|foreignObject)\b|\b(id|href|on\w+|class)=|url\(", text)


def test_nothing_a_player_wrote_becomes_markup() -> None:
    diagram = Diagram(
        HOSTILE, ("a", "b"), ("1",), tokens=(Token("a1", "<&>", HOSTILE),), legend=((HOSTILE, HOSTILE),),
        sentences=(HOSTILE,), marks=(Mark("a1", "to", '"<'),), links=(Link("a1", "b1", "red", "<r"),),
    )  # fmt: skip
    root = fromstring(draw_svg(diagram))
    assert {element.tag for element in root.iter()} <= {
        SVG + tag for tag in ("svg", "title", "desc", "rect", "g", "path", "circle", "text")
    }
    assert root[0].text == "<script>alert(1)</script>&\"']]>"
    assert draw_png(diagram).startswith(b"\x89PNG")
    assert "\x1b" not in draw_text(diagram)


def test_every_piece_shows_symbol_and_owner_apart_from_colour(samples: dict[str, Diagram]) -> None:
    diagram = samples["fourplay"]
    root = fromstring(draw_svg(diagram))
    shown = {
        group.get("data-square"): [text.text for text in group.findall(SVG + "text")]
        for group in root.iter(SVG + "g")
        if group.get("data-token")
    }
    assert shown == {t.square: [t.text, t.owner] if t.owner else [t.text] for t in diagram.tokens}


def test_four_owners_have_four_shapes(samples: dict[str, Diagram]) -> None:
    root = fromstring(draw_svg(samples["fourplay"]))
    figures = {g.get("data-square"): g for g in root.iter(SVG + "g") if g.get("data-token")}
    kings = [token.square for token in samples["fourplay"].tokens if token.text == "K"]
    strokes = {
        re.sub(r"-?[\d.]+", "", figures[square].findall(SVG + "path")[-1].get("d") or "") for square in kings
    }
    assert len(strokes) == len(kings) == 4


def test_bridges_differ_in_line_and_letter_and_the_key_says_so(samples: dict[str, Diagram]) -> None:
    root = fromstring(draw_svg(samples["buttons"]))
    looks = {}
    for bridge in root.iter(SVG + "g"):
        if bridge.get("data-link"):
            strokes = tuple(
                (p.get("stroke-width"), p.get("stroke-dasharray")) for p in bridge.iter(SVG + "path")
            )
            looks[bridge.get("data-colour")] = (strokes, [t.text for t in bridge.iter(SVG + "text")])
    assert len({strokes for strokes, _ in looks.values()}) == 3
    assert {colour: letters for colour, (_, letters) in looks.items()} == {
        "red": ["r"], "black": ["b"], "white": ["w"],
    }  # fmt: skip
    assert ("dashed line", "black bridge") in picture_key(samples["buttons"])


def _light(colour: str) -> float:
    def linear(c: float) -> float:
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4

    r, g, b = (linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_every_symbol_stands_out_from_its_token() -> None:
    for name, paint in PAINTS.items():
        bright, dim = sorted((_light(paint.fill), _light(paint.ink)), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 4.5, name


def test_the_size_fits_a_letter(sample: Diagram) -> None:
    width, height = picture_size(sample)
    assert width <= 640
    assert height <= 900
    assert draw_png(sample)[16:24] == width.to_bytes(4, "big") + height.to_bytes(4, "big")


def test_the_same_diagram_gives_the_same_bytes_in_any_process(samples: dict[str, Diagram]) -> None:
    script = (
        "import sys, hashlib, pathlib\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "import conftest\n"
        "from referee.draw import draw_png, draw_svg\n"
        "for earlier in sys.argv[2:]:\n"
        "    draw_png(conftest.SAMPLES[earlier]())\n"
        "d = conftest.SAMPLES['buttons']()\n"
        "print(hashlib.sha256(draw_svg(d).encode() + draw_png(d)).hexdigest())\n"
    )
    here = Path(__file__)
    runs = {
        subprocess.run(
            [sys.executable, "-c", script, str(here.parent), *earlier],
            cwd=here.parents[2], env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed, earlier in (("1", ()), ("2", ("ragged", "one square")))
    }  # fmt: skip
    assert len(runs) == 1


def test_a_picture_laid_on_its_board_looks_like_the_one_drawn_whole(sample: Diagram) -> None:
    laid, whole = _pixels(draw_png(sample)), _true(draw_svg(sample))
    assert laid.size == whole.size
    assert _apart(laid, whole, 40) <= 0.0005


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["fourplay", "go", "onepiece", "buttons", "powers", "holed"])
def test_a_picture_is_the_same_whatever_was_drawn_before_it(samples: dict[str, Diagram], name: str) -> None:
    """Positions of two games on one board by turns, each with some of what stands, is marked and is linked on it."""
    chance = random.Random(name)
    whole = samples[name]

    def some(parts: tuple[_Part, ...]) -> tuple[_Part, ...]:
        return tuple(part for part in parts if chance.random() < 0.6)

    course = [
        replace(whole, tokens=some(whole.tokens), marks=some(whole.marks), links=some(whole.links))
        for _ in range(8)
    ]
    one_by_one = [draw_png(position) for position in [whole, *course, *course, whole]]
    for position, drawn in zip([whole, *course, *course, whole], one_by_one, strict=True):
        for kept in (png.draw_png, png._board, png._square, png._sprite):
            kept.cache_clear()
        assert draw_png(position) == drawn


@pytest.mark.one_in(2)
def test_areas_keep_their_colour_and_edges_are_a_shade_apart_at_most(sample: Diagram) -> None:
    """What SVG says, pixel by pixel: the file's 256 colours are those of the areas and shades between them."""
    svg = draw_svg(sample)
    drawn, whole = in_palette(pixels(svg)).convert("RGB"), _true(svg)
    assert _apart(drawn, whole, 40) == 0
    assert _apart(drawn, whole, 16) <= 0.004
    flat = {_rgb(colour) for colour in FLAT}
    assert _apart(drawn, whole, 4, within=flat) == 0


def test_no_colour_is_left_out_of_the_palette() -> None:
    known = {_rgb(colour) for colour in FLAT}
    kept = in_palette(Image.new("RGB", (1, 1))).getpalette() or []
    assert known <= {(r, g, b) for r, g, b in zip(kept[::3], kept[1::3], kept[2::3], strict=True)}
    named = {
        colour
        for file in Path(png.__file__).parent.glob("*.py")
        for colour in re.findall(r"#[0-9a-f]{6}", file.read_text())
    }
    assert {_rgb(colour) for colour in named} <= known


def _pixels(png: bytes) -> Image.Image:
    with Image.open(BytesIO(png)) as picture:
        return picture.convert("RGB")


def _true(svg: str) -> Image.Image:
    """What resvg draws, before it is brought into a palette."""
    options = {"font_files": [str(FONT_FILE)], "font_family": png.FAMILY, "sans_serif_family": png.FAMILY}
    return _pixels(bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, **options)))


def _apart(
    one: Image.Image, other: Image.Image, most: int, within: Collection[tuple[int, int, int]] | None = None
) -> float:
    """The share of values more than `most` apart; `within`: only where the other picture has one of these colours."""
    values = zip(one.tobytes(), other.tobytes(), strict=True)
    if within is None:
        return sum(abs(a - b) > most for a, b in values) / (3 * other.width * other.height)
    pixels = zip(_colours(one), _colours(other), strict=True)
    return float(sum(max(map(abs, map(sub, a, b))) > most for a, b in pixels if b in within))


def _colours(picture: Image.Image) -> Iterator[tuple[int, int, int]]:
    parts = iter(picture.tobytes())
    return zip(parts, parts, parts, strict=True)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:], 16)


def test_only_the_packaged_font_is_used() -> None:
    assert FONT_FILE.stat().st_size < 100_000
    assert "Permission is hereby granted" in FONT_FILE.with_name("LICENSE").read_text()
    shown = Diagram("", ("a",), ("1",), tokens=(Token("a1", "W", "W"),))
    beyond = Diagram("", ("a",), ("1",), tokens=(Token("a1", "漢", "Han"),))
    other = Diagram("", ("a",), ("1",), tokens=(Token("a1", "字", "Ji"),))
    assert draw_png(beyond) == draw_png(other)  # no font of the machine knows them here
    assert draw_png(shown) != draw_png(beyond)


@pytest.mark.parametrize(
    "diagram",
    [
        Diagram("", ("a",), ("1",), tokens=(Token("b1", "P", "Pawn"),)),
        Diagram("", ("a",), ("1",), marks=(Mark("a2", "to"),)),
        Diagram("", ("a",), ("1",), tints=(("z9", "home"),)),
        Diagram("", ("a",), ("1",), links=(Link("a1", "b1", "red", "r"),)),
        Diagram("", ("a", "b", "c"), ("1",), links=(Link("a1", "c1", "red", "r"),)),
        Diagram("", ("a",), ("1",), tokens=(Token("a1", "P", "Pawn"), Token("a1", "K", "King"))),
        Diagram("", ("a",), ("1",), tokens=(Token("a1", " \x00", "Nothing"),)),
        Diagram("", (), ()),
    ],
)
def test_a_diagram_that_contradicts_itself_is_refused(diagram: Diagram) -> None:
    for draw in (draw_text, draw_svg, draw_png):
        with pytest.raises(ImpossibleDiagram):
            draw(diagram)
