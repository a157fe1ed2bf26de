"""The only function old ledgers depend on: the state after an event. Total, and for ever."""

from __future__ import annotations

from dataclasses import replace

from referee.core.folding import Fold, Recorder
from referee.games.fourplay import events as ev
from referee.games.fourplay.state import DOLLARMAN, KING, NEUTRON, Lot, Piece, State

Record = Recorder[State, ev.Event]

fold: Fold[State] = Fold()
fold.telling(ev.OrderDrawn, ev.TurnPassed, ev.RoundEnded, ev.ObjectionRaised)


fold.on(ev.MatchOpened)(
    lambda state, event: replace(state, rules=event.rules, unnamed=1 if event.rules.cycles == 1 else 0)
)
fold.on(ev.RulesAmended)(lambda state, event: replace(state, rules=event.rules))


@fold.on(ev.PositionSet)
def _position_set(state: State, event: ev.PositionSet) -> State:
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


@fold.on(ev.ReadyDeclared)
def _ready_declared(state: State, event: ev.ReadyDeclared) -> State:
    said = {"office": event.office, "colours": event.colours, "trim": event.trim}
    return state.with_player(event.player, **said, ready=True)


@fold.on(ev.PurchaseBegun)
def _purchase_begun(state: State, event: ev.PurchaseBegun) -> State:
    """F$ and pieces do not carry over; gems and standings do (603)."""
    players = tuple(
        replace(player, money=state.rules.budget, army=(), mascot="", mascot_waits=False)
        for player in state.players
    )
    fresh = replace(state, phase="purchase", cycle=event.cycle, start=event.start, round=0, to_move=0)
    return replace(fresh, players=players, pieces=(), last=None)


fold.on(ev.ArmyBought)(
    lambda state, event: _equipped(state, event.player, event.lots, event.mascot, event.cost)
)
fold.on(ev.NothingBought)(lambda state, event: _equipped(state, event.player, (), "", 0))


def _equipped(state: State, seat: int, lots: tuple[Lot, ...], mascot: str, cost: int) -> State:
    """King and Dollarman are given (604.A); everything begins off the board (801)."""
    paid = _paid(state.with_player(seat, army=lots, mascot=mascot), seat, -cost)
    return paid.with_new_pieces(seat, (Lot(KING, 1), Lot(DOLLARMAN, 1), *lots))


fold.on(ev.SetupBegun)(lambda state, event: replace(state, phase="setup", start=event.start))


@fold.on(ev.ArmyPlaced)
def _army_placed(state: State, event: ev.ArmyPlaced) -> State:
    squares = {placement.piece: placement.square for placement in event.placements}
    pieces = tuple(
        replace(piece, square=squares[piece.id], mascot=squares[piece.id] == event.mascot)
        if piece.id in squares
        else piece
        for piece in state.pieces
    )
    placed = replace(state, pieces=pieces)
    return placed if event.mascot else _mascot_waiting(placed, event.player)


@fold.on(ev.KingPlacedAlone)
def _king_placed_alone(state: State, event: ev.KingPlacedAlone) -> State:
    return _mascot_waiting(state.with_piece(event.piece, square=event.square), event.player)


def _mascot_waiting(state: State, seat: int) -> State:
    """No setup has placed the Mascot: the first piece of its kind that is put on the board will be it (605.E)."""
    return state.with_player(seat, mascot_waits=bool(state.player(seat).mascot))


@fold.on(ev.PlayBegun)
def _play_begun(state: State, event: ev.PlayBegun) -> State:
    pieces = (*state.pieces, Piece(event.neutron, NEUTRON, None, event.square))
    begun = replace(state, phase="play", start=1, round=1, to_move=1, pieces=pieces)
    return replace(begun, next_piece=max(state.next_piece, event.neutron + 1))


fold.on(ev.TurnBegun)(lambda state, event: replace(state, to_move=event.player, round=event.round))
fold.on(ev.TurnTaken)(lambda state, event: replace(state, last=event.last))
fold.on(ev.PieceMoved)(lambda state, event: state.with_piece(event.piece, square=event.end))
fold.on(ev.PiecePromoted)(lambda state, event: state.with_piece(event.piece, type=event.into))


@fold.on(ev.PiecePlaced)
def _piece_placed(state: State, event: ev.PiecePlaced) -> State:
    piece = state.piece(event.piece)
    placed = state.with_piece(event.piece, square=event.square, mascot=piece.mascot or event.mascot)
    if not event.mascot or piece.owner is None:
        return placed
    return placed.with_player(piece.owner, mascot_waits=False)


@fold.on(ev.PieceRemoved)
def _piece_removed(state: State, event: ev.PieceRemoved) -> State:
    return state.with_piece(event.piece, square=None) if event.returns else state.without_piece(event.piece)


fold.on(ev.GemReceived)(
    lambda state, event: state.with_player(event.player, gems=state.player(event.player).gems + 1)
)
fold.on(ev.MoneyReceived)(lambda state, event: _paid(state, event.player, event.amount))
fold.on(ev.PiecesBought)(
    lambda state, event: _paid(state, event.player, -event.cost).with_new_pieces(event.player, event.lots)
)
fold.on(ev.KingRemoved)(
    lambda state, event: state if event.piece is None else state.without_piece(event.piece)
)


def _paid(state: State, seat: int, amount: int) -> State:
    return state.with_player(seat, money=state.player(seat).money + amount)


fold.on(ev.PlayerLeft)(lambda state, event: state.with_player(event.player, left=True))


@fold.on(ev.SeatFilled)
def _seat_filled(state: State, event: ev.SeatFilled) -> State:
    if state.phase != "ready":
        return state.with_player(event.player, left=False)
    return replace(state.with_player(event.player, left=False, ready=False), start=state.start + 1)


@fold.on(ev.CycleEnded)
def _cycle_ended(state: State, event: ev.CycleEnded) -> State:
    """The army's Beethoven Set is remembered (604.C)."""
    players = tuple(
        replace(player, earlier=(*player.earlier, tuple(sorted({lot.piece for lot in player.army}))))
        for player in state.players
    )
    return replace(state, players=players, results=(*state.results, event.result))


fold.on(ev.WaitingBegun)(lambda state, event: replace(state, phase="waiting", start=1, round=0, to_move=0))


@fold.on(ev.MatchEnded)
def _match_ended(state: State, event: ev.MatchEnded) -> State:
    return replace(state, phase="ended", winners=event.winners, reason=event.reason, to_move=0)
