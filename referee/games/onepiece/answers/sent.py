"""What the answers of players have in common: which kind a mail means, what is wrong with it, how it is mended."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Final, TypeVar

from referee.core.answers import Reading, RecordedAnswer
from referee.core.complaint import Complaint
from referee.core.orders.keyed import KeyedAnswer
from referee.core.orders.sheet import SheetEntry, bare
from referee.core.owing import Demand, demands
from referee.games.onepiece import events as ev
from referee.games.onepiece import owing
from referee.games.onepiece.actions import MovePiece
from referee.games.onepiece.board import Grid, Words
from referee.games.onepiece.folding import fold
from referee.games.onepiece.notation import CLAIMED, NOTATION, UNCLAIMED, Orders, parsed
from referee.games.onepiece.play import turns
from referee.games.onepiece.state import State

SLOT: Final = "..."
MOVE: Final = f"Move: {SLOT}"

A = TypeVar("A")


class Sent(KeyedAnswer[State, ev.Event, A], RecordedAnswer[State, ev.Event, A]):
    """An answer that a player sends by mail. The parts of its action are the orders of the mail ("move", "claim")."""

    notation = NOTATION
    fold = fold
    untimely = staticmethod(owing.untimely)
    settle = staticmethod(turns.go_on)
    closing: ClassVar[tuple[str, ...]] = ()

    def meant(self, state: State, seat: int, heading: str, sheet: Orders) -> str:
        """The keys in the body say what a mail is, also some that were left blank; the heading where they are silent. A
        mail with a move answers what its seat owes of the kinds that are moves."""
        blank = {entry.order for entry in sheet.blank} & {"move", "offer", "accept", "comment"}
        orders, chosen = sheet.said | blank, ("Colours", "Edge", "Accept", "Offer")
        owed = (demand.kind for demand in demands(owing.due(state), seat))
        turn = next((kind for kind in owed if kind in ("Evidence", "Demonstrate", "Reply")), "Move")
        if "resign" in orders or (heading == "Resign" and orders <= {"comment"}):
            return "Resign"
        if orders & {"move", "demonstrate", "give up"}:
            return turn
        by_key = next((kind for kind in chosen if kind.lower() in orders), "")
        return by_key or (heading if heading in chosen else "Comment" if orders == {"comment"} else turn)

    def misplaced(self, sheet: Orders) -> Iterator[Complaint]:
        """And what is said twice, each time otherwise."""
        for entry in sheet.entries:
            if entry.order == "pass":
                yield Complaint("no_pass", "3.3", entry.line)
            elif entry.order == "draw?":
                yield Complaint("only_draws", "3.4", entry.line, {"value": entry.value})
            elif entry.order == "give up" and self.kind in ("Move", "Reply"):
                yield Complaint("nothing_to_give_up", "4.4", entry.line)
            elif entry.order == "accept" and self.kind in ("Move", "Reply", "Demonstrate"):
                yield Complaint("accept_alone", "3.4", entry.line)
            elif entry.order not in self.fits and entry.order != "comment":
                yield Complaint("not_beside", "3.5", entry.line, {"order": entry.order, "kind": self.kind})
        for order in ("move", "claim", "colours", "edge", "demonstrate"):
            said = sheet.of(order)
            for entry in said[1:]:
                if bare(entry.value).replace(" ", "") != bare(said[0].value).replace(" ", ""):
                    facts = {"order": order, "first": said[0].value}
                    yield Complaint("said_twice", "3.5", entry.line, facts)

    # --- forms ---------------------------------------------------------------------------------------------------

    def kept(self, state: State, demand: Demand, sheet: Orders) -> list[str]:
        """What has no place in the answer at all, and what nobody could read, is left out; what is missing stands as in
        the blank form, a move first, other keys last."""
        grid = self.grid(state, sheet)
        said = (_again(state, demand, grid, entry) for entry in sheet.entries)
        lines = [line for line in dict.fromkeys(said) if line]
        keys = {line.partition(":")[0] for line in lines}
        lacks = [line for line in self.blank(state, demand.seat) if line.partition(":")[0] not in keys]
        if "Give up" in keys:
            return lines
        return [*(line for line in lacks if line == MOVE), *lines, *(line for line in lacks if line != MOVE)]

    def grid(self, state: State, sheet: Orders) -> Grid:
        """The grid that a move of the mail is made on."""
        return state.shown_grid


def _again(state: State, demand: Demand, grid: Grid, entry: SheetEntry[str]) -> str:
    """The line of a form for an order; nothing for one that has no place in the answer."""
    match entry.order:
        case "move":
            return f"Move: {parsed(grid, entry.value) or entry.value}"
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


class Ordered(Sent[A]):
    """An answer that no other game has so."""

    def understood(self, state: State, demand: Demand, sheet: Orders) -> Reading[A]:
        wrong: list[Complaint] = []
        action = self.said(state, sheet, wrong)
        lines = {entry.order: entry.line for entry in reversed(sheet.entries)}
        return self.reading(sheet, action, (*self.misplaced(sheet), *wrong), lines)

    @abstractmethod
    def said(self, state: State, sheet: Orders, wrong: list[Complaint]) -> A | None:
        """The action that the sheet says; what it says badly is added to the rest."""


# --- moves -----------------------------------------------------------------------------------------------------------


def words_of(grid: Grid, sheet: Orders, wrong: list[Complaint]) -> Words | None:
    """The move on that grid. A mail that speaks of a move in other orders must have one."""
    for entry in sheet.of("move"):
        if (words := parsed(grid, entry.value)) is None:
            wrong.append(Complaint("no_such_notation", "3.5", entry.line, {"text": entry.value}))
        return words
    if sheet.said & {"claim", "demonstrate", "offer"} or any(entry.order == "move" for entry in sheet.blank):
        wrong.append(Complaint("no_move", "4.2" if sheet.of("claim") else "3.5"))
    return None


def move_of(state: State, sheet: Orders, wrong: list[Complaint]) -> MovePiece | None:
    """A move with what may stand beside it."""
    words = words_of(state.shown_grid, sheet, wrong)
    if words is None:
        return None
    claim = None
    for entry in sheet.of("claim")[:1]:
        if bare(entry.value) not in UNCLAIMED:
            claim = number_in(CLAIMED, "4.2", entry, wrong)
    offers = bool(sheet.of("offer"))
    return MovePiece(words.red, words.blue, words.lifted, claim, offers, sheet.comment)


def number_in(
    pattern: re.Pattern[str], rule: str, entry: SheetEntry[str], wrong: list[Complaint]
) -> int | None:
    """The number that an entry says."""
    if found := pattern.fullmatch(entry.value.strip()):
        return int(found[1])
    wrong.append(Complaint("no_number", rule, entry.line, {"text": entry.value}))
    return None
