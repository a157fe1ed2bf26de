"""How a match begins: rules and catalogue as data, the draw of the order of play (600); how its rules are
amended while it runs.

Types of piece may be added and changed, never taken away: every earlier state of the match must be judged by the
amended rules too, when it is rewound to or objected to (611). A type no longer wanted gets the limit 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from referee.core.chance import Chance
from referee.core.game import Amendment, Opening, Setup
from referee.core.options import Options, typed
from referee.games.fourplay import events as ev
from referee.games.fourplay.board.catalogue import (
    Catalogue,
    PieceType,
    catalogue_of,
    catalogue_text,
    tables_faults,
)
from referee.games.fourplay.cycles.cycles import turn_begun
from referee.games.fourplay.cycles.given import given_position
from referee.games.fourplay.folding import fold
from referee.games.fourplay.state import SEATS, Rules, State


def _tables(options: Options, data: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The catalogue's tables: `pieces`, and the one that the option `catalogue` adds."""
    more = options.text("catalogue")
    return (data.get("pieces", {}), *(() if more == "authentic" else (data.get(more, {}),)))


def faults(setup: Setup) -> tuple[str, ...]:
    """Every reason why no match can be opened so."""
    found = () if setup.seats == len(SEATS) else (f"Fourplay has four players, not {setup.seats} (100).",)
    if wrong := tables_faults(*_tables(setup.options, setup.data)):
        return (*found, *wrong)
    text = setup.options.text("position")
    catalogue = catalogue_of(catalogue_text(*_tables(setup.options, setup.data)))
    return (*found, *(given_position(text, catalogue)[1] if text else ()))


def rules(options: Options, data: Mapping[str, Any]) -> Rules:
    """Every option and the whole catalogue, as the match will be judged by them."""
    return typed(Rules, options, pieces=catalogue_text(*_tables(options, data)))


def opening(setup: Setup, chance: Chance) -> Opening[ev.Event]:
    """The rules, the draw, and a given position where there is one. `faults` has found nothing."""
    opened = ev.MatchOpened(rules(setup.options, setup.data))
    seating = chance.shuffle(SEATS, "order of play")
    events: list[ev.Event] = [opened, ev.OrderDrawn(seating, chance.seed, chance.transcript)]
    if text := setup.options.text("position"):
        position, _ = given_position(text, catalogue_of(opened.rules.pieces))
        if position is not None:
            state = fold(fold(State(), opened), position)
            events += [position, *turn_begun(state)]
    return Opening(seating, tuple(events))


def amendment(state: State, setup: Setup) -> Amendment[ev.Event]:
    """The rules that options and data give from now on."""
    if faults := tables_faults(*_tables(setup.options, setup.data)):
        return Amendment(faults=faults)
    amended = rules(setup.options, setup.data)
    before, after = catalogue_of(state.rules.pieces), catalogue_of(amended.pieces)
    gone = [name for name in before.by_name if name not in after.by_name]
    if gone:
        stay = "the pieces of a running match stay known; give the limit 0 to those no longer wanted."
        return Amendment(faults=(f"{', '.join(gone)}: {stay}",))
    return Amendment((ev.RulesAmended(amended, tuple(_changes(before, after))),))


def _changes(before: Catalogue, after: Catalogue) -> Iterator[ev.PieceChange]:
    """Key by key; of moves only that they changed, and how the new ones are described."""
    for new in after.types:
        old = before.by_name.get(new.name)
        if old is None:
            yield ev.PieceChange(new.name, "", "", new.description)
            continue
        for field in fields(PieceType):
            was, now = getattr(old, field.name), getattr(new, field.name)
            if was != now:
                told = ("", new.description) if field.name == "moves" else (_words(was), _words(now))
                yield ev.PieceChange(new.name, field.name, *told)


def _words(value: Any) -> str:
    match value:
        case None | "" | ():
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return "; ".join(f"{o.limit} with {o.least} or more {o.piece}" for o in value)
    return str(value)
