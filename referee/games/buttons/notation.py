"""The lines of a mail to what they order, and back (5.5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from referee.core.complaint import Complaint, Line
from referee.core.orders.keyed import Wording
from referee.core.orders.sheet import Sheet, SheetEntry, comment_lines, meanings
from referee.core.orders.talk import with_draws
from referee.games.buttons import actions as do

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


def step_of(entry: SheetEntry[Any]) -> do.Step:
    """To resign a puzzle is to give it up."""
    if entry.order == "move":
        return do.Step("move", entry.value)
    return do.Step("undo" if entry.order == "undo" else "give up")
