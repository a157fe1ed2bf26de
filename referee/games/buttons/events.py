"""What happens in a match, one small fact each. Spaces and buttons by their names ("b2", "B3")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from referee.core.chance import Drawn
from referee.core.duel import DrawOffered, MatchDecided, StarterDrawn
from referee.core.texts.words import FreeText
from referee.games.buttons.state import Goal, Par, Result, Rules


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
