"""Check and attack (607.B.ii, rulings 1 and 2), by the capture rules of the pieces alone; whether there is a remedy
(ruling 11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from referee.games.fourplay.board import neutron
from referee.games.fourplay.board.moves import lent_lines, moves_from, placements
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.primitives import Grant
from referee.games.fourplay.board.squares import QUADRANTS
from referee.games.fourplay.board.ways import CLEAR, SCREENED, SHOT, Hit, Move
from referee.games.fourplay.state import SEATS, State


def attacks(position: Position, owner: int, target: int) -> bool:
    """Whether some piece of the owner could take the piece that stands on the target, were it his move now.

    Pins, the number of moves and the limit of aggression do not count; PrimeMovers lend what stands next to them
    at this moment (part C).
    """
    tables = position.tables
    hits_of_kinds = tables.hits
    for square, kind in position.men[owner].items():
        known = hits_of_kinds[kind][square]
        hits = (tables.hits_of(kind, square) if known is None else known).get(target)
        if hits is not None and position.takes(owner, kind, target):
            for hit in hits:
                if _possible(position, owner, kind, square, hit):
                    return True
    return any(
        _possible(position, owner, position.cells[square] >> 4, square, hit)
        for square, hit in _lent(position, owner, target)
    )


def _possible(position: Position, owner: int, kind: int, start: int, hit: Hit) -> bool:
    condition, squares, screens, end = hit
    cells = position.cells
    if condition != SHOT and position.tables.bound[kind] and QUADRANTS[end] != owner:
        return False
    if condition in (CLEAR, SHOT):
        return not any(map(cells.__getitem__, squares))
    if condition == SCREENED:
        return sum(1 for square in squares if cells[square]) == screens
    return all(not cells[s] or s == start or position.takes(owner, kind, s) for s in squares)


def _lent(position: Position, owner: int, target: int) -> Iterator[tuple[int, Hit]]:
    """The lent moves of the owner's pieces that take what stands on the target, as PrimeMovers stand now."""
    for square, grants in position.grants(owner).items():
        if position.takes(owner, position.cells[square] >> 4, target):
            for grant in grants:
                if (blocked := _blocked(grant, square, target)) is not None:
                    yield square, Hit(CLEAR, blocked, 0, target)


@lru_cache(maxsize=65536)
def _blocked(grant: Grant, square: int, target: int) -> tuple[int, ...] | None:
    """What must be empty for a lent move between two squares; None where there is none."""
    for line, distances in lent_lines(grant)[square]:
        for distance, blocked in distances:
            if line[distance - 1] == target:
                return blocked
    return None


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


class Watch:
    """Whoever might attack a player's King where it stands, found once for many moves of the player's.

    Only these pieces can give check after a move that does not move the King: others have no way to its square,
    whatever stands between. A piece that is taken gives none. A King that is not in check now is not after a move
    that touches none of the squares their ways depend on either.
    """

    def __init__(self, position: Position, player: int) -> None:
        self.position, self.player = position, player
        self.king = king = position.kings[player]
        self.suspects: list[tuple[int, int, int, tuple[Hit, ...], bool]] = []  # whether the way is lent, last
        tables, cells = position.tables, position.cells
        for owner in SEATS if king >= 0 else ():
            if owner == player or position.kings[owner] < 0:
                continue
            for square, kind in position.men[owner].items():
                known = tables.hits[kind][square]
                hits = (tables.hits_of(kind, square) if known is None else known).get(king)
                if hits is not None and position.takes(owner, kind, king):
                    self.suspects.append((owner, square, cells[square], hits, False))
            self.suspects += [(owner, s, cells[s], (hit,), True) for s, hit in _lent(position, owner, king)]
        self.calm = king >= 0 and not self.checked()  # without a King, a Zombie's capture may make one
        self.decisive = frozenset(s for *_, hits, _ in self.suspects for hit in hits for s in hit.squares)

    def checked(self) -> bool:
        """Whether the King is in check now, after a move of the player's or none. What was lent may be lent no more,
        where the lender is taken."""
        position = self.position
        if position.kings[self.player] != self.king:
            return in_check(position, self.player)
        cells, kings = position.cells, position.kings
        for owner, square, cell, hits, lent in self.suspects:
            if cells[square] == cell and kings[owner] >= 0:
                for hit in hits:
                    if _possible(position, owner, cell >> 4, square, hit):
                        return not lent or in_check(position, self.player)
        return False

    def safe_from(self, start: int, moves: list[Move]) -> list[Move]:
        """The moves of the piece on one square after which the player's King is out of check. Between two of them the
        position is as it was."""
        decisive = self.decisive
        if not self.calm or start == self.king or (start in decisive and not self._calm_without(start)):
            return [move for move in moves if self._safe_after(move)]
        if not decisive:
            return moves
        return [
            move
            for move in moves
            if (move[1] not in decisive and (not move[3] or decisive.isdisjoint(move[3])))
            or self._safe_after(move)
        ]

    def _calm_without(self, start: int) -> bool:
        """Whether the King would be out of check if the piece on a square, not the King, were not there."""
        cells = self.position.cells
        cell, cells[start] = cells[start], 0
        try:
            return not self.checked()
        finally:
            cells[start] = cell

    def _safe_after(self, move: Move) -> bool:
        undo = self.position.play(move)
        try:
            return not self.checked()
        finally:
            self.position.undo(undo)


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
    if watch.calm or any(watch.safe_from(s, moves_from(position, s)) for s in sorted(position.men[seat])):
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
