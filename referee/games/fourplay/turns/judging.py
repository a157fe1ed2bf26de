"""A whole submission judged line by line, each line on the board that the earlier ones left (606-610, part 4): the
Neutron's run (607.B.i, 905), moves and placements (607.B.ii), a Mascot's return (610.d), purchases (608); which move a
line means (610.c).

A line that can't be carried out is left out, or carried out as its writer seems to mean it (`as_meant`); a reason
for a later line counts only where it stands both ways, so that what hangs on an earlier fault is not said again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from referee.core.complaint import Complaint, PartPath, RuleText
from referee.core.value import Value
from referee.games.fourplay.actions import Bought, Entry, Passed, Step, Turn, Unread, part_of
from referee.games.fourplay.board import moves
from referee.games.fourplay.board.moves import NOBODY, Position, moves_from, unbound_moves
from referee.games.fourplay.board.primitives import NAMES, NUMBERS, OFF, QUADRANTS, Move
from referee.games.fourplay.state import DOLLARMAN, KING, NEUTRON, Lot, Piece, State
from referee.games.fourplay.turns.statements import Effect, Taken, faults, fits, statement

NOTHING: Final = Effect()


class Played(Value):
    """One line carried out: what it did, and the squares its statement must name."""

    kind: Literal["return", "neutron", "move", "place", "purchase", "pass"]
    piece: int = 0
    name: str = ""
    squares: tuple[str, ...] = ()
    effect: Effect = NOTHING
    lots: tuple[Lot, ...] = ()
    cost: int = 0


class Judged(Value):
    """An entry with the line it was played as; None where it could not be carried out as it stands.
    `idle`: no turn made now can say such a thing, so that a mended one leaves it out."""

    entry: Entry
    played: Played | None
    idle: bool = False

    @property
    def stated(self) -> Entry:
        """The entry with its whole statement (611, part 4)."""
        played = self.played
        if played is None or played.kind == "pass":
            return self.entry
        if played.kind == "purchase":
            return Bought(played.lots, played.cost)
        return Step(played.name, played.squares, statement(played.effect))


class Judgement:
    """How far the judging of one submission has come, the board as its lines have left it, and what it comes to.
    `doubtful`: some line could not be carried out, so the rest is uncertain. `as_meant`: such lines are done as they
    seem meant; `lost` once even that could not be done, so that nobody can tell what would be in check after it. `part`
    names the entry that is being judged; `over` says why the turn ended before its last line (ruling 10)."""

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
        self.complaints: list[Complaint] = []
        self.judged: list[Judged] = []
        self.doubtful = False

    @property
    def played(self) -> tuple[Played, ...]:
        return tuple(judged.played for judged in self.judged if judged.played is not None)

    @property
    def stated(self) -> tuple[Entry, ...]:
        """The lines of a legal turn, each with its whole statement."""
        return tuple(judged.stated for judged in self.judged if judged.played is not None)

    def add(self, fault: Complaint) -> None:
        """A fault of the entry that is being judged, or of a part of it."""
        part = ".".join(filter(None, (self.part, fault.part)))
        self.complaints.append(replace(fault, part=part))

    def complain(self, code: str, rule: str, **facts: object) -> None:
        """A fault of the entry that is being judged."""
        self.add(Complaint(code, rule, facts=facts))

    @property
    def begun(self) -> bool:
        """Whether anything has been done but the return of a Mascot."""
        return bool(self.ran or self.moves or self.passed)

    def neutron_time(self) -> None:
        """The Neutron is moved before anything but the Mascot's return: whether it can be is decided now."""
        if self.could_run is None:
            self.could_run = bool(moves.neutron_runs(self.position))

    def standing(self, square: str) -> str:
        """The name of the piece on a square; where none stands there, what will be complained of as no piece."""
        return self.position.name(NUMBERS[square]) if self.position.cells[NUMBERS[square]] else square

    def king_fell(self) -> None:
        if len(self.position.seats_with_king()) == 1:
            self.over = "cycle"
        elif self.position.kings[self.seat] < 0:
            self.over = "king"

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
        attacked = set(moves.attacked_kings(self.position, self.seat)) - set(before)
        return tuple(sorted({taken.owner for taken in captures} | attacked))

    def reward(self, name: str) -> int:
        """F$ for a captured piece (610.d, part C)."""
        rules = self.state.rules
        if name == DOLLARMAN:
            return rules.dollarman_reward
        return self.position.catalogue.by_name[name].value if rules.capture_reward == "value" else 0


