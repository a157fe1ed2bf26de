"""The rules a match is judged by, how it stands, and what may happen in it, with the state after
it: all that old ledgers depend on.  Spaces and buttons by their names ("b2", "B3")."""

from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Literal, TypeAlias

from referee.core.chance import Drawn
from referee.core.duel import DrawOffered, MatchDecided, StarterDrawn, other
from referee.core.value import Complaint, FreeText, OfSeat, Recorder, Value, fault
from referee.games.buttons.board import COLOUR_NAME, SIDES, Board, Colour, Ground, ground, table, walks

Goal = Literal["", "two", "four"]
Result = Literal["", "solved", "given up", "unsolved"]
Values = tuple[tuple[int, ...], tuple[int, ...]]  # on black's and on white's buttons
Cells = tuple[str, ...]  # a button's sign ("B3") or "" for every space, in reading order


class Rules(Value):
    """All options and data, as the opening recorded them.

    `values` are the numbers on black's and on white's buttons, ascending; `repetition` 0 and `window` None mean
    off; `goal` "" lets the player choose; `whole`: one deadline for all moves; `table` "" is no
    puzzle for many."""

    board: Board
    values: Values
    mode: Literal["two", "solo"] = "two"
    starter: Literal["random", "1", "2"] = "random"
    place_adjacency: Literal["grid", "bridge"] = "grid"
    repetition: int = 3
    goal: Goal = ""
    undo: Literal["free", "counts", "off"] = "free"
    perspective: Literal["strict", "half_turn"] = "strict"
    window: timedelta | None = timedelta(days=7)
    holds: bool = False
    whole: bool = False
    par: bool = True
    par_nodes: int = 2_000_000
    private: bool = False
    table: str = ""

    @property
    def solo(self) -> bool:
        return self.mode == "solo"

    @property
    def ground(self) -> Ground:
        return ground(self.board)

    def reach(self, button: str, space: int) -> tuple[int, ...]:
        """Where the button may go from there (5.2)."""
        return table(self.board, self.longest)[button[0]][space][int(button[1:])]

    @property
    def longest(self) -> int:
        return max(value for values in self.values for value in values)


class Par(Value):
    """The referee's own solution. `moves` None: none was found; `proven`: no shorter one exists."""

    moves: int | None
    proven: bool
    solution: tuple[tuple[str, str], ...]


NOWHERE = Rules(Board("none", 0, 0, (), ()), ((), ()))


class State(Value):
    """How a match stands.

    `turn` counts turns (two players) or accepted mails (solo) from 1; `swapped` the spaces whose buttons the last
    turn exchanged; `passed`: the last turn was a forced pass; `seen` the positions since a button was last placed;
    `offer` the seat whose offer of a draw stands, or 0; `last` the spaces of the last turn, its end last.
    Solo: `start` the shuffle; `trail` the moves not taken back; `extra` what undone moves add to the count;
    `closed`: the deadline of the table has passed; `par` is the referee's secret until the end.
    """

    rules: Rules = NOWHERE
    start: Cells = ()
    cells: Cells = ()
    turn: int = 1
    first: int = 1
    mover: int = 1
    swapped: tuple[int, int] | None = None
    passed: bool = False
    seen: tuple[str, ...] = ()
    offer: int = 0
    last: tuple[int, ...] = ()
    goal: Goal = ""
    trail: tuple[tuple[int, int], ...] = ()
    extra: int = 0
    undone: int = 0
    result: Result = ""
    closed: bool = False
    par: Par | None = None
    ended: MatchDecided | None = None

    @property
    def moves(self) -> int:
        """Solo: the moves that count."""
        return len(self.trail) + self.extra

    def supply(self, seat: int) -> tuple[int, ...]:
        """The values of the seat's buttons that are not on the board, ascending."""
        if not self.rules.values[seat - 1]:
            return ()
        left = Counter(self.rules.values[seat - 1])
        left.subtract(int(cell[1:]) for cell in self.cells if cell[:1] == SIDES[seat - 1])
        return tuple(sorted(left.elements()))


def buttons(values: Values) -> Cells:
    """The signs of all buttons that there are."""
    return tuple(f"{colour}{value}" for colour, row in zip(SIDES, values, strict=True) for value in row)


def colour_of(seat: int) -> Colour:
    return SIDES[seat - 1]


def exchanged(cells: Cells, first: int, second: int) -> Cells:
    """The cells after what stands on two spaces changed places; one of them may be empty."""
    after = list(cells)
    after[first], after[second] = after[second], after[first]
    return tuple(after)


class RulesSet(Value):
    """All that this match is judged by, board included."""

    rules: Rules


