"""Law 9: the text, the SVG, the PNG and the sentences describe the same state."""

import re
from io import BytesIO
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from referee.core.diagram import Diagram, Link, Mark, Token
from referee.draw import describe, draw_png, draw_svg, draw_text, picture_size
from referee.draw.grid import symbol
from referee.draw.svg import Canvas

SVG = "{http://www.w3.org/2000/svg}"
BRACKETS = "()[]{}<>/\\'*"
KINDS = ["from", "to", "captured", "void", "centre", "last", "run", "quiet", "target", "changed", "emptied"]
SYMBOLS = "ABKPWZabxyz0189$~+.:^,;%&?=#@_éßΩЖ†"


def tokens_in_text(diagram: Diagram) -> dict[str, str]:
    """Reads a text drawing back with nothing but its headings: whatever stands under a column's letter and is
    not a sign of emptiness. Brackets around it are not part of it."""
    wide = max([len(symbol(t)) for t in diagram.tokens] + [len(c) for c in diagram.columns])
    used = {symbol(t) for t in diagram.tokens}
    seen = used | {"*" for t in diagram.tokens if t.ringed}
    empty = {
        next(c for c in signs if not {c, c * wide} & seen) for signs in (".·_,", ":;|¦", "^@#ˆ", "+‡†", "*×¤")
    }
    label = max(len(row) for row in diagram.rows)
    found: dict[str, str] = {}
    for lines in blocks(draw_text(diagram, legend=False)):
        starts = [
            (m.group(), m.start() - (wide - len(m.group()) + 1) // 2) for m in re.finditer(r"\S+", lines[0])
        ]
        for line in lines[1:-1]:
            row = line[:label].strip()
            if row not in diagram.rows:
                continue
            for column, start in starts:
                cell = line[start : start + wide].strip().strip(BRACKETS)
                if cell and not (cell[0] in empty and cell == cell[0] * len(cell) and cell not in used):
                    found[column + row] = cell
    return found


def blocks(text: str) -> list[list[str]]:
    """The parts of a board, each from its heading to the same heading below."""
    lines, parts = text.rstrip("\n").split("\n"), []
    while lines:
        end = lines.index(lines[0], 1) + 1
        parts.append(lines[:end])
        lines = lines[end + 1 :]
    return parts


def tokens_in_svg(diagram: Diagram) -> dict[str, str]:
    root = fromstring(draw_svg(diagram))
    return {
        group.get("data-square", ""): group.get("data-token", "")
        for group in root.iter(SVG + "g")
        if "data-token" in group.attrib
    }


def marks_in_svg(diagram: Diagram) -> set[tuple[str, str]]:
    root = fromstring(draw_svg(diagram))
    return {
        (group.get("data-square", ""), kind)
        for group in root.iter(SVG + "g")
        for kind in group.get("data-mark", "").split()
    }


def pixels(png: bytes) -> tuple[int, list[bytes]]:
    """Bytes of a pixel (red, green and blue), and the rows of a PNG."""
    with Image.open(BytesIO(png)) as picture:
        data, stride = picture.convert("RGB").tobytes(), 3 * picture.width
    return 3, [data[start : start + stride] for start in range(0, len(data), stride)]


def patch(diagram: Diagram, image: tuple[int, list[bytes]], square: str, reach: float) -> bytes:
    """The pixels around the middle of a square."""
    side, margin = Canvas(diagram).pixels()
    place = {c + r: (x, y) for x, c in enumerate(diagram.columns) for y, r in enumerate(diagram.rows)}[square]
    x, y = (round(margin + (n + 0.5) * side) for n in place)
    factor = side / (104 if diagram.lattice == "islands" else 40)
    r, (each, rows) = max(1, round(reach * factor)), image
    return b"".join(row[(x - r) * each : (x + r) * each] for row in rows[y - r : y + r])


def test_what_the_game_has_said_is_not_said_again() -> None:
    token = Token("a1", "K", "King")
    told = Diagram("", ("a",), ("1",), tokens=(token,), sentences=("A King stands on a1",))
    assert describe(told) == "A King stands on a1."
    untold = Diagram("", ("a",), ("1",), tokens=(token,), sentences=("Nothing happened!",))
    assert describe(untold) == "Nothing happened! King: a1."


@pytest.mark.parametrize("name", ["fourplay", "go", "onepiece", "buttons"])
def test_the_png_shows_something_where_a_token_stands_and_nothing_where_not(
    samples: dict[str, Diagram], name: str
) -> None:
    diagram = samples[name]
    image = pixels(draw_png(diagram))
    occupied = {t.square: t for t in diagram.tokens}
    marked = {m.square for m in diagram.marks}
    looks: dict[str, set[bytes]] = {}
    for column in diagram.columns:
        for row in diagram.rows:
            square = column + row
            seen = patch(diagram, image, square, 7)
            if square in occupied:
                assert len(set(seen)) > 8, square
                looks.setdefault(occupied[square].colour + occupied[square].text, set()).add(seen)
            elif square not in marked and diagram.lattice != "points":
                assert len(set(seen)) <= 40, square
    assert len(looks) == len({t.colour + t.text for t in diagram.tokens})


@st.composite
def diagrams(draw: st.DrawFn) -> Diagram:
    width, height = draw(st.integers(1, 25)), draw(st.integers(1, 25))
    columns = tuple("abcdefghijklmnopqrstuvwxyz"[:width])
    rows = tuple(str(n) for n in range(height, 0, -1))
    squares = [c + r for c in columns for r in rows]
    some = st.lists(st.sampled_from(squares), unique=True, max_size=min(30, len(squares)))
    tokens = tuple(
        Token(
            square,
            draw(st.text(SYMBOLS, min_size=1, max_size=2)),
            draw(st.text(max_size=8)),
            draw(st.sampled_from(["none", "black", "white", "red", "purple"])),
            draw(st.sampled_from(["disc", "square", "diamond", "hexagon", "star"])),
            draw(st.booleans()),
            draw(st.sampled_from(["", "1", "4"])),
        )
        for square in draw(some)
    )
    free = [s for s in squares if s not in {t.square for t in tokens}]
    tints = tuple(
        (square, draw(st.sampled_from(["neutral", "home", "hole", "region2"])))
        for square in draw(some)
        if square in free
    )
    marks = tuple(Mark(square, draw(st.sampled_from(KINDS))) for square in draw(some))  # type: ignore[arg-type]
    links = []
    for square in draw(some):
        x, y = columns.index(square[0]), rows.index(square[1:])
        dx, dy = draw(st.sampled_from([(1, 0), (0, 1), (1, 1), (-1, 1)]))
        if 0 <= x + dx < width and y + dy < height:
            bond = draw(st.sampled_from(["bridge", "domino"]))
            other = columns[x + dx] + rows[y + dy]
            links.append(
                Link(square, other, draw(st.sampled_from(["red", "black", "white", "blue"])), "r", bond)
            )  # type: ignore[arg-type]
    lattice = draw(st.sampled_from(["cells", "points", "islands"]))
    title = draw(st.text(max_size=100))
    return Diagram(title, columns, rows, lattice, tokens, tints, tuple(links), marks, (), (title,))  # type: ignore[arg-type]


@settings(max_examples=60)
@given(diagrams())
def test_any_diagram_is_drawn_the_same_four_times(diagram: Diagram) -> None:
    expected = {t.square: symbol(t) for t in diagram.tokens}
    assert tokens_in_svg(diagram) == expected
    text = tokens_in_text(diagram)
    assert {s: t.strip(BRACKETS) for s, t in expected.items() if t.strip(BRACKETS)} == text
    assert max(len(line) for line in draw_text(diagram).split("\n")) <= 80
    assert marks_in_svg(diagram) == {(m.square, m.kind) for m in diagram.marks}
    said = describe(diagram, short=1000)
    assert all(t.square in said for t in diagram.tokens)


@settings(max_examples=6)
@given(diagrams())
def test_any_diagram_becomes_a_picture(diagram: Diagram) -> None:
    each, rows = pixels(draw_png(diagram))
    width, height = picture_size(diagram)
    assert abs(len(rows) - height) <= 1
    assert abs(len(rows[0]) / each - width) <= 1
