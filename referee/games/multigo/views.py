"""What a seat, or the public, may know of a match: position, picture, facts for letters, the form on the board; its
record, in lines (2.7) and as SGF (FF[4])."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import get_args

from referee.core.diagram import Colour, Diagram, Mark, Token
from referee.core.game import BoardForm, Outcome, View
from referee.games.multigo import state as ev
from referee.games.multigo.board import COLOURS, EMPTY, NAME, SYMBOL, SYMBOLS, Points
from referee.games.multigo.notation import stones
from referee.games.multigo.prisoners import chooser
from referee.games.multigo.turns import due, phase_of, placings

_KNOWN: dict[str, Colour] = {name: name for name in get_args(Colour)}


def picture(state: ev.State) -> Diagram:
    """The board now. The marks can't say whose stones were captured: the sentences do."""
    points, trace = state.points, state.trace
    gone = {point for point, _ in trace.removed}
    void = (point for point in trace.contested if point not in gone and point not in trace.placed)
    taken = ", ".join(f"{COLOURS[colour - 1]} {point}" for point, colour in trace.removed)
    seats = range(1, state.law.players + 1)
    return Diagram(
        title=f"Go, {points.width} x {points.height}",
        columns=tuple(points.names[column][0] for column in range(points.width)),
        rows=tuple(str(row) for row in range(points.height, 0, -1)),
        lattice="points",
        tokens=tuple(stone(points.names[p], sign) for p, sign in enumerate(state.board) if sign != EMPTY),
        marks=(
            *(Mark(point, "last") for point in trace.placed if point not in gone),
            *(Mark(point, "captured") for point, _ in trace.removed),
            *(Mark(point, "void") for point in void),
        ),
        legend=tuple((SYMBOL[seat], NAME[seat]) for seat in seats),
        sentences=(
            *([f"Removed in the last turn: {taken}."] if taken else []),
            *(_standing(points, state.board, seat) for seat in seats),
        ),
    )


def stone(square: str, symbol: str) -> Token:
    """A stone on a point."""
    name = COLOURS[SYMBOLS.index(symbol)]
    return Token(square, symbol, f"{name} stone", _KNOWN[name], "disc")


def _standing(points: Points, board: str, seat: int) -> str:
    """Where a colour stands, row by row from the bottom."""
    symbol = SYMBOL[seat]
    rows = range((points.height - 1) * points.width, -1, -points.width)
    where = [points.names[p] for row in rows for p in range(row, row + points.width) if board[p] == symbol]
    if not where:
        return f"{NAME[seat]} has no stones on the board."
    return f"{NAME[seat]} has stones at {', '.join(where)}."


_WHY = {"suicide": "would have no liberty", "superko": "would repeat a position"}


def clickable(state: ev.State) -> BoardForm:
    """`moves` by seat that owes one: how many points it may name, and the empty points where it may not play, each
    with the reason; `take` is the choice of prisoners that is due; colours and looks are listed by seat."""
    law = state.law
    movers = [demand.seat for round_ in due(state) for demand in round_.demands if demand.kind == "Move"]
    owed = chooser(state)
    players = range(1, law.players + 1)
    return BoardForm(
        {
            "order": "parallel" if law.parallel else "sequential",
            "colours": [COLOURS[seat - 1] for seat in players],
            "looks": [stone("A1", SYMBOL[seat]).look for seat in players],
            "active": list(state.active),
            "moves": {
                str(seat): {
                    "points": law.allowed(seat, state.round),
                    "barred": {
                        tried.point: _WHY[tried.fault]
                        for name, sign in zip(state.points.names, state.board, strict=True)
                        for tried in (
                            placings(state, seat, (name,)) if sign == EMPTY and not law.parallel else ()
                        )
                        if tried.fault
                    },
                }
                for seat in movers
            },
            "take": {"seat": owed[1], "share": owed[2], "pool": list(owed[0].pool)} if owed else None,
            "max_alliance": law.max_alliance,
        }
    )


def view(state: ev.State, seat: int | None) -> View:
    """The one gate: standing orders are shown to their own seat only."""
    if state.rules is None:
        return View("not begun", {})
    position = {
        "board": list(state.points.rows(state.board)),
        "prisoners": {str(n): _named(player.prisoners) for n, player in enumerate(state.seats, 1)},
        "eliminated": _named(state.eliminated),
    }
    return View(_phase(state), position, picture(state), _facts(state, seat))


def sees_more(state: ev.State, seat: int) -> bool:
    """Whether the seat has standing orders."""
    return bool(state.seat(seat).prefer)


def _named(numbers: tuple[int, ...]) -> dict[str, int]:
    return {COLOURS[count.colour - 1]: count.stones for count in ev.counts(numbers)}


def _phase(state: ev.State) -> str:
    """The phase in words."""
    match phase_of(state):
        case "choose" if owed := chooser(state):
            return f"round {state.round}, {NAME[owed[1]]} chooses prisoners"
        case "choose":
            return "division of prisoners"
        case "play":
            who = "all move" if state.law.parallel else f"{NAME[state.turn]} to move"
            return f"round {state.round}, {who}"
        case "dead":
            return "agreement on dead stones"
        case "ally":
            return "alliances"
        case other:
            return other


