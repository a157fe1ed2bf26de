"""What happens in a match, one small fact each, and the state after it: all that old ledgers depend on. Spaces and
buttons by their names ("b2", "B3")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from referee.core.chance import Drawn
from referee.core.duel import DrawOffered, MatchDecided, StarterDrawn, other
from referee.core.folding import Fold
from referee.core.texts.words import FreeText
from referee.games.buttons.state import Goal, Par, Result, Rules, State, exchanged


@dataclass(frozen=True, slots=True)
class RulesSet:
    """All that this match is judged by, board included."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class RulesAmended:
    """All that this match is judged by from now on."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class ButtonsShuffled:
    """Solo: the shuffle, in reading order (a4 b4 c4 d4 a3 ... d1); seed and draws prove it (5.4)."""

    cells: tuple[str, ...]
    seed: str
    draws: tuple[Drawn, ...]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The match opens from a given position; "" is an empty space."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ButtonPlaced:
    seat: int
    button: str
    space: str


@dataclass(frozen=True, slots=True)
class ButtonMoved:
    """A button went along `path` (its first and last space are what counts); `other` is the button it changed
    places with, or "". `given`: the player named the way himself."""

    seat: int
    button: str
    other: str
    path: tuple[str, ...]
    given: bool = False
    private: bool = False


@dataclass(frozen=True, slots=True)
class PassForced:
    """A player had neither a placement nor a move."""

    seat: int


@dataclass(frozen=True, slots=True)
class LineMade:
    """Four buttons of one colour fill a line; `seat` is that colour's player."""

    seat: int
    spaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawAgreed:
    """The seat accepted the other's offer."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayerResigned:
    seat: int


@dataclass(frozen=True, slots=True)
class TurnLapsed:
    """Nothing came before the deadline."""

    seat: int
    private: bool = False


@dataclass(frozen=True, slots=True)
class Commented:
    """A player's words, relayed."""

    seat: int
    text: FreeText
    private: bool = False


@dataclass(frozen=True, slots=True)
class GoalChosen:
    """Solo; `said`: by the player, else because the first move came without a choice."""

    goal: Goal
    said: bool
    private: bool = False


@dataclass(frozen=True, slots=True)
class MoveUndone:
    """Solo: the last move was taken back; `counts`: both count."""

    first: str
    second: str
    counts: bool
    private: bool = False


@dataclass(frozen=True, slots=True)
class GoalReached:
    """Solo: the goal stands on the board. `pairs`: a black line and the white line that matches it, each."""

    moves: int
    undone: int
    pairs: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    private: bool = False


@dataclass(frozen=True, slots=True)
class GivenUp:
    moves: int
    private: bool = False


@dataclass(frozen=True, slots=True)
class MailJudged:
    """Solo: a mail was played out and the puzzle goes on: the next round begins."""

    seat: int


