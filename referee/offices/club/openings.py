"""How the club opens a match: of people who have all said Yes, by options that were fixed before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from referee.club.events import Guest
from referee.core.chance import Chance
from referee.core.game import AnyGame
from referee.core.options import Options, OptionSpec, resolved
from referee.match import commands as do
from referee.match.chain.sealing import Keys
from referee.match.events import Entrant
from referee.match.timing import game_setup
from referee.offices.decisions import Decisions
from referee.offices.register.opening import NewMatch, numbered, rules_of
from referee.store.sql import Unit

Rules = Callable[[AnyGame], tuple[tuple[OptionSpec, ...], Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Openings:
    """Opens them, in the caller's transaction."""

    decisions: Decisions
    keys: Keys
    rules: Rules  # the options that a game declares, and its data

    def options(self, game: AnyGame, given: Mapping[str, str]) -> tuple[Options, tuple[str, ...]]:
        """All options, and every fault of those that are given."""
        return resolved(self.rules(game)[0], given)

    def resolved(
        self, game: AnyGame, options: Mapping[str, str], seats: int
    ) -> tuple[Options, Mapping[str, Any], tuple[str, ...]]:
        """All options of such a match, its data, and every reason why it can't be opened."""
        specs, data = self.rules(game)
        return rules_of(game, NewMatch(game.slug, (), options, specs, data), seats)

    def open(
        self,
        unit: Unit,
        game: AnyGame,
        options: Mapping[str, str],
        guests: Sequence[Guest],
        now: datetime,
        *,
        seated: bool,
    ) -> str:
        """The name of the match that is open now. `seated`: the i-th of the guests has the i-th seat; the draw, which
        is the match's own, gives the k-th entered the seat `seating[k]`, so that is the order in which they are
        entered. Else they are entered as they come."""
        name = numbered(game.slug, unit.has_match)
        seed = self.keys.seed(name)
        chosen, data, faults = self.resolved(game, options, len(guests))
        assert not faults, f"{name}: {faults[0]}"
        if seated:
            seating = game.opening(game_setup(chosen.values, data, len(guests)), Chance(seed)).seating
            guests = [guests[seat - 1] for seat in seating]
        roster = tuple(Entrant(g.name, (g.address,), g.zone) for g in guests)
        command = do.Open(name, chosen.values, data, len(roster), roster, seed)
        self.decisions.open(unit, game, command, now)
        return name
