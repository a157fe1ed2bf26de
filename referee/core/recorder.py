"""What follows from an answer, fact by fact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

S = TypeVar("S")
E = TypeVar("E")


class Recorder(Generic[S, E]):
    """Events in their order, and the state after the last of them: what a `resolve` is told bit by bit."""

    def __init__(self, evolve: Callable[[S, E], S], state: S) -> None:
        self._evolve = evolve
        self.state = state
        self.events: list[E] = []

    def tell(self, *events: E) -> None:
        for event in events:
            self.events.append(event)
            self.state = self._evolve(self.state, event)

    @property
    def told(self) -> tuple[E, ...]:
        """All events so far."""
        return tuple(self.events)
