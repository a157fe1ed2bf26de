"""Events as they come: what follows from an answer, fact by fact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from referee.core.value import Value

S = TypeVar("S")  # a game's state: a frozen dataclass that pydantic can turn to JSON and back
E = TypeVar("E")  # its events: frozen dataclasses, past participles


class OfSeat(Value):
    """An event that tells of one seat."""

    seat: int


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
