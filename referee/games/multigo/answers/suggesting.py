"""Answers a seeded player might give: quick, legal, and such that matches end."""

from __future__ import annotations

from referee.core.chance import Chance
from referee.core.game import Demand
from referee.games.multigo import actions as act
from referee.games.multigo.answers.checking import check
from referee.games.multigo.board.chains import drop
from referee.games.multigo.board.points import EMPTY
from referee.games.multigo.owing import owes
from referee.games.multigo.play.choices import by_order, chooser
from referee.games.multigo.state import State, symbol_of

_TRIES = 12


def suggested(state: State, demand: Demand, chance: Chance) -> act.Action:
    """A legal answer to any demand."""
    seat = demand.seat
    match demand.kind:
        case "Move":
            return _move(state, demand, chance)
        case "Take":
            owed = chooser(state)
            if owed is None:
                raise ValueError("nobody has prisoners to choose")
            return act.Take(by_order(owed[0].pool, seat, owed[2], _colours(state, chance)))
        case "Prefer":
            return act.Prefer(_colours(state, chance))
        case "Condition":
            point = chance.below(len(state.board), "queued move")
            return act.Plan((act.Condition(0, "", state.points.names[point]),))
        case "Dead":
            return _dead(state, chance)
        case "Ally":
            return _ally(state, seat, chance)
        case "Resign":
            return act.Resign()
        case "Press":
            return act.Press("Shall we look at the corner together?")
        case _:
            return act.Comment("A good game so far.")


def _move(state: State, demand: Demand, chance: Chance) -> act.Move:
    """The most biting of a few stones that fill no eye of their own; a pass where none is found, or once the board
    should be full."""
    area, seat = len(state.board), demand.seat
    if not owes(state, seat, "Move") or state.round > max(6, area // (2 * state.law.players)):
        return act.Move()
    free = [point for point, symbol in enumerate(state.board) if symbol == EMPTY]
    drawn = [free[chance.below(len(free), "move")] for _ in range(min(_TRIES, len(free)))]
    for point in sorted(dict.fromkeys(drawn), key=lambda point: -_bite(state, seat, point)):
        around = {state.board[near] for near in state.points.neighbours[point]}
        move = act.Move((state.points.names[point],))
        if around != {symbol_of(seat)} and not check(state, demand, move):
            return move
    return act.Move()


def _bite(state: State, seat: int, point: int) -> int:
    """Stones a placement would take from others, and the contact it makes."""
    cells, own = list(state.board), symbol_of(seat)
    taken = sum(
        len(chain) for symbol, chain in drop(cells, state.points.neighbours, point, own) if symbol != own
    )
    beside = (state.board[near] for near in state.points.neighbours[point])
    return 4 * taken + sum(symbol not in (EMPTY, own) for symbol in beside)


def _colours(state: State, chance: Chance) -> tuple[int, ...]:
    return chance.shuffle(tuple(range(1, state.law.players + 1)), "colours")


def _dead(state: State, chance: Chance) -> act.Dead:
    """Mostly none, so that the players agree more often than not."""
    stones = [point for point, symbol in enumerate(state.board) if symbol != EMPTY]
    if not stones or chance.below(6, "dead stones or none"):
        return act.Dead()
    return act.Dead((state.points.names[stones[chance.below(len(stones), "dead stone")]],))


def _ally(state: State, seat: int, chance: Chance) -> act.Ally:
    """Nobody, or the neighbour at the table: two such neighbours often name each other."""
    partner = seat + 1 if seat % 2 else seat - 1
    if partner not in state.active or chance.below(3, "alliance") == 0:
        return act.Ally()
    return act.Ally((partner,))