def _facts(state: ev.State, seat: int | None) -> dict[str, object]:
    """What the game's templates speak of; `prefer` is the standing order of whoever looks."""
    law = state.law
    facts: dict[str, object] = {
        "law": law,
        "round": state.round,
        "width": state.width,
        "height": state.height,
        "last_column": state.points.names[state.width - 1][0],
        "players": [_player(state, number) for number in range(1, law.players + 1)],
        "colours": [NAME[number] for number in range(1, law.players + 1)],
        "nobodys": stones(ev.counts(state.eliminated)),
        "allowed": law.allowed(state.turn, state.round),
        "passing": [NAME[number] for number in law.passing],
        "doubled": [NAME[number] for number in law.doubled],
        "disputes": state.disputes,
        "adjourned": state.adjourned,
        "scored": state.scored,
        "allied": state.allied,
        "prefer": ", ".join(COLOURS[colour - 1] for colour in state.seat(seat).prefer) if seat else "",
    }
    if owed := chooser(state):
        head, taker, share = owed
        pool = stones(ev.counts(head.pool))
        facts["capture"] = {"number": head.number, "pool": pool, "colour": NAME[taker], "share": share}
    return facts


def _player(state: ev.State, number: int) -> dict[str, object]:
    seat = state.seat(number)
    return {
        "seat": number,
        "colour": NAME[number],
        "symbol": SYMBOL[number],
        "stones": state.board.count(SYMBOL[number]),
        "prisoners": stones(ev.counts(seat.prisoners)),
        "resigned": seat.resigned,
        "last": " ".join(seat.last),
        "listed": None if seat.listed is None else ", ".join(seat.listed) or "none",
    }


def outcome(state: ev.State) -> Outcome | None:
    """Who won, and why."""
    if (won := state.won) is None:
        return None
    seats = tuple(sorted(seat for bloc in won.blocs for seat in bloc))
    reason = _REASONS[won.why].format(*won.scores) + (" It is a tie." if len(won.blocs) > 1 else "")
    return Outcome(seats, {seat: Fraction(points) for seat, points in won.points.items()}, reason)


_REASONS = {
    "score": "The highest score is {0}.",
    "alliance": "The best alliance above the bound has {0} together.",
    "last": "All others resigned.",
}


# --- the record -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Frame:
    """One line of the record and the position after it. `seat` is 0 where nobody moved alone."""

    text: str
    board: str
    seat: int = 0
    point: str = ""
    credits: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # comments, "White: well played"

    @property
    def line(self) -> str:
        return f"{self.text} [{' '.join(self.credits)}]" if self.credits else self.text


def frames(events: Iterable[ev.Event]) -> tuple[ev.State, tuple[Frame, ...]]:
    """The last state, and every line with its position. A choice made later is credited to its capture's line."""
    state, found = ev.State(), list[Frame]()
    shared: dict[int, Frame] = {}
    for event in events:
        state = ev.fold(state, event)
        if text := noted(event):
            seat = event.seat if isinstance(event, ev.StonePlaced | ev.Passed) else 0
            point = event.point if isinstance(event, ev.StonePlaced) else ""
            found.append(Frame(text, state.board, seat, point))
        if found:
            _note(event, found[-1], shared)
    return state, tuple(found)


def _note(event: ev.Event, frame: Frame, shared: dict[int, Frame]) -> None:
    """Credits and comments that belong to a line."""
    match event:
        case ev.CaptureShared():
            shared[event.number] = frame
        case ev.PrisonersTaken():
            own = shared.get(event.number, frame)
            if event.stones:
                own.credits.append(f"{SYMBOL[event.seat]}{sum(count.stones for count in event.stones)}")
        case ev.Commented() | ev.PressRelayed():
            frame.words.append(f"{SYMBOL[event.seat]}: {event.text}")
        case ev.RoundPlayed():
            frame.words += [f"{SYMBOL[o.seat]}: {o.comment}" for o in event.orders if o.comment]
        case ev.AlliesDeclared():
            frame.words += [f"{SYMBOL[d.seat]}: {d.comment}" for d in event.declarations if d.comment]
    if isinstance(event, ev.StonePlaced | ev.Passed | ev.Resigned | ev.DeadListed) and event.comment:
        frame.words.append(f"{SYMBOL[event.seat]}: {event.comment}")


