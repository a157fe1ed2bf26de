"""What the answers before play say: declarations, purchases, setups, leavings.

`lines` and `line` remember where something was said, so that complaints can name the line; they are no part of what
is said, nor of any comparison.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.core.answers import GivesUpSeat
from referee.core.complaint import Line
from referee.games.fourplay.state import Lot


@dataclass(frozen=True, slots=True)
class Declare:
    """Readiness for battle (601.B); the Office's name and colours (500) where given."""

    office: str = ""
    colours: tuple[str, ...] = ()
    trim: tuple[str, ...] = ()
    comment: str = ""
    office_line: Line | None = field(default=None, compare=False, repr=False)
    colours_line: Line | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Buy:
    """An Initial Purchase (604). `guesses` and `gaps` stand for lines that were not understood: such a list is
    refused, but the rest of it can still be judged and mended."""

    lots: tuple[Lot, ...]
    mascot: str = ""
    comment: str = ""
    guesses: tuple[Lot, ...] = ()
    gaps: bool = False
    lines: tuple[Line, ...] = field(default=(), compare=False, repr=False)  # one for each lot
    cost_line: Line | None = field(default=None, compare=False, repr=False)
    mascot_line: Line | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where one piece is to stand."""

    piece: str
    square: str
    line: Line | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """An Initial Setup (605): `spots` are the bought pieces, `mascot` the Mascot's square and `mascot_piece` the
    type named beside it. `gaps` as for `Buy`."""

    spots: tuple[Spot, ...]
    king: str = ""
    dollarman: str = ""
    mascot: str = ""
    mascot_piece: str = ""
    comment: str = ""
    gaps: bool = False
    king_line: Line | None = field(default=None, compare=False, repr=False)
    dollarman_line: Line | None = field(default=None, compare=False, repr=False)
    mascot_line: Line | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Leave(GivesUpSeat):
    """Leaving before play (104)."""

    comment: str = ""
