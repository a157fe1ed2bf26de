"""A board as tiles: every square that looks alike is drawn once in a process, and a picture is put together of them.

An empty board is put together once, and a picture starts from the one drawn before that is nearest to it: only the
squares that differ are put in, of a game's next position one or two. A tile is the middle of a small diagram of the
same kind (the square, its neighbours, what links them), drawn as any diagram is.
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
from referee.drawing.strokes import number
from referee.drawing.svg import Canvas

Window = tuple[float, float, float, float]  # left, top, width, height, in the drawing's own units
_SIDES: tuple[Cell, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))
_ITSELF = "11"  # the square in the middle of three columns and three rows


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
    links: tuple[tuple[Cell, bool, Link], ...]


def of_tiles(diagram: Diagram, scale: float) -> bytes | None:
    """The picture as PNG, or None where a bridge or domino does more than join two neighbours of a row or column."""
    sheet = Canvas(diagram)
    links = _links(sheet)
    if links is None:
        return None
    side, margin = (max(1, round(length * scale)) for length in sheet.pixels())
    bare = _bare(_emptied(diagram), side, margin)
    tokens, marks, squares = sheet.grid.tokens, sheet.grid.marks, bare.squares
    looks: _Looks = {
        place: (
            squares[place],
            _token_look(tokens.get(place)),
            _mark_looks(marks.get(place)),
            links.get(place),
        )
        for place in {*tokens, *marks, *links}
    }
    nearest = min(bare.drawn, key=lambda before: len(before.looks.items() ^ looks.items()))
    changed = {
        place: looks.get(place) or (squares[place], None, (), None)
        for place, _ in nearest.looks.items() ^ looks.items()
    }
    missing = {look: place for place, look in changed.items() if look not in bare.tiles}
    if missing:
        if len(bare.tiles) >= _TILES:
            bare.tiles.clear()
            missing = {look: place for place, look in changed.items()}
        tiles = [_tile(sheet, place, links.get(place, ())) for place in missing.values()]
        bare.tiles.update(zip(missing, _drawn(tiles, side), strict=True))
    picture = nearest.picture.copy()
    for (x, y), look in changed.items():
        picture.paste(bare.tiles[look], (margin + x * side, margin + y * side))
    bare.drawn[1:] = [_Drawn(looks, picture), *bare.drawn[1:_DRAWN]]
    return encoded(picture)


_TILES = 1500  # kept of a board
_DRAWN = 4  # pictures kept of a board
_Look = tuple[Hashable, ...]
_Looks = Mapping[Cell, _Look]  # of the squares with something on them


def _token_look(token: Token | None) -> _Look | None:
    """What the look of a token depends on."""
    return None if token is None else (token.text, token.colour, token.shape, token.ringed, token.owner)


def _mark_looks(marks: tuple[Mark, ...] | None) -> tuple[_Look, ...]:
    return tuple([(mark.kind, mark.text, mark.colour) for mark in marks]) if marks else ()


@dataclass(frozen=True, slots=True)
class _Bare:
    """A board on which nothing stands: a number for how each square looks, the tiles that have been put on such
    squares, by that number and the look of what is on it, and pictures of it: the empty one, then the newest others."""

    squares: Mapping[Cell, int]
    tiles: dict[_Look, Image.Image]
    drawn: list[_Drawn]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A picture, and what stands on it."""

    looks: _Looks
    picture: Image.Image


@lru_cache(maxsize=16)
def _bare(empty: Diagram, side: int, margin: int) -> _Bare:
    sheet = Canvas(empty)
    across, down = sheet.grid.width * side, sheet.grid.height * side
    picture = blank(across + 2 * margin, down + 2 * margin)
    top, left, right, bottom = _borders(diagram_alone(empty), side, margin)
    picture.paste(top, (0, 0))
    picture.paste(left, (0, margin))
    picture.paste(right, (margin + across, margin))
    picture.paste(bottom, (0, margin + down))
    squares = {place: _tile(sheet, place, ()) for place in sheet.grid.names}
    known = {tile: number for number, tile in enumerate(dict.fromkeys(squares.values()))}
    numbers = {place: known[tile] for place, tile in squares.items()}
    drawn = _drawn(list(known), side)
    for (x, y), look in numbers.items():
        picture.paste(drawn[look], (margin + x * side, margin + y * side))
    return _Bare(numbers, {}, [_Drawn({}, picture)])


def _emptied(diagram: Diagram) -> Diagram:
    """The board's squares and their tints, which seldom change from one turn to the next."""
    return Diagram("", diagram.columns, diagram.rows, diagram.lattice, tints=diagram.tints)


def diagram_alone(diagram: Diagram) -> Diagram:
    """The board without what changes in the course of a game."""
    holes = tuple(row for row in diagram.tints if row[1] == "hole")
    return Diagram("", diagram.columns, diagram.rows, diagram.lattice, tints=holes)


