"""Whole matches of seeded players through the seam: laws 1, 2 and 8 at every step; a small count unless soaking."""

import pytest

from referee.core import seam
from referee.core.chance import Chance
from referee.core.duel import other
from referee.core.value import Demand
from referee.games.buttons.duel import choices
from referee.games.buttons.game import GAME
from referee.games.buttons.state import State, colour_of
from tests.games.buttons.sitting import STATES, Sitting

LONGEST = 2_000  # answers in a match; none has come near


def invariants(state: State) -> None:
    """Every button is on the board or in its supply; no line has been passed over; the side to move can move."""
    for seat in (1, 2):
        on_board = [int(cell[1:]) for cell in state.cells if cell[:1] == colour_of(seat)]
        assert sorted([*on_board, *state.supply(seat)]) == list(state.rules.values[seat - 1])
    if not state.rules.solo and state.ended is None:
        assert choices(state, state.mover)
        assert state.offer in (0, other(state.mover), state.mover)


def ended_well(sitting: Sitting) -> None:
    """Law 2: the ledger folded again is the live state, and the state survives its own JSON."""
    state = GAME.initial()
    for event in sitting.events:
        state = GAME.evolve(state, event)
    assert state == sitting.state
    assert STATES.validate_json(STATES.dump_json(state)) == state
    outcome = GAME.outcome(state)
    assert outcome is not None
    public = GAME.initial()
    for event in sitting.events:
        if GAME.secret_to(event) is None:
            public = GAME.evolve(public, event)
    assert GAME.view(public, None) == GAME.view(state, None)
    assert GAME.outcome(public) == outcome


def random_match(draw: int) -> tuple[Sitting, int]:
    """Uniformly random legal turns from the first to the last."""
    sitting, chance = Sitting(draw), Chance(f"{draw:064x}")
    turns = 0
    while GAME.due(sitting.state):
        invariants(sitting.state)
        legal = choices(sitting.state, sitting.state.mover)
        demand = Demand("Move", sitting.state.mover)
        sitting.happen(seam.resolve(GAME, sitting.state, {demand: legal[chance.below(len(legal), "a turn")]}))
        turns += 1
        assert turns < LONGEST
    ended_well(sitting)
    return sitting, turns


def test_53_random_matches_come_to_an_end() -> None:
    for draw in range(25):
        random_match(draw)


@pytest.mark.soak
def test_53_three_thousand_random_matches_come_to_an_end() -> None:
    """The rules page knows of no forced pass in as many."""
    both = passes = 0
    for draw in range(3_000):
        sitting, _ = random_match(draw)
        passes += sitting.kinds().count("PassForced")
        both += len({event.seat for event in sitting.events if type(event).__name__ == "LineMade"}) == 2
    assert passes == 0
    assert both > 0
