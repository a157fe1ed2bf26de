"""What a seat, or the public, may know: everything, but for a private puzzle and the referee's own
solution; the board as a picture; and what the page that writes a mail by clicks must know."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from referee.core.diagram import Diagram, Link, Mark, MarkKind, Token
from referee.core.duel import other, shared
from referee.core.game import BoardForm, Outcome, View
from referee.games.buttons import puzzle
from referee.games.buttons.board import COLOUR_NAME, SIDES
from referee.games.buttons.duel import full_lines, moves, open_spaces
from referee.games.buttons.state import State, buttons


def hides(state: State) -> bool:
    """Whether the puzzle is its player's alone as yet."""
    return state.rules.private and state.ended is None


def viewed(state: State, seat: int | None) -> View:
    """Of a private puzzle the public sees only its start, until the end. `position` is the contract's: rows of cells
    from the top (B3, W1, .. for an empty space, ## for none), both supplies; solo: moves and par."""
    if hidden := hides(state) and seat != puzzle.PLAYER:
        state = replace(
            state, cells=state.start, goal=state.rules.goal, trail=(), last=(), extra=0, undone=0, result=""
        )
    phase = "Ended" if state.ended is not None else "Puzzle" if state.rules.solo else "Play"
    title = "The board" if state.turn == 1 else f"After turn {state.turn - 1}"
    if state.rules.solo:
        moves = "1 move" if state.moves == 1 else f"{state.moves} moves"
        title = "The start of the puzzle" if hidden or not state.trail else f"After {moves}"
    cell = {space: sign or ".." for space, sign in zip(state.rules.board.spaces, state.cells, strict=True)}
    position: dict[str, Any] = {
        "board": [[cell.get(square, "##") for square in row] for row in state.rules.board.grid],
        "supplies": [list(state.supply(1)), list(state.supply(2))],
    }
    if state.rules.solo:
        par = state.par if state.ended is not None else None
        position |= {"moves": None if hidden else state.moves, "par": par.moves if par else None}
    return View(phase, position, diagram(state, title) if state.cells else None, facts(state, hidden))


def facts(state: State, hidden: bool) -> dict[str, Any]:
    """What the game's templates speak of; only what the same reader may know."""
    rules, ended = state.rules, state.ended
    playing = not rules.solo and ended is None and bool(state.cells)
    return {
        "rules": rules,
        "hidden": hidden,
        "mover": state.mover,
        "goal": state.goal,
        "moves": state.moves,
        "offer": state.offer,
        "banned": rules.ground.names(state.swapped or ()),
        "supplies": {seat: state.supply(seat) for seat in (1, 2)},
        "colours": {1: "black", 2: "white"},
        "reach": _reach(state),
        "open": rules.ground.names(open_spaces(state, state.mover)) if playing else (),
        "par": state.par if ended is not None else None,
    }


def _reach(state: State) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """For every button that can be moved now: its space, the button, and where it may go."""
    if state.ended is not None:
        return ()
    ground = state.rules.ground
    able = [*(puzzle.moves(state) if state.rules.solo else moves(state, state.mover))]
    return tuple(
        (ground.spaces[s], state.cells[s], ground.names(t for f, t in able if f == s))
        for s in dict.fromkeys(s for s, _ in able)
    )


def outcome(state: State) -> Outcome | None:
    """Two players: one point to the winner, half each for a draw. Solo: the points are the moves made."""
    if state.ended is None:
        return None
    winners, reason = state.ended.winners, state.ended.reason
    if state.rules.solo:
        return Outcome(winners, {puzzle.PLAYER: Fraction(state.moves)}, reason)
    return shared(winners, reason)


BRIDGES = (
    ("r", "a red bridge: for every button"),
    ("b", "a black bridge: for black buttons only"),
    ("w", "a white bridge: for white buttons only"),
)


def spoken(button: str) -> str:
    """A button's name in words."""
    return f"{COLOUR_NAME[button[0]]} {button[1:]}" if button else "nothing"


