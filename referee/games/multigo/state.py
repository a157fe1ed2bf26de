"""The options of a match as typed values: what judging reads, for ever; and how a match is opened from them; how it
stands, in small values, cheap to copy and to store; and one event further: total, and for ever."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from referee.core.codec import Value
from referee.core.folding import Fold, Recorder
from referee.core.game import Setup
from referee.core.options import Options, typed
from referee.games.multigo import events as ev
from referee.games.multigo.board import COLOURS, EMPTY, LARGEST, SYMBOLS, Points, lifeless, points_of, sign_of
from referee.games.multigo.events import AlliesDeclared, Chain, GameWon, Scored, Share
from referee.games.multigo.notation import Count

EXTRA_STONE = {5: (5,), 6: (5, 6), 7: (5, 6, 7), 8: (5, 6, 7, 8)}  # 2.2: two stones in round 1
FORCED_PASS = {3: (1,), 4: (1, 2)}  # 2.2: a pass in round 3


class Rules(Value):
    """One match's options, by the names of the default configuration, and below them what follows from several."""

    players: int
    coop: bool
    superko: Literal["positional", "situational", "off"]
    suicide: Literal["forbidden", "allowed"]
    scoring: Literal["territory", "area"]
    dead: Literal["agreement", "none"]
    prisoners: Literal["shared", "crossman"]
    alliance_threshold: Fraction
    max_alliance: int
    ally_rounds: int
    choice_order: Literal["recency", "seat"]
    choice_blocks: bool
    own_prisoners: Literal["eliminate", "count"]
    noncoop_unit: Literal["chain", "stone"]
    event_scope: Literal["linked", "round"]
    rest_rule: Literal["at_least_one", "more_than_one"]
    captor_includes_dead: bool
    removal: Literal["simultaneous", "old_first"]
    superko_parallel: Literal["void", "allow", "end"]
    max_void: int
    fallbacks: int
    move_deadline: timedelta
    choice_deadline: timedelta
    dead_deadline: timedelta
    ally_deadline: timedelta
    timeout_default: Literal["pass", "resign", "wait"]
    resigned: Literal["stay", "remove"]
    press: bool
    parallel: bool
    minds_mover: bool  # a repetition needs the same seat to move (situational superko)
    shares: bool  # captors of one event divide the prisoners (tactical cooperation)
    alliances: bool  # they are declared after scoring
    splits_territory: bool  # a region that several colours border is divided among them (2.6, G16)
    doubled: tuple[int, ...]  # the seats that may place two stones in round 1 (2.2)
    passing: tuple[int, ...]  # those whose turn of round 3 is a forced pass

    def allowed(self, seat: int, round_: int) -> int:
        """How many points a move of the seat may name."""
        return 1 + self.fallbacks if self.parallel else 1 + (round_ == 1 and seat in self.doubled)


def rules_of(options: Mapping[str, str], players: int) -> Rules:
    """The rules that canonical option values stand for, and what follows from them."""
    given, most = Options(options), options["max_alliance"]
    largest = players - 1 if most == "p-1" else int(most)
    parallel, coop = options["order"] == "parallel", given.flag("coop")
    tactical, strategic = given.flag("tactical"), given.flag("strategic")
    compensated = options["compensation"] == "standard" and not parallel
    return typed(
        Rules,
        given,
        players=players,
        alliance_threshold=Fraction(options["alliance_threshold"]),
        max_alliance=largest,
        parallel=parallel,
        minds_mover=options["superko"] == "situational" and not parallel,
        shares=coop and tactical and options["prisoners"] == "shared",
        alliances=coop and strategic and largest >= 2,
        splits_territory=options["shared_territory"] == "split" or (coop and tactical and not strategic),
        doubled=EXTRA_STONE.get(players, ()) if compensated else (),
        passing=FORCED_PASS.get(players, ()) if compensated else (),
    )


# --- how a match is opened, and every fault of its options ---------------------------------------------------------


_HAND = re.compile(r"([1-8]):((?:\d{1,4}[A-Z])+)")
_NOT_RULES = ("position", "hands", "board", "players")


