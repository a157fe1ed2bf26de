"""A whole submission judged line by line, each line on the board that the earlier ones left (606-610, part 4).

A line that can't be carried out is left out, or carried out as its writer seems to mean it (`as_meant`); a reason
for a later line counts only where it stands both ways, so that what hangs on an earlier fault is not said again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

from referee.core.complaint import Complaint, Line
from referee.games.fourplay import neutron
from referee.games.fourplay.board import NAMES, NUMBERS, OFF, QUADRANTS
from referee.games.fourplay.check import attacked_kings, checkers, in_check
from referee.games.fourplay.claims import Taken, Truth, faults
from referee.games.fourplay.paths import move_meant, taken_by, taken_on
from referee.games.fourplay.position import Move, Position
from referee.games.fourplay.remedy import remedy
from referee.games.fourplay.state import DOLLARMAN, KING, NEUTRON, Lot, Piece, State
from referee.games.fourplay.submission import Bought, Entry, Passed, Step, Turn, Unread

NOTHING: Final = Truth()
_TO_DROP: Final = {"turn_is_over", "after_purchase", "too_many_moves", "moved_twice"} | {
    *("neutron_twice", "no_neutron", "neutron_stuck", "no_mascot_off", "mascot_late")
}
_TO_FILL: Final = {"aggressive_twice", "in_check"}  # carried out, but not to be sent again as they stand


@dataclass(frozen=True, slots=True)
class Deed:
    """One line carried out: what it did, and the squares its statement must name."""

    kind: Literal["return", "neutron", "move", "place", "purchase", "pass"]
    piece: int = 0
    name: str = ""
    squares: tuple[str, ...] = ()
    truth: Truth = NOTHING
    lots: tuple[Lot, ...] = ()
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """An entry with what it did; no deed where it could not be carried out as it stands. `mend` tells what a mended
    turn makes of it: the same correctly stated, a gap to fill in, or nothing."""

    entry: Entry
    deed: Deed | None
    mend: Literal["state", "fill", "drop"] = "state"


@dataclass(slots=True)
class Judgement:
    """What a submission comes to. `doubtful`: some line could not be carried out, so the rest is uncertain."""

    complaints: list[Complaint] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    doubtful: bool = False
    over: Literal["", "cycle", "king"] = ""  # why the turn ended before its last line (ruling 10)

    @property
    def deeds(self) -> tuple[Deed, ...]:
        return tuple(judged.deed for judged in self.judged if judged.deed is not None)


def judge(state: State, seat: int, turn: Turn) -> Judgement:
    """Every reason against a submission, and what its lines do."""
    first = _Judge(state, seat, as_meant=False).judge(turn)
    if first.doubtful:
        second = _Judge(state, seat, as_meant=True).judge(turn)
        both = {(c.code, c.line) for c in second.complaints}
        first.complaints = [c for c in first.complaints if (c.code, c.line) in both]
    return first


class _Judge:
    """The board while a submission is judged, and what its lines have done so far."""

    def __init__(self, state: State, seat: int, as_meant: bool) -> None:
        self.state, self.seat, self.as_meant = state, seat, as_meant
        self.strict = state.rules.statements == "strict"
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
        self.checked = False
        self.over: Literal["", "cycle", "king"] = ""
        self.result = Judgement()

    def complain(self, code: str, rule: str, line: Line | None = None, **facts: Any) -> None:
        self.result.complaints.append(Complaint(code, rule, line, facts))

    def judge(self, turn: Turn) -> Judgement:
        for entry in turn.entries:
            before = len(self.result.complaints)
            deed = self._entry(entry, turn)
            codes = {complaint.code for complaint in self.result.complaints[before:]}
            self.result.judged.append(Judged(entry, deed, self._mend(entry, deed, codes)))
            if deed is None:
                self.result.doubtful = True
        self._end(turn)
        self.result.over = self.over
        return self.result

    def _mend(self, entry: Entry, deed: Deed | None, codes: set[str]) -> Literal["state", "fill", "drop"]:
        beyond = isinstance(entry, Step) and deed is None and self.moves > len(self.kings) - 1
        if codes & _TO_DROP or beyond:
            return "drop"
        return "fill" if deed is None or codes & _TO_FILL else "state"

    def _entry(self, entry: Entry, turn: Turn) -> Deed | None:
        if isinstance(entry, Unread):
            return None
        if self.over:  # ruling 10
            self.complain(
                "turn_is_over", "603" if self.over == "cycle" else "607.A", entry.line, why=self.over
            )
            return None
        if self.purchased:
            self.complain("after_purchase", "608", entry.line)
            return None
        match entry:
            case Passed():
                self.passed = True
                self._neutron_time()
                return Deed("pass")
            case Bought():
                self._neutron_time()
                return self._purchase(entry)
            case Step(piece=piece) if piece == NEUTRON and not entry.placing:
                return self._neutron(entry)
            case Step(placing=True) if self._returns(entry):
                return self._mascot(entry)
            case _:
                self._neutron_time()
                return self._own(entry, turn)

    def _neutron_time(self) -> None:
        """The Neutron is moved before anything but the Mascot's return: whether it can be is decided now."""
        if self.could_run is None:
            self.could_run = bool(neutron.runs(self.position))

    # --- the Neutron -----------------------------------------------------------------------------------------

    def _neutron(self, step: Step) -> Deed | None:
        self._neutron_time()
        if self.ran:
            self.complain("neutron_twice", "607.B.i", step.line)
            return None
        if self.moves:
            self.complain("neutron_late", "607.B.i", step.line)
        self.ran = True
        run = self._run(step)
        if run is None:
            return None
        gone = neutron.destroyed_by(self.position, run)
        destroyed = taken_on(self.state, self.position, gone) if gone is not None else None
        identity = self.position.identities[run.start]
        neutron.make(self.position, run)
        truth = Truth(gem=run.gem, destroyed=destroyed)
        self._statements(step, truth)
        if destroyed is not None and destroyed.piece == KING:
            self._king_fell()
        return Deed("neutron", identity, NEUTRON, (NAMES[run.start], NAMES[run.end]), truth)

    def _run(self, step: Step) -> neutron.NeutronRun | None:
        """The run that the line means: the direction decides, the end must be as far as it goes (905)."""
        position = self.position
        if position.neutron < 0:
            self.complain("no_neutron", "905", step.line)
            return None
        if not neutron.runs(position):
            self.complain("neutron_stuck", "905", step.line, square=NAMES[position.neutron])
            return None
        start, end = NAMES[position.neutron], step.squares[-1]
        if step.squares[0] != start:
            self.complain("neutron_elsewhere", "610.b", step.line, stated=step.squares[0], square=start)
        line = neutron.line_to(position, NUMBERS[end])
        if line is None:
            self.complain("neutron_off_line", "905", step.line, start=start, end=end)
            return None
        run = neutron.run_along(position, line)
        if run is None:
            there = position.name(line[0])
            self.complain("neutron_blocked", "905", step.line, end=end, square=NAMES[line[0]], piece=there)
            return None
        if NUMBERS[end] != run.end:
            short = line.index(NUMBERS[end]) < line.index(run.end)
            self.complain(
                "neutron_short" if short else "neutron_far", "905", step.line, end=end, really=NAMES[run.end]
            )
        elif any(NUMBERS[square] not in line for square in step.squares[1:-1]):
            self.complain("neutron_off_line", "905", step.line, start=start, end="-".join(step.squares[1:-1]))
        return run

    # --- the Mascot's return ---------------------------------------------------------------------------------

    def _returns(self, step: Step) -> bool:
        """Whether the line puts a captured Mascot back: it says so, or stands where nothing else may."""
        claimed = any(claim.kind == "mascot_returned" for claim in step.claims)
        first = not self.ran and not self.moves and not self.passed
        return claimed or (first and any(p.mascot and p.type == step.piece for p in self.off))

    def _mascot(self, step: Step) -> Deed | None:
        mascot = next((piece for piece in self.off if piece.mascot), None)
        if mascot is None:
            self.complain("no_mascot_off", "610.d", step.line)
        elif mascot.type != step.piece:
            self.complain("mascot_is_other", "610.d", step.line, piece=step.piece, mascot=mascot.type)
        if self.ran or self.moves or self.passed:
            self.complain("mascot_late", "house", step.line)
        square = NUMBERS[step.squares[-1]]
        if mascot is None or mascot.type != step.piece or not self._may_put(step, square):
            return None
        self._put(mascot, square)
        truth = Truth(mascot_returned=True)
        self._statements(step, truth)
        return Deed("return", mascot.id, mascot.type, (OFF, NAMES[square]), truth)

    # --- own moves -------------------------------------------------------------------------------------------

    def _own(self, step: Step, turn: Turn) -> Deed | None:
        """A move or placement: one of as many as there are Kings, less one (607.B.ii)."""
        if step.piece not in self.position.tables.numbers:
            self._unknown(step)
            return None
        self.moves += 1
        allowed = len(self.kings) - 1
        if self.moves == allowed + 1:
            facts = {"allowed": allowed, "kings": len(self.kings), "stated": _counted(turn)}
            self.complain("too_many_moves", "607.B.ii", step.line, **facts)
        if self.moves > allowed:
            self._meant(step)
            return None
        before = attacked_kings(self.position, self.seat)
        deed = self._place(step, before) if step.placing else self._move(step, before)
        if deed is None:
            self._meant(step)
            return None
        self._check(step)
        if any(taken.piece == KING for taken in deed.truth.captures):
            self._king_fell()
        return deed

    def _unknown(self, step: Step) -> None:
        """A line whose piece is none: it may mean the Neutron or one of the moves."""
        if self.position.neutron >= 0 and step.squares[0] == NAMES[self.position.neutron] and not self.ran:
            self.ran = True
            line = neutron.line_to(self.position, NUMBERS.get(step.squares[-1], -1))
            run = neutron.run_along(self.position, line) if line else None
            if run is not None and self.as_meant:
                neutron.make(self.position, run)
            return
        self.moves += 1
        self._meant(step)

    def _move(self, step: Step, before: tuple[int, ...]) -> Deed | None:
        start = NUMBERS[step.squares[0]]
        cell, identity = self.position.cells[start], self.position.identities[start]
        if cell and cell & 7 == self.seat and identity in self.moved:
            self.complain(
                "moved_twice", "607.B.ii", step.line, piece=self.position.name(start), square=NAMES[start]
            )
            return None
        meant = move_meant(self.state, self.position, self.seat, step)
        if meant.fault is not None:
            code, rule, facts = meant.fault
            self.complain(code, rule, step.line, **facts)
        if meant.move is None:
            return None
        captures = taken_by(self.state, self.position, meant.move.captures)
        self.position.play(meant.move)
        self.moved.add(identity)
        truth = self._truth(meant.move, captures, cell >> 4, before)
        self._judge_truth(step, truth)
        return Deed("move", identity, step.piece, meant.squares, truth)

    def _truth(self, move: Move, captures: tuple[Taken, ...], kind: int, before: tuple[int, ...]) -> Truth:
        """What the move has brought about; the position is the one after it."""
        name = self.position.name(move.end)
        return Truth(
            captures=captures,
            where=move.start == move.end and bool(captures) and not move.via,
            promoted=name if name != self.position.named(kind) else "",
            aggressive=self._aggressive(captures, before),
            received=sum(self._reward(taken.piece) for taken in captures),
        )

    def _aggressive(self, captures: tuple[Taken, ...], before: tuple[int, ...]) -> tuple[int, ...]:
        """Ruling 1: who loses a piece, and whose King is attacked that was not before."""
        attacked = set(attacked_kings(self.position, self.seat)) - set(before)
        return tuple(sorted({taken.owner for taken in captures} | attacked))

    def _reward(self, name: str) -> int:
        """F$ for a captured piece (610.d, part C)."""
        rules = self.state.rules
        if name == DOLLARMAN:
            return rules.dollarman_reward
        return self.position.tables.catalogue.by_name[name].value if rules.capture_reward == "value" else 0

    def _judge_truth(self, step: Step, truth: Truth) -> None:
        self.money += truth.received
        for player in truth.aggressive:
            if player in self.aggression:
                earlier = self.aggression[player]
                facts = {"player": player, "first": earlier.number if earlier else 0}
                self.complain("aggressive_twice", "607.B.ii", step.line, **facts)
            else:
                self.aggression[player] = step.line
        self._statements(step, truth)

    def _statements(self, step: Step, truth: Truth) -> None:
        for code, rule, facts in faults(step.claims, truth, self.seat, self.strict):
            self.complain(code, rule, step.line, **facts)

    def _place(self, step: Step, before: tuple[int, ...]) -> Deed | None:
        square = NUMBERS[step.squares[-1]]
        piece = next((p for p in self.off if p.type == step.piece and not p.mascot), None)
        if piece is None:
            mascot = any(p.type == step.piece for p in self.off)
            have = [f"{p.type}" for p in self.off if not p.mascot]
            code = "mascot_waits" if mascot else "none_off_board"
            self.complain(code, "607.B.ii", step.line, piece=step.piece, have=list(dict.fromkeys(have)))
            return None
        if not self._may_put(step, square):
            return None
        self._put(piece, square)
        self.moved.add(piece.id)
        truth = Truth(aggressive=self._aggressive((), before))
        self._judge_truth(step, truth)
        return Deed("place", piece.id, piece.type, (OFF, NAMES[square]), truth)

    def _may_put(self, step: Step, square: int) -> bool:
        """An empty square of the own quadrant, within the limit of the type on the board (607.B.iii)."""
        position, name, faulty = self.position, step.piece, False
        kind = position.tables.numbers[name]
        if len(step.squares) > 2:
            self.complain("placed_by_way", "607.B.ii", step.line, piece=name)
            faulty = True
        if QUADRANTS[square] != self.seat:
            self.complain(
                "outside_quadrant", "607.B.ii", step.line, square=NAMES[square], region=QUADRANTS[square]
            )
            faulty = True
        if position.cells[square]:
            owner = position.cells[square] & 7
            facts = {"square": NAMES[square], "there": position.name(square), "player": owner}
            self.complain("square_taken", "607.B.ii", step.line, **facts)
            faulty = True
        if not position.may_gain(self.seat, kind):
            self.complain(
                "board_limit", "607.B.iii", step.line, piece=name, limit=position.limit(self.seat, kind)
            )
            faulty = True
        return not faulty

    def _put(self, piece: Piece, square: int) -> None:
        self.off.remove(piece)
        self.position.place(square, self.seat, self.position.tables.numbers[piece.type], piece.id)

    def _meant(self, step: Step) -> None:
        """Carry a faulty line out as its writer seems to mean it, where that is asked for and can be done."""
        if not self.as_meant or not all(square in NUMBERS for square in step.squares[step.placing :]):
            return
        if step.placing:
            self._meant_placing(step)
            return
        position, start, end = self.position, NUMBERS[step.squares[0]], NUMBERS[step.squares[-1]]
        cell, there = position.cells[start], position.cells[end]
        if cell & 7 != self.seat or (start != end and there and there & 7 == self.seat) or there & 8:
            return
        captures = (end,) if there and start != end else ()
        self.money += sum(self._reward(position.name(square)) for square in captures)
        self.moved.add(position.identities[start])
        position.play(Move(start, end, (), captures))

    def _meant_placing(self, step: Step) -> None:
        square = NUMBERS[step.squares[-1]]
        piece = next((p for p in self.off if p.type == step.piece), None)
        if piece is not None and not self.position.cells[square]:
            self._put(piece, square)
            self.moved.add(piece.id)

    # --- check, the end --------------------------------------------------------------------------------------

    def _check(self, step: Step) -> None:
        """After each own move the King must be out of check (607.B.ii); said once while it stays so."""
        by = checkers(self.position, self.seat)
        if by and not self.checked:
            self.complain(
                "in_check", "607.B.ii", step.line, players=by, king=NAMES[self.position.kings[self.seat]]
            )
        self.checked = bool(by)

    def _king_fell(self) -> None:
        if len(self.position.seats_with_king()) == 1:
            self.over = "cycle"
        elif self.position.kings[self.seat] < 0:
            self.over = "king"

    def _purchase(self, bought: Bought) -> Deed | None:
        """608: what can be paid for and owned, the sum stated (part 4)."""
        self.purchased = True
        catalogue = self.position.tables.catalogue
        owned = self.position.owned(self.seat)
        for lot in bought.lots:
            owned[lot.piece] = owned.get(lot.piece, 0) + lot.count
        before = len(self.result.complaints)
        for lot in bought.lots:
            piece, limit = catalogue.by_name[lot.piece], catalogue.limit(lot.piece, owned)
            if not piece.for_sale:
                self.complain("turn_not_for_sale", "608", bought.line, piece=lot.piece)
            elif limit is not None and owned[lot.piece] > limit:
                facts = {"piece": lot.piece, "limit": limit, "owned": owned[lot.piece] - lot.count}
                self.complain("turn_over_limit", "608", bought.line, **facts, count=lot.count)
        cost = sum(catalogue.by_name[lot.piece].price * lot.count for lot in bought.lots)
        if cost > self.money:
            self.complain("cannot_pay", "608", bought.line, cost=cost, money=self.money)
        faulty = len(self.result.complaints) > before
        if bought.sum is None and self.strict and bought.lots:
            self.complain("sum_missing", "608", bought.line, cost=cost)
        elif bought.sum is not None and bought.sum != cost and bought.lots:
            self.complain("sum_false", "608", bought.line, stated=bought.sum, cost=cost)
        if faulty or not bought.lots:
            return None
        return Deed("purchase", lots=bought.lots, cost=cost)

    def _end(self, turn: Turn) -> None:
        unread = any(isinstance(entry, Unread) for entry in turn.entries)
        self._neutron_time()
        if not self.ran and self.could_run and not (unread and _names_neutron(turn)):
            self.complain("neutron_missing", "607.B.i", square=NAMES[self.position.neutron])
        if self.passed and self.moves:
            line = next(entry.line for entry in turn.entries if isinstance(entry, Passed))
            self.complain("pass_and_moves", "607.B.ii", line, moves=self.moves)
        if self.over:
            return
        if not self.passed and not self.moves and self.strict and not unread:
            self.complain("nothing_made", "607.B.ii")
        if not self.moves and in_check(self.position, self.seat):
            self._passing_in_check(turn)

    def _passing_in_check(self, turn: Turn) -> None:
        """Ruling 11: `Pass` while in check only where nothing helps."""
        if remedy(self.state, self.seat):
            line = next((entry.line for entry in turn.entries if isinstance(entry, Passed)), None)
            self.complain("pass_in_check", "607.B.ii", line, players=checkers(self.position, self.seat))


def _counted(turn: Turn) -> int:
    """The moves and placements that a submission states."""
    return sum(
        isinstance(entry, Step)
        and entry.piece != NEUTRON
        and not any(claim.kind == "mascot_returned" for claim in entry.claims)
        for entry in turn.entries
    )


def _names_neutron(turn: Turn) -> bool:
    return any(isinstance(entry, Unread) and "neutron" in entry.text.casefold() for entry in turn.entries)
