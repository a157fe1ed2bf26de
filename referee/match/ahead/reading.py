"""What lines of conditional turns say: a tree, checked as far as the position is known in which each move is made.

Where somebody else moves in between it is not known any more: then a move is only read, and checked when it is to
count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from referee.core import seam
from referee.core.answers import Body, Reading
from referee.core.complaint import Complaint, Line
from referee.core.game import AnyGame
from referee.core.owing import Demand, demands
from referee.core.seam import Standing
from referee.language.interpret import interpret
from referee.match.ahead.saying import ANYTHING, THE_OTHER, Tongue, WrittenStep, drawn, written
from referee.match.events import AheadBranch
from referee.match.match import Match, OpenRound

MOST_LINES: Final = 20
MOST_STEPS: Final = 10  # one behind the other
_HOUSE: Final = "house"


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A tree as it was read: `lines` are those of its form, `complaints` all that is wrong with it."""

    branches: tuple[AheadBranch, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(written(self.branches))

    @property
    def tree(self) -> str:
        return "\n".join(drawn(self.branches))


@dataclass(frozen=True, slots=True)
class AheadTurn:
    """The turn that a conditional turn is about."""

    round: OpenRound
    demand: Demand


def turn_of(match: Match, seat: int) -> AheadTurn | None:
    """The open turn of the seat that a conditional turn may answer."""
    game = match.standing.game if match.standing is not None else None
    mine = (AheadTurn(r, d) for r, d in match.due if d.seat == seat and not r.sealed)
    return next((turn for turn in mine if game and seam.foreseeable(game, turn.demand)), None)


def alone(match: Match, seat: int, lines: Sequence[Line], courtesy: Iterable[Line]) -> Reading[Foreseen]:
    """What a mail says that holds no other answer. Whoever is to move says with it what he plays first."""
    found = foreseen(match, seat, lines)
    complaints = found.complaints
    if not complaints and turn_of(match, seat) is not None:
        complaints = (Complaint("ahead_your_turn", _HOUSE, lines[0]),)
    return Reading(found, complaints, tuple(courtesy), tuple(lines), understood=found)


def foreseen(
    match: Match, seat: int, lines: Sequence[Line], beside: tuple[Demand, Any] | None = None
) -> Foreseen:
    """What the lines say, sent alone or `beside` an answer of one's own, which comes first; an action None: what it is
    can't be said."""
    standing = match.standing
    assert standing is not None
    reader = _Reader(match, seat, standing, Tongue(standing, match))
    if (no := reader.untimely(lines[0])) is not None:
        return Foreseen((), (no,))
    at: _At = _At(standing, beside is None)
    if beside is not None and beside[1] is not None and not standing.check(*beside):
        at = at.after(*beside)
    return reader.read(lines, at)


@dataclass(frozen=True, slots=True)
class _At:
    """Where a move would be made: `known` is whether the position is this one and no other."""

    standing: Standing
    known: bool

    def after(self, demand: Demand, action: Any) -> _At:
        standing = self.standing
        for event in seam.resolve(standing.game, standing.state, {demand: action}):
            standing = standing.after(event)
        return _At(standing, True)


@dataclass
class _Step:
    """A branch as it grows."""

    branch: AheadBranch
    behind: _At
    then: list[_Step] = field(default_factory=list)

    @property
    def whole(self) -> AheadBranch:
        return replace(self.branch, then=tuple(step.whole for step in self.then))


@dataclass
class _Reader:
    match: Match
    seat: int
    standing: Standing
    tongue: Tongue
    complaints: list[Complaint] = field(default_factory=list)

    @property
    def game(self) -> AnyGame:
        return self.standing.game

    @property
    def kind(self) -> str:
        return next(answer.kind for answer in self.game.answers if answer.foreseeable)

    def untimely(self, line: Line) -> Complaint | None:
        """Why nothing can be said in advance."""
        if not seam.foresees(self.game):
            return Complaint("ahead_not_here", _HOUSE, line, {"game": self.game.title})
        sealed = [
            r
            for r in self.standing.due
            if r.sealed and any(seam.foreseeable(self.game, d) for d in r.demands)
        ]
        return Complaint("ahead_sealed", _HOUSE, line) if sealed else None

    def read(self, lines: Sequence[Line], at: _At) -> Foreseen:
        """Every line; of one with a fault the form has its own words."""
        found: list[_Step] = []
        texts: list[str] = []
        if len(lines) > MOST_LINES:
            facts = {"given": len(lines), "most": MOST_LINES}
            self.complaints.append(Complaint("ahead_too_many", _HOUSE, lines[MOST_LINES], facts))
        for line in lines[:MOST_LINES]:
            before = len(self.complaints)
            path = self._grown(found, self.tongue.clauses(line.text), line, at)
            faulty = len(self.complaints) > before
            texts += [line.text.strip()] if faulty else written([path])
        whole = tuple(step.whole for step in found)
        return Foreseen(whole, tuple(self.complaints), tuple(dict.fromkeys(texts)))

    def _grown(self, steps: list[_Step], clauses: Sequence[WrittenStep], line: Line, at: _At) -> AheadBranch:
        """The steps of a line put where they belong in the tree; given back as the one path that they are."""
        path: list[AheadBranch] = []
        previous = THE_OTHER
        if len(clauses) > MOST_STEPS:
            facts = {"given": len(clauses), "most": MOST_STEPS}
            self.complaints.append(Complaint("ahead_too_deep", _HOUSE, line, facts))
        for clause in clauses[:MOST_STEPS]:
            step = self._step(clause, line, at, previous)
            if step is None:
                break
            path.append(step.branch)
            known = next((one for one in steps if replace(one.branch, then=()) == step.branch), None)
            if known is None:
                steps.append(step)
                known = step
            steps, at, previous = known.then, known.behind, step.branch.seat or previous
        whole: tuple[AheadBranch, ...] = ()
        for branch in reversed(path):
            whole = (replace(branch, then=whole),)
        return whole[0] if whole else AheadBranch(ANYTHING, None, "", {}, "")

    # --- one step ------------------------------------------------------------------------------------------------

    def _step(self, clause: WrittenStep, line: Line, at: _At, previous: int) -> _Step | None:
        """None where something is wrong with it."""
        seat = self._whose(clause, line, previous)
        if seat is None:
            return None
        trigger, said = None, ""
        if seat != ANYTHING:
            came = self._move(seat, clause.trigger, line, at, theirs=True)
            if came is None:
                return None
            trigger, said, at = came
        else:
            at = _At(at.standing, False)
        if not clause.reply:
            self._wrong("ahead_no_reply", line, trigger=clause.trigger or "anything else")
            return None
        reply = self._move(self.seat, clause.reply, line, at, theirs=False)
        if reply is None:
            return None
        return _Step(AheadBranch(seat, trigger, said, reply[0], reply[1]), reply[2])

    def _whose(self, clause: WrittenStep, line: Line, previous: int) -> int | None:
        seat = clause.seat
        others = [number for number in self.match.numbers if number != self.seat]
        if seat == THE_OTHER:
            seat = previous if previous != THE_OTHER else (others[0] if len(others) == 1 else None)
            if seat is None:
                self._wrong("ahead_which", line)
        elif seat is None:
            called = [f"Player {number}, {self.match.entrant(number).name}" for number in others]
            self._wrong("ahead_whose", line, whose=clause.whose, others=called)
        elif seat == self.seat:
            self._wrong("ahead_own", line)
            return None
        return seat

    def _move(
        self, seat: int, text: str, line: Line, at: _At, *, theirs: bool
    ) -> tuple[dict[str, Any], str, _At] | None:
        """The move that a text says, in words, and what it leads to; None with complaints."""
        owed = next((d for d in demands(at.standing.due, seat) if seam.foreseeable(self.game, d)), None)
        if at.known and owed is None and self._over(at, line):
            return None
        known = at.known and owed is not None
        demand, reading = self._read(at.standing, seat, owed.kind if owed else self.kind, text, line)
        answer = seam.answer_of(self.game, demand.kind)
        if reading.action is None or reading.complaints or reading.choices or not answer.foreseeable:
            self._wrong("ahead_unread", line, text=text)
            return None
        move = answer.foreseen(at.standing.state, reading.action)
        if move is None:
            self._wrong("ahead_no_move", line, text=text)
            return None
        if known and (wrong := at.standing.check(demand, move)):
            self._forbidden(wrong, seat, text, line, theirs=theirs)
            return None
        words = self._words(at.standing, demand, move, line)
        after = at.after(demand, move) if known else _At(at.standing, False)
        return self.game.actions_codec.encode(move), words, after

    def _over(self, at: _At, line: Line) -> bool:
        """Whether there is nothing to answer any more."""
        if at.standing.due:
            return False
        self._wrong("ahead_over", line)
        return True

    def _read(
        self, standing: Standing, seat: int, kind: str, text: str, line: Line
    ) -> tuple[Demand, Reading[Any]]:
        """A move alone, as a bare value is read."""
        body = Body((Line(line.number, text),))
        return interpret(standing, seat, kind, body, self.match.party(seat))

    def _words(self, standing: Standing, demand: Demand, move: Any, line: Line) -> str:
        """As short as it can be read again: "d7" of "Move: d7"."""
        whole = " ".join(seam.write(self.game, standing.state, demand, move).split("\n"))
        short = whole.partition(": ")[2]
        if short:
            _, again = self._read(standing, demand.seat, demand.kind, short, line)
            if again.action == move and not again.complaints and not again.choices:
                return short
        return whole

    # --- what is wrong -------------------------------------------------------------------------------------------

    def _wrong(self, code: str, line: Line, **facts: Any) -> None:
        self.complaints.append(Complaint(code, _HOUSE, line, facts))

    def _forbidden(
        self, wrong: Sequence[Complaint], seat: int, text: str, line: Line, *, theirs: bool
    ) -> None:
        """Of one's own move every fault by the game's rules; of another's that it can't come."""
        if theirs:
            facts = {"seat": seat, "text": text}
            self.complaints.append(Complaint("ahead_cannot_come", wrong[0].rule, line, facts))
        else:
            self.complaints += [replace(complaint, line=line, also=()) for complaint in wrong]
