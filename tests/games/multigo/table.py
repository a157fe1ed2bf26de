"""A match played through the seam alone, in the words players mail; boards as they are drawn."""

from __future__ import annotations

from typing import Any

from referee.core.game import Setup
from referee.core.options import Options
from referee.games.multigo.game import GAME
from referee.games.multigo.state import (
    CaptureShared,
    DeadListed,
    Passed,
    PlayEnded,
    PrisonersTaken,
    RoundPlayed,
    Scored,
    StonesEliminated,
)
from tests.games.at_the_seam import AtTheSeam, chosen

T2 = """
5 . . . . . . . .
4 . . R R . B . .
3 . R W W . U B .
2 . . R R . B . .
1 . . . . . . . .
  A B C D E F G H
"""
PC1 = """
5 . . . . . . . . .
4 . . B B . W W . .
3 . B U U U R R W .
2 . . W W B . B . .
1 . . . . . . . . .
  A B C D E F G H J
"""
COLOURS = ("black", "white", "red", "blue", "green", "yellow", "purple", "orange")


def options(**given: str) -> Options:
    return chosen("multigo", given)


def drawn(drawing: str) -> str:
    """A drawn board as the `position` option writes it: without row numbers and the line of letters, with the
    empty rows below the lowest one drawn."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    numbered = [row for row in rows if row[0].isdigit()]
    below = ["." * (len(numbered[0]) - 1)] * (int(numbered[-1][0]) - 1)
    return "/".join(["".join(row[1:]) for row in numbered] + below)


class Table(AtTheSeam):
    """One match."""

    game = GAME
    wordless = frozenset({"TurnBegan", "PreferKept", "PlanKept", "PlanLapsed"})

    def __init__(self, seats: int, drawing: str = "", **given: str) -> None:
        if drawing:
            given["position"] = drawn(drawing)
        super().__init__(Setup(options(**given), {}, seats), 0)

    def play(self, *turns: str) -> Table:
        """Mails that must count: "B D4", "W pass", or "2 Take: 1 red"."""
        for turn in turns:
            who, _, what = turn.partition(" ")
            seat = int(who) if who.isdigit() else "BWRUGYPO".index(who) + 1
            text = what if ":" in what or what in ("Pass", "Resign", "Withdraw") else f"Move: {what}"
            complaints = self.mail(seat, text)
            assert not complaints, (turn, complaints)
        return self

    def lapse(self, label: str | None = None) -> Table:
        """The deadline of the first open round passes."""
        super().lapse(label)
        return self

    def silent(self, seat: int, missed: int = 3) -> Table:
        """The match finds that the seat has missed enough deadlines."""
        self.happen(GAME.silent(self.state, seat, missed))
        return self

    # --- what stands ------------------------------------------------------------------------------------------

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

    @property
    def takes(self) -> list[tuple[int, str]]:
        """Who took prisoners, and how it was decided."""
        return [(e.seat, e.how) for e in self.of(PrisonersTaken)]

    @property
    def captures(self) -> int:
        return len(self.of(CaptureShared))

    @property
    def passes(self) -> int:
        return len(self.of(Passed))

    @property
    def ended(self) -> list[str]:
        """Why the play has ended."""
        return [event.why for event in self.of(PlayEnded)]

    @property
    def scores(self) -> list[int]:
        (scored,) = self.of(Scored)
        return [tally.score for tally in scored.tallies]

    @property
    def placed(self) -> list[tuple[int, str]]:
        """The stones of the last parallel round."""
        return [(stone.seat, stone.point) for stone in self.of(RoundPlayed)[-1].placed]

    @property
    def collided(self) -> list[str]:
        return [one.point for one in self.of(RoundPlayed)[-1].collisions]

    @property
    def alliances(self) -> list[tuple[tuple[int, ...], int]]:
        return [(bloc.seats, bloc.score) for bloc in self.state.allied.alliances]

    @property
    def open(self) -> tuple[str, bool, str]:
        """The first open round: its label, whether it is sealed, which answers count."""
        return self.due[0].label, self.due[0].sealed, self.due[0].answers

    @property
    def hours(self) -> float:
        """How long the first open round has."""
        assert self.due[0].window is not None
        return self.due[0].window.total_seconds() / 3600

    @property
    def stones(self) -> list[int]:
        """How many of each seat stand."""
        return [sum(row.count(sign) for row in self.board) for sign in "BWRUGYPO"[: len(self.seats)]]

    @property
    def why(self) -> list[str]:
        return [event.why for event in self.of(StonesEliminated)]

    @property
    def shares(self) -> list[tuple[int, int]]:
        """Of the only capture: who gets how many stones, in the order in which they choose."""
        (shared,) = self.of(CaptureShared)
        return [(taker.seat, taker.stones) for taker in shared.takers]

    @property
    def listed(self) -> list[tuple[str, ...]]:
        return [event.points for event in self.of(DeadListed)]

    @property
    def neutral(self) -> int:
        return sum(region.size for region in self.state.scored.neutral)

    @property
    def qualifies(self) -> list[bool]:
        return [bloc.qualifies for bloc in self.state.allied.alliances]

    @property
    def outcome(self) -> Any:
        return GAME.outcome(self.state)

    @property
    def points(self) -> dict[int, str]:
        """Of the match's point, whose what part is."""
        return {seat: str(point) for seat, point in self.outcome.points.items()}

    def act(self, step: str) -> None:
        """Also "over" where everybody passes."""
        if step == "lapse":
            self.lapse()
        else:
            self.play(*(f"{seat} Pass" for seat in self.state.active) if step == "over" else (step,))

    def seen(self, what: str) -> Any:
        """Also a row, and a number of each player's count ("each score")."""
        first, _, more = what.partition(" ")
        if first == "row":
            return self.row(int(more))
        if first == "each":
            return [getattr(tally, more) for tally in self.state.scored.tallies]
        return super().seen(what)


def story(seats: int, drawing: str, given: dict[str, str], *steps: str | dict[str, Any]) -> Table:
    """A match on a drawn board, or on an empty one of nine, and what happens there."""
    return Table(seats, drawing, **({} if drawing else {"board": "9x9"}), **given).told(*steps)
