"""Which demand a mail means, and the action it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.core.complaint import Complaint, Line
from referee.core.game import Demand, Reading
from referee.games.buttons import actions as do
from referee.games.buttons.notation import Entry, Sheet, sheet_of
from referee.games.buttons.state import State

_TURNS = ("move", "place", "accept")
_SOLO = ("move", "undo", "give up", "resign")


def aimed(state: State, seat: int, heading: str, lines: Sequence[Line]) -> Demand:
    """The keys in the body say what a mail is; the heading decides where the body is silent."""
    sheet = sheet_of(lines)
    orders = {entry.order for entry in sheet.entries}
    if state.rules.solo:
        return Demand("Comment" if orders == {"comment"} and not sheet.complaints else "Move", seat)
    if "resign" in orders or (heading == "Resign" and orders <= {"comment"}):
        return Demand("Resign", seat)
    if orders & {*_TURNS, "pass", "goal", "undo", "give up"} or sheet.complaints:
        return Demand("Move", seat)
    if "offer" in orders or (heading == "Offer" and orders <= {"comment"}):
        return Demand("Offer", seat)
    return Demand("Comment" if "comment" in orders else "Move", seat)


def understood(state: State, demand: Demand, lines: Sequence[Line]) -> Reading[Any]:
    """The action of a mail, with every fault of form."""
    sheet = sheet_of(lines)
    action: Any = None
    extra: tuple[Complaint, ...]
    match demand.kind:
        case "Resign":
            action = do.ResignMatch(sheet.comment)
            extra = tuple(_alone(sheet, "resign"))
        case "Offer":
            action = do.OfferDraw(sheet.comment, _first_line(sheet, "offer"))
            extra = tuple(_alone(sheet, "offer"))
        case "Comment":
            action = do.SendComment(sheet.comment) if sheet.comment else None
            extra = tuple(_alone(sheet, "comment"))
        case _ if state.rules.solo:
            action, extra = _solo(sheet)
        case _:
            action, extra = _turn(sheet)
    complaints = (*sheet.complaints, *extra)
    if action is None and not complaints:
        complaints = (Complaint("nothing_ordered", "5.5"),)
    return Reading(action, complaints, sheet.courtesy, sheet.orders)


def _first_line(sheet: Sheet, order: Any) -> Line | None:
    return next((entry.line for entry in sheet.of(order)), None)


def _alone(sheet: Sheet, order: str) -> Iterator[Complaint]:
    """Beside a resignation, an offer or a comment nothing else is meant."""
    for entry in sheet.entries:
        if entry.order not in (order, "comment"):
            yield Complaint("not_beside", "5.3", entry.line, {"one": order, "two": entry.order})


def _turn(sheet: Sheet) -> tuple[Any, tuple[Complaint, ...]]:
    turns = sheet.of("move", "place", "accept")
    complaints = [Complaint("no_pass", "5.3", entry.line) for entry in sheet.of("pass")]
    complaints += [
        Complaint("solo_only", "5.4", entry.line, {"order": entry.order})
        for entry in sheet.of("goal", "undo", "give up")
    ]
    if not turns:
        return None, tuple(complaints)
    first, offer = turns[0], bool(sheet.of("offer"))
    for entry in turns[1:]:
        accepts = "accept" in (first.order, entry.order)
        complaints.append(Complaint("accept_is_a_turn" if accepts else "one_turn", "5.3", entry.line))
    if first.order == "accept" and offer:
        complaints.append(Complaint("accept_is_a_turn", "5.3", _first_line(sheet, "offer")))
    return _turn_action(first, offer, sheet.comment), tuple(complaints)


def _turn_action(entry: Entry, offer: bool, comment: str) -> Any:
    if entry.order == "accept":
        return do.AcceptDraw(comment, entry.line)
    if entry.order == "move":
        return do.MoveButton(entry.value, offer, comment, entry.line)
    colour, value, space = entry.value
    return do.PlaceButton(value, space, colour, offer, comment, entry.line)


def _solo(sheet: Sheet) -> tuple[Any, tuple[Complaint, ...]]:
    complaints = [Complaint("no_pass", "5.4", entry.line) for entry in sheet.of("pass")]
    complaints += [
        Complaint("two_only", "5.4", entry.line, {"order": entry.order})
        for entry in sheet.of("place", "offer", "accept")
    ]
    goals = sheet.of("goal")
    complaints += [
        Complaint("two_goals", "5.4", entry.line) for entry in goals if entry.value != goals[0].value
    ]
    steps = tuple(_step(entry) for entry in sheet.of("move", "undo", "give up", "resign"))
    if not steps and not goals:
        return None, tuple(complaints)
    line = goals[0].line if goals else steps[0].line
    return do.PlaySolo(steps, goals[0].value if goals else "", sheet.comment, line), tuple(complaints)


def _step(entry: Entry) -> do.Step:
    """To resign a puzzle is to give it up."""
    if entry.order == "move":
        return do.Step("move", entry.value, entry.line)
    return do.Step("undo" if entry.order == "undo" else "give up", (), entry.line)
