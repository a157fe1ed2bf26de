"""Forms to fill in and send back. Blank keys order nothing; the key a form begins with is always `Move`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.core.duel import other
from referee.core.orders.block import keyed
from referee.core.orders.sheet import SheetEntry
from referee.core.owing import Demand
from referee.games.buttons import actions as do
from referee.games.buttons.checking import SoloPlay, turn_faults
from referee.games.buttons.mail.notation import WORDING, Orders, folded, written
from referee.games.buttons.mail.reading import step_of
from referee.games.buttons.state import State
from referee.games.buttons.turns import placements

_ELSEWHERE = {True: ("pass", "place", "offer", "accept"), False: ("pass", "goal", "undo", "give up")}


def blank_turn(state: State, seat: int) -> list[str]:
    """The keys of what may be played now, with nothing behind them."""
    if state.rules.solo:
        return ["Move:", *([] if state.goal else ["Goal:"])]
    place = ["Place:"] if next(placements(state, seat), None) is not None else []
    return ["Move:", *place, *(["Accept:"] if state.offer == other(seat) else [])]


# --- mending -----------------------------------------------------------------------------------------------------


def kept(state: State, demand: Demand, sheet: Orders) -> list[str]:
    """Every order as it was read, with blank keys for what nobody could read. Orders that have no place in this game
    at all are left out; of a way that was wrongly named its ends are kept, of a button its number."""
    lines = list(_kept(state, demand.seat, sheet))
    lines = lines if state.rules.solo else list(dict.fromkeys(lines))
    return _with_a_turn(state, demand.seat, lines) if demand.kind == "Move" else lines


def _with_a_turn(state: State, seat: int, lines: list[str]) -> list[str]:
    """With blank keys where no turn is among the lines; the form of a turn begins with `Move`."""
    if state.rules.solo:
        played = any(line.startswith(("Move", "Undo", "Give up")) for line in lines)
        goal = ["Goal:"] if not state.goal and not any(line.startswith("Goal") for line in lines) else []
        lines = [*([] if played else ["Move:"]), *lines, *goal]
        lines.sort(key=lambda line: line.startswith("Goal"))
    elif not any(line.startswith(("Move: ", "Place: ", "Accept: ")) for line in lines):
        lines = list(dict.fromkeys([*blank_turn(state, seat), *lines]))
    return lines if lines[0].startswith("Move") else ["Move:", *lines]


def _kept(state: State, seat: int, sheet: Orders) -> Iterator[str]:
    """The lines of the form, in the order of the mail."""
    solo, first = state.rules.solo, True
    goals = sheet.of("goal")
    play = SoloPlay(state, goals[0].value if goals else "") if solo else None
    faulty = {c.line.number for c in sheet.complaints if c.line is not None}
    said: dict[int, list[SheetEntry[Any]]] = {}
    for entry in sheet.entries:
        if entry.order != "comment":
            said.setdefault(entry.line.number, []).append(entry)
    for line in sheet.orders:
        for entry in said.get(line.number, ()):
            if entry.order in _ELSEWHERE[solo] or (entry.order == "goal" and state.goal):
                continue
            if play is not None and entry.order in ("move", "undo", "give up", "resign"):
                step = _step(play, entry)
                play.make(step)
                yield written(do.PlaySolo((step,)))
            elif entry.order in ("move", "place"):
                yield _turn(state, seat, entry, first)
                first = False
            elif entry.order == "goal":
                yield f"Goal: {entry.value}"
            else:
                yield f"{entry.order.capitalize()}{': draw' if entry.order in ('offer', 'accept') else ''}"
        key = WORDING.by_key.get(keyed(folded(line.text))[0])
        if line.number not in said and key in ("move", "place") and line.number in faulty:
            yield f"{key.capitalize()}:"


def _turn(state: State, seat: int, entry: SheetEntry[Any], first: bool) -> str:
    """The turn as it was read, or, of the first one and where only that can stand, without the way or the colour that
    was named. Out of turn the move itself is not judged."""
    if entry.order == "place":
        colour, value, space = entry.value
        return written(do.PlaceButton(value, space, "" if first else colour))
    ways = (do.MoveButton(entry.value), do.MoveButton((entry.value[0], entry.value[-1])))
    named, ends = (state.mover != seat or any(turn_faults(state, seat, way)) for way in ways)
    return written(ways[first and named and not ends])


def _step(play: SoloPlay, entry: SheetEntry[Any]) -> do.Step:
    """A step of a solo mail, likewise."""
    step = step_of(entry)
    if len(step.path) < 3 or next(play.faults(step), None) is None:
        return step
    ends = do.Step("move", (step.path[0], step.path[-1]))
    return ends if next(play.faults(ends), None) is None else step
