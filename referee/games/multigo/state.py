"""The state of a match: small values, cheap to copy and to store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from referee.games.multigo.actions import Count
from referee.games.multigo.board import SEAT, History, Points, points_of
from referee.games.multigo.events import AlliesDeclared, Chain, GameWon, Scored, Share
from referee.games.multigo.rules import Rules

Phase = Literal["new", "play", "dead", "count", "ally", "over"]


@dataclass(frozen=True, slots=True)
class Pending:
    """A shared capture not yet divided: what is left of it (by colour) and who is still to take how many."""

    number: int
    round: int
    pool: tuple[int, ...]
    queue: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """What is kept of one player. `last` is the last action: points, or "pass", or "resign"."""

    prisoners: tuple[int, ...] = ()  # by colour
    resigned: bool = False
    defaults: int = 0  # moves missed in a row
    vacant: bool = False  # open for takeover
    prefer: tuple[int, ...] = ()
    last: tuple[str, ...] = ()
    listed: tuple[str, ...] | None = None  # dead stones


@dataclass(frozen=True, slots=True)
class Trace:
    """The last turn, for pictures: stones placed, points emptied with their colour, points contested."""

    placed: tuple[str, ...] = ()
    removed: tuple[tuple[str, int], ...] = ()
    contested: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """`board` is row by row from the top; `seats[n - 1]` is seat n; `turn` is 0 in a parallel round."""

    rules: Rules | None = None
    width: int = 0
    height: int = 0
    board: str = ""
    history: History = field(default_factory=History)
    phase: Phase = "new"
    round: int = 0
    turn: int = 0
    mover: int = 0  # who acted last
    seats: tuple[Seat, ...] = ()
    passed: tuple[int, ...] = ()  # since the last stone
    voids: int = 0
    adjourned: bool = False
    captures: int = 0  # shared captures so far
    pending: tuple[Pending, ...] = ()
    eliminated: tuple[int, ...] = ()
    disputes: int = 0
    trace: Trace = Trace()
    scored: Scored | None = None
    allied: AlliesDeclared | None = None
    won: GameWon | None = None

    @property
    def law(self) -> Rules:
        """The rules of a match that has opened."""
        if self.rules is None:
            raise ValueError("no match has been opened")
        return self.rules

    @property
    def points(self) -> Points:
        return points_of(self.width, self.height)

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that have not resigned."""
        return tuple(number for number, seat in enumerate(self.seats, 1) if not seat.resigned)

    def seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    def colour_at(self, point: int) -> int:
        """The seat whose stone stands there, 0 where none does."""
        return SEAT.get(self.board[point], 0)


def counts(stones: tuple[int, ...]) -> tuple[Count, ...]:
    """Numbers by colour as a list of those above none."""
    return tuple(Count(colour, number) for colour, number in enumerate(stones, 1) if number)


def tallied(stones: tuple[Count, ...], players: int) -> tuple[int, ...]:
    """A list of counts as numbers by colour."""
    numbers = [0] * players
    for count in stones:
        numbers[count.colour - 1] += count.stones
    return tuple(numbers)


def stones_in(chains: Iterable[Chain], players: int) -> tuple[int, ...]:
    """The stones of chains as numbers by colour."""
    return tallied(tuple(Count(chain.colour, len(chain.points)) for chain in chains), players)


def added(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(first, second, strict=True))


def lessened(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(first, second, strict=True))


def next_turn(state: State, seat: int) -> tuple[int, int]:
    """The round and seat after that seat's turn, resigned seats skipped."""
    active = state.active
    later = [number for number in active if number > seat]
    return (state.round, later[0]) if later else (state.round + 1, active[0])
