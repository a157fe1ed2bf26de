"""Turns at the seam: what `game` asks of Play on the Board. First version: a turn may be passed, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.core.block import bare
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.game import Demand, Lapsed, Party, Reading
from referee.games.fourplay.events import Event
from referee.games.fourplay.played import RoundEnded, TurnBegun, TurnPassed
from referee.games.fourplay.state import State


@dataclass(frozen=True, slots=True)
class Pass:
    """No move is made."""


ACTIONS: tuple[type, ...] = (Pass,)


class Turning:
    """607."""

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[Any]:
        if any(bare(line.text) == "pass" for line in lines):
            return Reading(Pass())
        return Reading(None, (Complaint("not_understood", "607", None, {"text": ""}),))

    def check(self, state: State, demand: Demand, action: Any) -> tuple[Complaint, ...]:
        return ()

    def write(self, state: State, demand: Demand, action: Any) -> str:
        return "Pass"

    def form(self, state: State, demand: Demand, party: Party, draft: Any | None) -> str:
        return "Pass"

    def resolve(self, state: State, demand: Demand, answer: Any | Lapsed) -> tuple[Event, ...]:
        passed = TurnPassed(demand.seat, state.cycle, state.round, "time")
        last = demand.seat == 4
        number = state.round + last
        ended = (RoundEnded(state.cycle, state.round),) if last else ()
        return (passed, *ended, TurnBegun(demand.seat % 4 + 1, state.cycle, number))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Any:
        return Pass()


ANSWERINGS = {"Turn": Turning(), "Objection": Turning(), "Resign": Turning()}


def open_to(state: State, seat: int) -> tuple[Demand, ...]:
    """What a seat may send in play beside its turn."""
    return ()


def turn_begun(state: State) -> tuple[Event, ...]:
    """What follows when `state.to_move` is about to move: automatic passes where that seat has no King (607.A)."""
    return ()


def objection(action: Any) -> str | None:
    """The label of the turn that an objection asks a ruling on (611)."""
    return None


def statute_open(state: State, label: str) -> bool:
    """Whether that turn may still be ruled illegal (611)."""
    return True
