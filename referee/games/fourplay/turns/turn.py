"""The Turn (606-610), or its lapse (612): how it is asked for, and what it brings about; a faulty turn mended as far as
may be, each line with all that it states (611, part 4); the turns that there are, said line by line, each on the board
that the lines before it leave (`Answer.possible`); one as a seeded player might make it, for rehearsals and laws only:
it takes a King when it can, else the best it sees, else goes near. Such players end their matches."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from referee.core.answers import Body, Form, Named, Part, Party, Reading, Said, pointed_at
from referee.core.chance import Chance
from referee.core.diagram import Mark
from referee.core.orders.keyed import bare, comment_lines, left_out
from referee.core.value import Complaint, Demand, Line, fault
from referee.games.fourplay.board import moves as kernel
from referee.games.fourplay.board.catalogue import called, catalogue_of
from referee.games.fourplay.board.moves import Position, neutron_runs
from referee.games.fourplay.board.primitives import NAMES, NUMBERS, OFF, SIDE, Move
from referee.games.fourplay.cycles import next_turn, resigned
from referee.games.fourplay.forms.declarations import Leave, leave_text, parse_leave
from referee.games.fourplay.forms.fields import RESIGNATIONS, SLOT, Sent, lots_named, tidied
from referee.games.fourplay.state import CENTRE, NEUTRON, LastTurn, Lot, Record, State, TurnPassed, TurnTaken
from referee.games.fourplay.turns import reading
from referee.games.fourplay.turns.judging import Judged, Judgement, judge, step_of, taken_by
from referee.games.fourplay.turns.reading import Bought, Claim, Entry, Passed, Step, Turn, Unread, part_of


class TurnAnswer(Sent[Turn | Leave]):
    """A whole submission; a resignation may stand in its place."""

    kind = "Turn"
    clause = "607"

    def parse(self, state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[Turn | Leave]:
        catalogue = catalogue_of(state.rules.pieces)
        others = [line for line in lines if bare(line.text) not in RESIGNATIONS]
        if len(others) < len(lines) and reading.parse_turn(others, catalogue).action is None:
            return parse_leave(state, lines, party)
        return reading.parse_turn(lines, catalogue, state.rules.statements == "lenient")

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """The Neutron's runs first, then moves, placements, a pass, purchases of the pieces that are
        named. What a line states is worked out only of those that are pointed at."""
        if state.phase != "play" or state.to_move != demand.seat:
            return
        catalogue = catalogue_of(state.rules.pieces)
        turn = reading.parse_turn(Body.of("\n".join(said)).lines, catalogue).action or Turn(())
        now = Judgement(state, demand.seat, turn, as_meant=True)
        for entry in turn.entries:
            now.take(entry)
        ways: dict[Part, Callable[[], Entry]] = {}
        for part, whole in _ways(now, named):
            ways.setdefault(part, whole)
        found = [*pointed_at(ways, named)]
        if len(found) > _MOST:
            found.sort(key=lambda part: -len({role for role, value in part.slots if value in named}))
        told: dict[Part, None] = {}  # what is lent may be a piece's own move too
        for part in found[:_MOST]:
            entry = ways[part]()
            entry = now.whole(entry) if isinstance(entry, Step) else entry
            group = "state" if isinstance(entry, Step) and entry.claims else part.group
            told[replace(part, line=reading.render_entry(entry), group=group)] = None
        yield from told

    def check(self, state: State, demand: Demand, action: Turn | Leave) -> Iterable[Complaint]:
        if isinstance(action, Leave):
            return ()
        true = {"player": demand.seat, "round": state.round, "cycle": state.cycle}
        false = (  # where the submission states them (610.a)
            fault("turn_header_false", "610.a", key, key=key.title(), stated=said, really=really)
            for key, really in true.items()
            if (said := getattr(action, key)) not in (None, really)
        )
        return (*false, *judge(state, demand.seat, action).complaints)

    def write(self, state: State, demand: Demand, action: Turn | Leave) -> str:
        return leave_text(action) if isinstance(action, Leave) else reading.render_turn(action)

    def head(self, state: State, party: Party, action: Turn | Leave | None) -> list[str]:
        if isinstance(action, Leave):
            return []
        name = [f"Name: {party.name}"] if party.name else []
        return [*name, f"Player: {party.number}", f"Round: {state.round}", f"Cycle: {state.cycle}"]

    def blank(self, state: State, seat: int) -> list[str]:
        return [*map(reading.render_entry, (*neutron_slot(state), Passed())), f"Purchase: {SLOT}"]

    def filled_in(self, state: State, demand: Demand, action: Turn | Leave) -> str:
        if isinstance(action, Leave):
            return leave_text(action)
        return "\n".join([*reading.form_entries(action.entries), *comment_lines(action.comment)])

    def mended(self, state: State, demand: Demand, draft: Reading[Turn | Leave]) -> Form:
        if (said := draft.action) is None:
            passes = ("I found no move of yours; as the form stands, you pass.",) if draft.orders else ()
            return Form("\n".join(self.blank(state, demand.seat)), passes)
        if isinstance(said, Leave):
            return Form(leave_text(said), left_out(c.line for c in draft.complaints))
        mending = _Mending(state, demand.seat, draft.lines)
        lines = [*reading.form_entries(mending.entries(said)), *comment_lines(said.comment)]
        return Form("\n".join(lines), tuple(dict.fromkeys(mending.chosen)))

    def act(self, record: Record, seat: int, action: Turn | Leave) -> None:
        state = record.state
        if isinstance(action, Leave):
            record.tell(*resigned(state, seat, action.comment))
            return
        judgement = judge(state, seat, action)
        lines = [*map(reading.render_entry, judgement.stated)]
        told = f"The last turn, of Player {seat}: {'; '.join(lines)}."
        last = LastTurn(seat, tuple(_marks(judgement)), (told,))
        record.tell(TurnTaken(seat, state.cycle, state.round, "\n".join(lines), last, action.comment))
        record.tell(*(event for judged in judgement.judged for event in judged.did))
        record.tell(*next_turn(record.state))

    def lapse(self, record: Record, demand: Demand) -> None:
        state = record.state
        record.tell(TurnPassed(demand.seat, state.cycle, state.round, "time"))
        record.tell(*next_turn(record.state))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Turn | Leave:
        """After many rounds all but the leader give up, so that every match ends."""
        if state.round > PATIENCE and demand.seat != leader(state):
            return Leave()
        start, seat = Position.of(state), demand.seat
        runs = chance.shuffle(neutron_runs(start), "the Neutron's run")
        # with the first run of the Neutron after which all goes well, else a pass
        for run in sorted(runs, key=lambda run: _run_worth(start, seat, run), reverse=True) or (None,):
            position = Position.of(state, seat)
            if run is not None:
                kernel.run_neutron(position, run)
            entries, position = _moved_on(state, position, seat, chance)
            if position.kings[seat] < 0 or not kernel.in_check(position, seat):
                return _turn(state, seat, run, entries, chance)
        return _turn(state, seat, runs[0] if runs else None, [], chance)


def _marks(judgement: Judgement) -> Iterator[Mark]:
    """Where the turn's pieces began and ended, and what was taken."""
    for judged in judgement.judged:
        if not isinstance(step := judged.stated, Step):
            continue
        if not step.placing:
            yield Mark(step.squares[0], "from")
        destroyed = (judged.effect.destroyed,) if judged.effect.destroyed else ()
        for taken in (*judged.effect.captures, *destroyed):
            yield Mark(taken.square, "captured")
        yield Mark(CENTRE if judged.effect.gem is not None else step.squares[-1], "to")


