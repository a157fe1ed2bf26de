"""What happens in a match, one small fact each. Pieces, cells and moves stand in notation (3.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.core.duel import (
    Commented,
    DrawOffered,
    MatchDecided,
    SeatFilled,
    SeatOpened,
    StarterDrawn,
)
from referee.games.onepiece.board import Colour
from referee.games.onepiece.state import Claim, Edge, Law, Proof, Verdict

How = Literal["mail", "deadline", "left"]  # the player; the referee at a deadline, or for one who has left
Chosen = Literal["mail", "default", "option"]
WonBy = Literal["four", "handed over", "resigned", "out of time"]
EndedBy = Literal["won", "lost", "not won", "out of time", "given up", "left", "stuck"]


@dataclass(frozen=True, slots=True)
class LawAmended:
    """The rules that the match is judged by from now on."""

    law: Law


@dataclass(frozen=True, slots=True)
class LawSet:
    """All that this match is judged by."""

    law: Law


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game is set up on an empty grid: its number, who begins, the seats in turn."""

    number: int
    first: int
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ColoursChosen:
    """The colour of `seat`, who begins."""

    seat: int
    colour: Colour
    how: Chosen


@dataclass(frozen=True, slots=True)
class EdgeChosen:
    seat: int
    edge: Edge
    how: Chosen


@dataclass(frozen=True, slots=True)
class PlayBegun:
    """Colours and edge are known; who plays red."""

    red: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The match opens from plies already made."""

    plies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _PutDown:
    """A piece was put down, from the box or lifted from the grid, and the longest run of each half (3.4)."""

    seat: int
    ply: int
    move: str
    red_run: tuple[str, ...]
    blue_run: tuple[str, ...]
    how: How = "mail"


@dataclass(frozen=True, slots=True)
class PieceMoved(_PutDown):
    """A move of the game."""


@dataclass(frozen=True, slots=True)
class ClaimMade:
    claim: Claim
    colour: Colour


@dataclass(frozen=True, slots=True)
class GameWon:
    """`seat` made the deciding move, or resigned, or ran out of time, as `reason` says; `winners` play the colour;
    `pieces` lie on the grid, the last one put down last."""

    number: int
    colour: Colour
    winners: tuple[int, ...]
    seat: int
    ply: int
    reason: WonBy
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameDrawn:
    number: int
    reason: Literal["repetition", "relocations", "agreed", "stuck"]
    count: int = 0


@dataclass(frozen=True, slots=True)
class GameStopped:
    """The ply of a claim was reached and nobody has won (4.2)."""

    number: int
    ply: int
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgingBegun:
    """Claims that did not come true are to be judged (4.4), in this order."""

    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class VerdictGiven:
    """What the solver found of a claim: `line` follows ply `after` (of `start`, the pieces then on the grid); the
    proofs are for `checker.faults`."""

    claim: Claim
    verdict: Verdict
    after: int
    nodes: int
    start: tuple[str, ...]
    line: tuple[str, ...]
    proofs: tuple[Proof, ...]
    slip: int = 0
    slip_proofs: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceAsked:
    """The claimer may demonstrate his claim on the board."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class DemonstrationBegun:
    """The game is taken back to before that ply, and played on from there."""

    claim: Claim
    ply: int


@dataclass(frozen=True, slots=True)
class PieceShown(_PutDown):
    """A move of the demonstration."""


@dataclass(frozen=True, slots=True)
class DemonstrationEnded:
    claim: Claim
    upheld: bool
    reason: EndedBy


@dataclass(frozen=True, slots=True)
class Payment:
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class ClaimSettled:
    """4.3: `distance` is the claim as it is paid; "own slip": upheld, but the claimer himself let the win go;
    `withheld` the seats that would have been paid for a ply that the referee played for them."""

    claim: Claim
    result: Literal["won", "upheld", "own slip", "bluff", "drawn"]
    distance: int
    payments: tuple[Payment, ...]
    withheld: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SilentWinPaid:
    """A game won without a claim of the winners; `handed`: an opponent's move won it for them."""

    seat: int
    points: int
    handed: bool = False
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class DrawAccepted:
    seat: int


@dataclass(frozen=True, slots=True)
class PlayerResigned:
    """With two players the game is lost; in pairs the seat is left."""

    seat: int
    how: How = "mail"


@dataclass(frozen=True, slots=True)
class AnswerLapsed:
    """Nothing came before the deadline; what is played instead follows."""

    seat: int
    kind: str


_Start = LawSet | LawAmended | StarterDrawn | GameBegun | ColoursChosen | EdgeChosen | PlayBegun
_Play = PositionSet | PieceMoved | ClaimMade | GameWon | GameDrawn | GameStopped
_Judging = JudgingBegun | VerdictGiven | EvidenceAsked | DemonstrationBegun | PieceShown
_Settling = DemonstrationEnded | ClaimSettled | SilentWinPaid
_Seats = DrawOffered | DrawAccepted | PlayerResigned | SeatOpened | SeatFilled | AnswerLapsed
Event: TypeAlias = _Start | _Play | _Judging | _Settling | _Seats | Commented | MatchDecided
