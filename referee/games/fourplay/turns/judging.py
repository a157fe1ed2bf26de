"""A whole submission judged line by line, each line on the board that the earlier ones left
(606-610, part 4): the Neutron's run (607.B.i, 905), moves and placements (607.B.ii), a Mascot's
return (610.d), purchases (608); which move a line means (610.c).

What is stated must be true: an `Effect` is what really happens, its `statement` what a line says of it in full. What
must be stated (610.b, 610.c) is missed unless statements are lenient; what should be (610.d) where they are full. The
owner of what is captured or destroyed need never be named: its square tells it.

A line that can't be carried out is left out, or carried out as its writer seems to mean it (`as_meant`); a reason
for a later line counts only where it stands both ways, so that what hangs on an earlier fault is not said again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from referee.core.value import Complaint, PartPath, RuleText, Value, fault
from referee.games.fourplay import state as ev
from referee.games.fourplay.board import moves
from referee.games.fourplay.board.moves import NOBODY, Position, moves_from
from referee.games.fourplay.board.primitives import NAMES, NUMBERS, OFF, QUADRANTS, Move
from referee.games.fourplay.turns import reading
from referee.games.fourplay.turns.reading import Bought, Claim, ClaimKind, Entry, Passed, Step, Turn, Unread

PlacedClaim: TypeAlias = tuple[int, Claim]  # a claim with its place among those of its line
Statements: TypeAlias = Literal["strict", "full", "lenient"]


class Taken(Value):
    """A piece that a line captures or destroys."""

    id: int
    piece: str
    owner: int
    square: str
    mascot: bool = False

    @property
    def facts(self) -> dict[str, object]:
        return {"piece": self.piece, "player": self.owner, "square": self.square}


class Effect(Value):
    """What a line brings about. `where` asks for the captured pieces' squares in the statement (a
    shot); `gem` is the player who gets one, and then the Neutron returned to the centre."""

    captures: tuple[Taken, ...] = ()
    where: bool = False
    becomes: str = ""  # what a piece that turns into its victim is after it, be it what it was (961)
    promoted: str = ""  # the same where it is another kind than before
    in_full: bool = False  # a promotion is stated too (610.d)
    aggressive: tuple[int, ...] = ()
    received: int = 0
    gem: int | None = None
    destroyed: Taken | None = None
    mascot_returned: bool = False
    not_mascot: bool = False  # it would have been, had the line not said that it is not
    mascot_named: bool = False  # the piece put on the board is the Mascot from now on (605.E)

    def happened(self, kind: ClaimKind) -> bool:
        """Whether a statement that is either true or not is true."""
        if kind in ("neutron_returned", "neutron_caught"):
            return self.gem is not None
        if kind in ("mascot_captured", "king_captured"):
            king = kind == "king_captured"
            return any(taken.piece == ev.KING if king else taken.mascot for taken in self.captures)
        if kind == "promoted":
            return bool(self.becomes)
        return self.mascot_returned if kind == "mascot_returned" else self.mascot_named


def statement(effect: Effect) -> tuple[Claim, ...]:
    """The claims that say all of an effect, in canonical order. A promotion is stated only where it must be."""
    taken, gone = effect.captures, effect.destroyed
    claims = [Claim("capture", one.piece, one.owner, one.square if effect.where else "") for one in taken]
    claims += [Claim("aggressive", player=player) for player in effect.aggressive]
    claims += [Claim("gem", player=effect.gem, amount=1)] if effect.gem is not None else []
    claims += [Claim("destroyed", gone.piece, gone.owner)] if gone is not None else []
    claims += [Claim("promoted", effect.promoted)] if effect.promoted and effect.in_full else []
    claims += [Claim("received", amount=effect.received)] if effect.received else []
    claims += [Claim("not_mascot")] if effect.not_mascot else []
    plain: tuple[ClaimKind, ...] = ("mascot_returned", "mascot_named", "mascot_captured")
    claims += [Claim(kind) for kind in plain if effect.happened(kind)]
    claims += [Claim("neutron_returned")] if effect.gem is not None else []
    return reading.in_order(claims)


# Statements that are either true or not: the clause, and under which option each must be made.
_SIMPLE: Final[Mapping[ClaimKind, tuple[str, tuple[Statements, ...]]]] = {
    "mascot_returned": ("610.d", ("strict", "full")),
    "mascot_named": ("605.E", ()),
    "mascot_captured": ("610.d", ("full",)),
    "promoted": ("961", ("full",)),
    "neutron_returned": ("610.b", ("strict", "full")),
    "neutron_caught": ("610.b", ()),
    "king_captured": ("610.d", ()),
}


def faults(
    stated: Sequence[Claim], effect: Effect, mover: int, statements: Statements
) -> Iterator[Complaint]:
    """Every false statement, a complaint of that claim, and every one that is missing though it
    must be there. What is misstated is not also missing."""
    strict = statements != "lenient"
    left, wrong = _matched(stated, effect.captures)
    for place, claim in wrong:
        said = {"piece": claim.piece, "player": claim.player, "square": claim.square}
        if left:
            yield _false("capture_false", "610.c", place, **said, really=left.pop(0).facts)
        else:
            yield _false("capture_none", "610.c", place, **said)
    for one in _beside_the_king(stated, left) if strict else ():
        yield fault("capture_missing", "610.c", **one.facts)
    toward = {claim.player: place for place, claim in _said(stated, "aggressive")}
    for player in sorted(set(toward) - set(effect.aggressive)):
        yield _false("aggressive_false", "610.c", toward[player], player=player)
    for player in effect.aggressive if strict else ():
        if player not in toward:
            captured = any(taken.owner == player for taken in effect.captures)
            yield fault("aggressive_missing", "610.c", player=player, captured=captured)
    for kind, (rule, needed) in _SIMPLE.items():
        claims, happened = _said(stated, kind), effect.happened(kind)
        if claims and not happened:
            yield _false(f"{kind}_false", rule, claims[0][0], piece=claims[0][1].piece)
        elif any(claim.piece not in ("", effect.becomes) for _, claim in claims):
            piece = claims[0][1].piece
            yield _false("promoted_false", "961", claims[0][0], piece=piece, really=effect.becomes)
        elif not claims and statements in needed and (effect.promoted if kind == "promoted" else happened):
            yield fault(f"{kind}_missing", rule, piece=effect.promoted)
    gems = _said(stated, "gem")
    # one, to the player whose quadrant it is; "received" claims it for the mover (610.b)
    for place, claim in gems:
        player = claim.player or mover
        if effect.gem is None:
            yield _false("gem_none", "905", place, player=player)
        elif player != effect.gem:
            yield _false("gem_false", "905", place, player=player, really=effect.gem)
        elif claim.amount != 1:
            yield _false("gem_count", "905", place, count=claim.amount)
    if effect.gem is not None and not gems and strict:
        yield fault("gem_missing", "610.b", player=effect.gem)
    destroyed, taken = _said(stated, "destroyed"), effect.destroyed
    for place, claim in destroyed:  # one piece at most, so its owner need not be named
        facts = {"piece": claim.piece, "player": claim.player}
        if taken is None:
            yield _false("destroyed_none", "905", place, **facts)
        elif claim.piece != taken.piece or claim.player not in (0, taken.owner):
            yield _false("destroyed_false", "905", place, **facts, really=taken.facts)
    if taken is not None and not destroyed and strict:
        yield fault("destroyed_missing", "610.b", **taken.facts)
    sums = _said(stated, "received")
    amount = sum(claim.amount for _, claim in sums)
    if sums and amount != effect.received:
        yield _false("received_false", "610.d", sums[0][0], stated=amount, amount=effect.received)
    elif not sums and effect.received and statements == "full":
        yield fault("received_missing", "610.d", amount=effect.received)
    yield from (_false("board_is_odd", "610.b", place) for place, _ in _said(stated, "board_even"))


def _said(stated: Sequence[Claim], kind: ClaimKind) -> list[PlacedClaim]:
    return [(place, claim) for place, claim in enumerate(stated) if claim.kind == kind]


def _false(code: str, rule: str, place: int, **facts: object) -> Complaint:
    return fault(code, rule, f"claims.{place}", **facts)


def fits(stated: Sequence[Claim], captures: Sequence[Taken]) -> bool:
    """Whether the captures stated are those that a move would make, as far as they say (ruling 3)."""
    left, wrong = _matched(stated, captures)
    return not wrong and not _beside_the_king(stated, left)


def _matched(stated: Sequence[Claim], captures: Iterable[Taken]) -> tuple[list[Taken], list[PlacedClaim]]:
    """The captures that no claim states and the claims that state none; the more exact claims choose first."""
    left, wrong = list(captures), []
    claims = _said(stated, "capture")
    for place, claim in sorted(claims, key=lambda said: (not said[1].square, not said[1].player)):
        for taken in left:
            where = claim.player in (0, taken.owner) and claim.square in ("", taken.square)
            if claim.piece == taken.piece and where:
                left.remove(taken)
                break
        else:
            wrong.append((place, claim))
    return left, wrong


def _beside_the_king(stated: Sequence[Claim], left: list[Taken]) -> list[Taken]:
    """What is still unstated where `King captured` states the capture of the only King among it."""
    others = [taken for taken in left if taken.piece != ev.KING]
    return others if len(left) - len(others) == 1 and _said(stated, "king_captured") else left


# --- line by line ----------------------------------------------------------------------------------------------------

NOTHING: Final = Effect()
_IDLE: Final = {"turn_is_over", "no_neutron", "neutron_stuck", "no_mascot_off"}


class Judged(Value):
    """An entry with its whole statement (611, part 4), None where it could not be carried out as it
    stands; what it brought about, and the facts of that. `idle`: no turn made now can say such a
    thing, so that a mended one leaves it out."""

    entry: Entry
    stated: Entry | None = None
    effect: Effect = NOTHING
    did: tuple[ev.Event, ...] = ()
    idle: bool = False


class Judgement:
    """How far the judging of one submission has come, the board as its lines have left it, and what it comes to.
    `as_meant`: lines that can't be carried out are done as they seem meant; `lost` once even that could not be done, so
    that nobody can tell what would be in check after it. `part` names the entry that is being judged; `over` says why
    the turn ended before its last line (ruling 10)."""

    def __init__(self, state: ev.State, seat: int, turn: Turn, as_meant: bool = False) -> None:
        self.state, self.seat, self.turn, self.as_meant = state, seat, turn, as_meant
        self.strict = state.rules.statements != "lenient"
        self.position = Position.of(state, seat)
        self.kings = self.position.seats_with_king()
        self.off = list(state.off_board(seat))
        self.moved: set[int] = set()
        self.aggression: dict[int, PartPath] = {}  # by player, the entry that was aggressive toward him
        self.moves = self.moves_in_time = 0
        self.ran = self.passed = self.purchased = self.belated = self.checked = self.lost = False
        self.could_run: bool | None = None
        self.bought: Counter[str] = Counter()
        self.cost = 0
        mover = state.player(seat)
        self.money = mover.money
        self.waiting_mascot = mover.mascot if mover.mascot_waits else ""
        self.unsummed = 0  # what purchases cost for which no sum has been stated yet
        self.unsummed_part = self.part = ""
        self.over: Literal["", "cycle", "king"] = ""
        self.complaints: list[Complaint] = []
        self.judged: list[Judged] = []

    @property
    def stated(self) -> tuple[Entry, ...]:
        """The lines of a legal turn, each with its whole statement."""
        return tuple(judged.stated for judged in self.judged if judged.stated is not None)

    @property
    def begun(self) -> bool:
        """Whether anything has been done but the return of a Mascot."""
        return bool(self.ran or self.moves or self.passed)

    def gone_through(self) -> "Judgement":
        """The same, once every line is judged, and the turn as a whole."""
        for place, entry in enumerate(self.turn.entries):
            self.part = reading.part_of(place)
            before = len(self.complaints)
            done = self.take(entry)
            idle = any(complaint.code in _IDLE for complaint in self.complaints[before:])
            self.judged.append(done or Judged(entry, idle=idle))
        self.part = ""
        self._end()
        return self

    def take(self, entry: Entry) -> Judged | None:
        """The next entry, carried out where it can be."""
        if isinstance(entry, Unread):
            self.lost = True
            return None
        if isinstance(entry, Step) and not entry.piece:
            there = NUMBERS[entry.squares[0]]  # where nothing stands there, it is complained of as no piece
            name = self.position.name(there) if self.position.cells[there] else entry.squares[0]
            entry = replace(entry, piece=name)
        if self.over:
            if isinstance(entry, Passed):
                return Judged(entry, entry)  # ruling 10: it says truly that nothing more is made
            self.complain("turn_is_over", "603" if self.over == "cycle" else "607.A", why=self.over)
            return None
        if self.purchased and not isinstance(entry, Bought):
            if not self.belated:
                self.complain("after_purchase", "608")
            self.belated = True
        if isinstance(entry, Step) and entry.placing:  # a captured Mascot put back, by its words or its place
            alike = [p.mascot for p in self.off if p.type == entry.piece]
            before = not self.begun and any(alike) and (all(alike) or moves.neutron_runs(self.position))
            if before or entry.claiming("mascot_returned"):
                return self._mascot(entry)
        self._neutron_time()
        match entry:
            case Passed():
                self.passed = True
                return Judged(entry, entry)
            case Bought():
                return self._purchase(entry)
        return self._neutron(entry) if entry.piece == ev.NEUTRON and not entry.placing else self._own(entry)

    def whole(self, step: Step) -> Step:
        """The same step with all that it would state were it the next entry."""
        tried = copy(self)
        tried.position, tried.off, tried.moved = self.position.copied(), [*self.off], {*self.moved}
        tried.aggression, tried.complaints = {**self.aggression}, []
        done = tried.take(step)
        return done.stated if done is not None and isinstance(done.stated, Step) else step

    def add(self, fault: Complaint) -> None:
        """A fault of the entry that is being judged, or of a part of it."""
        self.complaints.append(replace(fault, part=".".join(filter(None, (self.part, fault.part)))))

    def complain(self, code: str, rule: str, **facts: object) -> None:
        """A fault of the entry that is being judged."""
        self.add(Complaint(code, rule, facts=facts))

    def _neutron_time(self) -> None:
        """The Neutron is moved before anything but the Mascot's return: whether it can be is decided now."""
        if self.could_run is None:
            self.could_run = bool(moves.neutron_runs(self.position))

    def _king_fell(self) -> None:
        if len(self.position.seats_with_king()) == 1:
            self.over = "cycle"
        elif self.position.kings[self.seat] < 0:
            self.over = "king"

    def _done(self, step: Step, stated: Step, effect: Effect, *did: ev.Event) -> Judged:
        """The line carried out, once its statements are held against what it brought about."""
        for false in faults(step.claims, effect, self.seat, self.state.rules.statements):
            self.add(false)
        return Judged(step, replace(stated, claims=statement(effect)), effect, did)

    def _weigh(self, effect: Effect) -> None:
        self.money += effect.received
        for player in effect.aggressive:
            if player in self.aggression:
                self.complain("aggressive_twice", "607.B.ii", player=player, first=self.aggression[player])
            else:
                self.aggression[player] = PartPath(self.part)

    def aggressive(self, captures: tuple[Taken, ...], before: tuple[int, ...]) -> tuple[int, ...]:
        """Ruling 1: who loses a piece, and whose King is attacked that was not before."""
        attacked = set(moves.attacked_kings(self.position, self.seat)) - set(before)
        return tuple(sorted({taken.owner for taken in captures} | attacked))

    def _reward(self, name: str) -> int:
        """F$ for a captured piece (610.d, part C)."""
        rules = self.state.rules
        if name == ev.DOLLARMAN:
            return rules.dollarman_reward
        return self.position.catalogue.by_name[name].value if rules.capture_reward == "value" else 0

    # --- the Neutron -------------------------------------------------------------------------------------------------

    def _neutron(self, step: Step) -> Judged | None:
        if self.ran:
            self.complain("neutron_twice", "607.B.i")
            return None
        if self.moves:
            self.complain("neutron_late", "607.B.i")
        self.ran = True
        if (run := self._run(step)) is None:
            self.lost = True
            return None
        gone = taken_by(self.state, self.position, () if run.destroyed is None else (run.destroyed,))
        effect = Effect(gem=run.gem, destroyed=gone[0] if gone else None)
        piece = self.position.identities[run.start]
        moves.run_neutron(self.position, run)
        start, end = squares = NAMES[run.start], NAMES[run.end]
        did: list[ev.Event] = [ev.PieceMoved(piece, start, end)]
        if effect.gem is not None:
            lost = [event for taken in gone for event in _removed(taken, None)]
            did += [ev.GemReceived(effect.gem), *lost, ev.PieceMoved(piece, end, ev.CENTRE)]
        done = self._done(step, Step(ev.NEUTRON, squares), effect, *did)
        if effect.destroyed is not None and effect.destroyed.piece == ev.KING:
            self._king_fell()
        return done

    def _run(self, step: Step) -> moves.NeutronRun | None:
        """The run that the line means: the direction decides, its end is as far as it goes (905)."""
        position = self.position
        if position.neutron < 0:
            self.complain("no_neutron", "905")
            return None
        if not moves.neutron_runs(position):
            self.complain("neutron_stuck", "905", square=NAMES[position.neutron])
            return None
        start, end = NAMES[position.neutron], step.squares[-1]
        if step.squares[0] != start:
            self.complain("neutron_elsewhere", "610.b", stated=step.squares[0], square=start)
        if (line := moves.line_to(position, NUMBERS[end])) is None:
            self.complain("neutron_off_line", "905", start=start, end=end)
            return None
        if (run := moves.run_along(position, line)) is None:
            there = position.name(line[0])
            self.complain("neutron_blocked", "905", end=end, square=NAMES[line[0]], piece=there)
        elif NUMBERS[end] != run.end:
            short = line.index(NUMBERS[end]) < line.index(run.end)
            code = "neutron_short" if short else "neutron_far"
            self.complain(code, "905", end=end, really=NAMES[run.end])
        elif any(NUMBERS[square] not in line for square in step.squares[1:-1]):
            self.complain("neutron_off_line", "905", start=start, end="-".join(step.squares[1:-1]))
        return run

    # --- what is put on the board ------------------------------------------------------------------------------------

    def _mascot(self, step: Step) -> Judged | None:
        if (mascot := next((piece for piece in self.off if piece.mascot), None)) is None:
            self.complain("no_mascot_off", "610.d")
        elif mascot.type != step.piece:
            self.complain("mascot_is_other", "610.d", piece=step.piece, mascot=mascot.type)
        if self.begun:
            self.complain("mascot_late", "house")
        if mascot is None or mascot.type != step.piece or not self._may_put(step):
            return None
        self._put(mascot, step)
        return self._placed(step, mascot, Effect(mascot_returned=True))

    def _placing(self, step: Step, before: tuple[int, ...]) -> Judged | None:
        piece = next((p for p in self.off if p.type == step.piece and not p.mascot), None)
        if piece is None:
            waits = any(p.type == step.piece for p in self.off)
            have = list(dict.fromkeys(p.type for p in self.off if not p.mascot))
            code = "mascot_waits" if waits else "none_off_board"
            self.complain(code, "607.B.ii", piece=step.piece, have=have)
            return None
        if not self._may_put(step):
            return None
        self._put(piece, step)
        self.moved.add(piece.id)
        waited_for = step.piece == self.waiting_mascot  # 605.E: the first of its kind is it
        if named := waited_for and not step.claiming("not_mascot"):
            self.waiting_mascot = ""
        aggressive = self.aggressive((), before)
        effect = Effect(aggressive=aggressive, not_mascot=waited_for and not named, mascot_named=named)
        self._weigh(effect)
        return self._placed(step, piece, effect)

    def _may_put(self, step: Step) -> bool:
        """An empty square of the own quadrant, within the limit of the type on the board (607.B.iii)."""
        position, name, before = self.position, step.piece, len(self.complaints)
        kind, at = position.catalogue.numbers[name], step.squares[-1]
        square = NUMBERS[at]
        if len(step.squares) > 2:
            self.complain("placed_by_way", "607.B.ii", piece=name)
        if QUADRANTS[square] != self.seat:
            self.complain("outside_quadrant", "607.B.ii", square=at, region=QUADRANTS[square])
        if cell := position.cells[square]:
            self.complain("square_taken", "607.B.ii", square=at, there=position.name(square), player=cell & 7)
        if not position.may_gain(self.seat, kind):
            self.complain("board_limit", "607.B.iii", piece=name, limit=position.limit(self.seat, kind))
        return len(self.complaints) == before

    def _put(self, piece: ev.Piece, step: Step) -> None:
        self.off.remove(piece)
        kind = self.position.catalogue.numbers[piece.type]
        self.position.place(NUMBERS[step.squares[-1]], self.seat, kind, piece.id)

    def _placed(self, step: Step, piece: ev.Piece, effect: Effect) -> Judged:
        at = step.squares[-1]
        did = ev.PiecePlaced(piece.id, at, effect.mascot_named)
        return self._done(step, Step(piece.type, (OFF, at)), effect, did)

    # --- moves -------------------------------------------------------------------------------------------------------

    def _own(self, step: Step) -> Judged | None:
        """A move or placement: one of as many as there are Kings, less one (607.B.ii). A line whose
        piece is none may mean the Neutron or one of the moves."""
        known = step.piece in self.position.catalogue.numbers
        neutron = self.position.neutron
        if not known and neutron >= 0 and step.squares[0] == NAMES[neutron] and not self.ran:
            self.ran = True
            line = moves.line_to(self.position, NUMBERS.get(step.squares[-1], -1))
            run = moves.run_along(self.position, line) if line else None
            if run is not None and self.as_meant:
                moves.run_neutron(self.position, run)
            return None
        self.moves += 1
        allowed = len(self.kings) - 1
        if known and self.moves == allowed + 1:
            entries = self.turn.entries
            steps = [entry for entry in entries if isinstance(entry, Step) and entry.piece != ev.NEUTRON]
            stated = sum(not step.claiming("mascot_returned") for step in steps)
            facts = {"allowed": allowed, "kings": len(self.kings), "stated": stated}
            self.complain("too_many_moves", "607.B.ii", **facts)
        done: Judged | None = None
        if known and self.moves <= allowed:
            before = moves.attacked_kings(self.position, self.seat)
            done = self._placing(step, before) if step.placing else self._move(step, before)
        if done is None:
            if self.as_meant:  # it is carried out as its writer seems to mean it, where that can be done
                known = all(square in NUMBERS for square in step.squares[step.placing :])
                self.lost = not (known and self._done_as_meant(step)) or self.lost
            return None
        by = tuple(moves.checkers(self.position, self.seat))  # out of check after each own move (607.B.ii)
        if by and not self.checked and not self.lost:
            king = NAMES[self.position.kings[self.seat]]
            self.complain("in_check", "607.B.ii", players=by, king=king)
        self.checked = bool(by)  # said once while it stays so
        if any(taken.piece == ev.KING for taken in done.effect.captures):
            self._king_fell()
        return done

    def _move(self, step: Step, before: tuple[int, ...]) -> Judged | None:
        start, end = NUMBERS[step.squares[0]], step.squares[-1]
        cell, identity = self.position.cells[start], self.position.identities[start]
        if cell and cell & 7 == self.seat and identity in self.moved:
            self.complain("moved_twice", "607.B.ii", piece=self.position.name(start), square=NAMES[start])
            return None
        move, squares = self._meaning(step)
        if move is None:
            return None
        captures = taken_by(self.state, self.position, move.captures)
        self.position.play(move)
        self.moved.add(identity)
        effect = self.truth(move, captures, cell >> 4, before)
        self._weigh(effect)
        did = [event for taken in captures for event in _removed(taken, self.seat)]
        did += [ev.PieceMoved(identity, NAMES[start], end)] if move.start != move.end else []
        did += [ev.PiecePromoted(identity, effect.promoted)] if effect.promoted else []
        did += [ev.MoneyReceived(self.seat, effect.received, "capture")] if effect.received else []
        return self._done(step, Step(step.piece, squares), effect, *did)

    def truth(self, move: Move, captures: tuple[Taken, ...], kind: int, before: tuple[int, ...]) -> Effect:
        """What the move has brought about; the position is the one after it."""
        name = self.position.name(move.end)
        turns = bool(captures) and self.position.catalogue.types[kind].on_capture
        return Effect(
            captures=captures,
            where=move.start == move.end and bool(captures) and not move.via,
            in_full=self.state.rules.statements == "full",
            becomes=name if turns else "",
            promoted=name if name != self.position.named(kind) else "",
            aggressive=self.aggressive(captures, before),
            received=sum(self._reward(taken.piece) for taken in captures),
        )

    def _done_as_meant(self, step: Step) -> bool:
        """Whether such a piece could be put there, rightly or not, or taken from the first square to the last one."""
        position, end = self.position, NUMBERS[step.squares[-1]]
        there = position.cells[end]
        if step.placing:
            piece = next((p for p in self.off if p.type == step.piece), None)
            if piece is None or there:
                return False
            self._put(piece, step)
            self.moved.add(piece.id)
            return True
        start = NUMBERS[step.squares[0]]
        if position.cells[start] & 7 != self.seat or there & 8:
            return False
        if start != end and there and there & 7 == self.seat:
            return False
        captures = (end,) if there and start != end else ()
        self.money += sum(self._reward(position.name(square)) for square in captures)
        self.moved.add(position.identities[start])
        position.play(Move(start, end, (), captures))
        return True

    def _meaning(self, step: Step) -> tuple[Move | None, tuple[str, ...]]:
        """The move of a line whose squares are all on the board, by its squares and its statements (610.c), and the
        squares that a statement of it must name. With a fault beside a move, its effect is certain all the same."""
        position, start, end = self.position, NUMBERS[step.squares[0]], NUMBERS[step.squares[-1]]
        if not self._his(step, start):
            return None, ()
        through = tuple(NUMBERS[square] for square in step.squares[1:-1])
        ending = [move for move in moves_from(position, start) if move.end == end]
        if not (possible := [move for move in ending if _passes(move.via, through)]):
            self._refuse(step, start, end, ending)
            return None, ()
        taken = {move: taken_by(self.state, position, move.captures) for move in possible}
        pool = [move for move in possible if fits(step.claims, taken[move])] or possible
        pool = [move for move in pool if not move.granted] or pool  # ruling 3: else the statements decide
        same = len({move.captures for move in pool}) == 1
        if start == end and not pool[0].via:  # a shot: targets that fit must be told apart by their squares
            if same:
                return pool[0], step.squares
            targets = [one.facts for move in pool for one in taken[move]]
            self.complain("target_unclear", "610.c", targets=targets)
            return None, ()
        rivals = [move for move in possible if move.granted == pool[0].granted]
        if len({move.via for move in rivals}) == 1:
            return pool[0], step.squares
        if self.strict or not same:  # else there are several paths of the same effect
            self.complain("path_unclear", "610.c", ways=_ways(rivals))
        return pool[0] if same else None, shortest_squares(position, pool[0])

    def _his(self, step: Step, start: int) -> bool:
        """Whether such a piece of the player's stands on the square."""
        position, cell = self.position, self.position.cells[start]
        facts: dict[str, object] = {"piece": step.piece, "square": NAMES[start]}
        if not cell:
            kind = position.catalogue.numbers.get(step.piece)
            men = sorted(position.men[self.seat].items())
            where = [NAMES[square] for square, other in men if other == kind]
            self.complain("no_piece_there", "610.c", **facts, where=where)
        elif cell & 7 == NOBODY:
            self.complain("neutron_stands_there", "610.c", **facts)
        elif cell & 7 != self.seat:
            self.complain("not_yours", "607.B.ii", **facts, really=position.name(start), player=cell & 7)
        elif position.name(start) != step.piece:
            self.complain("other_piece_there", "610.c", **facts, really=position.name(start))
        else:
            return True
        return False

    def _refuse(self, step: Step, start: int, end: int, ending: Sequence[Move]) -> None:
        """Why the piece has no such move."""
        position = self.position
        kind, cell = position.cells[start] >> 4, position.cells[end]
        piece = position.catalogue.types[kind]
        there = {"there": position.name(end), "player": cell & 7} if cell else {}

        def because(code: str, rule: str = piece.rule, /, **more: object) -> None:
            facts = {"piece": piece.name, "start": NAMES[start], "end": NAMES[end]}
            self.complain(code, rule, **facts, how=RuleText(piece.description), **more)

        if ending:
            because("not_on_the_way", "610.c", stated="-".join(step.squares), ways=_ways(ending))
        elif start == end:
            because("stays_there")
        elif cell & 7 == self.seat:
            because("own_piece_there", there=there["there"])
        elif cell & 7 == NOBODY:
            because("neutron_in_the_way", "905")
        elif any(move.captures == (end,) and move.end == start for move in moves_from(position, start)):
            because("shot_stays", **there)
        elif any(move.end == end for move in moves_from(position, start, bound=False)):
            because("must_end_in_quadrant", region=QUADRANTS[end])
        elif cell and piece.on_capture and end in position.catalogue.hits[kind](start):
            over, limit = position.vetoed(self.seat, kind, cell >> 4) or ("", None)
            because("limit_forbids", **there, over=over, limit=limit)
        else:
            because("cannot_capture" if cell else "no_such_move", **there)

    # --- purchases, and the end --------------------------------------------------------------------------------------

    def _purchase(self, bought: Bought) -> Judged | None:
        """608: what can be paid for and owned, the sum stated (part 4). Several purchases are added
        up: each may state its own sum, or the last one that of all."""
        if not self.purchased:
            self.moves_in_time = self.moves
        self.purchased = True
        catalogue, before = self.position.catalogue, len(self.complaints)
        owned = Counter(self.position.owned(self.seat)) + self.bought
        for lot in bought.lots:
            owned[lot.piece] += lot.count
        for lot in bought.lots:
            piece, limit = catalogue.by_name[lot.piece], catalogue.limit(lot.piece, owned)
            if not piece.for_sale:
                self.complain("turn_not_for_sale", "608", piece=lot.piece)
            elif limit is not None and owned[lot.piece] > limit:
                facts = {"piece": lot.piece, "limit": limit, "owned": owned[lot.piece] - lot.count}
                self.complain("turn_over_limit", "608", **facts, count=lot.count)
        counts = {lot.piece: lot.count for lot in bought.lots}
        for piece in catalogue.types:  # 911, 912: what is bought may lower another's limit
            for other in piece.limit_if_other if piece.name not in counts else ():
                have, count = owned[piece.name], owned[other.piece]
                falls = count - counts.get(other.piece, 0) < other.least <= count
                if falls and have > other.limit:
                    facts = {"piece": piece.name, "owned": have, "limit": other.limit}
                    self.complain("turn_limit_falls", "608", **facts, bought=other.piece, count=count)
        cost = sum(catalogue.by_name[lot.piece].price * lot.count for lot in bought.lots)
        if self.cost + cost > self.money:
            self.complain("cannot_pay", "608", cost=self.cost + cost, money=self.money)
        faulty = len(self.complaints) > before
        if not bought.whole or not all(catalogue.by_name[lot.piece].for_sale for lot in bought.lots):
            return None  # what it all costs hangs on what is wrong with it
        self.cost += cost
        self.bought.update(counts)
        self._sums(bought, cost)
        if faulty or not bought.lots:
            return None
        did = (ev.PiecesBought(self.seat, bought.lots, cost),)
        return Judged(bought, Bought(bought.lots, cost), did=did)

    def _sums(self, bought: Bought, cost: int) -> None:
        """A sum stands for its own line, or for all lines down to it."""
        if not bought.lots:
            return
        if bought.sum is None and bought.total is None:
            self.unsummed += cost
            self.unsummed_part = self.unsummed_part or self.part
            return
        if bought.sum is not None and bought.sum not in (cost, self.cost):
            self.complain("sum_false", "608", stated=bought.sum, cost=cost)
        elif bought.total is not None and bought.total != self.cost:
            self.complain("sum_false", "608", stated=bought.total, cost=self.cost)
        if self.cost in (bought.sum, bought.total) or bought.sum != cost:
            self.unsummed, self.unsummed_part = 0, ""

    def _end(self) -> None:
        entries = self.turn.entries
        unread = [entry.text.casefold() for entry in entries if isinstance(entry, Unread)]
        passed = next(
            (reading.part_of(i) for i, entry in enumerate(entries) if isinstance(entry, Passed)), ""
        )
        self._neutron_time()
        if not self.ran and self.could_run and not any("neutron" in text for text in unread):
            self.complain("neutron_missing", "607.B.i", square=NAMES[self.position.neutron])
        if self.unsummed and self.strict:
            self.add(fault("sum_missing", "608", self.unsummed_part, cost=self.unsummed))
        if self.passed and (self.moves_in_time if self.belated else self.moves):
            self.add(fault("pass_and_moves", "607.B.ii", passed, moves=self.moves))
        if self.over:
            return
        if not self.passed and not self.moves and self.strict and not unread:
            self.complain("nothing_made", "607.B.ii")
        still = not self.moves and not self.lost
        if still and moves.in_check(self.position, self.seat) and moves.remedy(self.state, self.seat):
            by = tuple(moves.checkers(self.position, self.seat))  # ruling 11: only where nothing helps
            self.add(fault("pass_in_check", "607.B.ii", passed, players=by))


