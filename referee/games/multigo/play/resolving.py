"""What follows from answers: the action, then everything the referee does by itself."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.game import Demand, Lapsed
from referee.games.multigo import actions as act
from referee.games.multigo.events import (
    Commented,
    Event,
    PlanKept,
    PreferKept,
    PressRelayed,
)
from referee.games.multigo.play.choices import by_order, chooser, take
from referee.games.multigo.play.course import Course
from referee.games.multigo.play.ending import declare, listed
from referee.games.multigo.play.leaving import missed, open_seats, resign
from referee.games.multigo.play.parallel import reveal
from referee.games.multigo.play.phases import settle
from referee.games.multigo.play.sequence import played
from referee.games.multigo.state import State

Answers = Mapping[Demand, act.Action | Lapsed]


def resolved(state: State, answers: Answers) -> tuple[Event, ...]:
    """The events of one open answer, of lapses, or of a whole sealed round."""
    course = Course(state)
    sealed = [demand for demand in answers if _is_sealed(state, demand)]
    if sealed:
        _together(course, {demand: answers[demand] for demand in sealed})
    for demand, answer in answers.items():
        if demand not in sealed:
            _alone(course, demand, answer)
    settle(course)
    return tuple(course.events)


def _is_sealed(state: State, demand: Demand) -> bool:
    return (demand.kind == "Move" and state.law.parallel) or demand.kind == "Ally"


def _together(course: Course, answers: Answers) -> None:
    """A sealed round: parallel moves, or alliances."""
    by_seat = {demand.seat: answer for demand, answer in answers.items()}
    if course.state.phase == "ally":
        declare(course, {s: a for s, a in by_seat.items() if isinstance(a, act.Ally)})
        return
    late = [seat for seat in course.state.active if not isinstance(by_seat.get(seat), act.Move)]
    reveal(course, {s: a for s, a in by_seat.items() if isinstance(a, act.Move)})
    state = course.state
    if state.phase != "play" or state.adjourned:
        return
    for seat in late:
        if state.law.timeout_default == "resign" or (
            state.seat(seat).vacant and course.state.phase == "play"
        ):
            resign(course, seat, "deadline")
    if course.state.phase == "play":
        open_seats(course)


def _alone(course: Course, demand: Demand, answer: act.Action | Lapsed) -> None:
    seat, state = demand.seat, course.state
    if state.phase == "over":
        return
    if isinstance(answer, act.Move | act.Take) and answer.prefer:
        course.add(PreferKept(seat, answer.prefer))
    match answer:
        case act.Move():
            played(course, seat, answer, "mail")
        case act.Take():
            take(course, answer.stones, "mail", answer.comment)
        case act.Prefer():
            course.add(PreferKept(seat, answer.colours))
        case act.Plan():
            course.add(PlanKept(seat, answer.conditions))
        case act.Dead():
            listed(course, seat, answer)
        case act.Resign():
            resign(course, seat, "mail", answer.comment)
        case act.Comment():
            course.add(Commented(seat, answer.text))
        case act.Press():
            course.add(PressRelayed(seat, answer.text))
        case act.Ally():
            raise ValueError("alliances are declared in a sealed round")
        case _:
            _lapse(course, demand, answer)


def _lapse(course: Course, demand: Demand, answer: Lapsed) -> None:
    """A deadline is one more answer: a pass, no dead stones, the most numerous colours."""
    if demand.kind == "Move":
        missed(course, demand.seat)
    elif demand.kind == "Dead":
        listed(course, demand.seat, answer)
    elif demand.kind == "Take" and (owed := chooser(course.state)):
        head, seat, share = owed
        take(course, by_order(head.pool, seat, share, ()), "deadline")
