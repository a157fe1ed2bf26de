"""The board while a submission is judged, and what its lines have done so far."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from referee.core.complaint import Complaint, Line
from referee.games.fourplay.board import neutron
from referee.games.fourplay.board.attack import attacked_kings, checkers
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.squares import NAMES, NUMBERS
from referee.games.fourplay.state import DOLLARMAN, State
from referee.games.fourplay.turns.claims import Taken, Truth, faults
from referee.games.fourplay.turns.judgement import Judgement
from referee.games.fourplay.turns.submission import Step


class Hearing:
    """One submission before the judge. `as_meant`: lines that can't be carried out are done as they seem meant;
    `lost` once even that could not be done, so that nobody can tell what would be in check after it."""

    def __init__(self, state: State, seat: int, as_meant: bool) -> None:
        self.state, self.seat, self.as_meant = state, seat, as_meant
        self.strict = state.rules.statements != "lenient"
        self.position = Position.of(state)
        self.position.fix_grants(seat)  # ruling 4: before anything moves
        self.kings = self.position.seats_with_king()
        self.off = list(state.off_board(seat))
        self.money = state.player(seat).money
        self.moved: set[int] = set()
        self.aggression: dict[int, Line | None] = {}
        self.moves = 0
        self.ran = False
        self.could_run: bool | None = None
        self.passed = False
        self.purchased = False
        self.bought: Counter[str] = Counter()
        self.cost = 0
        mover = state.player(seat)
        self.waiting_mascot = mover.mascot if mover.mascot_waits else ""
        self.unsummed = 0  # what purchases cost for which no sum has been stated yet
        self.unsummed_line: Line | None = None
        self.belated = False
        self.moves_in_time = 0
        self.checked = False
        self.lost = False
        self.over: Literal["", "cycle", "king"] = ""
        self.result = Judgement()

    def complain(self, code: str, rule: str, line: Line | None = None, **facts: Any) -> None:
        self.result.complaints.append(Complaint(code, rule, line, facts))

    def neutron_time(self) -> None:
        """The Neutron is moved before anything but the Mascot's return: whether it can be is decided now."""
        if self.could_run is None:
            self.could_run = bool(neutron.runs(self.position))

    def standing(self, square: str) -> str:
        """The name of the piece on a square; where none stands there, what will be complained of as no piece."""
        return self.position.name(NUMBERS[square]) if self.position.cells[NUMBERS[square]] else square

    def king_fell(self) -> None:
        if len(self.position.seats_with_king()) == 1:
            self.over = "cycle"
        elif self.position.kings[self.seat] < 0:
            self.over = "king"

    def test_check(self, step: Step) -> None:
        """After each own move the King must be out of check (607.B.ii); said once while it stays so."""
        by = checkers(self.position, self.seat)
        if by and not self.checked and not self.lost:
            self.complain(
                "in_check", "607.B.ii", step.line, players=by, king=NAMES[self.position.kings[self.seat]]
            )
        self.checked = bool(by)

    def statements(self, step: Step, truth: Truth) -> None:
        for code, rule, facts, line in faults(step.claims, truth, self.seat, self.state.rules.statements):
            self.complain(code, rule, line or step.line, **facts)

    def weigh(self, step: Step, truth: Truth) -> None:
        self.money += truth.received
        for player in truth.aggressive:
            if player in self.aggression:
                earlier = self.aggression[player]
                facts = {"player": player, "first": earlier}
                self.complain("aggressive_twice", "607.B.ii", step.line, **facts)
            else:
                self.aggression[player] = step.line
        self.statements(step, truth)

    def aggressive(self, captures: tuple[Taken, ...], before: tuple[int, ...]) -> tuple[int, ...]:
        """Ruling 1: who loses a piece, and whose King is attacked that was not before."""
        attacked = set(attacked_kings(self.position, self.seat)) - set(before)
        return tuple(sorted({taken.owner for taken in captures} | attacked))

    def reward(self, name: str) -> int:
        """F$ for a captured piece (610.d, part C)."""
        rules = self.state.rules
        if name == DOLLARMAN:
            return rules.dollarman_reward
        return self.position.tables.catalogue.by_name[name].value if rules.capture_reward == "value" else 0
