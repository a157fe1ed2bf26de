"""What the amendments in a ledger come to: the rules a match is judged by now, and how an earlier state takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.core.game import Setup
from referee.core.options import Options
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.match import AnyGame


def data_in_force(history: Sequence[Entry]) -> Mapping[str, Any]:
    """The data of the last amendment that brought any, else those of the opening."""
    brought = (e.event.data for e in reversed(history) if isinstance(e.event, ev.Amended))
    first = history[0].event
    assert isinstance(first, ev.MatchOpened)
    return next((data for data in brought if data is not None), first.data)


def still_in_force(game: AnyGame, state: Any, history: Sequence[Entry], since: int) -> tuple[Any, ...]:
    """The game's facts by which `state`, as of ledger version `since`, takes the rules as amended later (611)."""
    later = [e.event for e in history[since:] if isinstance(e.event, ev.Amended)]
    if not later:
        return ()
    first = history[0].event
    assert isinstance(first, ev.MatchOpened)
    setup = Setup(Options(later[-1].options), data_in_force(history), first.seats)
    return game.amended(state, setup).events
