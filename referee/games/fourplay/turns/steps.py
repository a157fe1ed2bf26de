"""The steps of a submission judged: the Neutron's run (607.B.i, 905), moves and placements (607.B.ii), a Mascot's
return (610.d)."""

from __future__ import annotations

from referee.games.fourplay.board import neutron
from referee.games.fourplay.board.attack import attacked_kings
from referee.games.fourplay.board.position import Move
from referee.games.fourplay.board.squares import NAMES, NUMBERS, OFF, QUADRANTS
from referee.games.fourplay.state import KING, NEUTRON, Piece
from referee.games.fourplay.turns.actions import Step, Turn
from referee.games.fourplay.turns.paths import move_meant, taken_by, taken_on
from referee.games.fourplay.turns.progress import Deed, Hearing
from referee.games.fourplay.turns.truth import Taken, Truth


def neutron_line(hearing: Hearing, step: Step) -> Deed | None:
    hearing.neutron_time()
    if hearing.ran:
        hearing.complain("neutron_twice", "607.B.i", step.line)
        return None
    if hearing.moves:
        hearing.complain("neutron_late", "607.B.i", step.line)
    hearing.ran = True
    run = _run(hearing, step)
    if run is None:
        hearing.lost = True
        return None
    gone = neutron.destroyed_by(hearing.position, run)
    destroyed = taken_on(hearing.state, hearing.position, gone) if gone is not None else None
    identity = hearing.position.identities[run.start]
    neutron.make(hearing.position, run)
    truth = Truth(gem=run.gem, destroyed=destroyed)
    hearing.statements(step, truth)
    if destroyed is not None and destroyed.piece == KING:
        hearing.king_fell()
    return Deed("neutron", identity, NEUTRON, (NAMES[run.start], NAMES[run.end]), truth)


def _run(hearing: Hearing, step: Step) -> neutron.NeutronRun | None:
    """The run that the line means: the direction decides, the end must be as far as it goes (905)."""
    position = hearing.position
    if position.neutron < 0:
        hearing.complain("no_neutron", "905", step.line)
        return None
    if not neutron.runs(position):
        hearing.complain("neutron_stuck", "905", step.line, square=NAMES[position.neutron])
        return None
    start, end = NAMES[position.neutron], step.squares[-1]
    if step.squares[0] != start:
        hearing.complain("neutron_elsewhere", "610.b", step.line, stated=step.squares[0], square=start)
    line = neutron.line_to(position, NUMBERS[end])
    if line is None:
        hearing.complain("neutron_off_line", "905", step.line, start=start, end=end)
        return None
    run = neutron.run_along(position, line)
    if run is None:
        there = position.name(line[0])
        hearing.complain("neutron_blocked", "905", step.line, end=end, square=NAMES[line[0]], piece=there)
        return None
    if NUMBERS[end] != run.end:
        short = line.index(NUMBERS[end]) < line.index(run.end)
        hearing.complain(
            "neutron_short" if short else "neutron_far", "905", step.line, end=end, really=NAMES[run.end]
        )
    elif any(NUMBERS[square] not in line for square in step.squares[1:-1]):
        hearing.complain("neutron_off_line", "905", step.line, start=start, end="-".join(step.squares[1:-1]))
    return run


def returns(hearing: Hearing, step: Step) -> bool:
    """Whether the line puts a captured Mascot back: it says so, or stands where nothing else may."""
    claimed = any(claim.kind == "mascot_returned" for claim in step.claims)
    first = not hearing.ran and not hearing.moves and not hearing.passed
    return claimed or (first and any(p.mascot and p.type == step.piece for p in hearing.off))


def mascot_line(hearing: Hearing, step: Step) -> Deed | None:
    mascot = next((piece for piece in hearing.off if piece.mascot), None)
    if mascot is None:
        hearing.complain("no_mascot_off", "610.d", step.line)
    elif mascot.type != step.piece:
        hearing.complain("mascot_is_other", "610.d", step.line, piece=step.piece, mascot=mascot.type)
    if hearing.ran or hearing.moves or hearing.passed:
        hearing.complain("mascot_late", "house", step.line)
    square = NUMBERS[step.squares[-1]]
    if mascot is None or mascot.type != step.piece or not _may_put(hearing, step, square):
        return None
    _put(hearing, mascot, square)
    truth = Truth(mascot_returned=True)
    hearing.statements(step, truth)
    return Deed("return", mascot.id, mascot.type, (OFF, NAMES[square]), truth)


def placing_line(hearing: Hearing, step: Step, before: tuple[int, ...]) -> Deed | None:
    square = NUMBERS[step.squares[-1]]
    piece = next((p for p in hearing.off if p.type == step.piece and not p.mascot), None)
    if piece is None:
        mascot = any(p.type == step.piece for p in hearing.off)
        have = [f"{p.type}" for p in hearing.off if not p.mascot]
        code = "mascot_waits" if mascot else "none_off_board"
        hearing.complain(code, "607.B.ii", step.line, piece=step.piece, have=list(dict.fromkeys(have)))
        return None
    if not _may_put(hearing, step, square):
        return None
    _put(hearing, piece, square)
    hearing.moved.add(piece.id)
    waited_for = step.piece == hearing.waiting_mascot
    named = _names_mascot(hearing, step)
    truth = Truth(
        aggressive=hearing.aggressive((), before), not_mascot=waited_for and not named, mascot_named=named
    )
    hearing.weigh(step, truth)
    return Deed("place", piece.id, piece.type, (OFF, NAMES[square]), truth)


def _names_mascot(hearing: Hearing, step: Step) -> bool:
    """605.E: the first of its kind is the Mascot that no setup placed, unless the line says that it is not."""
    denied = any(claim.kind == "not_mascot" for claim in step.claims)
    if step.piece != hearing.waiting_mascot or denied:
        return False
    hearing.waiting_mascot = ""
    return True


def _may_put(hearing: Hearing, step: Step, square: int) -> bool:
    """An empty square of the own quadrant, within the limit of the type on the board (607.B.iii)."""
    position, name, faulty = hearing.position, step.piece, False
    kind = position.tables.numbers[name]
    if len(step.squares) > 2:
        hearing.complain("placed_by_way", "607.B.ii", step.line, piece=name)
        faulty = True
    if QUADRANTS[square] != hearing.seat:
        hearing.complain(
            "outside_quadrant", "607.B.ii", step.line, square=NAMES[square], region=QUADRANTS[square]
        )
        faulty = True
    if position.cells[square]:
        owner = position.cells[square] & 7
        facts = {"square": NAMES[square], "there": position.name(square), "player": owner}
        hearing.complain("square_taken", "607.B.ii", step.line, **facts)
        faulty = True
    if not position.may_gain(hearing.seat, kind):
        hearing.complain(
            "board_limit", "607.B.iii", step.line, piece=name, limit=position.limit(hearing.seat, kind)
        )
        faulty = True
    return not faulty


def _put(hearing: Hearing, piece: Piece, square: int) -> None:
    hearing.off.remove(piece)
    hearing.position.place(square, hearing.seat, hearing.position.tables.numbers[piece.type], piece.id)


def meant_placing(hearing: Hearing, step: Step) -> bool:
    """Whether such a piece could be put there, rightly or not."""
    square = NUMBERS[step.squares[-1]]
    piece = next((p for p in hearing.off if p.type == step.piece), None)
    if piece is None or hearing.position.cells[square]:
        return False
    _put(hearing, piece, square)
    hearing.moved.add(piece.id)
    return True


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
