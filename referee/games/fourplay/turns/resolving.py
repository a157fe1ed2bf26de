"""What a legal turn brings about: its facts in the order in which they happen, what its picture marks, whose turn comes
next (606, 607.A)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from referee.core.diagram import Mark
from referee.games.fourplay import events as ev
from referee.games.fourplay.board.squares import OFF
from referee.games.fourplay.cycles.cycles import cycle_over
from referee.games.fourplay.folding import fold
from referee.games.fourplay.state import CENTRE, DOLLARMAN, KING, SEATS, LastTurn, State
from referee.games.fourplay.turns.forms import written_entries
from referee.games.fourplay.turns.mending import stated
from referee.games.fourplay.turns.progress import Deed, Judgement
from referee.games.fourplay.turns.truth import Taken


def taken_turn(state: State, seat: int, judgement: Judgement, comment: str) -> tuple[ev.Event, ...]:
    """The turn in canonical text, and each thing it brings about."""
    lines = written_entries(stated(judgement))
    last = LastTurn(
        seat, tuple(_marks(judgement)), (f"The last turn, of Player {seat}: {'; '.join(lines)}.",)
    )
    taken = ev.TurnTaken(seat, state.cycle, state.round, "\n".join(lines), last, comment)
    return (taken, *(event for deed in judgement.deeds for event in _events(deed, seat)))


def _events(deed: Deed, seat: int) -> Iterator[ev.Event]:
    truth = deed.truth
    match deed.kind:
        case "return" | "place":
            yield ev.PiecePlaced(deed.piece, deed.squares[-1], truth.mascot_named)
        case "neutron":
            yield ev.PieceMoved(deed.piece, deed.squares[0], deed.squares[-1])
            if truth.gem is not None:
                yield ev.GemReceived(truth.gem)
                if truth.destroyed is not None:
                    yield from _removed(truth.destroyed, None)
                yield ev.PieceMoved(deed.piece, deed.squares[-1], CENTRE)
        case "move":
            for taken in truth.captures:
                yield from _removed(taken, seat)
            if deed.squares[0] != deed.squares[-1]:
                yield ev.PieceMoved(deed.piece, deed.squares[0], deed.squares[-1])
            if truth.promoted:
                yield ev.PiecePromoted(deed.piece, truth.promoted)
            if truth.received:
                yield ev.MoneyReceived(seat, truth.received, "capture")
        case "purchase":
            yield ev.PiecesBought(seat, deed.lots, deed.cost)
        case "pass":
            return


def _removed(taken: Taken, by: int | None) -> Iterator[ev.Event]:
    how: Literal["captured", "destroyed"] = "captured" if by is not None else "destroyed"
    returns = taken.mascot and by is not None  # a Mascot destroyed by the Neutron is gone
    yield ev.PieceRemoved(taken.id, taken.piece, taken.owner, taken.square, how, by, returns)
    if taken.piece == KING:
        yield ev.KingRemoved(taken.owner, how)


def _marks(judgement: Judgement) -> Iterator[Mark]:
    """Where the turn's pieces began and ended, and what was taken."""
    for deed in judgement.deeds:
        if deed.squares[:1] != (OFF,) and deed.squares:
            yield Mark(deed.squares[0], "from")
        for taken in (*deed.truth.captures, *((deed.truth.destroyed,) if deed.truth.destroyed else ())):
            yield Mark(taken.square, "captured")
        if deed.squares:
            yield Mark(CENTRE if deed.truth.gem is not None else deed.squares[-1], "to")


def next_turn(state: State) -> tuple[ev.Event, ...]:
    """What follows the turn of the seat that was to move: the end of the cycle where one King is left, else the
    rest of the round up to the next player with a King who is here."""
    kings = state.kings
    if len(kings) <= 1:
        return cycle_over(state, kings[0] if kings else None)
    events: list[ev.Event] = []
    seat, number = state.to_move, state.round
    waiting = [s for s in kings if not state.player(s).left]
    if not waiting:
        return ()
    while True:
        if seat == SEATS[-1]:
            events += _round_ended(state, number)
            seat, number = SEATS[0], number + 1
        else:
            seat += 1
        if seat in waiting:
            return (*events, ev.TurnBegun(seat, state.cycle, number))
        events.append(ev.TurnPassed(seat, state.cycle, number, "vacant" if seat in kings else "kingless"))


def _round_ended(state: State, number: int) -> Iterator[ev.Event]:
    """The Dollarmen's income (part C, ruling 9): only to players with a King."""
    yield ev.RoundEnded(state.cycle, number)
    income = state.rules.dollarman_income
    for seat in state.kings if income else ():
        if any(piece.owner == seat and piece.type == DOLLARMAN for piece in state.on_board()):
            yield ev.MoneyReceived(seat, income, "income")


def turn_begun(state: State) -> tuple[ev.Event, ...]:
    """What follows where `state.to_move` is about to move: nothing, or the automatic passes of seats without King."""
    seat = state.to_move
    if seat in state.kings and not state.player(seat).left:
        return ()
    passed = ev.TurnPassed(seat, state.cycle, state.round, "vacant" if seat in state.kings else "kingless")
    return (passed, *next_turn(state))


def resigned(state: State, seat: int, comment: str) -> tuple[ev.Event, ...]:
    """In play the King leaves the board (part 6); who was due hands the turn on (ruling 13)."""
    king = next(p for p in state.on_board() if p.type == KING and p.owner == seat)
    record = fold.recorder(state)
    record.tell(ev.KingRemoved(seat, "resigned", king.id, comment))
    if len(record.state.kings) <= 1 or state.to_move == seat:
        record.tell(*next_turn(record.state))
    return record.told
