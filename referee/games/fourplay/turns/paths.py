"""Which move a line means (610.c): the moves that its squares and statements leave, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.codec import Value
from referee.core.complaint import Complaint, RuleText
from referee.games.fourplay.actions import Step
from referee.games.fourplay.board.moves import moves_from, unbound_moves
from referee.games.fourplay.board.position import NOBODY, Position
from referee.games.fourplay.board.primitives import Move
from referee.games.fourplay.board.squares import NAMES, NUMBERS, QUADRANTS
from referee.games.fourplay.state import State
from referee.games.fourplay.turns.statements import Taken, fits


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
    if cell and piece.on_capture and end in dict(position.catalogue.ways[kind][start].strikes):
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