def button(space: str, sign: str) -> Token:
    return Token(space, sign, spoken(sign), "black" if sign[0] == "B" else "white")


def diagram(state: State, title: str) -> Diagram:
    board, cells = state.rules.board, state.cells
    owners = ("", "") if state.rules.solo else (", Player 1's", ", Player 2's")
    kinds: tuple[MarkKind, ...] = ("last",) if len(state.last) == 1 else ("from", "to")
    last = map(Mark, state.rules.ground.names(state.last), kinds)
    samples = (f"a {COLOUR_NAME[c]} button with the number 3{o}" for c, o in zip(SIDES, owners, strict=True))
    return Diagram(
        title,
        tuple(square[0] for square in board.grid[0]),
        tuple(row[0][1:] for row in board.grid),
        "islands",
        tokens=tuple(button(space, cell) for space, cell in zip(board.spaces, cells, strict=True) if cell),
        tints=tuple((square, "hole") for row in board.grid for square in row if square not in board.spaces),
        links=tuple(Link(b.first, b.second, b.colour, b.colour[0]) for b in board.bridges),
        marks=(*last, *(Mark(space, "run") for space in state.rules.ground.names(sorted(_made(state))))),
        legend=(*zip(("B3", "W3"), samples, strict=True), *BRIDGES),
        sentences=sentences(state),
    )


def _made(state: State) -> set[int]:
    """The spaces of the lines that ended the match."""
    if state.rules.solo:
        pairs = puzzle.reached(state.rules, state.cells, state.goal) if state.goal else ()
        return {space for pair in pairs for line in pair for space in line}
    return {space for seat in (1, 2) for line in full_lines(state, seat) for space in line}


def sentences(state: State) -> tuple[str, ...]:
    """Row by row what stands where, then the supplies and the last turn."""
    board = state.rules.board
    found = []
    for row in board.grid:
        stand = [f"{s} {spoken(state.cells[board.spaces.index(s)])}" for s in row if s in board.spaces]
        found.append(f"Row {row[0][1:]}: {', '.join(stand) or 'no spaces'}.")
    if not state.rules.solo:
        for seat, colour in enumerate(SIDES, 1):
            left = " ".join(str(value) for value in state.supply(seat)) or "nothing"
            found.append(f"In {COLOUR_NAME[colour]}'s supply: {left}.")
    if names := state.rules.ground.names(state.last):
        arrived, left = spoken(state.cells[state.last[-1]]), state.cells[state.last[0]]
        swap = f", changing places with {spoken(left)}" if left else ""
        moved = f"moved {arrived} from {names[0]} to {names[-1]}{swap}"
        found.append(f"The last turn {f'placed {arrived} on {names[0]}' if len(names) == 1 else moved}.")
    return tuple(found)


def clickable(state: State) -> BoardForm:
    """`reach`: button -> space -> where it may go, for every button of the match; `seats` for two
    players: the supply, where a button of it may be placed, whether an offer of the opponent's
    stands; `banned` the two spaces whose buttons may not be exchanged back."""
    rules, names = state.rules, state.rules.ground.spaces
    signs = sorted(set(buttons(rules.values)))
    facts: dict[str, Any] = {
        "solo": rules.solo,
        "goal": state.goal,
        "undo": rules.undo != "off",
        "trail": [[names[a], names[b]] for a, b in state.trail],
        "banned": [names[space] for space in state.swapped or ()],
        "reach": {
            sign: {space: [names[end] for end in rules.reach(sign, at)] for at, space in enumerate(names)}
            for sign in signs
        },
        "looks": {sign: button("a1", sign).look for sign in signs},
    }
    if not rules.solo:
        facts["seats"] = {
            str(seat): {
                "side": SIDES[seat - 1],
                "supply": list(state.supply(seat)),
                "places": [names[space] for space in open_spaces(state, seat)],
                "offered": state.offer == other(seat),
            }
            for seat in (1, 2)
        }
    return BoardForm(facts)
