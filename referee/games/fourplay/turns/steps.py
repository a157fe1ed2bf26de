"""The steps of a submission judged: the Neutron's run (607.B.i, 905), moves and placements (607.B.ii), a Mascot's
return (610.d)."""

from __future__ import annotations

from referee.games.fourplay.actions import Step, Turn
from referee.games.fourplay.board import neutron
from referee.games.fourplay.board.attack import attacked_kings
from referee.games.fourplay.board.squares import NAMES, NUMBERS, OFF, QUADRANTS
from referee.games.fourplay.board.ways import Move
from referee.games.fourplay.state import KING, NEUTRON, Piece
from referee.games.fourplay.turns.paths import move_meant, taken_by, taken_on
from referee.games.fourplay.turns.progress import Deed, Progress
from referee.games.fourplay.turns.truth import Taken, Truth


def neutron_line(progress: Progress, step: Step) -> Deed | None:
    progress.neutron_time()
    if progress.ran:
        progress.complain("neutron_twice", "607.B.i")
        return None
    if progress.moves:
        progress.complain("neutron_late", "607.B.i")
    progress.ran = True
    run = _run(progress, step)
    if run is None:
        progress.lost = True
        return None
    gone = neutron.destroyed_by(progress.position, run)
    destroyed = taken_on(progress.state, progress.position, gone) if gone is not None else None
    identity = progress.position.identities[run.start]
    neutron.make(progress.position, run)
    truth = Truth(gem=run.gem, destroyed=destroyed)
    progress.statements(step, truth)
    if destroyed is not None and destroyed.piece == KING:
        progress.king_fell()
    return Deed("neutron", identity, NEUTRON, (NAMES[run.start], NAMES[run.end]), truth)


def _run(progress: Progress, step: Step) -> neutron.NeutronRun | None:
    """The run that the line means: the direction decides, the end must be as far as it goes (905)."""
    position = progress.position
    if position.neutron < 0:
        progress.complain("no_neutron", "905")
        return None
    if not neutron.runs(position):
        progress.complain("neutron_stuck", "905", square=NAMES[position.neutron])
        return None
    start, end = NAMES[position.neutron], step.squares[-1]
    if step.squares[0] != start:
        progress.complain("neutron_elsewhere", "610.b", stated=step.squares[0], square=start)
    line = neutron.line_to(position, NUMBERS[end])
    if line is None:
        progress.complain("neutron_off_line", "905", start=start, end=end)
        return None
    run = neutron.run_along(position, line)
    if run is None:
        there = position.name(line[0])
        progress.complain("neutron_blocked", "905", end=end, square=NAMES[line[0]], piece=there)
        return None
    if NUMBERS[end] != run.end:
        short = line.index(NUMBERS[end]) < line.index(run.end)
        progress.complain("neutron_short" if short else "neutron_far", "905", end=end, really=NAMES[run.end])
    elif any(NUMBERS[square] not in line for square in step.squares[1:-1]):
        progress.complain("neutron_off_line", "905", start=start, end="-".join(step.squares[1:-1]))
    return run


def returns(progress: Progress, step: Step) -> bool:
    """Whether the line puts a captured Mascot back: it says so, or stands where nothing else may."""
    claimed = step.claiming("mascot_returned")
    first = not progress.ran and not progress.moves and not progress.passed
    return claimed or (first and any(p.mascot and p.type == step.piece for p in progress.off))


def mascot_line(progress: Progress, step: Step) -> Deed | None:
    mascot = next((piece for piece in progress.off if piece.mascot), None)
    if mascot is None:
        progress.complain("no_mascot_off", "610.d")
    elif mascot.type != step.piece:
        progress.complain("mascot_is_other", "610.d", piece=step.piece, mascot=mascot.type)
    if progress.ran or progress.moves or progress.passed:
        progress.complain("mascot_late", "house")
    square = NUMBERS[step.squares[-1]]
    if mascot is None or mascot.type != step.piece or not _may_put(progress, step, square):
        return None
    _put(progress, mascot, square)
    truth = Truth(mascot_returned=True)
    progress.statements(step, truth)
    return Deed("return", mascot.id, mascot.type, (OFF, NAMES[square]), truth)


def placing_line(progress: Progress, step: Step, before: tuple[int, ...]) -> Deed | None:
    square = NUMBERS[step.squares[-1]]
    piece = next((p for p in progress.off if p.type == step.piece and not p.mascot), None)
    if piece is None:
        mascot = any(p.type == step.piece for p in progress.off)
        have = [f"{p.type}" for p in progress.off if not p.mascot]
        code = "mascot_waits" if mascot else "none_off_board"
        progress.complain(code, "607.B.ii", piece=step.piece, have=list(dict.fromkeys(have)))
        return None
    if not _may_put(progress, step, square):
        return None
    _put(progress, piece, square)
    progress.moved.add(piece.id)
    waited_for = step.piece == progress.waiting_mascot
    named = _names_mascot(progress, step)
    truth = Truth(
        aggressive=progress.aggressive((), before), not_mascot=waited_for and not named, mascot_named=named
    )
    progress.weigh(step, truth)
    return Deed("place", piece.id, piece.type, (OFF, NAMES[square]), truth)


def _names_mascot(progress: Progress, step: Step) -> bool:
    """605.E: the first of its kind is the Mascot that no setup placed, unless the line says that it is not."""
    denied = step.claiming("not_mascot")
    if step.piece != progress.waiting_mascot or denied:
        return False
    progress.waiting_mascot = ""
    return True