class RulesAmended(Value):
    """All that this match is judged by from now on."""

    rules: Rules


class ButtonsShuffled(Value):
    """Solo: the shuffle, in reading order (a4 b4 c4 d4 a3 ... d1); seed and draws prove it (5.4)."""

    cells: tuple[str, ...]
    seed: str
    draws: tuple[Drawn, ...]


class PositionSet(Value):
    """The match opens from a given position; "" is an empty space."""

    cells: tuple[str, ...]


class ButtonPlaced(OfSeat):
    button: str
    space: str


class ButtonMoved(OfSeat):
    """A button went along `path` (its first and last space are what counts); `other` is the button
    it changed places with, or "". `given`: the player named the way himself."""

    button: str
    other: str
    path: tuple[str, ...]
    given: bool = False
    private: bool = False


class PassForced(OfSeat):
    """A player had neither a placement nor a move."""


class LineMade(OfSeat):
    """Four buttons of one colour fill a line; `seat` is that colour's player."""

    spaces: tuple[str, ...]


class DrawAgreed(OfSeat):
    """The seat accepted the other's offer."""


class PlayerResigned(Value):
    seat: int


class TurnLapsed(OfSeat):
    """Nothing came before the deadline."""

    private: bool = False


class Commented(OfSeat):
    """A player's words, relayed."""

    text: FreeText
    private: bool = False


class GoalChosen(Value):
    """Solo; `said`: by the player, else because the first move came without a choice."""

    goal: Goal
    said: bool
    private: bool = False


class MoveUndone(Value):
    """Solo: the last move was taken back; `counts`: both count."""

    first: str
    second: str
    counts: bool
    private: bool = False


class GoalReached(Value):
    """Solo: the goal stands on the board. `pairs`: a black line and the white line that matches it, each."""

    moves: int
    undone: int
    pairs: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    private: bool = False


class GivenUp(Value):
    moves: int
    private: bool = False


class MailJudged(OfSeat):
    """Solo: a mail was played out and the puzzle goes on: the next round begins."""


class ParFound(Value):
    """The referee's own solution, secret until the end."""

    par: Par


class TableClosed(Value):
    """The one deadline of a puzzle for many has passed."""

    table: str


class TrailRevealed(Value):
    """A private puzzle becomes public: goal, all moves that were not taken back, the count and the result."""

    goal: Goal
    trail: tuple[tuple[str, str], ...]
    moves: int
    undone: int
    result: Result


class ParPublished(Value):
    par: Par


_Start = RulesSet | RulesAmended | StarterDrawn | ButtonsShuffled | PositionSet
_Turns = ButtonPlaced | ButtonMoved | PassForced | LineMade | DrawOffered | DrawAgreed
_Leaving = PlayerResigned | TurnLapsed | Commented
_Puzzle = GoalChosen | MoveUndone | GoalReached | GivenUp | MailJudged | ParFound | TableClosed
_End = TrailRevealed | ParPublished | MatchDecided
Event: TypeAlias = _Start | _Turns | _Leaving | _Puzzle | _End

# What happens in a puzzle, which may be private.
OFTEN_PRIVATE = (ButtonMoved, TurnLapsed, Commented, GoalChosen, MoveUndone, GoalReached, GivenUp)


