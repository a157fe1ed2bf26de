"""The grid and its pieces (3.1, 3.4), a move as it is said, and every reason why it is not legal (3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Self

from referee.core.complaint import Complaint

Colour = Literal["red", "blue"]
Cell = tuple[int, int]  # column and row, both from 0; row 0 lies on the game edge

COLOURS: tuple[Colour, Colour] = ("red", "blue")
RUN = 4
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
_PIECE = re.compile(r"R([a-z]\d{1,2})B([a-z]\d{1,2})")
_MOVE = re.compile(r"(?:(R[a-z]\d{1,2}B[a-z]\d{1,2})>)?(R[a-z]\d{1,2}B[a-z]\d{1,2})")


def other(colour: Colour) -> Colour:
    return "blue" if colour == "red" else "red"


def cell_of(name: str) -> Cell:
    """ "d1" is column 3, row 0."""
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def name_of(cell: Cell) -> str:
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def names(cells: Iterable[Cell]) -> tuple[str, ...]:
    return tuple(name_of(cell) for cell in cells)


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """A piece where it lies, or is to lie. Pieces order as in notation: by the red cell, then the blue."""

    red: Cell
    blue: Cell

    @property
    def cells(self) -> tuple[Cell, Cell]:
        return self.red, self.blue

    @property
    def columns(self) -> frozenset[int]:
        return frozenset((self.red[0], self.blue[0]))

    @property
    def adjacent(self) -> bool:
        return abs(self.red[0] - self.blue[0]) + abs(self.red[1] - self.blue[1]) == 1

    def __str__(self) -> str:
        return f"R{name_of(self.red)}B{name_of(self.blue)}"


@dataclass(frozen=True, slots=True)
class Ply:
    """One move: a piece from the box, or one lifted from the grid, and where it is put."""

    placed: Piece
    lifted: Piece | None = None

    def __str__(self) -> str:
        return f"{self.lifted}>{self.placed}" if self.lifted else str(self.placed)

    @property
    def order(self) -> tuple[Piece, Piece]:
        """The key that sorts moves in notation order."""
        return self.lifted or self.placed, self.placed


@lru_cache(maxsize=4096)
def piece_of(text: str) -> Piece:
    """The piece that canonical text names ("Rd1Be1")."""
    if (found := _PIECE.fullmatch(text)) is None:
        raise ValueError(f"{text!r} names no piece")
    return Piece(cell_of(found[1]), cell_of(found[2]))


def ply_of(text: str) -> Ply:
    """The move that canonical text names ("Rd1Be1", "Rc6Bc7>Rg4Bg3")."""
    if (found := _MOVE.fullmatch(text)) is None:
        raise ValueError(f"{text!r} names no move")
    return Ply(piece_of(found[2]), piece_of(found[1]) if found[1] else None)


class Grid:
    """A grid with pieces on it; a value: changes give a new one."""

    __slots__ = ("box", "cells", "cols", "heights", "owners", "pieces", "rows")

    def __init__(self, cols: int, rows: int, pieces: Iterable[Piece], box: int) -> None:
        self.cols, self.rows, self.box = cols, rows, box
        self.pieces = tuple(pieces)
        self.cells: dict[Cell, Colour] = {}
        self.owners: dict[Cell, Piece] = {}
        self.heights = [0] * cols
        for piece in self.pieces:
            self._lay(piece)

    def _lay(self, piece: Piece) -> None:
        self.cells[piece.red], self.cells[piece.blue] = "red", "blue"
        for cell in piece.cells:
            self.owners[cell] = piece
            self.heights[cell[0]] += 1

    def inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.cols and 0 <= cell[1] < self.rows

    def after(self, ply: Ply) -> Grid:
        """The grid after a move, legal or not."""
        stay = tuple(p for p in self.pieces if p != ply.lifted)
        return Grid(self.cols, self.rows, (*stay, ply.placed), self.box - (ply.lifted is None))

    def without(self, piece: Piece) -> Grid:
        return Grid(self.cols, self.rows, (p for p in self.pieces if p != piece), self.box)

    def covering(self, piece: Piece) -> Cell | None:
        """A cell of another piece right above the piece: it can't be lifted (3.3)."""
        above = ((col, row + 1) for col, row in piece.cells)
        return next((c for c in above if c in self.cells and c not in piece.cells), None)

    def placements(self) -> Iterator[Piece]:
        """Every piece that could be put down: upright or flat, both halves resting (3.3)."""
        for col, height in enumerate(self.heights):
            if height <= self.rows - 2:
                low, high = (col, height), (col, height + 1)
                yield Piece(low, high)
                yield Piece(high, low)
            if col + 1 < self.cols and height == self.heights[col + 1] < self.rows:
                left, right = (col, height), (col + 1, height)
                yield Piece(left, right)
                yield Piece(right, left)

    def plies(self) -> tuple[Ply, ...]:
        """Every legal move, in notation order (3.3)."""
        if self.box:
            return tuple(sorted((Ply(p) for p in self.placements()), key=lambda ply: ply.order))
        found: list[Ply] = []
        for lifted in self.pieces:
            if self.covering(lifted) is None:
                rest = self.without(lifted)
                found += (Ply(p, lifted) for p in rest.placements() if not p.columns & lifted.columns)
        return tuple(sorted(found, key=lambda ply: ply.order))

    def line(self, cell: Cell) -> tuple[Cell, ...]:
        """The longest run through the cell of its own colour, as its cells; of two as long, the first direction."""
        return max((self._run(cell, step) for step in _DIRECTIONS), key=len)

    def _run(self, cell: Cell, step: tuple[int, int]) -> tuple[Cell, ...]:
        colour = self.cells[cell]
        back = tuple(self._along(cell, (-step[0], -step[1]), colour))
        return (*reversed(back), cell, *self._along(cell, step, colour))

    def _along(self, cell: Cell, step: tuple[int, int], colour: Colour) -> Iterator[Cell]:
        col, row = cell[0] + step[0], cell[1] + step[1]
        while self.cells.get((col, row)) == colour:
            yield col, row
            col, row = col + step[0], row + step[1]

    def rows_text(self) -> tuple[str, ...]:
        """The rows from the top: R, B, and a point for an empty cell."""
        signs = {"red": "R", "blue": "B", None: "."}
        rows = ((signs[self.cells.get((col, row))] for col in range(self.cols)) for row in range(self.rows))
        return tuple("".join(row) for row in rows)[::-1]

    def key(self, side: Colour) -> str:
        """Pieces and side to move in exact words, for repetition (3.4)."""
        return f"{side[0]}:{''.join(str(p) for p in sorted(self.pieces))}"


