"""What stands on a board in a picture: tokens, the marks on squares, bridges and dominoes; below them the elements that
all is made of, the standard library's XML trees with numbers written one way only."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element, SubElement

from referee.core.diagram import Link, Mark, MarkKind, Shape, Token
from referee.drawing.grid import symbol, visible
from referee.drawing.palette import ALERT, BONE, FRAME, GOLD, INK, PAINTS, PAPER

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
        shape = "disc" if token.shape == "none" else token.shape
        path(figure, outline(shape, at, radius * 1.18), PAPER, paint.edge, 1.8)
        radius *= 0.96
    if token.shape != "none":
        path(figure, outline(token.shape, at, radius), paint.fill, paint.edge, 1.6)
    size = radius * _SIZES.get(len(token.text), 0.66)
    if token.shape in ("diamond", "star"):
        size *= 0.9
    lift = radius * 0.08 if token.owner else 0.0
    ink = paint.ink if token.shape != "none" else INK
    words(figure, (at[0] - lift, at[1] - lift), token.text, size, ink)
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
    texts = dict.fromkeys(mark.text for mark in marks if mark.text and mark.kind != "territory")
    if texts:
        words(
            figure,
            (at[0] - reach * 0.66, at[1] - reach * 0.66),
            ",".join(texts),
            reach * 0.5,
            FRAME,
            cased=True,
        )


def _draw_mark(figure: Element, mark: Mark, at: Point, reach: float, occupied: bool) -> None:
    x, y = at
    if mark.kind == "captured":
        middle, arm = ((x + reach * 0.58, y - reach * 0.58), reach * 0.22) if occupied else (at, reach * 0.5)
        _cross(figure, middle, arm, ALERT)
    elif mark.kind == "void":
        disc(figure, at, reach * 0.55, "none", PAPER, 5)
        disc(figure, at, reach * 0.55, "none", INK, 2.4)
        path(
            figure,
            line([(x - reach * 0.38, y + reach * 0.38), (x + reach * 0.38, y - reach * 0.38)]),
            "none",
            INK,
            2.4,
        )
    elif mark.kind == "check":
        corner = (x - reach * 0.62, y + reach * 0.62)
        disc(figure, corner, reach * 0.32, ALERT, PAPER, 1.6)
        words(figure, corner, "!", reach * 0.5, PAPER)
    elif mark.kind == "centre":
        for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            cx, cy = x + sx * (reach - 5), y + sy * (reach - 5)
            path(figure, line([(cx - sx * 6, cy), (cx, cy), (cx, cy - sy * 6)]), "none", INK, 1.6)
    elif mark.kind == "territory":
        paint = PAINTS[mark.colour]
        box(figure, at, (reach * 0.62, reach * 0.62), 1, paint.fill, paint.edge, 1.4)
        words(figure, at, mark.text, reach * 0.5, paint.ink)
    elif mark.kind == "quiet":
        disc(figure, at, reach * 0.24, FRAME, PAPER, 1.6)
    else:
        _aim(figure, at, reach)


def _frame(figure: Element, kind: MarkKind, at: Point, reach: float, round_: bool) -> None:
    colour, dashes = _FRAMES[kind]
    side = 2 * reach - (4.4 if round_ else 4.2)
    corner = side / 2 if round_ else reach * 0.22
    more = (
        {"stroke_dasharray": dashes, "stroke_linecap": "round" if kind == "run" else "butt"} if dashes else {}
    )
    if kind != "run":
        box(figure, at, (side, side), corner, "none", PAPER, 4.2)
    box(figure, at, (side, side), corner, "none", colour, 3.4 if kind == "run" else 2.8, **more)


def _aim(figure: Element, at: Point, reach: float) -> None:
    """Four strokes that point at the middle from the edges, clear of the token's badge."""
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        ends = [(at[0] + dx * reach * part, at[1] + dy * reach * part) for part in (0.6, 0.98)]
        path(figure, line(ends), "none", PAPER, 6.4)
        path(figure, line(ends), "none", ALERT, 3.6)


def _cross(figure: Element, at: Point, arm: float, colour: str) -> None:
    x, y = at
    d = line([(x - arm, y - arm), (x + arm, y + arm)]) + line([(x + arm, y - arm), (x - arm, y + arm)])
    path(figure, d, "none", PAPER, 6, stroke_linecap="round")
    path(figure, d, "none", colour, 3.2, stroke_linecap="round")


def draw_domino(board: Element, link: Link, ends: tuple[Point, Point], reach: float) -> None:
    """The bone under two tokens; for squares that are no neighbours in a row or column, a thick joint."""
    (ax, ay), (bx, by) = ends
    figure = group(board, data_link=f"{link.first} {link.second}")
    if ax == bx or ay == by:
        middle, inset = ((ax + bx) / 2, (ay + by) / 2), 2 * reach - 4
        box(figure, middle, (abs(bx - ax) + inset, abs(by - ay) + inset), reach * 0.35, BONE, INK, 1.8)
    else:
        path(figure, line(ends), "none", INK, reach * 0.8, stroke_linecap="round")
        path(figure, line(ends), "none", BONE, reach * 0.8 - 3, stroke_linecap="round")


