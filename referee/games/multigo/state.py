"""How a match stands, in small values, cheap to copy and to store; and one event further: total, and for ever."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from referee.core.codec import Value
from referee.core.folding import Fold, Recorder
from referee.games.multigo import events as ev
from referee.games.multigo.board import EMPTY, SEAT, SYMBOL, Points, points_of, sign_of
from referee.games.multigo.events import AlliesDeclared, Chain, GameWon, Scored, Share
from referee.games.multigo.notation import Count
from referee.games.multigo.rules import Rules, rules_of

Phase = Literal["new", "play", "dead", "count", "ally", "over"]


class Pending(Value):
    """A shared capture not yet divided: what is left of it (by colour) and who is still to take how many."""

    number: int
    round: int
    pool: tuple[int, ...]
    queue: tuple[Share, ...]


class Seat(Value):
    """What is kept of one player. `last` is the last action: points, or "pass", or "resign"."""

    prisoners: tuple[int, ...] = ()  # by colour
    resigned: bool = False
    defaults: int = 0  # moves missed in a row
    vacant: bool = False  # open for takeover
    prefer: tuple[int, ...] = ()
    last: tuple[str, ...] = ()
    listed: tuple[str, ...] | None = None  # dead stones


class Trace(Value):
    """The last turn, for pictures: stones placed, points emptied with their colour, points contested."""

    placed: tuple[str, ...] = ()
    removed: tuple[tuple[str, int], ...] = ()
    contested: tuple[str, ...] = ()


class State(Value):
    """`board` is row by row from the top; `seats[n - 1]` is seat n; `turn` is 0 in a parallel round."""

    rules: Rules | None = None
    width: int = 0
    height: int = 0
    board: str = ""
    history: str = ""  # the signs of all positions
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


def next_turn(state: State, seat: int) -> tuple[int, int]:
    """The round and seat after that seat's turn, resigned seats skipped."""
    active = state.active
    later = [number for number in active if number > seat]
    return (state.round, later[0]) if later else (state.round + 1, active[0])


# --- the fold ------------------------------------------------------------------------------------------------------


Record: TypeAlias = Recorder[State, ev.Event]

fold: Fold[State] = Fold()
fold.telling(ev.Commented, ev.PressRelayed)


@fold.on(ev.GameOpened)
def _game_opened(state: State, event: ev.GameOpened) -> State:
    rules = rules_of(event.options, event.players)
    opened = replace(state, width=event.width, height=event.height, board=event.board, rules=rules)
    return replace(
        opened,
        history=sign_of(event.board, 1 if rules.minds_mover else 0),
        phase="play",
        seats=tuple(Seat(prisoners=held) for held in event.prisoners),
        eliminated=(0,) * event.players,
    )


fold.on(ev.RulesAmended)(lambda state, event: replace(state, rules=rules_of(event.options, event.players)))


@fold.on(ev.TurnBegan)
def _turn_began(state: State, event: ev.TurnBegan) -> State:
    """Where the lists of dead stones differed, play goes on with this turn."""
    seats, passed = state.seats, state.passed
    if state.phase == "dead":
        seats, passed = tuple(replace(seat, listed=None) for seat in seats), ()
    return replace(state, phase="play", round=event.round, turn=event.seat, seats=seats, passed=passed)


@fold.on(ev.StonePlaced)
def _stone_placed(state: State, event: ev.StonePlaced) -> State:
    placed = ev.Placement(event.seat, event.point)
    after = _on_board(state, (placed,), event.removed, event.to_move if state.law.minds_mover else 0)
    before, trace = state.seat(event.seat).last if event.second else (), after.trace
    if event.second:
        trace = Trace((*state.trace.placed, *trace.placed), (*state.trace.removed, *trace.removed))
    after = _with(after, event.seat, last=(*before, event.point), defaults=0, vacant=False)
    return replace(after, passed=(), mover=event.seat, trace=trace)


@fold.on(ev.Passed)
def _passed(state: State, event: ev.Passed) -> State:
    """A forced opening pass is none of the passes that end the play (2.2)."""
    passed, history = state.passed, state.history
    if event.how != "forced":
        state = _with(_counted(state, event.seat, event.how), event.seat)
        passed = tuple(sorted({*passed, event.seat}))
    if state.law.minds_mover:
        history += sign_of(state.board, event.to_move)
    after = _with(state, event.seat, last=("pass",))
    return replace(after, passed=passed, history=history, mover=event.seat, trace=Trace())


@fold.on(ev.RoundPlayed)
def _round_played(state: State, event: ev.RoundPlayed) -> State:
    for order in event.orders:
        counted = _counted(state, order.seat, order.how)
        state = _with(counted, order.seat, last=order.points or ("pass",))
    voids, trace = state.voids + 1 if event.void else 0, Trace()
    if event.placed and not event.void:
        state = _on_board(state, event.placed, event.removed, 0)
        trace = state.trace
    contested = tuple(collision.point for collision in event.collisions)
    trace = replace(trace, contested=contested)
    return replace(state, adjourned=False, voids=voids, trace=trace)


