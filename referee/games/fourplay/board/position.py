"""A board in the kernel's own shape: numbers for squares, pieces and owners, changed in place.

A cell holds 0, or `kind << 4 | immune << 3 | owner`; the Neutron's owner is 5. Immune is what
nobody can take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from referee.games.fourplay.board.catalogue import Catalogue, catalogue_of
from referee.games.fourplay.board.primitives import ALL8, NUMBERS, SQUARES, Grant, Move, stepped
from referee.games.fourplay.state import KING, NEUTRON, SEATS, Piece, State

NOBODY: Final = 5
_IMMUNE: Final = 8
_OWNERS: Final = range(NOBODY + 1)
_NEIGHBOURS: Final = tuple(
    tuple(near for step in ALL8 if (near := stepped(square, step)) is not None) for square in SQUARES
)

Cell = int


class Position:
    """The pieces of all players. `men[owner]` maps squares to kinds; `kings[owner]` is a square or -1;
    `spare[owner]` counts kinds off the board; `granted` are the moves lent for the whole turn, by identity."""

    __slots__ = ("catalogue", "cells", "granted", "identities", "king", "kings", "men", "neutron", "spare")

    def __init__(self, catalogue: Catalogue, pieces: Iterable[Piece] = ()) -> None:
        self.catalogue = catalogue
        self.king = catalogue.numbers[KING]
        self.cells: list[Cell] = [0] * len(SQUARES)
        self.identities: list[int] = [0] * len(SQUARES)
        self.men: list[dict[int, int]] = [{} for _ in _OWNERS]
        self.kings: list[int] = [-1 for _ in _OWNERS]
        self.spare: list[Counter[int]] = [Counter() for _ in _OWNERS]
        self.neutron = -1
        self.granted: dict[int, tuple[Grant, ...]] = {}
        for piece in pieces:
            owner, kind = piece.owner or NOBODY, catalogue.numbers[piece.type]
            if piece.square is None:
                self.spare[owner][kind] += 1
            else:
                self.put(NUMBERS[piece.square], owner, kind, piece.id)

    @classmethod
    def of(cls, state: State, mover: int | None = None) -> Position:
        """The position of a match; with its `mover`, as his turn begins."""
        position = cls(catalogue_of(state.rules.pieces), state.pieces)
        if mover is not None:
            position.fix_grants(mover)
        return position

    def put(self, square: int, owner: int, kind: int, identity: int) -> None:
        piece = self.catalogue.types[kind]
        immune = _IMMUNE if owner == NOBODY or piece.uncapturable else 0
        self.cells[square] = kind << 4 | immune | owner
        self.identities[square] = identity
        self.men[owner][square] = kind
        if kind == self.king:
            self.kings[owner] = square
        if piece.name == NEUTRON:
            self.neutron = square

    def place(self, square: int, owner: int, kind: int, identity: int) -> None:
        """Put one of the owner's off-board pieces on the board."""
        self.spare[owner][kind] -= 1
        self.put(square, owner, kind, identity)

    def remove(self, square: int) -> Cell:
        cell = self.cells[square]
        owner = cell & 7
        self.cells[square] = 0
        del self.men[owner][square]
        if self.kings[owner] == square:
            self.kings[owner] = -1
        return cell

    def play(self, move: Move) -> None:
        """Make a move: what it takes is removed, and a piece that becomes its victim does so."""
        start, end, _, captures, _ = move
        cell = new = self.cells[start]
        for square in captures:
            taken = self.remove(square)
            if self.catalogue.types[cell >> 4].on_capture:
                new = (taken >> 4) << 4 | cell & 7
        if start != end or new != cell:
            self._shift(start, end, new, self.identities[start])

    def copied(self) -> Position:
        """The same position, to be changed apart from it."""
        other = Position(self.catalogue)
        other.cells, other.identities = self.cells[:], self.identities[:]
        other.men, other.spare = [dict(men) for men in self.men], [spare.copy() for spare in self.spare]
        other.kings, other.neutron, other.granted = self.kings[:], self.neutron, self.granted
        return other

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

    def put_neutron(self, end: int) -> None:
        """Put the Neutron on another, empty square."""
        self._shift(self.neutron, end, self.cells[self.neutron], self.identities[self.neutron])
        self.neutron = end

    def fix_grants(self, owner: int) -> None:
        """The turn of the owner begins: what is lent now stays lent to those pieces until its end (ruling 4)."""
        self.granted = {self.identities[square]: lent for square, lent in self.grants(owner).items()}

    def takes(self, owner: int, kind: int, square: int) -> bool:
        """Whether such a piece of the owner may take what stands on the square, however it gets there."""
        cell = self.cells[square]
        if not cell or cell & _IMMUNE or cell & 7 == owner:
            return False
        piece = self.catalogue.types[kind]
        return not piece.no_capture and (not piece.on_capture or self.vetoed(owner, kind, cell >> 4) is None)

    def vetoed(self, owner: int, kind: int, victim: int) -> tuple[str, int] | None:
        """The type of which the owner would have more on the board than its limit, and that limit, did a piece that
        becomes its victim capture: it no longer counts as what it was (961, ruling 5)."""
        men = Counter(self.men[owner].values())
        men.update({victim: 1, kind: -1})
        owned, kinds = self.owned(owner), [victim]
        if self.catalogue.types[kind].veto:
            owned, kinds = self._names(men + self.spare[owner]), [victim, *sorted(men)]
        for one in kinds:
            limit = self.catalogue.limit(self.named(one), owned)
            if limit is not None and men[one] > limit:
                return self.named(one), limit
        return None

    def may_gain(self, owner: int, kind: int) -> bool:
        """Whether one more of a kind on the board keeps its instance limit."""
        limit = self.limit(owner, kind)
        return limit is None or sum(1 for other in self.men[owner].values() if other == kind) < limit

    def limit(self, owner: int, kind: int) -> int | None:
        """The owner's instance limit of a kind; mutual limits count what he owns, on the board or off it."""
        return self.catalogue.limit(self.named(kind), self.owned(owner))

    def owned(self, owner: int) -> dict[str, int]:
        """How many of each type the owner has, on the board and off it."""
        return self._names(Counter(self.men[owner].values()) + self.spare[owner])

    def _names(self, kinds: Mapping[int, int]) -> dict[str, int]:
        return {self.named(kind): count for kind, count in kinds.items()}

    def grants(self, owner: int) -> dict[int, tuple[Grant, ...]]:
        """The moves that standing PrimeMovers lend to the owner's pieces, by the squares of those pieces."""
        lent: dict[int, tuple[Grant, ...]] = {}
        men, grants = self.men[owner], self.catalogue.grants
        for square in () if grants.keys().isdisjoint(men.values()) else men:
            if (grant := grants.get(men[square])) is not None:
                for friend in _NEIGHBOURS[square]:
                    if friend in men and grant not in lent.get(friend, ()):
                        lent[friend] = (*lent.get(friend, ()), grant)
        return lent

    def seats_with_king(self) -> tuple[int, ...]:
        return tuple(seat for seat in SEATS if self.kings[seat] >= 0)

    def name(self, square: int) -> str:
        """The name of the type on a square that is not empty."""
        return self.named(self.cells[square] >> 4)

    def named(self, kind: int) -> str:
        return self.catalogue.types[kind].name
