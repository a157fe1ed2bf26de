"""The course of one answer: events as they happen, with the state after each."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.games.multigo.events import Event
from referee.games.multigo.folding import evolve
from referee.games.multigo.state import State


@dataclass(slots=True)
class Course:
    """Lives within one call of `resolve`: the only mutable value of the game."""

    state: State
    events: list[Event] = field(default_factory=list)

    def add(self, event: Event) -> None:
        self.events.append(event)
        self.state = evolve(event, self.state)
