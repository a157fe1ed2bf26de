"""Actions in canonical text, and forms to fill in."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.game import Demand, Mended, Reading
from referee.games.multigo import actions as act
from referee.games.multigo.answers.notation import (
    Entry,
    colour_of,
    condition_in,
    counts_in,
    orders_of,
    points_in,
    says,
    words_in,
)
from referee.games.multigo.board.points import COLOURS
from referee.games.multigo.state import State, name_of

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
    """A form for the demand; with a draft, that answer."""
    if draft is None:
        return _BLANK[demand.kind]
    text = written(draft)
    return text.replace("Pass", "Move: pass", 1) if isinstance(draft, act.Move) and not draft.points else text


# --- mending -----------------------------------------------------------------------------------------------------


def mended_form(state: State, demand: Demand, reading: Reading[act.Action]) -> Mended:
    """Every order as it was read. What nobody could read, and a preference where there is nothing to prefer, is left
    out."""
    block, entries, strange = orders_of(reading.orders)
    words = [line.text.strip() for line in (*strange, *block.doubtful)]
    lines = list(dict.fromkeys(text for entry in entries if (text := _kept(state, demand, entry))))
    if not lines:
        lines = _BLANK[demand.kind].removesuffix("\nComment:").splitlines()
    elif demand.kind == "Move" and not any(line.startswith("Move:") for line in lines):
        lines = ["Move:", *lines]
    said = [
        f"{entry.key.capitalize()}: {entry.value}"
        for entry in entries
        if entry.key in ("comment", "press") and entry.value
    ]
    chosen = tuple(dict.fromkeys(f'I left out what I could not read: "{text}".' for text in words))
    return Mended("\n".join([*lines, *said]), chosen)


def _kept(state: State, demand: Demand, entry: Entry) -> str:
    """The line of a form for an order, in the rules' notation where it is understood; nothing for a comment, which
    comes last, and for a line that says nothing."""
    key, value = entry.key, entry.value
    if key in ("pass", "resign", "withdraw"):
        return "Move: pass" if key == "pass" else key.capitalize()
    if not value or key in ("comment", "press") or (key == "prefer" and not state.law.shares):
        return ""
    if key == "if":
        return _condition_said(state, value)
    return f"{key.capitalize()}: {_tidied(state, key, value)}"


def _tidied(state: State, key: str, value: str) -> str:
    """What follows a key, as canonical text has it; as it was written where it is not understood."""
    if key in ("move", "dead", "then"):
        if says(value, "pass", "passes"):
            return "pass"
        points = points_in(value)
        return (", " if key == "dead" else " ").join(points) if points else value
    if key == "take":
        counts = [(n, colour_of(word, state.law.players)) for n, word in counts_in(value) or ()]
        known = [act.Count(colour, n) for n, colour in counts if colour]
        return stones(known) if known and len(known) == len(counts) else value
    seats = [colour_of(word, state.law.players) for word in words_in(value)]
    if not seats or None in seats:
        return value
    names = [name_of(seat) if key == "ally" else COLOURS[seat - 1] for seat in seats if seat]
    return ", ".join(dict.fromkeys(names))


def _condition_said(state: State, value: str) -> str:
    parts = condition_in(value)
    colour = colour_of(parts[0], state.law.players) if parts else None
    if parts is None or colour is None:
        return value
    return condition(act.Condition(colour, parts[1], parts[2]))
