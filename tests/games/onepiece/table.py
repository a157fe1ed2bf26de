"""A match at the seam alone: mails in, complaints or events out, every value through JSON on its way."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from referee.core import seam
from referee.core.answers import Body, Party
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.game import Setup
from referee.core.options import OptionSpec, declared, resolved
from referee.core.owing import LAPSED, REFEREE, Demand
from referee.core.seam import Standing
from referee.games.onepiece.game import GAME
from referee.games.onepiece.state import State

CONFIG = Path(__file__).parents[3] / "config" / "onepiece" / "options.toml"
STATES = TypeAdapter(State)

E3 = "Ra1Bb1 Rb2Bb3 Rf1Bg1 Rc2Bc1 Rd2Bd1 Rc3Bd3 Re2Be1"
E5 = (
    "Rc1Bd1 Re1Be2 Rd3Bd2 Rf1Bf2 Rc2Bc3 Rc4Bc5 Rg1Bh1 Re4Be3 Rd4Bd5 Rg2Bg3 "
    "Ra1Ba2 Re6Be5 Rh3Bh2 Rg4Bg5 Rh4Bh5 Rd6Bd7 Ra4Ba3 Rg6Bh6 Rh7Bg7 Re8Be7"
)
E6 = "Rd1Be1 Rd3Bd2 Rc1Bb1 Re3Be2 Rf1Bf2 Ra1Ba2 Rb2Bc2"
K2 = "Re1Be2 Rc1Bd1 Rb1Ba1 Rc3Bc2 Rg2Bg1 Rh1Bh2 Re4Be3 Rg3Bh3 Rf2Bf1"
# Red begins; after ply 9 red forces a win at exactly ply 13 (found by search among drawn positions).
EXACT4 = "Rh2Bh1 Rf1Bg1 Rd1Be1 Rf3Bf2 Rg3Bg2 Rc2Bc1 Re2Bd2 Rh3Bh4 Rf4Bg4"


@functools.cache
def specs() -> tuple[OptionSpec, ...]:
    return declared(tomllib.loads(CONFIG.read_text(encoding="utf-8"))["options"])


def set_up(seats: int, **given: str) -> Setup:
    options, faults = resolved(specs(), given)
    assert not faults, faults
    return Setup(options, {}, seats)


def party(seat: int) -> Party:
    return Party(f"Player {seat}", seat)


class Table:
    """One match. `events` is its ledger."""

    def __init__(self, seats: int = 2, draw: int = 1, **given: str) -> None:
        setup = set_up(seats, **given)
        assert not GAME.faults(setup), GAME.faults(setup)
        self.state: State = GAME.initial()
        self.events: list[Any] = []
        self.happen(GAME.opening(setup, Chance(f"{draw:064x}")).events)

    def happen(self, events: tuple[Any, ...]) -> tuple[Any, ...]:
        codec = GAME.events_codec
        for event in events:
            assert codec.decode(codec.encode(event)) == event
            self.state = GAME.evolve(self.state, event)
            self.events.append(event)
        return events

    def due(self) -> tuple[Demand, ...]:
        return tuple(d for r in GAME.due(self.state) for d in r.demands)

    def mail(self, seat: int, text: str, heading: str = "Move") -> tuple[Complaint, ...]:
        """The complaints about a mail; where there are none it has counted."""
        body = Body.of(text)
        demand = Standing(GAME, self.state).aimed(seat, seam.headings(GAME)[heading], body)
        reading = seam.read(GAME, self.state, demand, body, party(seat))
        if complaints := (*reading.complaints, *Standing(GAME, self.state).faults(demand, reading)):
            return complaints
        assert reading.action is not None
        self.act(demand, reading.action)
        return ()

    def act(self, demand: Demand, action: Any) -> None:
        codec = GAME.actions_codec
        stored = codec.decode(codec.encode(action))
        assert stored == action
        self.happen(seam.resolve(GAME, self.state, {demand: stored}))

    def lapse(self) -> None:
        """The deadline of all that is owed."""
        self.happen(seam.resolve(GAME, self.state, dict.fromkeys(self.due(), LAPSED)))

    def rule(self, nodes: int = 50_000_000) -> None:
        """The referee's own answer, where one is owed."""
        (demand,) = self.due()
        assert demand.seat == REFEREE
        action = GAME.compute(self.state, demand, nodes)
        assert not Standing(GAME, self.state).check(demand, action)
        self.act(demand, action)

    def play(self, text: str) -> Table:
        """Plies by whoever is to move, parted by spaces."""
        for word in text.split():
            complaints = self.mail(self.state.mover, f"Move: {word}")
            assert not complaints, (word, complaints)
        return self

    def codes(self, seat: int, text: str, heading: str = "Move") -> list[str]:
        """The codes of the complaints about a mail that must be refused."""
        complaints = self.mail(seat, text, heading)
        assert complaints, f"{text!r} was accepted"
        return [complaint.code for complaint in complaints]

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


def two(**given: str) -> Table:
    """Two players; player 1 begins and is red, unless the options say otherwise."""
    return Table(2, **{"starter": "1", "colours": "red", "edge": "south", **given})


def four(**given: str) -> Table:
    """The tournament: players 1 and 3 are red."""
    return Table(4, **{"colours": "red", "edge": "south", **given})
