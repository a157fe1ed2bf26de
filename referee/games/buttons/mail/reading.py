"""What a mail says."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from referee.core.complaint import Complaint, Line
from referee.core.orders.sheet import SheetEntry
from referee.games.buttons import actions as do
from referee.games.buttons.mail.notation import GOALS, Orders, folded, is_path, is_placement, paths_in
from referee.games.buttons.state import State

TURN_ORDERS = ("move", "place", "accept", "pass", "goal", "undo", "give up")

_NAMED = re.compile(
    r"^(?:(?:the |my )?(?:button|move|place|put|i place|i move)s? )?(?:the |my |an? )?(?:from )?"
)

A = TypeVar("A")
Said = tuple[
    A | None, list[Complaint], dict[str, Line]
]  # an action, its faults of form, the lines of its parts


def bare_turn(state: State, text: str) -> tuple[str, ...]:
    """The lines that a turn without its key may say, in the game for two or in the puzzle: "b3 d4" is a black button
    put down, or one that goes from b3."""
    text = folded(_NAMED.sub("", text))
    if state.rules.solo:
        keys = {"Move": paths_in(text), "Goal": not state.goal and text in GOALS}
    else:
        keys = {"Place": is_placement(text) and "-" not in text, "Move": is_path(text)}
    return tuple(f"{key}: {text}" for key, may in keys.items() if may)


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
