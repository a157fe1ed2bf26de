"""A diagram as SVG: no scripts, styles, ids or fonts of its own, so that it may stand inline in
any page; and where its squares lie, for a page that lets one click on them. Elements are the
standard library's XML trees, with numbers written one way only."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element, SubElement, tostring

from referee.core.diagram import Colour, Diagram, Link, Mark, MarkKind, Shape, Tint, Token
from referee.core.value import Value
from referee.draw.grid import Cell, Grid, describe, grid, symbol, visible

# The colours are apart in hue and in lightness, after what Okabe and Ito found the colour-blind to see. Colour never
# stands alone: symbols, shapes, badges and line styles say the same once more.


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


Point = tuple[float, float]
FONT = "DejaVu Sans, Verdana, sans-serif"

# Colour and dashes of the frames around squares; "" is a solid line.
_FRAMES: Mapping[MarkKind, tuple[str, str]] = {
    "from": (FRAME, "7 5"),
    "to": (FRAME, ""),
    "last": (FRAME, ""),
    "changed": (FRAME, ""),
    "emptied": (FRAME, "7 5"),
    "run": (GOLD, "0.1 5.6"),
}
_EXTENTS: Mapping[Shape, float] = {"diamond": 1.2, "hexagon": 1.1, "star": 1.16}  # beyond the radius
_SIZES = {1: 1.2, 2: 1.02, 3: 0.78}  # of the symbol, by its length, in radii


def draw_token(board: Element, token: Token, at: Point, radius: float) -> None:
    """A shape with its symbol; the owner's sign on a badge; a second outline where the token is ringed."""
    paint = PAINTS[token.colour]
    figure = group(board, data_square=token.square, data_token=symbol(token))
    if token.ringed:
        radius *= min(0.96, 1.05 / _EXTENTS.get(token.shape, 1.0))
        path(figure, outline(token.shape, at, radius * 1.18), PAPER, paint.edge, 1.8)
        radius *= 0.96
    path(figure, outline(token.shape, at, radius), paint.fill, paint.edge, 1.6)
    size = radius * _SIZES.get(len(token.text), 0.66) * (0.9 if token.shape in ("diamond", "star") else 1)
    lift = radius * 0.08 if token.owner else 0.0
    words(figure, (at[0] - lift, at[1] - lift), token.text, size, paint.ink)
    if token.owner:
        corner = (at[0] + radius * 0.78, at[1] + radius * 0.76)
        disc(figure, corner, radius * 0.46, PAPER, paint.edge, 1.4)
        words(figure, corner, token.owner, radius * (0.76 if len(token.owner) == 1 else 0.54), INK)


def draw_marks(
    board: Element, marks: Sequence[Mark], at: Point, reach: float, occupied: bool, round_: bool
) -> None:
    """All marks of one square, `reach` from its middle to its edge; frames (or rings) outermost, signs in the
    corners. Nothing reaches beyond the square."""
    figure = group(board, data_square=marks[0].square, data_mark=" ".join(mark.kind for mark in marks))
    framed = any(mark.kind in _FRAMES and mark.kind != "run" for mark in marks)
    for mark in marks:
        if mark.kind in _FRAMES:
            inset = 3.2 if framed and mark.kind == "run" else 0.0
            _frame(figure, mark.kind, at, reach - inset, round_)
        else:
            _draw_mark(figure, mark, at, reach, occupied)
    if texts := dict.fromkeys(mark.text for mark in marks if mark.text):
        corner = (at[0] - reach * 0.66, at[1] - reach * 0.66)
        words(figure, corner, ",".join(texts), reach * 0.5, FRAME, cased=True)


