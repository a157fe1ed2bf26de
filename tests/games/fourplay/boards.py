"""Boards for tests: drawn ones, and random ones from a seed; the same position for the kernel and for `naive`."""

import random
from collections.abc import Iterable

from referee.games.fourplay.board.catalogue import Catalogue, catalogue_of, catalogue_text
from referee.games.fourplay.board.moves import Position, moves_from
from referee.games.fourplay.board.primitives import NAMES, Move
from referee.games.fourplay.state import NEUTRON, Piece
from tests.games.fourplay import naive
from tests.games.fourplay.table import catalogues

TEXT = catalogue_text(catalogues()["pieces"], catalogues()["orthodox"])


def tables() -> Catalogue:
    return catalogue_of(TEXT)


def square_of(name: str) -> naive.Square:
    return "abcdefghijklmno".index(name[0]), int(name[1:]) - 1


def name_of(square: naive.Square) -> str:
    return f"{'abcdefghijklmno'[square[0]]}{square[1] + 1}"


def kernel(board: naive.Board) -> Position:
    """The kernel's position of a naive board; identities in the order of the squares."""
    men = enumerate(sorted(board.items()), 1)
    return Position(tables(), (Piece(n, man[0], man[1], name_of(square)) for n, (square, man) in men))


def moves_of(position: Position, owner: int, unmoved: Iterable[int] | None = None) -> list[Move]:
    """Every move of the owner's pieces, or of those on the given squares."""
    squares = sorted(position.men[owner]) if unmoved is None else unmoved
    return [move for square in squares for move in moves_from(position, square)]


def as_naive(move: Move) -> naive.Move:
    def squares(numbers: tuple[int, ...]) -> tuple[naive.Square, ...]:
        return tuple(square_of(NAMES[number]) for number in numbers)

    (start, end), via, captures = squares((move.start, move.end)), squares(move.via), squares(move.captures)
    return start, end, via, captures, move.granted


def random_board(seed: int, most: int = 90) -> naive.Board:
    """Two to four Kings, the Neutron, and other pieces of all players anywhere, crowded in places."""
    chance = random.Random(seed)
    squares = [(x, y) for x in range(15) for y in range(15)]
    if chance.random() < 0.4:  # a small crowd gives more captures
        left, low = chance.randrange(10), chance.randrange(10)
        squares = [(x, y) for x, y in squares if left <= x < left + 6 and low <= y < low + 6]
    chance.shuffle(squares)
    board: naive.Board = {squares.pop(): (NEUTRON, None)}
    for owner in chance.sample((1, 2, 3, 4), chance.choice((2, 3, 4, 4))):
        board[squares.pop()] = ("King", owner)
    kinds = [name for name in naive.RULES if name != "King"]
    if chance.random() < 0.3:
        kinds += ["PrimeMover"] * 4 + ["Zombie"] * 3
    for square in squares[: chance.randrange(min(most, len(squares)))]:
        board[square] = (chance.choice(kinds), chance.choice((1, 2, 3, 4)))
    return board