_MENDINGS: Final = 4  # a mended turn is judged again: one line's mending may change what others bring about
_RETURNED: Final = ", Mascot returned"


class _Mending:
    """A turn with true statements, every line of it kept but those that can't stand in any turn now; `lines` are those
    of the draft's parts. `chosen` is what the writer did not say so; `guessed` are lines without
    a piece, read as those of the piece that stands there: their faults were not named, so their squares stay."""

    def __init__(self, state: State, seat: int, lines: Mapping[str, Line]) -> None:
        self.state, self.seat, self.lines = state, seat, lines
        self.chosen: list[str] = []
        self.guessed: set[Step] = set()

    def entries(self, draft: Turn) -> tuple[Entry, ...]:
        entries = draft.entries
        bought = [entry for entry in entries if isinstance(entry, Bought)]
        if len(bought) > 1 and all(each.whole for each in bought):  # as one, whose sum is still to be said
            counts = Counter[str]()
            for lot in (lot for each in bought for lot in each.lots):
                counts[lot.piece] += lot.count
            rest = [entry for entry in entries if not isinstance(entry, Bought)]
            entries = (*rest, Bought(tuple(Lot(piece, count) for piece, count in counts.items())))
        entries = tuple(self._named(entry, part_of(place)) for place, entry in enumerate(entries))
        for _ in range(_MENDINGS):
            before, entries = entries, self._mended(replace(draft, entries=entries))
            if entries == before:
                break
        return entries

    def _named(self, entry: Entry, part: str) -> Entry:
        """A line that does not name its piece, or wrongly, with the one that stands on its first
        square; a line that lacks squares, with a place for them."""
        match entry:
            case Unread(piece=piece) if piece:
                return self._with_slot(entry)
            case Unread(text=text):  # perhaps two squares or more and nothing else (`h8-h15`)
                route = reading.TAKES.sub("-", tidied(text))
                alone = reading.ROUTE.fullmatch(route) is not None
                squares = tuple(square for square in reading.way(route) if alone and square != OFF)
                there = self.state.at(squares[0]) if len(squares) > 1 else None
                known = there is not None and there.owner in (self.seat, None)
                if there is None or not known or not all(square in NUMBERS for square in squares):
                    return entry
                self.guessed.add(step := Step(there.type, squares))
                return step
            case Bought(whole=False) if part in self.lines:
                return Unread(tidied(self.lines[part].text))
            case Step(squares=squares) if all(square in NUMBERS for square in squares):
                return self._renamed(entry)
        return entry

    def _with_slot(self, entry: Unread) -> Entry:
        """`Pawn: i10-...` for a line that names no second square; from where the player's only
        piece of the kind stands where it names none at all, or only where it ends."""
        squares = [word.lower() for word in re.findall(rf"\b{reading.STOP}\b", entry.text, re.I)]
        if len(squares) > 1:
            return entry
        owner = None if entry.piece == NEUTRON else self.seat
        pieces = self.state.on_board()
        stand = [p.square or "" for p in pieces if p.type == entry.piece and p.owner == owner]
        only = stand[0] if len(stand) == 1 else ""
        if only and squares and squares[0] != only and squares[0] in NUMBERS:
            return Step(entry.piece, (only, squares[0]))
        start = squares[0] if squares and squares[0] in NUMBERS else only
        return replace(entry, text=reading.slot(entry.piece, start))

    def _renamed(self, entry: Step) -> Step:
        there = self.state.at(entry.squares[0])
        if there is not None and not entry.piece and there.owner in (self.seat, None):
            return replace(entry, piece=there.type)
        if there is None or there.owner != self.seat or entry.piece in (there.type, NEUTRON):
            return entry
        stands = f"On {entry.squares[0]} stands your {there.type}"
        self.chosen.append(f"{stands}; I wrote that instead of {entry.piece}.")
        return replace(entry, piece=there.type)

    def _mended(self, draft: Turn) -> tuple[Entry, ...]:
        """The turn with what one judging of it finds."""
        judgement = judge(self.state, self.seat, draft)
        codes = {complaint.code for complaint in judgement.complaints}
        entries = [self._stated(judged) for judged in judgement.judged if not judged.idle]
        if "neutron_missing" in codes:
            entries = [*neutron_slot(self.state), *entries]
        moved = any(isinstance(e, Unread) or (isinstance(e, Step) and e.piece != NEUTRON) for e in entries)
        if "nothing_made" in codes and not moved:
            entries.append(Passed())
            self.chosen.append("You state no move of your own: I wrote `Pass`.")
        return tuple(sorted(entries, key=_place))

    def _stated(self, judged: Judged) -> Entry:
        entry, stated = judged.entry, judged.stated or judged.entry
        if not isinstance(entry, Step):
            return stated
        if judged.stated is None and entry.placing and not entry.claiming("mascot_returned"):
            alike = [p.mascot for p in self.state.off_board(self.seat) if p.type == entry.piece]
            if alike and all(alike):  # a Mascot put back as if it were placed
                return replace(entry, claims=(Claim("mascot_returned"),))
        elsewhere = isinstance(stated, Step) and entry.squares[-1] != stated.squares[-1]
        return entry if entry in self.guessed and elsewhere else stated


