"""Rules amended while a match runs: a catalogue or a house rule corrected, with what changed in each piece.

Types may be added and changed, never taken away: every earlier state of the match must be judged by the amended
rules too, when it is rewound to or objected to (611). A type no longer wanted gets the limit 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from referee.core.game import Amendment, Setup
from referee.games.fourplay.army.catalogue import Catalogue, PieceType
from referee.games.fourplay.army.pieces import catalogue_of
from referee.games.fourplay.cycles import opening
from referee.games.fourplay.events import Event, PieceChange, RulesAmended
from referee.games.fourplay.state import State


def amendment(state: State, setup: Setup) -> Amendment[Event]:
    """The rules that options and data give from now on."""
    if faults := opening.catalogue_faults(setup):
        return Amendment(faults=faults)
    rules = opening.rules(setup.options, setup.data)
    before, after = catalogue_of(state.rules.pieces), catalogue_of(rules.pieces)
    gone = [name for name in before.by_name if name not in after.by_name]
    if gone:
        stay = "the pieces of a running match stay known; give the limit 0 to those no longer wanted."
        return Amendment(faults=(f"{', '.join(gone)}: {stay}",))
    return Amendment((RulesAmended(rules, tuple(_changes(before, after))),))


def _changes(before: Catalogue, after: Catalogue) -> Iterator[PieceChange]:
    for piece in after.types:
        old = before.by_name.get(piece.name)
        if old is None:
            yield PieceChange(piece.name, "", "", piece.description)
        elif old != piece:
            yield from _differences(old, piece)


def _differences(old: PieceType, new: PieceType) -> Iterator[PieceChange]:
    """Key by key; of moves only that they changed, and how the new ones are described."""
    for field in fields(PieceType):
        was, now = getattr(old, field.name), getattr(new, field.name)
        if was != now:
            told = ("", new.description) if field.name == "moves" else (_words(was), _words(now))
            yield PieceChange(new.name, field.name, *told)


def _words(value: Any) -> str:
    match value:
        case None | "" | ():
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return "; ".join(f"{o.limit} with {o.least} or more {o.piece}" for o in value)
    return str(value)
