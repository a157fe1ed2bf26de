"""Answers mended: every order as it was read, in the form that is sent back with a refusal."""

from __future__ import annotations

from referee.core.orders.sheet import SheetEntry
from referee.core.owing import Demand
from referee.games.onepiece.mail.notation import parsed
from referee.games.onepiece.mail.reading import changed_ply, grid_before
from referee.games.onepiece.mail.sheet import Orders
from referee.games.onepiece.state import State

SLOT = "..."


def kept(state: State, demand: Demand, sheet: Orders, blanks: list[str]) -> list[str]:
    """What has no place in the answer at all, and what nobody could read, is left out; what is missing stands as in the
    blank form."""
    said = (_kept(state, demand, sheet, entry) for entry in sheet.entries)
    lines = [*dict.fromkeys(text for text in said if text)]
    if demand.kind == "Evidence":
        return _demonstrating(sheet, lines, blanks)
    return lines if demand.kind == "Comment" else _completed(lines, blanks)


def _demonstrating(sheet: Orders, lines: list[str], blanks: list[str]) -> list[str]:
    """The ply comes before the move."""
    if sheet.of("give up"):
        return lines
    missing = [line for line in blanks if not sheet.of("demonstrate" if line.startswith("D") else "move")]
    return sorted([*missing, *lines], key=lambda line: not line.startswith("Demonstrate"))


def _completed(lines: list[str], blanks: list[str]) -> list[str]:
    """A missing move comes first, other blanks last."""
    said = {line.partition(":")[0] for line in lines}
    if "Give up" in said:
        return lines
    lacks = [line for line in blanks if line.partition(":")[0] not in said]
    lacks.sort(key=lambda line: not line.startswith("Move"))
    turn = sum(line.startswith("Move") for line in lacks)
    return [*lacks[:turn], *lines, *lacks[turn:]]


def _kept(state: State, demand: Demand, sheet: Orders, entry: SheetEntry[str]) -> str:
    """The line of a form for an order; nothing for one that has no place in the answer."""
    match entry.order:
        case "move":
            ply = changed_ply(sheet)[0] if demand.kind == "Evidence" else 0
            return f"Move: {parsed(grid_before(state, ply), entry.value) or entry.value}"
        case "claim" if demand.kind == "Move" and state.law.tournament:
            return f"Claim: {entry.value}"
        case "offer" if demand.kind == "Offer" or (not state.claims and state.offer != demand.seat):
            return "Offer: draw"
        case "give up" if demand.kind in ("Evidence", "Demonstrate"):
            return "Give up"
        case "accept":
            return "Accept: draw"
        case "resign":
            return "Resign"
        case "colours" | "edge" | "demonstrate":
            return f"{entry.order.capitalize()}: {entry.value}"
    return ""  # a pass, a comment (it comes last), an offer of what can't be offered
