"""The fold of a game's events: one handler for each class, found by the event's class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

S = TypeVar("S")
E = TypeVar("E")
Handler = Callable[[S, E], S]


class Fold(Generic[S]):
    """A game's `evolve`. Every event class has a handler, or is said to change nothing; an event without either is a
    mistake in the program, not in the ledger."""

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
