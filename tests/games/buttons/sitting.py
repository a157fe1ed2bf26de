"""A match at the seam alone: mails in, complaints or events out, every value through JSON on its way."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from referee.base import shipped
from referee.core.game import Setup
from referee.core.value import Demand
from referee.games.buttons.game import GAME
from tests.games.at_the_seam import AtTheSeam, chosen


def boards() -> Mapping[str, Any]:
    found: Mapping[str, Any] = shipped.game_data("buttons")["board"]
    return found


def set_up(given: Mapping[str, str], layouts: Mapping[str, Any] | None = None) -> Setup:
    options = chosen("buttons", dict(given))
    data = {"board": boards() if layouts is None else layouts}
    return Setup(options, data, GAME.seats(options)[0])


class Sitting(AtTheSeam):
    """One match."""

    game = GAME
    wordless = frozenset({"RulesAmended", "MailJudged", "ParFound", "TurnLapsed", "MatchDecided"})

    def __init__(self, draw: int = 1, layouts: Mapping[str, Any] | None = None, **options: str) -> None:
        super().__init__(set_up(options, layouts), draw)

    def compute(self, nodes: int = 200_000) -> tuple[Any, ...]:
        """The referee's own solution comes in."""
        demand = Demand("Par", 0)
        return self.answer(demand, GAME.compute(self.state, demand, nodes))

    @property
    def owed(self) -> list[tuple[str, str, int]]:
        return [(r.label, d.kind, d.seat) for r in self.due for d in r.demands]

    @property
    def board(self) -> str:
        """The public board, as the option `position` writes it."""
        return "/".join(" ".join(row) for row in GAME.view(self.state, None).position["board"])

    @property
    def ending(self) -> tuple[tuple[int, ...], str]:
        outcome = GAME.outcome(self.state)
        assert outcome is not None
        assert self.due == ()
        return outcome.winners, outcome.reason

    @property
    def points(self) -> int:
        """Of the lone player."""
        return int(GAME.outcome(self.state).points[1])

    @property
    def goes_on(self) -> bool:
        return GAME.outcome(self.state) is None

    @property
    def position(self) -> Any:
        """What all see."""
        return GAME.view(self.state, None).position

    @property
    def holds(self) -> bool:
        return self.due[0].holds

    @property
    def window(self) -> timedelta | None:
        return self.due[0].window

    @property
    def passes(self) -> int:
        return self.kinds().count("PassForced")

    def act(self, step: str) -> None:
        """Also "par", where the referee's own solution comes in."""
        if step == "par":
            self.compute()
        else:
            super().act(step)

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def last(self, kind: str) -> Any:
        return next(event for event in reversed(self.events) if type(event).__name__ == kind)


def opening_faults(layouts: Mapping[str, Any] | None = None, **options: str) -> str:
    return "\n".join(GAME.faults(set_up(options, layouts)))
