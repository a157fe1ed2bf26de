"""Whole matches of random turns through the seam: they come to an end, and no button is lost."""

import pytest

from referee.core import seam
from referee.core.chance import Chance
from referee.core.duel import other
from referee.core.value import Demand
from referee.games.buttons.duel import choices
from referee.games.buttons.game import GAME
from referee.games.buttons.state import colour_of
from tests.games.buttons.sitting import Sitting

LONGEST = 2_000  # answers in a match; none has come near


@pytest.mark.parametrize("count", [25, pytest.param(3_000, marks=pytest.mark.soak)])
def test_53_random_matches_come_to_an_end(count: int) -> None:
    """The rules page knows of no forced pass in three thousand; every side that is to move can move."""
    both = passes = 0
    for draw in range(count):
        sitting, chance, turns = Sitting(draw), Chance(f"{draw:064x}"), 0
        while GAME.due(sitting.state):
            state = sitting.state
            for seat in (1, 2):
                on_board = [int(cell[1:]) for cell in state.cells if cell[:1] == colour_of(seat)]
                assert sorted([*on_board, *state.supply(seat)]) == list(state.rules.values[seat - 1])
            assert state.offer in (0, other(state.mover), state.mover)
            legal = choices(state, state.mover)
            turn = {Demand("Move", state.mover): legal[chance.below(len(legal), "a turn")]}
            sitting.happen(seam.resolve(GAME, state, turn))
            turns += 1
            assert turns < LONGEST
        assert GAME.outcome(sitting.state) is not None
        passes += sitting.passes
        both += len({event.seat for event in sitting.events if type(event).__name__ == "LineMade"}) == 2
    assert passes == 0
    assert both > 0 or count < 3_000
