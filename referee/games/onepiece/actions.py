"""What an answer says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.core.texts.words import FreeText
from referee.games.onepiece.board import Words
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
class MovePiece(Words):
    """`claim` None is no claim."""

    claim: int | None = None
    offer: bool = False
    comment: FreeText = ""

    @property
    def orders(self) -> list[str]:
        """Those of its canonical text; reading them gives the action back (law 8)."""
        claim = [] if self.claim is None else [f"Claim: {self.claim}"]
        return [f"Move: {self}", *claim, *(["Offer: draw"] if self.offer else [])]


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

    @property
    def orders(self) -> list[str]:
        return [f"Demonstrate: {self.ply}", f"Move: {self.words}"]


@dataclass(frozen=True, slots=True)
class GiveUpClaim:
    """The claimer will not, or no longer, demonstrate his claim."""

    comment: FreeText = ""

    @property
    def orders(self) -> list[str]:
        return ["Give up"]


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
