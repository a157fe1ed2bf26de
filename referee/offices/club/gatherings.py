"""What proposals and events have in common: each is kept as a ledger and the row made from it,
people are asked by letters of their own, one by one they say Yes, and the club opens a match of
them by options that were fixed before."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, Literal

from referee.base.settings import Settings
from referee.club import events as ev
from referee.club.events import G, Guest, fold
from referee.core.chance import Chance
from referee.core.game import AnyGame
from referee.core.options import Options, OptionSpec
from referee.match.chain import commitment
from referee.match.events import Entrant, MatchOpened
from referee.match.timing import game_setup
from referee.offices.decisions import Decisions
from referee.offices.register.opening import NewMatch, name_hindrance, numbered, rules_of
from referee.store.club import Gathering
from referee.store.sql import Unit

Rules = Callable[[AnyGame], tuple[tuple[OptionSpec, ...], Mapping[str, Any]]]


class Gatherings(Generic[G]):
    """Those of one kind. Every change of one goes through here; called inside transactions."""

    kind: ClassVar[Literal["proposal", "event"]]
    one: type[G]

    def __init__(self, decisions: Decisions, rules: Rules, settings: Settings) -> None:
        """`rules` are the options that a game declares, and its data."""
        self.decisions, self.rules, self.settings = decisions, rules, settings
        self.speaker, self.outbox, self.keys = decisions.speaker, decisions.outbox, decisions.speaker.keys
        self.matches, self.offices = decisions.matches, decisions.speaker.offices

    def load(self, unit: Unit, name: str) -> G:
        """As it stands, and stays until this transaction has ended."""
        unit.hold("club", name)
        return fold(self.one, unit.gathered_history(name))

    def those(self, unit: Unit, *statuses: str) -> list[G]:
        """Those that stand so, the oldest first."""
        rows = unit.gatherings(self.kind, statuses)
        return [fold(self.one, unit.gathered_history(row.name)) for row in rows]

    def write(self, unit: Unit, gathering: G | None, now: datetime, *events: ev.GatheringEvent) -> G:
        """The gathering with these facts, in its ledger and its row."""
        if gathering is not None and not events:
            return gathering
        told = ev.entries(gathering.version if gathering else 0, now, *events)
        after = fold(self.one, [*(unit.gathered_history(gathering.name) if gathering else ()), *told])
        self.save(unit, after, told, now)
        return after

    def save(self, unit: Unit, gathering: G, entries: tuple[ev.ClubEntry, ...], now: datetime) -> None:
        """The row is written from the state after."""
        name, made, status = gathering.name, gathering.made, gathering.status
        row = unit.gathering(name)
        begun, wakes = row.opened_at if row else now, gathering.wakes(now)
        unit.save_gathering(
            Gathering(name, self.kind, made.game, status, gathering.version, begun, wakes), entries
        )

    def invited(self, unit: Unit, gathering: G, address: str) -> str:
        """His invitation there: what stands behind the plus in the address by which he answers it."""
        token = self.keys.invitation_token(gathering.name, address)
        unit.invite(token, gathering.name, address)
        return token

    # --- matches of them

    def checked(
        self, game: AnyGame, options: Mapping[str, str], seats: int
    ) -> tuple[Options, Mapping[str, Any], tuple[str, ...]]:
        """All options of such a match, its data, and every reason why it can't be opened."""
        specs, data = self.rules(game)
        return rules_of(game, NewMatch(game.slug, (), options, specs, data), seats)

    def open_match(
        self, unit: Unit, gathering: G, guests: Sequence[Guest], now: datetime, *, seated: bool, called: str
    ) -> str:
        """The name of the match that is open now. `seated`: the i-th of the guests has the i-th
        seat; the draw, which is the match's own, gives the k-th entered the seat `seating[k]`, so
        that is the order in which they are entered. Else they are entered as they come."""
        game = self.speaker.games[gathering.made.game]
        free = called and not name_hindrance(unit, called)  # since it was proposed another may have taken it
        name = called if free else numbered(game.slug, unit.has_match)
        seed = self.keys.seed(name)
        chosen, data, faults = self.checked(game, gathering.made.options, len(guests))
        assert not faults, f"{name}: {faults[0]}"
        if seated:
            seating = game.opening(game_setup(chosen.values, data, len(guests)), Chance(seed)).seating
            guests = [guests[seat - 1] for seat in seating]
        roster = tuple(Entrant(g.name, (g.address,), g.zone) for g in guests)
        opening = MatchOpened(name, game.slug, chosen.values, data, len(roster), commitment(seed), roster)
        self.decisions.open(unit, game, opening, seed, now)
        return name
