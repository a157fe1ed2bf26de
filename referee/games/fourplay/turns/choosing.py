"""The turns that there are: what may be said of one, line by line, each on the board that the lines before it leave
(`Answer.possible`); a legal turn as a seeded player might make it, for rehearsals and laws only: it takes a King when
it can, else the best it sees, else goes near. Such players end their matches: they prefer captures to all else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from referee.core.answers import Body, Named, Part, Said, pointed_at
from referee.core.chance import Chance
from referee.games.fourplay.board import moves as kernel
from referee.games.fourplay.board.catalogue import called, catalogue_of
from referee.games.fourplay.board.moves import Position
from referee.games.fourplay.board.primitives import NAMES, OFF, SIDE, Move
from referee.games.fourplay.forms.fields import lots_named
from referee.games.fourplay.state import NEUTRON, Lot, State
from referee.games.fourplay.turns import judging
from referee.games.fourplay.turns.judging import Judgement
from referee.games.fourplay.turns.reading import Bought, Entry, Passed, Step, Turn, parse_turn, render_entry
from referee.games.fourplay.turns.statements import Claim, Effect, statement

_MOST: Final = 64  # lines whose statements are worked out, those first that share most with what is named
# What names a line, without what it states; the line with all that it states.
Way = tuple[Part, Callable[[], Entry]]


def possible(state: State, seat: int, said: Said, named: Named) -> Iterator[Part]:
    """The Neutron's runs first, then moves, placements, a pass, purchases of the pieces that are
    named. What a line states is worked out only of those that are pointed at."""
    if state.phase != "play" or state.to_move != seat:
        return
    catalogue = catalogue_of(state.rules.pieces)
    turn = parse_turn(Body.of("\n".join(said)).lines, catalogue).action or Turn(())
    now = Judgement(state, seat, turn, as_meant=True)
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
        said_so = ways[part]()
        group = "state" if isinstance(said_so, Step) and said_so.claims else part.group
        told[replace(part, line=render_entry(said_so), group=group)] = None
    yield from told


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
            yield from (_run(now, run) for run in kernel.neutron_runs(now.position))
        yield from _own(now, named)
        if not (now.moves or now.passed):
            yield Part("Pass", (), "pass"), Passed


def _run(now: Judgement, run: kernel.NeutronRun) -> Way:
    squares = (NAMES[run.start], NAMES[run.end])
    return _part(now, NEUTRON, squares), lambda: Step(NEUTRON, squares, statement(now.neutron_effect(run)))


def _own(now: Judgement, named: Named) -> Iterator[Way]:
    """The Mascot's return, moves and placements, as many as may still be made (607.B.ii)."""
    numbers = now.position.catalogue.numbers
    for mascot in (piece for piece in now.off if piece.mascot and not now.begun):
        for square in kernel.placements(now.position, now.seat, numbers[mascot.type]):
            squares = (OFF, NAMES[square])
            step = Step(mascot.type, squares, (Claim("mascot_returned"),))
            yield _part(now, mascot.type, squares, ("what", "mascot")), partial(replace, step)
    if now.over or now.passed or now.moves >= len(now.kings) - 1:
        return
    before = kernel.attacked_kings(now.position, now.seat)
    for square in sorted(now.position.men[now.seat]):
        if now.position.identities[square] not in now.moved:
            yield from (_move(now, move, before, named) for move in kernel.moves_from(now.position, square))
    for name in dict.fromkeys(piece.type for piece in now.off if not piece.mascot):
        for square in kernel.placements(now.position, now.seat, numbers[name]):
            yield _part(now, name, (OFF, NAMES[square])), partial(_placed, now, name, square, before)


