"""What happens in a match, one small fact each, and the state after it: all that old ledgers depend on."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from referee.core.duel import Commented, DrawOffered, MatchDecided, StarterDrawn, other
from referee.core.folding import Fold, OfSeat
from referee.core.value import Value
from referee.games.morris.state import Rules, State


class RulesSet(Value):
    """All that this match is judged by, from now on."""

    rules: Rules


class ManPlayed(OfSeat):
    """A man was placed (`start` is "") or moved."""

    start: str
    end: str


class ManTaken(OfSeat):
    """The seat has closed a mill and takes the opponent's man."""

    point: str


class TurnEnded(OfSeat):
    """The other player is to move."""


Event: TypeAlias = (
    RulesSet | StarterDrawn | ManPlayed | ManTaken | TurnEnded | DrawOffered | Commented | MatchDecided
)

fold: Fold[State] = Fold()
fold.telling(Commented)


fold.on(RulesSet)(lambda state, event: replace(state, rules=event.rules))
fold.on(StarterDrawn)(lambda state, event: replace(state, mover=event.seat, turn=1))


@fold.on(ManPlayed)
def _man_played(state: State, event: ManPlayed) -> State:
    """A placement can never be taken back: no earlier position can come again."""
    if event.start:
        cells = state.with_men([(event.start, 0), (event.end, event.seat)])
        return replace(state, cells=cells, quiet=state.quiet + 1, last=(event.start, event.end), taken="")
    first, second = state.hands
    hands = (first - 1, second) if event.seat == 1 else (first, second - 1)
    cells = state.with_men([(event.end, event.seat)])
    return replace(state, cells=cells, hands=hands, quiet=0, seen=(), last=(event.end,), taken="")


@fold.on(ManTaken)
def _man_taken(state: State, event: ManTaken) -> State:
    return replace(state, cells=state.with_men([(event.point, 0)]), quiet=0, seen=(), taken=event.point)


@fold.on(TurnEnded)
def _turn_ended(state: State, event: TurnEnded) -> State:
    """An offer stands until the one it was made to has played."""
    offer = state.offer if state.offer == event.seat else 0
    after = replace(state, mover=other(event.seat), turn=state.turn + 1, offer=offer)
    return replace(after, seen=(*after.seen, after.key))


fold.on(DrawOffered)(lambda state, event: replace(state, offer=event.seat))
fold.on(MatchDecided)(lambda state, event: replace(state, ended=event.winners, why=event.reason))
