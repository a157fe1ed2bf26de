"""Which moves the solver tries first. No order changes a verdict; a good one leaves less to look at."""

from __future__ import annotations

from referee.games.onepiece.search.bits import Step, Threat
from referee.games.onepiece.search.tactics import Tactics

COUNTED = (
    6  # with so many plies left the answers to a threat are counted, below it only its winning placements
)


class Recent:
    """The moves that worked last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._worked: dict[Step, None] = {}  # the latest last

    @property
    def steps(self) -> tuple[Step, ...]:
        """The latest first."""
        return tuple(reversed(self._worked))

    def worked(self, step: Step) -> None:
        self._worked.pop(step, None)
        self._worked[step] = None
        if len(self._worked) > self._most:
            del self._worked[next(iter(self._worked))]


def building(g: Tactics, x: int, y: int, steps: list[Step]) -> list[Step]:
    """Moves of x that add to lines of x, or spoil lines of y, first."""
    mine, theirs = g.promising(x, g.board & ~y), g.promising(y, g.board & ~x)
    return sorted(steps, key=lambda s: -(2 * bool(s.px & mine) + bool(s.px & theirs)))


def spoiling(g: Tactics, x: int, y: int, steps: list[Step], recent: tuple[Step, ...] = ()) -> list[Step]:
    """Moves of y: what refuted before, then what spoils lines of x, then the rest."""
    mine, place = g.promising(x, g.board & ~y), {step: number for number, step in enumerate(recent)}
    return sorted(steps, key=lambda s: (place.get(s, len(place)), not s.py & mine, bool(s.px & mine)))


def threatening(g: Tactics, at: tuple[int, int, int, int], plies: int, steps: list[Step]) -> list[Step]:
    """Moves of y that threaten to win first, those that leave x the fewest answers at the front: x must answer."""
    x, y, h, left = at  # `left` pieces in the box after the move
    lanes, ranked, rest = len(steps), list[tuple[int, Step]](), list[Step]()
    after_x, after_y = g.after(x, y, steps)
    hits = g.by_lane(g.hits(after_y, after_x, max(0, left - 1), lanes), lanes)
    for step, wins in zip(steps, hits, strict=True):
        if not wins:
            rest.append(step)
        elif plies < COUNTED:
            ranked.append((-wins.bit_count(), step))
        else:
            there = (y ^ step.dy, x ^ step.dx, h ^ step.dh, left)
            ranked.append((len(g.undoing(*there, g.threats(*there[:3], max(0, left - 1)))), step))
    ranked.sort(key=lambda pair: pair[0])
    return [step for _, step in ranked] + rest


def threatening_most(g: Tactics, x: int, y: int, box: int, steps: list[Step]) -> list[Step]:
    """Moves of x by how many placements would then win; `box` counts the pieces in the box when it wins."""
    lanes = len(steps)
    hits = g.by_lane(g.hits(*g.after(x, y, steps), box, lanes), lanes)
    ranked = sorted(zip([-h.bit_count() for h in hits], range(lanes), strict=True))
    return [steps[number] for _, number in ranked]


def disturbing(steps: list[Step], threats: list[Threat]) -> list[Step]:
    """The moves of y that may undo every threat of x; any other is answered by a threat that it left."""
    for cols, run, beside, lifts in threats:
        steps = [
            s
            for s in steps
            if s.cols & cols
            or s.lx & run
            or s.py & beside
            or (lifts and not [columns for columns in lifts if not s.cols & columns])
        ]
    return steps
