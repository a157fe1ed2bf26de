"""What an answer says, and its orders in canonical text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.core.orders.talk import AcceptDraw
from referee.core.texts.words import FreeText
from referee.games.onepiece.board.moves import Words
from referee.games.onepiece.state import Edge, Proof, Verdict


@dataclass(frozen=True, slots=True)
class ChooseColours:
    """The colour of the player who begins; "" was not understood."""

    colour: Literal["", "red", "blue"]
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class ChooseEdge:
    """The edge of the grid at which its columns begin; "" was not understood."""

    edge: Edge
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class MovePiece:
    """Where a piece is put: the cells of its halves. `lifted` is the piece taken from the grid ("Rc6Bc7"), or a cell
    where no piece lies, or "" for one from the box. `claim` None is no claim."""

    red: str
    blue: str
    lifted: str = ""
    claim: int | None = None
    offer: bool = False
    comment: FreeText = ""

    @property
    def words(self) -> Words:
        return Words(self.red, self.blue, self.lifted)


@dataclass(frozen=True, slots=True)
class BeginDemonstration:
    """The ply from which the claimer plays otherwise, and how."""

    ply: int
    red: str
    blue: str
    lifted: str = ""
    comment: FreeText = ""

    @property
    def words(self) -> Words:
        return Words(self.red, self.blue, self.lifted)


@dataclass(frozen=True, slots=True)
class GiveUpClaim:
    """The claimer will not, or no longer, demonstrate his claim."""

    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class GiveVerdict:
    """The referee's own answer: what its solver found, after which ply, with the proof and a line that shows it. `slip`
    is the ply of the claimer's side that let a win go that could be forced; `slip_proofs` show it ply by ply."""

    verdict: Verdict
    after: int
    nodes: int
    line: tuple[str, ...] = ()
    proofs: tuple[Proof, ...] = ()
    slip: int = 0
    slip_proofs: tuple[Proof, ...] = ()


Evidence: TypeAlias = BeginDemonstration | GiveUpClaim  # what a claimer may say before his demonstration
Shown: TypeAlias = MovePiece | GiveUpClaim  # and while it lasts
Own: TypeAlias = ChooseColours | ChooseEdge | MovePiece | Evidence | AcceptDraw  # what no other game has so


def ordered(action: Own) -> list[str]:
    """The orders of its canonical text; reading them gives the action back (law 8)."""
    match action:
        case ChooseColours(colour):
            return [f"Colours: {colour}"]
        case ChooseEdge(edge):
            return [f"Edge: {edge}"]
        case MovePiece(claim=claim, offer=offer):
            claims = [] if claim is None else [f"Claim: {claim}"]
            return [f"Move: {action.words}", *claims, *(["Offer: draw"] if offer else [])]
        case BeginDemonstration(ply):
            return [f"Demonstrate: {ply}", f"Move: {action.words}"]
        case GiveUpClaim():
            return ["Give up"]
        case AcceptDraw():
            return ["Accept: draw"]