def _may_put(progress: Progress, step: Step, square: int) -> bool:
    """An empty square of the own quadrant, within the limit of the type on the board (607.B.iii)."""
    position, name, before = progress.position, step.piece, len(progress.result.complaints)
    kind = position.tables.numbers[name]
    if len(step.squares) > 2:
        progress.complain("placed_by_way", "607.B.ii", piece=name)
    if QUADRANTS[square] != progress.seat:
        progress.complain("outside_quadrant", "607.B.ii", square=NAMES[square], region=QUADRANTS[square])
    if position.cells[square]:
        owner = position.cells[square] & 7
        facts = {"square": NAMES[square], "there": position.name(square), "player": owner}
        progress.complain("square_taken", "607.B.ii", **facts)
    if not position.may_gain(progress.seat, kind):
        progress.complain("board_limit", "607.B.iii", piece=name, limit=position.limit(progress.seat, kind))
    return len(progress.result.complaints) == before


def _put(progress: Progress, piece: Piece, square: int) -> None:
    progress.off.remove(piece)
    progress.position.place(square, progress.seat, progress.position.tables.numbers[piece.type], piece.id)


def meant_placing(progress: Progress, step: Step) -> bool:
    """Whether such a piece could be put there, rightly or not."""
    square = NUMBERS[step.squares[-1]]
    piece = next((p for p in progress.off if p.type == step.piece), None)
    if piece is None or progress.position.cells[square]:
        return False
    _put(progress, piece, square)
    progress.moved.add(piece.id)
    return True


def own_line(progress: Progress, step: Step, turn: Turn) -> Deed | None:
    """A move or placement: one of as many as there are Kings, less one (607.B.ii)."""
    if step.piece not in progress.position.tables.numbers:
        _unknown(progress, step)
        return None
    progress.moves += 1
    allowed = len(progress.kings) - 1
    if progress.moves == allowed + 1:
        facts = {"allowed": allowed, "kings": len(progress.kings), "stated": _counted(turn)}
        progress.complain("too_many_moves", "607.B.ii", **facts)
    if progress.moves > allowed:
        _meant(progress, step)
        return None
    before = attacked_kings(progress.position, progress.seat)
    deed = placing_line(progress, step, before) if step.placing else _move(progress, step, before)
    if deed is None:
        _meant(progress, step)
        return None
    progress.test_check()
    if any(taken.piece == KING for taken in deed.truth.captures):
        progress.king_fell()
    return deed


def _unknown(progress: Progress, step: Step) -> None:
    """A line whose piece is none: it may mean the Neutron or one of the moves."""
    if (
        progress.position.neutron >= 0
        and step.squares[0] == NAMES[progress.position.neutron]
        and not progress.ran
    ):
        progress.ran = True
        line = neutron.line_to(progress.position, NUMBERS.get(step.squares[-1], -1))
        run = neutron.run_along(progress.position, line) if line else None
        if run is not None and progress.as_meant:
            neutron.make(progress.position, run)
        return
    progress.moves += 1
    _meant(progress, step)


def _move(progress: Progress, step: Step, before: tuple[int, ...]) -> Deed | None:
    start = NUMBERS[step.squares[0]]
    cell, identity = progress.position.cells[start], progress.position.identities[start]
    if cell and cell & 7 == progress.seat and identity in progress.moved:
        progress.complain("moved_twice", "607.B.ii", piece=progress.position.name(start), square=NAMES[start])
        return None
    meant = move_meant(progress.state, progress.position, progress.seat, step)
    if meant.fault is not None:
        progress.add(meant.fault)
    if meant.move is None:
        return None
    captures = taken_by(progress.state, progress.position, meant.move.captures)
    progress.position.play(meant.move)
    progress.moved.add(identity)
    truth = _truth(progress, meant.move, captures, cell >> 4, before)
    progress.weigh(step, truth)
    return Deed("move", identity, step.piece, meant.squares, truth)


def _truth(
    progress: Progress, move: Move, captures: tuple[Taken, ...], kind: int, before: tuple[int, ...]
) -> Truth:
    """What the move has brought about; the position is the one after it."""
    name = progress.position.name(move.end)
    turns = bool(captures) and progress.position.tables.becomes[kind]
    return Truth(
        captures=captures,
        where=move.start == move.end and bool(captures) and not move.via,
        in_full=progress.state.rules.statements == "full",
        becomes=name if turns else "",
        promoted=name if name != progress.position.named(kind) else "",
        aggressive=progress.aggressive(captures, before),
        received=sum(progress.reward(taken.piece) for taken in captures),
    )


def _meant(progress: Progress, step: Step) -> None:
    """Carry a faulty line out as its writer seems to mean it, where that is asked for and can be done."""
    if not progress.as_meant:
        return
    known = all(square in NUMBERS for square in step.squares[step.placing :])
    done = known and (meant_placing(progress, step) if step.placing else _meant_move(progress, step))
    progress.lost = progress.lost or not done


def _meant_move(progress: Progress, step: Step) -> bool:
    """Whether the piece on the first square could be taken to the last one."""
    position, start, end = progress.position, NUMBERS[step.squares[0]], NUMBERS[step.squares[-1]]
    cell, there = position.cells[start], position.cells[end]
    if cell & 7 != progress.seat or (start != end and there and there & 7 == progress.seat) or there & 8:
        return False
    captures = (end,) if there and start != end else ()
    progress.money += sum(progress.reward(position.name(square)) for square in captures)
    progress.moved.add(position.identities[start])
    position.play(Move(start, end, (), captures))
    return True


def _counted(turn: Turn) -> int:
    """The moves and placements that a submission states."""
    return sum(
        isinstance(entry, Step) and entry.piece != NEUTRON and not entry.claiming("mascot_returned")
        for entry in turn.entries
    )
