"""Whether an action may be: every complaint, by the rule it breaks."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.complaint import Complaint
from referee.core.game import Demand
from referee.games.multigo import actions as act
from referee.games.multigo.answers.reading import numbers, point_fault
from referee.games.multigo.board.points import COLOURS, EMPTY
from referee.games.multigo.owing import due
from referee.games.multigo.play.choices import chooser, own_too_soon
from referee.games.multigo.play.phases import phase_of
from referee.games.multigo.play.sequence import placings
from referee.games.multigo.state import State, name_of

MOST_CONDITIONS = 20


def check(state: State, demand: Demand, action: act.Action) -> tuple[Complaint, ...]:
    """All complaints; empty means that `resolved` succeeds."""
    if state.phase in ("new", "over"):
        return (Complaint("match_over", "2.6"),)
    if demand.seat not in state.active:
        return (Complaint("has_resigned", "G24"),)
    return tuple(_CHECKS[type(action)](state, demand, action))


def _not_now(state: State, demand: Demand, kind: str) -> list[Complaint]:
    """A complaint unless the seat owes an answer of that kind."""
    rounds = due(state)
    if any(d.seat == demand.seat and d.kind == kind for round_ in rounds for d in round_.demands):
        return []
    waiting = [(name_of(d.seat), d.seat) for round_ in rounds for d in round_.demands if d.kind == kind]
    if kind == "Move" and waiting:
        return [Complaint("not_your_turn", "2.3", None, {"colour": waiting[0][0], "seat": waiting[0][1]})]
    owed = sorted({d.kind for round_ in rounds for d in round_.demands})
    return [Complaint("not_now", "2.6", None, {"kind": kind, "owed": owed, "phase": phase_of(state)})]


def _check_move(state: State, demand: Demand, action: act.Action) -> list[Complaint]:
    assert isinstance(action, act.Move)
    complaints = _not_now(state, demand, "Move") + _prefer_faults(state, action.prefer)
    complaints += [fault for name in action.points if (fault := point_fault(state, name))]
    if complaints:
        return complaints
    law, points = state.law, action.points
    allowed = points_allowed(state, demand.seat)
    if len(points) > allowed:
        return [Complaint("too_many_points", "2.7", None, {"allowed": allowed, "given": len(points)})]
    twice = [name for index, name in enumerate(points) if name in points[:index]]
    complaints = [Complaint("same_point_twice", "2.7", None, {"point": name}) for name in twice]
    if law.parallel:
        return complaints + [_occupied(state, name) for name in points if _stands(state, name)]
    return complaints or [
        _occupied(state, tried.point)
        if tried.fault == "occupied"
        else Complaint(tried.fault, "2.3", None, {"point": tried.point})
        for tried in placings(state, demand.seat, points)
        if tried.fault
    ]


def points_allowed(state: State, seat: int) -> int:
    """How many points a move of the seat may name now."""
    law = state.law
    return 1 + law.fallbacks if law.parallel else law.stones_of(seat, state.round)


def _stands(state: State, name: str) -> bool:
    point = state.points.index(name)
    return point is not None and state.board[point] != EMPTY


def _occupied(state: State, name: str) -> Complaint:
    point = state.points.index(name)
    colour = state.colour_at(point) if point is not None else 0
    return Complaint(
        "occupied",
        "2.4" if state.law.parallel else "2.3",
        None,
        {"point": name, "colour": COLOURS[colour - 1]},
    )


def _prefer_faults(state: State, colours: tuple[int, ...]) -> list[Complaint]:
    return [Complaint("no_choices", "2.5")] if colours and not state.law.shares else []


def _check_take(state: State, demand: Demand, action: act.Action) -> list[Complaint]:
    assert isinstance(action, act.Take)
    complaints = _prefer_faults(state, action.prefer)
    owed = chooser(state)
    if owed is None or owed[1] != demand.seat:
        waits = name_of(owed[1]) if owed else ""
        return [*complaints, Complaint("nothing_to_take", "2.5", None, {"waits": waits})]
    head, seat, share = owed
    wanted = numbers(state, action)
    for colour, number in enumerate(wanted, 1):
        there = head.pool[colour - 1]
        if number > there:
            facts = {"colour": COLOURS[colour - 1], "there": there, "given": number}
            complaints.append(Complaint("take_not_there", "2.5", None, facts))
    if sum(wanted) != share:
        complaints.append(Complaint("take_total", "2.5", None, {"share": share, "given": sum(wanted)}))
    elif own_too_soon(head.pool, seat, action.stones, share):
        complaints.append(Complaint("take_own", "2.5", None, {"colour": COLOURS[seat - 1]}))
    return complaints


def _check_prefer(state: State, demand: Demand, action: act.Action) -> list[Complaint]:
    assert isinstance(action, act.Prefer)
    return _prefer_faults(state, action.colours)


def _check_plan(state: State, demand: Demand, action: act.Action) -> list[Complaint]:
    assert isinstance(action, act.Plan)
    if state.law.parallel:
        if action.conditions:
            return [Complaint("no_conditions", "2.4")]
        return [Complaint("nothing_sealed", "2.4")]
    if state.phase != "play":
        return [
            Complaint("not_now", "2.6", None, {"kind": "Condition", "owed": [], "phase": phase_of(state)})
        ]
    if any(d.seat == demand.seat and d.kind == "Move" for round_ in due(state) for d in round_.demands):
        return [Complaint("your_turn", "2.3")]
    if not action.conditions and not state.seat(demand.seat).plan:
        return [Complaint("nothing_to_withdraw", "2.7")]
    complaints = []
    if len(action.conditions) > MOST_CONDITIONS:
        facts = {"given": len(action.conditions), "most": MOST_CONDITIONS}
        complaints.append(Complaint("too_many_conditions", "2.7", None, facts))
    if any(condition.colour == demand.seat for condition in action.conditions):
        complaints.append(Complaint("own_condition", "2.7", None, {"colour": name_of(demand.seat)}))
    return complaints


def _check_dead(state: State, demand: Demand, action: act.Action) -> list[Complaint]:
    assert isinstance(action, act.Dead)
    if state.phase != "dead":
        return _not_now(state, demand, "Dead")
    complaints = [fault for name in action.points if (fault := point_fault(state, name))]
    empty = [
        name for name in action.points if state.points.index(name) is not None and not _stands(state, name)
    ]
    return complaints + [Complaint("no_stone", "2.6", None, {"point": name}) for name in empty]


def _check_ally(state: State, demand: Demand, action: act.Action) -> list[Complaint]:
    assert isinstance(action, act.Ally)
    complaints = _not_now(state, demand, "Ally")
    if complaints:
        return complaints
    partners = set(action.partners) - {demand.seat}
    if action.partners and not partners:
        complaints.append(Complaint("ally_self", "2.6"))
    gone = sorted(partners - set(state.active))
    complaints += [Complaint("ally_resigned", "G24", None, {"colour": name_of(seat)}) for seat in gone]
    if len(partners) + 1 > state.law.max_alliance:
        facts = {"given": len(partners) + 1, "most": state.law.max_alliance}
        complaints.append(Complaint("ally_too_many", "2.6", None, facts))
    return complaints


def _check_press(state: State, demand: Demand, action: act.Action) -> list[Complaint]:
    return [] if state.law.press else [Complaint("no_press", "G25")]


def _nothing(state: State, demand: Demand, action: act.Action) -> list[Complaint]:
    return []


_CHECKS: dict[type, Callable[[State, Demand, act.Action], list[Complaint]]] = {
    act.Move: _check_move,
    act.Take: _check_take,
    act.Prefer: _check_prefer,
    act.Plan: _check_plan,
    act.Dead: _check_dead,
    act.Ally: _check_ally,
    act.Resign: _nothing,
    act.Comment: _nothing,
    act.Press: _check_press,
}
