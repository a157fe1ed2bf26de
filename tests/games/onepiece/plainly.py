"""A second, plain implementation of the rules and of the question a claim asks, to judge the fast one by: dictionaries
of cells and no idea of speed. Also positions drawn at random, and lines of play found by trying."""

import random
from collections.abc import Iterator

from referee.games.onepiece.board import Colour, Grid, Ply, cells_of, winner_in, winner_of
from referee.games.onepiece.board import other as other_colour

Cell = tuple[int, int]  # column and row, both from 0
Lying = dict[Cell, tuple[str, int]]  # by cell its colour, and the number of the piece


def halves(piece: str) -> tuple[Cell, Cell]:
    """The cells of the red and the blue half."""
    red, blue = ((ord(cell[0]) - ord("a"), int(cell[1:]) - 1) for cell in cells_of(piece))
    return red, blue


def ply(red: Cell, blue: Cell, lifted: str = "") -> Ply:
    red_cell, blue_cell = (f"{chr(ord('a') + col)}{row + 1}" for col, row in (red, blue))
    return Ply(red_cell, blue_cell, lifted)


def lying(grid: Grid) -> Lying:
    found: Lying = {}
    for number, piece in enumerate(grid.pieces):
        for cell, colour in zip(halves(piece), ("red", "blue"), strict=True):
            found[cell] = (colour, number)
    return found


def resting(cells: Lying, cols: int, rows: int) -> Iterator[tuple[Cell, Cell]]:
    """Pairs of neighbouring free cells with nothing free below them, in both orders."""
    for col in range(cols):
        for row in range(rows):
            for pair in (((col, row), (col + 1, row)), ((col, row), (col, row + 1))):
                if all(c < cols and r < rows and (c, r) not in cells for c, r in pair):
                    gaps = [
                        (c, k)
                        for c, r in pair
                        for k in range(r)
                        if (c, k) not in cells and (c, k) not in pair
                    ]
                    if not gaps:
                        yield pair
                        yield pair[1], pair[0]


def moves(grid: Grid) -> set[Ply]:
    """3.3, word for word."""
    cells = lying(grid)
    if grid.box:
        return {ply(*pair) for pair in resting(cells, grid.cols, grid.rows)}
    found = set()
    for number, piece in enumerate(grid.pieces):
        rest = {cell: held for cell, held in cells.items() if held[1] != number}
        if not any((col, row + 1) in rest for col, row in halves(piece)):
            for pair in resting(rest, grid.cols, grid.rows):
                if not set(pair) & set(halves(piece)):
                    found.add(ply(*pair, piece))
    return found


def winner(grid: Grid, placed: str) -> str | None:
    """3.4: every line of four through each half."""
    cells = lying(grid)
    has = {}
    for half, colour in zip(halves(placed), ("red", "blue"), strict=True):
        lines = (
            [(half[0] + (k - back) * dc, half[1] + (k - back) * dr) for k in range(4)]
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
            for back in range(4)
        )
        has[colour] = any(all(cells.get(c, ("", 0))[0] == colour for c in line) for line in lines)
    if has["red"] == has["blue"]:
        return None
    return "red" if has["red"] else "blue"


def forces(grid: Grid, colour: str, plies: int, exact: bool) -> bool:
    """Whether the colour forces a win at exactly, or by, so many plies from now (4.4)."""
    own = plies % 2 == 1
    outcomes = [(ply, winner(grid.after(ply), ply.placed)) for ply in moves(grid)]
    if own:
        return any(_own(grid, ply, won, colour, plies, exact) for ply, won in outcomes)
    return bool(outcomes) and all(
        won == colour or (won is None and forces(grid.after(ply), colour, plies - 1, exact))
        for ply, won in outcomes
    )


def _own(grid: Grid, ply: Ply, won: str | None, colour: str, plies: int, exact: bool) -> bool:
    if won == colour:
        return plies == 1 or not exact
    return won is None and plies > 1 and forces(grid.after(ply), colour, plies - 1, exact)


# --- positions -------------------------------------------------------------------------------------------------------


def drawn_grid(rng: random.Random, cols: int, rows: int, pieces: int, plies: int) -> Grid:
    """A grid after so many random plies that win nothing."""
    while True:
        grid: Grid | None = Grid(cols, rows, (), pieces)
        for _ in range(plies):
            grid = _stepped(rng, grid) if grid else None
        if grid is not None:
            return grid


def _stepped(rng: random.Random, grid: Grid) -> Grid | None:
    plies = list(grid.plies())
    rng.shuffle(plies)
    after = ((grid.after(ply), ply) for ply in plies)
    return next((g for g, ply in after if winner_in(g, ply) is None), None)


def mirrored(grid: Grid) -> Grid:
    """The grid seen from behind."""

    def turned(cell: Cell) -> Cell:
        return grid.cols - 1 - cell[0], cell[1]

    pieces = (ply(*map(turned, halves(piece))).placed for piece in grid.pieces)
    return Grid(grid.cols, grid.rows, pieces, grid.box)


def exchanged(grid: Grid) -> Grid:
    """The grid with red and blue exchanged."""
    return Grid(grid.cols, grid.rows, (Ply(*cells_of(piece)[::-1]).placed for piece in grid.pieces), grid.box)


# --- lines of play ---------------------------------------------------------------------------------------------------


def line_to(grid: Grid, mover: Colour, length: int, wins: Colour | None, seed: int = 1) -> list[Ply]:
    """Plies by both colours in turn, the mover first; nothing is won before the last, which wins for `wins`."""
    rng = random.Random(seed)
    for _ in range(20_000):
        here, line = grid, list[Ply]()
        side = mover
        for number in range(1, length + 1):
            ply = _towards(rng, here, wins if number == length else None)
            if ply is None:
                break
            line.append(ply)
            here, side = here.after(ply), other_colour(side)
        else:
            return line
    raise AssertionError("no such line was found")


def _towards(rng: random.Random, grid: Grid, wins: Colour | None) -> Ply | None:
    plies = list(grid.plies())
    rng.shuffle(plies)
    return next((p for p in plies if winner_of(grid, p) == wins), None)
