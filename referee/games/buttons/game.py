"""Buttons and bridges behind the seam."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from referee.core.chance import Chance
from referee.core.duel import other
from referee.core.game import Amendment, Expected, Game, Opening, Setup
from referee.core.options import Options
from referee.core.owing import REFEREE, Demand, Round
from referee.games.buttons import TITLES, duel, opening, puzzle, views
from referee.games.buttons import actions as do
from referee.games.buttons import events as ev
from referee.games.buttons.answers import ANSWERS
from referee.games.buttons.events import fold
from referee.games.buttons.puzzle import supposed
from referee.games.buttons.solver import solved
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
        record = duel.Record(fold, self.initial())
        record.tell(*opening.opening_events(setup, chance))
        if record.state.rules.solo:
            puzzle.look(record)
            puzzle.finish(record)
        else:
            duel.go_on(record)
        return Opening(tuple(range(1, setup.seats + 1)), tuple(record.events))

    def amended(self, state: State, setup: Setup) -> Amendment[ev.Event]:
        rules, faults = opening.judged(setup)
        if rules is not None and rules.board != state.rules.board:
            faults = ("the board of a running match stays as it is",)
        return Amendment(() if rules is None or faults else (ev.RulesAmended(rules),), faults)

    def due(self, state: State) -> tuple[Round, ...]:
        """Two players: the turn. Solo: the player's next mail, and beside it the referee's own solution."""
        if state.ended is not None or not state.rules.board.spaces:
            return ()
        if state.rules.solo:
            par = (Round("Par", (Demand("Par", REFEREE),), None),) if puzzle.wants_par(state) else ()
            return (*puzzle.owed(state), *par)
        label = f"Round {(state.turn + 1) // 2} / Player {state.mover}"
        return (Round(label, (Demand("Move", state.mover),), state.rules.window, holds=state.rules.holds),)

    def open_to(self, state: State, seat: int) -> tuple[Demand, ...]:
        """Words at any time; resignation; an offer of a draw after one's turn, while none stands (5.3)."""
        if (
            state.ended is not None
            or not state.rules.board.spaces
            or seat not in ((1,) if state.rules.solo else (1, 2))
        ):
            return ()
        words = (Demand("Comment", seat),)
        if state.rules.solo:
            return words
        offers = (Demand("Offer", seat),) if state.mover == other(seat) and state.offer != seat else ()
        return (*offers, Demand("Resign", seat), *words)

    def expects(self, state: State, seat: int) -> Expected[State] | None:
        """One's own turn, of the game for two."""
        return None if state.rules.solo else Expected(replace(state, mover=seat))

    view = staticmethod(views.viewed)
    outcome = staticmethod(views.outcome)

    def sees_more(self, state: State, seat: int) -> bool:
        return views.hides(state) and seat == puzzle.PLAYER

    def secret_to(self, event: ev.Event) -> int | None:
        """A private puzzle is its player's alone, and the referee's own solution nobody's, until the end."""
        if isinstance(event, ev.ParFound):
            return REFEREE
        return puzzle.PLAYER if isinstance(event, ev.OFTEN_PRIVATE) and event.private else None

    # --- what it can do besides ----------------------------------------------------------------------------------

    computed = ("Par",)

    def compute(self, state: State, demand: Demand, nodes: int) -> do.SetPar:
        """Par: the referee's own solution of the puzzle, counted from its start."""
        return do.SetPar(solved(state.rules, state.start, state.goal, min(nodes, state.rules.par_nodes)))

    supposed = staticmethod(supposed)

    table = staticmethod(puzzle.compared)
    board_form = staticmethod(views.clickable)


GAME = Buttons()
