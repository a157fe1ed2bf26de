"""Whole matches of seeded players through the seam: laws 1, 2 and 8 at every step; a small count unless soaking."""

from __future__ import annotations

import os
from typing import Any

import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance
from referee.core.duel import other
from referee.core.owing import LAPSED, REFEREE, Demand
from referee.core.seam import Standing
from referee.games.buttons.duel import choices
from referee.games.buttons.game import GAME
from referee.games.buttons.state import State, colour_of
from tests.games.buttons.sitting import STATES, Sitting, party

LONGEST = 2_000  # answers in a match; none has come near


def walk(sitting: Sitting, chance: Chance) -> int:
    """Play to the end; the number of answers."""
    for count in range(LONGEST):
        rounds = GAME.due(sitting.state)
        if not rounds:
            return count
        check_state(sitting)
        owed = [d for r in rounds for d in r.demands]
        demand = owed[chance.below(len(owed), "who")]
        if demand.kind == "Close":
            sitting.lapse(rounds[0].label)
            continue
        sitting.answer(demand, action_for(sitting.state, demand, chance))
    raise AssertionError("the match does not end")


def action_for(state: State, demand: Demand, chance: Chance) -> Any:
    """Any legal turn at all, or what a seeded player suggests; law 1, and law 8 for what players send."""
    legal = choices(state, demand.seat) if demand.seat and not state.rules.solo else ()
    wild = legal and chance.below(3, "whether to play at random") == 0
    action = legal[chance.below(len(legal), "a turn")] if wild else seam.suggest(GAME, state, demand, chance)
    assert Standing(GAME, state).check(demand, action) == ()
    if demand.seat != REFEREE:
        text = seam.write(GAME, state, demand, action)
        understood = seam.read(GAME, state, demand, Body.of(text), party(demand.seat))
        assert (understood.action, understood.complaints) == (action, ())
    return action


def check_state(sitting: Sitting) -> None:
    """Law 1 for everything that may be sent or may lapse now; nothing here changes the match."""
    state = sitting.state
    for r in (r for r in GAME.due(state) if r.window is not None):
        assert seam.resolve(GAME, state, dict.fromkeys(r.demands, LAPSED))
    for seat in (1, 2):
        for demand in Standing(GAME, state).may_answer(seat):
            action = seam.suggest(GAME, state, demand, Chance("00" * 32))
            if not Standing(GAME, state).check(demand, action):
                for event in seam.resolve(GAME, state, {demand: action}):
                    state_after = GAME.evolve(state, event)
                    assert GAME.view(state_after, None)
        GAME.view(state, seat)
    invariants(state)


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


KINDS: list[dict[str, str]] = [
    {},
    {"values": "1..8", "place_adjacency": "bridge"},
    {"repetition": "2", "starter": "2"},
    {"mode": "solo"},
    {"mode": "solo", "undo": "counts", "perspective": "half_turn", "goal": "two"},
    {"mode": "solo", "table": "week", "goal": "two"},
    {"mode": "solo", "private": "on", "par": "off"},
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "options", KINDS, ids=lambda o: " ".join(f"{k}={v}" for k, v in o.items()) or "default"
)
def test_laws_1_2_and_8_hold_along_whole_matches(options: dict[str, str]) -> None:
    for draw in range(int(os.environ.get("BUTTONS_WALKS", "3"))):
        sitting = Sitting(draw, **options)
        walk(sitting, Chance(f"{draw:064x}"))
        ended_well(sitting)


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
