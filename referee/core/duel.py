"""What games have in common: who begins, an offer of a draw, words, seats that change hands, and the end."""

from fractions import Fraction
from typing import Final

from referee.core.chance import Chance, Drawn
from referee.core.game import Outcome
from referee.core.value import FreeText, OfSeat, Value

BOTH: Final = (1, 2)


def other(seat: int) -> int:
    return 3 - seat


class StarterDrawn(Value):
    """Who begins. Where chance decided, seed and draw prove it."""

    seat: int
    seed: str = ""
    draws: tuple[Drawn, ...] = ()

    @classmethod
    def of(cls, starter: str, chance: Chance) -> "StarterDrawn":
        """`starter` is a seat, or "random": either may begin."""
        if starter != "random":
            return cls(int(starter))
        drawn = chance.below(2, "who begins: 0 is seat 1, 1 is seat 2")
        return cls(drawn + 1, chance.seed, chance.transcript[-1:])


class DrawOffered(OfSeat):
    """A draw, to the others."""


class Commented(OfSeat):
    """A player's words, relayed."""

    text: FreeText


def commented(seat: int, text: str) -> tuple[Commented, ...]:
    """A player's words beside an order; none where he said nothing."""
    return (Commented(seat, text),) if text else ()


class SeatOpened(OfSeat):
    """The seat has missed so many moves in a row that another person may take it."""

    missed: int


class SeatFilled(OfSeat):
    """Another person has taken the seat."""


class MatchDecided(Value):
    """The end: the winners (none: a draw, or a puzzle not solved) and why, in a sentence."""

    winners: tuple[int, ...]
    reason: str


def shared(winners: tuple[int, ...], reason: str) -> Outcome:
    """One point to the winner, half each for a draw."""
    if not winners:
        return Outcome((), dict.fromkeys(BOTH, Fraction(1, 2)), reason)
    return Outcome(winners, {seat: Fraction(int(seat in winners)) for seat in BOTH}, reason)