@dataclass(frozen=True, slots=True)
class ParFound:
    """The referee's own solution, secret until the end."""

    par: Par


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The one deadline of a puzzle for many has passed."""

    table: str


@dataclass(frozen=True, slots=True)
class TrailRevealed:
    """A private puzzle becomes public: goal, all moves that were not taken back, the count and the result."""

    goal: Goal
    trail: tuple[tuple[str, str], ...]
    moves: int
    undone: int
    result: Result


@dataclass(frozen=True, slots=True)
class ParPublished:
    par: Par


_Start = RulesSet | RulesAmended | StarterDrawn | ButtonsShuffled | PositionSet
_Turns = ButtonPlaced | ButtonMoved | PassForced | LineMade | DrawOffered | DrawAgreed
_Leaving = PlayerResigned | TurnLapsed | Commented
_Puzzle = GoalChosen | MoveUndone | GoalReached | GivenUp | MailJudged | ParFound | TableClosed
_End = TrailRevealed | ParPublished | MatchDecided
Event: TypeAlias = _Start | _Turns | _Leaving | _Puzzle | _End

# What happens in a puzzle, which may be private.
OFTEN_PRIVATE = (ButtonMoved, TurnLapsed, Commented, GoalChosen, MoveUndone, GoalReached, GivenUp)


# --- the state after an event --------------------------------------------------------------------------------------


fold: Fold[State] = Fold()
fold.telling(LineMade, DrawAgreed, PlayerResigned, Commented)


# --- the rules and the start -------------------------------------------------------------------------------------


@fold.on(RulesSet)
def _rules_set(state: State, event: RulesSet) -> State:
    rules = event.rules
    empty = ("",) * len(rules.board.spaces)
    return State(rules, start=empty, cells=empty, goal=rules.goal, closed=not rules.table)


fold.on(RulesAmended)(lambda state, event: replace(state, rules=event.rules))
fold.on(StarterDrawn)(lambda state, event: _counted(replace(state, first=event.seat, mover=event.seat)))
fold.on(ButtonsShuffled)(lambda state, event: replace(state, start=event.cells, cells=event.cells))


@fold.on(PositionSet)
def _position_set(state: State, event: PositionSet) -> State:
    return _counted(replace(state, start=event.cells, cells=event.cells, seen=()))


# --- two players -------------------------------------------------------------------------------------------------


@fold.on(ButtonPlaced)
def _button_placed(state: State, event: ButtonPlaced) -> State:
    """A placement can never be taken back: no earlier position can come again."""
    at = state.rules.ground.index[event.space]
    cells = (*state.cells[:at], event.button, *state.cells[at + 1 :])
    return _counted(replace(_turned(state, event.seat), cells=cells, last=(at,), seen=()))


@fold.on(ButtonMoved)
def _button_moved(state: State, event: ButtonMoved) -> State:
    """Of either game."""
    index = state.rules.ground.index
    first, last = index[event.path[0]], index[event.path[-1]]
    cells = exchanged(state.cells, first, last)
    if state.rules.solo:
        return replace(state, cells=cells, last=(first, last), trail=(*state.trail, (first, last)))
    swapped = (first, last) if event.other else None
    return _counted(replace(_turned(state, event.seat), cells=cells, last=(first, last), swapped=swapped))


fold.on(PassForced)(lambda state, event: _counted(_turned(state, event.seat, passed=True)))
fold.on(DrawOffered)(lambda state, event: replace(state, offer=event.seat))
fold.on(MatchDecided)(lambda state, event: replace(state, ended=event))


def _turned(state: State, seat: int, passed: bool = False) -> State:
    """The turn goes over; an offer stands until the one it was made to has acted."""
    offer = state.offer if passed or state.offer == seat else 0
    return replace(
        state, turn=state.turn + 1, mover=other(seat), offer=offer, passed=passed, swapped=None, last=()
    )


def _counted(state: State) -> State:
    """The position with its side to move goes into the table of repetitions (5.3); the supplies follow from it."""
    if state.rules.solo:
        return state
    return replace(state, seen=(*state.seen, f"{state.mover}:{'.'.join(state.cells)}"))


# --- the puzzle --------------------------------------------------------------------------------------------------

fold.on(GoalChosen)(lambda state, event: replace(state, goal=event.goal))


@fold.on(MoveUndone)
def _move_undone(state: State, event: MoveUndone) -> State:
    first, second = state.trail[-1]
    return replace(
        state,
        cells=exchanged(state.cells, first, second),
        trail=state.trail[:-1],
        last=(),
        undone=state.undone + 1,
        extra=state.extra + (2 if event.counts else 0),
    )


fold.on(GoalReached)(lambda state, event: replace(state, result="solved"))
fold.on(GivenUp)(lambda state, event: replace(state, result="given up"))


@fold.on(TurnLapsed)
def _turn_lapsed(state: State, event: TurnLapsed) -> State:
    """With two players what follows says it all."""
    return replace(state, result="unsolved") if state.rules.solo else state


fold.on(MailJudged)(lambda state, event: replace(state, turn=state.turn + 1))
fold.on(ParFound)(lambda state, event: replace(state, par=event.par))
fold.on(ParPublished)(lambda state, event: replace(state, par=event.par))
fold.on(TableClosed)(lambda state, event: replace(state, closed=True))


@fold.on(TrailRevealed)
def _trail_revealed(state: State, event: TrailRevealed) -> State:
    """The public learns what the player's own state holds already."""
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
