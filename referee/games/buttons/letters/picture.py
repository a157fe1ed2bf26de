"""The board as a picture: islands and bridges in three colours, each also told apart by a letter."""

from __future__ import annotations

from referee.core.diagram import Diagram, Link, Mark, Token
from referee.games.buttons.board.bridges import SIDES
from referee.games.buttons.board.spaces import named
from referee.games.buttons.solo.goals import reached
from referee.games.buttons.state import State
from referee.games.buttons.turns import full_lines

NAMES = {"B": "black", "W": "white"}
BRIDGES = (
    ("r", "a red bridge: for every button"),
    ("b", "a black bridge: for black buttons only"),
    ("w", "a white bridge: for white buttons only"),
)


def spoken(button: str) -> str:
    """A button's name in words."""
    return f"{NAMES[button[0]]} {button[1:]}" if button else "nothing"


def button(space: str, sign: str) -> Token:
    return Token(space, sign, spoken(sign), "black" if sign[0] == "B" else "white")


def diagram(state: State, title: str) -> Diagram:
    board, cells = state.rules.board, state.cells
    columns = tuple(named(column, 1)[0] for column in range(1, board.columns + 1))
    rows = tuple(str(row) for row in range(board.rows, 0, -1))
    squares = [column + row for row in rows for column in columns]
    return Diagram(
        title,
        columns,
        rows,
        "islands",
        tokens=tuple(button(space, cell) for space, cell in zip(board.spaces, cells, strict=True) if cell),
        tints=tuple((square, "hole") for square in squares if square not in board.spaces),
        links=tuple(Link(b.first, b.second, b.colour, b.colour[0]) for b in board.bridges),
        marks=_marks(state),
        legend=legend(state),
        sentences=sentences(state),
    )


def legend(state: State) -> tuple[tuple[str, str], ...]:
    owners = ("", "") if state.rules.solo else (", Player 1's", ", Player 2's")
    buttons = (
        f"a {NAMES[colour]} button with the number 3{owner}"
        for colour, owner in zip(SIDES, owners, strict=True)
    )
    return (*zip(("B3", "W3"), buttons, strict=True), *BRIDGES)


def _marks(state: State) -> tuple[Mark, ...]:
    names = state.rules.ground.names
    last = names(state.last)
    if len(last) == 1:
        marks: tuple[Mark, ...] = (Mark(last[0], "last"),)
    else:
        marks = (Mark(last[0], "from"), Mark(last[-1], "to")) if last else ()
    return (*marks, *(Mark(space, "run") for space in names(sorted(_made(state)))))


def _made(state: State) -> set[int]:
    """The spaces of the lines that ended the match."""
    if state.rules.solo:
        pairs = reached(state.rules, state.cells, state.goal) if state.goal else ()
        return {space for pair in pairs for line in pair for space in line}
    return {space for seat in (1, 2) for line in full_lines(state, seat) for space in line}


def sentences(state: State) -> tuple[str, ...]:
    """Row by row what stands where, then the supplies and the last turn."""
    board = state.rules.board
    found = []
    for row in range(board.rows, 0, -1):
        spaces = [s for s in board.spaces if s[1:] == str(row)]
        stand = [f"{s} {spoken(state.cells[board.spaces.index(s)])}" for s in spaces]
        found.append(f"Row {row}: {', '.join(stand)}." if stand else f"Row {row}: no spaces.")
    if not state.rules.solo:
        for seat, colour in enumerate(SIDES, 1):
            left = " ".join(str(value) for value in state.supply(seat)) or "nothing"
            found.append(f"In {NAMES[colour]}'s supply: {left}.")
    return (*found, *_last(state))


def _last(state: State) -> tuple[str, ...]:
    names = state.rules.ground.names(state.last)
    if not names:
        return ()
    arrived = spoken(state.cells[state.last[-1]])
    if len(names) == 1:
        return (f"The last turn placed {arrived} on {names[0]}.",)
    changed = state.cells[state.last[0]]
    swap = f", changing places with {spoken(changed)}" if changed else ""
    return (f"The last turn moved {arrived} from {names[0]} to {names[1]}{swap}.",)
