"""What a legal turn brings about: its facts in the order in which they happen, and what its picture marks (606)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from referee.core.diagram import Mark
from referee.games.fourplay import events as ev
from referee.games.fourplay.board.squares import OFF
from referee.games.fourplay.state import CENTRE, KING, LastTurn, State
from referee.games.fourplay.turns.effect import Taken
from referee.games.fourplay.turns.forms import written_entries
from referee.games.fourplay.turns.mending import stated
from referee.games.fourplay.turns.turn_state import Judgement, Played


def taken_turn(state: State, seat: int, judgement: Judgement, comment: str) -> tuple[ev.Event, ...]:
    """The turn in canonical text, and each thing it brings about."""
    lines = written_entries(stated(judgement))
    last = LastTurn(
        seat, tuple(_marks(judgement)), (f"The last turn, of Player {seat}: {'; '.join(lines)}.",)
    )
    taken = ev.TurnTaken(seat, state.cycle, state.round, "\n".join(lines), last, comment)
    return (taken, *(event for played in judgement.played for event in _events(played, seat)))


def _events(played: Played, seat: int) -> Iterator[ev.Event]:
    effect = played.effect
    match played.kind:
        case "return" | "place":
            yield ev.PiecePlaced(played.piece, played.squares[-1], effect.mascot_named)
        case "neutron":
            yield ev.PieceMoved(played.piece, played.squares[0], played.squares[-1])
            if effect.gem is not None:
                yield ev.GemReceived(effect.gem)
                if effect.destroyed is not None:
                    yield from _removed(effect.destroyed, None)
                yield ev.PieceMoved(played.piece, played.squares[-1], CENTRE)
        case "move":
            for taken in effect.captures:
                yield from _removed(taken, seat)
            if played.squares[0] != played.squares[-1]:
                yield ev.PieceMoved(played.piece, played.squares[0], played.squares[-1])
            if effect.promoted:
                yield ev.PiecePromoted(played.piece, effect.promoted)
            if effect.received:
                yield ev.MoneyReceived(seat, effect.received, "capture")
        case "purchase":
            yield ev.PiecesBought(seat, played.lots, played.cost)
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
    for played in judgement.played:
        if played.squares[:1] != (OFF,) and played.squares:
            yield Mark(played.squares[0], "from")
        for taken in (
            *played.effect.captures,
            *((played.effect.destroyed,) if played.effect.destroyed else ()),
        ):
            yield Mark(taken.square, "captured")
        if played.squares:
            yield Mark(CENTRE if played.effect.gem is not None else played.squares[-1], "to")
