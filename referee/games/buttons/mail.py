"""The lines of a mail to what they order, and back; forms to fill in and to mend (5.5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, TypeVar

from referee.core.complaint import Complaint, Line
from referee.core.duel import other
from referee.core.orders.keyed import Wording
from referee.core.orders.sheet import Sheet, SheetEntry, comment_lines, keyed, meanings
from referee.core.orders.talk import with_draws
from referee.core.owing import Demand
from referee.games.buttons import actions as do
from referee.games.buttons.puzzle import SoloPlay
from referee.games.buttons.state import State
from referee.games.buttons.turns import placements, turn_faults

_DASHES = re.compile(r"[‐‑‒–—―−]|(?<!-)-+>|(?<!=)=+>|→|➔|⇒")
_SPACE = r"[a-z]\d{1,2}"
_PATH = re.compile(rf"{_SPACE}(?:\s*(?:-|>|\bto\b|,?\s)\s*{_SPACE})*")
_PLACED = re.compile(
    rf"(?:([bw]|black|white)\s*)?(\d{{1,2}})\s*(?:[@,:-]|\bon\b|\bat\b|\bto\b|\bin\b|\s)\s*({_SPACE})"
)
GOALS = meanings("two, 2, two lines, 2 lines | four, 4, four lines, 4 lines", ",")
_SQUARE = re.compile(rf"\b{_SPACE}\b")
_PARTED = re.compile(r"\s*(?:[;,]|\band\b(?:\s*then\b)?|\bthen\b)\s*")  # between the moves of a puzzle


# The value: spaces of a move; colour, value and space of a placement; a goal; a comment's words.
Orders = Sheet[Any]


def folded(text: str) -> str:
    """The line with full-width signs, typographic dashes and arrows made plain, and emphasis marks taken off."""
    return _DASHES.sub("-", unicodedata.normalize("NFKC", text)).strip(" \t*_`")


def _valued(order: str, value: str, line: Line) -> Iterator[SheetEntry[Any] | Complaint]:
    if order == "move":
        for part in _PARTED.split(value):
            yield from _move(part.strip(" ."), line)
    elif order == "place" and (found := _PLACED.fullmatch(value)):
        yield SheetEntry(order, ((found[1] or "")[:1].upper(), int(found[2]), found[3]), line)
    elif order == "goal" and (goal := GOALS.get(value)):
        yield SheetEntry(order, goal, line)
    elif order == "place":
        yield Complaint("place_unclear", "5.5", line, {"given": value})
    else:
        yield Complaint("goal_unclear", "5.4", line, {"given": value})


def _move(part: str, line: Line) -> Iterator[SheetEntry[Any] | Complaint]:
    if not part:
        return
    if part in ("undo", "give up", "pass", "resign"):
        yield SheetEntry(part, None, line)
    elif _PATH.fullmatch(part):
        yield SheetEntry("move", tuple(_SQUARE.findall(part)), line)
    else:
        yield Complaint("move_unclear", "5.5", line, {"given": part})


WORDING = Wording(
    keys="move, moves | place, places | goal, goals | offer, offers | accept, accepts | comment, comments",
    words="resign | undo | pass, i pass | give up, giveup, give-up",
    valued=with_draws(_valued, "5.3"),
    rule="5.5",
    plain=folded,
)
NOTATION = WORDING.notation


def written(action: do.Turn | do.PlaySolo) -> str:
    """The action in canonical text; reading it gives the action back (law 8)."""
    match action:
        case do.PlaceButton(value, space, colour):
            lines = [f"Place: {colour}{value} {space}"]
        case do.MoveButton(path):
            lines = [f"Move: {'-'.join(path)}"]
        case do.AcceptDraw():
            return "\n".join(["Accept: draw", *comment_lines(action.comment)])
        case do.PlaySolo(steps, goal):
            lines = [f"Goal: {goal}"] if goal else []
            lines += [f"Move: {'-'.join(s.path)}" if s.kind == "move" else s.kind.capitalize() for s in steps]
            return "\n".join([*lines, *comment_lines(action.comment)])
    return "\n".join([*lines, *(["Offer: draw"] if action.offer else []), *comment_lines(action.comment)])


TURN_ORDERS = ("move", "place", "accept", "pass", "goal", "undo", "give up")

A = TypeVar("A")
Said = tuple[
    A | None, list[Complaint], dict[str, Line]
]  # an action, its faults of form, the lines of its parts


def turn_said(sheet: Orders) -> Said[do.Turn]:
    """A turn of the game for two; its part is `turn`."""
    turns, offers = sheet.of("move", "place", "accept"), sheet.of("offer")
    wrong = [Complaint("no_pass", "5.3", entry.line) for entry in sheet.of("pass")]
    for entry in sheet.of("goal", "undo", "give up"):
        wrong.append(Complaint("solo_only", "5.4", entry.line, {"order": entry.order}))
    for entry in turns[1:]:
        accepts = "accept" in (turns[0].order, entry.order)
        wrong.append(Complaint("accept_is_a_turn" if accepts else "one_turn", "5.3", entry.line))
    action: do.Turn | None = None
    if turns and turns[0].order == "accept":
        wrong += [Complaint("accept_is_a_turn", "5.3", entry.line) for entry in offers[:1]]
        action = do.AcceptDraw(sheet.comment)
    elif turns and turns[0].order == "move":
        action = do.MoveButton(turns[0].value, bool(offers), sheet.comment)
    elif turns:
        colour, value, space = turns[0].value
        action = do.PlaceButton(value, space, colour, bool(offers), sheet.comment)
    return action, wrong, sheet.line("move", "place", "accept", part="turn")


def solo_said(sheet: Orders) -> Said[do.PlaySolo]:
    """A mail of the puzzle; its parts are `goal` and `steps.0`, `steps.1`, ..."""
    goals, ordered = sheet.of("goal"), sheet.of("move", "undo", "give up", "resign")
    wrong = [Complaint("no_pass", "5.4", entry.line) for entry in sheet.of("pass")]
    for entry in sheet.of("place", "offer", "accept"):
        wrong.append(Complaint("two_only", "5.4", entry.line, {"order": entry.order}))
    wrong += [Complaint("two_goals", "5.4", e.line) for e in goals if e.value != goals[0].value]
    if not (goals or ordered):
        return None, wrong, {}
    lines = {f"steps.{index}": entry.line for index, entry in enumerate(ordered)}
    lines["goal"] = (*goals, *ordered)[0].line
    steps = tuple(step_of(entry) for entry in ordered)
    return do.PlaySolo(steps, goals[0].value if goals else "", sheet.comment), wrong, lines


def step_of(entry: SheetEntry[Any]) -> do.Step:
    """To resign a puzzle is to give it up."""
    if entry.order == "move":
        return do.Step("move", entry.value)
    return do.Step("undo" if entry.order == "undo" else "give up")


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
