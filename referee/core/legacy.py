"""A game whose answers are still functions of the game itself, as answers. Gone once no game needs it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.core.answers import Answer, AnyAnswer, Body, Form, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.owing import Demand, Lapsed


class OldAnswer(Answer[Any, Any, Any]):
    """One kind of answer of such a game."""

    def __init__(self, game: Any, kind: str, headings: tuple[str, ...], actions: tuple[type, ...]) -> None:
        self._game = game
        self.kind, self.headings, self.actions = kind, headings, actions  # type: ignore[misc]

    def aim(self, state: Any, seat: int, heading: str, body: Body) -> Demand | None:
        demand: Demand = self._game.aim(state, seat, heading, body.lines)
        return demand

    def read(self, state: Any, demand: Demand, body: Body, party: Party) -> Reading[Any]:
        reading: Reading[Any] = self._game.read(state, demand, body.lines, party)
        return reading

    def untimely(self, state: Any, demand: Demand) -> Complaint:
        complaint: Complaint = self._game.untimely(state, demand)
        return complaint

    def check(self, state: Any, demand: Demand, action: Any) -> Iterable[Complaint]:
        complaints: tuple[Complaint, ...] = self._game.check(state, demand, action)
        return complaints

    def write(self, state: Any, demand: Demand, action: Any) -> str:
        return str(self._game.write(state, demand, action))

    def form(self, state: Any, demand: Demand, party: Party, draft: Reading[Any] | None = None) -> Form:
        if draft is None or (draft.action is not None and not (draft.orders or draft.complaints)):
            action = draft.action if draft else None
            return Form(self._game.form(state, demand, party, action))
        mended: Form = self._game.mended(state, demand, party, draft)
        return mended

    def resolve(self, state: Any, answers: Mapping[Demand, Any | Lapsed]) -> tuple[Any, ...]:
        events: tuple[Any, ...] = self._game.resolve(state, answers)
        return events

    def suggest(self, state: Any, demand: Demand, chance: Chance) -> Any:
        return self._game.suggest(state, demand, chance)

    def public(self, action: Any) -> Any:
        return self._game.public(action)


def old_answers(
    game: Any, headings: Mapping[str, str], kinds: Iterable[str], actions: tuple[type, ...]
) -> tuple[AnyAnswer, ...]:
    """One answer for each kind, every one of which may say every action."""
    named = {kind: tuple(h for h, of in headings.items() if of == kind) for kind in kinds}
    return tuple(OldAnswer(game, kind, found, actions) for kind, found in named.items())
