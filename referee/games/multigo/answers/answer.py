"""What all kinds of answers in Go have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeVar

from referee.core.answers import Body, Form, Reading, RecordedAnswer
from referee.core.complaint import Complaint
from referee.core.orders.keyed import KeyedAnswer
from referee.core.orders.sheet import Sheet
from referee.core.owing import Demand, demand_of_kind, demands
from referee.core.replacing import replace
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Action
from referee.games.multigo.answers.forms import mended
from referee.games.multigo.answers.notation import NOTATION, WORDS
from referee.games.multigo.answers.reading import Said
from referee.games.multigo.folding import Told, fold
from referee.games.multigo.owing import due
from referee.games.multigo.play.phases import phase_of, settle
from referee.games.multigo.state import State

A = TypeVar("A", bound=Action)

MEANINGS = {  # the first order that stands in a mail says which kind of answer it is
    "resign": "Resign",
    "move": "Move",
    "pass": "Move",
    "take": "Take",
    "dead": "Dead",
    "ally": "Ally",
    "prefer": "Prefer",
    "press": "Press",
    "comment": "Comment",
}


class GoAnswer(KeyedAnswer[State, ev.Event, A], RecordedAnswer[State, ev.Event, A]):
    """A kind of answer with the orders that belong in its mail. Every answer of an open round, or a whole sealed one,
    is followed by what the referee does by itself."""

    notation = NOTATION
    fold = fold
    means = MEANINGS
    closing = ""

    @abstractmethod
    def said(self, mail: Said) -> A | None:
        """The action that a mail of this kind orders; the mail notes what is wrong with it."""

    def not_now(self, state: State, demand: Demand) -> Complaint:
        """Why a seat that is in the game may not answer so now."""
        owed = sorted({demand.kind for round_ in due(state) for demand in round_.demands})
        return Complaint(
            "not_now", "2.6", facts={"kind": demand.kind, "owed": owed, "phase": phase_of(state)}
        )

    def meant(self, state: State, seat: int, heading: str, sheet: Sheet[str]) -> str:
        """By the first of all orders that says something, else by the first that is there at all. A mail without
        orders, under the heading of all, means what its seat owes."""
        if heading == "Move" and not sheet.entries:
            owed = {demand.kind for demand in demands(due(state), seat)}
            return next((kind for kind in self.means.values() if kind in owed), heading)
        telling = tuple(e for e in sheet.entries if e.value or e.order in WORDS)
        return super().meant(state, seat, heading, replace(sheet, entries=telling or sheet.entries))

    def aim(self, state: State, seat: int, heading: str, body: Body) -> Demand | None:
        """As it is due: there may be several choices of prisoners."""
        demand = super().aim(state, seat, heading, body)
        return demand and demand_of_kind(due(state), seat, demand.kind)

    def understood(self, state: State, demand: Demand, sheet: Sheet[str]) -> Reading[A]:
        mail = Said(state, demand, sheet, self.fits)
        action = self.said(mail)
        return self.reading(sheet, action, mail.complaints, mail.lines)

    def untimely(self, state: State, demand: Demand) -> Complaint:
        if state.phase in ("new", "over"):
            return Complaint("match_over", "2.6")
        if demand.seat not in state.active:
            return Complaint("has_resigned", "G24")
        return self.not_now(state, demand)

    def filled_in(self, state: State, demand: Demand, action: A) -> str:
        return self.write(state, demand, action)

    def mended(self, state: State, demand: Demand, draft: Reading[A]) -> Form:
        return mended(state, self.begins, draft.understood)

    def settle(self, record: Told) -> None:
        settle(record)
