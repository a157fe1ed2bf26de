"""The puzzle (5.4): its goals, a mail played out step by step, the end, and the table of a puzzle for many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, islice, permutations
from typing import Literal

from referee.core.capabilities import Seen, Untold
from referee.core.complaint import Complaint, fault
from referee.core.game import Outcome
from referee.core.owing import REFEREE, Demand, Round
from referee.games.buttons import notation as do
from referee.games.buttons import state as ev
from referee.games.buttons.board import LINE, Board, ground
from referee.games.buttons.state import Cells, Goal, Par, Record, Rules, State, exchanged

PLAYER = 1
GIVEN_UP = "Given up."

# A black line and the white line that matches it, space by space.
Pair = tuple[tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=64)
def pairs_of(board: Board, perspective: Literal["strict", "half_turn"]) -> tuple[Pair, ...]:
    """Every way to lay a black and a white line so that they could match: each black space beside its white one.

    They are parallel (on the original board a row and a column always cross) and share no space. Rows are read left
    to right, columns top to bottom (5.4); O11: with `half_turn` one of them also from its other end."""
    ways = slice(None), slice(None, None, -1)
    return tuple(
        (black, white[way])
        for kind in (ground(board).rows, ground(board).columns)
        for black, white in permutations(kind, 2)
        if not set(black) & set(white)
        for way in (ways if perspective == "half_turn" else ways[:1])
    )


def reached(rules: Rules, cells: Cells, goal: Goal) -> tuple[Pair, ...]:
    """The lines that reach the goal, B3 facing W3 and so on along both of a pair: one pair, or two that share no space;
    nothing while it is not reached."""
    facing = {f"B{value}": f"W{value}" for value in rules.values[0]}
    pairs = tuple(
        (black, white)
        for black, white in pairs_of(rules.board, rules.perspective)
        if all(facing.get(cells[b]) == cells[w] for b, w in zip(black, white, strict=True))
    )
    if goal != "four":
        return pairs[:1]
    for one, two in combinations(pairs, 2):
        if len({*one[0], *one[1], *two[0], *two[1]}) == 4 * LINE:
            return one, two
    return ()


# --- what is wrong with a mail, or with the referee's own solution ----------------------------------------------------


def solo_faults(state: State, action: do.PlaySolo) -> Iterator[Complaint]:
    """A solo mail. Steps after a faulty one are judged as if it had been made as the sender meant it."""
    if action.goal and state.goal and action.goal != state.goal:
        yield fault("goal_fixed", "5.4", "goal", goal=state.goal, given=action.goal)
    if not action.steps and action.goal in ("", state.goal):
        yield fault("nothing_ordered", "5.5", "goal")
    play = SoloPlay(state, action.goal)
    for step in action.steps:
        yield from play.faults(step)
        play.make(step)


class SoloPlay:
    """A solo mail on its way, step by step: what is wrong with the next one, and the board after it. Each costs the
    same, however many went before."""

    def __init__(self, state: State, goal: Goal | Literal[""]) -> None:
        self._state = state
        self.cells, self._trail = state.cells, list(state.trail)
        self._goal: Goal = state.goal or goal or "two"
        self._done = "solved" if not state.goal and reached(state.rules, self.cells, self._goal) else ""
        self._made = 0

    def moves(self) -> Iterator[tuple[int, int]]:
        """From and to of every move that may be the next one."""
        for space, cell in enumerate(self.cells if not self._done else ()):
            if cell:
                yield from ((space, end) for end in self._state.rules.reach(cell, space))

    def faults(self, step: do.Step) -> Iterator[Complaint]:
        """Every complaint about the step, were it the next one; nothing is changed by asking."""
        facts = {"step": self._made + 1, "done": self._done}
        part = f"steps.{self._made}"
        if self._done:
            yield fault("after_the_end", "5.4", part, **facts)
        elif step.kind == "undo" and self._state.rules.undo == "off":
            yield fault("no_undo", "5.4", part, **facts)
        elif step.kind == "undo" and not self._trail:
            yield fault("nothing_to_undo", "5.4", part, **facts)
        elif step.kind == "move":
            path = yield from ev.path_of(self._state, step.path, part)
            if path:
                yield from ev.way_faults(self._state, path, self.cells[path[0]], part, self._made + 1)

    def make(self, step: do.Step) -> None:
        """The step is made, a faulty one as its sender meant it, where that can be."""
        self._made += 1
        if self._done:
            return
        if step.kind == "give up":
            self._done = "given up"
        elif step.kind == "undo":
            if self._state.rules.undo != "off" and self._trail:
                self.cells = exchanged(self.cells, *self._trail.pop())
        else:
            index = self._state.rules.ground.index
            if len(step.path) < 2 or any(space not in index for space in step.path):
                return
            first, last = index[step.path[0]], index[step.path[-1]]
            self.cells = exchanged(self.cells, first, last)
            self._trail.append((first, last))
            self._done = "solved" if reached(self._state.rules, self.cells, self._goal) else ""


def par_faults(state: State, action: do.SetPar) -> Iterator[Complaint]:
    """The referee's own solution, replayed from the start (5.4)."""
    par, cells, index = action.par, state.start, state.rules.ground.index
    right = par.moves is None or len(par.solution) == par.moves
    for first, last in par.solution if par.moves is not None else ():
        right = right and index[last] in state.rules.reach(cells[index[first]], index[first])
        cells = exchanged(cells, index[first], index[last])
    if not right or (par.moves is not None and not reached(state.rules, cells, state.goal)):
        yield Complaint("par_wrong", "5.4")