def _place(entry: Entry) -> int:
    """The Mascot's return first, then the Neutron, the purchase last; the rest as written."""
    text = entry.text if isinstance(entry, Unread) else reading.render_entry(entry)
    if text.endswith(_RETURNED) or (isinstance(entry, Step) and entry.claiming("mascot_returned")):
        return 0
    return {NEUTRON: 1, "Purchase": 3}.get(text.partition(":")[0], 2)


def neutron_slot(state: State) -> tuple[Entry, ...]:
    """The Neutron's line to fill in, where it must be moved."""
    position = Position.of(state)
    return (Unread(reading.slot(NEUTRON, NAMES[position.neutron])),) if neutron_runs(position) else ()


# --- what may be said -----------------------------------------------------------------------------------------------


_MOST: Final = 64  # lines whose statements are worked out, those first that share most with what is named
# What names a line, without what it states; the line with what tells it from others.
Way = tuple[Part, Callable[[], Entry]]


def _ways(now: Judgement, named: Named) -> Iterator[Way]:
    catalogue, owned = now.position.catalogue, now.position.owned(now.seat)
    owned = {name: owned.get(name, 0) + now.bought[name] for name in {*owned, *now.bought}}
    # what can be paid for and owned (608), in numbers or at a sum that is named: a piece alone moves
    for piece, count in lots_named(catalogue, owned, now.money - now.cost, named) if not now.over else ():
        sums = (("count", str(count)), ("sum", str(count * piece.price)))
        if said := [slot for slot in sums if slot[1] in named]:
            bought = Bought((Lot(piece.name, count),), count * piece.price)
            slots = (*said, *(("piece", word) for word in called(piece)))
            yield Part(f"Purchase: {count} {piece.name}", slots), partial(replace, bought)
    if not now.purchased:
        if not (now.ran or now.over):
            for run in neutron_runs(now.position):
                yield _step(now, NEUTRON, (NAMES[run.start], NAMES[run.end]))
        yield from _own(now, named)
        if not (now.moves or now.passed):
            yield Part("Pass", (), "pass"), Passed


