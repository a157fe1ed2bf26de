"""The table of a puzzle for many: independent solo matches on one seed, compared once their deadline has passed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.core.game import Outcome
from referee.games.buttons.solo.puzzling import GIVEN_UP, PLAYER


@dataclass(frozen=True, slots=True)
class Row:
    """One player's line: `rank` is shared by equals and None where the puzzle was not solved."""

    rank: int | None
    match: str
    moves: int
    result: Literal["solved", "given up", "not solved in time"]


def ranked(outcomes: Mapping[str, Outcome | None]) -> tuple[Row, ...]:
    """The table from the matches' outcomes, by match name; empty while any of them has not ended.

    Fewest moves first, equals share a rank and the next rank is skipped; then who did not solve it, by name."""
    ended = {match: outcome for match, outcome in outcomes.items() if outcome is not None}
    if len(ended) < len(outcomes):
        return ()
    counts = {match: int(outcome.points[PLAYER]) for match, outcome in ended.items()}
    best_first = sorted(counts, key=lambda match: (counts[match], match))
    solvers = [match for match in best_first if ended[match].winners]
    solved = (
        Row(1 + sum(counts[m] < counts[match] for m in solvers), match, counts[match], "solved")
        for match in solvers
    )
    others = sorted(match for match in ended if not ended[match].winners)
    return (*solved, *(Row(None, match, counts[match], _unsolved(ended[match])) for match in others))


def _unsolved(outcome: Outcome) -> Literal["given up", "not solved in time"]:
    return "given up" if outcome.reason == GIVEN_UP else "not solved in time"