def neutron_line(so_far: Judgement, step: Step) -> Played | None:
    so_far.neutron_time()
    if so_far.ran:
        so_far.complain("neutron_twice", "607.B.i")
        return None
    if so_far.moves:
        so_far.complain("neutron_late", "607.B.i")
    so_far.ran = True
    run = _run(so_far, step)
    if run is None:
        so_far.lost = True
        return None
    effect = neutron_effect(so_far, run)
    identity = so_far.position.identities[run.start]
    moves.run_neutron(so_far.position, run)
    so_far.statements(step, effect)
    if effect.destroyed is not None and effect.destroyed.piece == KING:
        so_far.king_fell()
    return Played("neutron", identity, NEUTRON, (NAMES[run.start], NAMES[run.end]), effect)


def neutron_effect(so_far: Judgement, run: moves.NeutronRun) -> Effect:
    gone = (run.destroyed,) if run.destroyed is not None else ()
    return Effect(gem=run.gem, destroyed=next(iter(taken_by(so_far.state, so_far.position, gone)), None))


def _run(so_far: Judgement, step: Step) -> moves.NeutronRun | None:
    """The run that the line means: the direction decides, its end is as far as it goes (905)."""
    position = so_far.position
    if position.neutron < 0:
        so_far.complain("no_neutron", "905")
        return None
    if not moves.neutron_runs(position):
        so_far.complain("neutron_stuck", "905", square=NAMES[position.neutron])
        return None
    start, end = NAMES[position.neutron], step.squares[-1]
    if step.squares[0] != start:
        so_far.complain("neutron_elsewhere", "610.b", stated=step.squares[0], square=start)
    line = moves.line_to(position, NUMBERS[end])
    if line is None:
        so_far.complain("neutron_off_line", "905", start=start, end=end)
        return None
    run = moves.run_along(position, line)
    if run is None:
        there = position.name(line[0])
        so_far.complain("neutron_blocked", "905", end=end, square=NAMES[line[0]], piece=there)
        return None
    if NUMBERS[end] != run.end:
        short = line.index(NUMBERS[end]) < line.index(run.end)
        so_far.complain("neutron_short" if short else "neutron_far", "905", end=end, really=NAMES[run.end])
    elif any(NUMBERS[square] not in line for square in step.squares[1:-1]):
        so_far.complain("neutron_off_line", "905", start=start, end="-".join(step.squares[1:-1]))
    return run


def returns(so_far: Judgement, step: Step) -> bool:
    """Whether the line puts a captured Mascot back: it says so, or stands where nothing else may."""
    alone = not so_far.begun and any(p.mascot and p.type == step.piece for p in so_far.off)
    return step.claiming("mascot_returned") or alone


def mascot_line(so_far: Judgement, step: Step) -> Played | None:
    mascot = next((piece for piece in so_far.off if piece.mascot), None)
    if mascot is None:
        so_far.complain("no_mascot_off", "610.d")
    elif mascot.type != step.piece:
        so_far.complain("mascot_is_other", "610.d", piece=step.piece, mascot=mascot.type)
    if so_far.begun:
        so_far.complain("mascot_late", "house")
    square = NUMBERS[step.squares[-1]]
    if mascot is None or mascot.type != step.piece or not _may_put(so_far, step, square):
        return None
    _put(so_far, mascot, square)
    effect = Effect(mascot_returned=True)
    so_far.statements(step, effect)
    return Played("return", mascot.id, mascot.type, (OFF, NAMES[square]), effect)


