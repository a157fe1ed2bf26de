"""What may be said of a turn, line by line, each on the board that the lines before it leave (`Answer.possible`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from referee.core.answers import Body, Part, pointed_at
from referee.games.fourplay.actions import Bought, Claim, Entry, Passed, Step, Turn
from referee.games.fourplay.board.attack import attacked_kings
from referee.games.fourplay.board.catalogue import called
from referee.games.fourplay.board.moves import NeutronRun, moves_from, neutron_runs, placements
from referee.games.fourplay.board.primitives import Move
from referee.games.fourplay.board.squares import NAMES, OFF
from referee.games.fourplay.forms.lots import lots_named
from referee.games.fourplay.state import NEUTRON, Lot, State
from referee.games.fourplay.turns.effect import Effect, statement
from referee.games.fourplay.turns.judging import so_far
from referee.games.fourplay.turns.lines import written_entry
from referee.games.fourplay.turns.paths import shortest_squares, taken_by, taken_on
from referee.games.fourplay.turns.reading import read_turn_lines
from referee.games.fourplay.turns.steps import truth
from referee.games.fourplay.turns.turn_state import TurnState

_MOST: Final = 64  # lines whose statements are worked out, those first that share most with what is named
# What names a line, without what it states; the line with all that it states.
Way = tuple[Part, Callable[[], Entry]]


def possible(state: State, seat: int, said: Sequence[str], named: Collection[str]) -> Iterator[Part]:
    """The Neutron's runs first, then moves, placements, a pass, purchases of the pieces that are
    named. What a line states is worked out only of those that are pointed at."""
    if state.phase != "play" or state.to_move != seat:
        return
    begun = TurnState(state, seat, as_meant=True)
    turn = read_turn_lines(Body.of("\n".join(said)).lines, begun.position.catalogue).action
    now = so_far(begun, turn or Turn(()))
    ways: dict[Part, Callable[[], Entry]] = {}
    for part, entry in _ways(now, named):
        ways.setdefault(part, entry)
    found = [*pointed_at(ways, named)]
    if len(found) > _MOST:
        found.sort(key=lambda part: -len({role for role, value in part.slots if value in named}))
    entries = ((part, ways[part]()) for part in found[:_MOST])
    told = (
        replace(
            part,
            line=written_entry(entry),
            group="state" if isinstance(entry, Step) and entry.claims else part.group,
        )
        for part, entry in entries
    )
    yield from dict.fromkeys(told)  # what is lent may be a piece's own move too


def _ways(now: TurnState, named: Collection[str]) -> Iterator[Way]:
    if not now.purchased:
        if not (now.ran or now.over):
            yield from (_run(now, run) for run in neutron_runs(now.position))
        yield from _own(now, named)
        if not (now.moves or now.passed):
            yield Part("Pass", (), "pass"), Passed
    if not now.over:
        yield from _purchases(now, named)


def _run(now: TurnState, run: NeutronRun) -> Way:
    squares = (NAMES[run.start], NAMES[run.end])

    def entry() -> Entry:
        gone = run.destroyed
        destroyed = taken_on(now.state, now.position, gone) if gone is not None else None
        return Step(NEUTRON, squares, statement(Effect(gem=run.gem, destroyed=destroyed)))

    return _part(now, NEUTRON, squares), entry


def _own(now: TurnState, named: Collection[str]) -> Iterator[Way]:
    """The Mascot's return, moves and placements, as many as may still be made (607.B.ii)."""
    numbers = now.position.catalogue.numbers
    first = not (now.ran or now.moves or now.passed)
    for mascot in (piece for piece in now.off if piece.mascot and first):
        for square in placements(now.position, now.seat, numbers[mascot.type]):
            squares = (OFF, NAMES[square])
            step = Step(mascot.type, squares, (Claim("mascot_returned"),))
            yield _part(now, mascot.type, squares, ("what", "mascot")), partial(replace, step)
    if now.over or now.passed or now.moves >= len(now.kings) - 1:
        return
    before = attacked_kings(now.position, now.seat)
    for square in sorted(now.position.men[now.seat]):
        if now.position.identities[square] not in now.moved:
            yield from (_move(now, move, before, named) for move in moves_from(now.position, square))
    for name in dict.fromkeys(piece.type for piece in now.off if not piece.mascot):
        for square in placements(now.position, now.seat, numbers[name]):
            yield _part(now, name, (OFF, NAMES[square])), partial(_placed, now, name, square, before)


def _move(now: TurnState, move: Move, before: tuple[int, ...], named: Collection[str]) -> Way:
    """A shot goes to what it takes, though its piece stays. What is on the way, and what is taken,
    are told of where they are named."""
    position, kind = now.position, now.position.cells[move.start] >> 4
    taken = taken_by(now.state, position, move.captures)
    facts = [("over", NAMES[square]) for square in move.via if NAMES[square] in named]
    for one in taken:
        words = called(position.catalogue.by_name[one.piece])
        facts += [("taken", word) for word in words if not set(words).isdisjoint(named)]
        facts += [("whose", f"player {one.owner}")] if f"player {one.owner}" in named else []
    shot = move.start == move.end and not move.via
    stops = (move.start, *(move.captures if shot else (*move.via, move.end)))

    def entry() -> Entry:
        squares = shortest_squares(position, move)
        undo = position.play(move)
        claims = statement(truth(now, move, taken, kind, before))
        position.undo(undo)
        return Step(position.named(kind), squares, claims)

    return _part(now, position.named(kind), [NAMES[square] for square in stops], *facts), entry


def _placed(now: TurnState, name: str, square: int, before: tuple[int, ...]) -> Entry:
    position, kind = now.position, now.position.catalogue.numbers[name]
    with position.placed(square, now.seat, kind):
        aggressive = now.aggressive((), before)
    effect = Effect(aggressive=aggressive, mascot_named=name == now.waiting_mascot)
    return Step(name, (OFF, NAMES[square]), statement(effect))


def _purchases(now: TurnState, named: Collection[str]) -> Iterator[Way]:
    """What can be paid for and owned (608), in each number that is named: a piece alone is one that moves."""
    catalogue, owned = now.position.catalogue, now.position.owned(now.seat)
    owned = {name: owned.get(name, 0) + now.bought[name] for name in {*owned, *now.bought}}
    for piece, count in lots_named(catalogue, owned, now.money - now.cost, named):
        if str(count) not in named:
            continue
        bought = Bought((Lot(piece.name, count),), count * piece.price)
        slots = (("count", str(count)), *(("piece", word) for word in called(piece)))
        yield Part(f"Purchase: {count} {piece.name}", slots), partial(replace, bought)


def _part(now: TurnState, name: str, squares: Sequence[str], *facts: tuple[str, str]) -> Part:
    """What names a step: its piece, its first and its last square, and what else it names."""
    words = called(now.position.catalogue.by_name[name])
    slots = (*(("piece", word) for word in words), ("from", squares[0]), ("to", squares[-1]), *facts)
    return Part(f"{name}: {'-'.join(squares)}", slots)
