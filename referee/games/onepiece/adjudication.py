"""The verdict on a claim: which questions it comes to, and what the solver answers (4.4)."""

from __future__ import annotations

from referee.games.onepiece.actions import GiveVerdict
from referee.games.onepiece.state import State


def judged(state: State, nodes: int) -> GiveVerdict:
    """Undecided without a search: a demonstration follows."""
    return GiveVerdict("unknown", state.judged[0].ply, 0)
