"""A board in the kernel's own shape: numbers for squares, pieces and owners, changed in place and set back.

A cell holds 0, or `kind << 4 | immune << 3 | owner`; the Neutron's owner is 5. Immune is what nobody can take.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from referee.games.fourplay.board.catalogue import Catalogue, PieceType, catalogue_of
from referee.games.fourplay.board.primitives import Grant
from referee.games.fourplay.board.squares import ALL8, DIRECTIONS, NUMBERS, SQUARES, stepped
from referee.games.fourplay.board.ways import Hit, Move, Ways, hits_from, ways_from
from referee.games.fourplay.state import KING, NEUTRON, SEATS, Piece, State


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


NOBODY: Final = 5
_IMMUNE: Final = 8
_OWNERS: Final = range(NOBODY + 1)
_NEIGHBOURS: Final = {
    dirs: tuple(tuple(n for step in steps if (n := stepped(s, step)) is not None) for s in SQUARES)
    for dirs, steps in {**DIRECTIONS, "all8": ALL8}.items()
}

Cell = int
Removed = tuple[int, Cell, int]  # square, cell, identity


class Undo(NamedTuple):
    """What sets a move back."""

    start: int
    end: int
    cell: Cell
    identity: int
    removed: tuple[Removed, ...]


class Position:
    """The pieces of all players. `men[owner]` maps squares to kinds; `kings[owner]` is a square or -1;
    `spare[owner]` counts kinds off the board; `granted` are the moves lent for the whole turn, by identity."""

    __slots__ = ("cells", "granted", "identities", "king", "kings", "men", "neutron", "spare", "tables")

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.king = tables.numbers[KING]
        self.cells: list[Cell] = [0] * len(SQUARES)
        self.identities: list[int] = [0] * len(SQUARES)
        self.men: list[dict[int, int]] = [{} for _ in _OWNERS]
        self.kings: list[int] = [-1 for _ in _OWNERS]
        self.spare: list[dict[int, int]] = [{} for _ in _OWNERS]
        self.neutron = -1
        self.granted: dict[int, tuple[Grant, ...]] = {}

    @classmethod
    def of(cls, state: State) -> Position:
        return cls.set_up(tables_of(state.rules.pieces), state.pieces)

    @classmethod
    def set_up(cls, tables: Tables, pieces: Iterable[Piece]) -> Position:
        position = cls(tables)
        for piece in pieces:
            owner = NOBODY if piece.owner is None else piece.owner
            kind = tables.numbers[piece.type]
            if piece.square is None:
                position.spare[owner][kind] = position.spare[owner].get(kind, 0) + 1
            else:
                position.put(NUMBERS[piece.square], owner, kind, piece.id)
        return position

    def copy(self) -> Position:
        other = Position.__new__(Position)
        other.tables, other.king = self.tables, self.king
        other.cells, other.identities = self.cells[:], self.identities[:]
        other.men = [dict(men) for men in self.men]
        other.kings, other.neutron = self.kings[:], self.neutron
        other.spare = [dict(spare) for spare in self.spare]
        other.granted = self.granted
        return other

    # --- changes ---------------------------------------------------------------------------------------------

    def put(self, square: int, owner: int, kind: int, identity: int) -> None:
        immune = _IMMUNE if owner == NOBODY or self.tables.types[kind].uncapturable else 0
        self.cells[square] = kind << 4 | immune | owner
        self.identities[square] = identity
        self.men[owner][square] = kind
        if kind == self.king:
            self.kings[owner] = square
        if self.tables.types[kind].name == NEUTRON:
            self.neutron = square

    def place(self, square: int, owner: int, kind: int, identity: int) -> None:
        """Put one of the owner's off-board pieces on the board."""
        self.spare[owner][kind] -= 1
        self.put(square, owner, kind, identity)

    def remove(self, square: int) -> Removed:
        cell, identity = self.cells[square], self.identities[square]
        owner = cell & 7
        self.cells[square] = 0
        del self.men[owner][square]
        if self.kings[owner] == square:
            self.kings[owner] = -1
        return square, cell, identity

    def play(self, move: Move) -> Undo:
        """Make a move: what it takes is removed, and a piece that becomes its victim does so."""
        start, end, _, captures, _ = move
        removed = tuple([self.remove(square) for square in captures])
        cell, identity = self.cells[start], self.identities[start]
        owner = cell & 7
        new = cell
        if captures and self.tables.becomes[cell >> 4]:
            new = (removed[-1][1] >> 4) << 4 | owner
        if start != end or new != cell:
            self._shift(start, end, new, identity)
        return Undo(start, end, cell, identity, removed)

    def undo(self, undo: Undo) -> None:
        start, end, cell, identity, removed = undo
        if self.cells[end] != cell or start != end:
            self._shift(end, start, cell, identity)
        for square, taken, who in removed:
            self.cells[square], self.identities[square] = taken, who
            self.men[taken & 7][square] = taken >> 4
            if taken >> 4 == self.king:
                self.kings[taken & 7] = square

    def _shift(self, start: int, end: int, cell: Cell, identity: int) -> None:
        owner = cell & 7
        self.cells[start] = 0
        del self.men[owner][start]
        self.cells[end] = cell
        self.identities[end] = identity
        self.men[owner][end] = cell >> 4
        if cell >> 4 == self.king:
            self.kings[owner] = end
        elif self.kings[owner] == start:
            self.kings[owner] = -1

    def run_neutron(self, end: int) -> None:
        """Put the Neutron on another, empty square."""
        self._shift(self.neutron, end, self.cells[self.neutron], self.identities[self.neutron])
        self.neutron = end

    # --- questions -------------------------------------------------------------------------------------------

    def takes(self, owner: int, kind: int, square: int) -> bool:
        """Whether such a piece of the owner may take what stands on the square, however it gets there."""
        cell = self.cells[square]
        if not cell or cell & _IMMUNE or cell & 7 == owner or self.tables.harmless[kind]:
            return False
        return not self.tables.becomes[kind] or self.vetoed(owner, kind, cell >> 4) is None

    def vetoed(self, owner: int, kind: int, victim: int) -> tuple[str, int] | None:
        """The type of which the owner would have more on the board than its limit, and that limit, did a piece that
        becomes its victim capture: it no longer counts as what it was (961, ruling 5)."""
        men = Counter(self.men[owner].values())
        men.update({victim: 1, kind: -1})
        owned, kinds = self.owned(owner), [victim]
        if self.tables.types[kind].veto:
            owned, kinds = self._names(men + Counter(self.spare[owner])), [victim, *sorted(men)]
        for one in kinds:
            limit = self.tables.catalogue.limit(self.named(one), owned)
            if limit is not None and men[one] > limit:
                return self.named(one), limit
        return None

    def may_gain(self, owner: int, kind: int) -> bool:
        """Whether one more of a kind on the board keeps its instance limit."""
        limit = self.limit(owner, kind)
        return limit is None or sum(1 for other in self.men[owner].values() if other == kind) < limit

    def limit(self, owner: int, kind: int) -> int | None:
        """The owner's instance limit of a kind; mutual limits count what he owns, on the board or off it."""
        piece = self.tables.types[kind]
        if not piece.limit_if_other:
            return piece.limit
        return self.tables.catalogue.limit(piece.name, self.owned(owner))

    def owned(self, owner: int) -> dict[str, int]:
        """How many of each type the owner has, on the board and off it."""
        return self._names(Counter(self.men[owner].values()) + Counter(self.spare[owner]))

    def _names(self, kinds: Mapping[int, int]) -> dict[str, int]:
        return {self.named(kind): count for kind, count in kinds.items()}

    def grants(self, owner: int) -> dict[int, tuple[Grant, ...]]:
        """The moves that standing PrimeMovers lend to the owner's pieces, by the squares of those pieces."""
        lent: dict[int, tuple[Grant, ...]] = {}
        men, lenders = self.men[owner], self.tables.lenders
        if lenders.isdisjoint(men.values()):
            return lent
        neighbours = _NEIGHBOURS["all8"]
        for square, kind in men.items():
            if kind in lenders and (grant := self.tables.grants[kind]) is not None:
                alone = (grant,)
                for friend in neighbours[square]:
                    if friend in men:
                        had = lent.get(friend)
                        if had is None:
                            lent[friend] = alone
                        elif grant not in had:
                            lent[friend] = had + alone
        return lent

    def fix_grants(self, owner: int) -> None:
        """The turn of the owner begins: what is lent now stays lent to those pieces until its end (ruling 4)."""
        self.granted = {self.identities[square]: lent for square, lent in self.grants(owner).items()}

    def seats_with_king(self) -> tuple[int, ...]:
        return tuple(seat for seat in SEATS if self.kings[seat] >= 0)

    def name(self, square: int) -> str:
        """The name of the type on a square that is not empty."""
        return self.tables.types[self.cells[square] >> 4].name

    def named(self, kind: int) -> str:
        return self.tables.types[kind].name
