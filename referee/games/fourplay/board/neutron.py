"""The Neutron (905, 607.B.i, 610.b): where it runs, whose Gem it brings, what its return destroys."""

from __future__ import annotations

from typing import NamedTuple

from referee.games.fourplay.board.position import NOBODY, Position
from referee.games.fourplay.board.squares import ALL8, CENTRE, EDGE, NEUTRAL, QUADRANTS, SQUARES, ray

_LINES = tuple(tuple(ray(square, step) for step in ALL8) for square in SQUARES)


class NeutronRun(NamedTuple):
    """One run: `end` is where it stops; `gem` the player who catches it there, or None."""

    start: int
    end: int
    gem: int | None


def runs(position: Position) -> tuple[NeutronRun, ...]:
    """Every way it can go; empty where it can't move or is not on the board."""
    if position.neutron < 0:
        return ()
    found = (run_along(position, line) for line in _LINES[position.neutron] if line)
    return tuple(run for run in found if run is not None)


def run_along(position: Position, line: tuple[int, ...]) -> NeutronRun | None:
    """As far as possible along a line; None where its first square is taken."""
    end = -1
    for square in line:
        if position.cells[square]:
            break
        end = square
    return None if end < 0 else NeutronRun(position.neutron, end, caught_by(end))


def line_to(position: Position, square: int) -> tuple[int, ...] | None:
    """The line from the Neutron on which a square lies, up to the edge."""
    if position.neutron < 0:
        return None
    return next((line for line in _LINES[position.neutron] if square in line), None)


def caught_by(square: int) -> int | None:
    """The player who gets a Gem when the Neutron stops there: an edge square of his quadrant."""
    return QUADRANTS[square] if square in EDGE and QUADRANTS[square] != NEUTRAL else None


def destroyed_by(position: Position, run: NeutronRun) -> int | None:
    """The square of the piece that the Neutron's return will destroy: the centre, where a piece stands there."""
    if run.gem is None:
        return None
    cell = position.cells[CENTRE]
    return CENTRE if cell and cell & 7 != NOBODY else None


def make(position: Position, run: NeutronRun) -> None:
    """Make the run, with its return to the centre and what that destroys."""
    if destroyed_by(position, run) is not None:
        position.remove(CENTRE)
    position.run_neutron(CENTRE if run.gem is not None else run.end)