def fold(state: State, event: Event) -> State:
    """The state after an event: total, and for ever."""
    match event:
        case RulesSet():
            rules = event.rules
            empty = ("",) * len(rules.board.spaces)
            return State(rules, start=empty, cells=empty, goal=rules.goal, closed=not rules.table)
        case RulesAmended():
            return replace(state, rules=event.rules)
        case StarterDrawn():
            return _counted(replace(state, first=event.seat, mover=event.seat))
        case ButtonsShuffled():
            return replace(state, start=event.cells, cells=event.cells)
        case PositionSet():
            return _counted(replace(state, start=event.cells, cells=event.cells, seen=()))
        case ButtonPlaced():  # a placement can never be taken back: no earlier position can come again
            at = state.rules.ground.index[event.space]
            cells = (*state.cells[:at], event.button, *state.cells[at + 1 :])
            return _counted(replace(_turned(state, event.seat), cells=cells, last=(at,), seen=()))
        case ButtonMoved():  # of either game
            index = state.rules.ground.index
            first, last = index[event.path[0]], index[event.path[-1]]
            cells = exchanged(state.cells, first, last)
            if state.rules.solo:
                return replace(state, cells=cells, last=(first, last), trail=(*state.trail, (first, last)))
            swapped, state = (first, last) if event.other else None, _turned(state, event.seat)
            return _counted(replace(state, cells=cells, last=(first, last), swapped=swapped))
        case PassForced():
            return _counted(_turned(state, event.seat, passed=True))
        case DrawOffered():
            return replace(state, offer=event.seat)
        case MatchDecided():
            return replace(state, ended=event)
        case GoalChosen():
            return replace(state, goal=event.goal)
        case MoveUndone():
            first, second = state.trail[-1]
            return replace(
                state,
                cells=exchanged(state.cells, first, second),
                trail=state.trail[:-1],
                last=(),
                undone=state.undone + 1,
                extra=state.extra + (2 if event.counts else 0),
            )
        case GoalReached():
            return replace(state, result="solved")
        case GivenUp():
            return replace(state, result="given up")
        case TurnLapsed():  # with two players what follows says it all
            return replace(state, result="unsolved") if state.rules.solo else state
        case MailJudged():
            return replace(state, turn=state.turn + 1)
        case ParFound() | ParPublished():
            return replace(state, par=event.par)
        case TableClosed():
            return replace(state, closed=True)
        case TrailRevealed():  # the public learns what the player's own state holds already
            index = state.rules.ground.index
            trail = tuple((index[first], index[second]) for first, second in event.trail)
            cells = state.start
            for first, second in trail:
                cells = exchanged(cells, first, second)
            return replace(
                state,
                goal=event.goal,
                cells=cells,
                trail=trail,
                last=trail[-1] if trail else (),
                extra=event.moves - len(trail),
                undone=event.undone,
                result=event.result,
            )
        case LineMade() | DrawAgreed() | PlayerResigned() | Commented():
            return state


def _turned(state: State, seat: int, passed: bool = False) -> State:
    """The turn goes over; an offer stands until the one it was made to has acted."""
    offer, state = state.offer if passed or state.offer == seat else 0, replace(state, swapped=None, last=())
    return replace(state, turn=state.turn + 1, mover=other(seat), offer=offer, passed=passed)


def _counted(state: State) -> State:
    """The position with its side to move goes into the table of repetitions (5.3); the supplies follow from it."""
    if state.rules.solo:
        return state
    return replace(state, seen=(*state.seen, f"{state.mover}:{'.'.join(state.cells)}"))


Record = Recorder[State, Event]


def no_space(state: State, space: str, part: str) -> Complaint:
    return fault("no_such_space", "5.1", part, space=space, spaces=state.rules.board.spaces)


def path_of(state: State, path: tuple[str, ...], part: str) -> Generator[Complaint, None, tuple[int, ...]]:
    """The numbers of the spaces named, a complaint for each that is none; () if there is any."""
    index = state.rules.ground.index
    strange = [space for space in dict.fromkeys(path) if space not in index]
    for space in strange:
        yield no_space(state, space, part)
    if len(path) < 2 and not strange:
        yield fault("half_a_move", "5.5", part, space=path[0] if path else "")
    return () if strange or len(path) < 2 else tuple(index[space] for space in path)


def way_faults(
    state: State, path: tuple[int, ...], button: str, part: str, step: int = 0
) -> Iterator[Complaint]:
    """5.2: the end must lie exactly the value away; a way that is named must be a legal one."""
    names = state.rules.ground.names
    start, end = names((path[0], path[-1]))
    possible = state.rules.reach(button, path[0])
    facts = {"button": button, "start": start, "end": end, "possible": names(possible), "step": step}
    if start == end:
        yield fault("same_space", "5.2", part, **facts)
    elif path[-1] not in possible:
        yield fault("out_of_reach", "5.2", part, **facts)
    for one, two in pairwise(path) if len(path) > 2 else ():
        crossed = state.rules.ground.bridge.get((one, two))
        if crossed not in ("red", COLOUR_NAME[button[0]]):
            code = "wrong_bridge" if crossed else "no_bridge"
            yield fault(code, "5.2", part, **facts, one=names((one,))[0], two=names((two,))[0])
    if len(path) > 2:
        for at, space in enumerate(path):
            if space in path[:at]:
                twice = names((space,))[0]
                yield fault("space_twice", "5.2", part, **facts, one=twice, two=twice)
        if len(path) - 1 != int(button[1:]):
            yield fault("path_length", "5.2", part, **facts, bridges=len(path) - 1, value=int(button[1:]))


def moved(state: State, seat: int, path: tuple[int, ...], private: bool = False) -> ButtonMoved:
    """The move, with a way for the record where the player named none."""
    button, given = state.cells[path[0]], len(path) > 2
    way = path if given else next(walks(state.rules.board, button, path[0], path[-1]), ())
    return ButtonMoved(seat, button, state.cells[path[-1]], state.rules.ground.names(way), given, private)
