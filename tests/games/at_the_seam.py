"""A match at the seam alone: mails in, complaints or events out, every value through JSON on its way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from referee.base import shipped
from referee.core import seam
from referee.core.answers import Body, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.game import AnyGame, Setup
from referee.core.options import Options, resolved
from referee.core.owing import Demand
from referee.core.seam import Standing


def chosen(slug: str, given: dict[str, str]) -> Options:
    """Options as a match is opened with them."""
    options, faults = resolved(shipped.game_options(slug), given)
    assert not faults, faults
    return options


def party(seat: int) -> Party:
    return Party(f"Player {seat}", seat)


class AtTheSeam:
    """One match. `events` is its ledger."""

    game: ClassVar[AnyGame]
    state: Any

    def __init__(self, setup: Setup, draw: int = 1) -> None:
        assert not self.game.faults(setup), self.game.faults(setup)
        self.state = self.game.initial()
        self.events: list[Any] = []
        self.happen(self.game.opening(setup, Chance(f"{draw:064x}")).events)

    def happen(self, events: Sequence[Any]) -> Sequence[Any]:
        for event in events:
            stored = self.game.events_codec.decode(self.game.events_codec.encode(event))
            assert stored == event
            self.state = self.game.evolve(self.state, stored)
            self.events.append(stored)
        return events

    def read(self, seat: int, text: str, heading: str = "Move") -> tuple[Demand, Reading[Any]]:
        body, standing = Body.of(text), Standing(self.game, self.state)
        demand = standing.aimed(seat, seam.headings(self.game)[heading], body)
        return demand, seam.read(self.game, self.state, demand, body, party(seat))

    def mail(self, seat: int, text: str, heading: str = "Move") -> tuple[Complaint, ...]:
        """The complaints about a mail; where there are none it has counted."""
        demand, reading = self.read(seat, text, heading)
        complaints = (*reading.complaints, *Standing(self.game, self.state).faults(demand, reading))
        if not complaints:
            assert reading.action is not None, "nothing was understood and nothing complained of"
            self.answer(demand, reading.action)
        return complaints

    def codes(self, seat: int, text: str, heading: str = "Move") -> list[str]:
        return [complaint.code for complaint in self.mail(seat, text, heading)]

    def answer(self, demand: Demand, action: Any) -> Any:
        """What counts of a demand, as it is kept."""
        stored = self.game.actions_codec.decode(self.game.actions_codec.encode(action))
        assert stored == action
        return self.happen(seam.resolve(self.game, self.state, {demand: stored}))

    def played(self, *mails: tuple[int, str]) -> Self:
        """Mails that must all be accepted."""
        for seat, text in mails:
            assert self.mail(seat, text) == (), text
        return self

    def of(self, kind: type) -> list[Any]:
        """The events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]
