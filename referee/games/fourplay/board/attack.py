"""Check and attack (607.B.ii, rulings 1 and 2), by the capture rules of the pieces alone; whether
there is a remedy (ruling 11)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from referee.games.fourplay.board.moves import lent_lines, moves_from, neutron_runs, placements, run_neutron
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.primitives import CLEAR, SCREENED, SHOT, Grant, Hit, Move
from referee.games.fourplay.board.squares import QUADRANTS
from referee.games.fourplay.state import SEATS, State


def attacks(position: Position, owner: int, target: int) -> bool:
    """Whether some piece of the owner could take the piece that stands on the target, were it his move now.

    Pins, the number of moves and the limit of aggression do not count; PrimeMovers lend what stands
    next to them at this moment (part C)."""
    for square, hits, _ in _aimed(position, owner, target):
        for hit in hits:
            if _possible(position, owner, square, hit):
                return True
    return False


def _aimed(position: Position, owner: int, target: int) -> Iterator[tuple[int, tuple[Hit, ...], bool]]:
    """The pieces of the owner that have ways to take what stands on the target, whatever stands
    between, with these ways; last whether they are lent, as PrimeMovers stand now."""
    hits_of = position.catalogue.hits
    for square, kind in position.men[owner].items():
        hits = hits_of[kind][square].get(target)
        if hits is not None and position.takes(owner, kind, target):
            yield square, hits, False
    for square, grants in position.grants(owner).items():
        if position.takes(owner, position.cells[square] >> 4, target):
            ways = [blocked for grant in grants if (blocked := _blocked(grant, square, target)) is not None]
            yield square, tuple(Hit(CLEAR, blocked, 0, target) for blocked in ways), True


def _possible(position: Position, owner: int, start: int, hit: Hit) -> bool:
    condition, squares, screens, end = hit
    cells = position.cells
    kind = cells[start] >> 4
    if condition != SHOT and position.catalogue.types[kind].end_in and QUADRANTS[end] != owner:
        return False
    if condition in (CLEAR, SHOT):
        return not any(map(cells.__getitem__, squares))
    if condition == SCREENED:
        return sum(1 for square in squares if cells[square]) == screens
    return all(not cells[s] or s == start or position.takes(owner, kind, s) for s in squares)


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


def checkers(position: Position, player: int) -> Iterator[int]:
    """The players who give the player check: those with a King of their own (ruling 2)."""
    kings = position.kings
    for seat in SEATS if kings[player] >= 0 else ():
        if seat != player and kings[seat] >= 0 and attacks(position, seat, kings[player]):
            yield seat


def in_check(position: Position, player: int) -> bool:
    return any(checkers(position, player))


class Watch:
    """Whoever might attack a player's King where it stands, found once for many moves of the player's.

    Only these pieces can give check after a move that does not move the King: others have no way to
    its square, whatever stands between. A piece that is taken gives none. A King that is not in
    check now is not after a move that touches none of the squares their ways depend on either."""

    def __init__(self, position: Position, player: int) -> None:
        self.position, self.player = position, player
        self.king = king = position.kings[player]
        self.suspects = [
            (owner, square, position.cells[square], hits, lent)
            for owner in (SEATS if king >= 0 else ())
            if owner != player and position.kings[owner] >= 0
            for square, hits, lent in _aimed(position, owner, king)
        ]
        self.calm = king >= 0 and not self.checked()  # without a King, a Zombie's capture may make one
        self.decisive = frozenset(s for *_, hits, _ in self.suspects for hit in hits for s in hit.squares)

    def checked(self) -> bool:
        """Whether the King is in check now, after a move of the player's or none. What was lent may
        be lent no more, where the lender is taken."""
        position = self.position
        if position.kings[self.player] != self.king:
            return in_check(position, self.player)
        cells, kings = position.cells, position.kings
        for owner, square, cell, hits, lent in self.suspects:
            if cells[square] == cell and kings[owner] >= 0:
                for hit in hits:
                    if _possible(position, owner, square, hit):
                        return not lent or in_check(position, self.player)
        return False

    def safe_from(self, start: int, moves: list[Move]) -> list[Move]:
        """The moves of the piece on one square after which the player's King is out of check.
        Between two of them the position is as it was."""
        decisive = self.decisive
        if not self.calm or start == self.king or start in decisive:
            return [move for move in moves if self._safe_after(move)]
        return [
            move
            for move in moves
            if (move[1] not in decisive and (not move[3] or decisive.isdisjoint(move[3])))
            or self._safe_after(move)
        ]

    def _safe_after(self, move: Move) -> bool:
        undo = self.position.play(move)
        try:
            return not self.checked()
        finally:
            self.position.undo(undo)


def remedy(state: State, seat: int) -> bool:
    """Whether some run of the Neutron, with at most one own move or placement, ends out of check."""
    for run in neutron_runs(Position.of(state)) or (None,):
        position = Position.of(state, seat)
        if run is not None:
            run_neutron(position, run)
        if position.kings[seat] >= 0 and _helped(position, seat, state):
            return True
    return False


def _helped(position: Position, seat: int, state: State) -> bool:
    """Whether the King is out of check as things stand, or after one own move or placement."""
    watch = Watch(position, seat)
    if watch.calm or any(watch.safe_from(s, moves_from(position, s)) for s in sorted(position.men[seat])):
        return True
    for name in {piece.type for piece in state.off_board(seat) if not piece.mascot}:
        kind = position.catalogue.numbers[name]
        for square in placements(position, seat, kind):
            with position.placed(square, seat, kind):
                if not in_check(position, seat):
                    return True
    return False
