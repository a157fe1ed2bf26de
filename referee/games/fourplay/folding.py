"""The state after each event.

Total, and for ever: the only function old ledgers depend on.
"""

from __future__ import annotations

from dataclasses import replace

from referee.games.fourplay.events import (
    ArmyBought,
    ArmyPlaced,
    CycleEnded,
    Event,
    GemReceived,
    KingPlacedAlone,
    KingRemoved,
    MatchEnded,
    MatchOpened,
    MoneyReceived,
    NothingBought,
    OrderDrawn,
    PieceMoved,
    PiecePlaced,
    PiecePromoted,
    PieceRemoved,
    PiecesBought,
    PlayBegun,
    PlayerLeft,
    PositionSet,
    PurchaseBegun,
    ReadyDeclared,
    RulesAmended,
    SeatFilled,
    SetupBegun,
    TurnBegun,
    TurnTaken,
    WaitingBegun,
)
from referee.games.fourplay.state import DOLLARMAN, KING, NEUTRON, Lot, Piece, Player, State


def evolved(state: State, event: Event) -> State:
    """The state after the event."""
    match event:
        case MatchOpened(rules=rules):
            return replace(state, rules=rules, unnamed=1 if rules.cycles == 1 else 0)
        case RulesAmended(rules=rules):
            return replace(state, rules=rules)
        case OrderDrawn():
            return state
        case PositionSet():
            return _position_set(state, event)
        case ReadyDeclared():
            return _declared(state, event)
        case PurchaseBegun():
            return _purchase_begun(state, event)
        case ArmyBought(player=seat, lots=lots, mascot=mascot, cost=cost):
            return _bought(state, seat, lots, mascot, cost)
        case NothingBought(player=seat):
            return _bought(state, seat, (), "", 0)
        case SetupBegun(start=start):
            return replace(state, phase="setup", start=start)
        case ArmyPlaced():
            return _army_placed(state, event)
        case KingPlacedAlone(player=seat, piece=piece, square=square):
            return _mascot_waiting(state.with_piece(replace(state.piece(piece), square=square)), seat)
        case PlayBegun(neutron=neutron, square=square):
            pieces = (*state.pieces, Piece(neutron, NEUTRON, None, square))
            begun = replace(state, phase="play", start=1, round=1, to_move=1, pieces=pieces)
            return replace(begun, next_piece=max(state.next_piece, neutron + 1))
        case PlayerLeft(player=seat):
            return state.with_player(replace(state.player(seat), left=True))
        case SeatFilled(player=seat):
            return _filled(state, state.player(seat))
        case CycleEnded():
            return _cycle_ended(state, event)
        case WaitingBegun():
            return replace(state, phase="waiting", start=1, round=0, to_move=0)
        case MatchEnded(winners=winners, reason=reason):
            return replace(state, phase="ended", winners=winners, reason=reason, to_move=0)
        case _:
            return play_evolved(state, event)


def _position_set(state: State, event: PositionSet) -> State:
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


def _declared(state: State, event: ReadyDeclared) -> State:
    player = state.player(event.player)
    said = replace(player, office=event.office, colours=event.colours, trim=event.trim)
    return state.with_player(replace(said, ready=True))


def _purchase_begun(state: State, event: PurchaseBegun) -> State:
    """F$ and pieces do not carry over; gems and standings do (603)."""
    players = tuple(
        replace(player, money=state.rules.budget, army=(), mascot="", mascot_waits=False)
        for player in state.players
    )
    fresh = replace(state, phase="purchase", cycle=event.cycle, start=event.start, round=0, to_move=0)
    return replace(fresh, players=players, pieces=(), last=None)


def _bought(state: State, seat: int, lots: tuple[Lot, ...], mascot: str, cost: int) -> State:
    """King and Dollarman are given (604.A); everything begins off the board (801)."""
    player = state.player(seat)
    paid = replace(player, money=player.money - cost, army=lots, mascot=mascot)
    return state.with_player(paid).with_new_pieces(seat, (Lot(KING, 1), Lot(DOLLARMAN, 1), *lots))


def _army_placed(state: State, event: ArmyPlaced) -> State:
    squares = {placement.piece: placement.square for placement in event.placements}
    pieces = tuple(
        replace(piece, square=squares[piece.id], mascot=squares[piece.id] == event.mascot)
        if piece.id in squares
        else piece
        for piece in state.pieces
    )
    placed = replace(state, pieces=pieces)
    return placed if event.mascot else _mascot_waiting(placed, event.player)


def _mascot_waiting(state: State, seat: int) -> State:
    """No setup has placed the Mascot: the first piece of its kind that is put on the board will be it (605.E)."""
    player = state.player(seat)
    waits = state.rules.mascot_waits and bool(player.mascot)
    return state.with_player(replace(player, mascot_waits=waits))


def _filled(state: State, player: Player) -> State:
    ready = player.ready and state.phase != "ready"
    filled = state.with_player(replace(player, left=False, ready=ready))
    return replace(filled, start=filled.start + 1) if state.phase == "ready" else filled


def _cycle_ended(state: State, event: CycleEnded) -> State:
    """The army's Beethoven Set is remembered (604.C)."""
    players = tuple(
        replace(player, earlier=(*player.earlier, tuple(sorted({lot.piece for lot in player.army}))))
        for player in state.players
    )
    return replace(state, players=players, results=(*state.results, event.result))


# --- play on the board ----------------------------------------------------------------------------------------


def play_evolved(state: State, event: Event) -> State:
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
        case _:
            return state


def _placed(state: State, event: PiecePlaced) -> State:
    piece = state.piece(event.piece)
    placed = state.with_piece(replace(piece, square=event.square, mascot=piece.mascot or event.mascot))
    if not event.mascot or piece.owner is None:
        return placed
    return placed.with_player(replace(placed.player(piece.owner), mascot_waits=False))
