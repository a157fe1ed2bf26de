"""The rules a match is judged by, how it stands, and what happens in it, one small fact each, with the state after it:
all that old ledgers depend on. Pieces, cells and moves stand in notation (3.5)."""

from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import Any, Literal, TypeAlias, TypeVar

from referee.core.duel import Commented, DrawOffered, MatchDecided, SeatFilled, SeatOpened, StarterDrawn
from referee.core.value import OfSeat, Recorder, Value
from referee.games.onepiece.board import Colour, Grid, ply_of

T = TypeVar("T")
Phase = Literal["setup", "play", "verdict", "evidence", "demonstration", "over"]
Edge = Literal["", "south", "north", "east", "west"]
Verdict = Literal["proved", "refuted", "unknown"]
Proof: TypeAlias = dict[str, Any]  # JSON, as `checker.py` describes and checks it

# The orders of the seats in the three pairings: partners sit two apart (4.1).
ORDERS = ((1, 2, 3, 4), (1, 3, 2, 4), (1, 2, 4, 3))


class Law(Value):
    """All options, as the opening recorded them; 0 for `repetition` and `max_relocations` is off, `starter` 0 was
    drawn, `colours` and `edge` "" are asked for; `claiming`: four players play the tournament, with claims."""

    seats: int = 2
    claiming: bool = True
    cols: int = 8
    rows: int = 8
    pieces: int = 20
    games: int = 1
    starter: int = 0
    colours: Literal["", "red", "blue"] = ""
    edge: Edge = ""
    repetition: int = 3
    max_relocations: int = 100
    target: int = 10
    lead: int = 1
    pairing: Literal["fixed", "rotate"] = "fixed"
    claims: Literal["single", "multiple"] = "single"
    max_claim: int = 8
    claim_n: Literal["any", "partner_only"] = "any"
    claim_test: Literal["exact", "by"] = "exact"
    evidence: Literal["forced", "along_line"] = "forced"
    early_win: Literal["actual", "claimed"] = "actual"
    pay_winner: bool = True
    adjudication: Literal["solver", "players"] = "solver"
    solver_nodes: int = 50_000_000
    evidence_window: timedelta = timedelta(hours=72)
    demonstration_window: timedelta = timedelta(hours=48)
    window: timedelta = timedelta(days=7)
    timeout: Literal["loss", "play"] = "loss"
    press: bool = False

    @property
    def pairs(self) -> bool:
        """Four players, two of each colour."""
        return self.seats == 4

    @property
    def tournament(self) -> bool:
        """Games in pairs for points, with claims."""
        return self.pairs and self.claiming


class Claim(Value):
    """ "My colour wins at ply x + n", made with ply x."""

    seat: int
    ply: int
    n: int

    @property
    def end(self) -> int:
        return self.ply + self.n


class Win(Value):
    """How a game was won: the colour, the seat that moved, and its ply; `how` as GameWon gives the reason."""

    colour: Colour
    seat: int
    ply: int
    how: str = ""


class Demonstration(Value):
    """A claim shown on the board: `before` plies stand as they were played, `shown` are the plies since."""

    claim: Claim
    before: int
    shown: tuple[str, ...] = ()


