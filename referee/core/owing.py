"""What is owed: demands, the rounds they come in, and the answer of a deadline."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final, Literal

from referee.core.value import Value

REFEREE: Final = 0  # the seat of the referee itself: it owes verdicts and waits for the clock


class Demand(Value):
    """One answer owed. `kind` is a short name ("Purchase"); `about` tells two of one kind and seat apart."""

    kind: str
    seat: int
    about: str = ""


class Round(Value):
    """A set of demands that open together and close together.

    `label` names it in letters and records ("Round 3 / Player 2"); a game never has two open rounds of one
    label, and a round keeps its label while it lasts (an open round's demands dwindle as they are answered).
    `window` is None where there is no deadline. `sealed` answers are resolved together at the close; open ones
    one by one. `answers` "first": the first valid one counts; "last": replaceable until the close.
    `holds`: at the deadline nothing lapses, the round waits on. A demand of seat 0 waits for the
    solver where its kind is among those the game computes (`Computes`); otherwise for the clock
    (its window), or, without a window, for a seat to be filled."""

    label: str
    demands: tuple[Demand, ...]
    window: timedelta | None
    sealed: bool = False
    answers: Literal["first", "last"] = "first"
    holds: bool = False


class Lapse:
    """The answer of a deadline: nothing came in time."""

    def __repr__(self) -> str:
        return "LAPSED"


LAPSED = Lapse()


def demands(rounds: Iterable[Round], seat: int) -> tuple[Demand, ...]:
    """What the seat owes."""
    return tuple(demand for round_ in rounds for demand in round_.demands if demand.seat == seat)


def demand_of_kind(rounds: Iterable[Round], seat: int, kind: str) -> Demand:
    """The seat's demand of that kind as it is due, else as it would be named."""
    return next((demand for demand in demands(rounds, seat) if demand.kind == kind), Demand(kind, seat))


def turn_label(number: int, player: int) -> str:
    """How the round is called in which one player has the turn."""
    return f"Round {number} / Player {player}"