def placing_line(so_far: Judgement, step: Step, before: tuple[int, ...]) -> Played | None:
    square = NUMBERS[step.squares[-1]]
    piece = next((p for p in so_far.off if p.type == step.piece and not p.mascot), None)
    if piece is None:
        waits = any(p.type == step.piece for p in so_far.off)
        have = list(dict.fromkeys(p.type for p in so_far.off if not p.mascot))
        code = "mascot_waits" if waits else "none_off_board"
        so_far.complain(code, "607.B.ii", piece=step.piece, have=have)
        return None
    if not _may_put(so_far, step, square):
        return None
    _put(so_far, piece, square)
    so_far.moved.add(piece.id)
    waited_for = step.piece == so_far.waiting_mascot  # 605.E: the first of its kind is it
    named = waited_for and not step.claiming("not_mascot")
    if named:
        so_far.waiting_mascot = ""
    aggressive = so_far.aggressive((), before)
    effect = Effect(aggressive=aggressive, not_mascot=waited_for and not named, mascot_named=named)
    so_far.weigh(step, effect)
    return Played("place", piece.id, piece.type, (OFF, NAMES[square]), effect)


def _may_put(so_far: Judgement, step: Step, square: int) -> bool:
    """An empty square of the own quadrant, within the limit of the type on the board (607.B.iii)."""
    position, name, before = so_far.position, step.piece, len(so_far.complaints)
    kind = position.catalogue.numbers[name]
    if len(step.squares) > 2:
        so_far.complain("placed_by_way", "607.B.ii", piece=name)
    if QUADRANTS[square] != so_far.seat:
        so_far.complain("outside_quadrant", "607.B.ii", square=NAMES[square], region=QUADRANTS[square])
    if position.cells[square]:
        owner = position.cells[square] & 7
        facts = {"square": NAMES[square], "there": position.name(square), "player": owner}
        so_far.complain("square_taken", "607.B.ii", **facts)
    if not position.may_gain(so_far.seat, kind):
        so_far.complain("board_limit", "607.B.iii", piece=name, limit=position.limit(so_far.seat, kind))
    return len(so_far.complaints) == before


def _put(so_far: Judgement, piece: Piece, square: int) -> None:
    so_far.off.remove(piece)
    so_far.position.place(square, so_far.seat, so_far.position.catalogue.numbers[piece.type], piece.id)


def own_line(so_far: Judgement, step: Step, turn: Turn) -> Played | None:
    """A move or placement: one of as many as there are Kings, less one (607.B.ii)."""
    if step.piece not in so_far.position.catalogue.numbers:
        _unknown(so_far, step)
        return None
    so_far.moves += 1
    allowed = len(so_far.kings) - 1
    if so_far.moves == allowed + 1:
        steps = [entry for entry in turn.entries if isinstance(entry, Step) and entry.piece != NEUTRON]
        stated = sum(not step.claiming("mascot_returned") for step in steps)
        so_far.complain("too_many_moves", "607.B.ii", allowed=allowed, kings=len(so_far.kings), stated=stated)
    if so_far.moves > allowed:
        _meant(so_far, step)
        return None
    before = moves.attacked_kings(so_far.position, so_far.seat)
    played = placing_line(so_far, step, before) if step.placing else _move(so_far, step, before)
    if played is None:
        _meant(so_far, step)
        return None
    by = tuple(moves.checkers(so_far.position, so_far.seat))  # out of check after each own move (607.B.ii)
    if by and not so_far.checked and not so_far.lost:
        king = NAMES[so_far.position.kings[so_far.seat]]
        so_far.complain("in_check", "607.B.ii", players=by, king=king)
    so_far.checked = bool(by)  # said once while it stays so
    if any(taken.piece == KING for taken in played.effect.captures):
        so_far.king_fell()
    return played


def _unknown(so_far: Judgement, step: Step) -> None:
    """A line whose piece is none: it may mean the Neutron or one of the moves."""
    if so_far.position.neutron >= 0 and step.squares[0] == NAMES[so_far.position.neutron] and not so_far.ran:
        so_far.ran = True
        line = moves.line_to(so_far.position, NUMBERS.get(step.squares[-1], -1))
        run = moves.run_along(so_far.position, line) if line else None
        if run is not None and so_far.as_meant:
            moves.run_neutron(so_far.position, run)
        return
    so_far.moves += 1
    _meant(so_far, step)


