"""What a submission comes to: each line with what it did, and every reason against the whole (606-611)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from referee.core.complaint import Complaint
from referee.games.fourplay.state import Lot
from referee.games.fourplay.turns.claims import Truth
from referee.games.fourplay.turns.submission import Entry

NOTHING: Final = Truth()


@dataclass(frozen=True, slots=True)
class Deed:
    """One line carried out: what it did, and the squares its statement must name."""

    kind: Literal["return", "neutron", "move", "place", "purchase", "pass"]
    piece: int = 0
    name: str = ""
    squares: tuple[str, ...] = ()
    truth: Truth = NOTHING
    lots: tuple[Lot, ...] = ()
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """An entry with what it did; no deed where it could not be carried out as it stands. `idle`: no turn made now can
    say such a thing, so that a mended one leaves it out."""

    entry: Entry
    deed: Deed | None
    idle: bool = False


@dataclass(slots=True)
class Judgement:
    """What a submission comes to. `doubtful`: some line could not be carried out, so the rest is uncertain."""

    complaints: list[Complaint] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    doubtful: bool = False
    over: Literal["", "cycle", "king"] = ""  # why the turn ended before its last line (ruling 10)

    @property
    def deeds(self) -> tuple[Deed, ...]:
        return tuple(judged.deed for judged in self.judged if judged.deed is not None)
