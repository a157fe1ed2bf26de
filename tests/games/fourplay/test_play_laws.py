"""The laws of the seam in play: whatever is sent is judged, what passes is resolved, what is mended passes."""

from collections.abc import Iterator

import pytest

from referee.core import seam
from referee.core.answers import Party
from referee.core.chance import Chance
from referee.core.owing import Demand
from referee.core.seam import Standing
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import State
from tests.games.fourplay.table import Table, read


def opened(seed: int, **options: str) -> Table:
    """A match in play, with armies of its own."""
    table = Table(f"{seed:064x}", **options)
    while table.state.phase != "play":
        for demand in table.round.demands:
            table.answer(
                demand, seam.suggest(GAME, table.state, demand, Chance(f"{seed * 7 + demand.seat:064x}"))
            )
    return table


def turns(seed: int, most: int, **options: str) -> Iterator[tuple[State, Demand, str]]:
    """Suggested turns, one after another; before each the state and its text are given."""
    table = opened(seed, **options)
    chance = Chance(f"{seed + 1000:064x}")
    for _ in range(most):
        if table.state.phase != "play":
            return
        demand = table.round.demands[0]
        action = seam.suggest(GAME, table.state, demand, chance)
        yield table.state, demand, seam.write(GAME, table.state, demand, action)
        table.answer(demand, action)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("statements", ["strict", "full"])
def test_a_suggested_turn_states_what_the_match_asks_for(statements: str) -> None:
    """610.d: where statements are full that a Zombie has become something else is stated too."""
    promotions = 0
    for seed in (2, 3, 5):
        for state, demand, text in turns(seed, 200, statements=statements):
            action = read(state, demand, text, Party("", demand.seat)).action
            assert Standing(GAME, state).check(demand, action) == (), text
            promotions += "becomes" in text
    print(f"{statements}: {promotions} promotions stated")
    assert bool(promotions) == (statements == "full")
