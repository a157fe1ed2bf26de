"""What stands below a board in text: the legend in columns, and what could not be drawn in its place."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from referee.core.diagram import Diagram, Link, MarkKind
from referee.drawing.grid import cells, visible
from referee.drawing.legend import SIGNS, given


def notes(
    diagram: Diagram,
    signs: Iterable[tuple[str, str]],
    covered: Iterable[tuple[MarkKind, str]],
    apart: Iterable[Link],
    width: int,
) -> list[str]:
    """The game's legend, then the drawing's own `signs` that it has not explained; then the marks that have a text,
    by that text; then those that others cover, with their squares; then the links of squares that lie `apart`."""
    own = given(diagram)
    said = {sign for sign, _ in own}
    rows = [*own, *(row for row in signs if row[0] not in said)]
    deep = max((cells(sign) for sign, _ in rows), default=0)
    lines = _tabled([sign + " " * (deep - cells(sign)) + "  " + meaning for sign, meaning in rows], width)
    sentences = [*_numbered(diagram), *_covered(covered)]
    sentences += [f"Joined: {link.first} and {link.second} ({visible(link.text)})." for link in apart]
    return lines + [line for sentence in sentences for line in textwrap.wrap(sentence, width)]


def _numbered(diagram: Diagram) -> Iterable[str]:
    found: dict[str, list[str]] = {}
    for mark in diagram.marks:
        if mark.kind != "territory" and visible(mark.text):
            what = mark.kind if mark.kind in ("from", "to") else f"{SIGNS[mark.kind].meaning}:"
            found.setdefault(visible(mark.text), []).append(f"{what} {mark.square}")
    return (f"{text}: {', '.join(said)}." for text, said in found.items())


def _covered(marks: Iterable[tuple[MarkKind, str]]) -> Iterable[str]:
    found: dict[MarkKind, list[str]] = {}
    for kind, square in marks:
        found.setdefault(kind, []).append(square)
    return (f"Also {SIGNS[kind].meaning}: {', '.join(squares)}." for kind, squares in found.items())


def _tabled(entries: Sequence[str], width: int) -> list[str]:
    """Short entries side by side, read down the columns; long ones below each other with a hanging indent."""
    widest = max((cells(entry) for entry in entries), default=0)
    abreast = max(1, min((width + 3) // (widest + 3), (len(entries) + 3) // 4)) if widest else 1
    if abreast == 1:
        return [line for entry in entries for line in textwrap.wrap(entry, width, subsequent_indent="    ")]
    deep = -(-len(entries) // abreast)
    lines = []
    for y in range(deep):
        row = entries[y::deep]
        lines.append("   ".join(entry + " " * (widest - cells(entry)) for entry in row).rstrip())
    return lines
