"""What proposals and events have in common: each is kept as a ledger and the row made from it,
people are asked by letters of their own, one by one they say Yes, and the club opens a match of
them by options that were fixed before."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Generic, Literal, TypeVar

from referee.club import events as ev
from referee.club.events import Guest
from referee.club.proposal import Proposal
from referee.club.tournament import Tournament
from referee.core.chance import Chance
from referee.core.game import AnyGame
from referee.core.options import Options, OptionSpec, resolved
from referee.core.value import Value
from referee.letters.outbox import Outbox
from referee.letters.speaker import Speaker
from referee.match.chain import Keys, commitment
from referee.match.events import Entrant, MatchOpened
from referee.match.timing import game_setup
from referee.offices.decisions import Decisions
from referee.offices.register.opening import NewMatch, name_hindrance, numbered, rules_of
from referee.store.club import Gathering
from referee.store.sql import Unit

Rules = Callable[[AnyGame], tuple[tuple[OptionSpec, ...], Mapping[str, Any]]]


class Openings(Value):
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
        called: str = "",
    ) -> str:
        """The name of the match that is open now. `seated`: the i-th of the guests has the i-th
        seat; the draw, which is the match's own, gives the k-th entered the seat `seating[k]`, so
        that is the order in which they are entered. Else they are entered as they come."""
        free = called and not name_hindrance(unit, called)  # since it was proposed another may have taken it
        name = called if free else numbered(game.slug, unit.has_match)
        seed = self.keys.seed(name)
        chosen, data, faults = self.resolved(game, options, len(guests))
        assert not faults, f"{name}: {faults[0]}"
        if seated:
            seating = game.opening(game_setup(chosen.values, data, len(guests)), Chance(seed)).seating
            guests = [guests[seat - 1] for seat in seating]
        roster = tuple(Entrant(g.name, (g.address,), g.zone) for g in guests)
        opening = MatchOpened(name, game.slug, chosen.values, data, len(roster), commitment(seed), roster)
        self.decisions.open(unit, game, opening, seed, now)
        return name


G = TypeVar("G", bound=Proposal | Tournament)


@dataclass(frozen=True, slots=True)
class Gatherings(ABC, Generic[G]):
    """Those of one kind. Every change of one goes through here; called inside transactions."""

    openings: Openings
    speaker: Speaker
    outbox: Outbox
    keys: Keys

    kind: ClassVar[Literal["proposal", "event"]]

    @staticmethod
    @abstractmethod
    def fold(history: Iterable[ev.ClubEntry]) -> G:
        """The gathering that a whole ledger tells of."""

    @abstractmethod
    def wakes(self, gathering: G, now: datetime) -> datetime | None:
        """When time makes something due in it; None where it waits for others alone."""

    def load(self, unit: Unit, name: str) -> G:
        """As it stands, and stays until this transaction has ended."""
        unit.hold("club", name)
        return self.fold(unit.gathered_history(name))

    def those(self, unit: Unit, *statuses: str) -> list[G]:
        """Those that stand so, the oldest first."""
        return [self.fold(unit.gathered_history(row.name)) for row in unit.gatherings(self.kind, statuses)]

    def write(self, unit: Unit, gathering: G | None, now: datetime, *events: ev.GatheringEvent) -> G:
        """The gathering with these facts, in its ledger and its row."""
        if gathering is not None and not events:
            return gathering
        told = ev.entries(gathering.version if gathering else 0, now, *events)
        after = self.fold([*(unit.gathered_history(gathering.name) if gathering else ()), *told])
        self.save(unit, after, told, now)
        return after

    def save(self, unit: Unit, gathering: G, entries: tuple[ev.ClubEntry, ...], now: datetime) -> None:
        """The row is written from the state after."""
        name, made = gathering.name, gathering.made
        row, wakes = unit.gathering(name), self.wakes(gathering, now)
        begun = row.opened_at if row else now
        unit.save_gathering(
            Gathering(name, self.kind, made.game, gathering.status, gathering.version, begun, wakes), entries
        )

    def invited(self, unit: Unit, gathering: G, address: str) -> str:
        """His invitation there: what stands behind the plus in the address by which he answers it."""
        token = self.keys.invitation_token(gathering.name, address)
        unit.invite(token, gathering.name, address)
        return token
