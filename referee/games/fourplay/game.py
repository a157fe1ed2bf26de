"""Fourplay Chess behind the seam."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from referee.core.capabilities import BoardForm
from referee.core.chance import Chance
from referee.core.diagram import Diagram
from referee.core.game import Amendment, Game, Opening, Outcome, Setup, View
from referee.core.options import Options
from referee.core.owing import Demand, Round
from referee.games.fourplay import TITLES, owing
from referee.games.fourplay import events as ev
from referee.games.fourplay.actions import Objection
from referee.games.fourplay.army.purchase import Purchase
from referee.games.fourplay.cycles import cycles, opening
from referee.games.fourplay.cycles.readiness import Ready, Resign
from referee.games.fourplay.folding import fold
from referee.games.fourplay.letters import showing, views
from referee.games.fourplay.letters.clicks import clickable
from referee.games.fourplay.rewinding import Objecting
from referee.games.fourplay.setup.setup import Setup as InitialSetup
from referee.games.fourplay.state import SEATS, State
from referee.games.fourplay.turns.turn import Turning


class Fourplay(Game[State, ev.Event]):
    """Four armies, four Kings, one Neutron: rules 600-612 and the pieces of 905-962."""

    slug = "fourplay"
    titles = TITLES
    happenings = get_args(ev.Event)
    state = State
    fold = fold
    answers = (Ready(), Purchase(), InitialSetup(), Turning(), Objecting(), Resign(), cycles.Waiting())

    def seats(self, options: Options) -> tuple[int, ...]:
        return (len(SEATS),)

    def faults(self, setup: Setup) -> tuple[str, ...]:
        return opening.faults(setup)

    def opening(self, setup: Setup, chance: Chance) -> Opening[ev.Event]:
        return opening.opening(setup, chance)

    def amended(self, state: State, setup: Setup) -> Amendment[ev.Event]:
        return opening.amendment(state, setup)

    def due(self, state: State) -> tuple[Round, ...]:
        return owing.due(state)

    def open_to(self, state: State, seat: int) -> tuple[Demand, ...]:
        return owing.open_to(state, seat)

    def view(self, state: State, seat: int | None) -> View:
        return views.view(state)

    def outcome(self, state: State) -> Outcome | None:
        return cycles.outcome(state)

    # --- what it can do besides ----------------------------------------------------------------------------------

    def objection(self, action: object) -> str | None:
        return action.label if isinstance(action, Objection) else None

    def statute_open(self, state: State, label: str) -> bool:
        return owing.statute_open(state, label)

    def vacant(self, state: State) -> tuple[int, ...]:
        return state.vacant

    def filled(self, state: State, seat: int) -> tuple[ev.Event, ...]:
        return cycles.filled(state, seat)

    def piece_faults(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        return showing.piece_faults(data)

    def piece_diagrams(self, data: Mapping[str, Any], piece: str) -> tuple[Diagram, ...]:
        return showing.piece_diagrams(data, piece)

    def board_form(self, state: State) -> BoardForm:
        return clickable(state)

    def drawn_pieces(self, data: Mapping[str, Any]) -> tuple[tuple[str, str, tuple[Diagram, ...]], ...]:
        return showing.drawn_pieces(data)


GAME = Fourplay()