def _draw_mark(figure: Element, mark: Mark, at: Point, reach: float, occupied: bool) -> None:
    x, y = at
    if mark.kind == "captured":
        middle, arm = ((x + reach * 0.58, y - reach * 0.58), reach * 0.22) if occupied else (at, reach * 0.5)
        x, y = middle
        d = line([(x - arm, y - arm), (x + arm, y + arm)]) + line([(x + arm, y - arm), (x - arm, y + arm)])
        path(figure, d, "none", PAPER, 6, stroke_linecap="round")
        path(figure, d, "none", ALERT, 3.2, stroke_linecap="round")
    elif mark.kind == "void":
        disc(figure, at, reach * 0.55, "none", PAPER, 5)
        disc(figure, at, reach * 0.55, "none", INK, 2.4)
        struck = [(x - reach * 0.38, y + reach * 0.38), (x + reach * 0.38, y - reach * 0.38)]
        path(figure, line(struck), "none", INK, 2.4)
    elif mark.kind == "centre":
        for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            cx, cy = x + sx * (reach - 5), y + sy * (reach - 5)
            path(figure, line([(cx - sx * 6, cy), (cx, cy), (cx, cy - sy * 6)]), "none", INK, 1.6)
    elif mark.kind == "quiet":
        disc(figure, at, reach * 0.24, FRAME, PAPER, 1.6)
    else:  # four strokes that point at the middle from the edges, clear of the token's badge
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            ends = [(x + dx * reach * part, y + dy * reach * part) for part in (0.6, 0.98)]
            path(figure, line(ends), "none", PAPER, 6.4)
            path(figure, line(ends), "none", ALERT, 3.6)


def _frame(figure: Element, kind: MarkKind, at: Point, reach: float, round_: bool) -> None:
    colour, dashes = _FRAMES[kind]
    side = 2 * reach - (4.4 if round_ else 4.2)
    corner = side / 2 if round_ else reach * 0.22
    ends = "round" if kind == "run" else "butt"
    more = {"stroke_dasharray": dashes, "stroke_linecap": ends} if dashes else {}
    if kind != "run":
        box(figure, at, (side, side), corner, "none", PAPER, 4.2)
    box(figure, at, (side, side), corner, "none", colour, 3.4 if kind == "run" else 2.8, **more)


def draw_domino(board: Element, link: Link, ends: tuple[Point, Point], reach: float) -> None:
    """The bone under two tokens."""
    (ax, ay), (bx, by) = ends
    figure = group(board, data_link=f"{link.first} {link.second}")
    middle, inset = ((ax + bx) / 2, (ay + by) / 2), 2 * reach - 4
    box(figure, middle, (abs(bx - ax) + inset, abs(by - ay) + inset), reach * 0.35, BONE, INK, 1.8)


def draw_bridge(board: Element, link: Link, ends: tuple[Point, Point], reach: float) -> None:
    """A bridge in the style of its colour, its sign in the middle."""
    (ax, ay), (bx, by) = ends
    figure = group(board, data_link=f"{link.first} {link.second}", data_colour=link.colour)
    middle, d, paint = ((ax + bx) / 2, (ay + by) / 2), line(ends), PAINTS[link.colour]
    if link.colour == "white":
        path(figure, d, "none", INK, 11)
        path(figure, d, "none", PAPER, 5)
    else:
        dashes = {"stroke_dasharray": "7 4.5"} if link.colour == "black" else {}
        path(figure, d, "none", paint.fill, 9, **dashes)
    if link.text:
        box(figure, middle, (reach * 0.56, reach * 0.56), 4, PAPER, paint.edge, 1.4)
        words(figure, middle, link.text, reach * 0.46, INK)


