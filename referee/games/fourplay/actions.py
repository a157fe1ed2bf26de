"""What an answer says: a declaration, a purchase, a setup, a turn (606, 610), an objection (611), a resignation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

from referee.core.answers import GivesUpSeat
from referee.core.texts.words import FreeText
from referee.core.value import Value
from referee.games.fourplay.state import Lot


class Declare(Value):
    """Readiness for battle (601.B); the Office's name and colours (500) where given."""

    office: FreeText = ""
    colours: tuple[FreeText, ...] = ()
    trim: tuple[FreeText, ...] = ()
    comment: FreeText = ""


class Buy(Value):
    """An Initial Purchase (604). `guesses` and `gaps` stand for lines that were not understood:
    such a list is refused, but the rest of it can still be judged and mended."""

    lots: tuple[Lot, ...]
    mascot: str = ""
    comment: FreeText = ""
    guesses: tuple[Lot, ...] = ()
    gaps: bool = False


class Spot(Value):
    """Where one piece is to stand."""

    piece: str
    square: str


class Place(Value):
    """An Initial Setup (605): `spots` are the bought pieces, `mascot` the Mascot's square and
    `mascot_piece` the type named beside it. `gaps` as for `Buy`."""

    spots: tuple[Spot, ...]
    king: str = ""
    dollarman: str = ""
    mascot: str = ""
    mascot_piece: str = ""
    comment: FreeText = ""
    gaps: bool = False


class Leave(Value, GivesUpSeat):
    """Leaving before play (104), resigning in play."""

    comment: FreeText = ""


class Objection(Value):
    """An earlier turn said to be illegal, and why (611). `label` is its round's."""

    cycle: int
    round: int
    player: int
    reason: FreeText
    label: str


# --- a turn ----------------------------------------------------------------------------------------------------------

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


class Claim(Value):
    """One thing a line states. `player` is 0 and `square`, `piece` are empty where it does not say."""

    kind: ClaimKind
    piece: str = ""
    player: int = 0
    square: str = ""
    amount: int = 0


class Step(Value):
    """A move, a placement or the Neutron's run. `piece` is a catalogue name, or what was written where there is no
    such piece, or "" where the first square tells it (lenient statements); `squares` begin with "off" for what comes
    onto the board, and are too few where one is missing."""

    piece: str
    squares: tuple[str, ...]
    claims: tuple[Claim, ...] = ()
    kind: Literal["step"] = "step"

    @property
    def placing(self) -> bool:
        return self.squares[:1] == ("off",)

    def claiming(self, kind: ClaimKind) -> bool:
        """Whether it states something of that kind."""
        return any(claim.kind == kind for claim in self.claims)


class Passed(Value):
    """`Pass` instead of moves."""

    kind: Literal["pass"] = "pass"


class Bought(Value):
    """The purchase that ends a turn (608), or a part of it. `sum` is None where none is stated; not `whole` where more
    was stated than could be read; `total` is what all purchases cost, where a line of its own says so."""

    lots: tuple[Lot, ...]
    sum: int | None = None
    whole: bool = True
    total: int | None = None
    kind: Literal["purchase"] = "purchase"


class Unread(Value):
    """A line that was not understood; its complaint has been made where it was read. `piece` is the
    catalogue name that it begins with, where it does."""

    text: str
    piece: str = ""
    kind: Literal["unread"] = "unread"


Entry: TypeAlias = Step | Passed | Bought | Unread


class Turn(Value):
    """A whole submission, in the order of its lines. Round, cycle and player are None where not stated in it."""

    entries: tuple[Entry, ...]
    player: int | None = None
    round: int | None = None
    cycle: int | None = None
    comment: FreeText = ""


def part_of(place: int) -> str:
    """The name of an entry among the parts of a turn; those of its claims follow it (`entries.3.claims.1`)."""
    return f"entries.{place}"


def canonical_order(claims: Sequence[Claim]) -> list[int]:
    """The places of claims in the order of canonical text: by kind, aggression by player and once, the rest as said."""
    keys = [(_ORDER[one.kind], one.player if one.kind == "aggressive" else 0) for one in claims]
    once = (i for i, claim in enumerate(claims) if claim.kind != "aggressive" or claim not in claims[:i])
    return sorted(once, key=keys.__getitem__)


def in_order(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Claims as canonical text has them."""
    return tuple(claims[place] for place in canonical_order(claims))
