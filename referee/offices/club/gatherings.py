"""What proposals and events have in common: each is kept as a ledger and the row made from it, people are asked by
letters of their own, and one by one they say Yes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Generic, Literal, TypeVar

from referee.club import events as ev
from referee.club.proposal import Proposal
from referee.club.tournament import Tournament
from referee.match.chain.sealing import Keys
from referee.offices.club.openings import Openings
from referee.offices.outgoing.outbox import Outbox
from referee.offices.outgoing.speaker import Speaker
from referee.store.club import Gathering
from referee.store.sql import Unit

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
