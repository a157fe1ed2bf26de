"""Forms to fill in and send back. Blank keys order nothing; the key a form begins with is always `Move`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.core.block import keyed
from referee.core.game import REFEREE, Demand, Mended, Reading
from referee.games.buttons import actions as do
from referee.games.buttons.check import SoloPlay, checked
from referee.games.buttons.notation import KEYS, Entry, Sheet, folded, sheet_of, written
from referee.games.buttons.state import State, other
from referee.games.buttons.turns import placements

_ELSEWHERE = {True: ("pass", "place", "offer", "accept"), False: ("pass", "goal", "undo", "give up")}


def form_for(state: State, demand: Demand, draft: Any = None) -> str:
    """A blank form; with a draft, that answer filled in."""
    if demand.seat == REFEREE:
        return ""
    if draft is not None:
        text = written(draft)
        head = ["Move:"] if demand.kind == "Move" and not text.startswith("Move") else []
        return "\n".join([*head, text, *([] if "Comment:" in text else ["Comment:"])])
    if demand.kind != "Move":
        return {"Resign": "Resign\nComment:", "Offer": "Offer: draw\nComment:"}.get(demand.kind, "Comment:")
    return "\n".join([*_blank(state, demand), "Comment:"])


def _blank(state: State, demand: Demand) -> list[str]:
    """The keys of what may be played now, with nothing behind them."""
    if state.rules.solo:
        return ["Move:", *([] if state.goal else ["Goal:"])]
    place = ["Place:"] if next(placements(state, demand.seat), None) is not None else []
    return ["Move:", *place, *(["Accept:"] if state.offer == other(demand.seat) else [])]


# --- mending -----------------------------------------------------------------------------------------------------


def mended_form(state: State, demand: Demand, reading: Reading[Any]) -> Mended:
    """Every order as it was read, with blank keys for what nobody could read. Orders that have no place in this game
    at all are left out; of a way that was wrongly named its ends are kept, of a button its number."""
    sheet = sheet_of(reading.orders)
    kept = list(_kept(state, demand, sheet))
    lines = kept if state.rules.solo else list(dict.fromkeys(kept))
    if demand.kind == "Move":
        lines = _with_a_turn(state, demand, lines)
    elif demand.kind != "Comment" and not lines:
        lines = [form_for(state, demand).splitlines()[0]]
    comments = [f"Comment: {words}" for words in sheet.comment.splitlines()]
    unread = [c.line.text.strip() for c in sheet.complaints if c.line is not None]
    chosen = tuple(dict.fromkeys(f'I left out what I could not read: "{text}".' for text in unread))
    return Mended("\n".join([*lines, *(comments or ["Comment:"])]), chosen)


def _with_a_turn(state: State, demand: Demand, lines: list[str]) -> list[str]:
    """With blank keys where no turn is among the lines; the form of a turn begins with `Move`."""
    if state.rules.solo:
        played = any(line.startswith(("Move", "Undo", "Give up")) for line in lines)
        goal = ["Goal:"] if not state.goal and not any(line.startswith("Goal") for line in lines) else []
        lines = [*([] if played else ["Move:"]), *lines, *goal]
        lines.sort(key=lambda line: line.startswith("Goal"))
    elif not any(line.startswith(("Move: ", "Place: ", "Accept: ")) for line in lines):
        lines = list(dict.fromkeys([*_blank(state, demand), *lines]))
    return lines if lines[0].startswith("Move") else ["Move:", *lines]


def _kept(state: State, demand: Demand, sheet: Sheet) -> Iterator[str]:
    """The lines of the form, in the order of the mail."""
    first = True
    goals = sheet.of("goal")
    play = SoloPlay(state, goals[0].value if goals else "") if state.rules.solo else None
    faulty = {c.line.number for c in sheet.complaints if c.line is not None}
    said: dict[int, list[Entry]] = {}
    for entry in sheet.entries:
        if entry.order != "comment":
            said.setdefault(entry.line.number, []).append(entry)
    for line in sheet.orders:
        for entry in said.get(line.number, ()):
            if entry.order in _ELSEWHERE[state.rules.solo] or (entry.order == "goal" and state.goal):
                continue
            if play is not None and entry.order in ("move", "undo", "give up", "resign"):
                step = _step(play, entry)
                play.make(step)
                yield written(do.PlaySolo((step,)))
            elif entry.order in ("move", "place") and first:
                first = False
                yield _turn(state, demand, entry)
            else:
                yield _as_read(entry)
        key = KEYS.get(keyed(folded(line.text))[0])
        if line.number not in said and key in ("move", "place") and line.number in faulty:
            yield f"{key.capitalize()}:"


def _as_read(entry: Entry) -> str:
    match entry.order:
        case "move":
            return written(do.MoveButton(entry.value))
        case "place":
            colour, value, space = entry.value
            return written(do.PlaceButton(value, space, colour))
        case "goal":
            return f"Goal: {entry.value}"
        case "offer" | "accept":
            return f"{entry.order.capitalize()}: draw"
        case _:
            return entry.order.capitalize()


def _turn(state: State, demand: Demand, entry: Entry) -> str:
    """The turn as it was read, or, where only that can stand, without the way or the colour that was named."""
    if entry.order == "move":
        ends = do.MoveButton((entry.value[0], entry.value[-1]))
        stands = not checked(state, demand, do.MoveButton(entry.value)) or checked(state, demand, ends)
        return _as_read(entry) if stands else written(ends)
    _, value, space = entry.value
    return written(do.PlaceButton(value, space))


def _step(play: SoloPlay, entry: Entry) -> do.Step:
    """A step of a solo mail, likewise."""
    kind: Any = "move" if entry.order == "move" else "undo" if entry.order == "undo" else "give up"
    step = do.Step(kind, entry.value or ())
    if len(step.path) < 3 or next(play.faults(step), None) is None:
        return step
    ends = do.Step("move", (step.path[0], step.path[-1]))
    return ends if next(play.faults(ends), None) is None else step
