"""A move or placement judged: one of as many as there are Kings, less one (607.B.ii)."""

from __future__ import annotations

from referee.games.fourplay.board import neutron
from referee.games.fourplay.board.attack import attacked_kings
from referee.games.fourplay.board.paths import move_meant, taken_by
from referee.games.fourplay.board.position import Move
from referee.games.fourplay.board.squares import NAMES, NUMBERS
from referee.games.fourplay.state import KING, NEUTRON
from referee.games.fourplay.turns.claims import Taken, Truth
from referee.games.fourplay.turns.hearing import Hearing
from referee.games.fourplay.turns.judgement import Deed
from referee.games.fourplay.turns.judging_placing import meant_placing, placing_line
from referee.games.fourplay.turns.submission import Step, Turn


def own_line(hearing: Hearing, step: Step, turn: Turn) -> Deed | None:
    """A move or placement: one of as many as there are Kings, less one (607.B.ii)."""
    if step.piece not in hearing.position.tables.numbers:
        _unknown(hearing, step)
        return None
    hearing.moves += 1
    allowed = len(hearing.kings) - 1
    if hearing.moves == allowed + 1:
        facts = {"allowed": allowed, "kings": len(hearing.kings), "stated": _counted(turn)}
        hearing.complain("too_many_moves", "607.B.ii", step.line, **facts)
    if hearing.moves > allowed:
        _meant(hearing, step)
        return None
    before = attacked_kings(hearing.position, hearing.seat)
    deed = placing_line(hearing, step, before) if step.placing else _move(hearing, step, before)
    if deed is None:
        _meant(hearing, step)
        return None
    hearing.test_check(step)
    if any(taken.piece == KING for taken in deed.truth.captures):
        hearing.king_fell()
    return deed


def _unknown(hearing: Hearing, step: Step) -> None:
    """A line whose piece is none: it may mean the Neutron or one of the moves."""
    if (
        hearing.position.neutron >= 0
        and step.squares[0] == NAMES[hearing.position.neutron]
        and not hearing.ran
    ):
        hearing.ran = True
        line = neutron.line_to(hearing.position, NUMBERS.get(step.squares[-1], -1))
        run = neutron.run_along(hearing.position, line) if line else None
        if run is not None and hearing.as_meant:
            neutron.make(hearing.position, run)
        return
    hearing.moves += 1
    _meant(hearing, step)


def _move(hearing: Hearing, step: Step, before: tuple[int, ...]) -> Deed | None:
    start = NUMBERS[step.squares[0]]
    cell, identity = hearing.position.cells[start], hearing.position.identities[start]
    if cell and cell & 7 == hearing.seat and identity in hearing.moved:
        hearing.complain(
            "moved_twice", "607.B.ii", step.line, piece=hearing.position.name(start), square=NAMES[start]
        )
        return None
    meant = move_meant(hearing.state, hearing.position, hearing.seat, step)
    if meant.fault is not None:
        code, rule, facts = meant.fault
        hearing.complain(code, rule, step.line, **facts)
    if meant.move is None:
        return None
    captures = taken_by(hearing.state, hearing.position, meant.move.captures)
    hearing.position.play(meant.move)
    hearing.moved.add(identity)
    truth = _truth(hearing, meant.move, captures, cell >> 4, before)
    hearing.weigh(step, truth)
    return Deed("move", identity, step.piece, meant.squares, truth)


def _truth(
    hearing: Hearing, move: Move, captures: tuple[Taken, ...], kind: int, before: tuple[int, ...]
) -> Truth:
    """What the move has brought about; the position is the one after it."""
    name = hearing.position.name(move.end)
    return Truth(
        captures=captures,
        where=move.start == move.end and bool(captures) and not move.via,
        in_full=hearing.state.rules.statements == "full",
        promoted=name if name != hearing.position.named(kind) else "",
        aggressive=hearing.aggressive(captures, before),
        received=sum(hearing.reward(taken.piece) for taken in captures),
    )


def _meant(hearing: Hearing, step: Step) -> None:
    """Carry a faulty line out as its writer seems to mean it, where that is asked for and can be done."""
    if not hearing.as_meant:
        return
    known = all(square in NUMBERS for square in step.squares[step.placing :])
    done = known and (meant_placing(hearing, step) if step.placing else _meant_move(hearing, step))
    hearing.lost = hearing.lost or not done


def _meant_move(hearing: Hearing, step: Step) -> bool:
    """Whether the piece on the first square could be taken to the last one."""
    position, start, end = hearing.position, NUMBERS[step.squares[0]], NUMBERS[step.squares[-1]]
    cell, there = position.cells[start], position.cells[end]
    if cell & 7 != hearing.seat or (start != end and there and there & 7 == hearing.seat) or there & 8:
        return False
    captures = (end,) if there and start != end else ()
    hearing.money += sum(hearing.reward(position.name(square)) for square in captures)
    hearing.moved.add(position.identities[start])
    position.play(Move(start, end, (), captures))
    return True


def _counted(turn: Turn) -> int:
    """The moves and placements that a submission states."""
    return sum(
        isinstance(entry, Step)
        and entry.piece != NEUTRON
        and not any(claim.kind == "mascot_returned" for claim in entry.claims)
        for entry in turn.entries
    )
