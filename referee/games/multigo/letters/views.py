"""What a seat, or the public, may know of a match: position, picture, facts for letters."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from referee.core.game import Outcome, View
from referee.games.multigo.answers.notation import stones
from referee.games.multigo.board.points import COLOURS
from referee.games.multigo.letters.picture import picture
from referee.games.multigo.play.choices import chooser
from referee.games.multigo.play.phases import phase_of
from referee.games.multigo.state import State, counts, name_of, symbol_of


def view(state: State, seat: int | None) -> View:
    """The one gate: standing orders are shown to their own seat only."""
    if state.rules is None:
        return View("not begun", {})
    facts = _public(state) | (_private(state, seat) if seat else {"prefer": ""})
    return View(_phase(state), position(state), picture(state), facts)


def position(state: State) -> Mapping[str, object]:
    """The contract's public facts."""
    return {
        "board": list(state.points.rows(state.board)),
        "prisoners": {str(n): _named(seat.prisoners) for n, seat in enumerate(state.seats, 1)},
        "eliminated": _named(state.eliminated),
    }


def _named(numbers: tuple[int, ...]) -> dict[str, int]:
    return {COLOURS[count.colour - 1]: count.stones for count in counts(numbers)}


def _phase(state: State) -> str:
    """The phase in words."""
    match phase_of(state):
        case "choose":
            owed = chooser(state)
            return (
                f"round {state.round}, {name_of(owed[1])} chooses prisoners"
                if owed
                else "division of prisoners"
            )
        case "play" if state.law.parallel:
            return f"round {state.round}, all move"
        case "play":
            return f"round {state.round}, {name_of(state.turn)} to move"
        case "dead":
            return "agreement on dead stones"
        case "ally":
            return "alliances"
        case "over":
            return "over"
        case other:
            return other


def _public(state: State) -> dict[str, object]:
    law = state.law
    return {
        "stage": phase_of(state),
        "round": state.round,
        "turn": state.turn,
        "parallel": law.parallel,
        "coop": law.coop,
        "shares": law.shares,
        "alliances": law.alliances,
        "width": state.width,
        "height": state.height,
        "last_column": state.points.names[state.width - 1][0],
        "players": [_player(state, number) for number in range(1, law.players + 1)],
        "colours": [name_of(number) for number in range(1, law.players + 1)],
        "nobodys": stones(counts(state.eliminated)),
        "capture": _capture(state),
        "superko": law.superko,
        "suicide": law.suicide,
        "scoring": law.scoring,
        "crossman": law.prisoners == "crossman",
        "fallbacks": law.fallbacks,
        "allowed": 1 + law.fallbacks if law.parallel else law.stones_of(state.turn, state.round),
        "press": law.press,
        "timeout": law.timeout_default,
        "repetition": law.superko_parallel,
        "agreement": law.dead == "agreement",
        "ally_rounds": law.ally_rounds,
        "max_void": law.max_void,
        "old_first": law.removal == "old_first",
        "max_alliance": law.max_alliance,
        "threshold": str(law.alliance_threshold),
        "compensation": _compensation(state),
        "disputes": state.disputes,
        "adjourned": state.adjourned,
        "scored": state.scored,
        "allied": state.allied,
    }


def _player(state: State, number: int) -> dict[str, object]:
    seat = state.seat(number)
    return {
        "seat": number,
        "colour": name_of(number),
        "symbol": symbol_of(number),
        "stones": state.board.count(symbol_of(number)),
        "prisoners": stones(counts(seat.prisoners)),
        "held": sum(seat.prisoners),
        "resigned": seat.resigned,
        "vacant": seat.vacant,
        "last": " ".join(seat.last),
        "listed": None if seat.listed is None else ", ".join(seat.listed) or "none",
    }


def _capture(state: State) -> dict[str, object] | None:
    owed = chooser(state)
    if owed is None:
        return None
    head, seat, share = owed
    return {
        "number": head.number,
        "pool": stones(counts(head.pool)),
        "seat": seat,
        "colour": name_of(seat),
        "share": share,
        "queue": [(name_of(taker.seat), taker.stones) for taker in head.queue],
    }


def _compensation(state: State) -> dict[str, list[str]]:
    """Who must pass in round 3, and who may place two stones in round 1 (2.2)."""
    law = state.law
    seats = range(1, law.players + 1)
    return {
        "pass": [name_of(seat) for seat in seats if law.must_pass(seat, 3)],
        "double": [name_of(seat) for seat in seats if law.stones_of(seat, 1) == 2],
    }


def sees_more(state: State, seat: int) -> bool:
    """Whether the seat has standing orders."""
    own = state.seat(seat)
    return bool(own.prefer)


def _private(state: State, seat: int) -> dict[str, object]:
    own = state.seat(seat)
    return {
        "prefer": ", ".join(COLOURS[colour - 1] for colour in own.prefer),
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