def _move(so_far: Judgement, step: Step, before: tuple[int, ...]) -> Played | None:
    start = NUMBERS[step.squares[0]]
    cell, identity = so_far.position.cells[start], so_far.position.identities[start]
    if cell and cell & 7 == so_far.seat and identity in so_far.moved:
        so_far.complain("moved_twice", "607.B.ii", piece=so_far.position.name(start), square=NAMES[start])
        return None
    meant = find_move(so_far.state, so_far.position, so_far.seat, step)
    if meant.fault is not None:
        so_far.add(meant.fault)
    if meant.move is None:
        return None
    captures = taken_by(so_far.state, so_far.position, meant.move.captures)
    so_far.position.play(meant.move)
    so_far.moved.add(identity)
    effect = truth(so_far, meant.move, captures, cell >> 4, before)
    so_far.weigh(step, effect)
    return Played("move", identity, step.piece, meant.squares, effect)


def truth(
    so_far: Judgement, move: Move, captures: tuple[Taken, ...], kind: int, before: tuple[int, ...]
) -> Effect:
    """What the move has brought about; the position is the one after it."""
    name = so_far.position.name(move.end)
    turns = bool(captures) and so_far.position.catalogue.types[kind].on_capture
    return Effect(
        captures=captures,
        where=move.start == move.end and bool(captures) and not move.via,
        in_full=so_far.state.rules.statements == "full",
        becomes=name if turns else "",
        promoted=name if name != so_far.position.named(kind) else "",
        aggressive=so_far.aggressive(captures, before),
        received=sum(so_far.reward(taken.piece) for taken in captures),
    )


def _meant(so_far: Judgement, step: Step) -> None:
    """Carry a faulty line out as its writer seems to mean it, where that is asked for and can be done."""
    if not so_far.as_meant:
        return
    known = all(square in NUMBERS for square in step.squares[step.placing :])
    so_far.lost = not (known and _done_as_meant(so_far, step)) or so_far.lost


def _done_as_meant(so_far: Judgement, step: Step) -> bool:
    """Whether such a piece could be put there, rightly or not, or taken from the first square to the last one."""
    position, end = so_far.position, NUMBERS[step.squares[-1]]
    there = position.cells[end]
    if step.placing:
        piece = next((p for p in so_far.off if p.type == step.piece), None)
        if piece is None or there:
            return False
        _put(so_far, piece, end)
        so_far.moved.add(piece.id)
        return True
    start = NUMBERS[step.squares[0]]
    if position.cells[start] & 7 != so_far.seat or there & 8:
        return False
    if start != end and there and there & 7 == so_far.seat:
        return False
    captures = (end,) if there and start != end else ()
    so_far.money += sum(so_far.reward(position.name(square)) for square in captures)
    so_far.moved.add(position.identities[start])
    position.play(Move(start, end, (), captures))
    return True


_IDLE: Final = {"turn_is_over", "no_neutron", "neutron_stuck", "no_mascot_off"}


def judge(state: State, seat: int, turn: Turn) -> Judgement:
    """Every reason against a submission, and what its lines do."""
    first = _gone_through(Judgement(state, seat, as_meant=False), turn)
    if first.doubtful:
        second = _gone_through(Judgement(state, seat, as_meant=True), turn)
        first.complaints = list(_standing(first.complaints, second.complaints))
    return first


def carried_out(so_far: Judgement, turn: Turn) -> Judgement:
    """How a turn goes on below its lines, none of which is judged."""
    for entry in turn.entries:
        _entry(so_far, entry, turn)
    return so_far


def _standing(first: Sequence[Complaint], second: Sequence[Complaint]) -> Iterator[Complaint]:
    """The reasons that stand both ways. An entry that is faulty both ways, but never for the same reason, is faulty
    whatever the earlier ones mean: its reasons are those of the entry as meant."""

    def entry_of(complaint: Complaint) -> str:
        return complaint.part.partition(".claims.")[0]

    both = {(c.code, entry_of(c)) for c in first} & {(c.code, entry_of(c)) for c in second}
    told = {entry for _, entry in both} | {""}
    for complaint in first:
        entry = entry_of(complaint)
        if (complaint.code, entry) in both:
            yield complaint
        elif entry not in told:
            told.add(entry)
            yield from (other for other in second if entry_of(other) == entry)


