"""Whether a player in check can get out of it (ruling 11): the only case in which `Pass` in check may be refused."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.fourplay.board import neutron
from referee.games.fourplay.board.attack import Watch, in_check
from referee.games.fourplay.board.moves import moves_of, placements
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.state import State


def remedy(state: State, seat: int) -> bool:
    """Whether some run of the Neutron, with at most one own move or placement, ends out of check."""
    start = Position.of(state)
    start.fix_grants(seat)
    numbers = start.tables.numbers
    spare = {numbers[piece.type] for piece in state.off_board(seat) if not piece.mascot}
    for run in neutron.runs(start) or (None,):
        position = start.copy()
        if run is not None:
            neutron.make(position, run)
        if position.kings[seat] >= 0 and _helped(position, seat, spare):
            return True
    return False


def _helped(position: Position, seat: int, spare: Iterable[int]) -> bool:
    """Whether the King is out of check as things stand, or after one own move or placement."""
    watch = Watch(position, seat)
    if watch.calm or next(watch.safe(moves_of(position, seat)), None) is not None:
        return True
    return any(
        _safe_placing(position, seat, kind, square)
        for kind in spare
        for square in placements(position, seat, kind)
    )


def _safe_placing(position: Position, seat: int, kind: int, square: int) -> bool:
    position.place(square, seat, kind, 0)
    try:
        return not in_check(position, seat)
    finally:
        position.remove(square)
        position.spare[seat][kind] += 1
