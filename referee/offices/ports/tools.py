"""The tools that the offices work with: the renderer, the solver, the limit on time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from referee.core.complaint import Complaint
    from referee.core.game import AnyGame
    from referee.core.owing import Demand

# The answer that the referee itself owes in a state, within so many nodes; None where none was found.
Solver = Callable[["AnyGame", Any, "Demand", int], Any]


class Pages(Protocol):
    """The renderer of letters. Adapter: `referee.post`."""

    def letter(self, template: str, context: Mapping[str, object]) -> tuple[str, str]:
        """A template and its context to plain text and HTML."""

    def part(self, template: str, context: Mapping[str, object]) -> str:
        """A template in both forms at once, to stand in other templates as it is."""

    def clock(self, zone: str | None) -> Callable[[datetime], str]:
        """How times are told in a zone; None is the referee's own."""

    def help(self, game: str) -> Mapping[str, Any]:
        """What a game's folder of templates says of its headings, duties and options."""

    def wording(self, complaint: Complaint, game: str) -> Mapping[str, Any]:
        """A complaint in words: what it `says`, and what would `mend` it."""


class Overrun(BaseException):
    """A mail took longer than one may (`[limits] seconds`); raised by the watchdog alone. No `Exception`: what takes
    trouble in its stride must not take this."""

    def __init__(self, seconds: float = 0) -> None:
        super().__init__(f"it took longer than {seconds:g} seconds" if seconds else "it took too long")


class Stopped(BaseException):
    """The process is to end at once, and what is in hand is to be undone; raised by the watchdog alone."""


class TimeLimit(Protocol):
    """How long a mail may be looked at. Adapter: `referee.engine.watchdog`."""

    def over(self, mail: str = "") -> AbstractContextManager[None]:
        """A limit on the block that follows, a look at that mail (its uid): Overrun is raised in it where it takes too
        long, Stopped where the process is to end, and neither after it."""
