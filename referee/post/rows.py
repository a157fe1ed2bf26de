"""A body's lines on their way from the mail to the sender's own words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from referee.core.complaint import Line

Mark = Literal["", "attribution", "tail", "signature"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line without its quote marks. `depth` counts them. `mark` is what an HTML part knows of it: it belongs to
    the line that introduces a quote, begins a quoted rest of the mail, or is part of a signature.
    `width` is the line's length as it came, marks included."""

    number: int
    text: str
    depth: int = 0
    mark: Mark = ""
    width: int = 0

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    @property
    def line(self) -> Line:
        return Line(self.number, self.text)


def rows_of_text(lines: Iterable[Line]) -> list[Row]:
    """Lines of a plain part; at most three blanks may stand before a quote mark, one between two."""
    rows = [_row(line) for line in lines]
    return [_mbox_from(rows, index) for index in range(len(rows))]


def _row(line: Line) -> Row:
    text, depth = line.text, 0
    while depth < 100:
        bare = text.lstrip(" ") if len(text) - len(text.lstrip(" ")) <= 3 else text
        if not bare.startswith(">"):
            break
        text, depth = bare[1:], depth + 1
    if depth and text.startswith(" "):
        text = text[1:]
    return Row(line.number, text, depth, width=len(line.text))


def _mbox_from(rows: list[Row], index: int) -> Row:
    """Mail stores put ">" before a line that begins with "From "; that is no quote mark."""
    row = rows[index]
    around = [near.depth for near in rows[max(0, index - 1) : index + 2] if near is not row]
    if row.depth == 1 and row.width == len(row.text) + 1 and row.text.startswith("From ") and not any(around):
        return Row(row.number, row.text, 0, width=row.width)
    return row