def noted(event: ev.Event) -> str:
    """The line of the record that an event begins, or nothing (2.7)."""
    match event:
        case ev.StonePlaced():
            return f"{event.round}. {SYMBOL[event.seat]} {event.point}{_captured(event.removed)}"
        case ev.Passed():
            return f"{event.round}. {SYMBOL[event.seat]} -"
        case ev.RoundPlayed():
            orders = " | ".join(f"{SYMBOL[o.seat]} {' '.join(o.points) or '-'}" for o in event.orders)
            marks = [f"coll {collision.point}" for collision in event.collisions]
            marks += ["void"] if event.void else [*filter(None, [_captured(event.removed).strip()])]
            return " ; ".join([f"{event.round}. {orders}", *marks])
        case ev.Resigned():
            return f"{SYMBOL[event.seat]} resigns"
        case ev.DeadListed():
            return f"{SYMBOL[event.seat]} dead: {' '.join(event.points) or 'none'}"
        case ev.DeadAgreed():
            return f"dead agreed{_captured(event.removed)}"
        case ev.Scored():
            scores = " ".join(f"{SYMBOL[tally.seat]} {tally.score}" for tally in event.tallies)
            return f"count: {scores}; of {event.total}"
        case ev.AlliesDeclared():
            said = (
                f"{SYMBOL[d.seat]} {''.join(SYMBOL[seat] for seat in d.partners) or '-'}"
                for d in event.declarations
            )
            return f"allies {event.round}: {' | '.join(said)}"
        case ev.GameWon():
            won = "; ".join("+".join(SYMBOL[seat] for seat in bloc) for bloc in event.blocs)
            return f"won by {won}"
        case _:
            return ""


def _captured(chains: Sequence[ev.Chain]) -> str:
    """ " x2W1U": how many of each colour were removed, in the order of seats."""
    taken = "".join(f"{c.stones}{SYMBOL[c.colour]}" for c in ev.counts(ev.stones_in(chains, len(SYMBOLS))))
    return f" x{taken}" if taken else ""


def to_sgf(events: Iterable[ev.Event], names: Mapping[int, str] | None = None) -> str:
    """The whole match as one game tree, positions from the first to the last."""
    told = list(events)
    if not told:  # seats are still vacant
        return "(;FF[4]GM[1]CA[UTF-8]AP[referee])\n"
    state, shown = frames(told)
    first = frames(told[:1])[0].board
    plain = state.law.players == 2 and not state.law.parallel
    nodes = [_root(state, first, names or {}, plain)]
    board = first
    for frame in shown:
        if plain and frame.seat:
            where = _at(state.points, frame.point) if frame.point else ""
            nodes.append(f";{SYMBOL[frame.seat]}[{where}]{_comment(frame.words)}")
        else:  # what changed on the board, every label, and the record's line
            stones = _stones(state.points, board, frame.board)
            words = _comment([frame.line, *frame.words])
            nodes.append(f";{stones}{_labels(state.points, frame.board)}{words}")
        board = frame.board
    return f"({''.join(nodes)})\n"


def _root(state: ev.State, board: str, names: Mapping[int, str], plain: bool) -> str:
    size = str(state.width) if state.width == state.height else f"{state.width}:{state.height}"
    node = f";FF[4]GM[1]CA[UTF-8]AP[referee]SZ[{size}]"
    called = [names.get(seat, f"Player {seat}") for seat in range(1, state.law.players + 1)]
    if plain:
        node += f"PB[{_escaped(called[0])}]PW[{_escaped(called[1])}]{_result(state)}"
        return node + _stones(state.points, EMPTY * len(board), board)
    roster = "\n".join(f"{SYMBOL[seat]} {NAME[seat]}: {name}" for seat, name in enumerate(called, 1))
    node += f"GN[Go for {state.law.players} players]C[{_escaped(roster)}]"
    return node + _stones(state.points, EMPTY * len(board), board) + _labels(state.points, board)


def _result(state: ev.State) -> str:
    won: ev.GameWon | None = state.won
    if won is None:
        return ""
    seats = [seat for bloc in won.blocs for seat in bloc]
    if len(seats) != 1:
        return "RE[0]"
    if won.why == "last" or state.scored is None:
        return f"RE[{SYMBOL[seats[0]]}+R]"
    scores = [tally.score for tally in state.scored.tallies]
    return f"RE[{SYMBOL[seats[0]]}+{abs(scores[0] - scores[1])}]"


def _stones(points: Points, before: str, after: str) -> str:
    """AB, AW and AE for what differs between two boards."""
    changed: dict[str, list[str]] = {"AB": [], "AW": [], "AE": []}
    for point, (was, now) in enumerate(zip(before, after, strict=True)):
        if was != now:
            prop = "AE" if now == EMPTY else "AB" if SYMBOLS.index(now) % 2 == 0 else "AW"
            changed[prop].append(f"[{_at(points, points.names[point])}]")
    return "".join(prop + "".join(values) for prop, values in changed.items() if values)


def _labels(points: Points, board: str) -> str:
    """LB for every stone whose colour SGF does not have."""
    labels = [
        f"[{_at(points, points.names[point])}:{symbol}]"
        for point, symbol in enumerate(board)
        if symbol not in (EMPTY, "B", "W")
    ]
    return f"LB{''.join(labels)}" if labels else ""


def _comment(words: Iterable[str]) -> str:
    text = "\n".join(words)
    return f"C[{_escaped(text)}]" if text else ""


def _at(points: Points, name: str) -> str:
    """SGF counts columns and rows from the top left, both in letters."""
    row, column = divmod(points.index[name], points.width)
    return chr(ord("a") + column) + chr(ord("a") + row)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
