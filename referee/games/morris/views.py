"""What everybody may know - in this game there is nothing else - and the board as a picture."""

from itertools import pairwise

from referee.core.diagram import Colour, Diagram, Link, Mark, MarkKind, Token
from referee.core.duel import other, shared
from referee.core.game import BoardForm, Outcome, View
from referee.games.morris.state import COLOURS, COLUMNS, LINES, POINTS, ROWS, State
from referee.games.morris.turns import ends, starts, takeable

_SIGNS = {1: "W", 2: "B"}
_PAINT: dict[int, Colour] = {1: "white", 2: "black"}


def viewed(state: State) -> View:
    """`board` holds the rows from the top: W and B for men, . for an empty point, a space where there is none."""
    signs = {point: _SIGNS.get(state.at(point), ".") for point in POINTS}
    rows = ["".join(signs.get(column + row, " ") for column in COLUMNS) for row in ROWS]
    playing = state.ended is None and state.turn > 0
    able = starts(state, state.mover) if playing else ()
    facts = {
        "rules": state.rules,
        "colours": COLOURS,
        "offer": state.offer,
        "reach": {start: ends(state, state.mover, start) for start in able},
        "hands": {seat: state.hand(seat) for seat in COLOURS},
        "men": {seat: len(state.men(seat)) for seat in COLOURS},
        "flies": playing and state.flies(state.mover),
        "takeable": takeable(state, state.mover) if playing else (),
        "first": state.turn == 1,
    }
    position = {"board": rows, "hands": list(state.hands), "to_move": state.mover}
    title = f"After turn {state.turn - 1}" if state.turn > 1 else "The board"
    return View("Play" if state.ended is None else "Ended", position, diagram(state, title), facts)


def outcome(state: State) -> Outcome | None:
    """One point to the winner, half each for a draw."""
    return None if state.ended is None else shared(state.ended, state.why)


def diagram(state: State, title: str) -> Diagram:
    men = [(point, state.at(point)) for point in POINTS if state.at(point)]
    kinds: tuple[MarkKind, ...] = ("from", "to") if len(state.last) == 2 else ("last",)
    marks = [Mark(point, kind) for point, kind in zip(state.last, kinds, strict=False)]
    return Diagram(
        title,
        tuple(COLUMNS),
        tuple(ROWS),
        "islands",
        tokens=tuple(_man(point, seat) for point, seat in men),
        tints=tuple((c + r, "hole") for r in ROWS for c in COLUMNS if c + r not in POINTS),
        links=tuple(Link(one, two, "grey", "") for line in LINES for one, two in pairwise(_squares(line))),
        marks=(*marks, *([Mark(state.taken, "captured")] if state.taken else [])),
        legend=(("W", "a white man, Player 1's"), ("B", "a black man, Player 2's")),
        sentences=tuple(_sentences(state)),
    )


def board_form(state: State) -> BoardForm:
    """What the page that writes a mail by clicks must know; its script knows M2 to M5."""
    return BoardForm(
        {
            "lines": LINES,
            "hands": {str(seat): state.hand(seat) for seat in COLOURS},
            "flying": state.rules.flying,
            "offer": state.offer,
            "looks": {str(seat): _man("a1", seat).look for seat in COLOURS},
        }
    )


def _man(point: str, seat: int) -> Token:
    return Token(point, _SIGNS[seat], f"{COLOURS[seat]} man", _PAINT[seat])


def _squares(line: tuple[str, ...]) -> list[str]:
    """All squares from one end of a line to the other, those without a point too."""
    first, last = line[0], line[-1]
    columns = COLUMNS[COLUMNS.index(first[0]) : COLUMNS.index(last[0]) + 1]
    return [c + r for r in ROWS[ROWS.index(first[1]) : ROWS.index(last[1]) + 1] for c in columns]


def _sentences(state: State) -> list[str]:
    found = []
    for seat, colour in COLOURS.items():
        stand = ", ".join(state.men(seat)) or "none"
        found.append(f"{colour.capitalize()} men on the board: {stand}; to be placed: {state.hand(seat)}.")
    if state.last:
        first, *end = state.last
        turn = f"moved {first} to {end[0]}" if end else f"placed a man on {first}"
        took = f" and took the man on {state.taken}" if state.taken else ""
        found.append(f"The last turn {turn}{took}.")
    if state.ended is None and state.turn:
        mover, against = COLOURS[state.mover], COLOURS[other(state.mover)]
        found.append(f"{mover.capitalize()} is to play, against {against}.")
    return found
