"""What an answer says, and its canonical text line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.core.orders.sheet import comment_lines
from referee.core.orders.talk import AcceptDraw, OfferDraw, Resign, SendComment
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
Sent: TypeAlias = (  # by mail
    ChooseColours | ChooseEdge | MovePiece | Evidence | OfferDraw | AcceptDraw | Resign | SendComment
)


def written(action: Sent) -> list[str]:
    """The lines of its canonical text; reading them gives the action back (law 8)."""
    match action:
        case SendComment(text):
            return comment_lines(text)
        case ChooseColours(colour):
            lines = [f"Colours: {colour}"]
        case ChooseEdge(edge):
            lines = [f"Edge: {edge}"]
        case MovePiece(claim=claim, offer=offer):
            lines = [f"Move: {action.words}", *([] if claim is None else [f"Claim: {claim}"])]
            lines += ["Offer: draw"] if offer else []
        case BeginDemonstration(ply):
            lines = [f"Demonstrate: {ply}", f"Move: {action.words}"]
        case GiveUpClaim():
            lines = ["Give up"]
        case OfferDraw():
            lines = ["Offer: draw"]
        case AcceptDraw():
            lines = ["Accept: draw"]
        case Resign():
            lines = ["Resign"]
    return [*lines, *comment_lines(action.comment)]
