"""Events as they come: the fold, with one handler for each class, and what follows from an answer, fact by fact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from referee.core.value import Value

S = TypeVar("S")  # a game's state: a frozen dataclass that pydantic can turn to JSON and back
E = TypeVar("E")  # its events: frozen dataclasses, past participles
Handler = Callable[[S, E], S]


class OfSeat(Value):
    """An event that tells of one seat."""

    seat: int


class Fold(Generic[S]):
    """A game's `evolve`. Every event class has a handler, or is said to change nothing; an event
    without either is a mistake in the program, not in the ledger."""

    def __init__(self) -> None:
        self._handlers: dict[type, Callable[[S, Any], S]] = {}

    def on(self, kind: type[E]) -> Callable[[Handler[S, E]], Handler[S, E]]:
        """The decorated function gives the state after an event of that class."""

        def register(handler: Handler[S, E]) -> Handler[S, E]:
            self._handlers[kind] = handler
            return handler

        return register

    def telling(self, *kinds: type) -> None:
        """Events of these classes tell something and change nothing."""
        for kind in kinds:
            self._handlers[kind] = lambda state, event: state

    @property
    def kinds(self) -> frozenset[type]:
        """The classes it folds."""
        return frozenset(self._handlers)

    def __call__(self, state: S, event: Any) -> S:
        return self._handlers[type(event)](state, event)


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
