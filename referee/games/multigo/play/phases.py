"""From phase to phase (2.1): what the referee does by itself until somebody has to be asked."""

from __future__ import annotations

from referee.games.multigo.events import PlayEnded
from referee.games.multigo.play.choices import chooser, settle_choices
from referee.games.multigo.play.course import Course
from referee.games.multigo.play.ending import agree, can_ally, count, decide
from referee.games.multigo.play.sequence import open_turn
from referee.games.multigo.state import State


def phase_of(state: State) -> str:
    """The phase as players know it."""
    if state.phase == "over":
        return "over"
    if chooser(state) and (state.law.choice_blocks or state.phase == "count"):
        return "choose"
    return state.phase


def settle(course: Course) -> None:
    """Automatic consequences, until somebody has to be asked (or the match is over)."""
    while course.state.phase != "over":
        settle_choices(course)
        state = course.state
        if state.pending and (state.law.choice_blocks or state.phase != "play"):
            return
        if state.phase == "play" and _passed_out(state):
            course.add(PlayEnded("passes"))
        elif state.phase == "play" and not state.law.parallel and open_turn(course):
            continue
        elif state.phase == "dead" and all(state.seat(seat).listed is not None for seat in state.active):
            agree(course)
        elif state.phase == "count":
            count(course)
        elif state.phase == "ally" and not can_ally(state):
            decide(course, ())  # too few are left to be partners
        else:
            return


def _passed_out(state: State) -> bool:
    return not state.law.parallel and set(state.active) <= set(state.passed)
