"""What the referee itself owes (seat 0): the questions there are, and its answers written down like any other's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from referee.core.game import Demand
from referee.match import commands as do
from referee.match.commands import Impossible
from referee.match.decide import decide
from referee.match.match import AnyGame, Match, for_worker
from referee.offices.faults import Faults
from referee.offices.outgoing.speaker import Speaker
from referee.offices.passes import Counts
from referee.offices.ports.store import Store
from referee.offices.registry import Registry
from referee.offices.settings import Settings

Solver = Callable[[AnyGame, Any, Demand, int], Any]


class NoVerdict(Exception):
    """The search for the referee's own answer found no end: it stumbled, or its worker died, and so did the next."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee itself owes in a match, as it stood when asked."""

    match: Match
    game: AnyGame
    label: str
    demand: Demand

    @property
    def key(self) -> tuple[str, int]:
        return self.match.name, self.match.version


class Searches:
    """Asks the solver, one question at a time, in no transaction."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        speaker: Speaker,
        faults: Faults,
        settings: Settings,
        solver: Solver,
    ) -> None:
        self._store = store
        self._registry = registry
        self._speaker = speaker
        self._faults = faults
        self._settings = settings
        self._solver = solver

    def questions(self) -> list[Question]:
        """The first thing the referee itself owes in each match that waits for it."""
        with self._store.transaction() as unit:
            matches = [self._registry.book.outline(unit, name) for name in unit.computing()]
        return [self._question(match) for match in matches if match.known]

    def _question(self, match: Match) -> Question:
        game = self._registry.book.game(match)
        r, demand = for_worker(match, game)[0]
        return Question(match, game, r.label, demand)

    def solve(self, question: Question) -> Any:
        """The referee's own answer, in no transaction. Raises NoVerdict."""
        try:
            action = self._solver(
                question.game, question.match.inner, question.demand, self._settings.limits.solver_nodes
            )
        except Exception as error:
            raise NoVerdict from error
        if action is None:
            raise NoVerdict
        return action

    def answer(self, question: Question, action: Any, now: datetime) -> bool:
        """Write the answer down, unless the match has moved on since it was asked; whether it was written."""
        with self._store.transaction() as unit:
            match = self._registry.book.load(unit, question.match.name)
            owed = for_worker(match, question.game)
            if match.inner != question.match.inner or not owed:
                return False
            r, demand = owed[0]
            if (r.label, demand) != (question.label, question.demand):
                return False
            command = do.Compute(r.label, action)
            decision = decide(
                question.game, match, command, now, self._speaker.keys, lambda: unit.history(match.name)
            )
            if isinstance(decision.verdict, Impossible):
                return False
            self._registry.record(unit, match, decision, f"verdict {match.position} {r.label}", now)
            return True

    def unsolved(self, question: Question, error: Exception, now: datetime, counts: Counts) -> None:
        """The match waits, and the moderator is told: a search that came to nothing is held for him, an answer that
        could not be written down is looked for again."""
        with self._store.transaction() as unit:
            if isinstance(error, NoVerdict):
                match = self._registry.book.load(unit, question.match.name)
                if match.version == question.match.version:
                    self._faults.of_search(unit, match, error, now, counts)
                return
            self._faults.of_match(unit, question.match.name, "the referee's own answer", error, now, counts)

    def compute(self, now: datetime, counts: Counts) -> bool:
        """Answer what the referee itself owes; whether anything was answered."""
        done = False
        for question in self.questions():
            try:
                done |= self.answer(question, self.solve(question), now)
            except Exception as error:  # noqa: BLE001 - whatever it is, other matches must go on
                self.unsolved(question, error, now, counts)
        return done
