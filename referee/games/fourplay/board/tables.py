"""A catalogue compiled for the kernel: ways and hits by type and square, worked out when first needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from referee.games.fourplay.board.catalogue import Catalogue, PieceType, catalogue_of
from referee.games.fourplay.board.primitives import Grant
from referee.games.fourplay.board.squares import SQUARES
from referee.games.fourplay.board.ways import Hit, Ways, hits_from, ways_from


@dataclass(frozen=True)
class Tables:
    """A catalogue compiled. Types are numbered in its order; `ways` and `hits` fill on first use."""

    catalogue: Catalogue
    types: tuple[PieceType, ...]
    numbers: dict[str, int]
    ways: tuple[list[Ways | None], ...]
    hits: tuple[list[dict[int, tuple[Hit, ...]] | None], ...]
    grants: tuple[Grant | None, ...]
    lenders: frozenset[int]  # the kinds that have a grant
    becomes: tuple[bool, ...]
    bound: tuple[bool, ...]
    harmless: tuple[bool, ...]

    def ways_of(self, kind: int, square: int) -> Ways:
        found = self.ways[kind][square]
        if found is None:
            found = self.ways[kind][square] = ways_from(self.types[kind], square)
        return found

    def hits_of(self, kind: int, square: int) -> dict[int, tuple[Hit, ...]]:
        found = self.hits[kind][square]
        if found is None:
            found = self.hits[kind][square] = hits_from(self.ways_of(kind, square), square)
        return found


@lru_cache(maxsize=64)
def tables_of(text: str) -> Tables:
    """The tables of the catalogue that a match recorded."""
    catalogue = catalogue_of(text)
    types = catalogue.types
    grants = [next((move for move in piece.moves if isinstance(move, Grant)), None) for piece in types]
    return Tables(
        catalogue,
        types,
        {piece.name: number for number, piece in enumerate(types)},
        tuple([None] * len(SQUARES) for _ in types),
        tuple([None] * len(SQUARES) for _ in types),
        tuple(grants),
        frozenset(kind for kind, grant in enumerate(grants) if grant is not None),
        tuple(piece.on_capture == "become_victim" for piece in types),
        tuple(piece.end_in == "own_quadrant" for piece in types),
        tuple(piece.no_capture for piece in types),
    )