@dataclass(frozen=True, slots=True)
class Runs:
    """What a piece just put down made: the longest run of its red half and of its blue half (3.4)."""

    red: tuple[Cell, ...]
    blue: tuple[Cell, ...]

    @property
    def winner(self) -> Colour | None:
        """The colour with a run of four or more, where only one has it."""
        red, blue = len(self.red) >= RUN, len(self.blue) >= RUN
        return None if red == blue else "red" if red else "blue"


def runs_of(grid: Grid, placed: Piece) -> Runs:
    """The runs through the halves of a piece on the grid."""
    return Runs(grid.line(placed.red), grid.line(placed.blue))


def first_safe(grid: Grid, colour: Colour) -> Ply:
    """The first move in notation order that does not win for the other colour at once; the first, if all do."""
    plies = grid.plies()
    safe = (p for p in plies if runs_of(grid.after(p), p.placed).winner != other(colour))
    return next(safe, plies[0])


PART = "move"  # the part of an answer that says it


@dataclass(frozen=True, slots=True)
class Words:
    """What a move says, before it is judged: cells by name; `lifted` a piece ("Rc6Bc7"), a cell where no piece lies, or
    "" for a piece from the box."""

    red: str
    blue: str
    lifted: str = ""

    @classmethod
    def of(cls, ply: Ply) -> Self:
        return cls(name_of(ply.placed.red), name_of(ply.placed.blue), str(ply.lifted) if ply.lifted else "")

    @property
    def placed(self) -> Piece:
        return Piece(cell_of(self.red), cell_of(self.blue))

    @property
    def ply(self) -> Ply:
        """The move itself. Raises ValueError where nothing lies on the cell to be lifted."""
        return Ply(self.placed, piece_of(self.lifted) if self.lifted else None)

    def __str__(self) -> str:
        """Canonical text ("Rd1Be1", "Rc6Bc7>Rg4Bg3")."""
        return f"{self.lifted}>R{self.red}B{self.blue}" if self.lifted else f"R{self.red}B{self.blue}"