def judge(state: ev.State, seat: int, turn: Turn) -> Judgement:
    """Every reason against a submission, and what its lines do."""
    first = Judgement(state, seat, turn).gone_through()
    if any(judged.stated is None for judged in first.judged):
        second = Judgement(state, seat, turn, as_meant=True).gone_through()
        first.complaints = list(_standing(first.complaints, second.complaints))
    return first


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


def _removed(taken: Taken, by: int | None) -> Iterator[ev.Event]:
    how: Literal["captured", "destroyed"] = "captured" if by is not None else "destroyed"
    returns = taken.mascot and by is not None  # a Mascot destroyed by the Neutron is gone
    yield ev.PieceRemoved(taken.id, taken.piece, taken.owner, taken.square, how, by, returns)
    if taken.piece == ev.KING:
        yield ev.KingRemoved(taken.owner, how)


def taken_by(state: ev.State, position: Position, captures: Sequence[int]) -> tuple[Taken, ...]:
    """The pieces on the squares, before they are taken."""
    mascots = {piece.id for piece in state.pieces if piece.mascot} if captures else set()
    return tuple(
        Taken(who, position.name(square), position.cells[square] & 7, NAMES[square], who in mascots)
        for square in captures
        for who in (position.identities[square],)
    )


def step_of(state: ev.State, position: Position, move: Move) -> Step:
    """A move as a line says it, with what it takes; of a shot also where that stands, though its piece stays."""
    shot = move.start == move.end and not move.via
    taken = taken_by(state, position, move.captures)
    claims = tuple(Claim("capture", one.piece, one.owner, one.square if shot else "") for one in taken)
    return Step(position.name(move.start), shortest_squares(position, move), claims)


def _passes(via: Sequence[int], through: Sequence[int]) -> bool:
    """Whether the squares stated lie on the way, in order."""
    rest = iter(via)
    return all(square in rest for square in through)


def _ways(moves: Sequence[Move]) -> list[str]:
    """The first few of the moves, square by square."""
    ways = ("-".join(NAMES[s] for s in (move.start, *move.via, move.end)) for move in moves)
    return list(dict.fromkeys(ways))[:6]


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