def _own(now: Judgement, named: Named) -> Iterator[Way]:
    """The Mascot's return, moves and placements, as many as may still be made (607.B.ii)."""
    numbers = now.position.catalogue.numbers
    for mascot in (piece for piece in now.off if piece.mascot and not now.begun):
        for square in kernel.placements(now.position, now.seat, numbers[mascot.type]):
            yield _step(now, mascot.type, (OFF, NAMES[square]), ("what", "mascot"))
    if now.over or now.passed or now.moves >= len(now.kings) - 1:
        return
    for square in sorted(now.position.men[now.seat]):
        if now.position.identities[square] not in now.moved:
            yield from (_move(now, move, named) for move in kernel.moves_from(now.position, square))
    for name in dict.fromkeys(piece.type for piece in now.off if not piece.mascot):
        for square in kernel.placements(now.position, now.seat, numbers[name]):
            yield _step(now, name, (OFF, NAMES[square]))


def _move(now: Judgement, move: Move, named: Named) -> Way:
    """A shot goes to what it takes, though its piece stays. What is on the way, and what is taken,
    are told of where they are named."""
    position = now.position
    facts = [("over", NAMES[square]) for square in move.via if NAMES[square] in named]
    for one in taken_by(now.state, position, move.captures):
        words = called(position.catalogue.by_name[one.piece])
        facts += [("taken", word) for word in words if not set(words).isdisjoint(named)]
        facts += [("whose", f"player {one.owner}")] if f"player {one.owner}" in named else []
    shot = move.start == move.end and not move.via
    stops = (move.start, *(move.captures if shot else (*move.via, move.end)))
    part, _ = _step(now, position.name(move.start), tuple(NAMES[square] for square in stops), *facts)
    return part, partial(step_of, now.state, position, move)


def _step(now: Judgement, name: str, squares: tuple[str, ...], *facts: tuple[str, str]) -> Way:
    """What names a step: its piece, its first and its last square, and what else it names."""
    words = called(now.position.catalogue.by_name[name])
    back = (Claim("mascot_returned"),) if squares[0] == OFF and facts else ()  # none else has facts
    slots = (*(("piece", word) for word in words), ("from", squares[0]), ("to", squares[-1]), *facts)
    line = f"{name}: {'-'.join(squares)}{_RETURNED if back else ''}"
    return Part(line, slots), partial(Step, name, squares, back)


# --- seeded players -------------------------------------------------------------------------------------------------


_KING: Final = 10_000
_BUYS: Final = 4  # one turn in so many buys something
PATIENCE: Final = 60  # rounds after which those who do not lead give up
_WANDERS: Final = 6  # the largest share of chance in a move's worth


def leader(state: State) -> int:
    """The player with a King who has most material on the board, the first of them in order."""
    types = catalogue_of(state.rules.pieces).by_name
    worth = {
        seat: sum(types[p.type].value for p in state.on_board() if p.owner == seat) for seat in state.kings
    }
    return max(worth, key=lambda seat: (worth[seat], -seat))


def _run_worth(position: Position, seat: int, run: kernel.NeutronRun) -> int:
    """A Gem is good, one's own piece destroyed is bad, one's own King destroyed is the end."""
    gone, worth = run.destroyed, 3 if run.gem == seat else 0
    if gone is None:
        return worth
    mine = position.cells[gone] & 7 == seat
    king = position.cells[gone] >> 4 == position.king
    return worth + (-1 if mine else 1) * (_KING if king else 5)