def _gone_through(so_far: Judgement, turn: Turn) -> Judgement:
    for place, entry in enumerate(turn.entries):
        so_far.part = part_of(place)
        before = len(so_far.complaints)
        played = _entry(so_far, entry, turn)
        codes = {complaint.code for complaint in so_far.complaints[before:]}
        so_far.judged.append(Judged(entry, played, bool(codes & _IDLE)))
        if played is None:
            so_far.doubtful = True
    so_far.part = ""
    _end(so_far, turn)
    return so_far


def _entry(so_far: Judgement, entry: Entry, turn: Turn) -> Played | None:
    if isinstance(entry, Unread):
        so_far.lost = True
        return None
    if isinstance(entry, Step) and not entry.piece:
        entry = replace(entry, piece=so_far.standing(entry.squares[0]))
    if so_far.over:
        if isinstance(entry, Passed):
            return Played("pass")  # ruling 10: it says truly that nothing more is made
        so_far.complain("turn_is_over", "603" if so_far.over == "cycle" else "607.A", why=so_far.over)
        return None
    if so_far.purchased and not isinstance(entry, Bought):
        if not so_far.belated:
            so_far.complain("after_purchase", "608")
        so_far.belated = True
    match entry:
        case Passed():
            so_far.passed = True
            so_far.neutron_time()
            return Played("pass")
        case Bought():
            so_far.neutron_time()
            return _purchase(so_far, entry)
        case Step(piece=piece) if piece == NEUTRON and not entry.placing:
            return neutron_line(so_far, entry)
        case Step(placing=True) if returns(so_far, entry):
            return mascot_line(so_far, entry)
        case _:
            so_far.neutron_time()
            return own_line(so_far, entry, turn)


def _purchase(so_far: Judgement, bought: Bought) -> Played | None:
    """608: what can be paid for and owned, the sum stated (part 4). Several purchases are added up:
    each may state its own sum, or the last one that of all."""
    if not so_far.purchased:
        so_far.moves_in_time = so_far.moves
    so_far.purchased = True
    catalogue = so_far.position.catalogue
    owned = so_far.position.owned(so_far.seat)
    owned.update({piece: owned.get(piece, 0) + count for piece, count in so_far.bought.items()})
    for lot in bought.lots:
        owned[lot.piece] = owned.get(lot.piece, 0) + lot.count
    before = len(so_far.complaints)
    for lot in bought.lots:
        piece, limit = catalogue.by_name[lot.piece], catalogue.limit(lot.piece, owned)
        if not piece.for_sale:
            so_far.complain("turn_not_for_sale", "608", piece=lot.piece)
        elif limit is not None and owned[lot.piece] > limit:
            facts = {"piece": lot.piece, "limit": limit, "owned": owned[lot.piece] - lot.count}
            so_far.complain("turn_over_limit", "608", **facts, count=lot.count)
    _lowered(so_far, bought, owned)
    cost = sum(catalogue.by_name[lot.piece].price * lot.count for lot in bought.lots)
    if so_far.cost + cost > so_far.money:
        so_far.complain("cannot_pay", "608", cost=so_far.cost + cost, money=so_far.money)
    faulty = len(so_far.complaints) > before
    known = bought.whole and all(catalogue.by_name[lot.piece].for_sale for lot in bought.lots)
    if not known:
        return None  # what it all costs hangs on what is wrong with it
    so_far.cost += cost
    so_far.bought.update({lot.piece: lot.count for lot in bought.lots})
    _sums(so_far, bought, cost)
    if faulty or not bought.lots:
        return None
    return Played("purchase", lots=bought.lots, cost=cost)


def _lowered(so_far: Judgement, bought: Bought, owned: Mapping[str, int]) -> None:
    """911, 912: what is bought may lower the limit of another piece, of which there are too many then."""
    counts = {lot.piece: lot.count for lot in bought.lots}
    for piece in so_far.position.catalogue.types:
        for other in piece.limit_if_other if piece.name not in counts else ():
            falls = owned.get(other.piece, 0) - counts.get(other.piece, 0) < other.least
            have, count = owned.get(piece.name, 0), owned.get(other.piece, 0)
            if falls and count >= other.least and have > other.limit:
                facts = {"piece": piece.name, "owned": have, "limit": other.limit}
                so_far.complain("turn_limit_falls", "608", **facts, bought=other.piece, count=count)