def _counted(state: State, number: int, how: ev.How) -> State:
    """With one more move missed in a row, or none any more."""
    seat, missed = state.seat(number), how == "deadline"
    return _with(state, number, defaults=seat.defaults + 1 if missed else 0, vacant=seat.vacant and missed)


@fold.on(ev.CaptureShared)
def _capture_shared(state: State, event: ev.CaptureShared) -> State:
    pool = tallied(event.stones, len(state.seats))
    pending = Pending(event.number, event.round, pool, event.takers)
    return replace(state, captures=event.number, pending=(*state.pending, pending))


@fold.on(ev.PrisonersTaken)
def _prisoners_taken(state: State, event: ev.PrisonersTaken) -> State:
    players = len(state.seats)
    taken, lost = tallied(event.stones, players), tallied(event.lost, players)
    state = _with(state, event.seat, prisoners=added(state.seat(event.seat).prisoners, taken))
    gone = added(taken, lost)
    pending = []
    for one in state.pending:
        if one.number == event.number:
            pool = tuple(there - less for there, less in zip(one.pool, gone, strict=True))
            one = replace(one, pool=pool, queue=one.queue[1:])
        pending += [one] if one.queue or any(one.pool) else []
    return replace(state, eliminated=added(state.eliminated, lost), pending=tuple(pending))


@fold.on(ev.StonesEliminated)
def _stones_eliminated(state: State, event: ev.StonesEliminated) -> State:
    pending = tuple(p for p in state.pending if not event.number or p.number != event.number)
    gone = tallied(event.stones, len(state.seats))
    return replace(state, pending=pending, eliminated=added(state.eliminated, gone))


fold.on(ev.PreferKept)(lambda state, event: _with(state, event.seat, prefer=event.colours))
fold.telling(ev.PlanKept, ev.PlanLapsed)


@fold.on(ev.PlayEnded)
def _play_ended(state: State, event: ev.PlayEnded) -> State:
    settled = state.law.dead == "none" or state.disputes >= 2
    return replace(state, phase="count" if settled else "dead", voids=0)


fold.on(ev.PlayAdjourned)(lambda state, event: replace(state, adjourned=True))
fold.on(ev.DeadListed)(lambda state, event: _with(state, event.seat, listed=event.points))


@fold.on(ev.DeadAgreed)
def _dead_agreed(state: State, event: ev.DeadAgreed) -> State:
    if event.removed:
        state = _on_board(state, (), event.removed, 0)
    return replace(state, phase="count")


fold.on(ev.DeadDisputed)(
    lambda state, event: replace(
        state, disputes=event.times, phase="count" if event.times >= 2 else state.phase
    )
)
fold.on(ev.Scored)(lambda state, event: replace(state, scored=event, phase="ally"))
fold.on(ev.AlliesDeclared)(lambda state, event: replace(state, allied=event))
fold.on(ev.GameWon)(lambda state, event: replace(state, won=event, phase="over", pending=()))
fold.on(ev.SeatOpened)(lambda state, event: _with(state, event.seat, vacant=True))
fold.on(ev.SeatFilled)(lambda state, event: _with(state, event.seat, vacant=False, defaults=0))


@fold.on(ev.Resigned)
def _resigned(state: State, event: ev.Resigned) -> State:
    if event.removed:
        state = _on_board(state, (), event.removed, 0)
        gone = stones_in(event.removed, len(state.seats))
        state = replace(state, eliminated=added(state.eliminated, gone))
    return _with(state, event.seat, resigned=True, vacant=False, last=("resign",))


# --- parts of the state --------------------------------------------------------------------------------------------


def _with(state: State, number: int, **changes: Any) -> State:
    """The state with one player's own part changed."""
    seat = replace(state.seat(number), **changes)
    return replace(state, seats=(*state.seats[: number - 1], seat, *state.seats[number:]))


def _on_board(
    state: State, placed: Iterable[ev.Placement], removed: Iterable[ev.Chain], to_move: int
) -> State:
    """The board with stones placed and chains removed, as one more position of the history."""
    points, cells = state.points, list(state.board)
    new = [(points.index[stone.point], SYMBOL[stone.seat]) for stone in placed]
    gone = [(points.index[point], SYMBOL[chain.colour]) for chain in removed for point in chain.points]
    for point, symbol in new:
        cells[point] = symbol
    for point, _ in gone:
        cells[point] = EMPTY
    trace = Trace(
        tuple(points.names[point] for point, _ in new),
        tuple((point, chain.colour) for chain in removed for point in chain.points),
    )
    board = "".join(cells)
    return replace(state, board=board, history=state.history + sign_of(board, to_move), trace=trace)
