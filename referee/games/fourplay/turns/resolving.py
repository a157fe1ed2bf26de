"""What a legal turn brings about: its facts in the order in which they happen, and what its picture marks (606)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from referee.core.diagram import Mark
from referee.games.fourplay import events as ev
from referee.games.fourplay.board.squares import OFF
from referee.games.fourplay.state import CENTRE, KING, LastTurn, State
from referee.games.fourplay.turns.forms import written_entries
from referee.games.fourplay.turns.mending import stated
from referee.games.fourplay.turns.progress import Deed, Judgement
from referee.games.fourplay.turns.truth import Taken


def taken_turn(state: State, seat: int, judgement: Judgement, comment: str) -> tuple[ev.Event, ...]:
    """The turn in canonical text, and each thing it brings about."""
    lines = written_entries(stated(judgement))
    last = LastTurn(
        seat, tuple(_marks(judgement)), (f"The last turn, of Player {seat}: {'; '.join(lines)}.",)
    )
    taken = ev.TurnTaken(seat, state.cycle, state.round, "\n".join(lines), last, comment)
    return (taken, *(event for deed in judgement.deeds for event in _events(deed, seat)))


def _events(deed: Deed, seat: int) -> Iterator[ev.Event]:
    truth = deed.truth
    match deed.kind:
        case "return" | "place":
            yield ev.PiecePlaced(deed.piece, deed.squares[-1], truth.mascot_named)
        case "neutron":
            yield ev.PieceMoved(deed.piece, deed.squares[0], deed.squares[-1])
            if truth.gem is not None:
                yield ev.GemReceived(truth.gem)
                if truth.destroyed is not None:
                    yield from _removed(truth.destroyed, None)
                yield ev.PieceMoved(deed.piece, deed.squares[-1], CENTRE)
        case "move":
            for taken in truth.captures:
                yield from _removed(taken, seat)
            if deed.squares[0] != deed.squares[-1]:
                yield ev.PieceMoved(deed.piece, deed.squares[0], deed.squares[-1])
            if truth.promoted:
                yield ev.PiecePromoted(deed.piece, truth.promoted)
            if truth.received:
                yield ev.MoneyReceived(seat, truth.received, "capture")
        case "purchase":
            yield ev.PiecesBought(seat, deed.lots, deed.cost)
        case "pass":
            return


def _removed(taken: Taken, by: int | None) -> Iterator[ev.Event]:
    how: Literal["captured", "destroyed"] = "captured" if by is not None else "destroyed"
    returns = taken.mascot and by is not None  # a Mascot destroyed by the Neutron is gone
    yield ev.PieceRemoved(taken.id, taken.piece, taken.owner, taken.square, how, by, returns)
    if taken.piece == KING:
        yield ev.KingRemoved(taken.owner, how)


def _marks(judgement: Judgement) -> Iterator[Mark]:
    """Where the turn's pieces began and ended, and what was taken."""
    for deed in judgement.deeds:
        if deed.squares[:1] != (OFF,) and deed.squares:
            yield Mark(deed.squares[0], "from")
        for taken in (*deed.truth.captures, *((deed.truth.destroyed,) if deed.truth.destroyed else ())):
            yield Mark(taken.square, "captured")
        if deed.squares:
            yield Mark(CENTRE if deed.truth.gem is not None else deed.squares[-1], "to")
