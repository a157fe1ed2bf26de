"""Values: frozen dataclasses by standing below one base; and events as they come, fact by fact."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar, dataclass_transform

S = TypeVar("S")  # a game's state: a frozen dataclass that pydantic can turn to JSON and back
E = TypeVar("E")  # its events: frozen dataclasses, past participles


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value:
    """A base of classes that are frozen dataclasses by standing below it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True)(cls)


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
