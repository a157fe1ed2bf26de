"""The rules once more, written as plainly as can be and without a line of the game's code: slow, for comparison.

A board is a dictionary of (column, row) to seat; what is not in it is empty.
"""

from collections.abc import Iterable

Point = tuple[int, int]
Board = dict[Point, int]


def beside(size: Point, point: Point) -> list[Point]:
    x, y = point
    near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return [(a, b) for a, b in near if 0 <= a < size[0] and 0 <= b < size[1]]


def every(size: Point) -> list[Point]:
    return [(x, y) for y in range(size[1]) for x in range(size[0])]


def chain(size: Point, board: Board, point: Point) -> set[Point]:
    """Grows until it grows no more."""
    found = {point}
    while True:
        grown = found | {q for p in found for q in beside(size, p) if board.get(q) == board.get(point)}
        if grown == found:
            return found
        found = grown


def breathes(size: Point, board: Board, stones: Iterable[Point]) -> bool:
    return any(q not in board for p in stones for q in beside(size, p))


def dead(size: Point, board: Board, among: Iterable[Point]) -> set[Point]:
    """The stones among these whose chains have no liberty."""
    return {p for p in among if p in board and not breathes(size, board, chain(size, board, p))}


def without(board: Board, stones: set[Point]) -> Board:
    return {p: seat for p, seat in board.items() if p not in stones}


def sequential(size: Point, board: Board, seat: int, point: Point) -> Board:
    """2.3, steps 1 to 3, with suicide: the board after a stone."""
    placed = {**board, point: seat}
    others = dead(size, placed, [p for p in placed if placed[p] != seat])
    after = without(placed, others)
    return without(after, dead(size, after, [p for p in after if after[p] == seat]))


def parallel(size: Point, board: Board, orders: dict[int, Point | None], old_first: bool) -> Board:
    """2.4, steps 2 to 4: the board after a round, a repetition not looked at."""
    named = [point for point in orders.values() if point is not None]
    new = {p: seat for seat, p in orders.items() if p is not None and named.count(p) == 1}
    placed = {**board, **new}
    if old_first:
        old = {p for p in dead(size, placed, placed) if chain(size, placed, p).isdisjoint(new)}
        placed = without(placed, old)
    return without(placed, dead(size, placed, placed))


def frozen(board: Board) -> frozenset[tuple[Point, int]]:
    return frozenset(board.items())


def games(size: Point, players: int, depth: int) -> int:
    """How many ways the first `depth` actions can go (games that end earlier count once): positional superko,
    suicide forbidden, play ends after as many passes as players."""

    def grow(board: Board, seat: int, seen: frozenset[object], passes: int, left: int) -> int:
        if left == 0 or passes == players:
            return 1
        following = seat % players + 1
        total = grow(board, following, seen, passes + 1, left - 1)
        for point in every(size):
            if point in board:
                continue
            after = sequential(size, board, seat, point)
            if point in after and frozen(after) not in seen:
                total += grow(after, following, seen | {frozen(after)}, 0, left - 1)
        return total

    return grow({}, 1, frozenset([frozen({})]), 0, depth)


def drawn(size: Point, board: Board) -> list[str]:
    """Rows from the top; row 0 is the bottom one."""
    return [
        "".join(".BWRUGYPO"[board.get((x, y), 0)] for x in range(size[0])) for y in reversed(range(size[1]))
    ]


def shares(stones: int, captors: int, last: int, strict: bool = False) -> tuple[int, int, int]:
    """What a captor gets, what one who dropped last gets, what is left to nobody (2.5), by counting out."""
    each = 0
    while captors and each * captors + captors <= stones:
        each += 1
    rest = stones - each * captors
    more = 0
    while last and (more + 1) * last <= rest:
        more += 1
    if strict and rest <= last:
        more = 0
    return each, each + more, rest - more * last