def _turn(
    state: State, seat: int, run: kernel.NeutronRun | None, entries: list[Entry], chance: Chance
) -> Turn:
    """The lines with their statements, as the judge finds them; a purchase now and then."""
    first: list[Entry] = [Step(NEUTRON, (NAMES[run.start], NAMES[run.end]))] if run is not None else []
    judged = judge(state, seat, Turn((*first, *entries)))
    told = judged.stated
    if judged.over:
        return Turn(told)
    if not entries:
        told = (*told, Passed())
    earned = sum(played.effect.received for played in judged.judged)
    bought = _purchase(state, seat, state.player(seat).money + earned, chance)
    whole = Turn((*told, bought) if bought is not None else told)
    # what the turn itself has brought in counts among what one owns (608)
    return whole if bought is None or not judge(state, seat, whole).complaints else Turn(told)


def _purchase(state: State, seat: int, money: int, chance: Chance) -> Bought | None:
    """One piece that can be paid and owned, now and then."""
    if chance.below(_BUYS, "whether to buy"):
        return None
    catalogue, owned = catalogue_of(state.rules.pieces), Position.of(state).owned(seat)
    affordable = [piece for piece in catalogue.types if piece.for_sale and piece.price <= money]
    if not (wanted := [piece for piece in affordable if catalogue.one_more(piece.name, owned)]):
        return None
    piece = wanted[chance.below(len(wanted), "what to buy")]
    return Bought((Lot(piece.name, 1),), piece.price)


# What a piece may do: the board after it, which piece, whom it takes from, and the line that says it.
_Try = tuple[Position, int, set[int], Entry]


def _moved_on(state: State, position: Position, seat: int, chance: Chance) -> tuple[list[Entry], Position]:
    """As many good moves as are allowed, each legal on the board after the one before, and the board after them all."""
    found: list[Entry] = []
    moved, annoyed = set[int](), set[int]()
    allowed = len(Position.of(state).seats_with_king()) - 1
    while len(found) < allowed and position.kings[seat] >= 0 and len(position.seats_with_king()) > 1:
        before = set(kernel.attacked_kings(position, seat))
        for after, identity, toward, step in _tries(state, position, seat, chance, moved):
            toward |= set(kernel.attacked_kings(after, seat)) - before
            if not (toward & annoyed or kernel.in_check(after, seat)):
                position, annoyed = after, annoyed | toward
                moved.add(identity)
                found.append(step)
                break
        else:
            break
    return found, position


def _tries(state: State, position: Position, seat: int, chance: Chance, moved: set[int]) -> Iterator[_Try]:
    """The moves there are, the best first; then pieces from off the board."""
    free = [square for square in position.men[seat] if position.identities[square] not in moved]
    moves = [move for square in sorted(free) for move in kernel.moves_from(position, square)]
    kings = [square for owner, square in enumerate(position.kings) if square >= 0 and owner != seat]
    charm = [chance.below(_WANDERS, "a move's charm") for _ in moves]
    worth = [_worth(position, move, kings) + more for move, more in zip(moves, charm, strict=True)]
    for index in sorted(range(len(moves)), key=lambda index: -worth[index]):
        move = moves[index]
        step, after = step_of(state, position, move), position.copied()
        after.play(move)
        yield after, position.identities[move.start], {claim.player for claim in step.claims}, step
    for piece in (piece for piece in state.off_board(seat) if not piece.mascot and piece.id not in moved):
        kind = position.catalogue.numbers[piece.type]
        for square in chance.shuffle(kernel.placements(position, seat, kind), "where to place"):
            after = position.copied()
            after.place(square, seat, kind, piece.id)
            yield after, piece.id, set(), Step(piece.type, (OFF, NAMES[square]))


def _worth(position: Position, move: Move, kings: list[int]) -> int:
    """Captures by value, above all a King; else every square nearer to a King; one's own King stays at home."""
    worth = 0
    for square in move.captures:
        kind = position.cells[square] >> 4
        worth += _KING if kind == position.king else 20 + 10 * position.catalogue.types[kind].value
    if position.cells[move.start] >> 4 == position.king:
        return worth - 5
    far, near = (  # in King's steps
        min(max(abs(s % SIDE - king % SIDE), abs(s // SIDE - king // SIDE)) for king in kings)
        for s in (move.start, move.end)
    )
    return worth + far - near
