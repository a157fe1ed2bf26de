"""Counting what is legal: single moves to a depth, and whole turns. For tests and benchmarks."""

from collections.abc import Iterator

from referee.games.fourplay.board.moves import (
    Position,
    attacked_kings,
    in_check,
    neutron_runs,
    run_neutron,
    safe_moves,
)
from referee.games.fourplay.board.primitives import Move
from referee.games.fourplay.state import SEATS
from tests.games.fourplay.boards import moves_of


def played(position: Position, move: Move) -> Position:
    """The position after a move."""
    after = position.copied()
    after.play(move)
    return after


def perft(position: Position, seat: int, depth: int) -> int:
    """How many sequences of so many single legal moves there are, the players with pieces taking turns in order.

    The Neutron stands still, nothing is placed; PrimeMovers lend anew before each move.
    """
    if depth == 0:
        return 1
    position.fix_grants(seat)
    count = 0
    for move in list(safe_moves(position, seat)):
        after = played(position, move)
        count += perft(after, _next(after, seat), depth - 1)
    return count


def _next(position: Position, seat: int) -> int:
    """The next player in order who has pieces on the board."""
    order = [(seat + step - 1) % len(SEATS) + 1 for step in (1, 2, 3, 4)]
    return next(other for other in order if position.men[other])


def count_turns(position: Position, seat: int) -> int:
    """How many whole turns are legal: runs of the Neutron times orders of moves (placements and purchases left out)."""
    start = position.copied()
    start.fix_grants(seat)
    moves = len(start.seats_with_king()) - 1
    count = passes = 0
    going, helped = 0, False
    for run in neutron_runs(start) or (None,):
        after = start.copied()
        if run is not None:
            run_neutron(after, run)
        if after.kings[seat] < 0 or len(after.seats_with_king()) == 1:
            count += 1  # ruling 10: the turn ends with the run
            helped = helped or after.kings[seat] >= 0
            continue
        going += 1
        safe = not in_check(after, seat)
        made = sum(_sequences(after, seat, moves, frozenset(), frozenset()))
        passes, count, helped = passes + safe, count + made, helped or safe or made > 0
    return count + (passes if helped else going)  # ruling 11: with no remedy `Pass` goes with any run


def _sequences(
    position: Position, seat: int, left: int, moved: frozenset[int], annoyed: frozenset[int]
) -> Iterator[int]:
    """One for every legal sequence of one to `left` moves."""
    if not left:
        return
    before = set(attacked_kings(position, seat))
    free = sorted(s for s in position.men[seat] if position.identities[s] not in moved)
    for move in list(moves_of(position, seat, free)):
        identity = position.identities[move.start]
        toward = {position.cells[square] & 7 for square in move.captures}
        after = played(position, move)
        toward |= set(attacked_kings(after, seat)) - before
        if not toward & annoyed and not in_check(after, seat):
            yield 1
            if len(after.seats_with_king()) > 1:
                yield from _sequences(after, seat, left - 1, moved | {identity}, annoyed | toward)
