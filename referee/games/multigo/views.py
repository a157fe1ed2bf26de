"""What a seat, or the public, may know of a match: position, picture, facts for letters, the form on the board."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

from referee.core.diagram import Colour, Diagram, Mark, Token
from referee.core.game import BoardForm, Outcome, View
from referee.games.multigo.board import COLOURS, EMPTY, NAME, SYMBOL, SYMBOLS, Points
from referee.games.multigo.notation import stones
from referee.games.multigo.prisoners import chooser
from referee.games.multigo.state import State, counts
from referee.games.multigo.turns import due, phase_of, placings

_KNOWN: dict[str, Colour] = {name: name for name in get_args(Colour)}


def picture(state: State) -> Diagram:
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


def clickable(state: State) -> BoardForm:
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


def view(state: State, seat: int | None) -> View:
    """The one gate: standing orders are shown to their own seat only."""
    if state.rules is None:
        return View("not begun", {})
    position = {
        "board": list(state.points.rows(state.board)),
        "prisoners": {str(n): _named(player.prisoners) for n, player in enumerate(state.seats, 1)},
        "eliminated": _named(state.eliminated),
    }
    return View(_phase(state), position, picture(state), _facts(state, seat))


def sees_more(state: State, seat: int) -> bool:
    """Whether the seat has standing orders."""
    return bool(state.seat(seat).prefer)


def _named(numbers: tuple[int, ...]) -> dict[str, int]:
    return {COLOURS[count.colour - 1]: count.stones for count in counts(numbers)}


def _phase(state: State) -> str:
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


def _facts(state: State, seat: int | None) -> dict[str, object]:
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
        "nobodys": stones(counts(state.eliminated)),
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
        pool = stones(counts(head.pool))
        facts["capture"] = {"number": head.number, "pool": pool, "colour": NAME[taker], "share": share}
    return facts


def _player(state: State, number: int) -> dict[str, object]:
    seat = state.seat(number)
    return {
        "seat": number,
        "colour": NAME[number],
        "symbol": SYMBOL[number],
        "stones": state.board.count(SYMBOL[number]),
        "prisoners": stones(counts(seat.prisoners)),
        "resigned": seat.resigned,
        "last": " ".join(seat.last),
        "listed": None if seat.listed is None else ", ".join(seat.listed) or "none",
    }


def outcome(state: State) -> Outcome | None:
    """Who won, and why."""
    won = state.won
    if won is None:
        return None
    seats = tuple(sorted(seat for bloc in won.blocs for seat in bloc))
    reason = _REASONS[won.why].format(*won.scores) + (" It is a tie." if len(won.blocs) > 1 else "")
    return Outcome(seats, {seat: Fraction(points) for seat, points in won.points.items()}, reason)


_REASONS = {
    "score": "The highest score is {0}.",
    "alliance": "The best alliance above the bound has {0} together.",
    "last": "All others resigned.",
}
