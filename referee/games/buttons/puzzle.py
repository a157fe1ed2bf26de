"""The puzzle (5.4): its goals, a mail played out step by step, the end, and the table of a puzzle for many; the
referee's own solution of it, by search from its start, and seeded players, who play by it.

A *target* is one way to lay the lines of the goal: pairs of spaces, a black one and the white one
it must match. What a pair lacks is the number of its two buttons that must still be replaced (0, 1
or 2). An exchange changes two spaces, so a target that lacks n is at least n/2 exchanges away;
deepening target by target with that bound, the first solution found is a shortest one. Nodes are
positions looked into: the same count on every machine."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import heappop, heappush
from itertools import chain, combinations, islice, permutations
from typing import Literal

from referee.core.chance import Chance
from referee.core.game import Outcome, Seen, Untold
from referee.core.value import REFEREE, Complaint, Demand, Round, fault
from referee.games.buttons import notation as do
from referee.games.buttons import state as ev
from referee.games.buttons.board import LINE, Board, ground
from referee.games.buttons.state import Cells, Goal, Par, Record, Rules, State, exchanged, fold

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
    """The lines that reach the goal, B3 facing W3 and so on along both of a pair: one pair, or two
    that share no space; nothing while it is not reached."""
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


# --- what is wrong with a mail, or with the referee's own solution ---------------------------------------------------


def solo_faults(state: State, action: do.PlaySolo) -> Iterator[Complaint]:
    """A solo mail. Steps after a faulty one are judged as if it had been made as the sender meant it."""
    if action.goal and state.goal and action.goal != state.goal:
        yield fault("goal_fixed", "5.4", "goal", goal=state.goal, given=action.goal)
    if not action.steps and action.goal in ("", state.goal):
        yield fault("nothing_ordered", "5.5", "goal")
    now = begun(state, action.goal)
    for number, step in enumerate(action.steps):
        yield from step_faults(now, step, number)
        now = stepped(now, step)


def begun(state: State, goal: Goal) -> State:
    """The puzzle before the first step of a mail that names that goal; the board may show it already."""
    chosen: Goal = state.goal or goal or "two"
    shown = not state.goal and reached(state.rules, state.cells, chosen)
    return replace(state, goal=chosen, result="solved" if shown else "")


def moves(state: State) -> Iterator[tuple[int, int]]:
    """From and to of every move that may be the next one."""
    for space, cell in enumerate(state.cells if not state.result else ()):
        yield from ((space, end) for end in (state.rules.reach(cell, space) if cell else ()))


def step_faults(state: State, step: do.Step, number: int = 0) -> Iterator[Complaint]:
    """Every complaint about a step, the next one of its mail."""
    part, facts = f"steps.{number}", {"step": number + 1, "done": state.result}
    if state.result:
        yield fault("after_the_end", "5.4", part, **facts)
    elif step.kind == "undo" and state.rules.undo == "off":
        yield fault("no_undo", "5.4", part, **facts)
    elif step.kind == "undo" and not state.trail:
        yield fault("nothing_to_undo", "5.4", part, **facts)
    elif step.kind == "move" and (path := (yield from ev.path_of(state, step.path, part))):
        yield from ev.way_faults(state, path, state.cells[path[0]], part, number + 1)


def stepped(state: State, step: do.Step) -> State:
    """The puzzle after a step, a faulty one as its sender meant it, where that can be."""
    rules = state.rules
    if state.result:
        return state
    if step.kind == "give up":
        return replace(state, result="given up")
    if step.kind == "undo":
        return fold(state, ev.MoveUndone("", "", False)) if rules.undo != "off" and state.trail else state
    if len(step.path) < 2 or any(space not in rules.ground.index for space in step.path):
        return state
    after = fold(state, ev.ButtonMoved(PLAYER, "", "", step.path))
    return replace(after, result="solved") if reached(rules, after.cells, after.goal) else after


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
        trail = tuple((first, last) for first, last in map(state.rules.ground.names, state.trail))
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
    solvers = sorted(match for match in ended if ended[match].winners)
    solvers.sort(key=counts.__getitem__)
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
    """What had been played before the last mail: nothing but a goal; what leads to the trail at the
    end; or that with the end in it, which `unseen` the player's last mail must have brought."""
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


# --- the own solution ------------------------------------------------------------------------------------------------


Target = tuple[tuple[int, int], ...]
Exchange = tuple[int, int]
MOST_TARGETS = 5_000  # a large board has more ways to lay four lines: the first are tried, and it is said
HURRIED_SHARE = 4  # the hurried search may use one part in so many of the nodes ...
MOST_HURRIED = 5_000  # ... and no more than these, since it keeps every position it has seen
WEIGHT = 3  # of the bound in the hurried search
NO_BOUND = 10_000  # more exchanges than any solution has


class OutOfNodes(Exception):
    """The search has used up the nodes it was given."""


def laid(rules: Rules, goal: Goal) -> tuple[tuple[Target, ...], bool]:
    """The ways to lay the lines of the goal on the board, and whether these are all; else the first of too many."""
    pairs = [tuple(zip(*pair, strict=True)) for pair in pairs_of(rules.board, rules.perspective)]
    if goal != "four":
        return tuple(pairs), True
    both = ((*one, *two) for one, two in combinations(pairs, 2))
    apart = (t for t in both if len({space for pair in t for space in pair}) == 2 * len(t))
    found = tuple(islice(apart, MOST_TARGETS + 1))
    return found[:MOST_TARGETS], len(found) <= MOST_TARGETS


def lack(black: str, white: str) -> int:
    """How many of two facing buttons must still be replaced before they match."""
    if black[0] == "B":
        return 0 if white == f"W{black[1:]}" else 1
    return 1 if white[0] == "W" else 2


