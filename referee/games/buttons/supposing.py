"""Which private mails explain what everybody saw of a puzzle (5.4): the referee's own solution, and, where the player
keeps the puzzle to himself, what he had played: the end reveals it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from referee.core.capabilities import Seen, Untold
from referee.core.owing import REFEREE, Demand
from referee.games.buttons import actions as do
from referee.games.buttons import events as ev
from referee.games.buttons.puzzle import PLAYER, reached, wants_par
from referee.games.buttons.state import Goal, Par, State, exchanged

_MOST_UNDONE = 1_000  # more than anybody takes back by mail
_ENDS = ev.TrailRevealed | ev.ParPublished
_UNKNOWN = ev.TrailRevealed("two", (), 0, 0, "given up")  # of a puzzle that has not ended


def supposed(state: State, seen: Seen) -> Iterator[Untold]:
    """Every way there is, the likeliest first."""
    yield Untold()
    if not state.rules.solo or (seen.answers and not state.rules.private):
        return
    told = list(islice((e for e in chain(seen.happened, seen.later) if isinstance(e, _ENDS)), 2))
    if not seen.answers and wants_par(state):
        par = next((e.par for e in told if isinstance(e, ev.ParPublished)), Par(None, False, ()))
        yield Untold(((Demand("Par", REFEREE), do.SetPar(par)),))
    if not state.rules.private or state.result:
        return
    end = next((e for e in told if isinstance(e, ev.TrailRevealed)), _UNKNOWN)
    last = next((a.steps for a in seen.answers.values() if isinstance(a, do.PlaySolo)), ())
    goal: Goal = "" if state.goal else end.goal
    for steps in _played(state, end, last, not seen.answers):
        if goal or steps:
            yield Untold(((Demand("Move", PLAYER), do.PlaySolo(steps, goal)),))


def _played(
    state: State, end: ev.TrailRevealed, last: Sequence[do.Step], unseen: bool
) -> Iterator[tuple[do.Step, ...]]:
    """What had been played before the last mail: nothing but a goal; what leads to the trail at the end; or that with
    the end in it, which `unseen` the player's last mail must have brought."""
    yield ()
    depth = low = 0
    for step in last:
        depth += {"move": 1, "undo": -1}.get(step.kind, 0)
        low = min(low, depth)
    trail = end.trail[: max(0, len(end.trail) - depth + low)]
    undone = end.undone - sum(step.kind == "undo" for step in last)
    if not 0 <= undone <= _MOST_UNDONE:
        return
    moves = [do.Step("move", path) for path in trail]
    aside = [_idle(state), do.Step("undo")] * undone
    so_far = (*aside, *moves, *_idle_after(state, trail, -low))
    if not unseen:
        yield so_far
    yield (*so_far, do.Step("give up")) if end.result == "given up" else so_far


def _idle(state: State) -> do.Step:
    """A move that reaches no goal: to be taken back."""
    names, rules = state.rules.ground.spaces, state.rules
    for start, button in enumerate(state.cells):
        for last in rules.reach(button, start) if button else ():
            if not reached(rules, exchanged(state.cells, start, last), "two"):
                return do.Step("move", (names[start], names[last]))
    return do.Step("undo")  # there is none: nobody has taken any back


def _idle_after(state: State, trail: Sequence[tuple[str, str]], count: int) -> Iterator[do.Step]:
    """As many moves that the last mail took back."""
    index, cells = state.rules.ground.index, state.cells
    for first, last in trail:
        cells = exchanged(cells, index[first], index[last])
    idle = _idle(State(state.rules, cells=cells))
    yield from (do.Step("move", idle.path[:: -1 if number % 2 else 1]) for number in range(count))
