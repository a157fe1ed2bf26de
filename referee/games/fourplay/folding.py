"""The only function old ledgers depend on: the state after an event. Total, and for ever."""

from __future__ import annotations

from referee.core.folding import Fold, Recorder
from referee.core.replacing import replace
from referee.games.fourplay import events as ev
from referee.games.fourplay.state import DOLLARMAN, KING, NEUTRON, Lot, Piece, Player, State

fold: Fold[State] = Fold()
fold.telling(ev.OrderDrawn, ev.TurnPassed, ev.RoundEnded, ev.ObjectionRaised)


def recorder(state: State) -> Recorder[State, ev.Event]:
    """What follows from an answer, from this state on."""
    return Recorder(fold, state)


# --- from the opening to the setup -----------------------------------------------------------------------------------


@fold.on(ev.MatchOpened)
def _match_opened(state: State, event: ev.MatchOpened) -> State:
    return replace(state, rules=event.rules, unnamed=1 if event.rules.cycles == 1 else 0)


@fold.on(ev.RulesAmended)
def _rules_amended(state: State, event: ev.RulesAmended) -> State:
    return replace(state, rules=event.rules)


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
    player = state.player(event.player)
    said = replace(player, office=event.office, colours=event.colours, trim=event.trim)
    return state.with_player(replace(said, ready=True))


@fold.on(ev.PurchaseBegun)
def _purchase_begun(state: State, event: ev.PurchaseBegun) -> State:
    """F$ and pieces do not carry over; gems and standings do (603)."""
    players = tuple(
        replace(player, money=state.rules.budget, army=(), mascot="", mascot_waits=False)
        for player in state.players
    )
    fresh = replace(state, phase="purchase", cycle=event.cycle, start=event.start, round=0, to_move=0)
    return replace(fresh, players=players, pieces=(), last=None)


@fold.on(ev.ArmyBought)
def _army_bought(state: State, event: ev.ArmyBought) -> State:
    return _equipped(state, event.player, event.lots, event.mascot, event.cost)


@fold.on(ev.NothingBought)
def _nothing_bought(state: State, event: ev.NothingBought) -> State:
    return _equipped(state, event.player, (), "", 0)


def _equipped(state: State, seat: int, lots: tuple[Lot, ...], mascot: str, cost: int) -> State:
    """King and Dollarman are given (604.A); everything begins off the board (801)."""
    player = state.player(seat)
    paid = replace(player, money=player.money - cost, army=lots, mascot=mascot)
    return state.with_player(paid).with_new_pieces(seat, (Lot(KING, 1), Lot(DOLLARMAN, 1), *lots))


@fold.on(ev.SetupBegun)
def _setup_begun(state: State, event: ev.SetupBegun) -> State:
    return replace(state, phase="setup", start=event.start)


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
    king = replace(state.piece(event.piece), square=event.square)
    return _mascot_waiting(state.with_piece(king), event.player)


def _mascot_waiting(state: State, seat: int) -> State:
    """No setup has placed the Mascot: the first piece of its kind that is put on the board will be it (605.E)."""
    player = state.player(seat)
    return state.with_player(replace(player, mascot_waits=bool(player.mascot)))


# --- play on the board -----------------------------------------------------------------------------------------------


@fold.on(ev.PlayBegun)
def _play_begun(state: State, event: ev.PlayBegun) -> State:
    pieces = (*state.pieces, Piece(event.neutron, NEUTRON, None, event.square))
    begun = replace(state, phase="play", start=1, round=1, to_move=1, pieces=pieces)
    return replace(begun, next_piece=max(state.next_piece, event.neutron + 1))


@fold.on(ev.TurnBegun)
def _turn_begun(state: State, event: ev.TurnBegun) -> State:
    return replace(state, to_move=event.player, round=event.round)


@fold.on(ev.TurnTaken)
def _turn_taken(state: State, event: ev.TurnTaken) -> State:
    return replace(state, last=event.last)


@fold.on(ev.PieceMoved)
def _piece_moved(state: State, event: ev.PieceMoved) -> State:
    return state.with_piece(replace(state.piece(event.piece), square=event.end))


@fold.on(ev.PiecePlaced)
def _piece_placed(state: State, event: ev.PiecePlaced) -> State:
    piece = state.piece(event.piece)
    placed = state.with_piece(replace(piece, square=event.square, mascot=piece.mascot or event.mascot))
    if not event.mascot or piece.owner is None:
        return placed
    return placed.with_player(replace(placed.player(piece.owner), mascot_waits=False))


@fold.on(ev.PieceRemoved)
def _piece_removed(state: State, event: ev.PieceRemoved) -> State:
    if event.returns:
        return state.with_piece(replace(state.piece(event.piece), square=None))
    return state.without_piece(event.piece)


@fold.on(ev.PiecePromoted)
def _piece_promoted(state: State, event: ev.PiecePromoted) -> State:
    return state.with_piece(replace(state.piece(event.piece), type=event.into))


@fold.on(ev.GemReceived)
def _gem_received(state: State, event: ev.GemReceived) -> State:
    player = state.player(event.player)
    return state.with_player(replace(player, gems=player.gems + 1))


@fold.on(ev.MoneyReceived)
def _money_received(state: State, event: ev.MoneyReceived) -> State:
    player = state.player(event.player)
    return state.with_player(replace(player, money=player.money + event.amount))


@fold.on(ev.PiecesBought)
def _pieces_bought(state: State, event: ev.PiecesBought) -> State:
    buyer = state.player(event.player)
    paid = state.with_player(replace(buyer, money=buyer.money - event.cost))
    return paid.with_new_pieces(event.player, event.lots)


@fold.on(ev.KingRemoved)
def _king_removed(state: State, event: ev.KingRemoved) -> State:
    return state if event.piece is None else state.without_piece(event.piece)


# --- leaving, standings, the end -------------------------------------------------------------------------------------


@fold.on(ev.PlayerLeft)
def _player_left(state: State, event: ev.PlayerLeft) -> State:
    return state.with_player(replace(state.player(event.player), left=True))


@fold.on(ev.SeatFilled)
def _seat_filled(state: State, event: ev.SeatFilled) -> State:
    player: Player = state.player(event.player)
    ready = player.ready and state.phase != "ready"
    filled = state.with_player(replace(player, left=False, ready=ready))
    return replace(filled, start=filled.start + 1) if state.phase == "ready" else filled


@fold.on(ev.CycleEnded)
def _cycle_ended(state: State, event: ev.CycleEnded) -> State:
    """The army's Beethoven Set is remembered (604.C)."""
    players = tuple(
        replace(player, earlier=(*player.earlier, tuple(sorted({lot.piece for lot in player.army}))))
        for player in state.players
    )
    return replace(state, players=players, results=(*state.results, event.result))


@fold.on(ev.WaitingBegun)
def _waiting_begun(state: State, event: ev.WaitingBegun) -> State:
    return replace(state, phase="waiting", start=1, round=0, to_move=0)


@fold.on(ev.MatchEnded)
def _match_ended(state: State, event: ev.MatchEnded) -> State:
    return replace(state, phase="ended", winners=event.winners, reason=event.reason, to_move=0)
