"""What stands at any moment of a Fourplay match: the rules it is judged by, players, pieces, phase and turn; and what
happens in it, from opening to standings, each a small fact, with the state after it: all that old ledgers depend on.

All values are frozen and small; a piece keeps its identity (607.B.ii) from the purchase on. The
catalogue and every option are part of the state, as the opening event recorded them: judging never
reads a file."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal, TypeAlias

from referee.core.chance import Drawn
from referee.core.diagram import Mark
from referee.core.value import FreeText, Recorder, Value

Phase = Literal["ready", "purchase", "setup", "play", "waiting", "ended"]

SEATS = (1, 2, 3, 4)
NEUTRON, KING, DOLLARMAN = "Neutron", "King", "Dollarman"
CENTRE = "h8"
HOME_CORNERS = {1: "o15", 2: "a15", 3: "a1", 4: "o1"}  # 605.E, part C


class Rules(Value):
    """Every option of the match, and the piece catalogue as canonical JSON text."""

    pieces: str = "{}"
    cycles: int = 1
    waiting_period: timedelta = timedelta(0)
    purchase_window: timedelta = timedelta(days=14)
    setup_window: timedelta = timedelta(days=14)
    turn_window: timedelta = timedelta(days=7)
    on_timeout: Literal["pass", "hold"] = "pass"
    statements: Literal["strict", "full", "lenient"] = "strict"
    catalogue: str = "authentic"
    capture_reward: Literal["value", "0"] = "value"
    dollarman_income: int = 10
    dollarman_reward: int = 50
    budget: int = 615
    least_spent: int = 85  # per cent, of the budget (604.A) and of the army's value (605.A)


class Lot(Value):
    """So many pieces of one type, by catalogue name."""

    piece: str
    count: int


GIVEN = (Lot(KING, 1), Lot(DOLLARMAN, 1))  # 604.A


class Player(Value):
    """One seat. `army` is what it bought in this cycle's Initial Purchase; `mascot` the type named
    there; `earlier` its Beethoven Sets (604.C) of the cycles before, each a sorted tuple of piece
    names. `mascot_waits`: no setup has placed the Mascot (605.E)."""

    seat: int
    ready: bool = False
    left: bool = False
    office: str = ""
    colours: tuple[str, ...] = ()
    trim: tuple[str, ...] = ()
    money: int = 0
    gems: int = 0
    army: tuple[Lot, ...] = ()
    mascot: str = ""
    mascot_waits: bool = False
    earlier: tuple[tuple[str, ...], ...] = ()


class Piece(Value):
    """One piece. `owner` is None for the Neutron; `square` is None off the board. An off-board
    piece with `mascot` set is a captured Mascot that its owner may put back (610.d)."""

    id: int
    type: str
    owner: int | None
    square: str | None = None
    mascot: bool = False


class LastTurn(Value):
    """What the pictures mark: the last turn's squares, and the turn in words for those who cannot see it."""

    player: int
    marks: tuple[Mark, ...] = ()
    sentences: tuple[str, ...] = ()


class CycleResult(Value):
    """One line of the standings: who kept the last King (None: nobody), F$ and gems by seat."""

    cycle: int
    winner: int | None
    money: tuple[int, ...]
    gems: tuple[int, ...]
    round: int = 0
    player: int = 0


