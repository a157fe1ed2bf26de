"""How a piece on one square can take what stands on another: found without generating moves, for the test of check."""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.games.fourplay.board.ways import Path, Ways

# Conditions of a hit: all `squares` empty; the same, but the piece stays (a shot); so many of them occupied;
# all of them fit to land on.
CLEAR: Final = 0
SHOT: Final = 1
SCREENED: Final = 2
LANDABLE: Final = 3


class Hit(NamedTuple):
    """One way to take what stands on a target: the condition, its squares, and where the piece ends."""

    condition: int
    squares: Path
    screens: int
    end: int


def hits_from(ways: Ways, square: int) -> dict[int, tuple[Hit, ...]]:
    """By target: every way to take what stands there. Empty ways (a leap) are conditions without squares."""
    found: dict[int, list[Hit]] = {}
    for target in ways.strikes:
        found.setdefault(target, []).append(Hit(CLEAR, (), 0, target))
    for run in ways.runs:
        for index in range(run.least - 1, len(run.path)) if run.strike else ():
            found.setdefault(run.path[index], []).append(Hit(CLEAR, run.path[:index], 0, run.path[index]))
    for over in ways.overs:
        for index in range(over.screens, len(over.path)) if over.strike else ():
            hit = Hit(SCREENED, over.path[:index], over.screens, over.path[index])
            found.setdefault(over.path[index], []).append(hit)
    for shot in ways.shots:
        for index, target in enumerate(shot):
            found.setdefault(target, []).append(Hit(SHOT, shot[:index], 0, square))
    for victim, away in ways.retreats:
        found.setdefault(victim, []).extend(Hit(CLEAR, away[: n + 1], 0, end) for n, end in enumerate(away))
    for path in ways.chains:
        for target in path:
            others = tuple(other for other in path if other != target)
            found.setdefault(target, []).append(Hit(LANDABLE, others, 0, path[-1]))
    return {target: tuple(dict.fromkeys(hits)) for target, hits in found.items() if target != square}
