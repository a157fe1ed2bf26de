"""Two accounts of the pieces must agree: the kernel's tables and the naive one written from the rules' words."""

import random
from collections import Counter

import pytest

from referee.games.fourplay.board.moves import (
    attacked_kings,
    attacks,
    in_check,
    neutron_runs,
    safe_moves,
)
from referee.games.fourplay.board.primitives import NUMBERS
from tests.games.fourplay import naive
from tests.games.fourplay.boards import as_naive, kernel, moves_of, name_of, random_board, square_of
from tests.games.fourplay.perft import count_turns, perft
from tests.sampling import long

SEATS = (1, 2, 3, 4)
ARMY = ["Dollarman", "Cannon", "Archer", "Snake", "Crazyhorse", "Bender", "Zombie", "Withdrawer"]
ARMY += ["PrimeMover", "Killer Tomato", "Jester", "Pawn", "Nwap", "Quadrunner"]


def agree(board: naive.Board) -> None:
    """Moves, attacks, check and the Neutron's runs are the same in both accounts."""
    position = kernel(board)
    for seat in SEATS:
        position.fix_grants(seat)
        mine = Counter(as_naive(move) for move in moves_of(position, seat))
        theirs = Counter(naive.moves(board, seat, naive.lent_to(board, seat), {}))
        assert mine == theirs, (seat, mine - theirs, theirs - mine)
        assert set(attacked_kings(position, seat)) == naive.attacked_kings(board, seat)
        assert in_check(position, seat) == naive.in_check(board, seat)
    for seat in SEATS:
        targets = [square for square, man in board.items() if man[1] not in (seat, None)]
        found = {square for square in targets if attacks(position, seat, NUMBERS[name_of(square)])}
        assert found == naive.all_attacked(board, seat)
    where = next(square for square, man in board.items() if man[1] is None)
    ends = {square_of(_name(run.end)): run.gem for run in neutron_runs(position)}
    assert ends == {square: naive.gem_for(square) for square in naive.neutron_ends(board, where)}


def _name(number: int) -> str:
    return next(name for name, other in NUMBERS.items() if other == number)


@pytest.mark.parametrize("seed", range(60))
def test_both_accounts_agree_on_random_boards(seed: int) -> None:
    agree(random_board(seed, most=50))


def test_961_a_zombie_that_takes_a_zombie_leaves_as_many() -> None:
    agree(random_board(1049))


@pytest.mark.soak
@pytest.mark.parametrize("block", range(40))
def test_both_accounts_agree_on_thousands_of_boards(block: int) -> None:
    for seed in range(1000 + block * 100, 1100 + block * 100):
        agree(random_board(seed))


def agree_on_legal_moves(board: naive.Board) -> None:
    """What is left of the moves when the own King must not be in check after them."""
    position = kernel(board)
    for seat in SEATS:
        position.fix_grants(seat)
        mine = Counter(as_naive(move) for move in safe_moves(position, seat))
        every = naive.moves(board, seat, naive.lent_to(board, seat), {})
        assert mine == Counter(m for m in every if not naive.in_check(naive.made(board, m), seat))


@pytest.mark.parametrize(
    "seed", [49, 57, 76, *range(600, 612)]
)  # in the first who shields takes who attacks or lends
def test_607b_both_accounts_agree_on_what_check_leaves(seed: int) -> None:
    agree_on_legal_moves(random_board(seed, most=24))


@pytest.mark.parametrize("seed", [5007, 5048])
def test_961_a_zombie_of_a_player_without_a_king_is_judged_alike_though_it_becomes_one(seed: int) -> None:
    agree_on_legal_moves(random_board(seed, most=40))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5000, 5200))
def test_607b_both_accounts_agree_on_what_check_leaves_of_many_boards(seed: int) -> None:
    agree_on_legal_moves(random_board(seed, most=40))


def small_board(seed: int) -> naive.Board:
    """Two or three Kings, the Neutron and a few pieces close together, so that turns can be counted one by one."""
    chance = random.Random(seed)
    squares = [(x, y) for x in range(4, 11) for y in range(4, 11)]
    chance.shuffle(squares)
    board: naive.Board = {squares.pop(): ("Neutron", None)}
    three = chance.random() < 0.4
    board |= {squares.pop(): ("King", owner) for owner in ((1, 2, 3) if three else (1, 2))}
    kinds = (
        ["Zombie", "Jester", "Pawn", "Nwap", "Archer"] if three else [*ARMY, "PrimeMover", "Zombie", "Cannon"]
    )
    for square in squares[: chance.randrange(2, 4 if three else 8)]:
        board[square] = (chance.choice(kinds), chance.choice((1, 1, 2, 3)))
    return board


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", [*range(25), *long(*range(100, 160))])
def test_607b_both_accounts_count_the_same_whole_turns(seed: int) -> None:
    """The Neutron first, then up to p-1 moves: check after each, aggression once toward each, no piece twice."""
    board = small_board(seed)
    assert count_turns(kernel(board), 1) == naive.count_turns(board, 1)


def whole_position(seed: int) -> naive.Board:
    """Four armies in their quadrants: the King on the Home Corner, ten other pieces anywhere."""
    chance = random.Random(seed)
    board: naive.Board = {(7, 7): ("Neutron", None)}
    for owner, corner in zip(SEATS, ((14, 14), (0, 14), (0, 0), (14, 0)), strict=True):
        squares = [(x, y) for x in range(15) for y in range(15) if naive.quadrant((x, y)) == owner]
        chance.shuffle(squares)
        board |= dict(zip(squares, ((name, owner) for name in chance.sample(ARMY, 10)), strict=False))
        board[corner] = ("King", owner)
    return board


PINNED = {1: 17074, 3: 22190, 4: 21456}


@pytest.mark.parametrize("depth", [1, *long(2)])
@pytest.mark.parametrize("seed", PINNED)
def test_perft_of_whole_positions(seed: int, depth: int) -> None:
    board = whole_position(seed)
    assert perft(kernel(board), 1, depth) == naive.perft(board, 1, depth) > 50


@pytest.mark.parametrize("seed", PINNED)
def test_perft_of_whole_positions_to_depth_two_is_what_both_accounts_found(seed: int) -> None:
    """The soak run compares the accounts to this depth; these numbers keep their common result."""
    assert perft(kernel(whole_position(seed)), 1, 2) == PINNED[seed]
