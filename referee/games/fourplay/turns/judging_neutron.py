"""The Neutron's line judged (607.B.i, 905, 610.b)."""

from __future__ import annotations

from referee.games.fourplay.board import neutron
from referee.games.fourplay.board.paths import taken_on
from referee.games.fourplay.board.squares import NAMES, NUMBERS
from referee.games.fourplay.state import KING, NEUTRON
from referee.games.fourplay.turns.claims import Truth
from referee.games.fourplay.turns.hearing import Hearing
from referee.games.fourplay.turns.judgement import Deed
from referee.games.fourplay.turns.submission import Step


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
