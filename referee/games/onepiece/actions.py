"""What an answer says. `line` is where the sender wrote it; it is no part of the action's identity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from referee.core.answers import GivesUpSeat
from referee.core.complaint import Line
from referee.games.onepiece.state import Verdict


@dataclass(frozen=True, slots=True)
class ChooseColours:
    """The colour of the player who begins; "" was not understood."""

    colour: Literal["", "red", "blue"]
    comment: str = ""
    line: Line | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ChooseEdge:
    edge: Literal["", "south", "north", "east", "west"]
    comment: str = ""
    line: Line | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class MovePiece:
    """Where a piece is put: the cells of its halves. `lifted` is the piece taken from the grid ("Rc6Bc7"), or a cell
    where no piece lies, or "" for one from the box. `claim` None is no claim."""

    red: str
    blue: str
    lifted: str = ""
    claim: int | None = None
    offer: bool = False
    comment: str = ""
    line: Line | None = field(default=None, compare=False)
    claim_line: Line | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class OfferDraw:
    comment: str = ""
    line: Line | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    comment: str = ""
    line: Line | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Resign(GivesUpSeat):
    comment: str = ""


@dataclass(frozen=True, slots=True)
class SendComment:
    text: str


@dataclass(frozen=True, slots=True)
class BeginDemonstration:
    """The ply from which the claimer plays otherwise, and how."""

    ply: int
    red: str
    blue: str
    lifted: str = ""
    comment: str = ""
    line: Line | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class GiveUpClaim:
    """The claimer will not, or no longer, demonstrate his claim."""

    comment: str = ""


@dataclass(frozen=True, slots=True)
class GiveVerdict:
    """The referee's own answer: what its solver found, after which ply, with the proof and a line that shows it. `slip`
    is the ply of the claimer's side that let a win go that could be forced; `slip_proofs` show it ply by ply."""

    verdict: Verdict
    after: int
    nodes: int
    line: tuple[str, ...] = ()
    proofs: tuple[dict[str, Any], ...] = ()
    slip: int = 0
    slip_proofs: tuple[dict[str, Any], ...] = ()


Action: TypeAlias = (
    ChooseColours
    | ChooseEdge
    | MovePiece
    | OfferDraw
    | AcceptDraw
    | Resign
    | SendComment
    | BeginDemonstration
    | GiveUpClaim
    | GiveVerdict
)
KINDS: tuple[type, ...] = Action.__args__
