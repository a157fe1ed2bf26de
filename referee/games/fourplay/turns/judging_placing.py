"""Pieces put on the board: as moves (607.B.ii), or as a returned Mascot (610.d)."""

from __future__ import annotations

from referee.games.fourplay.board.squares import NAMES, NUMBERS, OFF, QUADRANTS
from referee.games.fourplay.state import Piece
from referee.games.fourplay.turns.claims import Truth
from referee.games.fourplay.turns.hearing import Hearing
from referee.games.fourplay.turns.judgement import Deed
from referee.games.fourplay.turns.submission import Step


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