# --- what follows ---------------------------------------------------------------------------------------------------


def play(record: Record, action: do.PlaySolo) -> None:
    """All steps of a mail that `check` passed, in their order."""
    state, hidden = record.state, record.state.rules.private
    if not state.goal and (action.goal or any(step.kind == "move" for step in action.steps)):
        record.tell(ev.GoalChosen(action.goal or "two", bool(action.goal), hidden))
        look(record)
    for step in action.steps:
        state = record.state
        if step.kind == "give up":
            record.tell(ev.GivenUp(state.moves, hidden))
        elif step.kind == "undo":
            first, second = state.rules.ground.names(state.trail[-1])
            record.tell(ev.MoveUndone(first, second, state.rules.undo == "counts", hidden))
        else:
            index = state.rules.ground.index
            record.tell(ev.moved(state, PLAYER, tuple(index[space] for space in step.path), hidden))
            look(record)
    if action.comment:
        record.tell(ev.Commented(PLAYER, action.comment, hidden))
    if record.state.result:
        finish(record)
    elif not state.rules.whole:
        record.tell(ev.MailJudged(PLAYER))


def look(record: Record) -> None:
    """Whether the goal stands on the board now."""
    state = record.state
    pairs = reached(state.rules, state.cells, state.goal) if state.goal else ()
    if pairs:
        names = state.rules.ground.names
        named = tuple((names(black), names(white)) for black, white in pairs)
        record.tell(ev.GoalReached(state.moves, state.undone, named, state.rules.private))


def lapse(record: Record, seats: tuple[int, ...]) -> None:
    """The deadline: of the player, of the table of a puzzle for many (seat 0), or of both at once."""
    rules = record.state.rules
    if PLAYER in seats:
        record.tell(ev.TurnLapsed(PLAYER, rules.private))
    if seats != (PLAYER,):
        record.tell(ev.TableClosed(rules.table))
    finish(record)


def owed(state: State) -> tuple[Round, ...]:
    """With one deadline for all moves it is one round from first to last, and so keeps its label; in a puzzle for
    many the referee waits for that deadline too, so that nobody's end is published before it."""
    player = () if state.result else (Demand("Move", PLAYER),)
    asked = player if state.closed else (*player, Demand("Close", REFEREE))
    if not asked:
        return ()
    label = f"Round {1 if state.rules.whole else state.turn} / Player {PLAYER}"
    # A round that outlasts its answers has to take more than the first.
    answers: Literal["first", "last"] = "last" if state.rules.whole else "first"
    return (Round(label, asked, state.rules.window, answers=answers, holds=state.rules.holds),)


def wants_par(state: State) -> bool:
    """Whether the referee still owes its own solution; without a goal there is nothing to solve."""
    return state.rules.solo and state.rules.par and bool(state.goal) and state.par is None


def finish(record: Record) -> None:
    """The end, once the player is done, the table's deadline has passed and the referee's own solution is in."""
    state = record.state
    if not state.result or not state.closed or wants_par(state):
        return
    if state.rules.private:
        names = state.rules.ground.names
        trail = tuple((first, last) for first, last in map(names, state.trail))
        record.tell(ev.TrailRevealed(state.goal, trail, state.moves, state.undone, state.result))
    if state.par is not None:
        record.tell(ev.ParPublished(state.par))
    if state.result == "solved":
        solved = f"Solved in {state.moves} move{'' if state.moves == 1 else 's'}."
        record.tell(ev.MatchDecided((PLAYER,), solved))
    else:
        record.tell(ev.MatchDecided((), GIVEN_UP if state.result == "given up" else "Not solved in time."))


# --- the table of a puzzle for many ---------------------------------------------------------------------------------


def compared(outcomes: Mapping[str, Outcome | None]) -> tuple[tuple[str, ...], ...]:
    """Independent matches on one seed: a head, and a row for each match; empty while any of them has not ended. Fewest
    moves first, equals share a rank and the next is skipped; then who did not solve it, by name, without a rank."""
    ended = {match: outcome for match, outcome in outcomes.items() if outcome is not None}
    if len(ended) < len(outcomes):
        return ()
    counts = {match: int(outcome.points[PLAYER]) for match, outcome in ended.items()}
    solvers = sorted(
        (match for match in ended if ended[match].winners), key=lambda match: (counts[match], match)
    )
    rows = [
        (match, str(1 + sum(counts[m] < counts[match] for m in solvers)), str(counts[match]), "solved")
        for match in solvers
    ]
    for match in sorted(ended.keys() - set(solvers)):
        why = "given up" if ended[match].reason == GIVEN_UP else "not solved in time"
        rows.append((match, "-", str(counts[match]), why))
    return (("Match", "Rank", "Moves", "Result"), *rows) if rows else ()


# --- what private mails explain what everybody saw -----------------------------------------------------------------


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
