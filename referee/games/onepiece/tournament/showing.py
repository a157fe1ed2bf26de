"""Demonstrations: which plies may be changed, and the grid as it is shown (4.4)."""

from __future__ import annotations

from referee.games.onepiece.board.grid import Colour, Grid, Ply, other, runs_of
from referee.games.onepiece.state import Claim, State, replayed


def demonstrable(state: State, claim: Claim) -> tuple[int, ...]:
    """The plies of the claimer's colour after the claim that were played: one of them may be changed."""
    last = min(claim.end, len(state.plies))
    return tuple(range(claim.ply + 2, last + 1, 2))


def next_shown(state: State) -> int:
    """The ply that the demonstration comes to next."""
    assert state.demo is not None
    return state.demo.before + len(state.demo.shown) + 1


def shown_plies(state: State) -> tuple[str, ...]:
    """All plies of the demonstration, those of the game that it keeps first."""
    assert state.demo is not None
    return (*state.plies[: state.demo.before], *state.demo.shown)


def shown_grid(state: State) -> Grid:
    return replayed(*state.size, state.law.pieces, shown_plies(state))


def first_safe(grid: Grid, colour: Colour) -> Ply:
    """The first move in notation order that does not win for the other colour at once; the first, if all do."""
    plies = grid.plies()
    safe = (p for p in plies if runs_of(grid.after(p), p.placed).winner != other(colour))
    return next(safe, plies[0])