# --- elements ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)  # a board has few places, and each is written for every position
def number(value: float) -> str:
    """At most two decimals, no trailing zero, no minus zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def group(parent: Element, **attributes: str) -> Element:
    named = {name.replace("_", "-"): visible(value) for name, value in attributes.items()}
    return SubElement(parent, "g", named)


def _put(
    parent: Element, tag: str, attributes: dict[str, str], stroke: str, width: float, **more: str
) -> Element:
    """An element, with its outline where it has one."""
    lined = {} if stroke == "none" else {"stroke": stroke, "stroke-width": number(width)}
    named = {name.replace("_", "-"): value for name, value in more.items()}
    return SubElement(parent, tag, attributes | lined | named)


def path(
    parent: Element, d: str, fill: str = "none", stroke: str = "none", width: float = 1, **more: str
) -> None:
    _put(parent, "path", {"d": d, "fill": fill}, stroke, width, **more)


def disc(
    parent: Element, at: Point, radius: float, fill: str, stroke: str = "none", width: float = 1
) -> None:
    round_ = {"cx": number(at[0]), "cy": number(at[1]), "r": number(radius), "fill": fill}
    _put(parent, "circle", round_, stroke, width)


def box(
    parent: Element,
    at: Point,
    size: Point,
    round_: float,
    fill: str,
    stroke: str = "none",
    width: float = 1,
    **more: str,
) -> None:
    """A rectangle around the point `at`."""
    sides = {"x": at[0] - size[0] / 2, "y": at[1] - size[1] / 2, "width": size[0], "height": size[1]}
    attributes = {name: number(value) for name, value in (sides | {"rx": round_}).items()}
    _put(parent, "rect", {**attributes, "fill": fill}, stroke, width, **more)


def words(parent: Element, at: Point, text: str, size: float, fill: str, cased: bool = False) -> None:
    """Text in the middle of `at`; `cased` with a white edge, to be read on any ground."""
    place = {"x": number(at[0]), "y": number(at[1] + size * 0.36), "font-size": number(size), "fill": fill}
    stroke, more = ("#ffffff", {"paint_order": "stroke"}) if cased else ("none", {})
    _put(parent, "text", place, stroke, size / 4, **more).text = visible(text)


def outline(shape: Shape, at: Point, radius: float) -> str:
    """The path of a token's shape of about equal area for equal `radius`."""
    x, y = at
    if shape == "square":
        s, corner = radius * 0.9, radius * 0.28
        left, right, top, low = map(number, (x - s, x + s, y - s, y + s))
        within, beyond, under, above = map(
            number, (x - s + corner, x + s - corner, y - s + corner, y + s - corner)
        )
        return (
            f"M{within} {top}H{beyond}Q{right} {top} {right} {under}V{above}Q{right} {low} {beyond} {low}"
            f"H{within}Q{left} {low} {left} {above}V{under}Q{left} {top} {within} {top}Z"
        )
    if shape == "diamond":
        return line([_around(at, radius * 1.2, quarter / 4) for quarter in range(4)]) + "Z"
    if shape == "hexagon":
        return line([_around(at, radius * 1.1, sixth / 6 + 1 / 12) for sixth in range(6)]) + "Z"
    if shape == "star":
        arms = (_around(at, radius * (0.82 if turn % 2 else 1.16), turn / 16) for turn in range(16))
        return line([*arms]) + "Z"
    r, across = number(radius), number(2 * radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 1 {across} 0a{r} {r} 0 1 1 -{across} 0Z"


def _around(at: Point, radius: float, turn: float) -> Point:
    angle = 2 * math.pi * turn - math.pi / 2
    return at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)


