"""The board (M1), the rules a match is judged by, how it stands; what happens in it, one small fact
each, and the state after it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Final, TypeAlias

from referee.core.duel import Commented, DrawOffered, MatchDecided, StarterDrawn, other
from referee.core.options import Options, typed
from referee.core.value import OfSeat, Value

COLUMNS: Final = "abcdefg"
ROWS: Final = "7654321"

# 24 points on three squares, one inside the other. The lines as they are drawn, from left to right and top to bottom.
_ACROSS: Final = "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1"
_DOWN: Final = "a7 a4 a1, b6 b4 b2, c5 c4 c3, d7 d6 d5, d3 d2 d1, e5 e4 e3, f6 f4 f2, g7 g4 g1"
LINES: Final = tuple(tuple(line.split()) for line in f"{_ACROSS}, {_DOWN}".split(", "))
POINTS: Final = tuple(sorted({point for line in LINES for point in line}, key=lambda p: (-int(p[1]), p[0])))
INDEX: Final = {point: number for number, point in enumerate(POINTS)}
BESIDE: Final = {
    point: tuple(
        end for line in LINES for way in (line, line[::-1]) for start, end in pairwise(way) if start == point
    )
    for point in POINTS
}


MEN: Final = 9
COLOURS: Final = {1: "white", 2: "black"}


class Rules(Value):
    """`repetition` and `quiet` 0, and `window` None, mean off."""

    starter: str = "random"
    flying: bool = True
    repetition: int = 3
    quiet: int = 50
    window: timedelta | None = timedelta(days=7)
    holds: bool = False

    @classmethod
    def of(cls, options: Options) -> "Rules":
        holds = options.text("timeout_default") == "wait"
        return typed(cls, options, window=options.window("move_deadline"), holds=holds)


class State(Value):
    """How a match stands.

    `cells` holds for every point, in the order of POINTS, the seat whose man stands there, or 0; `hands` the men each
    seat has still to place; `quiet` the turns since a man was placed or taken, `seen` the positions
    in them; `offer` the seat whose offer of a draw stands, or 0; `last` the points of the last
    turn; `taken` where it took a man."""

    rules: Rules = Rules()
    cells: tuple[int, ...] = (0,) * len(POINTS)
    hands: tuple[int, int] = (MEN, MEN)
    turn: int = 0
    mover: int = 1
    offer: int = 0
    quiet: int = 0
    seen: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    taken: str = ""
    ended: tuple[int, ...] | None = None  # the winners
    why: str = ""

    def at(self, point: str) -> int:
        return self.cells[INDEX[point]]

    def men(self, seat: int) -> tuple[str, ...]:
        """The points where the seat's men stand."""
        return tuple(point for point, owner in zip(POINTS, self.cells, strict=True) if owner == seat)

    def hand(self, seat: int) -> int:
        return self.hands[seat - 1]

    def flies(self, seat: int) -> bool:
        """M4: with three men left, a man may go to any empty point."""
        return self.rules.flying and not self.hand(seat) and len(self.men(seat)) == 3

    def in_mill(self, point: str) -> bool:
        owner = self.at(point)
        return any(all(self.at(one) == owner for one in line) for line in LINES if point in line)

    def with_men(self, changes: Iterable[tuple[str, int]]) -> tuple[int, ...]:
        cells = list(self.cells)
        for point, owner in changes:
            cells[INDEX[point]] = owner
        return tuple(cells)

    @property
    def key(self) -> str:
        """The position with its side to move, exactly (M7)."""
        return "".join(map(str, (self.mover, *self.hands, *self.cells)))


# --- what happens: all that old ledgers depend on --------------------------------------------------------------------


class RulesSet(Value):
    """All that this match is judged by, from now on."""

    rules: Rules


class ManPlayed(OfSeat):
    """A man was placed (`start` is "") or moved."""

    start: str
    end: str


class ManTaken(OfSeat):
    """The seat has closed a mill and takes the opponent's man."""

    point: str


class TurnEnded(OfSeat):
    """The other player is to move."""


Event: TypeAlias = (
    RulesSet | StarterDrawn | ManPlayed | ManTaken | TurnEnded | DrawOffered | Commented | MatchDecided
)


def fold(state: State, event: Event) -> State:
    """The state after an event: total, and for ever."""
    match event:
        case RulesSet():
            return replace(state, rules=event.rules)
        case StarterDrawn():
            return replace(state, mover=event.seat, turn=1)
        case ManPlayed():  # a placement can never be taken back: no earlier position can come again
            if event.start:
                cells = state.with_men([(event.start, 0), (event.end, event.seat)])
                last = event.start, event.end
                return replace(state, cells=cells, quiet=state.quiet + 1, last=last, taken="")
            first, second = state.hands
            hands = (first - 1, second) if event.seat == 1 else (first, second - 1)
            cells = state.with_men([(event.end, event.seat)])
            return replace(state, cells=cells, hands=hands, quiet=0, seen=(), last=(event.end,), taken="")
        case ManTaken():
            cells = state.with_men([(event.point, 0)])
            return replace(state, cells=cells, quiet=0, seen=(), taken=event.point)
        case TurnEnded():  # an offer stands until the one it was made to has played
            offer = state.offer if state.offer == event.seat else 0
            after = replace(state, mover=other(event.seat), turn=state.turn + 1, offer=offer)
            return replace(after, seen=(*after.seen, after.key))
        case DrawOffered():
            return replace(state, offer=event.seat)
        case MatchDecided():
            return replace(state, ended=event.winners, why=event.reason)
        case Commented():
            return state
