"""Nine Men's Morris behind the seam."""

from dataclasses import replace

from referee.core.chance import Chance
from referee.core.game import Amendment, Expected, Game, Opening, Setup, View
from referee.core.options import Options
from referee.core.value import Demand, Round, turn_label
from referee.games.morris import TITLES, views
from referee.games.morris.answers import ANSWERS
from referee.games.morris.state import COLOURS, Event, Rules, RulesSet, StarterDrawn, State, fold


class Morris(Game[State, Event]):
    """Two players, nine men each: place them, move them, close mills. The rules M1 to M8 stand in
    `templates/morris/rules.j2`."""

    slug = "morris"
    titles = TITLES
    evolve = staticmethod(fold)
    answers = ANSWERS

    def seats(self, options: Options) -> tuple[int, ...]:
        return (len(COLOURS),)

    def opening(self, setup: Setup, chance: Chance) -> Opening[Event]:
        """White is Player 1; who begins is drawn, unless an option says it."""
        rules = Rules.of(setup.options)
        return Opening(tuple(COLOURS), (RulesSet(rules), StarterDrawn.of(rules.starter, chance)))

    def amended(self, state: State, setup: Setup) -> Amendment[Event]:
        return Amendment((RulesSet(Rules.of(setup.options)),))

    def due(self, state: State) -> tuple[Round, ...]:
        if state.ended is not None or not state.turn:
            return ()
        label = turn_label((state.turn + 1) // 2, state.mover)
        return (Round(label, (Demand("Move", state.mover),), state.rules.window, holds=state.rules.holds),)

    def open_to(self, state: State, seat: int) -> tuple[Demand, ...]:
        """Words and resigning at any time; an offer after one's turn, while none of one's own stands (M7)."""
        if state.ended is not None or not state.turn or seat not in COLOURS:
            return ()
        offers = (Demand("Offer", seat),) if seat not in (state.mover, state.offer) else ()
        return (*offers, Demand("Resign", seat), Demand("Comment", seat))

    def called(self, state: State, seat: int) -> tuple[str, ...]:
        return (COLOURS[seat],)

    def expects(self, state: State, seat: int) -> Expected[State] | None:
        return Expected(replace(state, mover=seat))

    def view(self, state: State, seat: int | None) -> View:
        return views.viewed(state)

    outcome = staticmethod(views.outcome)
    board_form = staticmethod(views.board_form)


GAME = Morris()
