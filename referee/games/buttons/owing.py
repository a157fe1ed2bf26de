"""Who owes what, and what may be sent unasked."""

from __future__ import annotations

from typing import Literal

from referee.core.duel import other
from referee.core.game import Expected
from referee.core.owing import REFEREE, Demand, Round
from referee.core.replacing import replace
from referee.games.buttons.solo.puzzling import PLAYER, wants_par
from referee.games.buttons.state import State


def due(state: State) -> tuple[Round, ...]:
    """Two players: the turn. Solo: the player's next mail, and beside it the referee's own solution."""
    if state.ended is not None or not state.rules.board.spaces:
        return ()
    if state.rules.solo:
        par = (Round("Par", (Demand("Par", REFEREE),), None),) if wants_par(state) else ()
        return (*_puzzle(state), *par)
    label = f"Round {(state.turn + 1) // 2} / Player {state.mover}"
    return (Round(label, (Demand("Move", state.mover),), state.rules.window, holds=state.rules.holds),)


def _puzzle(state: State) -> tuple[Round, ...]:
    """With one deadline for all moves it is one round from first to last, and so keeps its label; in a puzzle for
    many the referee waits for that deadline too, so that nobody's end is published before it."""
    player = () if state.result else (Demand("Move", PLAYER),)
    owed = player if state.closed else (*player, Demand("Close", REFEREE))
    if not owed:
        return ()
    label = f"Round {1 if state.rules.whole else state.turn} / Player {PLAYER}"
    # A round that outlasts its answers has to take more than the first.
    answers: Literal["first", "last"] = "last" if state.rules.whole else "first"
    return (Round(label, owed, state.rules.window, answers=answers, holds=state.rules.holds),)


def expects(state: State, seat: int) -> Expected[State] | None:
    """One's own turn, of the game for two."""
    return None if state.rules.solo else Expected(replace(state, mover=seat))


def open_to(state: State, seat: int) -> tuple[Demand, ...]:
    """Words at any time; resignation; an offer of a draw after one's turn, while none stands (5.3)."""
    if (
        state.ended is not None
        or not state.rules.board.spaces
        or seat not in ((1,) if state.rules.solo else (1, 2))
    ):
        return ()
    words = (Demand("Comment", seat),)
    if state.rules.solo:
        return words
    offers = (Demand("Offer", seat),) if state.mover == other(seat) and state.offer != seat else ()
    return (*offers, Demand("Resign", seat), *words)
