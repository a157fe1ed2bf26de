"""A move as it is said, and every reason why it is not legal (3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.core.complaint import Complaint
from referee.games.onepiece.board.grid import (
    Cell,
    Colour,
    Grid,
    Piece,
    Ply,
    cell_of,
    name_of,
    names,
    piece_of,
    runs_of,
)

PART = "move"  # the part of an answer that says it


@dataclass(frozen=True, slots=True)
class Words:
    """What a move says, before it is judged: cells by name; `lifted` a piece ("Rc6Bc7"), a cell where no piece lies, or
    "" for a piece from the box."""

    red: str
    blue: str
    lifted: str = ""

    @classmethod
    def of(cls, ply: Ply) -> Words:
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
