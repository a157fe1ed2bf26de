"""What happens in a match: facts, written once. Points are names ("D4"), colours are seat numbers."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from referee.core.codec import Value
from referee.core.duel import Commented, OfSeat, SeatFilled, SeatOpened
from referee.core.texts.words import FreeText
from referee.games.multigo.notation import Count

How = Literal["mail", "deadline", "forced", "conditional", "queued", "prefer", "only", "resigned"]


class Chain(Value):
    """A removed chain: its colour and its points."""

    colour: int
    points: tuple[str, ...]


class Share(OfSeat):
    """How many prisoners of a capture a seat is given."""

    stones: int


class GameOpened(Value):
    """Every option the match is judged by, the board (row by row from the top) and the prisoners held."""

    options: dict[str, str]
    players: int
    width: int
    height: int
    board: str
    prisoners: tuple[tuple[int, ...], ...]


class RulesAmended(Value):
    """Every option the match is judged by from now on."""

    options: dict[str, str]
    players: int


class TurnBegan(Value):
    """`seat` is 0 in a parallel round, where all are to move."""

    round: int
    seat: int


class StonePlaced(Value):
    """Sequential. `to_move` is the seat to move in the new position (situational superko)."""

    round: int
    seat: int
    point: str
    removed: tuple[Chain, ...]
    to_move: int
    how: How = "mail"
    comment: FreeText = ""
    second: bool = False  # of a double opening move


class Passed(Value):
    """Sequential."""

    round: int
    seat: int
    to_move: int
    how: How = "mail"
    comment: FreeText = ""


class Order(OfSeat):
    """What a seat had sealed: its points in order, none for a pass."""

    points: tuple[str, ...]
    how: How = "mail"
    comment: FreeText = ""


class Placement(OfSeat):
    point: str


class Collision(Value):
    """Seats that named one point at once: none of them placed a stone there."""

    point: str
    seats: tuple[int, ...]


class RoundPlayed(Value):
    """A parallel round revealed. A void one changes nothing on the board: `placed` and `removed` tell what it undid."""

    round: int
    orders: tuple[Order, ...]
    placed: tuple[Placement, ...]
    collisions: tuple[Collision, ...]
    removed: tuple[Chain, ...]
    void: bool = False


class CaptureShared(Value):
    """Prisoners to be divided: what was captured, by whom, each taker's share in the order of choosing, the rest."""

    number: int
    round: int
    stones: tuple[Count, ...]
    captors: tuple[int, ...]
    takers: tuple[Share, ...]
    spare: int


class PrisonersTaken(Value):
    """`number` is that of the shared capture, 0 for one taken whole; `lost` are own stones, eliminated."""

    number: int
    seat: int
    stones: tuple[Count, ...]
    lost: tuple[Count, ...] = ()
    how: How = "only"
    comment: FreeText = ""


class StonesEliminated(Value):
    """Captured stones that are nobody's prisoners."""

    number: int
    stones: tuple[Count, ...]
    why: Literal["several", "nobody", "rest", "crossman"]


class PreferKept(OfSeat):
    """Secret to the seat."""

    colours: tuple[int, ...]


class Condition(Value):
    """If that colour's last action was `trigger`, then `reply`; colour 0 is always."""

    colour: int
    trigger: str
    reply: str


class PlanKept(OfSeat):
    """Conditional moves as they were kept up to 0.2.0; the match keeps them itself since."""

    conditions: tuple[Condition, ...]


class PlanLapsed(OfSeat):
    """As they came to nothing, likewise."""


class PlayEnded(Value):
    why: Literal["passes", "void", "repetition"]


class PlayAdjourned(Value):
    """Every move of the round was a deadline's: the next one has no deadline."""

    round: int


class DeadListed(OfSeat):
    points: tuple[str, ...]
    how: How = "mail"
    comment: FreeText = ""


class DeadAgreed(Value):
    removed: tuple[Chain, ...]


class DeadDisputed(Value):
    """`times`: 1 resumes play, 2 leaves everything on the board alive."""

    times: int


class Region(Value):
    """Empty points bordered by several colours, or by none."""

    size: int
    borders: tuple[int, ...]


class Tally(OfSeat):
    """One seat's points. `lost` counts its own captured stones (Crossman); `share` of divided regions."""

    stones: int
    territory: int
    share: int
    prisoners: int
    lost: int
    score: int


class Scored(Value):
    """The count: every seat, the neutral regions, and all points there are (T)."""

    tallies: tuple[Tally, ...]
    neutral: tuple[Region, ...]
    total: int


class Declaration(OfSeat):
    partners: tuple[int, ...]
    how: How = "mail"
    comment: FreeText = ""


class Bloc(Value):
    """An alliance (or a single player), its score, and whether it exceeds the bound."""

    seats: tuple[int, ...]
    score: int
    qualifies: bool


class AlliesDeclared(Value):
    round: int
    declarations: tuple[Declaration, ...]
    alliances: tuple[Bloc, ...]


class GameWon(Value):
    """`points` by seat as fractions ("1/2"); `blocs` the seats that won together."""

    blocs: tuple[tuple[int, ...], ...]
    points: dict[int, str]
    why: Literal["score", "alliance", "last"]
    scores: tuple[int, ...] = field(default=())


class Resigned(OfSeat):
    how: How = "mail"
    removed: tuple[Chain, ...] = ()
    comment: FreeText = ""


class PressRelayed(OfSeat):
    text: FreeText


_Play = GameOpened | RulesAmended | TurnBegan | StonePlaced | Passed | RoundPlayed
_Prisoners = CaptureShared | PrisonersTaken | StonesEliminated | PreferKept | PlanKept | PlanLapsed
_End = PlayEnded | PlayAdjourned | DeadListed | DeadAgreed | DeadDisputed | Scored | AlliesDeclared | GameWon
Event = _Play | _Prisoners | _End | SeatOpened | SeatFilled | Resigned | Commented | PressRelayed
