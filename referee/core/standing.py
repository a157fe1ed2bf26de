"""How a game stands in one state: everything the match asks of the state, each thing asked of the game once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from referee.core.answers import Body, Reading
from referee.core.capabilities import fills_seats
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.game import AnyGame, Setup, View
from referee.core.owing import Demand, Round, demand_of_kind, demands
from referee.core.seam import answer_of

_HOUSE: Final = "house"


@dataclass(frozen=True)
class Standing:
    """A state beside what the game says of it. It is made with the state and handed on with it, to whoever judges,
    stores, writes letters or keeps calendars: nobody need ask the game again. Two are equal whose states are."""

    game: AnyGame = field(compare=False, repr=False)
    state: Any
    _views: dict[int | None, View] = field(default_factory=dict, init=False, compare=False, repr=False)
    _open: dict[int, tuple[Demand, ...]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def after(self, happening: Any) -> Standing:
        """One event of the game further."""
        return Standing(self.game, self.game.evolve(self.state, happening))

    # --- what is owed ----------------------------------------------------------------------------------------

    @cached_property
    def due(self) -> tuple[Round, ...]:
        """What is owed now; empty means the game has ended."""
        return self.game.due(self.state)

    def open_to(self, seat: int) -> tuple[Demand, ...]:
        """What a seat may send though nothing waits for it."""
        if seat not in self._open:
            self._open[seat] = self.game.open_to(self.state, seat)
        return self._open[seat]

    def may_answer(self, seat: int) -> tuple[Demand, ...]:
        """Everything the seat may send now: what is due from it first, then what is open to it."""
        own = demands(self.due, seat)
        return own + tuple(demand for demand in self.open_to(seat) if demand not in own)

    def expected(self, seat: int) -> Expecting | None:
        """How it may stand when the seat is asked next; None where nothing that it doesn't owe now can be foreseen."""
        ahead = self.game.expects(self.state, seat)
        if ahead is None:
            return None
        then, now = Standing(self.game, ahead.state), self.may_answer(seat)
        fresh = tuple(demand for demand in demands(then.due, seat) if demand not in now)
        return Expecting(then, fresh, ahead.known) if fresh else None

    @cached_property
    def vacant(self) -> tuple[int, ...]:
        """The seats that another person may take."""
        return self.game.vacant(self.state) if fills_seats(self.game) else ()

    # --- what may be known -----------------------------------------------------------------------------------

    def view(self, seat: int | None) -> View:
        """The one gate to letters, records and pictures; None is the public. A seat from which nothing is kept that
        others may not see is shown what the public is."""
        seen = seat if seat and self.game.sees_more(self.state, seat) else None
        if seen not in self._views:
            self._views[seen] = self.game.view(self.state, seen)
        return self._views[seen]

    # --- what an answer comes to -----------------------------------------------------------------------------

    def aimed(self, seat: int, heading: str, body: Body) -> Demand:
        """The demand that a mail means, by the kind its heading names and its lines; where it fits none that is due or
        open to the seat, the one its sender must have meant, for which there is then a complaint."""
        aims = (answer.aim(self.state, seat, heading, body) for answer in self.game.answers)
        meant = next((demand for demand in aims if demand is not None), None)
        return meant or demand_of_kind(self.due, seat, heading)

    def check(self, demand: Demand, action: Any) -> tuple[Complaint, ...]:
        """*All* complaints about an action, each naming the part it is about: due or open to the seat, of the right
        kind, and by the rules. None means that `resolve` succeeds (law 1)."""
        answer = answer_of(self.game, demand.kind)
        if demand not in self.may_answer(demand.seat):
            return (answer.untimely(self.state, demand),)
        if not isinstance(action, answer.actions):
            return (Complaint("not_this", _HOUSE, facts={"demand": demand.kind}),)
        return tuple(answer.check(self.state, demand, action))

    def faults(self, demand: Demand, reading: Reading[Any]) -> tuple[Complaint, ...]:
        """What is wrong with an action as it was read, each complaint with its line; what is wrong with the reading
        itself is not among it."""
        if reading.action is None:
            return ()
        return tuple(complaint.located(reading.lines) for complaint in self.check(demand, reading.action))


@dataclass(frozen=True, slots=True)
class Expecting:
    """How a game may stand when a seat is asked next, and what for; `known`: so that its answer can be checked now."""

    standing: Standing
    demands: tuple[Demand, ...]
    known: bool


_NO_CHANCE: Final = "00" * 32  # any seed does: what is shown of such a beginning are its rules


def opened_with(game: AnyGame, setup: Setup) -> Standing:
    """How the game stands in a match that is opened so."""
    standing = Standing(game, game.initial())
    for event in game.opening(setup, Chance(_NO_CHANCE)).events:
        standing = standing.after(event)
    return standing
