"""The events of Fourplay from opening to standings; those of play on the board stand in `played.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from referee.core.chance import Drawn
from referee.games.fourplay.played import Played
from referee.games.fourplay.state import CycleResult, Lot, Piece, Rules


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """The rules this match is judged by, catalogue included."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class PieceChange:
    """What an amendment changed in a type of piece; `key` as in the catalogue, empty for a new piece."""

    piece: str
    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RulesAmended:
    """The match is judged by other rules from now on; its earlier turns too, where somebody objects (611)."""

    rules: Rules
    pieces: tuple[PieceChange, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderDrawn:
    """The order of play (600). `seating[i]` is the number of the i-th person on the roster; seed and
    draws are the transcript by which anyone can check it."""

    seating: tuple[int, ...]
    seed: str
    draws: tuple[Drawn, ...]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The match opens in the middle of play, from a given position (option `position`)."""

    cycle: int
    round: int
    to_move: int
    pieces: tuple[Piece, ...]
    money: tuple[int, ...]
    gems: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReadyDeclared:
    """A declaration of readiness (601.B), with the Office and its colours (500) where given."""

    player: int
    office: str = ""
    colours: tuple[str, ...] = ()
    trim: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class PurchaseBegun:
    """The Initial Purchase phase begins; `start` 2 and up: again, after a leaving (104)."""

    cycle: int
    start: int


@dataclass(frozen=True, slots=True)
class ArmyBought:
    """One player's Initial Purchase, revealed (604)."""

    player: int
    lots: tuple[Lot, ...]
    mascot: str
    cost: int
    value: int
    comment: str = ""


@dataclass(frozen=True, slots=True)
class NothingBought:
    """No valid purchase came in two weeks (604.F)."""

    player: int


@dataclass(frozen=True, slots=True)
class SetupBegun:
    """The Initial Setup phase begins; `start` as above."""

    cycle: int
    start: int


@dataclass(frozen=True, slots=True)
class Placement:
    """One piece of an Initial Setup: its identity, its name, its square."""

    piece: int
    name: str
    square: str


@dataclass(frozen=True, slots=True)
class ArmyPlaced:
    """One player's Initial Setup, revealed (605); `mascot` is the Mascot's square."""

    player: int
    placements: tuple[Placement, ...]
    mascot: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class KingPlacedAlone:
    """No valid setup came in two weeks: the King alone stands on the Home Corner (605.E)."""

    player: int
    piece: int
    square: str
    mascot: str = ""  # the kind of the Mascot that has not been placed


@dataclass(frozen=True, slots=True)
class PlayBegun:
    """Play on the Board begins: the Neutron stands on the centre square (905), Player 1 is to move."""

    cycle: int
    neutron: int
    square: str


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player left the game (104); the phase is suspended and what was received is thrown away."""

    player: int
    comment: str = ""


@dataclass(frozen=True, slots=True)
class SeatFilled:
    """Somebody took the seat that another had left (104); declarations are asked for again in the Ready phase."""

    player: int


@dataclass(frozen=True, slots=True)
class CycleEnded:
    """Exactly one King is left (603), or one player (104): the standings of the cycle."""

    result: CycleResult


@dataclass(frozen=True, slots=True)
class WaitingBegun:
    """The waiting period before the next cycle (603)."""

    cycle: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The last cycle is over, or all but one have left."""

    winners: tuple[int, ...]
    reason: str


Event: TypeAlias = (
    MatchOpened
    | RulesAmended
    | OrderDrawn
    | PositionSet
    | ReadyDeclared
    | PurchaseBegun
    | ArmyBought
    | NothingBought
    | SetupBegun
    | ArmyPlaced
    | KingPlacedAlone
    | PlayBegun
    | PlayerLeft
    | SeatFilled
    | CycleEnded
    | WaitingBegun
    | MatchEnded
    | Played
)
