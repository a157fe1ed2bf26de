"""Fourplay Chess behind the seam."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from referee.core.game import Game
from referee.core.options import Options
from referee.games.fourplay import TITLES, cycles, opening, views
from referee.games.fourplay import events as ev
from referee.games.fourplay.actions import Objection
from referee.games.fourplay.board.catalogue import tables_faults
from referee.games.fourplay.events import fold
from referee.games.fourplay.forms.declarations import Objecting, Ready, Resign
from referee.games.fourplay.forms.purchase import Purchase
from referee.games.fourplay.forms.setup import Setup as InitialSetup
from referee.games.fourplay.state import SEATS, State
from referee.games.fourplay.turns.turn import TurnAnswer


class Fourplay(Game[State, ev.Event]):
    """Four armies, four Kings, one Neutron: rules 600-612 and the pieces of 905-962."""

    slug = "fourplay"
    titles = TITLES
    happenings = get_args(ev.Event)
    state = State
    fold = fold
    answers = (Ready(), Purchase(), InitialSetup(), TurnAnswer(), Objecting(), Resign(), cycles.Waiting())

    def seats(self, options: Options) -> tuple[int, ...]:
        return (len(SEATS),)

    faults = staticmethod(opening.faults)
    amended = staticmethod(opening.amendment)
    opening = staticmethod(opening.opening)
    due = staticmethod(cycles.due)
    open_to = staticmethod(cycles.open_to)
    expects = staticmethod(cycles.expects)
    asked_next = staticmethod(cycles.asked_next)
    outcome = staticmethod(cycles.outcome)
    view = staticmethod(views.view)

    def objection(self, action: object) -> str | None:
        return action.label if isinstance(action, Objection) else None

    def vacant(self, state: State) -> tuple[int, ...]:
        return state.vacant

    def piece_faults(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        return tables_faults(*data.values())

    statute_open = staticmethod(cycles.statute_open)
    filled = staticmethod(cycles.filled)
    piece_diagrams = staticmethod(views.piece_diagrams)
    board_form = staticmethod(views.board_form)
    listed = staticmethod(views.listed)
    drawn_pieces = staticmethod(views.drawn_pieces)


GAME = Fourplay()
