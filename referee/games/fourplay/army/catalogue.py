"""What a piece catalogue is (900s): the types of piece, their limits, and every way to write their names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from referee.games.fourplay.board.primitives import Primitive
from referee.games.fourplay.state import DOLLARMAN, KING, NEUTRON

Standing = Literal["complete", "nearly complete", "inferred", "added"]

SPECIAL: Final = (NEUTRON, KING, DOLLARMAN)


@dataclass(frozen=True, slots=True)
class LimitIfOther:
    """The limit falls to `limit` for a player who owns `least` or more of another piece (911, 912)."""

    piece: str
    least: int
    limit: int


@dataclass(frozen=True, slots=True)
class PieceType:
    """One type of piece. `limit` is per player, None where none is stated; `standing` tells how much of its
    rule survives, `added` marks pieces of our own or of a moderator."""

    name: str
    symbol: str
    rule: str
    value: int
    price: int
    description: str
    standing: Standing
    moves: tuple[Primitive, ...]
    plural: str = ""
    limit: int | None = None
    limit_if_other: tuple[LimitIfOther, ...] = ()
    on_capture: Literal["", "become_victim"] = ""
    end_in: Literal["", "own_quadrant"] = ""
    no_capture: bool = False
    uncapturable: bool = False
    not_mascot: bool = False
    not_in_compound: Literal["", "piece A", "any"] = ""

    @property
    def for_sale(self) -> bool:
        """King and Dollarman are given, the Neutron is nobody's (604.A, 905)."""
        return self.name not in SPECIAL

    @property
    def may_be_mascot(self) -> bool:
        """501: a bought piece that can be captured."""
        return self.for_sale and not self.uncapturable and not self.not_mascot


@dataclass(frozen=True)
class Catalogue:
    """The types a match knows, in the catalogue's order."""

    types: tuple[PieceType, ...]

    @cached_property
    def by_name(self) -> Mapping[str, PieceType]:
        return {piece.name: piece for piece in self.types}

    @cached_property
    def _words(self) -> Mapping[str, PieceType]:
        """Every way to write a type: name, symbol, plural; names win over symbols, symbols over plurals."""
        words: dict[str, PieceType] = {}
        for piece in self.types:
            words.setdefault(folded(piece.name), piece)
        for piece in self.types:
            words.setdefault(folded(piece.symbol), piece)
        for piece in self.types:
            for plural in (piece.plural, f"{piece.name}s", f"{piece.name}es"):
                words.setdefault(folded(plural), piece)
        words.pop("", None)
        return words

    def find(self, word: str) -> PieceType | None:
        """The type a player means by a name, plural or symbol, in any case and spacing."""
        return self._words.get(folded(word))

    def near(self, word: str, count: int = 3) -> tuple[str, ...]:
        """The names nearest to a word that is none."""
        names = {folded(piece.name): piece.name for piece in self.types}
        return tuple(
            names[match] for match in difflib.get_close_matches(folded(word), names, n=count, cutoff=0.5)
        )

    def limit(self, name: str, owned: Mapping[str, int]) -> int | None:
        """How many of a type a player may have who owns so many of each; None: no limit."""
        piece = self.by_name[name]
        falls = [other.limit for other in piece.limit_if_other if owned.get(other.piece, 0) >= other.least]
        bounds = ([] if piece.limit is None else [piece.limit]) + falls
        return min(bounds, default=None)


def folded(word: str) -> str:
    """The word as it is compared: without case, spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", word).casefold()
