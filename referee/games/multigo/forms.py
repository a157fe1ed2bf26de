"""Actions in canonical text, and forms to fill in."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.game import Demand
from referee.games.multigo import actions as act
from referee.games.multigo.check import MOST_CONDITIONS, check, points_allowed
from referee.games.multigo.notation import name_of
from referee.games.multigo.points import COLOURS
from referee.games.multigo.state import State

_BLANK = {
    "Move": "Move:\nComment:",
    "Take": "Take:\nComment:",
    "Prefer": "Prefer:",
    "Condition": "Then:",
    "Dead": "Dead:\nComment:",
    "Ally": "Ally:\nComment:",
    "Resign": "Resign",
    "Comment": "Comment:",
    "Press": "Press:",
}


def written(action: act.Action) -> str:
    """The action as it is sealed, revealed and recorded."""
    match action:
        case act.Move():
            first = f"Move: {' '.join(action.points)}" if action.points else "Pass"
            return _lines([first, _prefer(action.prefer)], action.comment)
        case act.Take():
            return _lines([f"Take: {stones(action.stones)}", _prefer(action.prefer)], action.comment)
        case act.Prefer():
            return _prefer(action.colours)
        case act.Plan():
            return "\n".join(condition(c) for c in action.conditions) or "Withdraw"
        case act.Dead():
            return _lines([f"Dead: {', '.join(action.points) or 'none'}"], action.comment)
        case act.Ally():
            partners = ", ".join(name_of(seat) for seat in action.partners)
            return _lines([f"Ally: {partners or 'none'}"], action.comment)
        case act.Resign():
            return _lines(["Resign"], action.comment)
        case act.Comment():
            return _lines([], action.text)
        case act.Press():
            return _lines([], action.text, "Press")


def _lines(first: Sequence[str], words: str, key: str = "Comment") -> str:
    return "\n".join(
        [line for line in first if line] + [f"{key}: {line}" for line in words.split("\n") if line]
    )


def _prefer(colours: Sequence[int]) -> str:
    return f"Prefer: {', '.join(COLOURS[seat - 1] for seat in colours)}" if colours else ""


def stones(counts: Sequence[act.Count]) -> str:
    """Counts in words: "2 white, 1 blue"."""
    return ", ".join(f"{count.stones} {COLOURS[count.colour - 1]}" for count in counts)


def condition(condition: act.Condition) -> str:
    """One conditional or queued move."""
    if not condition.colour:
        return f"Then: {condition.reply}"
    return f"If {name_of(condition.colour)} {condition.trigger} then {condition.reply}"


def form(state: State, demand: Demand, draft: act.Action | None = None) -> str:
    """A form for the demand; with a draft, that answer without its faults."""
    if draft is None:
        return _BLANK[demand.kind]
    mended = _mended(state, demand, draft)
    if mended is None:
        return _BLANK[demand.kind]
    text = written(mended)
    return (
        text.replace("Pass", "Move: pass", 1) if isinstance(mended, act.Move) and not mended.points else text
    )


def _mended(state: State, demand: Demand, draft: act.Action) -> act.Action | None:
    """What can be kept of a draft; None where nothing can."""
    if not check(state, demand, draft):
        return draft
    match draft:
        case act.Move():
            return _sound_move(state, demand, draft)
        case act.Dead():
            kept = tuple(n for n in draft.points if not check(state, demand, act.Dead((n,))))
            return act.Dead(kept, draft.comment) if kept else None
        case act.Ally():
            active = tuple(seat for seat in draft.partners if seat in state.active and seat != demand.seat)
            trimmed = act.Ally(active, draft.comment)
            return trimmed if active and not check(state, demand, trimmed) else None
        case act.Plan():
            kept_conditions = tuple(c for c in draft.conditions if c.colour != demand.seat)[:MOST_CONDITIONS]
            return act.Plan(kept_conditions) if kept_conditions else None
        case _:
            return None


def _sound_move(state: State, demand: Demand, draft: act.Move) -> act.Move | None:
    """The draft's first points that may be played, without a preference that has no use."""
    prefer = draft.prefer if state.law.shares else ()
    if not draft.points:
        return act.Move((), prefer, draft.comment)
    for length in range(min(len(draft.points), points_allowed(state, demand.seat)), 0, -1):
        shorter = act.Move(draft.points[:length], prefer, draft.comment)
        if not check(state, demand, shorter):
            return shorter
    return None
