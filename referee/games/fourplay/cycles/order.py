"""Whose turn comes next (606, 607.A): automatic passes, the ends of rounds with their income, the end of a cycle."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.fourplay.cycles.cycles import cycle_over
from referee.games.fourplay.events import Event
from referee.games.fourplay.folding import evolved
from referee.games.fourplay.played import MoneyReceived, RoundEnded, TurnBegun, TurnPassed
from referee.games.fourplay.state import DOLLARMAN, SEATS, State


def followed(state: State, happened: tuple[Event, ...]) -> State:
    """The state after events."""
    for event in happened:
        state = evolved(state, event)
    return state


def next_turn(state: State) -> tuple[Event, ...]:
    """What follows the turn of the seat that was to move: the end of the cycle where one King is left, else the
    rest of the round up to the next player with a King who is here."""
    kings = state.kings
    if len(kings) <= 1:
        return cycle_over(state, kings[0] if kings else None)
    events: list[Event] = []
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
            return (*events, TurnBegun(seat, state.cycle, number))
        events.append(TurnPassed(seat, state.cycle, number, "vacant" if seat in kings else "kingless"))


def _round_ended(state: State, number: int) -> Iterator[Event]:
    """The Dollarmen's income (part C, ruling 9): only to players with a King."""
    yield RoundEnded(state.cycle, number)
    income = state.rules.dollarman_income
    for seat in state.kings if income else ():
        if any(piece.owner == seat and piece.type == DOLLARMAN for piece in state.on_board()):
            yield MoneyReceived(seat, income, "income")


def turn_begun(state: State) -> tuple[Event, ...]:
    """What follows where `state.to_move` is about to move: nothing, or the automatic passes of seats without King."""
    seat = state.to_move
    if seat in state.kings and not state.player(seat).left:
        return ()
    passed = TurnPassed(seat, state.cycle, state.round, "vacant" if seat in state.kings else "kingless")
    return (passed, *next_turn(state))
