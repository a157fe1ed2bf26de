"""A match at the seam alone: mails in, complaints or events out, every value through JSON on its way."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from referee.core import seam
from referee.core.answers import Body, Party
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.game import Setup
from referee.core.options import OptionSpec, declared, resolved
from referee.core.owing import LAPSED, Demand
from referee.core.seam import Standing
from referee.games.buttons.game import GAME
from referee.games.buttons.state import State

CONFIG = Path(__file__).parents[3] / "config"
STATES = TypeAdapter(State)


@functools.cache
def specs() -> tuple[OptionSpec, ...]:
    return declared(tomllib.loads((CONFIG / "buttons/options.toml").read_text())["options"])


@functools.cache
def boards() -> dict[str, Any]:
    return tomllib.loads((CONFIG / "buttons/board.toml").read_text())


def set_up(given: Mapping[str, str], layouts: Mapping[str, Any] | None = None) -> Setup:
    options, faults = resolved(specs(), given)
    assert not faults, faults
    data = {"board": boards() if layouts is None else layouts}
    return Setup(options, data, GAME.seats(options)[0])


def lines_of(text: str) -> list[Line]:
    return [Line(number, line) for number, line in enumerate(text.splitlines(), 1)]


def party(seat: int) -> Party:
    return Party(f"Player {seat}", seat)


class Sitting:
    """One match. `events` is its ledger, `secrets` the events that only a seat may know."""

    def __init__(self, draw: int = 1, layouts: Mapping[str, Any] | None = None, **options: str) -> None:
        setup = set_up(options, layouts)
        assert not GAME.faults(setup), GAME.faults(setup)
        self.state: State = GAME.initial()
        self.events: list[Any] = []
        self.happen(GAME.opening(setup, Chance(f"{draw:064x}")).events)

    def happen(self, events: tuple[Any, ...]) -> tuple[Any, ...]:
        for event in events:
            stored = GAME.events_codec.decode(GAME.events_codec.encode(event))
            assert stored == event
            self.state = GAME.evolve(self.state, stored)
            self.events.append(stored)
        return events

    def mail(self, seat: int, text: str, heading: str = "Move") -> tuple[Complaint, ...]:
        """Judge a mail; what it does is done, unless there are complaints."""
        body = Body.of(text)
        demand = Standing(GAME, self.state).aimed(seat, seam.headings(GAME)[heading], body)
        reading = seam.read(GAME, self.state, demand, body, party(seat))
        if not (complaints := (*reading.complaints, *Standing(GAME, self.state).faults(demand, reading))):
            assert reading.action is not None
            self.answer(demand, reading.action)
        return complaints

    def codes(self, seat: int, text: str, heading: str = "Move") -> list[str]:
        return [complaint.code for complaint in self.mail(seat, text, heading)]

    def played(self, *mails: tuple[int, str]) -> Sitting:
        """Mails that must all be accepted."""
        for seat, text in mails:
            assert self.mail(seat, text) == (), text
        return self

    def answer(self, demand: Demand, action: Any) -> tuple[Any, ...]:
        stored = GAME.actions_codec.decode(GAME.actions_codec.encode(action))
        assert stored == action
        return self.happen(seam.resolve(GAME, self.state, {demand: stored}))

    def lapse(self, label: str | None = None) -> tuple[Any, ...]:
        """The deadline of the first round, or of the named one, passes."""
        rounds = GAME.due(self.state)
        chosen = rounds[0] if label is None else next(r for r in rounds if r.label == label)
        return self.happen(seam.resolve(GAME, self.state, dict.fromkeys(chosen.demands, LAPSED)))

    def compute(self, nodes: int = 200_000) -> tuple[Any, ...]:
        """The referee's own solution comes in."""
        demand = Demand("Par", 0)
        return self.answer(demand, GAME.compute(self.state, demand, nodes))

    @property
    def owed(self) -> list[tuple[str, str, int]]:
        return [(r.label, d.kind, d.seat) for r in GAME.due(self.state) for d in r.demands]

    @property
    def board(self) -> str:
        """The public board, as the option `position` writes it."""
        return "/".join(" ".join(row) for row in GAME.view(self.state, None).position["board"])

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def last(self, kind: str) -> Any:
        return next(event for event in reversed(self.events) if type(event).__name__ == kind)


def opening_faults(layouts: Mapping[str, Any] | None = None, **options: str) -> str:
    return "\n".join(GAME.faults(set_up(options, layouts)))
