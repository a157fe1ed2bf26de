"""Which private orders explain what everybody saw: preferences (2.5)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.capabilities import Given, Seen, Untold
from referee.core.owing import Demand
from referee.core.replacing import replace
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Move, Prefer, Take
from referee.games.multigo.folding import fold
from referee.games.multigo.play.choices import chooser
from referee.games.multigo.state import State, tallied


def supposed(state: State, seen: Seen) -> Untold:
    """The wish for just what was taken: beside the answer that
    was seen, or alone. Whoever was asked for a choice and gave an order instead comes last: with it he made it."""
    orders: list[Given] = []
    wishes: dict[int, tuple[int, ...]] = {}
    at = state
    for event in seen.happened:
        if isinstance(event, ev.PrisonersTaken) and event.how == "prefer":
            told = wishes.get(event.seat, ())
            wishes[event.seat] = (*told, *(c for c in _wished(at, event) if c not in told))
        at = fold(at, event)
    whole = {
        demand: replace(action, prefer=wishes.pop(demand.seat))
        for demand, action in seen.answers.items()
        if demand.seat in wishes and isinstance(action, Move | Take)
    }
    asked = owed[1] if (owed := chooser(state)) else 0
    for seat in sorted(wishes, key=lambda seat: seat == asked):
        orders.append((Demand("Prefer", seat), Prefer(wishes[seat])))
    return Untold(tuple(orders), whole)


def _wished(state: State, event: ev.PrisonersTaken) -> Iterator[int]:
    """The colours in an order that gives just these prisoners: of the last one some may have been left."""
    owed = chooser(state)
    if owed is None:
        return
    pool, taken = owed[0].pool, tallied(event.stones, len(state.seats))
    colours = (colour for colour, number in enumerate(taken, 1) if number and colour != event.seat)
    yield from sorted(colours, key=lambda colour: taken[colour - 1] < pool[colour - 1])
