"""What a mail says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

from referee.core.complaint import Complaint, Line
from referee.core.orders.sheet import SheetEntry
from referee.games.buttons import actions as do
from referee.games.buttons.mail.notation import GOALS, Orders, folded, is_path, is_placement, paths_in
from referee.games.buttons.state import Goal, State

TURN_ORDERS = ("move", "place", "accept", "pass", "goal", "undo", "give up")

_NAMED = re.compile(r"^(?:(?:the |my )?(?:button|move|place|put|i place|i move)s? )?(?:from )?")

A = TypeVar("A")
Said = tuple[
    A | None, Iterator[Complaint], dict[str, Line]
]  # an action, its faults of form, the lines of its parts


def bare_turn(state: State, text: str) -> tuple[str, ...]:
    """The lines that a turn without its key may say, in the game for two or in the puzzle: "b3 d4" is a black button
    put down, or one that goes from b3."""
    text = folded(_NAMED.sub("", text))
    if state.rules.solo:
        goals = ("Goal",) if not state.goal and text in GOALS else ()
        moves = ("Move",) if paths_in(text) else ()
        return tuple(f"{key}: {text}" for key in (*moves, *goals))
    moves = ("Move",) if is_path(text) else ()
    places = ("Place",) if is_placement(text) and "-" not in text else ()
    return tuple(f"{key}: {text}" for key in (*places, *moves))


# --- a turn of the game for two ----------------------------------------------------------------------------------


def turn_said(sheet: Orders) -> Said[do.Turn]:
    """Its part is `turn`."""
    turns = sheet.of("move", "place", "accept")
    action = _turn(turns[0], bool(sheet.of("offer")), sheet.comment) if turns else None
    return action, _turn_faults(sheet), sheet.line("move", "place", "accept", part="turn")


def _turn_faults(sheet: Orders) -> Iterator[Complaint]:
    for entry in sheet.of("pass"):
        yield Complaint("no_pass", "5.3", entry.line)
    for entry in sheet.of("goal", "undo", "give up"):
        yield Complaint("solo_only", "5.4", entry.line, {"order": entry.order})
    turns, offers = sheet.of("move", "place", "accept"), sheet.of("offer")
    for entry in turns[1:]:
        accepts = "accept" in (turns[0].order, entry.order)
        yield Complaint("accept_is_a_turn" if accepts else "one_turn", "5.3", entry.line)
    if turns and turns[0].order == "accept" and offers:
        yield Complaint("accept_is_a_turn", "5.3", offers[0].line)


def _turn(entry: SheetEntry[Any], offer: bool, comment: str) -> do.Turn:
    if entry.order == "accept":
        return do.AcceptDraw(comment)
    if entry.order == "move":
        return do.MoveButton(entry.value, offer, comment)
    colour, value, space = entry.value
    return do.PlaceButton(value, space, colour, offer, comment)


# --- a mail of the puzzle ----------------------------------------------------------------------------------------


def solo_said(sheet: Orders) -> Said[do.PlaySolo]:
    """Its parts are `goal` and `steps.0`, `steps.1`, ..."""
    goals, ordered = sheet.of("goal"), sheet.of("move", "undo", "give up", "resign")
    action = None
    if goals or ordered:
        chosen: Goal = goals[0].value if goals else ""
        action = do.PlaySolo(tuple(step_of(entry) for entry in ordered), chosen, sheet.comment)
    lines = {f"steps.{index}": entry.line for index, entry in enumerate(ordered)}
    if goals or ordered:
        lines["goal"] = (*goals, *ordered)[0].line
    return action, _solo_faults(sheet), lines


def _solo_faults(sheet: Orders) -> Iterator[Complaint]:
    for entry in sheet.of("pass"):
        yield Complaint("no_pass", "5.4", entry.line)
    for entry in sheet.of("place", "offer", "accept"):
        yield Complaint("two_only", "5.4", entry.line, {"order": entry.order})
    goals = sheet.of("goal")
    for entry in goals:
        if entry.value != goals[0].value:
            yield Complaint("two_goals", "5.4", entry.line)


def step_of(entry: SheetEntry[Any]) -> do.Step:
    """To resign a puzzle is to give it up."""
    if entry.order == "move":
        return do.Step("move", entry.value)
    return do.Step("undo" if entry.order == "undo" else "give up")