def _sums(so_far: Judgement, bought: Bought, cost: int) -> None:
    """A sum stands for its own line, or for all lines down to it."""
    if not bought.lots:
        return
    if bought.sum is None and bought.total is None:
        so_far.unsummed += cost
        so_far.unsummed_part = so_far.unsummed_part or so_far.part
        return
    if bought.sum is not None and bought.sum not in (cost, so_far.cost):
        so_far.complain("sum_false", "608", stated=bought.sum, cost=cost)
    elif bought.total is not None and bought.total != so_far.cost:
        so_far.complain("sum_false", "608", stated=bought.total, cost=so_far.cost)
    if so_far.cost in (bought.sum, bought.total) or bought.sum != cost:
        so_far.unsummed, so_far.unsummed_part = 0, ""


def _end(so_far: Judgement, turn: Turn) -> None:
    unread = [entry.text.casefold() for entry in turn.entries if isinstance(entry, Unread)]
    passed = next((part_of(i) for i, entry in enumerate(turn.entries) if isinstance(entry, Passed)), "")
    so_far.neutron_time()
    named = any("neutron" in text for text in unread)
    if not so_far.ran and so_far.could_run and not named:
        so_far.complain("neutron_missing", "607.B.i", square=NAMES[so_far.position.neutron])
    if so_far.unsummed and so_far.strict:
        facts = {"cost": so_far.unsummed}
        so_far.add(Complaint("sum_missing", "608", facts=facts, part=so_far.unsummed_part))
    if so_far.passed and (so_far.moves_in_time if so_far.belated else so_far.moves):
        facts = {"moves": so_far.moves}
        so_far.add(Complaint("pass_and_moves", "607.B.ii", facts=facts, part=passed))
    if so_far.over:
        return
    if not so_far.passed and not so_far.moves and so_far.strict and not unread:
        so_far.complain("nothing_made", "607.B.ii")
    still = not so_far.moves and not so_far.lost
    if still and moves.in_check(so_far.position, so_far.seat) and moves.remedy(so_far.state, so_far.seat):
        by = tuple(
            moves.checkers(so_far.position, so_far.seat)
        )  # ruling 11: `Pass` in check only where nothing helps
        so_far.add(Complaint("pass_in_check", "607.B.ii", facts={"players": by}, part=passed))


# --- which move a line means: those that its squares and statements leave (610.c) ------------------------------------


class MoveFound(Value):
    """What a line means. With a fault beside a move, the move's effect on the board is certain all
    the same; `squares` are those that a statement of it must name."""

    move: Move | None
    fault: Complaint | None = None
    squares: tuple[str, ...] = ()


def taken_by(state: State, position: Position, captures: Sequence[int]) -> tuple[Taken, ...]:
    """The pieces on the squares, before they are taken."""
    mascots = {piece.id for piece in state.pieces if piece.mascot} if captures else set()
    return tuple(
        Taken(who, position.name(square), position.cells[square] & 7, NAMES[square], who in mascots)
        for square in captures
        for who in (position.identities[square],)
    )


def find_move(state: State, position: Position, seat: int, step: Step) -> MoveFound:
    """The move of a line whose squares are all on the board."""
    start, end = NUMBERS[step.squares[0]], NUMBERS[step.squares[-1]]
    if (fault := _not_his(position, seat, step, start)) is not None:
        return MoveFound(None, fault)
    through = tuple(NUMBERS[square] for square in step.squares[1:-1])
    ending = [move for move in moves_from(position, start) if move.end == end]
    possible = [move for move in ending if _passes(move.via, through)]
    if not possible:
        return MoveFound(None, _why_not(position, seat, start, end, ending, step))
    fitting = [move for move in possible if fits(step.claims, taken_by(state, position, move.captures))]
    pool = fitting or possible
    pool = [move for move in pool if not move.granted] or pool  # ruling 3: else the statements decide
    same = len({move.captures for move in pool}) == 1
    if start == end and not pool[0].via:  # a shot: targets that fit must be told apart by their squares
        if same:
            return MoveFound(pool[0], squares=step.squares)
        targets = [
            {"piece": position.name(square), "player": position.cells[square] & 7, "square": NAMES[square]}
            for move in pool
            for square in move.captures
        ]
        return MoveFound(None, Complaint("target_unclear", "610.c", facts={"targets": targets}))
    rivals = [move for move in possible if move.granted == pool[0].granted]
    if len({move.via for move in rivals}) == 1:
        return MoveFound(pool[0], squares=step.squares)
    squares = shortest_squares(position, pool[0])
    if state.rules.statements == "lenient" and same:  # several paths of the same effect
        return MoveFound(pool[0], squares=squares)
    fault = Complaint("path_unclear", "610.c", facts={"ways": _ways(rivals)})
    return MoveFound(pool[0] if same else None, fault, squares)


