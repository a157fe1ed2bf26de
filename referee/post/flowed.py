"""Format=flowed (RFC 3676): soft line breaks undone, so that a wrapped order is one line again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.complaint import Line


def unflowed(lines: Iterable[Line], delsp: bool) -> Iterator[Line]:
    """A line that ends with a blank goes on in the next of the same quote depth; a joined line keeps its first
    number. With `delsp` that blank is no part of the text. The signature mark "-- " ends nothing but itself."""
    open_line: tuple[int, int, str] | None = None  # number, depth, text so far
    for line in lines:
        depth = len(line.text) - len(line.text.lstrip(">"))
        text = line.text[depth:]
        text = text[1:] if text.startswith(" ") else text  # space-stuffing, 4.4
        if open_line and (open_line[1] != depth or text == "-- "):
            yield _closed(open_line)
            open_line = None
        number, said = (open_line[0], open_line[2]) if open_line else (line.number, "")
        soft = text.endswith(" ") and text != "-- "
        joined = said + (text[:-1] if soft and delsp else text)
        if soft and len(joined) < 10_000:
            open_line = (number, depth, joined)
        else:
            open_line = None
            yield _closed((number, depth, joined))
    if open_line:
        yield _closed(open_line)


def _closed(line: tuple[int, int, str]) -> Line:
    number, depth, text = line
    return Line(number, ">" * depth + " " + text if depth else text)
