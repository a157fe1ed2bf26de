"""A turn in canonical text (part 4), and the gaps of its forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from referee.core.orders.sheet import comment_lines
from referee.games.fourplay.actions import Bought, Entry, Passed, Step, Turn, Unread
from referee.games.fourplay.notation.signs import SLOT
from referee.games.fourplay.turns.claims import written

WIDTH: Final = 78  # columns of a form's line, so that a letter of 80 holds it once quoted


def written_turn(turn: Turn) -> str:
    """The turn in canonical text: what it says of itself first, then its lines, its comment last."""
    stated = (("Player", turn.player), ("Round", turn.round), ("Cycle", turn.cycle))
    head = [f"{key}: {number}" for key, number in stated if number is not None]
    return "\n".join([*head, *written_entries(turn.entries), *comment_lines(turn.comment)])


def written_entries(entries: Iterable[Entry]) -> list[str]:
    """The lines of a turn, one for each entry."""
    return [written_entry(entry) for entry in entries]


def written_entry(entry: Entry) -> str:
    match entry:
        case Step(piece, squares, claims):
            named = f"{piece}: " if piece else ""
            return ", ".join([named + "-".join(squares), *written(claims)])
        case Passed():
            return "Pass"
        case Bought(lots, total):
            parts = [f"{lot.count} {lot.piece}" for lot in lots]
            return "Purchase: " + ", ".join([*parts, f"{total} F$"] if total is not None else parts)
        case Unread(text):
            return text


def form_entries(entries: Iterable[Entry]) -> list[str]:
    """The lines of a turn for a form: of a line too long for a letter the statements go on below it (610.d), and a
    long purchase takes several lines, the last with the sum of all."""
    return [line for entry in entries for line in _folded(entry)]


def _folded(entry: Entry) -> Iterator[str]:
    text = written_entry(entry)
    head = "Purchase: " if isinstance(entry, Bought) else ""
    if len(text) <= WIDTH or isinstance(entry, Unread):
        yield text
        return
    line, *parts = text.split(", ")
    for part in parts:
        if len(line) + 2 + len(part) <= WIDTH:
            line = f"{line}, {part}"
        else:
            yield line
            line = head + part
    yield line


def slot(piece: str, start: str) -> str:
    """A line of a form that is still to be filled in, from its start square where that is known."""
    return f"{piece}: {start}-{SLOT}" if start else f"{piece}: {SLOT}"