def draw_bridge(board: Element, link: Link, ends: tuple[Point, Point], far: bool, reach: float) -> None:
    """A bridge in the style of its colour, its sign in the middle; one that passes over a square is bent."""
    (ax, ay), (bx, by) = ends
    figure = group(board, data_link=f"{link.first} {link.second}", data_colour=link.colour)
    middle = ((ax + bx) / 2, (ay + by) / 2)
    d = line(ends)
    if far:
        knee = (middle[0] + (ay - by) * 0.5, middle[1] + (bx - ax) * 0.5)
        d = f"M{ax:g} {ay:g}Q{knee[0]:g} {knee[1]:g} {bx:g} {by:g}"
        middle = ((middle[0] + knee[0]) / 2, (middle[1] + knee[1]) / 2)
    paint = PAINTS[link.colour]
    if link.colour == "white":
        path(figure, d, "none", INK, 11)
        path(figure, d, "none", PAPER, 5)
    elif link.colour == "black":
        path(figure, d, "none", paint.fill, 9, stroke_dasharray="7 4.5")
    else:
        path(figure, d, "none", paint.fill, 9)
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
    return SubElement(
        parent, "g", {name.replace("_", "-"): visible(value) for name, value in attributes.items()}
    )


def path(
    parent: Element, d: str, fill: str = "none", stroke: str = "none", width: float = 1, **more: str
) -> None:
    attributes = {"d": d, "fill": fill}
    if stroke != "none":
        attributes |= {"stroke": stroke, "stroke-width": number(width)}
    SubElement(parent, "path", attributes | {name.replace("_", "-"): value for name, value in more.items()})


def disc(
    parent: Element, at: Point, radius: float, fill: str, stroke: str = "none", width: float = 1
) -> None:
    attributes = {"cx": number(at[0]), "cy": number(at[1]), "r": number(radius), "fill": fill}
    if stroke != "none":
        attributes |= {"stroke": stroke, "stroke-width": number(width)}
    SubElement(parent, "circle", attributes)


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
    (x, y), (width_, height) = at, size
    numbers = {"x": x - width_ / 2, "y": y - height / 2, "width": width_, "height": height, "rx": round_}
    attributes = {name: number(value) for name, value in numbers.items()} | {"fill": fill}
    if stroke != "none":
        attributes |= {"stroke": stroke, "stroke-width": number(width)}
    SubElement(parent, "rect", attributes | {name.replace("_", "-"): value for name, value in more.items()})


def words(parent: Element, at: Point, text: str, size: float, fill: str, cased: bool = False) -> None:
    """Text in the middle of `at`; `cased` with a white edge, to be read on any ground."""
    attributes = {
        "x": number(at[0]),
        "y": number(at[1] + size * 0.36),
        "font-size": number(size),
        "fill": fill,
    }
    if cased:
        attributes |= {"stroke": "#ffffff", "stroke-width": number(size / 4), "paint-order": "stroke"}
    SubElement(parent, "text", attributes).text = visible(text)


def outline(shape: Shape, at: Point, radius: float) -> str:
    """The path of a token's shape of about equal area for equal `radius`."""
    x, y = at
    if shape == "square":
        s = radius * 0.9
        corner = radius * 0.28
        return (
            f"M{number(x - s + corner)} {number(y - s)}H{number(x + s - corner)}"
            f"Q{number(x + s)} {number(y - s)} {number(x + s)} {number(y - s + corner)}V{number(y + s - corner)}"
            f"Q{number(x + s)} {number(y + s)} {number(x + s - corner)} {number(y + s)}H{number(x - s + corner)}"
            f"Q{number(x - s)} {number(y + s)} {number(x - s)} {number(y + s - corner)}V{number(y - s + corner)}"
            f"Q{number(x - s)} {number(y - s)} {number(x - s + corner)} {number(y - s)}Z"
        )
    if shape == "diamond":
        return line([_around(at, radius * 1.2, quarter / 4) for quarter in range(4)]) + "Z"
    if shape == "hexagon":
        return line([_around(at, radius * 1.1, sixth / 6 + 1 / 12) for sixth in range(6)]) + "Z"
    if shape == "star":
        return (
            line([_around(at, radius * (0.82 if turn % 2 else 1.16), turn / 16) for turn in range(16)]) + "Z"
        )
    r, across = number(radius), number(2 * radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 1 {across} 0a{r} {r} 0 1 1 -{across} 0Z"


def _around(at: Point, radius: float, turn: float) -> Point:
    angle = 2 * math.pi * turn - math.pi / 2
    return at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)


def line(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