def _move(now: Judgement, move: Move, before: tuple[int, ...], named: Named) -> Way:
    """A shot goes to what it takes, though its piece stays. What is on the way, and what is taken,
    are told of where they are named."""
    position, kind = now.position, now.position.cells[move.start] >> 4
    taken = judging.taken_by(now.state, position, move.captures)
    facts = [("over", NAMES[square]) for square in move.via if NAMES[square] in named]
    for one in taken:
        words = called(position.catalogue.by_name[one.piece])
        facts += [("taken", word) for word in words if not set(words).isdisjoint(named)]
        facts += [("whose", f"player {one.owner}")] if f"player {one.owner}" in named else []
    shot = move.start == move.end and not move.via
    stops = (move.start, *(move.captures if shot else (*move.via, move.end)))

    def entry() -> Entry:
        squares = judging.shortest_squares(position, move)
        now.position = position.copied()
        now.position.play(move)
        claims = statement(now.truth(move, taken, kind, before))
        now.position = position
        return Step(position.named(kind), squares, claims)

    return _part(now, position.named(kind), [NAMES[square] for square in stops], *facts), entry


def _placed(now: Judgement, name: str, square: int, before: tuple[int, ...]) -> Entry:
    position, kind = now.position, now.position.catalogue.numbers[name]
    now.position = position.copied()
    now.position.place(square, now.seat, kind, 0)
    aggressive = now.aggressive((), before)
    now.position = position
    effect = Effect(aggressive=aggressive, mascot_named=name == now.waiting_mascot)
    return Step(name, (OFF, NAMES[square]), statement(effect))


def _part(now: Judgement, name: str, squares: Sequence[str], *facts: tuple[str, str]) -> Part:
    """What names a step: its piece, its first and its last square, and what else it names."""
    words = called(now.position.catalogue.by_name[name])
    slots = (*(("piece", word) for word in words), ("from", squares[0]), ("to", squares[-1]), *facts)
    return Part(f"{name}: {'-'.join(squares)}", slots)


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


def suggested_turn(state: State, seat: int, chance: Chance) -> Turn:
    """A turn that passes `check`: with the first run of the Neutron after which all goes well, else a pass."""
    start = Position.of(state)
    runs = chance.shuffle(kernel.neutron_runs(start), "the Neutron's run")
    for run in sorted(runs, key=lambda run: _run_worth(start, seat, run), reverse=True) or (None,):
        position = Position.of(state, seat)
        if run is not None:
            kernel.run_neutron(position, run)
        entries, position = _moved_on(state, position, seat, chance)
        if position.kings[seat] < 0 or not kernel.in_check(position, seat):
            return _turn(state, seat, run, entries, chance)
    return _turn(state, seat, runs[0] if runs else None, [], chance)


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
    judged = judging.judge(state, seat, Turn((*first, *entries)))
    told = judged.stated
    if judged.over:
        return Turn(told)
    if not entries:
        told = (*told, Passed())
    earned = sum(played.effect.received for played in judged.judged)
    bought = _purchase(state, seat, state.player(seat).money + earned, chance)
    whole = Turn((*told, bought) if bought is not None else told)
    # what the turn itself has brought in counts among what one owns (608)
    return whole if bought is None or not judging.judge(state, seat, whole).complaints else Turn(told)


def _purchase(state: State, seat: int, money: int, chance: Chance) -> Bought | None:
    """One piece that can be paid and owned, now and then."""
    if chance.below(_BUYS, "whether to buy"):
        return None
    catalogue, owned = catalogue_of(state.rules.pieces), Position.of(state).owned(seat)
    affordable = [piece for piece in catalogue.types if piece.for_sale and piece.price <= money]
    wanted = [piece for piece in affordable if catalogue.one_more(piece.name, owned)]
    if not wanted:
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
        taken = judging.taken_by(state, position, move.captures)
        shot = move.start == move.end and not move.via
        claims = [Claim("capture", one.piece, one.owner, one.square if shot else "") for one in taken]
        after = position.copied()
        after.play(move)
        squares = judging.shortest_squares(position, move)
        step = Step(position.name(move.start), squares, tuple(claims))
        yield after, position.identities[move.start], {one.owner for one in taken}, step
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