class State(Value):
    """How a match stands. By seat, the first at index 0: `red` (who plays red), `points`
    (tournament) or half points (a game won 2, drawn 1), `timeouts` (moves in a row the referee
    played). `gone` are the seats that were resigned, `vacant` those that another person may take.

    Of the game: `order` the seats in turn, `first` the seat of ply 1, `plies` all its moves from the empty grid,
    `pieces` on the grid, `base` the number of plies given by a position, `seen` the positions since the box was
    empty, `absent` the plies the referee played, `offer` the seat that offers a draw and `agreed`
    those who accept. Of a game that has ended and is being judged: `win`, and `judged` the claims
    that wait for a verdict."""

    law: Law = Law()
    phase: Phase = "setup"
    game: int = 0
    red: tuple[bool, ...] = ()
    points: tuple[int, ...] = ()
    timeouts: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    vacant: tuple[int, ...] = ()
    colours: Literal["", "red", "blue"] = ""
    edge: Edge = ""
    order: tuple[int, ...] = ()
    first: int = 1
    base: int = 0
    plies: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    relocations: int = 0
    absent: tuple[int, ...] = ()
    offer: int = 0
    agreed: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    win: Win | None = None
    judged: tuple[Claim, ...] = ()
    demo: Demonstration | None = None
    ended: MatchDecided | None = None

    # --- the grid ----------------------------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows: a game edge in the east or west turns the grid on its side (3.2)."""
        turned = self.edge in ("east", "west")
        return (self.law.rows, self.law.cols) if turned else (self.law.cols, self.law.rows)

    @property
    def grid(self) -> Grid:
        return self.grid_of(self.pieces)

    def grid_of(self, pieces: tuple[str, ...]) -> Grid:
        """The grid with these pieces on it."""
        return laid(*self.size, self.law.pieces, pieces)

    @property
    def box(self) -> int:
        return self.law.pieces - len(self.pieces)

    def grid_before(self, ply: int) -> Grid:
        """The grid as it stood before that ply of this game."""
        return replayed(*self.size, self.law.pieces, self.plies[: ply - 1])

    # --- turns -------------------------------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """The number of the ply that comes next."""
        return len(self.plies) + 1

    def mover_of(self, ply: int) -> int:
        """Whose ply it is: the seats in turn, from the first."""
        return self.order[(self.order.index(self.first) + ply - 1) % len(self.order)]

    @property
    def mover(self) -> int:
        return self.mover_of(self.ply)

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(1, self.law.seats + 1))

    @property
    def active(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.gone)

    def colour_of(self, seat: int) -> Colour:
        return "red" if self.red[seat - 1] else "blue"

    def partner(self, seat: int) -> int:
        """The other seat of the same colour, two plies later (4.1); with two players the seat itself."""
        return self.order[(self.order.index(seat) + 2) % len(self.order)]

    # --- claims --------------------------------------------------------------------------------------------------

    @property
    def limit(self) -> int | None:
        """The ply at which pending claims end the game (4.2)."""
        return min((claim.end for claim in self.claims), default=None)

    def own_plies(self, claim: Claim) -> tuple[int, ...]:
        """The plies of the claimer's colour that were played after the claim, down to the one it is
        about: one of them may be changed in a demonstration (4.4)."""
        return tuple(range(claim.ply + 2, min(claim.end, len(self.plies)) + 1, 2))

    @property
    def shown_plies(self) -> tuple[str, ...]:
        """The plies of the grid that letters show: in a demonstration its own, after those of the game it keeps."""
        return self.plies if self.demo is None else (*self.plies[: self.demo.before], *self.demo.shown)

    @property
    def shown_ply(self) -> int:
        """The number of the ply that comes next on that grid."""
        return len(self.shown_plies) + 1

    @property
    def shown_grid(self) -> Grid:
        return self.grid if self.demo is None else replayed(*self.size, self.law.pieces, self.shown_plies)


@lru_cache(maxsize=256)
def laid(cols: int, rows: int, box: int, pieces: tuple[str, ...]) -> Grid:
    return Grid(cols, rows, pieces, box - len(pieces))


@lru_cache(maxsize=64)
def replayed(cols: int, rows: int, box: int, plies: tuple[str, ...]) -> Grid:
    """The grid after those plies from the empty one."""
    grid = Grid(cols, rows, (), box)
    for text in plies:
        grid = grid.after(ply_of(text))
    return grid


# --- what happens ----------------------------------------------------------------------------------------------------


How = Literal["mail", "deadline", "left"]  # the player; the referee at a deadline, or for one who has left
Chosen = Literal["mail", "default", "option"]
WonBy = Literal["four", "handed over", "resigned", "out of time"]
EndedBy = Literal["won", "lost", "not won", "out of time", "given up", "left", "stuck"]


class LawAmended(Value):
    """The rules that the match is judged by from now on."""

    law: Law


class LawSet(Value):
    """All that this match is judged by."""

    law: Law


class GameBegun(Value):
    """A game is set up on an empty grid: its number, who begins, the seats in turn."""

    number: int
    first: int
    order: tuple[int, ...]


class ColoursChosen(OfSeat):
    """The colour of `seat`, who begins."""

    colour: Colour
    how: Chosen


class EdgeChosen(OfSeat):
    edge: Edge
    how: Chosen


class PlayBegun(Value):
    """Colours and edge are known; who plays red."""

    red: tuple[bool, ...]


class PositionSet(Value):
    """The match opens from plies already made."""

    plies: tuple[str, ...]


class _PutDown(Value):
    """A piece was put down, from the box or lifted from the grid, and the longest run of each half (3.4)."""

    seat: int
    ply: int
    move: str
    red_run: tuple[str, ...]
    blue_run: tuple[str, ...]
    how: How = "mail"