def winner_of(grid: Grid, words: Words) -> Colour | None:
    """The colour for which the move, a legal one, wins."""
    return runs_of(grid.after(words.ply), words.placed).winner


def move_faults(grid: Grid, words: Words) -> Iterator[Complaint]:
    """Every reason why the move is not legal on the grid."""
    lifted = words.lifted
    if grid.box and lifted:
        yield Complaint("box_not_empty", "3.3", part=PART, facts={"box": grid.box})
        return
    if not grid.box and not lifted:
        yield Complaint("box_empty", "3.3", part=PART)
        return
    piece: Piece | None = None
    if lifted:
        piece = next((p for p in grid.pieces if str(p) == lifted), None)
        if piece is None:
            yield _absence(grid, lifted)
            return
        if (above := grid.covering(piece)) is not None:
            facts = {"piece": lifted, "above": str(grid.owners[above])}
            yield Complaint("covered", "3.3", part=PART, facts=facts)
    yield from _target_faults(grid, piece, words.placed)


def _absence(grid: Grid, lifted: str) -> Complaint:
    """With what lies where the sender thought that a piece lay."""
    is_cell = len(lifted) < len("Ra1Ba2")
    cells = [lifted] if is_cell else names(piece_of(lifted).cells)
    near = [str(grid.owners[cell_of(cell)]) for cell in cells if cell_of(cell) in grid.owners]
    facts = {"piece": lifted, "is_cell": is_cell, "near": list(dict.fromkeys(near))}
    return Complaint("no_such_piece", "3.3", part=PART, facts=facts)


def _target_faults(grid: Grid, lifted: Piece | None, placed: Piece) -> Iterator[Complaint]:
    facts = {"piece": str(placed)}
    outside = names(cell for cell in placed.cells if not grid.inside(cell))
    if outside:
        corner = name_of((grid.cols - 1, grid.rows - 1))
        where = {**facts, "cells": list(outside), "corner": corner}
        yield Complaint("off_the_grid", "3.1", part=PART, facts=where)
    if not placed.adjacent:
        where = {**facts, "cells": list(names(placed.cells))}
        yield Complaint("not_adjacent", "3.1", part=PART, facts=where)
    if outside or not placed.adjacent:
        return
    old = lifted.cells if lifted else ()
    for cell in placed.cells:
        at = {**facts, "cell": name_of(cell)}
        if cell in old:
            yield Complaint("overlaps_itself", "3.3", part=PART, facts=at)
        elif cell in grid.cells:
            by = {**at, "by": str(grid.owners[cell])}
            yield Complaint("occupied", "3.1", part=PART, facts=by)
        elif (gap := _gap(grid, lifted, placed, cell)) is not None:
            over = {**at, "gap": name_of(gap), "lifted": gap in old}
            yield Complaint("floats", "3.3", part=PART, facts=over)


def _gap(grid: Grid, lifted: Piece | None, placed: Piece, cell: Cell) -> Cell | None:
    """The lowest free cell between the game edge and the cell, once the lifted piece is gone."""
    old = lifted.cells if lifted else ()
    below = ((cell[0], row) for row in range(cell[1]))
    return next((c for c in below if (c not in grid.cells or c in old) and c not in placed.cells), None)
