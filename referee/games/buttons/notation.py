"""What an answer says, how the lines of a mail say it, and back (5.5)."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from referee.core.answers import GivesUpSeat
from referee.core.orders.keyed import Sheet, SheetEntry, Wording, comment_lines, meanings, with_draws
from referee.core.orders.talk import AcceptDraw
from referee.core.value import Complaint, FreeText, Line, Value
from referee.games.buttons.state import Par


class PlaceButton(Value):
    """A button from the supply; `colour` "" where the sender named the value alone."""

    value: int
    space: str
    colour: str = ""
    offer: bool = False
    comment: FreeText = ""


class MoveButton(Value):
    """From the first space of `path` to its last; more than two name the way."""

    path: tuple[str, ...]
    offer: bool = False
    comment: FreeText = ""


class Step(Value):
    """One step of a solo mail; `path` only for a move."""

    kind: Literal["move", "undo", "give up"]
    path: tuple[str, ...] = ()


class PlaySolo(Value):
    """A solo mail: all its steps in order, or none (atomic); `goal` "" where it does not choose one."""

    steps: tuple[Step, ...] = ()
    goal: Literal["", "two", "four"] = ""
    comment: FreeText = ""


class ResignMatch(Value, GivesUpSeat):
    comment: FreeText = ""


class SetPar(Value):
    """The referee's own answer: the solution that the solver found."""

    par: Par


class CloseTable(Value):
    """The referee's own answer to the clock: the deadline of a puzzle for many is over."""


Turn: TypeAlias = PlaceButton | MoveButton | AcceptDraw  # what a turn of the game for two says


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
        for part in filter(None, (part.strip(" .") for part in _PARTED.split(value))):
            if part in ("undo", "give up", "pass", "resign"):
                yield SheetEntry(part, None, line)
            elif _PATH.fullmatch(part):
                yield SheetEntry("move", tuple(_SQUARE.findall(part)), line)
            else:
                yield Complaint("move_unclear", "5.5", line, {"given": part})
    elif order == "place" and (found := _PLACED.fullmatch(value)):
        yield SheetEntry(order, ((found[1] or "")[:1].upper(), int(found[2]), found[3]), line)
    elif order == "goal" and (goal := GOALS.get(value)):
        yield SheetEntry(order, goal, line)
    elif order == "place":
        yield Complaint("place_unclear", "5.5", line, {"given": value})
    else:
        yield Complaint("goal_unclear", "5.4", line, {"given": value})


NOTATION = Wording(
    keys="move, moves | place, places | goal, goals | offer, offers | accept, accepts | comment, comments",
    words="resign | undo | pass, i pass | give up, giveup, give-up",
    valued=with_draws(_valued, "5.3"),
    rule="5.5",
    plain=folded,
)


def written(action: Turn | PlaySolo) -> str:
    """The action in canonical text; reading it gives the action back (law 8)."""
    match action:
        case PlaceButton(value, space, colour):
            lines = [f"Place: {colour}{value} {space}"]
        case MoveButton(path):
            lines = [f"Move: {'-'.join(path)}"]
        case AcceptDraw():
            return "\n".join(["Accept: draw", *comment_lines(action.comment)])
        case PlaySolo(steps, goal):
            lines = [f"Goal: {goal}"] if goal else []
            lines += [f"Move: {'-'.join(s.path)}" if s.kind == "move" else s.kind.capitalize() for s in steps]
            return "\n".join([*lines, *comment_lines(action.comment)])
    return "\n".join([*lines, *(["Offer: draw"] if action.offer else []), *comment_lines(action.comment)])


def step_of(entry: SheetEntry[Any]) -> Step:
    """To resign a puzzle is to give it up."""
    if entry.order == "move":
        return Step("move", entry.value)
    return Step("undo" if entry.order == "undo" else "give up")