class PieceMoved(_PutDown):
    """A move of the game."""


class ClaimMade(Value):
    claim: Claim
    colour: Colour


class GameWon(Value):
    """`seat` made the deciding move, or resigned, or ran out of time, as `reason` says; `winners`
    play the colour; `pieces` lie on the grid, the last one put down last."""

    number: int
    colour: Colour
    winners: tuple[int, ...]
    seat: int
    ply: int
    reason: WonBy
    pieces: tuple[str, ...]


class GameDrawn(Value):
    number: int
    reason: Literal["repetition", "relocations", "agreed", "stuck"]
    count: int = 0


class GameStopped(Value):
    """The ply of a claim was reached and nobody has won (4.2)."""

    number: int
    ply: int
    pieces: tuple[str, ...]


class JudgingBegun(Value):
    """Claims that did not come true are to be judged (4.4), in this order."""

    claims: tuple[Claim, ...]


class VerdictGiven(Value):
    """What the solver found of a claim: `line` follows ply `after` (of `start`, the pieces then on
    the grid); the proofs are for `checker.faults`."""

    claim: Claim
    verdict: Verdict
    after: int
    nodes: int
    start: tuple[str, ...]
    line: tuple[str, ...]
    proofs: tuple[Proof, ...]
    slip: int = 0
    slip_proofs: tuple[Proof, ...] = ()


class EvidenceAsked(Value):
    """The claimer may demonstrate his claim on the board."""

    claim: Claim


class DemonstrationBegun(Value):
    """The game is taken back to before that ply, and played on from there."""

    claim: Claim
    ply: int


class PieceShown(_PutDown):
    """A move of the demonstration."""


class DemonstrationEnded(Value):
    claim: Claim
    upheld: bool
    reason: EndedBy


class Payment(OfSeat):
    points: int


class ClaimSettled(Value):
    """4.3: `distance` is the claim as it is paid; "own slip": upheld, but the claimer himself let the win go;
    `withheld` the seats that would have been paid for a ply that the referee played for them."""

    claim: Claim
    result: Literal["won", "upheld", "own slip", "bluff", "drawn"]
    distance: int
    payments: tuple[Payment, ...]
    withheld: tuple[int, ...] = ()


class SilentWinPaid(OfSeat):
    """A game won without a claim of the winners; `handed`: an opponent's move won it for them."""

    points: int
    handed: bool = False
    withheld: bool = False


class DrawAccepted(Value):
    seat: int


class PlayerResigned(OfSeat):
    """With two players the game is lost; in pairs the seat is left."""

    how: How = "mail"


class AnswerLapsed(OfSeat):
    """Nothing came before the deadline; what is played instead follows."""

    kind: str


_Start = LawSet | LawAmended | StarterDrawn | GameBegun | ColoursChosen | EdgeChosen | PlayBegun
_Play = PositionSet | PieceMoved | ClaimMade | GameWon | GameDrawn | GameStopped
_Judging = JudgingBegun | VerdictGiven | EvidenceAsked | DemonstrationBegun | PieceShown
_Settling = DemonstrationEnded | ClaimSettled | SilentWinPaid
_Seats = DrawOffered | DrawAccepted | PlayerResigned | SeatOpened | SeatFilled | AnswerLapsed
Event: TypeAlias = _Start | _Play | _Judging | _Settling | _Seats | Commented | MatchDecided


Record = Recorder[State, Event]


