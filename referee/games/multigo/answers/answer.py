"""What all kinds of answers in Go have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar, TypeVar

from referee.core.answers import Answer, Body, Form, Party, Reading
from referee.core.complaint import Complaint
from referee.core.owing import Demand, Lapsed, demanded, demands
from referee.core.sheet import Sheet
from referee.games.multigo.actions import Action
from referee.games.multigo.answers.forms import filled_in, mended
from referee.games.multigo.answers.notation import sheet
from referee.games.multigo.answers.reading import Said
from referee.games.multigo.events import Event
from referee.games.multigo.folding import Told, recorder
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
    "if": "Condition",
    "then": "Condition",
    "withdraw": "Condition",
    "prefer": "Prefer",
    "press": "Press",
    "comment": "Comment",
}


class GoAnswer(Answer[State, Event, A]):
    """A kind of answer with the orders that belong in its mail. Every answer of an open round, or a whole sealed one,
    is followed by what the referee does by itself."""

    orders: ClassVar[frozenset[str]]
    blank: ClassVar[str]

    @abstractmethod
    def said(self, mail: Said) -> A | None:
        """The action that a mail of this kind orders; the mail notes what is wrong with it."""

    def not_now(self, state: State, demand: Demand) -> Complaint:
        """Why a seat that is in the game may not answer so now."""
        owed = sorted({demand.kind for round_ in due(state) for demand in round_.demands})
        return Complaint(
            "not_now", "2.6", facts={"kind": demand.kind, "owed": owed, "phase": phase_of(state)}
        )

    def aim(self, state: State, seat: int, heading: str, body: Body) -> Demand | None:
        """By what the mail orders; a mail without orders, under the heading of all, means what its seat owes."""
        rounds = due(state)
        kind = meant(body.once(sheet))
        if kind is None and heading == "Move":
            owed = {demand.kind for demand in demands(rounds, seat)}
            kind = next((kind for kind in MEANINGS.values() if kind in owed), heading)
        return demanded(rounds, seat, self.kind) if (kind or heading) == self.kind else None

    def read(self, state: State, demand: Demand, body: Body, party: Party) -> Reading[A]:
        given = body.once(sheet)
        mail = Said(state, demand, given, self.orders)
        action = self.said(mail)
        return Reading(
            action, (*given.complaints, *mail.complaints), given.courtesy, given.orders, mail.lines
        )

    def untimely(self, state: State, demand: Demand) -> Complaint:
        if state.phase in ("new", "over"):
            return Complaint("match_over", "2.6")
        if demand.seat not in state.active:
            return Complaint("has_resigned", "G24")
        return self.not_now(state, demand)

    def check(self, state: State, demand: Demand, action: A) -> Iterable[Complaint]:
        """Nothing beside what is checked of every kind."""
        return ()

    def form(self, state: State, demand: Demand, party: Party, draft: Reading[A] | None = None) -> Form:
        if draft is None:
            return Form(self.blank)
        if draft.action is not None and not draft.orders:
            return Form(filled_in(self.write(state, demand, draft.action)))
        return mended(state, self.blank, sheet(draft.orders))

    def resolve(self, state: State, answers: Mapping[Demand, A | Lapsed]) -> tuple[Event, ...]:
        record = recorder(state)
        self.follow(record, answers)
        settle(record)
        return record.told

    def follow(self, record: Told, answers: Mapping[Demand, A | Lapsed]) -> None:
        """What follows at once: of an open round, from each answer or lapse alone."""
        for demand, answer in answers.items():
            if isinstance(answer, Lapsed):
                self.lapse(record, demand.seat)
            else:
                self.act(record, demand.seat, answer)

    def act(self, record: Told, seat: int, action: A) -> None:
        """What follows from one answer alone."""

    def lapse(self, record: Told, seat: int) -> None:
        """What follows where none came in time."""


def meant(given: Sheet[str]) -> str | None:
    """The kind of answer that a mail's orders are: the first of the list that says something, else the first that is
    there at all."""
    said = {e.order for e in given.entries if e.value or e.order in ("resign", "pass", "withdraw")}
    return next((kind for order, kind in MEANINGS.items() if order in (said or given.said)), None)
