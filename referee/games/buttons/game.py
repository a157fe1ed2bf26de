"""Buttons and bridges behind the seam."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from referee.core.chance import Chance
from referee.core.game import Amendment, Game, Opening, Outcome, Setup
from referee.core.options import Options
from referee.core.owing import REFEREE, Demand
from referee.games.buttons import TITLES, opening, owing, turns
from referee.games.buttons import actions as do
from referee.games.buttons import events as ev
from referee.games.buttons.answers import ANSWERS
from referee.games.buttons.folding import fold
from referee.games.buttons.letters import views
from referee.games.buttons.letters.clicks import clickable
from referee.games.buttons.solo import puzzling
from referee.games.buttons.solo.solver import solved
from referee.games.buttons.solo.standings import ranked
from referee.games.buttons.solo.supposing import supposed
from referee.games.buttons.state import State


class Buttons(Game[State, ev.Event]):
    """Two players (5.3) or the solo puzzle (5.4), by Adam Obren."""

    slug = "buttons"
    titles = TITLES
    happenings = get_args(ev.Event)
    state = State
    fold = fold
    answers = ANSWERS

    def seats(self, options: Options) -> tuple[int, ...]:
        return (1,) if options.text("mode") == "solo" else (2,)

    def faults(self, setup: Setup) -> tuple[str, ...]:
        return opening.judged(setup)[1]

    def opening(self, setup: Setup, chance: Chance) -> Opening[ev.Event]:
        record = turns.Told(fold, self.initial())
        record.tell(*opening.opening_events(setup, chance))
        if record.state.rules.solo:
            puzzling.look(record)
            puzzling.finish(record)
        else:
            turns.go_on(record)
        return Opening(tuple(range(1, setup.seats + 1)), tuple(record.events))

    def amended(self, state: State, setup: Setup) -> Amendment[ev.Event]:
        rules, faults = opening.judged(setup)
        if rules is not None and rules.board != state.rules.board:
            faults = ("the board of a running match stays as it is",)
        return Amendment(() if rules is None or faults else (ev.RulesAmended(rules),), faults)

    due = staticmethod(owing.due)
    open_to = staticmethod(owing.open_to)
    expects = staticmethod(owing.expects)
    view = staticmethod(views.viewed)
    outcome = staticmethod(views.outcome)

    def sees_more(self, state: State, seat: int) -> bool:
        return views.hides(state) and seat == puzzling.PLAYER

    def secret_to(self, event: ev.Event) -> int | None:
        """A private puzzle is its player's alone, and the referee's own solution nobody's, until the end."""
        if isinstance(event, ev.ParFound):
            return REFEREE
        return puzzling.PLAYER if isinstance(event, ev.OFTEN_PRIVATE) and event.private else None

    # --- what it can do besides ----------------------------------------------------------------------------------

    computed = ("Par",)

    def compute(self, state: State, demand: Demand, nodes: int) -> do.SetPar:
        """Par: the referee's own solution of the puzzle, counted from its start."""
        return do.SetPar(solved(state.rules, state.start, state.goal, min(nodes, state.rules.par_nodes)))

    def audit(self, state: State, event: ev.Event) -> tuple[str, ...]:
        """A solution is checked as every answer is; no event carries a proof."""
        return ()

    supposed = staticmethod(supposed)

    def table(self, outcomes: Mapping[str, Outcome | None]) -> tuple[tuple[str, ...], ...]:
        rows = ranked(outcomes)
        head = ("Match", "Rank", "Moves", "Result")
        return (head, *((r.match, str(r.rank or "-"), str(r.moves), r.result) for r in rows)) if rows else ()

    board_form = staticmethod(clickable)


GAME = Buttons()