def recorded(options: Options) -> dict[str, str]:
    """Those that a match is judged by."""
    return {name: value for name, value in options.values.items() if name not in _NOT_RULES}


def opened(setup: Setup) -> tuple[ev.GameOpened, tuple[str, ...]]:
    """The start that the options name, and every fault of it in words."""
    options, players = setup.options, setup.seats
    if not 2 <= players <= len(SYMBOLS):
        return ev.GameOpened({}, 0, 0, 0, "", ()), (f"Multiplayer Go takes 2 to 8 players, not {players}.",)
    width, height = options.size("board")
    board, position = EMPTY * (width * height), options.text("position")
    rows = [row for part in position.split("/") if (row := "".join(part.split()).upper())]
    faults = list(_row_faults(rows, players)) if position.strip() else []
    if rows and not faults:
        width, height, board = len(rows[0]), len(rows), "".join(rows)
        points = points_of(width, height)
        for first in map(min, lifeless(board, points.neighbours)):
            colour = COLOURS[SYMBOLS.index(board[first])]
            faults.append(f"position: the {colour} chain at {points.names[first]} has no liberty.")
    held, worse = _hands(options.text("hands"), players)
    start = ev.GameOpened(recorded(options), players, width, height, board, held)
    return start, (*_rule_faults(options.values, players), *faults, *worse)


def _rule_faults(options: Mapping[str, str], players: int) -> Iterator[str]:
    """What is wrong with option values that only this game can judge, in words."""
    try:
        bound = Fraction(options["alliance_threshold"])
    except (ValueError, ZeroDivisionError):
        bound = Fraction(-1)
    if not 0 <= bound <= 1:
        given = options["alliance_threshold"]
        yield f"alliance_threshold = {given!r} is no fraction from 0 to 1, such as 5/12."
    most, wanted = options["max_alliance"], options["players"]
    if most != "p-1" and not 1 <= int(most) < players:
        yield f"max_alliance = {most}: with {players} players an alliance has at most {players - 1} members."
    if wanted != "seats" and int(wanted) != players:
        yield f"players = {wanted}, but the match has {players} seats."


def _row_faults(rows: list[str], players: int) -> Iterator[str]:
    if not rows:
        yield "position names no row of points."
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            yield f"position: row {number} from the top has {len(row)} points, the first has {len(rows[0])}."
        if strange := " ".join(sorted(set(row) - set(EMPTY + SYMBOLS[:players]))):
            known = f"{EMPTY} {' '.join(SYMBOLS[:players])}"
            yield f"position: row {number} has {strange}; with {players} players there are {known}."
    if rows and (len(rows) > LARGEST or len(rows[0]) > LARGEST):
        yield f"position: a board has at most {LARGEST} rows and {LARGEST} columns."


def _hands(hands: str, players: int) -> tuple[tuple[tuple[int, ...], ...], list[str]]:
    held, faults, symbols = [[0] * players for _ in range(players)], list[str](), SYMBOLS[:players]
    for word in hands.upper().split():
        match = _HAND.fullmatch(word)
        if match is None or int(match[1]) > players:
            what = f"should be a seat from 1 to {players} and its prisoners, such as 1:5W5R"
            faults.append(f"hands: {word!r} {what}.")
            continue
        for count, symbol in re.findall(r"(\d+)([A-Z])", match[2]):
            if symbol not in symbols:
                faults.append(
                    f"hands: {symbol!r} in {word!r} is no colour of this match ({' '.join(symbols)})."
                )
            else:
                held[int(match[1]) - 1][SYMBOLS.index(symbol)] += int(count)
    return tuple(tuple(row) for row in held), faults


# --- how a match stands ----------------------------------------------------------------------------------------------


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
        return SYMBOLS.find(self.board[point]) + 1


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
    new = [(points.index[stone.point], SYMBOLS[stone.seat - 1]) for stone in placed]
    gone = [(points.index[point], SYMBOLS[chain.colour - 1]) for chain in removed for point in chain.points]
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
