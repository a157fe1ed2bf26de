"""A board as tiles: every square that looks alike is drawn once in a process, and a picture is put together of them.

An empty board is put together once, and the squares on which something stands are put into a copy of it. A tile is the
middle of a small diagram of the same kind (the square, its neighbours, what links them), drawn as any diagram is.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from xml.etree.ElementTree import Element, tostring

from PIL import Image

from referee.core.diagram import Diagram, Lattice, Link, Mark, Tint, Token
from referee.drawing.grid import Cell
from referee.drawing.palette import is_dark
from referee.drawing.raster import blank, encoded, in_palette, pixels, render
from referee.drawing.svg import Canvas, number

Window = tuple[float, float, float, float]  # left, top, width, height, in the drawing's own units
_SIDES: tuple[Cell, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))
_ITSELF = "11"  # the square in the middle of three columns and three rows
_Links = tuple[tuple[Cell, bool, Link], ...]  # of a square: the step to the other end, whether it begins here


@dataclass(frozen=True, slots=True)
class Tile:
    """All that the look of a square depends on: what lies on its four sides (beyond the edge None, else whether it
    is a hole), its tints, what stands on it, its marks, and its links by the step to the other end."""

    lattice: Lattice
    sides: tuple[bool | None, ...]
    tints: tuple[Tint, ...]
    star: bool
    token: Token | None
    marks: tuple[Mark, ...]
    links: _Links


def of_tiles(diagram: Diagram, scale: float) -> bytes | None:
    """The picture as PNG, or None where a bridge or domino does more than join two neighbours of a row or column."""
    sheet = Canvas(diagram)
    links = _links(sheet)
    if links is None:
        return None
    side, margin = (max(1, round(length * scale)) for length in sheet.pixels())
    bare = _bare(
        Diagram("", diagram.columns, diagram.rows, diagram.lattice, tints=diagram.tints), side, margin
    )
    tokens, marks = sheet.grid.tokens, sheet.grid.marks
    looks: dict[Cell, Hashable] = {
        place: (
            bare.squares[place],
            (t.text, t.colour, t.shape, t.ringed, t.owner) if (t := tokens.get(place)) else None,
            tuple([(mark.kind, mark.text, mark.colour) for mark in marks.get(place, ())]),
            links.get(place),
        )
        for place in {*tokens, *marks, *links}
    }
    missing = {look: place for place, look in looks.items() if look not in bare.tiles}
    if len(bare.tiles) + len(missing) > _TILES:
        bare.tiles.clear()
        missing = {look: place for place, look in looks.items()}
    if missing:
        drawn = _drawn([_tile(sheet, place, links.get(place, ())) for place in missing.values()], side)
        bare.tiles.update(zip(missing, drawn, strict=True))
    picture = bare.picture.copy()
    for (x, y), look in looks.items():
        picture.paste(bare.tiles[look], (margin + x * side, margin + y * side))
    return encoded(picture)


_TILES = 1500  # kept of a board


@dataclass(frozen=True, slots=True)
class _Bare:
    """A board on which nothing stands: its picture, how each square looks by a number, and the tiles that have been put
    on such squares, by that number and the look of what is on it."""

    picture: Image.Image
    squares: Mapping[Cell, int]
    tiles: dict[Hashable, Image.Image]


@lru_cache(maxsize=16)
def _bare(empty: Diagram, side: int, margin: int) -> _Bare:
    sheet = Canvas(empty)
    across, down = sheet.grid.width * side, sheet.grid.height * side
    picture = blank(across + 2 * margin, down + 2 * margin)
    squares = {place: _tile(sheet, place, ()) for place in sheet.grid.names}
    known = {tile: count for count, tile in enumerate(dict.fromkeys(squares.values()))}
    drawn = _drawn(list(known), side)
    for (x, y), tile in squares.items():
        picture.paste(drawn[known[tile]], (margin + x * side, margin + y * side))
    sheet.labels()
    root, edge = sheet.drawn(), sheet.margin
    for window, at, size in (
        ((0, 0, sheet.width, edge), (0, 0), (picture.width, margin)),
        ((0, edge, edge, sheet.height - 2 * edge), (0, margin), (margin, down)),
        (
            (sheet.width - edge, edge, edge, sheet.height - 2 * edge),
            (margin + across, margin),
            (margin, down),
        ),
        ((0, sheet.height - edge, sheet.width, edge), (0, margin + down), (picture.width, margin)),
    ):
        picture.paste(render(_cut(root, window, *size)), at)
    return _Bare(picture, {place: known[tile] for place, tile in squares.items()}, {})


def _links(sheet: Canvas) -> Mapping[Cell, _Links] | None:
    found: dict[Cell, _Links] = {}
    for link in sheet.diagram.links:
        (ax, ay), (bx, by) = sheet.grid.places[link.first], sheet.grid.places[link.second]
        if abs(ax - bx) + abs(ay - by) != 1:
            return None
        bare = Link("", "", link.colour, link.text, link.bond)
        found[ax, ay] = (*found.get((ax, ay), ()), ((bx - ax, by - ay), True, bare))
        found[bx, by] = (*found.get((bx, by), ()), ((ax - bx, ay - by), False, bare))
    return found


def _tile(sheet: Canvas, place: Cell, links: _Links) -> Tile:
    x, y = place
    sides = tuple(
        (x + dx, y + dy) in sheet.holes if (x + dx, y + dy) in sheet.grid.names else None for dx, dy in _SIDES
    )
    tints = sheet.grid.tints.get(place, ())
    if sheet.diagram.lattice == "cells":
        tints = (*tints, "dark" if is_dark(tints, (x + y) % 2 == 1, sheet.chequered) else "light")
    token = sheet.grid.tokens.get(place)
    bare = replace(token, square=_ITSELF, name="") if token else None
    marks = tuple(replace(mark, square=_ITSELF) for mark in sheet.grid.marks.get(place, ()))
    return Tile(sheet.diagram.lattice, sides, tints, place in sheet.stars, bare, marks, links)


def _drawn(tiles: Sequence[Tile], side: int) -> Sequence[Image.Image]:
    """Tiles in the palette's colours, into which all are brought at once, side by side. What stands on a square is
    drawn once and laid on every square that it comes to; only what is linked is drawn with its square."""
    row = Image.new("RGBA", (len(tiles) * side, side))
    for place, tile in enumerate(tiles):
        alone = tile if tile.links else replace(tile, token=None, marks=())
        picture = _pixels(alone, side)
        if tile.token and not tile.links:
            picture = Image.alpha_composite(picture, _layer(tile.lattice, tile.token, (), side))
        if tile.marks and not tile.links:
            man = _MAN if tile.token else None
            picture = Image.alpha_composite(picture, _layer(tile.lattice, man, tile.marks, side))
        row.paste(picture, (place * side, 0))
    row = in_palette(row)
    return [row.crop((left, 0, left + side, side)) for left in range(0, row.width, side)]


_MAN = Token(_ITSELF, "x", "")  # whichever stands there


@lru_cache(maxsize=1200)
def _layer(lattice: Lattice, token: Token | None, marks: tuple[Mark, ...], side: int) -> Image.Image:
    """A token and nothing beneath; or the marks of a square with a token or without one."""
    sheet = Canvas(Diagram("", (_ITSELF[0],), (_ITSELF[1],), lattice, (token,) if token else (), marks=marks))
    sheet.root[:] = []
    if marks:
        sheet.marks()
    else:
        sheet.men()
    return pixels(_cut(sheet.root, _window(sheet, (0, 0)), side, side))


@lru_cache(maxsize=300)
def _pixels(tile: Tile, side: int) -> Image.Image:
    """A square with all that stands on it."""
    left, right, above, below = (beyond is not None for beyond in tile.sides)
    columns = tuple(name for name, there in (("0", left), ("1", True), ("2", right)) if there)
    rows = tuple(name for name, there in (("0", above), ("1", True), ("2", below)) if there)
    names = {step: f"{1 + step[0]}{1 + step[1]}" for step in _SIDES}
    tints: list[tuple[str, Tint]] = [(_ITSELF, tint) for tint in tile.tints]
    tints += [(names[step], "hole") for step, hole in zip(_SIDES, tile.sides, strict=True) if hole]
    links = tuple(
        Link(
            *((_ITSELF, names[step]) if onward else (names[step], _ITSELF)), link.colour, link.text, link.bond
        )
        for step, onward, link in tile.links
    )
    tokens = (tile.token,) if tile.token else ()
    small = Diagram("", columns, rows, tile.lattice, tokens, tuple(tints), links, tile.marks)
    itself = (int(left), int(above))
    sheet = Canvas(small, frozenset((itself,)) if tile.star else frozenset())
    return pixels(_cut(sheet.drawn(), _window(sheet, itself), side, side))


def _window(sheet: Canvas, place: Cell) -> Window:
    x, y = sheet.at(place)
    return x - sheet.pitch / 2, y - sheet.pitch / 2, sheet.pitch, sheet.pitch


def _cut(root: Element, window: Window, width: int, height: int) -> str:
    """The part of a drawing in the window, at that many pixels."""
    root.set("viewBox", " ".join(map(number, window)))
    root.set("width", str(width))
    root.set("height", str(height))
    root.set("preserveAspectRatio", "none")
    return tostring(root, encoding="unicode")
