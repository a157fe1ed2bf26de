"""What the referee itself owes (seat 0): the questions there are, and its answers written down like any other's."""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any

from referee.base.errors import RefereeError
from referee.base.settings import Settings
from referee.core.game import AnyGame
from referee.core.owing import Demand
from referee.core.value import Value
from referee.match import commands as do
from referee.match.commands import Impossible
from referee.match.match import Match, for_solver
from referee.offices.decisions import Decisions
from referee.offices.passes import Counts
from referee.store.engine import Again, again
from referee.store.sql import Store

# The answer that the referee itself owes in a state, within so many nodes; None where none was found.
Solver = Callable[[AnyGame, Any, Demand, int], Any]
_AGAIN = timedelta(hours=1)  # after an answer that could not be written down


class NoVerdict(RefereeError):
    """The search for the referee's own answer found no end: it stumbled, or its process died, and so did the next."""


class Searches(Value):
    """Asks the solver, one question at a time, in no transaction."""

    store: Store
    decisions: Decisions
    settings: Settings
    solver: Solver
    given_up: dict[str, datetime] = field(default_factory=dict)  # matches in which none is sought before then

    def questions(self, only: Collection[str] | None = None) -> list[Match]:
        """The matches in which the referee itself owes something, or of `only` those: the first thing that
        each waits for is asked. One that can't be folded, or that owes nothing any more, asks nothing."""
        with self.store.transaction() as unit:
            names = [name for name in unit.computing() if only is None or name in only]
            matches = [self.decisions.matches.outline(unit, name) for name in names]
        return [match for match in matches if match.known and for_solver(match)]

    def solve(self, match: Match) -> Any:
        """The referee's own answer, in no transaction. Raises NoVerdict."""
        demand, most = for_solver(match)[0][1], self.settings.limits.solver_nodes
        try:
            action = self.solver(self.decisions.matches.game(match), match.inner, demand, most)
        except Exception as error:
            raise NoVerdict from error
        if action is None:
            raise NoVerdict
        return action

    @again
    def answer(self, asked: Match, action: Any, now: datetime) -> bool:
        """Write the answer down, unless the match has moved on since it was asked; whether it was written."""
        with self.store.transaction() as unit:
            match = self.decisions.matches.load(unit, asked.name)
            owed, then = ([(r.label, demand) for r, demand in for_solver(m)[:1]] for m in (match, asked))
            if match.standing != asked.standing or owed != then:
                return False
            label = then[0][0]
            command, cause = do.Compute(label, action), f"verdict {match.position} {label}"
            decision = self.decisions.carry_out(unit, match, command, now, cause)
            return not isinstance(decision.verdict, Impossible)

    @again
    def unsolved(self, asked: Match, error: Exception, now: datetime, counts: Counts) -> None:
        """The match waits, and the moderator is told: a search that came to nothing is held for
        him, an answer that could not be written down is looked for again."""
        with self.store.transaction() as unit:
            match = self.decisions.matches.outline(unit, asked.name)
            if not isinstance(error, NoVerdict):
                self.decisions.fault_of_match(
                    unit, match.name, "the referee's own answer", error, now, counts
                )
            elif match.known and match.version == asked.version:
                self.decisions.fault_of_search(unit, match, error, now, counts)

    def compute(
        self,
        names: Collection[str] | None,
        now: Callable[[], datetime],
        counts: Counts,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> list[bool]:
        """Look for what the referee itself owes in those matches, or in all, each at its time: of each that was looked
        for whether it was found. It is written down while this thread is `alone`."""
        found = []
        for match in self.questions(names):
            name = match.name
            if (until := self.given_up.get(name)) is not None and until > now():
                continue
            try:
                action = self.solve(match)
                with alone():
                    found.append(self.answer(match, action, now()))
            except Again:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
                with alone():
                    self.unsolved(match, error, now(), counts)
                if not isinstance(error, NoVerdict):
                    self.given_up[name] = now() + _AGAIN
                found.append(False)
        return found
