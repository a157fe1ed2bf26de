"""Events in their order, and the state after the last of them."""

from __future__ import annotations

from referee.games.onepiece.events import Event
from referee.games.onepiece.folding import evolved
from referee.games.onepiece.state import State


class Tale:
    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def tell(self, *events: Event) -> None:
        for event in events:
            self.events.append(event)
            self.state = evolved(self.state, event)
