"""The board while a submission is judged, what its lines have done so far, and what it all comes to (606-611)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from referee.core.complaint import Complaint, PartPath
from referee.games.fourplay.actions import Entry, Step
from referee.games.fourplay.board.attack import attacked_kings, checkers
from referee.games.fourplay.board.moves import neutron_runs
from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.squares import NAMES, NUMBERS
from referee.games.fourplay.state import DOLLARMAN, Lot, State
from referee.games.fourplay.turns.effect import Effect, Taken, faults

NOTHING: Final = Effect()


@dataclass(frozen=True, slots=True)
class Played:
    """One line carried out: what it did, and the squares its statement must name."""

    kind: Literal["return", "neutron", "move", "place", "purchase", "pass"]
    piece: int = 0
    name: str = ""
    squares: tuple[str, ...] = ()
    effect: Effect = NOTHING
    lots: tuple[Lot, ...] = ()
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """An entry with the line it was played as; None where it could not be carried out as it stands.
    `idle`: no turn made now can say such a thing, so that a mended one leaves it out."""

    entry: Entry
    played: Played | None
    idle: bool = False


@dataclass(slots=True)
class Judgement:
    """What a submission comes to. `doubtful`: some line could not be carried out, so the rest is uncertain."""

    complaints: list[Complaint] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    doubtful: bool = False
    over: Literal["", "cycle", "king"] = ""  # why the turn ended before its last line (ruling 10)

    @property
    def played(self) -> tuple[Played, ...]:
        return tuple(judged.played for judged in self.judged if judged.played is not None)


class TurnState:
    """How far the judging of one submission has come: the board as its lines have left it. `as_meant`: lines that can't
    be carried out are done as they seem meant; `lost` once even that could not be done, so that nobody can tell what
    would be in check after it. `part` names the entry that is being judged."""

    def __init__(self, state: State, seat: int, as_meant: bool) -> None:
        self.state, self.seat, self.as_meant = state, seat, as_meant
        self.strict = state.rules.statements != "lenient"
        self.position = Position.of(state, seat)
        self.kings = self.position.seats_with_king()
        self.off = list(state.off_board(seat))
        self.money = state.player(seat).money
        self.moved: set[int] = set()
        self.aggression: dict[int, PartPath] = {}  # by player, the entry that was aggressive toward him
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
        self.unsummed_part = ""
        self.belated = False
        self.moves_in_time = 0
        self.checked = False
        self.lost = False
        self.over: Literal["", "cycle", "king"] = ""
        self.part = ""
        self.result = Judgement()

    def add(self, fault: Complaint) -> None:
        """A fault of the entry that is being judged, or of a part of it."""
        part = ".".join(filter(None, (self.part, fault.part)))
        self.result.complaints.append(replace(fault, part=part))

    def complain(self, code: str, rule: str, **facts: object) -> None:
        """A fault of the entry that is being judged."""
        self.add(Complaint(code, rule, facts=facts))

    def neutron_time(self) -> None:
        """The Neutron is moved before anything but the Mascot's return: whether it can be is decided now."""
        if self.could_run is None:
            self.could_run = bool(neutron_runs(self.position))

    def standing(self, square: str) -> str:
        """The name of the piece on a square; where none stands there, what will be complained of as no piece."""
        return self.position.name(NUMBERS[square]) if self.position.cells[NUMBERS[square]] else square

    def king_fell(self) -> None:
        if len(self.position.seats_with_king()) == 1:
            self.over = "cycle"
        elif self.position.kings[self.seat] < 0:
            self.over = "king"

    def test_check(self) -> None:
        """After each own move the King must be out of check (607.B.ii); said once while it stays so."""
        by = tuple(checkers(self.position, self.seat))
        if by and not self.checked and not self.lost:
            self.complain("in_check", "607.B.ii", players=by, king=NAMES[self.position.kings[self.seat]])
        self.checked = bool(by)

    def statements(self, step: Step, effect: Effect) -> None:
        for fault in faults(step.claims, effect, self.seat, self.state.rules.statements):
            self.add(fault)

    def weigh(self, step: Step, effect: Effect) -> None:
        self.money += effect.received
        for player in effect.aggressive:
            if player in self.aggression:
                self.complain("aggressive_twice", "607.B.ii", player=player, first=self.aggression[player])
            else:
                self.aggression[player] = PartPath(self.part)
        self.statements(step, effect)

    def aggressive(self, captures: tuple[Taken, ...], before: tuple[int, ...]) -> tuple[int, ...]:
        """Ruling 1: who loses a piece, and whose King is attacked that was not before."""
        attacked = set(attacked_kings(self.position, self.seat)) - set(before)
        return tuple(sorted({taken.owner for taken in captures} | attacked))

    def reward(self, name: str) -> int:
        """F$ for a captured piece (610.d, part C)."""
        rules = self.state.rules
        if name == DOLLARMAN:
            return rules.dollarman_reward
        return self.position.catalogue.by_name[name].value if rules.capture_reward == "value" else 0
