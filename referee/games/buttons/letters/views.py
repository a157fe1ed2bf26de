"""What a seat, or the public, may know: everything, but for a private puzzle and the referee's own solution."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee.core.duel import shared
from referee.core.game import Outcome, View
from referee.core.replacing import replace
from referee.games.buttons.letters.picture import diagram
from referee.games.buttons.solo.puzzling import PLAYER
from referee.games.buttons.state import State
from referee.games.buttons.turns import moves, open_spaces


def public_face(state: State) -> State:
    """The state as everybody may see it: of a private puzzle only its start, until the end."""
    if not state.rules.private or state.ended is not None:
        return state
    return replace(
        state, cells=state.start, goal=state.rules.goal, trail=(), last=(), extra=0, undone=0, result=""
    )


def hides(state: State) -> bool:
    """Whether the puzzle is its player's alone as yet."""
    return state.rules.private and state.ended is None


def viewed(state: State, seat: int | None) -> View:
    hidden = hides(state) and seat != PLAYER
    shown = public_face(state) if hidden else state
    return View(
        _phase(state),
        position(shown, hidden),
        diagram(shown, _title(shown, hidden)) if shown.cells else None,
        facts(shown, hidden),
    )


def _phase(state: State) -> str:
    if state.ended is not None:
        return "Ended"
    return "Puzzle" if state.rules.solo else "Play"


def _title(state: State, hidden: bool) -> str:
    if state.rules.solo:
        return "The start of the puzzle" if hidden or not state.trail else f"After {_moves(state.moves)}"
    return "The board" if state.turn == 1 else f"After turn {state.turn - 1}"


def _moves(count: int) -> str:
    return f"{count} move{'' if count == 1 else 's'}"


def position(state: State, hidden: bool) -> dict[str, Any]:
    """The contract's public facts: rows of cells from the top, both supplies; solo: moves and par."""
    found: dict[str, Any] = {
        "board": [list(row) for row in rows(state)],
        "supplies": [list(state.supply(1)), list(state.supply(2))],
    }
    if state.rules.solo:
        par = state.par if state.ended is not None else None
        found["moves"] = None if hidden else state.moves
        found["par"] = par.moves if par else None
    return found


def rows(state: State) -> list[list[str]]:
    """Cells row by row: B3, W1, .. for an empty space, ## where there is no space."""
    board = state.rules.board
    cell = {space: sign or ".." for space, sign in zip(board.spaces, state.cells, strict=True)}
    across = [chr(ord("a") + column) for column in range(board.columns)]
    return [[cell.get(f"{c}{row}", "##") for c in across] for row in range(board.rows, 0, -1)]


def facts(state: State, hidden: bool) -> dict[str, Any]:
    """What the game's templates speak of; only what the same reader may know."""
    rules, ended = state.rules, state.ended
    playing = not rules.solo and ended is None and bool(state.cells)
    return {
        "rules": rules,
        "hidden": hidden,
        "turn": state.turn,
        "mover": state.mover,
        "first": state.first,
        "goal": state.goal,
        "moves": state.moves,
        "undone": state.undone,
        "result": state.result,
        "offer": state.offer,
        "banned": rules.ground.names(state.swapped or ()),
        "supplies": {seat: state.supply(seat) for seat in (1, 2)},
        "colours": {1: "black", 2: "white"},
        "reach": _reach(state),
        "open": rules.ground.names(open_spaces(state, state.mover)) if playing else (),
        "par": state.par if ended is not None else None,
        "ended": ended,
    }


def _reach(state: State) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """For every button that can be moved now: its space, the button, and where it may go."""
    if state.ended is not None or state.result or not state.cells:
        return ()
    ground = state.rules.ground
    if state.rules.solo:
        able = [(s, t) for s, cell in enumerate(state.cells) if cell for t in state.rules.reach(cell, s)]
    else:
        able = list(moves(state, state.mover))
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
        return Outcome(winners, {PLAYER: Fraction(state.moves)}, reason)
    return shared(winners, reason)