def _passes(via: Sequence[int], through: Sequence[int]) -> bool:
    """Whether the squares stated lie on the way, in order."""
    rest = iter(via)
    return all(square in rest for square in through)


def _ways(moves: Sequence[Move]) -> list[str]:
    """The first few of the moves, square by square."""
    ways = ("-".join(NAMES[s] for s in (move.start, *move.via, move.end)) for move in moves)
    return list(dict.fromkeys(ways))[:6]


def _not_his(position: Position, seat: int, step: Step, start: int) -> Complaint | None:
    """Why no such piece of the player's can move from the square."""
    cell = position.cells[start]
    facts: dict[str, object] = {"piece": step.piece, "square": NAMES[start]}
    if not cell:
        kind = position.catalogue.numbers.get(step.piece)
        where = [NAMES[s] for s, other in sorted(position.men[seat].items()) if other == kind]
        return Complaint("no_piece_there", "610.c", facts={**facts, "where": where})
    if cell & 7 == NOBODY:
        return Complaint("neutron_stands_there", "610.c", facts=facts)
    facts["really"] = position.name(start)
    if cell & 7 != seat:
        return Complaint("not_yours", "607.B.ii", facts={**facts, "player": cell & 7})
    return Complaint("other_piece_there", "610.c", facts=facts) if facts["really"] != step.piece else None


def _why_not(
    position: Position, seat: int, start: int, end: int, ending: Sequence[Move], step: Step
) -> Complaint:
    """Why the piece has no such move."""
    kind, cell = position.cells[start] >> 4, position.cells[end]
    piece = position.catalogue.types[kind]
    there = {"there": position.name(end), "player": cell & 7} if cell else {}

    def fault(code: str, rule: str = piece.rule, /, **more: object) -> Complaint:
        facts = {"piece": piece.name, "start": NAMES[start], "end": NAMES[end]}
        return Complaint(code, rule, facts={**facts, "how": RuleText(piece.description), **more})

    if ending:
        return fault("not_on_the_way", "610.c", stated="-".join(step.squares), ways=_ways(ending))
    if start == end:
        return fault("stays_there")
    if cell & 7 == seat:
        return fault("own_piece_there", there=there["there"])
    if cell & 7 == NOBODY:
        return fault("neutron_in_the_way", "905")
    if any(move.captures == (end,) and move.end == start for move in moves_from(position, start)):
        return fault("shot_stays", **there)
    if any(move.end == end for move in unbound_moves(position, start)):
        return fault("must_end_in_quadrant", region=QUADRANTS[end])
    if cell and piece.on_capture and end in dict(position.catalogue.ways[kind](start).strikes):
        over, limit = position.vetoed(seat, kind, cell >> 4) or ("", None)
        return fault("limit_forbids", **there, over=over, limit=limit)
    return fault("cannot_capture" if cell else "no_such_move", **there)


def shortest_squares(position: Position, move: Move) -> tuple[str, ...]:
    """The squares a line must state: start and end, and as few between as leave one path (610.c)."""
    rivals = {
        other.via
        for other in moves_from(position, move.start)
        if other.end == move.end and other.granted == move.granted
    }
    rivals.discard(move.via)
    for between in ((), *((square,) for square in move.via), move.via):
        if not any(_passes(via, between) for via in rivals):
            break
    return tuple(NAMES[square] for square in (move.start, *between, move.end))
