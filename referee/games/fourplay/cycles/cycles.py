"""Cycles, standings, waiting (603), leaving (104): what follows when a phase, a cycle or the match is over; whose turn
comes next, until one King is left: rounds, passes, income, resigning in play (606, 607.A, part 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Never

from referee.core.answers import OwnAnswer
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.game import Outcome
from referee.core.owing import Demand, Lapse
from referee.games.fourplay import events as ev
from referee.games.fourplay.folding import Told, fold
from referee.games.fourplay.state import DOLLARMAN, KING, SEATS, CycleResult, State


def cycle_over(state: State, winner: int | None) -> tuple[ev.Event, ...]:
    """The cycle is over and `winner` has the last King: its standings, and what comes next."""
    money = tuple(player.money for player in state.players)
    gems = tuple(player.gems for player in state.players)
    ended = ev.CycleEnded(CycleResult(state.cycle, winner, money, gems, state.round, state.to_move))
    after = fold(state, ended)
    if state.rules.cycles and state.cycle >= state.rules.cycles:
        return (ended, match_over(after))
    if state.rules.waiting_period:
        return (ended, ev.WaitingBegun(state.cycle))
    return (ended, ev.PurchaseBegun(state.cycle + 1, 1))


def match_over(state: State) -> ev.MatchEnded:
    """The winner by cycles won; ties are broken by gems, then by the F$ left at the ends of the cycles."""
    best = max(_rank(state, seat) for seat in SEATS)
    winners = tuple(seat for seat in SEATS if _rank(state, seat) == best)
    return ev.MatchEnded(winners, _reason(state, winners))


def _rank(state: State, seat: int) -> tuple[int, int, int]:
    return (
        cycles_won(state, seat),
        state.player(seat).gems,
        sum(result.money[seat - 1] for result in state.results),
    )


def cycles_won(state: State, seat: int) -> int:
    return sum(result.winner == seat for result in state.results)


def _reason(state: State, winners: tuple[int, ...]) -> str:
    names = " and ".join(f"Player {seat}" for seat in winners)
    if len(state.results) == 1:
        won = state.results[0].winner
        return f"{names} kept the last King." if won else f"Nobody kept a King; {names} had most gems and F$."
    cycles = cycles_won(state, winners[0])
    tied = [seat for seat in SEATS if cycles_won(state, seat) == cycles]
    by = "" if len(tied) == len(winners) else ", ahead on Neutron Gems and F$"
    return f"{names} won {cycles} of {len(state.results)} cycles{by}."


def left(state: State, seat: int, comment: str) -> tuple[ev.Event, ...]:
    """Somebody leaves before play; if one alone is left, that one wins (part 6)."""
    gone = ev.PlayerLeft(seat, comment)
    here = [player.seat for player in fold(state, gone).players if not player.left]
    if len(here) > 1:
        return (gone,)
    winners = tuple(here)
    return (gone, ev.MatchEnded(winners, "".join(f"Player {seat} is the only one left." for seat in winners)))


def filled(state: State, seat: int) -> tuple[ev.Event, ...]:
    """A left seat is taken; once all four are, the phase that was suspended begins again, with a fresh window (104)."""
    if not state.player(seat).left:
        return ()
    back, start = ev.SeatFilled(seat), state.start + 1
    if fold(state, back).vacant:
        return (back,)
    match state.phase:
        case "purchase":
            return (back, ev.PurchaseBegun(state.cycle, start))
        case "setup":
            return (back, ev.SetupBegun(state.cycle, start))
    return (back,)


def outcome(state: State) -> Outcome | None:
    """Points are cycles won."""
    if state.phase != "ended":
        return None
    return Outcome(state.winners, {seat: Fraction(cycles_won(state, seat)) for seat in SEATS}, state.reason)


class Waiting(OwnAnswer[State, ev.Event, Never]):
    """The waiting period before the next cycle (603): nothing but the clock answers it."""

    kind = "Wait"
    actions = ()

    def check(self, state: State, demand: Demand, action: Never) -> tuple[Complaint, ...]:
        return ()

    def write(self, state: State, demand: Demand, action: Never) -> str:
        return ""

    def resolve(self, state: State, answers: Mapping[Demand, Lapse]) -> tuple[ev.Event, ...]:
        return (ev.PurchaseBegun(state.cycle + 1, 1),)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Never:
        raise LookupError("nobody ends the waiting period before its time")


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
