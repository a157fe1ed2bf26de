"""A match played through the seam alone, in the words players mail; boards as they are drawn."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

from referee.core import seam
from referee.core.answers import Body, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.game import Setup
from referee.core.options import Options, declared, resolved
from referee.core.owing import LAPSED, Demand, Round
from referee.core.seam import Standing
from referee.games.multigo.events import Event
from referee.games.multigo.game import GAME
from referee.games.multigo.notation import Action
from referee.games.multigo.state import State

CONFIG = Path(__file__).parents[3] / "config" / "multigo" / "options.toml"
SPECS = declared(tomllib.loads(CONFIG.read_text(encoding="utf-8"))["options"])
COLOURS = ("black", "white", "red", "blue", "green", "yellow", "purple", "orange")


def options(**given: str) -> Options:
    found, faults = resolved(SPECS, given)
    assert not faults, faults
    return found


def drawn(drawing: str) -> str:
    """A drawn board as the `position` option writes it: without row numbers and the line of letters, with the
    empty rows below the lowest one drawn."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    numbered = [row for row in rows if row[0].isdigit()]
    below = ["." * (len(numbered[0]) - 1)] * (int(numbered[-1][0]) - 1)
    return "/".join(["".join(row[1:]) for row in numbered] + below)


class Table:
    """One match. `mail` judges at once; sealed answers are kept until the last of them, or `lapse`."""

    def __init__(self, seats: int, drawing: str = "", **given: str) -> None:
        if drawing:
            given["position"] = drawn(drawing)
        setup = Setup(options(**given), {}, seats)
        assert not GAME.faults(setup), GAME.faults(setup)
        self.events: list[Event] = []
        self.state: State = GAME.initial()
        self.sealed: dict[Demand, Action] = {}
        self._happen(GAME.opening(setup, Chance("00" * 32)).events)

    # --- answers ---------------------------------------------------------------------------------------------

    def mail(self, seat: int, text: str, heading: str = "Move") -> tuple[Complaint, ...]:
        """The complaints about a mail; where there are none it has counted."""
        demand, reading = self.read(seat, text, heading)
        complaints = (*reading.complaints, *Standing(GAME, self.state).faults(demand, reading))
        if complaints or reading.action is None:
            assert complaints, "nothing was understood and nothing complained of"
            return complaints
        self._answer(demand, reading.action)
        return ()

    def read(self, seat: int, text: str, heading: str = "Move") -> tuple[Demand, Reading[Action]]:
        body = Body.of(text)
        demand = Standing(GAME, self.state).aimed(seat, heading, body)
        return demand, seam.read(GAME, self.state, demand, body, Party(f"Player {seat}", seat))

    def play(self, *turns: str) -> Table:
        """Mails that must count: "B D4", "W pass", or "2 Take: 1 red"."""
        for turn in turns:
            who, _, what = turn.partition(" ")
            seat = int(who) if who.isdigit() else "BWRUGYPO".index(who) + 1
            text = what if ":" in what or what in ("Pass", "Resign", "Withdraw") else f"Move: {what}"
            complaints = self.mail(seat, text)
            assert not complaints, (turn, complaints)
        return self

    def lapse(self) -> Table:
        """The deadline of the first open round passes."""
        first = self.due[0]
        if first.sealed:
            self._reveal(first)
        else:
            self._happen(seam.resolve(GAME, self.state, dict.fromkeys(first.demands, LAPSED)))
        return self

    def silent(self, seat: int, missed: int = 3) -> Table:
        """The match finds that the seat has missed enough deadlines."""
        self._happen(GAME.silent(self.state, seat, missed))
        return self

    def codes(self, seat: int, text: str, heading: str = "Move") -> list[str]:
        return [complaint.code for complaint in self.mail(seat, text, heading)]

    # --- what stands ------------------------------------------------------------------------------------------

    @property
    def due(self) -> tuple[Round, ...]:
        return GAME.due(self.state)

    @property
    def owed(self) -> list[tuple[int, str]]:
        return [(d.seat, d.kind) for r in self.due for d in r.demands]

    @property
    def board(self) -> list[str]:
        found: list[str] = GAME.view(self.state, None).position["board"]
        return found

    def row(self, number: int) -> str:
        """A row as it is drawn: "B . W"."""
        return " ".join(self.board[len(self.board) - number])

    @property
    def prisoners(self) -> dict[str, dict[str, int]]:
        """Who holds what; those who hold nothing left out."""
        held: dict[str, dict[str, int]] = GAME.view(self.state, None).position["prisoners"]
        return {COLOURS[int(seat) - 1]: taken for seat, taken in held.items() if taken}

    @property
    def eliminated(self) -> dict[str, int]:
        found: dict[str, int] = GAME.view(self.state, None).position["eliminated"]
        return found

    def said(self, kind: type) -> list[Event]:
        """The events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    # --- inside -----------------------------------------------------------------------------------------------

    def _answer(self, demand: Demand, action: Action) -> None:
        sealed = next((r for r in self.due if r.sealed and demand in r.demands), None)
        if sealed is None:
            self._happen(seam.resolve(GAME, self.state, {demand: action}))
            return
        self.sealed[demand] = action
        if all(owed in self.sealed for owed in sealed.demands):
            self._reveal(sealed)

    def _reveal(self, sealed: Round) -> None:
        answers = {demand: self.sealed.get(demand, LAPSED) for demand in sealed.demands}
        self.sealed = {}
        self._happen(seam.resolve(GAME, self.state, answers))

    def _happen(self, events: Sequence[Event]) -> None:
        for event in events:
            self.events.append(event)
            self.state = GAME.evolve(self.state, event)
