"""Which move a line means (610.c): the moves that its squares and statements leave, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.core.complaint import RuleText
from referee.games.fourplay.actions import Step
from referee.games.fourplay.board.moves import moves_from, unbound_moves
from referee.games.fourplay.board.position import NOBODY, Position
from referee.games.fourplay.board.squares import NAMES, NUMBERS, QUADRANTS
from referee.games.fourplay.board.ways import Move
from referee.games.fourplay.state import State
from referee.games.fourplay.turns.truth import Taken, fits

Fault = tuple[str, str, Mapping[str, object]]  # code, rule, facts


@dataclass(frozen=True, slots=True)
class Meant:
    """What a line means. With a fault beside a move, the move's effect on the board is certain all the same;
    `squares` are those that a statement of it must name."""

    move: Move | None
    fault: Fault | None = None
    squares: tuple[str, ...] = ()


def taken_by(state: State, position: Position, captures: Sequence[int]) -> tuple[Taken, ...]:
    """The pieces on the squares, before they are taken."""
    return tuple(taken_on(state, position, square) for square in captures)


def taken_on(state: State, position: Position, square: int) -> Taken:
    identity = position.identities[square]
    mascot = any(piece.id == identity and piece.mascot for piece in state.pieces)
    return Taken(identity, position.name(square), position.cells[square] & 7, NAMES[square], mascot)


def move_meant(state: State, position: Position, seat: int, step: Step) -> Meant:
    """The move of a line whose squares are all on the board."""
    start, end = NUMBERS[step.squares[0]], NUMBERS[step.squares[-1]]
    if (fault := _not_his(position, seat, step, start)) is not None:
        return Meant(None, fault)
    through = tuple(NUMBERS[square] for square in step.squares[1:-1])
    ending = [move for move in moves_from(position, start) if move.end == end]
    possible = [move for move in ending if _passes(move.via, through)]
    if not possible:
        return Meant(None, _why_not(position, seat, start, end, ending, step))
    fitting = [move for move in possible if fits(step.claims, taken_by(state, position, move.captures))]
    pool = fitting or possible
    pool = [move for move in pool if not move.granted] or pool  # ruling 3: else the statements decide
    if start == end and not pool[0].via:
        return _shot(position, step, pool)
    return _one_path(
        state, position, step, pool, [move for move in possible if move.granted == pool[0].granted]
    )


def _passes(via: Sequence[int], through: Sequence[int]) -> bool:
    """Whether the squares stated lie on the way, in order."""
    rest = iter(via)
    return all(square in rest for square in through)


def _shot(position: Position, step: Step, pool: Sequence[Move]) -> Meant:
    """A shot: several targets that fit the statements must be told apart by their squares."""
    if len({move.captures for move in pool}) == 1:
        return Meant(pool[0], squares=step.squares)
    targets = [
        {"piece": position.name(square), "player": position.cells[square] & 7, "square": NAMES[square]}
        for move in pool
        for square in move.captures
    ]
    return Meant(None, ("target_unclear", "610.c", {"targets": targets}))


def _one_path(
    state: State, position: Position, step: Step, pool: Sequence[Move], rivals: Sequence[Move]
) -> Meant:
    """One path must be left by the squares stated; lenient statements may leave several of the same effect."""
    paths = {move.via for move in rivals}
    if len(paths) == 1:
        return Meant(pool[0], squares=step.squares)
    same = len({move.captures for move in pool}) == 1
    squares = shortest_squares(position, pool[0])
    if state.rules.statements == "lenient" and same:
        return Meant(pool[0], squares=squares)
    ways = ["-".join(NAMES[s] for s in (move.start, *move.via, move.end)) for move in rivals]
    fault = ("path_unclear", "610.c", {"ways": list(dict.fromkeys(ways))[:6]})
    return Meant(pool[0] if same else None, fault, squares)


def _not_his(position: Position, seat: int, step: Step, start: int) -> Fault | None:
    """Why no such piece of the player's can move from the square."""
    cell = position.cells[start]
    facts: dict[str, object] = {"piece": step.piece, "square": NAMES[start]}
    if not cell:
        kind = position.tables.numbers.get(step.piece)
        where = [NAMES[s] for s, other in sorted(position.men[seat].items()) if other == kind]
        return "no_piece_there", "610.c", {**facts, "where": where}
    really = position.name(start)
    if cell & 7 == NOBODY:
        return "neutron_stands_there", "610.c", facts
    if cell & 7 != seat:
        return "not_yours", "607.B.ii", {**facts, "really": really, "player": cell & 7}
    if really != step.piece:
        return "other_piece_there", "610.c", {**facts, "really": really}
    return None


def _why_not(
    position: Position, seat: int, start: int, end: int, ending: Sequence[Move], step: Step
) -> Fault:
    """Why the piece has no such move."""
    piece = position.tables.types[position.cells[start] >> 4]
    cell = position.cells[end]
    facts: dict[str, object] = {"piece": piece.name, "start": NAMES[start], "end": NAMES[end]}
    facts |= {"how": RuleText(piece.description)}
    if ending:
        ways = ["-".join(NAMES[s] for s in (move.start, *move.via, move.end)) for move in ending]
        stated = "-".join(step.squares)
        return "not_on_the_way", "610.c", {**facts, "stated": stated, "ways": list(dict.fromkeys(ways))[:6]}
    if start == end:
        return "stays_there", piece.rule, facts
    if cell & 7 == seat:
        return "own_piece_there", piece.rule, {**facts, "there": position.name(end)}
    if cell & 7 == NOBODY:
        return "neutron_in_the_way", "905", facts
    if any(move.captures == (end,) and move.end == start for move in moves_from(position, start)):
        return "shot_stays", piece.rule, {**facts, "there": position.name(end), "player": cell & 7}
    if any(move.end == end for move in unbound_moves(position, start)):
        return "must_end_in_quadrant", piece.rule, {**facts, "region": QUADRANTS[end]}
    return _no_capture(position, seat, start, end, facts) or ("no_such_move", piece.rule, facts)


def _no_capture(
    position: Position, seat: int, start: int, end: int, facts: dict[str, object]
) -> Fault | None:
    """Why it can't take what stands on the end square; None where the square is empty."""
    kind, cell = position.cells[start] >> 4, position.cells[end]
    piece = position.tables.types[kind]
    if not cell:
        return None
    facts = {**facts, "there": position.name(end), "player": cell & 7}
    if piece.on_capture and end in dict(position.tables.ways_of(kind, start).strikes):
        return "limit_forbids", piece.rule, {**facts, "limit": position.limit(seat, cell >> 4)}
    return "cannot_capture", piece.rule, facts


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
