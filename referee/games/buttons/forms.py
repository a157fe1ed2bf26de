"""Forms to fill in and send back. Blank keys order nothing; the key a form begins with is always `Move`."""

from __future__ import annotations

from typing import Any

from referee.core.game import REFEREE, Demand
from referee.games.buttons import actions as do
from referee.games.buttons.check import SoloPlay, checked, untimely
from referee.games.buttons.notation import written
from referee.games.buttons.state import State, other
from referee.games.buttons.turns import placements


def form_for(state: State, demand: Demand, draft: Any = None) -> str:
    """A blank form; with a draft, that answer with its faults mended where they can be, the rest left blank."""
    if demand.seat == REFEREE:
        return ""
    if demand.kind == "Resign":
        return "Resign\nComment:"
    if demand.kind == "Offer":
        return "Offer: draw\nComment:"
    if demand.kind == "Comment":
        return "Comment:" if draft is None else written(draft)
    lines = _solo(state, demand, draft) if state.rules.solo else _turn(state, demand, draft)
    said = getattr(draft, "comment", "")
    return (
        "\n".join([*lines, *(f"Comment: {line}" for line in said.splitlines() or [""])])
        .replace(": \n", ":\n")
        .rstrip()
    )


def _turn(state: State, demand: Demand, draft: Any) -> list[str]:
    mended = _mended(state, demand, draft)
    order = written(mended) if mended is not None else ""
    offer = ["Offer: draw"] if getattr(draft, "offer", False) else []
    if order:
        return [*([] if order.startswith("Move") else ["Move:"]), order, *offer]
    place = ["Place:"] if next(placements(state, demand.seat), None) is not None else []
    accept = ["Accept:"] if state.offer == other(demand.seat) else []
    return ["Move:", *place, *accept, *offer]


def _mended(state: State, demand: Demand, draft: Any) -> Any:
    """The draft if it can stand: as it is, or without a way that was wrongly named, or in the sender's own colour."""
    match draft:
        case do.PlaceButton(value, space):
            tries: list[Any] = [do.PlaceButton(value, space)]
        case do.MoveButton(path):
            tries = [do.MoveButton(path), do.MoveButton((path[0], path[-1])) if path else None]
        case do.AcceptDraw():
            tries = [do.AcceptDraw()]
        case _:
            tries = []
    return next((t for t in tries if t is not None and not checked(state, demand, t)), None)


def _solo(state: State, demand: Demand, draft: Any) -> list[str]:
    """The steps up to the first faulty one stand; from there on the sender writes anew."""
    goal = draft.goal if isinstance(draft, do.PlaySolo) and not state.goal else ""
    steps = draft.steps if isinstance(draft, do.PlaySolo) else ()
    kept = _sound_steps(state, demand, steps, goal)
    whole = len(kept) == len(steps) > 0
    lines = written(do.PlaySolo(kept)).splitlines() if kept else []
    choice = [] if state.goal else [f"Goal: {goal}".rstrip()]
    return [*lines, *([] if whole else ["Move:"]), *choice]


def _sound_steps(state: State, demand: Demand, steps: tuple[do.Step, ...], goal: Any) -> tuple[do.Step, ...]:
    """The steps before the first that can't be mended: by leaving out a way that was wrongly named."""
    kept: list[do.Step] = []
    if state.ended is not None or demand.kind != "Move" or any(untimely(state, demand)):
        return ()
    play = SoloPlay(state, goal)
    for step in steps:
        tries = [step] if len(step.path) < 3 else [step, do.Step("move", (step.path[0], step.path[-1]))]
        sound = next((t for t in tries if next(play.faults(t), None) is None), None)
        if sound is None:
            break
        play.make(sound)
        kept.append(sound)
    return tuple(kept)
