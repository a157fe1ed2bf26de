"""Check and attack (607.B.ii, rulings 1 and 2): by the capture rules of the pieces alone."""

from __future__ import annotations

from referee.games.fourplay.board import QUADRANTS
from referee.games.fourplay.moves import lent_lines
from referee.games.fourplay.position import Move, Position
from referee.games.fourplay.state import SEATS
from referee.games.fourplay.ways import CLEAR, SCREENED, SHOT


def attacks(position: Position, owner: int, target: int) -> bool:
    """Whether some piece of the owner could take the piece that stands on the target, were it his move now.

    Pins, the number of moves and the limit of aggression do not count; PrimeMovers lend what stands next to them
    at this moment (part C).
    """
    tables = position.tables
    hits_of = tables.hits_of
    for square, kind in position.men[owner].items():
        hits = (tables.hits[kind][square] or hits_of(kind, square)).get(target)
        if (
            hits is not None
            and position.takes(owner, kind, target)
            and any(_possible(position, owner, kind, square, *hit) for hit in hits)
        ):
            return True
    return _lent_attack(position, owner, target)


def _possible(
    position: Position,
    owner: int,
    kind: int,
    start: int,
    condition: int,
    squares: tuple[int, ...],
    screens: int,
    end: int,
) -> bool:
    cells = position.cells
    if condition != SHOT and position.tables.bound[kind] and QUADRANTS[end] != owner:
        return False
    if condition in (CLEAR, SHOT):
        return not any(cells[s] for s in squares)
    if condition == SCREENED:
        return sum(1 for s in squares if cells[s]) == screens
    return all(not cells[s] or s == start or position.takes(owner, kind, s) for s in squares)


def _lent_attack(position: Position, owner: int, target: int) -> bool:
    tables = position.tables
    if not any(tables.grants[kind] is not None for kind in position.men[owner].values()):
        return False
    for square, lent in position.grants(owner).items():
        kind = position.cells[square] >> 4
        if tables.bound[kind] and QUADRANTS[target] != owner:
            continue
        if not position.takes(owner, kind, target):
            continue
        for grant in lent:
            for line, distances in lent_lines(grant)[square]:
                for distance, blocked in distances:
                    if line[distance - 1] == target:
                        if not any(position.cells[s] for s in blocked):
                            return True
                        break
    return False


def attacked_kings(position: Position, owner: int) -> tuple[int, ...]:
    """The other players whose King some piece of the owner attacks."""
    kings = position.kings
    return tuple(s for s in SEATS if s != owner and kings[s] >= 0 and attacks(position, owner, kings[s]))


def checkers(position: Position, player: int) -> tuple[int, ...]:
    """The players who give the player check: those with a King of their own (ruling 2)."""
    king = position.kings[player]
    if king < 0:
        return ()
    return tuple(s for s in SEATS if s != player and position.kings[s] >= 0 and attacks(position, s, king))


def in_check(position: Position, player: int) -> bool:
    king = position.kings[player]
    if king < 0:
        return False
    return any(s != player and position.kings[s] >= 0 and attacks(position, s, king) for s in SEATS)


def safe(position: Position, player: int, move: Move) -> bool:
    """Whether the player's King is out of check after the move."""
    undo = position.play(move)
    try:
        return not in_check(position, player)
    finally:
        position.undo(undo)
