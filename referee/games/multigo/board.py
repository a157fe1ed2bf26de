"""The board of Go: its points, what stones remove from it, and the positions that were there before.

A board under work is a list of one-letter symbols, changed in place; a board at rest is the same as
one string."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache

from referee.core.value import Value

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I: the GTP convention
LARGEST = len(LETTERS)
EMPTY = "."
SYMBOLS = "BWRUGYPO"  # by seat; U is Blue, because B is Black
COLOURS = ("black", "white", "red", "blue", "green", "yellow", "purple", "orange")
SYMBOL = dict(enumerate(SYMBOLS, 1))  # seat -> the colour's letter on the board
NAME = dict(enumerate(map(str.capitalize, COLOURS), 1))  # seat -> the colour as a player's name
SEAT = {symbol: seat for seat, symbol in SYMBOL.items()}


class Points(Value):
    """A board of `width` x `height` points, counted from the top left corner, row by row."""

    width: int
    height: int
    names: tuple[str, ...]
    index: Mapping[str, int]  # the point of each name
    neighbours: tuple[tuple[int, ...], ...]

    @property
    def tengen(self) -> str:
        """The point in the middle, where there is one."""
        return self.names[len(self.names) // 2] if self.width % 2 and self.height % 2 else ""

    def rows(self, board: str) -> tuple[str, ...]:
        """The board's rows from the top."""
        return tuple(board[start : start + self.width] for start in range(0, len(board), self.width))


@lru_cache(maxsize=32)
def points_of(width: int, height: int) -> Points:
    """The points of a board of that size, made once."""
    names = tuple(f"{LETTERS[column]}{height - row}" for row in range(height) for column in range(width))
    return Points(
        width,
        height,
        names,
        {name: point for point, name in enumerate(names)},
        tuple(
            tuple(
                r * width + c
                for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
                if 0 <= r < height and 0 <= c < width
            )
            for row in range(height)
            for column in range(width)
        ),
    )


Cells = list[str]
Neighbours = tuple[tuple[int, ...], ...]
Dead = tuple[str, set[int]]  # a removed chain: its symbol, its points


def chain_at(cells: Cells | str, neighbours: Neighbours, start: int) -> frozenset[int]:
    """The maximal connected set of one colour (or of empty points) that holds the point."""
    colour, found, waiting = cells[start], {start}, [start]
    while waiting:
        for point in neighbours[waiting.pop()]:
            if cells[point] == colour and point not in found:
                found.add(point)
                waiting.append(point)
    return frozenset(found)


def dead_chain(cells: Cells, neighbours: Neighbours, start: int) -> set[int] | None:
    """The chain of the stone where it has no liberty, else None: the search ends at the first liberty."""
    colour = cells[start]
    for point in neighbours[start]:  # most stones have a liberty of their own: no search is needed
        if cells[point] == EMPTY:
            return None
    chain, waiting = {start}, [start]
    for stone in waiting:
        for point in neighbours[stone]:
            if (beside := cells[point]) == EMPTY:
                return None
            if beside == colour and point not in chain:
                chain.add(point)
                waiting.append(point)
    return chain


def drop(cells: Cells, neighbours: Neighbours, point: int, symbol: str) -> list[Dead]:
    """Place a stone and remove what dies: at once all dead chains of other colours, else the mover's own.

    Returns the removed chains; the mover's own (a suicide) is then the only one and holds `point`.
    Two dead chains of different colours may touch, so none is removed before all are found (2.3,
    step 2)."""
    cells[point] = symbol
    removed = _dead_at(cells, neighbours, neighbours[point], symbol)
    if not removed and (own := dead_chain(cells, neighbours, point)):
        removed = [(symbol, own)]
    return _cleared(cells, removed)


def drop_together(
    cells: Cells, neighbours: Neighbours, stones: Iterable[tuple[int, str]], old_first: bool
) -> list[Dead]:
    """Place all stones at once and remove every chain without liberties, of every colour (2.4, steps 3 and 4).

    With `old_first` the dead chains that hold no new stone go first, then what is still dead.
    """
    placed = dict(stones)
    for point, symbol in placed.items():
        cells[point] = symbol
    # what may have lost its last liberty
    touched = [near for point in placed for near in (point, *neighbours[point])]
    dead = _dead_at(cells, neighbours, touched) if old_first else []
    old = _cleared(cells, [one for one in dead if one[1].isdisjoint(placed)])
    return old + _cleared(cells, _dead_at(cells, neighbours, touched))


def _dead_at(cells: Cells, neighbours: Neighbours, points: Iterable[int], but: str = EMPTY) -> list[Dead]:
    """Every dead chain that holds one of the points, but for those of one colour."""
    found: list[Dead] = []
    for point in points:
        if (symbol := cells[point]) in (EMPTY, but):
            continue
        if (chain := dead_chain(cells, neighbours, point)) and (symbol, chain) not in found:
            found.append((symbol, chain))
    return found


def _cleared(cells: Cells, dead: list[Dead]) -> list[Dead]:
    """The chains, taken off the board."""
    for _, chain in dead:
        for stone in chain:
            cells[stone] = EMPTY
    return dead


def lifeless(board: str, neighbours: Neighbours) -> list[set[int]]:
    """Every chain without a liberty on a whole board, in board order."""
    stones = [point for point, symbol in enumerate(board) if symbol != EMPTY]
    return sorted((chain for _, chain in _dead_at(list(board), neighbours, stones)), key=min)


def sign_of(board: str, to_move: int) -> str:
    """What tells one position from all others: a digest of the board, and the seat to move, 0 where
    that does not matter. The same for ever: stored states are compared by it."""
    return f" {to_move}{hashlib.blake2b(board.encode(), digest_size=16).hexdigest()}"
