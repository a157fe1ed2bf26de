"""Answers in canonical text, and forms: blank, filled in, mended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.core.answers import Form
from referee.core.orders.sheet import Sheet, SheetEntry, left_out
from referee.games.multigo import actions as act
from referee.games.multigo.answers.notation import (
    SAYINGS,
    colour_of,
    counts_in,
    points_in,
    says,
    words_in,
)
from referee.games.multigo.board.points import COLOURS
from referee.games.multigo.state import State, name_of


def written(orders: Iterable[str], words: str = "", key: str = "Comment") -> str:
    """Orders, then the sender's words to the others, a line each."""
    said = (f"{key}: {line}" for line in words.split("\n") if line)
    return "\n".join([*filter(None, orders), *said])


def preference(colours: Sequence[int]) -> str:
    """The order of colours in which a seat takes prisoners; nothing where it has none."""
    return f"Prefer: {', '.join(COLOURS[seat - 1] for seat in colours)}" if colours else ""


def stones(counts: Sequence[act.Count]) -> str:
    """Counts in words: "2 white, 1 blue"."""
    return ", ".join(f"{count.stones} {COLOURS[count.colour - 1]}" for count in counts)


# --- mending -----------------------------------------------------------------------------------------------------


def mended(state: State, begins: str, given: Sheet[str]) -> Form:
    """Every order as it was read, below the line that the form begins with where a move is asked for or nothing is
    left. What nobody could read, and a preference where there is nothing to prefer, is left out."""
    lines = list(dict.fromkeys(text for entry in given.entries if (text := _kept(state, entry))))
    said = [
        f"{entry.order.capitalize()}: {entry.value}"
        for entry in given.entries
        if entry.order in SAYINGS and entry.value
    ]
    begun = any(line.startswith(begins) for line in (*lines, *said))
    if not begun and (begins == "Move:" or not lines):
        lines = [begins, *lines]
    chosen = left_out(complaint.line for complaint in given.complaints)
    return Form("\n".join([*lines, *said]), chosen)


def _kept(state: State, entry: SheetEntry[str]) -> str:
    """The line of a form for an order, in the rules' notation where it is understood; nothing for a comment, which
    comes last, and for a line that says nothing."""
    order, value = entry.order, entry.value
    if order in ("pass", "resign"):
        return "Move: pass" if order == "pass" else order.capitalize()
    if not value or order in SAYINGS or (order == "prefer" and not state.law.shares):
        return ""
    return f"{order.capitalize()}: {_tidied(state, order, value)}"


def _tidied(state: State, order: str, value: str) -> str:
    """What follows a key, as canonical text has it; as it was written where it is not understood."""
    if order in ("move", "dead"):
        if says(value, "pass", "passes"):
            return "pass"
        points = points_in(value)
        return (", " if order == "dead" else " ").join(points) if points else value
    if order == "take":
        counts = [(n, colour_of(word, state.law.players)) for n, word in counts_in(value) or ()]
        known = [act.Count(colour, n) for n, colour in counts if colour]
        return stones(known) if known and len(known) == len(counts) else value
    seats = [colour_of(word, state.law.players) for word in words_in(value)]
    if not seats or None in seats:
        return value
    names = [name_of(seat) if order == "ally" else COLOURS[seat - 1] for seat in seats if seat]
    return ", ".join(dict.fromkeys(names))