def line(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


LARGEST = (640, 900)  # pixels at scale 1; small boards are not blown up beyond a quarter more


class Canvas:
    """A board being drawn: where its squares are, and the tree that grows."""

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.grid: Grid = grid(diagram)
        islands = diagram.lattice == "islands"
        sizes = (104.0, 26.0, 30.0, 24) if islands else (40.0, 30.0, 20.0, 14)
        self.pitch, self.margin, self.reach, self.letters = sizes
        self.holes = {place for place, tints in self.grid.tints.items() if "hole" in tints}
        self.squares = [place for place in self.grid.names if place not in self.holes]
        self.width = self.grid.width * self.pitch + 2 * self.margin
        self.height = self.grid.height * self.pitch + 2 * self.margin
        width, height = self.size()
        whole = f"0 0 {number(self.width)} {number(self.height)}"
        sides = {"viewBox": whole, "width": str(width), "height": str(height), "role": "img"}
        text = {"font-family": FONT, "font-weight": "bold", "text-anchor": "middle"}
        self.root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg"} | sides | text)
        paper = {"width": number(self.width), "height": number(self.height), "fill": PAPER}
        SubElement(self.root, "rect", paper)

    def at(self, place: Cell) -> Point:
        return self.margin + (place[0] + 0.5) * self.pitch, self.margin + (place[1] + 0.5) * self.pitch

    def pixels(self) -> tuple[int, int]:
        """A square's side and the margin in pixels at scale 1: both whole, so that pictures can be put together."""
        share = self.margin / self.pitch
        counts = zip(LARGEST, (self.grid.width, self.grid.height), strict=True)
        fits = (most / (count + 2 * share) for most, count in counts)
        side = max(4, int(min(1.25 * self.pitch, *fits)) // 4 * 4)
        return side, int(side * share)

    def size(self) -> tuple[int, int]:
        """Pixels at scale 1."""
        side, margin = self.pixels()
        return self.grid.width * side + 2 * margin, self.grid.height * side + 2 * margin

    def told(self) -> None:
        """What the board is called, and what it says to those who can't see it."""
        title, desc = Element("title"), Element("desc")
        title.text = visible(self.diagram.title) or "Board"
        desc.text = describe(self.diagram)
        self.root[:0] = [title, desc]

    def labels(self) -> None:
        figure = group(self.root, fill=LABEL)
        for x, column in enumerate(self.diagram.columns):
            for edge in (self.margin / 2, self.height - self.margin / 2):
                words(figure, (self.at((x, 0))[0], edge), column, self.letters, LABEL)
        for y, row in enumerate(self.diagram.rows):
            for edge in (self.margin / 2, self.width - self.margin / 2):
                words(figure, (edge, self.at((0, y))[1]), row, self.letters, LABEL)

    def cells(self) -> None:
        """Squares of one colour as one path; neutral ones hatched, home ones framed."""
        pieces: dict[str, list[str]] = defaultdict(list)
        step = number(self.pitch)
        for place in self.squares:
            tints = self.grid.tints.get(place, ())
            x, y = self.at(place)
            corner = f"M{number(x - self.reach)} {number(y - self.reach)}"
            colour = ground(tints, (place[0] + place[1]) % 2 == 1)
            pieces[colour].append(f"{corner}h{step}v{step}h-{step}z")
        for colour in sorted(pieces):
            path(self.root, "".join(pieces[colour]), colour, GRID, 0.8)
        neutral = [place for place in self.squares if "neutral" in self.grid.tints.get(place, ())]
        if neutral:
            path(self.root, "".join(self._hatch(*self.at(place)) for place in neutral), "none", HATCH, 1)
        for place, tints in sorted(self.grid.tints.items()):
            if "home" in tints:
                box(self.root, self.at(place), (self.pitch - 7, self.pitch - 7), 2, "none", INK, 1.4)
                box(self.root, self.at(place), (self.pitch - 2, self.pitch - 2), 2, "none", INK, 1.4)
        shores = "".join(map(self._shore, self.squares))
        path(self.root, shores, "none", INK, 1.6, stroke_linecap="square")

    def _shore(self, place: Cell) -> str:
        """Lines along the sides of a square beyond which there is no square."""
        (x, y), r, strokes = self.at(place), self.reach, ""
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            beyond = (place[0] + dx, place[1] + dy)
            if beyond not in self.grid.names or beyond in self.holes:
                cx, cy = x + dx * r, y + dy * r
                strokes += line([(cx - dy * r, cy - dx * r), (cx + dy * r, cy + dx * r)])
        return strokes

    def _hatch(self, x: float, y: float) -> str:
        r, third = self.reach, self.reach * 2 / 3
        strokes = [((x - r, y + r), (x + r, y - r))]
        for shift in (third, 2 * third):
            strokes.append(((x - r, y + r - shift), (x + r - shift, y - r)))
            strokes.append(((x - r + shift, y + r), (x + r, y - r + shift)))
        return "".join(line(stroke) for stroke in strokes)

    def points(self) -> None:
        """Crossings of lines on wood; where a hole is, no line goes."""
        middle, inset = (self.width / 2, self.height / 2), 2 * self.margin - 4
        box(self.root, middle, (self.width - inset, self.height - inset), 4, WOOD, LINE, 1.2)
        strokes = []
        for place in self.grid.names:
            for other in ((place[0] + 1, place[1]), (place[0], place[1] + 1)):
                if other in self.grid.names and not {place, other} & self.holes:
                    strokes.append(line([self.at(place), self.at(other)]))
        path(self.root, "".join(strokes), "none", LINE, 1.2, stroke_linecap="square")
        for place in sorted(self.grid.stars - self.holes):
            disc(self.root, self.at(place), 3.6, LINE)

    def islands(self) -> None:
        for place in self.squares:
            disc(self.root, self.at(place), self.reach - 4, ISLAND, INK, 1.6)

    def links(self, bond: str) -> None:
        draw = draw_domino if bond == "domino" else draw_bridge
        for link in (link for link in self.diagram.links if link.bond == bond):
            ends = (self.at(self.grid.places[link.first]), self.at(self.grid.places[link.second]))
            draw(self.root, link, ends, self.reach)

    def men(self) -> None:
        radius = {"cells": 15.6, "points": 18.2, "islands": 22.0}[self.diagram.lattice]
        for place, token in self.grid.tokens.items():
            draw_token(self.root, token, self.at(place), radius)

    def marks(self) -> None:
        beyond = 2.0 if self.diagram.lattice == "islands" else 0.0
        round_ = self.diagram.lattice == "points"
        for place, marks in self.grid.marks.items():
            occupied = place in self.grid.tokens
            draw_marks(self.root, marks, self.at(place), self.reach + beyond, occupied, round_)

    def drawn(self) -> Element:
        """The board with all that stands on it, without its letters and numbers."""
        if self.diagram.lattice == "islands":
            self.links("bridge")
            self.islands()
        else:
            self.cells() if self.diagram.lattice == "cells" else self.points()
            self.links("bridge")
        self.links("domino")
        self.men()
        self.marks()
        return self.root


@lru_cache(maxsize=64)
def draw_svg(diagram: Diagram) -> str:
    """The picture, the same text for the same diagram in any process."""
    sheet = Canvas(diagram)
    sheet.told()
    sheet.labels()
    return tostring(sheet.drawn(), encoding="unicode")


def picture_size(diagram: Diagram) -> tuple[int, int]:
    """Width and height in pixels at which a picture is meant to be seen."""
    return Canvas(diagram).size()


def lattice_facts(diagram: Diagram) -> dict[str, object]:
    """JSON values in units of the SVG's viewBox: its `box`, the middle of the first square (`first`, upper left), the
    `pitch` from one to the next, `reach` from a middle to its edge; `columns` and `rows` as their names are put
    together; `holes` that are no squares; and what stands where."""
    sheet = Canvas(diagram)
    return {
        "box": [sheet.width, sheet.height],
        "first": list(sheet.at((0, 0))),
        "pitch": sheet.pitch,
        "reach": sheet.reach,
        "lattice": diagram.lattice,
        "columns": list(diagram.columns),
        "rows": list(diagram.rows),
        "holes": sorted(square for square, tint in diagram.tints if tint == "hole"),
        "tokens": {token.square: {**token.look, "ringed": token.ringed} for token in diagram.tokens},
    }
