"""The events of Play on the Board (606, 607, 610), and what each changes: one small fact each.

A turn is one `TurnTaken` with its canonical text, followed by the facts that it brought about; letters
show the text, so most facts need no words of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from referee.games.fourplay.state import LastTurn, Lot, State


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A legal turn, in canonical text; `last` is what pictures mark from now on."""

    player: int
    cycle: int
    round: int
    text: str
    last: LastTurn
    comment: str = ""


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A turn that passed by itself: no answer in time (612), no King (607.A), or the seat is vacant (104)."""

    player: int
    cycle: int
    round: int
    why: Literal["time", "kingless", "vacant"]


@dataclass(frozen=True, slots=True)
class TurnBegun:
    """Whose turn it is now."""

    player: int
    cycle: int
    round: int


@dataclass(frozen=True, slots=True)
class PieceMoved:
    """A piece (or the Neutron) went to an empty square; what was taken there has been removed before."""

    piece: int
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class PiecePlaced:
    """An off-board piece was put on the board, as a move (607.B.ii) or as a returned Mascot (610.d). `mascot`: it is
    the Mascot from now on, since no setup had placed it (605.E)."""

    piece: int
    square: str
    mascot: bool = False


@dataclass(frozen=True, slots=True)
class PieceRemoved:
    """A piece left the game, or, if it was a captured Mascot, the board. `by` is None where
    the Neutron destroyed it."""

    piece: int
    name: str
    owner: int
    square: str
    how: Literal["captured", "destroyed"]
    by: int | None
    returns: bool = False


@dataclass(frozen=True, slots=True)
class PiecePromoted:
    """A Zombie became what it captured (961)."""

    piece: int
    into: str


@dataclass(frozen=True, slots=True)
class GemReceived:
    """A Neutron Gem (905)."""

    player: int


@dataclass(frozen=True, slots=True)
class MoneyReceived:
    """F$ for a capture or a Dollarman's income at the end of a round."""

    player: int
    amount: int
    why: Literal["capture", "income"]


@dataclass(frozen=True, slots=True)
class PiecesBought:
    """The purchase that ends a turn (608): pieces off the board, F$ spent."""

    player: int
    lots: tuple[Lot, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class KingRemoved:
    """A player has no King any more: captured, destroyed or resigned. The removal itself is a fact of its
    own, except for a resignation, where `piece` names the King to take off the board."""

    player: int
    how: Literal["captured", "destroyed", "resigned"]
    piece: int | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Player 4's turn is over (ruling 9)."""

    cycle: int
    round: int


@dataclass(frozen=True, slots=True)
class ObjectionRaised:
    """A player asks for a ruling on an earlier turn (611); the ruling itself is the match's."""

    by: int
    player: int
    cycle: int
    round: int
    reason: str


Played: TypeAlias = (
    TurnTaken
    | TurnPassed
    | TurnBegun
    | PieceMoved
    | PiecePlaced
    | PieceRemoved
    | PiecePromoted
    | GemReceived
    | MoneyReceived
    | PiecesBought
    | KingRemoved
    | RoundEnded
    | ObjectionRaised
)


def play_evolved(state: State, event: Played) -> State:
    """The state after an event of play."""
    match event:
        case TurnTaken(last=last):
            return replace(state, last=last)
        case TurnBegun(player=player, round=number):
            return replace(state, to_move=player, round=number)
        case PieceMoved(piece=piece, end=square):
            return state.with_piece(replace(state.piece(piece), square=square))
        case PiecePlaced():
            return _placed(state, event)
        case PieceRemoved(piece=piece, returns=returns):
            return (
                state.with_piece(replace(state.piece(piece), square=None))
                if returns
                else state.without_piece(piece)
            )
        case PiecePromoted(piece=piece, into=name):
            return state.with_piece(replace(state.piece(piece), type=name))
        case GemReceived(player=seat):
            return state.with_player(replace(state.player(seat), gems=state.player(seat).gems + 1))
        case MoneyReceived(player=seat, amount=amount):
            return state.with_player(replace(state.player(seat), money=state.player(seat).money + amount))
        case PiecesBought(player=seat, lots=lots, cost=cost):
            buyer = state.player(seat)
            return state.with_player(replace(buyer, money=buyer.money - cost)).with_new_pieces(seat, lots)
        case KingRemoved(piece=king):
            return state if king is None else state.without_piece(king)
        case TurnPassed() | RoundEnded() | ObjectionRaised():
            return state


def _placed(state: State, event: PiecePlaced) -> State:
    piece = state.piece(event.piece)
    placed = state.with_piece(replace(piece, square=event.square, mascot=piece.mascot or event.mascot))
    if not event.mascot or piece.owner is None:
        return placed
    return placed.with_player(replace(placed.player(piece.owner), mascot_waits=False))
