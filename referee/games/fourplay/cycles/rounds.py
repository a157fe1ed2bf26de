"""Whose turn comes next, until one King is left: rounds, passes, income, resigning in play (606, 607.A, part 6)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.fourplay import events as ev
from referee.games.fourplay.cycles.cycles import cycle_over
from referee.games.fourplay.folding import Told, fold
from referee.games.fourplay.state import DOLLARMAN, KING, SEATS, State


def next_turn(state: State) -> tuple[ev.Event, ...]:
    """What follows the turn of the seat that was to move: the end of the cycle where one King is left, else the
    rest of the round up to the next player with a King who is here."""
    kings = state.kings
    if len(kings) <= 1:
        return cycle_over(state, kings[0] if kings else None)
    events: list[ev.Event] = []
    seat, number = state.to_move, state.round
    while any(not state.player(king).left for king in kings):
        if seat == SEATS[-1]:
            events.append(ev.RoundEnded(state.cycle, number))
            events += _income(state)
            seat, number = SEATS[0], number + 1
        else:
            seat += 1
        if _here(state, seat):
            return (*events, ev.TurnBegun(seat, state.cycle, number))
        events.append(_passed(state, seat, number))
    return ()


def _here(state: State, seat: int) -> bool:
    return seat in state.kings and not state.player(seat).left


def _passed(state: State, seat: int, number: int) -> ev.TurnPassed:
    return ev.TurnPassed(seat, state.cycle, number, "vacant" if seat in state.kings else "kingless")


def _income(state: State) -> Iterator[ev.Event]:
    """The Dollarmen's, at the end of a round (part C, ruling 9): only to players with a King."""
    income = state.rules.dollarman_income
    for seat in state.kings if income else ():
        if any(piece.owner == seat and piece.type == DOLLARMAN for piece in state.on_board()):
            yield ev.MoneyReceived(seat, income, "income")


def turn_begun(state: State) -> tuple[ev.Event, ...]:
    """What follows where `state.to_move` is about to move: nothing, or the automatic passes of seats without King."""
    if _here(state, state.to_move):
        return ()
    return (_passed(state, state.to_move, state.round), *next_turn(state))


def resigned(state: State, seat: int, comment: str) -> tuple[ev.Event, ...]:
    """In play the King leaves the board (part 6); who was due hands the turn on (ruling 13)."""
    king = next(p for p in state.on_board() if p.type == KING and p.owner == seat)
    record = Told(fold, state)
    record.tell(ev.KingRemoved(seat, "resigned", king.id, comment))
    if len(record.state.kings) <= 1 or state.to_move == seat:
        record.tell(*next_turn(record.state))
    return tuple(record.events)