class Search:
    """Searches from one start, within one budget of nodes."""

    def __init__(self, rules: Rules, start: Cells, nodes: int) -> None:
        self.start = start
        self.left = nodes
        buttons = sorted(set(start))
        spaces = range(len(start))
        self._reach = {button: tuple(rules.reach(button, space) for space in spaces) for button in buttons}
        self._lack = {(one, two): lack(one, two) for one in buttons for two in buttons}

    def lacking(self, cells: Cells | list[str], target: Target) -> int:
        return sum(self._lack[cells[black], cells[white]] for black, white in target)

    def exchanges(self, cells: Cells | list[str]) -> list[Exchange]:
        """Every exchange of two different buttons, once, from a space whose button can make it."""
        found: dict[Exchange, Exchange] = {}
        for space, button in enumerate(cells):
            for goal in self._reach[button][space]:
                if cells[goal] != button:
                    found.setdefault((space, goal) if space < goal else (goal, space), (space, goal))
        return list(found.values())

    def shortest(self, targets: tuple[Target, ...], below: int = NO_BOUND) -> tuple[Exchange, ...] | None:
        """A shortest solution of fewer than `below` exchanges, None where there is none; raises OutOfNodes."""
        for depth in range(below):
            for target in targets:
                facing = {space: pair for pair in target for space in pair}
                if (way := self._within(list(self.start), target, facing, depth, (-1, -1))) is not None:
                    return way
        return None

    def _within(
        self,
        cells: list[str],
        target: Target,
        facing: dict[int, tuple[int, int]],
        depth: int,
        before: Exchange,
    ) -> tuple[Exchange, ...] | None:
        """A way to the target in at most `depth` exchanges, or None. Where a button may go does not depend on the
        others, so exchanges on four different spaces can be made in either order: only one order is tried."""
        if self.left <= 0:
            raise OutOfNodes
        self.left -= 1
        if (missing := self.lacking(cells, target)) == 0:
            return ()
        if missing > 2 * depth:
            return None
        for first, second in self.exchanges(cells):
            low, high = (first, second) if first < second else (second, first)
            if (low, high) == before or ((low, high) < before and not {low, high} & set(before)):
                continue
            touched = {facing[space] for space in (first, second) if space in facing}
            if 2 * (depth - 1) < missing - sum(self._lack[cells[b], cells[w]] for b, w in touched):
                continue
            cells[first], cells[second] = cells[second], cells[first]
            way = self._within(cells, target, facing, depth - 1, (low, high))
            cells[first], cells[second] = cells[second], cells[first]
            if way is not None:
                return ((first, second), *way)
        return None

    def hurried(self, targets: tuple[Target, ...]) -> tuple[Exchange, ...]:
        """Best-first with the bound weighted: a solution soon, not always a shortest; raises OutOfNodes."""
        ways: dict[Cells, tuple[Exchange, ...]] = {self.start: ()}
        heap = [(0, 0, self.start)]
        while heap:
            _, _, cells = heappop(heap)
            way = ways[cells]
            if min(self.lacking(cells, target) for target in targets) == 0:
                return way
            if self.left <= 0:
                raise OutOfNodes
            self.left -= 1
            for exchange in self.exchanges(cells):
                if (after := exchanged(cells, *exchange)) not in ways:
                    ways[after] = (*way, exchange)
                    far = min(self.lacking(after, target) for target in targets)
                    heappush(heap, (2 * (len(way) + 1) + WEIGHT * far, len(ways), after))
        raise OutOfNodes


def solved(rules: Rules, start: Cells, goal: Goal, nodes: int) -> Par:
    """The referee's solution: one found in a hurry, then anything shorter; proven when the second search ended.

    `moves` None where the nodes did not suffice to find any."""
    targets, complete = laid(rules, goal)
    hurry = min(nodes // HURRIED_SHARE, MOST_HURRIED)
    quick = Search(rules, start, hurry)
    try:
        best: tuple[Exchange, ...] | None = quick.hurried(targets)
    except OutOfNodes:
        best = None
    exact = Search(rules, start, nodes - hurry + quick.left)
    try:
        best = exact.shortest(targets, len(best) if best is not None else NO_BOUND) or best
        proven = complete and best is not None
    except OutOfNodes:
        proven = False
    if best is None:
        return Par(None, False, ())
    names = rules.ground.spaces
    return Par(len(best), proven, tuple((names[first], names[second]) for first, second in best))


# --- seeded players ------------------------------------------------------------------------------------------------


NODES = 3_000  # enough for nearly every shuffle of the original board


def suggested(state: State, chance: Chance) -> do.PlaySolo:
    """One or more moves of a solution; now and then a wrong move, an undo, or giving up."""
    goal: Goal = state.goal or ("two", "four")[chance.below(2, "the goal")]
    mood = chance.below(12, "what to do")
    choice: Goal = "" if state.goal else goal
    if mood == 0 and state.trail and state.rules.undo != "off":
        return do.PlaySolo((do.Step("undo"),), choice)
    if mood == 1 and len(state.trail) < 3:
        space = chance.below(len(state.cells), "a button")
        if reach := state.rules.reach(state.cells[space], space):
            stray = state.rules.ground.names((space, reach[chance.below(len(reach), "where to")]))
            return do.PlaySolo((do.Step("move", stray),), choice)
    found = solved(state.rules, state.cells, goal, NODES)
    if not found.solution:
        return do.PlaySolo((do.Step("give up"),), choice)
    count = 1 + chance.below(len(found.solution), "how many moves")
    return do.PlaySolo(tuple(do.Step("move", move) for move in found.solution[:count]), choice)
