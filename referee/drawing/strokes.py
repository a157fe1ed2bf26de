"""The elements of a drawing: thin words over the standard library's XML trees, numbers written one way only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element, SubElement

from referee.core.diagram import Shape
from referee.drawing.grid import visible

Point = tuple[float, float]
FONT = "DejaVu Sans, Verdana, sans-serif"


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
        return _polygon([_around(at, radius * 1.2, quarter / 4) for quarter in range(4)])
    if shape == "hexagon":
        return _polygon([_around(at, radius * 1.1, sixth / 6 + 1 / 12) for sixth in range(6)])
    if shape == "star":
        return _polygon([_around(at, radius * (0.82 if turn % 2 else 1.16), turn / 16) for turn in range(16)])
    r, across = number(radius), number(2 * radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 1 {across} 0a{r} {r} 0 1 1 -{across} 0Z"


def _around(at: Point, radius: float, turn: float) -> Point:
    angle = 2 * math.pi * turn - math.pi / 2
    return at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)


def _polygon(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def line(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
