"""A diagram as SVG: no scripts, styles, ids or fonts of its own, so that it may stand inline in any page; and where its
squares lie, for a page that lets one click on them."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from xml.etree.ElementTree import Element, SubElement, tostring

from referee.core.diagram import Diagram
from referee.drawing.figures import (
    FONT,
    Point,
    box,
    disc,
    draw_bridge,
    draw_domino,
    draw_marks,
    draw_token,
    group,
    line,
    number,
    path,
    words,
)
from referee.drawing.grid import Cell, Grid, grid, visible
from referee.drawing.legend import describe
from referee.drawing.palette import GRID, HATCH, INK, ISLAND, LABEL, LINE, PAPER, WOOD, ground

LARGEST = (640, 900)  # pixels at scale 1; small boards are not blown up beyond a quarter more


class Canvas:
    """A board being drawn: where its squares are, and the tree that grows."""

    def __init__(self, diagram: Diagram, stars: frozenset[Cell] | None = None) -> None:
        self.diagram = diagram
        self.grid: Grid = grid(diagram)
        self.stars = self.grid.stars if stars is None else stars
        islands = diagram.lattice == "islands"
        self.pitch = 104.0 if islands else 40.0
        self.margin = 26.0 if islands else 30.0
        self.reach = 30.0 if islands else 20.0
        self.holes = {place for place, tints in self.grid.tints.items() if "hole" in tints}
        self.chequered = any(tint in ("light", "dark") for _, tint in diagram.tints)
        self.width = self.grid.width * self.pitch + 2 * self.margin
        self.height = self.grid.height * self.pitch + 2 * self.margin
        width, height = self.size()
        self.root = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {number(self.width)} {number(self.height)}",
                "width": str(width),
                "height": str(height),
                "role": "img",
                "font-family": FONT,
                "font-weight": "bold",
                "text-anchor": "middle",
            },
        )
        paper = {"width": number(self.width), "height": number(self.height), "fill": PAPER}
        SubElement(self.root, "rect", paper)

    def at(self, place: Cell) -> Point:
        return self.margin + (place[0] + 0.5) * self.pitch, self.margin + (place[1] + 0.5) * self.pitch

    def middle(self) -> Point:
        return self.width / 2, self.height / 2

    def board(self) -> Point:
        """Width and height without the margins."""
        return self.width - 2 * self.margin, self.height - 2 * self.margin

    def pixels(self) -> tuple[int, int]:
        """A square's side and the margin in pixels at scale 1: both whole, so that pictures can be put together."""
        share = self.margin / self.pitch
        fits = [
            most / (count + 2 * share)
            for most, count in zip(LARGEST, (self.grid.width, self.grid.height), strict=True)
        ]
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
                words(figure, (self.at((x, 0))[0], edge), column, 14, LABEL)
        for y, row in enumerate(self.diagram.rows):
            for edge in (self.margin / 2, self.width - self.margin / 2):
                words(figure, (edge, self.at((0, y))[1]), row, 14, LABEL)

    def cells(self) -> None:
        """Squares of one colour as one path; neutral ones hatched, home ones framed."""
        pieces: dict[str, list[str]] = defaultdict(list)
        hatches: list[str] = []
        step = number(self.pitch)
        for place in self.grid.names:
            if place in self.holes:
                continue
            tints = self.grid.tints.get(place, ())
            x, y = self.at(place)
            corner = f"M{number(x - self.reach)} {number(y - self.reach)}"
            colour = ground(tints, (place[0] + place[1]) % 2 == 1, self.chequered)
            pieces[colour].append(f"{corner}h{step}v{step}h-{step}z")
            if "neutral" in tints:
                hatches.append(self._hatch(x, y))
        for colour in sorted(pieces):
            path(self.root, "".join(pieces[colour]), colour, GRID, 0.8)
        if hatches:
            path(self.root, "".join(hatches), "none", HATCH, 1)
        for place, tints in sorted(self.grid.tints.items()):
            if "home" in tints:
                box(self.root, self.at(place), (self.pitch - 7, self.pitch - 7), 2, "none", INK, 1.4)
                box(self.root, self.at(place), (self.pitch - 2, self.pitch - 2), 2, "none", INK, 1.4)
        shores = "".join(map(self._shore, self.grid.names))
        path(self.root, shores, "none", INK, 1.6, stroke_linecap="square")

    def _shore(self, place: Cell) -> str:
        """Lines along the sides of a square beyond which there is no square."""
        if place in self.holes:
            return ""
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
        width, height = self.board()
        box(self.root, self.middle(), (width + 4, height + 4), 4, WOOD, LINE, 1.2)
        strokes = []
        for place in self.grid.names:
            for other in ((place[0] + 1, place[1]), (place[0], place[1] + 1)):
                if other in self.grid.names and not {place, other} & self.holes:
                    strokes.append(line([self.at(place), self.at(other)]))
        path(self.root, "".join(strokes), "none", LINE, 1.2, stroke_linecap="square")
        for place in sorted(self.stars - self.holes):
            disc(self.root, self.at(place), 3.6, LINE)

    def islands(self) -> None:
        for place in self.grid.names:
            if place not in self.holes:
                disc(self.root, self.at(place), self.reach - 4, ISLAND, INK, 1.6)

    def links(self, bond: str) -> None:
        for link in self.diagram.links:
            if link.bond != bond:
                continue
            ends = (self.at(self.grid.places[link.first]), self.at(self.grid.places[link.second]))
            _, right, down = self.grid.step(link)
            if bond == "domino":
                draw_domino(self.root, link, ends, self.reach)
            else:
                draw_bridge(self.root, link, ends, max(abs(right), down) > 1, self.reach)

    def figures(self) -> None:
        self.men()
        self.marks()

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
        self.figures()
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
        "tokens": {
            token.square: {
                "text": token.text,
                "name": token.name,
                "colour": token.colour,
                "shape": token.shape,
                "owner": token.owner,
                "ringed": token.ringed,
            }
            for token in diagram.tokens
        },
    }