def fold(state: State, event: Event) -> State:
    """The state after an event: total, and for ever."""
    match event:
        case LawSet():
            nothing = (0,) * event.law.seats
            return replace(state, law=event.law, points=nothing, timeouts=nothing)
        case LawAmended():
            return replace(state, law=event.law)
        case GameBegun():
            # an empty grid; with two players colours and edge are chosen anew, in a tournament they stand (3.2)
            keep: tuple[str, ...] = ("points", "timeouts", "gone", "vacant")
            keep = (*keep, "red", "colours", "edge") if state.law.tournament else keep
            kept: dict[str, Any] = {name: getattr(state, name) for name in keep}
            return State(state.law, game=event.number, order=event.order, first=event.first, **kept)
        case ColoursChosen():
            return replace(state, colours=event.colour)
        case EdgeChosen():
            return replace(state, edge=event.edge)
        case PlayBegun():
            return replace(state, phase="play", red=event.red)
        case PositionSet():
            # what the position holds counts as the first of its kind; relocations are counted from it
            for text in event.plies:
                state = _laid(state, text)
            return replace(state, base=len(event.plies), relocations=0, seen=state.seen[-1:])
        case PieceMoved():
            # who moves ends a series of missed ones; an offer falls when one who did not accept moves
            seat, by_player = event.seat, event.how == "mail"
            state = _laid(state, event.move)
            if not by_player:
                state = replace(state, absent=(*state.absent, event.ply))
            if event.how != "left":
                count = 0 if by_player else state.timeouts[seat - 1] + 1
                state = replace(state, timeouts=_put(state.timeouts, seat, count))
            if by_player:
                state = replace(state, vacant=_without(state.vacant, seat))
            if state.offer and seat != state.offer and seat not in state.agreed:
                state = replace(state, offer=0, agreed=())
            return state
        case ClaimMade():
            return replace(state, claims=(*state.claims, event.claim))
        case DrawOffered():
            return replace(state, offer=event.seat, agreed=())
        case DrawAccepted():
            return replace(state, agreed=(*state.agreed, event.seat))
        case PlayerResigned():
            # in pairs the seat is left for good, unless another person takes it; an offer of a draw falls
            state = replace(state, offer=0, agreed=())
            if not state.law.pairs:
                return state
            gone, vacant = tuple(sorted((*state.gone, event.seat))), _without(state.vacant, event.seat)
            return replace(state, gone=gone, vacant=vacant)
        case SeatOpened():
            return replace(state, vacant=tuple(sorted((*state.vacant, event.seat))))
        case SeatFilled():
            gone, vacant = _without(state.gone, event.seat), _without(state.vacant, event.seat)
            return replace(state, gone=gone, vacant=vacant, timeouts=_put(state.timeouts, event.seat, 0))
        case GameWon():
            won = Win(event.colour, event.seat, event.ply, event.reason)
            state = replace(state, win=won, offer=0, agreed=())
            for seat in event.winners if not state.law.tournament else ():
                state = replace(state, points=_add(state.points, seat, 2))
            return state
        case GameDrawn():
            points = state.points if state.law.tournament else tuple(p + 1 for p in state.points)
            return replace(state, offer=0, agreed=(), points=points)
        case GameStopped():
            return replace(state, offer=0, agreed=())
        case JudgingBegun():
            return replace(state, phase=_judging(state), judged=event.claims)
        case EvidenceAsked():
            return replace(state, phase="evidence")
        case DemonstrationBegun():
            return replace(state, phase="demonstration", demo=Demonstration(event.claim, event.ply - 1))
        case PieceShown():
            if state.demo is None:
                return state
            return replace(state, demo=replace(state.demo, shown=(*state.demo.shown, event.move)))
        case ClaimSettled():  # a claim is done with; the next one that waits is judged
            for payment in event.payments:
                state = replace(state, points=_add(state.points, payment.seat, payment.points))
            claims, judged = (_without(those, event.claim) for those in (state.claims, state.judged))
            phase = _judging(state) if judged else "play"
            return replace(state, claims=claims, judged=judged, demo=None, phase=phase)
        case SilentWinPaid():
            earned = 0 if event.withheld else event.points
            return replace(state, points=_add(state.points, event.seat, earned))
        case MatchDecided():
            return replace(state, phase="over", ended=event)
        case StarterDrawn() | VerdictGiven() | DemonstrationEnded() | AnswerLapsed() | Commented():
            return state


# --- play --------------------------------------------------------------------------------------------------------


def _laid(state: State, text: str) -> State:
    """The grid, the count of relocations and the positions seen after a move."""
    ply = ply_of(text)
    state = replace(
        state,
        plies=(*state.plies, text),
        pieces=state.grid.after(ply).pieces,
        relocations=state.relocations + bool(ply.lifted),
    )
    if state.box:
        return state
    side = state.colour_of(state.mover)
    return replace(state, seen=(*state.seen, f"{side[0]}:{''.join(state.grid.ordered())}"))


def _judging(state: State) -> Phase:
    return "verdict" if state.law.adjudication == "solver" else "evidence"


def _without(values: tuple[T, ...], gone: T) -> tuple[T, ...]:
    return tuple(value for value in values if value != gone)


def _put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[: seat - 1], value, *values[seat:])


def _add(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return _put(values, seat, values[seat - 1] + value)
