"""The points of a board: their names, neighbours and Zobrist keys."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I: the GTP convention
LARGEST = len(LETTERS)
EMPTY = "."
SYMBOLS = "BWRUGYPO"  # by seat; U is Blue, because B is Black
COLOURS = ("black", "white", "red", "blue", "green", "yellow", "purple", "orange")
SYMBOL = dict(enumerate(SYMBOLS, 1))  # seat -> the colour's letter on the board
NAME = {
    seat: colour.capitalize() for seat, colour in enumerate(COLOURS, 1)
}  # seat -> the colour as a player's name
SEAT = {symbol: seat for seat, symbol in SYMBOL.items()}


@dataclass(frozen=True, slots=True)
class Points:
    """A board of `width` x `height` points, counted from the top left corner, row by row."""

    width: int
    height: int
    names: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    keys: tuple[dict[str, int], ...]  # point -> symbol -> 64-bit key

    def index(self, name: str) -> int | None:
        """The point of that name ("D4", letters in either case), or None where the board has none."""
        letter, digits = name[:1].upper(), name[1:]
        if len(letter) != 1 or letter not in LETTERS or not (digits.isascii() and digits.isdigit()):
            return None
        column, row = LETTERS.index(letter), int(digits)
        if column >= self.width or not 1 <= row <= self.height:
            return None
        return (self.height - row) * self.width + column

    def at(self, name: str) -> int:
        """The point of a name that has been checked before."""
        point = self.index(name)
        if point is None:
            raise ValueError(f"{name} is no point of this board")
        return point

    def rows(self, board: str) -> tuple[str, ...]:
        """The board's rows from the top."""
        return tuple(board[start : start + self.width] for start in range(0, len(board), self.width))

    def key(self, board: str) -> int:
        """The Zobrist key of a whole position: 0 for the empty board."""
        key = 0
        for point, symbol in enumerate(board):
            if symbol != EMPTY:
                key ^= self.keys[point][symbol]
        return key


@lru_cache(maxsize=32)
def points_of(width: int, height: int) -> Points:
    """The points of a board of that size, made once."""
    return Points(
        width,
        height,
        tuple(f"{LETTERS[column]}{height - row}" for row in range(height) for column in range(width)),
        tuple(_beside(width, height, point) for point in range(width * height)),
        tuple({symbol: _key(point, symbol) for symbol in SYMBOLS} for point in range(width * height)),
    )


def _beside(width: int, height: int, point: int) -> tuple[int, ...]:
    row, column = divmod(point, width)
    return tuple(
        r * width + c
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        if 0 <= r < height and 0 <= c < width
    )


def _key(point: int, symbol: str) -> int:
    """The same 64 bits for ever: stored states are compared by them."""
    return int.from_bytes(hashlib.blake2b(f"{point} {symbol}".encode(), digest_size=8).digest())
