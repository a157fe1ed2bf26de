"""What a seat, or the public, may know of a match: position, picture, facts for letters."""

from __future__ import annotations

from fractions import Fraction

from referee.core.game import Outcome, View
from referee.games.multigo.answers.notation import stones
from referee.games.multigo.board.points import COLOURS, NAME, SYMBOL
from referee.games.multigo.letters.picture import picture
from referee.games.multigo.play.choices import chooser
from referee.games.multigo.play.phases import phase_of
from referee.games.multigo.state import State, counts


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
            return (
                f"round {state.round}, {'all move' if state.law.parallel else f'{NAME[state.turn]} to move'}"
            )
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