class State(Value):
    """A match. `start` counts how often the phase has begun: again, once a left seat is filled (104).
    `unnamed`: the cycle whose rounds are named without it, the only one when the match opened; 0: none."""

    rules: Rules = Rules()
    unnamed: int = 0
    phase: Phase = "ready"
    cycle: int = 1
    start: int = 1
    round: int = 0
    to_move: int = 0
    players: tuple[Player, ...] = tuple(Player(seat) for seat in SEATS)
    pieces: tuple[Piece, ...] = ()
    next_piece: int = 1
    last: LastTurn | None = None
    results: tuple[CycleResult, ...] = ()
    winners: tuple[int, ...] = ()
    reason: str = ""

    def player(self, seat: int) -> Player:
        return self.players[seat - 1]

    def on_board(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.square is not None)

    def off_board(self, seat: int) -> tuple[Piece, ...]:
        """The seat's pieces off the board, a captured Mascot among them."""
        return tuple(piece for piece in self.pieces if piece.owner == seat and piece.square is None)

    def at(self, square: str) -> Piece | None:
        return next((piece for piece in self.pieces if piece.square == square), None)

    def piece(self, identity: int) -> Piece:
        return next(piece for piece in self.pieces if piece.id == identity)

    @property
    def vacant(self) -> tuple[int, ...]:
        """The seats whose players have left, in order."""
        return tuple(player.seat for player in self.players if player.left)

    @property
    def kings(self) -> tuple[int, ...]:
        """The seats with a King on the board, in order."""
        kings = (p.owner for p in self.on_board() if p.type == KING)
        return tuple(sorted(owner for owner in kings if owner is not None))

    def with_player(self, seat: int, **changes: Any) -> "State":
        changed = (replace(p, **changes) if p.seat == seat else p for p in self.players)
        return replace(self, players=tuple(changed))

    def with_piece(self, identity: int, **changes: Any) -> "State":
        changed = (replace(p, **changes) if p.id == identity else p for p in self.pieces)
        return replace(self, pieces=tuple(changed))

    def without_piece(self, identity: int) -> "State":
        return replace(self, pieces=tuple(p for p in self.pieces if p.id != identity))

    def with_new_pieces(self, owner: int | None, lots: tuple[Lot, ...]) -> "State":
        """New pieces off the board, their ids in the order of the lots."""
        names = [lot.piece for lot in lots for _ in range(lot.count)]
        new = tuple(Piece(self.next_piece + i, name, owner) for i, name in enumerate(names))
        return replace(self, pieces=self.pieces + new, next_piece=self.next_piece + len(new))


# --- what happens ----------------------------------------------------------------------------------------------------
#
# A turn is one `TurnTaken` with its canonical text, followed by the facts that it brought about; letters show the text,
# so most facts need no words of their own.


class OfPlayer(Value):
    """What it tells is a player's."""

    player: int


class MatchOpened(Value):
    """The rules this match is judged by, catalogue included."""

    rules: Rules


class PieceChange(Value):
    """What an amendment changed in a type of piece; `key` as in the catalogue, empty for a new piece."""

    piece: str
    key: str
    before: str
    after: str


class RulesAmended(Value):
    """The match is judged by other rules from now on; its earlier turns too, where somebody objects (611)."""

    rules: Rules
    pieces: tuple[PieceChange, ...] = ()


class OrderDrawn(Value):
    """The order of play (600). `seating[i]` is the number of the i-th person on the roster; seed
    and draws are the transcript by which anyone can check it."""

    seating: tuple[int, ...]
    seed: str
    draws: tuple[Drawn, ...]


class PositionSet(Value):
    """The match opens in the middle of play, from a given position (option `position`)."""

    cycle: int
    round: int
    to_move: int
    pieces: tuple[Piece, ...]
    money: tuple[int, ...]
    gems: tuple[int, ...]


class ReadyDeclared(OfPlayer):
    """A declaration of readiness (601.B), with the Office and its colours (500) where given."""

    office: FreeText = ""
    colours: tuple[FreeText, ...] = ()
    trim: tuple[FreeText, ...] = ()
    comment: FreeText = ""


class PurchaseBegun(Value):
    """The Initial Purchase phase begins; `start` 2 and up: again, after a leaving (104)."""

    cycle: int
    start: int


class ArmyBought(OfPlayer):
    """One player's Initial Purchase, revealed (604)."""

    lots: tuple[Lot, ...]
    mascot: str
    cost: int
    value: int
    comment: FreeText = ""


class NothingBought(OfPlayer):
    """No valid purchase came in two weeks (604.F)."""


class SetupBegun(Value):
    """The Initial Setup phase begins; `start` as above."""

    cycle: int
    start: int


class Placement(Value):
    """One piece of an Initial Setup: its identity, its name, its square."""

    piece: int
    name: str
    square: str


class ArmyPlaced(OfPlayer):
    """One player's Initial Setup, revealed (605); `mascot` is the Mascot's square."""

    placements: tuple[Placement, ...]
    mascot: str
    comment: FreeText = ""


class KingPlacedAlone(OfPlayer):
    """No valid setup came in two weeks: the King alone stands on the Home Corner (605.E)."""

    piece: int
    square: str
    mascot: str = ""  # the kind of the Mascot that has not been placed


class PlayBegun(Value):
    """Play on the Board begins: the Neutron stands on the centre square (905), Player 1 is to move."""

    cycle: int
    neutron: int
    square: str


class PlayerLeft(OfPlayer):
    """A player left the game (104); the phase is suspended and what was received is thrown away."""

    comment: FreeText = ""


