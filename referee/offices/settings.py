"""What the offices are told at start: names, addresses, limits. Values only; `referee.config` reads the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from referee.match.deadlines import Habit


@dataclass(frozen=True, slots=True)
class Offices:
    """The referee's name, its time zone, and the addresses of its three offices."""

    name: str = "Referee"
    timezone: str = "UTC"
    speaker: str = "speaker@referee.localhost"
    collector: str = "collector@referee.localhost"
    moderator: str = "moderator@referee.localhost"

    @property
    def addresses(self) -> tuple[str, ...]:
        return (self.speaker, self.collector, self.moderator)


@dataclass(frozen=True, slots=True)
class Policy:
    """Limits and habits. `largest` is in bytes; `grace` how long a deadline waits for a held mail."""

    largest: int = 1_000_000
    reminders: Habit = field(default_factory=Habit)
    grace: timedelta = timedelta(hours=48)
    strangers_a_day: int = 5
    retry: tuple[timedelta, ...] = field(
        default=(timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2))
    )
    give_up: int = 40
    nodes: int = 50_000_000
