"""The moderator amends the rules of a running match: the only way by which other options or data reach it."""

from __future__ import annotations

from typing import Any

from referee.core.game import Amendment
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Done, Impossible, Verdict
from referee.match.handling.deadlines import mind_timing
from referee.match.handling.rewinding import data_in_force, rewind
from referee.match.ledger import LedgerWriter
from referee.match.timing import MOVING, OPTIONS, game_setup


def amend(ledger: LedgerWriter, command: do.Amend) -> Verdict:
    """Never retroactive but for objections (611) and what is asked for again. Open deadlines stay as they are, unless
    the hour or the days off are amended. Of options that every match has the game is told nothing."""
    match = ledger.match
    if match.inner is None or match.status == "ended":
        return Impossible(f"the match is {match.status}: its rules can be amended only while it runs")
    old = data_in_force(ledger.history())
    data = old if command.data is None else command.data
    options = {**match.options, **command.options}
    changes = tuple(
        ev.OptionChange(name, match.options.get(name, ""), value)
        for name, value in command.options.items()
        if match.options.get(name) != value
    )
    if not changes and data == old:
        return Impossible("those are its rules already")
    its_own = data != old or not {change.name for change in changes} <= set(OPTIONS)
    setup = game_setup(options, data, match.seats)
    amendment: Amendment[Any] = Amendment()
    if its_own:
        amendment = ledger.game.amended(match.inner, setup)
    if amendment.faults:
        return Impossible(" ".join(amendment.faults).rstrip("."))
    ledger.write(ev.Amended(options, None if data == old else data, changes, command.why))
    if MOVING & {change.name for change in changes}:
        mind_timing(ledger, match.timing, command.why)
    sealed = next((r.label for r in match.rounds if r.sealed), None)
    if (command.again or data != old) and sealed is not None:
        # whatever has been answered: nothing may hang on what nobody has seen
        return rewind(ledger, do.Rewind(sealed, command.why))
    ledger.happen(amendment.events)
    ledger.settle()
    return Done()
