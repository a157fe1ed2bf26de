"""What happens in a match: facts, written once. Points are names ("D4"), colours are seat numbers. The options of a
match as typed values: what judging reads, for ever; and how a match is opened from them; how it stands, in small
values, cheap to copy and to store; and one event further: total, and for ever."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from datetime import timedelta
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from referee.core.duel import Commented, SeatFilled, SeatOpened
from referee.core.game import Setup
from referee.core.options import Options, typed
from referee.core.value import FreeText, OfSeat, Recorder, Value
from referee.games.multigo.board import COLOURS, EMPTY, LARGEST, SYMBOLS, Points, lifeless, points_of, sign_of
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

# --- the rules -------------------------------------------------------------------------------------------------------


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


def opened(setup: Setup) -> tuple[GameOpened, tuple[str, ...]]:
    """The start that the options name, and every fault of it in words."""
    options, players = setup.options, setup.seats
    if not 2 <= players <= len(SYMBOLS):
        return GameOpened({}, 0, 0, 0, "", ()), (f"Multiplayer Go takes 2 to 8 players, not {players}.",)
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
    start = GameOpened(recorded(options), players, width, height, board, held)
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
        if (match := _HAND.fullmatch(word)) is None or int(match[1]) > players:
            what = f"should be a seat from 1 to {players} and its prisoners, such as 1:5W5R"
            faults.append(f"hands: {word!r} {what}.")
            continue
        for count, symbol in re.findall(r"(\d+)([A-Z])", match[2]):
            if symbol not in symbols:
                known = f"is no colour of this match ({' '.join(symbols)})"
                faults.append(f"hands: {symbol!r} in {word!r} {known}.")
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
    """`board` is row by row from the top; `seats[n - 1]` is seat n; `turn` is 0 in parallel."""

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
    def counted(self) -> Scored:
        """What the count has come to."""
        if self.scored is None:
            raise ValueError("nothing has been counted")
        return self.scored

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


Record: TypeAlias = Recorder[State, Event]


def fold(state: State, event: Event) -> State:
    """The state after an event: total, and for ever."""
    match event:
        case GameOpened():
            rules = rules_of(event.options, event.players)
            history = sign_of(event.board, 1 if rules.minds_mover else 0)
            seats, none = tuple(Seat(prisoners=held) for held in event.prisoners), (0,) * event.players
            state = replace(state, width=event.width, height=event.height, board=event.board, history=history)
            return replace(state, rules=rules, phase="play", seats=seats, eliminated=none)
        case RulesAmended():
            return replace(state, rules=rules_of(event.options, event.players))
        case TurnBegan():  # where the lists of dead stones differed, play goes on with this turn
            if state.phase == "dead":
                seats = tuple(replace(seat, listed=None) for seat in state.seats)
                state = replace(state, seats=seats, passed=())
            return replace(state, phase="play", round=event.round, turn=event.seat)
        case StonePlaced():
            placed = Placement(event.seat, event.point)
            after = _on_board(state, (placed,), event.removed, event.to_move if state.law.minds_mover else 0)
            before, trace = state.seat(event.seat).last if event.second else (), after.trace
            if event.second:
                trace = Trace((*state.trace.placed, *trace.placed), (*state.trace.removed, *trace.removed))
            after = _with(after, event.seat, last=(*before, event.point), defaults=0, vacant=False)
            return replace(after, passed=(), mover=event.seat, trace=trace)
        case Passed():  # a forced opening pass is none of the passes that end the play (2.2)
            passed, history = state.passed, state.history
            if event.how != "forced":
                state = _counted(state, event.seat, event.how)
                passed = tuple(sorted({*passed, event.seat}))
            if state.law.minds_mover:
                history += sign_of(state.board, event.to_move)
            after = _with(state, event.seat, last=("pass",))
            return replace(after, passed=passed, history=history, mover=event.seat, trace=Trace())
        case RoundPlayed():
            for order in event.orders:
                counted = _counted(state, order.seat, order.how)
                state = _with(counted, order.seat, last=order.points or ("pass",))
            voids, state = state.voids + 1 if event.void else 0, replace(state, trace=Trace())
            if event.placed and not event.void:
                state = _on_board(state, event.placed, event.removed, 0)
            trace = replace(state.trace, contested=tuple(collision.point for collision in event.collisions))
            return replace(state, adjourned=False, voids=voids, trace=trace)
        case CaptureShared():
            pool = tallied(event.stones, len(state.seats))
            shared = Pending(event.number, event.round, pool, event.takers)
            return replace(state, captures=event.number, pending=(*state.pending, shared))
        case PrisonersTaken():
            players = len(state.seats)
            taken, lost = tallied(event.stones, players), tallied(event.lost, players)
            state = _with(state, event.seat, prisoners=added(state.seat(event.seat).prisoners, taken))
            gone = added(taken, lost)
            left: list[Pending] = []
            for one in state.pending:
                if one.number == event.number:
                    pool = tuple(there - less for there, less in zip(one.pool, gone, strict=True))
                    one = replace(one, pool=pool, queue=one.queue[1:])
                left += [one] if one.queue or any(one.pool) else []
            return replace(state, eliminated=added(state.eliminated, lost), pending=tuple(left))
        case StonesEliminated():
            pending = tuple(p for p in state.pending if not event.number or p.number != event.number)
            gone = tallied(event.stones, len(state.seats))
            return replace(state, pending=pending, eliminated=added(state.eliminated, gone))
        case PreferKept():
            return _with(state, event.seat, prefer=event.colours)
        case PlayEnded():
            settled = state.law.dead == "none" or state.disputes >= 2
            return replace(state, phase="count" if settled else "dead", voids=0)
        case PlayAdjourned():
            return replace(state, adjourned=True)
        case DeadListed():
            return _with(state, event.seat, listed=event.points)
        case DeadAgreed():
            if event.removed:
                state = _on_board(state, (), event.removed, 0)
            return replace(state, phase="count")
        case DeadDisputed():
            return replace(state, disputes=event.times, phase="count" if event.times >= 2 else state.phase)
        case Scored():
            return replace(state, scored=event, phase="ally")
        case AlliesDeclared():
            return replace(state, allied=event)
        case GameWon():
            return replace(state, won=event, phase="over", pending=())
        case SeatOpened():
            return _with(state, event.seat, vacant=True)
        case SeatFilled():
            return _with(state, event.seat, vacant=False, defaults=0)
        case Resigned():
            if event.removed:
                state = _on_board(state, (), event.removed, 0)
                gone = stones_in(event.removed, len(state.seats))
                state = replace(state, eliminated=added(state.eliminated, gone))
            return _with(state, event.seat, resigned=True, vacant=False, last=("resign",))
        case Commented() | PressRelayed() | PlanKept() | PlanLapsed():
            return state


def _counted(state: State, number: int, how: How) -> State:
    """With one more move missed in a row, or none any more."""
    seat, missed = state.seat(number), how == "deadline"
    return _with(state, number, defaults=seat.defaults + 1 if missed else 0, vacant=seat.vacant and missed)


# --- parts of the state --------------------------------------------------------------------------------------------


def _with(state: State, number: int, **changes: Any) -> State:
    """The state with one player's own part changed."""
    seat = replace(state.seat(number), **changes)
    return replace(state, seats=(*state.seats[: number - 1], seat, *state.seats[number:]))


def _on_board(state: State, placed: Iterable[Placement], removed: Iterable[Chain], to_move: int) -> State:
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
