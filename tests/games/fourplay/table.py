"""Four people at a table: a match through the seam alone, answers given as the lines of a mail."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

from referee.core import seam
from referee.core.answers import Body, Party, Reading
from referee.core.chance import Chance
from referee.core.game import Setup
from referee.core.options import OptionSpec, declared, resolved
from referee.core.value import Complaint, Demand, Line, Round
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import Played, State
from tests.games.at_the_seam import AtTheSeam
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


class Table(AtTheSeam):
    """One match."""

    game = GAME
    wordless = frozenset(
        {"ReadyDeclared", "TurnBegun", "TurnPassed", *(kind.__name__ for kind in get_args(Played))}
    )

    def __init__(self, seed: str = SEED, **options: str) -> None:
        super().__init__(setup(**options), int(seed, 16))

    def party(self, seat: int) -> Party:
        return PEOPLE[seat]

    @property
    def rounds(self) -> dict[str, Round]:
        return {owed.label: owed for owed in self.due}

    @property
    def round(self) -> Round:
        return self.due[0]

    def read(self, seat: int, kind: str, text: str) -> Reading[Any]:
        return self.judged(seat, text, kind)[1]

    def complaints(self, seat: int, kind: str, text: str) -> list[Complaint]:
        """Everything wrong with an answer, as the match would report it."""
        return list(self.judged(seat, text, kind)[2])

    def codes(self, seat: int, kind: str, text: str) -> list[str]:  # type: ignore[override]
        return [complaint.code for complaint in self.complaints(seat, kind, text)]

    def send(self, seat: int, kind: str, text: str) -> Sequence[Any]:
        """A valid answer; what happens at once, or at the reveal when it was the last of a sealed round."""
        demand, reading, complaints = self.judged(seat, text, kind)
        assert not complaints, complaints
        happened: Sequence[Any] = self.answer(demand, reading.action)
        return happened

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
