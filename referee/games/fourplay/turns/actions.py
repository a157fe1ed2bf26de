"""A turn as its player states it (606, 610): the lines of a submission, each with what it claims to bring about.

`line` remembers where something was said, so that complaints can name it; it is no part of what is said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from referee.core.complaint import Line
from referee.games.fourplay.state import Lot

ClaimKind = Literal[
    "mascot_returned",
    "mascot_named",
    "not_mascot",
    "capture",
    "king_captured",
    "mascot_captured",
    "promoted",
    "aggressive",
    "neutron_caught",
    "gem",
    "neutron_returned",
    "destroyed",
    "received",
    "board_even",
]

_ORDER: Final = {kind: place for place, kind in enumerate(get_args(ClaimKind))}


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing a line states. `player` is 0 and `square`, `piece` are empty where it does not say."""

    kind: ClaimKind
    piece: str = ""
    player: int = 0
    square: str = ""
    amount: int = 0
    line: Line | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Step:
    """A move, a placement or the Neutron's run. `piece` is a catalogue name, or what was written where there is no
    such piece, or "" where the first square tells it (lenient statements); `squares` begin with "off" for what comes
    onto the board, and are too few where one is missing."""

    piece: str
    squares: tuple[str, ...]
    claims: tuple[Claim, ...] = ()
    line: Line | None = field(default=None, compare=False, repr=False)
    kind: Literal["step"] = "step"

    @property
    def placing(self) -> bool:
        return self.squares[:1] == ("off",)


@dataclass(frozen=True, slots=True)
class Passed:
    """`Pass` instead of moves."""

    line: Line | None = field(default=None, compare=False, repr=False)
    kind: Literal["pass"] = "pass"


@dataclass(frozen=True, slots=True)
class Bought:
    """The purchase that ends a turn (608), or a part of it. `sum` is None where none is stated; not `whole` where more
    was stated than could be read; `total` is what all purchases cost, where a line of its own says so."""

    lots: tuple[Lot, ...]
    sum: int | None = None
    line: Line | None = field(default=None, compare=False, repr=False)
    whole: bool = True
    total: int | None = None
    kind: Literal["purchase"] = "purchase"


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that was not understood; its complaint has been made where it was read. `piece` is the catalogue name
    that it begins with, where it does."""

    text: str
    line: Line | None = field(default=None, compare=False, repr=False)
    piece: str = ""
    kind: Literal["unread"] = "unread"


Entry: TypeAlias = Step | Passed | Bought | Unread


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole submission, in the order of its lines. Round, cycle and player are None where not stated in it."""

    entries: tuple[Entry, ...]
    player: int | None = None
    round: int | None = None
    cycle: int | None = None
    comment: str = ""
    player_line: Line | None = field(default=None, compare=False, repr=False)
    round_line: Line | None = field(default=None, compare=False, repr=False)
    cycle_line: Line | None = field(default=None, compare=False, repr=False)


def in_order(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims as canonical text has them: by kind, aggression by player and once, the rest as stated."""
    listed = list(claims)
    once = [c for i, c in enumerate(listed) if c.kind != "aggressive" or c not in listed[:i]]
    return tuple(sorted(once, key=lambda c: (_ORDER[c.kind], c.player if c.kind == "aggressive" else 0)))