class SeatFilled(OfPlayer):
    """Somebody took the seat that another had left (104); declarations are asked for again in the Ready phase."""


class CycleEnded(Value):
    """Exactly one King is left (603), or one player (104): the standings of the cycle."""

    result: CycleResult


class WaitingBegun(Value):
    """The waiting period before the next cycle (603)."""

    cycle: int


class MatchEnded(Value):
    """The last cycle is over, or all but one have left."""

    winners: tuple[int, ...]
    reason: str


# --- play on the board ----------------------------------------------------------------------------------------


class TurnTaken(OfPlayer):
    """A legal turn, in canonical text; `last` is what pictures mark from now on."""

    cycle: int
    round: int
    text: FreeText
    last: LastTurn
    comment: FreeText = ""


class TurnPassed(OfPlayer):
    """A turn that passed by itself: no answer in time (612), no King (607.A), or the seat is vacant (104)."""

    cycle: int
    round: int
    why: Literal["time", "kingless", "vacant"]


class TurnBegun(OfPlayer):
    """Whose turn it is now."""

    cycle: int
    round: int


class PieceMoved(Value):
    """A piece (or the Neutron) went to an empty square; what was taken there has been removed before."""

    piece: int
    start: str
    end: str


class PiecePlaced(Value):
    """An off-board piece was put on the board, as a move (607.B.ii) or as a returned Mascot
    (610.d). `mascot`: it is the Mascot from now on, since no setup had placed it (605.E)."""

    piece: int
    square: str
    mascot: bool = False


class PieceRemoved(Value):
    """A piece left the game, or, if it was a captured Mascot, the board. `by` is None where
    the Neutron destroyed it."""

    piece: int
    name: str
    owner: int
    square: str
    how: Literal["captured", "destroyed"]
    by: int | None
    returns: bool = False


class PiecePromoted(Value):
    """A Zombie became what it captured (961)."""

    piece: int
    into: str


class GemReceived(OfPlayer):
    """A Neutron Gem (905)."""


class MoneyReceived(OfPlayer):
    """F$ for a capture or a Dollarman's income at the end of a round."""

    amount: int
    why: Literal["capture", "income"]


class PiecesBought(OfPlayer):
    """The purchase that ends a turn (608): pieces off the board, F$ spent."""

    lots: tuple[Lot, ...]
    cost: int


class KingRemoved(OfPlayer):
    """A player has no King any more: captured, destroyed or resigned. The removal itself is a fact
    of its own, except for a resignation, where `piece` names the King to take off the board."""

    how: Literal["captured", "destroyed", "resigned"]
    piece: int | None = None
    comment: FreeText = ""


class RoundEnded(Value):
    """Player 4's turn is over (ruling 9)."""

    cycle: int
    round: int


class ObjectionRaised(Value):
    """A player asks for a ruling on an earlier turn (611); the ruling itself is the match's."""

    by: int
    player: int
    cycle: int
    round: int
    reason: FreeText


_Turns = TurnTaken | TurnPassed | TurnBegun | PieceMoved | PiecePlaced | PieceRemoved | PiecePromoted
_Gains = GemReceived | MoneyReceived | PiecesBought
Played: TypeAlias = _Turns | _Gains | KingRemoved | RoundEnded | ObjectionRaised

_Purchase = MatchOpened | RulesAmended | OrderDrawn | PositionSet | ReadyDeclared | PurchaseBegun | ArmyBought
_Setup = NothingBought | SetupBegun | ArmyPlaced | KingPlacedAlone | PlayBegun
_Cycles = PlayerLeft | SeatFilled | CycleEnded | WaitingBegun | MatchEnded
Event: TypeAlias = _Purchase | _Setup | _Cycles | Played

# --- the state after an event: total, and for ever -------------------------------------------------------------------


Record = Recorder[State, Event]


