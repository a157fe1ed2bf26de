"""From phase to phase (2.1): what the referee does by itself until somebody has to be asked."""

from __future__ import annotations

from referee.games.multigo import events as ev
from referee.games.multigo.actions import Move
from referee.games.multigo.folding import Told
from referee.games.multigo.play.choices import chooser, settle_choices
from referee.games.multigo.play.ending import agree, can_ally, count, decide
from referee.games.multigo.play.sequence import played
from referee.games.multigo.state import State


def phase_of(state: State) -> str:
    """The phase as players know it."""
    if state.phase == "over":
        return "over"
    if chooser(state) and (state.law.choice_blocks or state.phase == "count"):
        return "choose"
    return state.phase


def settle(record: Told) -> None:
    """Automatic consequences, until somebody has to be asked (or the match is over)."""
    while record.state.phase != "over":
        settle_choices(record)
        state = record.state
        if state.pending and (state.law.choice_blocks or state.phase != "play"):
            return
        in_sequence = state.phase == "play" and not state.law.parallel
        if in_sequence and set(state.active) <= set(state.passed):
            record.tell(ev.PlayEnded("passes"))
        elif in_sequence and state.law.must_pass(state.turn, state.round):
            played(record, state.turn, Move(), "forced")
        elif state.phase == "dead" and all(state.seat(seat).listed is not None for seat in state.active):
            agree(record)
        elif state.phase == "count":
            count(record)
        elif state.phase == "ally" and not can_ally(state):
            decide(record, ())  # too few are left to be partners
        else:
            return
