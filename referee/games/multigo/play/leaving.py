"""Players who leave: resignations, and seats that miss too many deadlines."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.multigo import events as ev
from referee.games.multigo.actions import Move
from referee.games.multigo.board.chains import chain_at
from referee.games.multigo.board.points import SYMBOL
from referee.games.multigo.folding import Told
from referee.games.multigo.play.captures import chains_of
from referee.games.multigo.play.sequence import played
from referee.games.multigo.state import State, next_turn


def resign(record: Told, seat: int, how: ev.How, comment: str = "") -> None:
    """The seat leaves; the last one left has won."""
    state = record.state
    on_turn = state.phase == "play" and state.turn == seat
    following = next_turn(state, seat)
    removed = _chains_of(state, seat) if state.law.resigned == "remove" and state.phase == "play" else ()
    record.tell(ev.Resigned(seat, how, removed, comment))
    if len(record.state.active) == 1:
        winner = record.state.active[0]
        points = {number: "1" if number == winner else "0" for number in range(1, state.law.players + 1)}
        record.tell(ev.GameWon(((winner,),), points, "last"))
    elif on_turn:
        record.tell(ev.TurnBegan(*following))


def missed(record: Told, seat: int) -> None:
    """Sequential: the deadline of a move passed."""
    if record.state.law.timeout_default == "resign" or record.state.seat(seat).vacant:
        resign(record, seat, "deadline")  # nobody took the open seat over within its window
        return
    played(record, seat, Move(), "deadline")


def silent(record: Told, seats: Iterable[int]) -> None:
    """Parallel: a round was revealed for which these seats sent no move."""
    state = record.state
    if state.phase != "play" or state.adjourned:
        return
    for seat in seats:
        gone = state.law.timeout_default == "resign" or state.seat(seat).vacant
        if gone and record.state.phase == "play":
            resign(record, seat, "deadline")


def _chains_of(state: State, seat: int) -> tuple[ev.Chain, ...]:
    symbol, near = SYMBOL[seat], state.points.neighbours
    stones = (point for point, letter in enumerate(state.board) if letter == symbol)
    whole = {chain_at(state.board, near, stone) for stone in stones}
    return chains_of(state.points, ((symbol, chain) for chain in whole))