def fold(state: State, event: Event) -> State:
    """The state after an event: total, and for ever."""
    match event:
        case MatchOpened():
            return replace(state, rules=event.rules, unnamed=1 if event.rules.cycles == 1 else 0)
        case RulesAmended():
            return replace(state, rules=event.rules)
        case PositionSet():
            players = tuple(
                replace(player, ready=True, money=money, gems=gems)
                for player, money, gems in zip(state.players, event.money, event.gems, strict=True)
            )
            return replace(
                state,
                phase="play",
                cycle=event.cycle,
                unnamed=event.cycle if state.unnamed else 0,
                round=event.round,
                to_move=event.to_move,
                players=players,
                pieces=event.pieces,
                next_piece=1 + max((piece.id for piece in event.pieces), default=0),
            )
        case ReadyDeclared():
            said = {"office": event.office, "colours": event.colours, "trim": event.trim}
            return state.with_player(event.player, **said, ready=True)
        case PurchaseBegun():  # F$ and pieces do not carry over; gems and standings do (603)
            players = tuple(
                replace(player, money=state.rules.budget, army=(), mascot="", mascot_waits=False)
                for player in state.players
            )
            fresh = replace(state, phase="purchase", cycle=event.cycle, start=event.start, round=0, to_move=0)
            return replace(fresh, players=players, pieces=(), last=None)
        case ArmyBought():
            return _equipped(state, event.player, event.lots, event.mascot, event.cost)
        case NothingBought():
            return _equipped(state, event.player, (), "", 0)
        case SetupBegun():
            return replace(state, phase="setup", start=event.start)
        case ArmyPlaced():
            squares = {placement.piece: placement.square for placement in event.placements}
            pieces = tuple(
                replace(piece, square=squares[piece.id], mascot=squares[piece.id] == event.mascot)
                if piece.id in squares
                else piece
                for piece in state.pieces
            )
            placed = replace(state, pieces=pieces)
            return placed if event.mascot else _mascot_waiting(placed, event.player)
        case KingPlacedAlone():
            return _mascot_waiting(state.with_piece(event.piece, square=event.square), event.player)
        case PlayBegun():
            pieces = (*state.pieces, Piece(event.neutron, NEUTRON, None, event.square))
            begun = replace(state, phase="play", start=1, round=1, to_move=1, pieces=pieces)
            return replace(begun, next_piece=max(state.next_piece, event.neutron + 1))
        case TurnBegun():
            return replace(state, to_move=event.player, round=event.round)
        case TurnTaken():
            return replace(state, last=event.last)
        case PieceMoved():
            return state.with_piece(event.piece, square=event.end)
        case PiecePromoted():
            return state.with_piece(event.piece, type=event.into)
        case PiecePlaced():
            piece = state.piece(event.piece)
            placed = state.with_piece(event.piece, square=event.square, mascot=piece.mascot or event.mascot)
            if not event.mascot or piece.owner is None:
                return placed
            return placed.with_player(piece.owner, mascot_waits=False)
        case PieceRemoved():
            stays = event.returns
            return state.with_piece(event.piece, square=None) if stays else state.without_piece(event.piece)
        case GemReceived():
            return state.with_player(event.player, gems=state.player(event.player).gems + 1)
        case MoneyReceived():
            return _paid(state, event.player, event.amount)
        case PiecesBought():
            return _paid(state, event.player, -event.cost).with_new_pieces(event.player, event.lots)
        case KingRemoved():
            return state if event.piece is None else state.without_piece(event.piece)
        case PlayerLeft():
            return state.with_player(event.player, left=True)
        case SeatFilled():
            if state.phase != "ready":
                return state.with_player(event.player, left=False)
            return replace(state.with_player(event.player, left=False, ready=False), start=state.start + 1)
        case CycleEnded():  # the army's Beethoven Set is remembered (604.C)
            players = tuple(
                replace(player, earlier=(*player.earlier, tuple(sorted({lot.piece for lot in player.army}))))
                for player in state.players
            )
            return replace(state, players=players, results=(*state.results, event.result))
        case WaitingBegun():
            return replace(state, phase="waiting", start=1, round=0, to_move=0)
        case MatchEnded():
            return replace(state, phase="ended", winners=event.winners, reason=event.reason, to_move=0)
        case OrderDrawn() | TurnPassed() | RoundEnded() | ObjectionRaised():
            return state


def _equipped(state: State, seat: int, lots: tuple[Lot, ...], mascot: str, cost: int) -> State:
    """King and Dollarman are given (604.A); everything begins off the board (801)."""
    paid = _paid(state.with_player(seat, army=lots, mascot=mascot), seat, -cost)
    return paid.with_new_pieces(seat, (*GIVEN, *lots))


def _mascot_waiting(state: State, seat: int) -> State:
    """No setup has placed the Mascot: the first piece of its kind that is put on the board will be it (605.E)."""
    return state.with_player(seat, mascot_waits=bool(state.player(seat).mascot))


def _paid(state: State, seat: int, amount: int) -> State:
    return state.with_player(seat, money=state.player(seat).money + amount)
