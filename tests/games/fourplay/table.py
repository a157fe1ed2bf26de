"""Four people at a table: a match through the seam alone, answers given as the lines of a mail."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from referee.core import seam
from referee.core.answers import Body, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.game import Setup
from referee.core.options import OptionSpec, declared, resolved
from referee.core.owing import LAPSED, Demand, Round
from referee.core.seam import Standing
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import State
from tests.games.fourplay.examples import DECLARATION as DECLARATION

CONFIG = Path(__file__).parents[3] / "config"
SEED = "5e" * 32
PEOPLE = {
    1: Party("Ann Archer", 1, ("ann@example.org", "Ann.Archer@work.example")),
    2: Party("Bob Bender", 2, ("bob@example.org",)),
    3: Party("Cleo de la Cruz", 3, ("cleo@example.org",)),
    4: Party("Dóra Nagy", 4, ("dora@example.org",)),
}


@cache
def catalogues() -> Mapping[str, Any]:
    return {
        name: tomllib.loads((CONFIG / f"fourplay/{name}.toml").read_text(encoding="utf-8"))
        for name in ("pieces", "orthodox")
    }


@cache
def specs() -> tuple[OptionSpec, ...]:
    return declared(tomllib.loads((CONFIG / "fourplay/options.toml").read_text(encoding="utf-8"))["options"])


def setup(**given: str) -> Setup:
    """What a match with these options is opened with."""
    options, faults = resolved(specs(), given)
    assert not faults
    return Setup(options, catalogues(), 4)


def lines(text: str) -> list[Line]:
    """The lines of a mail's own words."""
    return [Line(number, words) for number, words in enumerate(text.splitlines(), 1)]


def read(state: State, demand: Demand, text: str, party: Party) -> Reading[Any]:
    """What a mail of these words says."""
    return seam.read(GAME, state, demand, Body.of(text), party)


def header(seat: int) -> str:
    """The three lines a purchase or setup begins with."""
    person = PEOPLE[seat]
    return f"Name: {person.name}\nPlayer: {seat}\nEmail: {person.addresses[0]}\n"


class Table:
    """One match. `events` is everything that has happened so far, `state` its fold."""

    def __init__(self, seed: str = SEED, **options: str) -> None:
        given = setup(**options)
        assert GAME.faults(given) == ()
        self.state: State = GAME.initial()
        self.events: list[Any] = []
        self.sealed: dict[Demand, Any] = {}
        self.happen(GAME.opening(given, Chance(seed)).events)

    def happen(self, events: tuple[Any, ...]) -> tuple[Any, ...]:
        for event in events:
            self.state = GAME.evolve(self.state, event)
        self.events += events
        return events

    @property
    def rounds(self) -> dict[str, Round]:
        return {owed.label: owed for owed in GAME.due(self.state)}

    @property
    def round(self) -> Round:
        return GAME.due(self.state)[0]

    def read(self, seat: int, kind: str, text: str) -> Reading[Any]:
        demand = Standing(GAME, self.state).aimed(seat, kind, Body.of(text))
        return read(self.state, demand, text, PEOPLE[seat])

    def complaints(self, seat: int, kind: str, text: str) -> list[Complaint]:
        """Everything wrong with an answer, as the match would report it."""
        reading = self.read(seat, kind, text)
        return [*reading.complaints, *Standing(GAME, self.state).faults(Demand(kind, seat), reading)]

    def codes(self, seat: int, kind: str, text: str) -> list[str]:
        return [complaint.code for complaint in self.complaints(seat, kind, text)]

    def send(self, seat: int, kind: str, text: str) -> tuple[Any, ...]:
        """A valid answer; what happens at once, or at the reveal when it was the last of a sealed round."""
        assert self.complaints(seat, kind, text) == []
        return self.answer(Demand(kind, seat), self.read(seat, kind, text).action)

    def answer(self, demand: Demand, action: Any) -> tuple[Any, ...]:
        owed = next((r for r in GAME.due(self.state) if demand in r.demands), None)
        if owed is None or not owed.sealed:
            return self.happen(seam.resolve(GAME, self.state, {demand: action}))
        self.sealed[demand] = action
        return self.reveal() if all(d in self.sealed for d in owed.demands) else ()

    def reveal(self) -> tuple[Any, ...]:
        """Close the sealed round: who is silent has lapsed."""
        answers = {demand: self.sealed.get(demand, LAPSED) for demand in self.round.demands}
        self.sealed = {}
        return self.happen(seam.resolve(GAME, self.state, answers))

    def lapse(self) -> tuple[Any, ...]:
        """The deadline of an open round passes."""
        return self.happen(seam.resolve(GAME, self.state, dict.fromkeys(self.round.demands, LAPSED)))

    # --- shortcuts to the later phases ---------------------------------------------------------------------------

    def declare_all(self) -> Table:
        for seat in (1, 2, 3, 4):
            self.send(seat, "Ready", DECLARATION)
        return self

    def suggest_all(self, seed: str = SEED) -> Table:
        """Every owing seat answers as a seeded player would."""
        for demand in self.round.demands:
            self.answer(demand, seam.suggest(GAME, self.state, demand, Chance(f"{demand.seat:064x}"[-64:])))
        return self


def to_purchase(**options: str) -> Table:
    return Table(**options).declare_all()


def to_setup(army: str = "", **options: str) -> Table:
    """Player 1 has bought the army (purchase lines with totals), the others what they were suggested."""
    table = to_purchase(**options)
    if army:
        table.send(1, "Purchase", header(1) + army)
    for demand in table.round.demands[1 if army else 0 :]:
        table.answer(demand, seam.suggest(GAME, table.state, demand, Chance(f"{demand.seat:064x}")))
    return table


def to_play(**options: str) -> Table:
    return to_setup(**options).suggest_all()