def _links(sheet: Canvas) -> Mapping[Cell, tuple[tuple[Cell, bool, Link], ...]] | None:
    found: dict[Cell, tuple[tuple[Cell, bool, Link], ...]] = {}
    for link in sheet.diagram.links:
        (ax, ay), (bx, by) = sheet.grid.places[link.first], sheet.grid.places[link.second]
        if abs(ax - bx) + abs(ay - by) != 1:
            return None
        bare = Link("", "", link.colour, link.text, link.bond)
        found[ax, ay] = (*found.get((ax, ay), ()), ((bx - ax, by - ay), True, bare))
        found[bx, by] = (*found.get((bx, by), ()), ((ax - bx, ay - by), False, bare))
    return found


def _tile(sheet: Canvas, place: Cell, links: tuple[tuple[Cell, bool, Link], ...]) -> Tile:
    x, y = place
    sides = tuple(
        (x + dx, y + dy) in sheet.holes if (x + dx, y + dy) in sheet.grid.names else None for dx, dy in _SIDES
    )
    tints = sheet.grid.tints.get(place, ())
    if sheet.diagram.lattice == "cells":
        tints = (*tints, "dark" if is_dark(tints, (x + y) % 2 == 1, sheet.chequered) else "light")
    token = sheet.grid.tokens.get(place)
    bare = (
        Token(_ITSELF, token.text, "", token.colour, token.shape, token.ringed, token.owner)
        if token
        else None
    )
    marks = tuple(
        Mark(_ITSELF, mark.kind, mark.text, mark.colour) for mark in sheet.grid.marks.get(place, ())
    )
    return Tile(sheet.diagram.lattice, sides, tints, place in sheet.stars, bare, marks, links)


def _drawn(tiles: Sequence[Tile], side: int) -> Sequence[Image.Image]:
    """Tiles in the palette's colours, into which all are brought at once, side by side. What stands on a square is
    drawn once and laid on every square that it comes to; only what is linked is drawn with its square."""
    row = Image.new("RGBA", (len(tiles) * side, side))
    for place, tile in enumerate(tiles):
        row.paste(_pixels(tile, side) if tile.links else _laid(tile, side), (place * side, 0))
    row = in_palette(row)
    return [row.crop((left, 0, left + side, side)) for left in range(0, row.width, side)]


@lru_cache(maxsize=600)
def _laid(tile: Tile, side: int) -> Image.Image:
    """A square, what stands on it, and its marks, one upon the other."""
    picture = _pixels(replace(tile, token=None, marks=()), side)
    if tile.token is not None:
        picture = Image.alpha_composite(picture, _men(tile.lattice, tile.token, side))
    if tile.marks:
        picture = Image.alpha_composite(
            picture, _marked(tile.lattice, tile.marks, tile.token is not None, side)
        )
    return picture


@lru_cache(maxsize=600)
def _men(lattice: Lattice, token: Token, side: int) -> Image.Image:
    """A token and nothing beneath."""
    sheet = _alone(lattice, (token,), ())
    sheet.men()
    return pixels(_cut(sheet.root, _window(sheet, (0, 0)), side, side))


@lru_cache(maxsize=600)
def _marked(lattice: Lattice, marks: tuple[Mark, ...], taken: bool, side: int) -> Image.Image:
    """The marks of a square with a token, whichever it is, or without one; nothing beneath."""
    sheet = _alone(lattice, (Token(_ITSELF, "x", ""),) if taken else (), marks)
    sheet.marks()
    return pixels(_cut(sheet.root, _window(sheet, (0, 0)), side, side))


def _alone(lattice: Lattice, tokens: tuple[Token, ...], marks: tuple[Mark, ...]) -> Canvas:
    """A canvas for what is on one square, without the square."""
    sheet = Canvas(Diagram("", (_ITSELF[0],), (_ITSELF[1],), lattice, tokens, marks=marks))
    sheet.root[:] = []
    return sheet


def _window(sheet: Canvas, place: Cell) -> Window:
    x, y = sheet.at(place)
    return x - sheet.pitch / 2, y - sheet.pitch / 2, sheet.pitch, sheet.pitch


@lru_cache(maxsize=300)
def _pixels(tile: Tile, side: int) -> Image.Image:
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


@lru_cache(maxsize=64)
def _borders(bare: Diagram, side: int, margin: int) -> tuple[Image.Image, ...]:
    """The four margins with their letters and numbers: above and below in full width, left and right between."""
    sheet = Canvas(bare)
    sheet.labels()
    root, edge = sheet.drawn(), sheet.margin
    width, height = len(bare.columns) * side + 2 * margin, len(bare.rows) * side
    tall = sheet.height - 2 * edge
    cuts: tuple[tuple[Window, int, int], ...] = (
        ((0, 0, sheet.width, edge), width, margin),
        ((0, edge, edge, tall), margin, height),
        ((sheet.width - edge, edge, edge, tall), margin, height),
        ((0, sheet.height - edge, sheet.width, edge), width, margin),
    )
    return tuple(render(_cut(root, *cut)) for cut in cuts)


def _cut(root: Element, window: Window, width: int, height: int) -> str:
    """The part of a drawing in the window, at that many pixels."""
    root.set("viewBox", " ".join(map(number, window)))
    root.set("width", str(width))
    root.set("height", str(height))
    root.set("preserveAspectRatio", "none")
    return tostring(root, encoding="unicode")
