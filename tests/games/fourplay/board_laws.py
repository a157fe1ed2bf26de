"""What must be true of every position in a Fourplay match, whatever was played: told by the rules alone."""

from collections import Counter
from collections.abc import Iterator

from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.state import KING, NEUTRON, SEATS, State
from referee.match.match import Match
from tests.games.fourplay import naive
from tests.games.fourplay.boards import square_of


def watch(before: Match, after: Match) -> Iterator[str]:
    """The laws of the board, for rehearsals."""
    old, new = before.inner, after.inner
    if not isinstance(new, State) or new.phase != "play":
        return
    yield from board_faults(new)
    if isinstance(old, State) and old.phase == "play" and _moment(old) < _moment(new):
        yield from turn_faults(old, new)


def board_faults(state: State) -> Iterator[str]:
    """905, 803, 501, 607.B.iii: one Neutron, one piece a square, no debts, one Mascot each, limits kept."""
    squares = Counter(piece.square for piece in state.on_board())
    yield from (f"two pieces on {square}" for square, count in squares.items() if count > 1)
    if squares and sum(piece.type == NEUTRON for piece in state.on_board()) != 1:
        yield "905: not one Neutron on the board"
    catalogue = catalogue_of(state.rules.pieces)
    for seat in SEATS:
        mine = [piece for piece in state.pieces if piece.owner == seat]
        if state.player(seat).money < 0:
            yield f"803: Player {seat} owes money"
        if sum(piece.mascot for piece in mine) > 1:
            yield f"501: Player {seat} has two Mascots"
        if len({piece.id for piece in mine}) != len(mine):
            yield f"Player {seat} has a piece twice"
        if sum(piece.type == KING for piece in mine) > 1:
            yield f"Player {seat} has two Kings"
        owned = dict(Counter(piece.type for piece in mine))
        for name, count in Counter(piece.type for piece in mine if piece.square).items():
            limit = catalogue.limit(name, owned)
            if limit is not None and count > limit:
                yield f"607.B.iii: Player {seat} has {count} {name} on the board, {limit} at most"


def turn_faults(old: State, new: State) -> Iterator[str]:
    """607: no more moves than Kings less one, by the player's own pieces alone, his King out of check after them."""
    seat, kings = old.to_move, old.kings
    were = {piece.id: piece for piece in old.pieces}
    moved = [p for p in new.pieces if p.id in were and were[p.id].square != p.square and p.square and p.owner]
    if len([p for p in moved if not (p.mascot and were[p.id].square is None)]) > len(kings) - 1:
        yield f"607: Player {seat} moved {len(moved)} pieces with {len(kings)} Kings on the board"
    yield from (
        f"607: a piece of Player {p.owner} moved in the turn of Player {seat}"
        for p in moved
        if p.owner != seat
    )
    if moved and seat in new.kings and naive.in_check(naive_board(new), seat):
        yield f"607.B.ii: Player {seat} moved and is in check"
    if not set(new.kings) <= set(kings):
        yield "603: a King has come back"


def naive_board(state: State) -> naive.Board:
    """The pieces on the board as the second account has them."""
    return {square_of(p.square): (p.type, p.owner) for p in state.on_board() if p.square}


def _moment(state: State) -> tuple[int, int, int, int]:
    return state.cycle, state.start, state.round, state.to_move
