"""Format=flowed (RFC 3676): soft line breaks undone, so that a wrapped order is one line again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.complaint import Line
from referee.post.reading.rows import Row

LONGEST = 10_000  # characters to which lines are joined


def unflowed(lines: Iterable[Line], delsp: bool) -> Iterator[Row]:
    """A line that ends with a blank goes on in the next of the same quote depth; a joined line keeps its first
    number. With `delsp` that blank is no part of the text. The signature mark "-- " joins nothing. Quote marks stand
    without blanks between them; a mark after a blank was put there to be text (4.4, 4.5)."""
    held: Row | None = None
    for line in lines:
        text = line.text.lstrip(">")
        depth = len(line.text) - len(text)
        text = text[1:] if text.startswith(" ") else text
        if held and (held.depth != depth or text == "-- "):
            yield held
            held = None
        soft = text.endswith(" ") and text != "-- "
        said = (held.text if held else "") + (text[:-1] if soft and delsp else text)
        held = Row(held.number if held else line.number, said, depth, width=len(said) + depth)
        if not soft or len(said) >= LONGEST:
            yield held
            held = None
    if held:
        yield held
