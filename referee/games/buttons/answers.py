"""The kinds of answers: each with its words in a mail, what is wrong with it, and what follows from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar, TypeVar

from referee.core.answers import Answer, Body, Form, OwnAnswer, Party, Reading, single
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.owing import LAPSED, REFEREE, Demand, Lapsed
from referee.games.buttons import actions as do
from referee.games.buttons import events as ev
from referee.games.buttons import suggesting, turns
from referee.games.buttons.checking import par_faults, solo_faults, turn_faults, untimely
from referee.games.buttons.mail.forms import blank_turn, filled_in, mended
from referee.games.buttons.mail.notation import Orders, sheet_of, written
from referee.games.buttons.mail.reading import alone, meant, reading_of, solo_reading, turn_reading
from referee.games.buttons.solo import puzzling
from referee.games.buttons.state import State

A = TypeVar("A", bound=do.Action)


class Sent(Answer[State, ev.Event, A]):
    """An answer that a player sends by mail."""

    begins: ClassVar[str] = ""  # the line its form begins with

    def aim(self, state: State, seat: int, heading: str, body: Body) -> Demand | None:
        return Demand(self.kind, seat) if meant(state, heading, body) == self.kind else None

    def read(self, state: State, demand: Demand, body: Body, party: Party) -> Reading[A]:
        return self.understood(state, body.once(sheet_of))

    @abstractmethod
    def understood(self, state: State, sheet: Orders) -> Reading[A]:
        """What the sheet says in answer to a demand of this kind."""

    def untimely(self, state: State, demand: Demand) -> Complaint:
        return untimely(state, demand)

    def check(self, state: State, demand: Demand, action: A) -> Iterable[Complaint]:
        return ()

    def write(self, state: State, demand: Demand, action: A) -> str:
        return written(action)

    def form(self, state: State, demand: Demand, party: Party, draft: Reading[A] | None = None) -> Form:
        if draft is None:
            return Form("\n".join([*([self.begins] if self.begins else []), "Comment:"]))
        if draft.action is not None and not draft.orders:
            return Form(filled_in(draft.action))
        return mended(state, demand, draft.orders, self.begins)


class Move(Sent[do.Turn | do.PlaySolo]):
    """A turn of the game for two (5.3), or a mail of the puzzle (5.4)."""

    kind = "Move"
    headings = ("Move", "Place", "Goal", "Undo", "Give up", "Accept")
    actions = (do.PlaceButton, do.MoveButton, do.AcceptDraw, do.PlaySolo)

    def understood(self, state: State, sheet: Orders) -> Reading[do.Turn | do.PlaySolo]:
        return solo_reading(sheet) if state.rules.solo else turn_reading(sheet)

    def check(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> Iterable[Complaint]:
        if isinstance(action, do.PlaySolo) != state.rules.solo:
            return (Complaint("not_this", "5.5", facts={"demand": demand.kind}),)
        if isinstance(action, do.PlaySolo):
            return solo_faults(state, action)
        return turn_faults(state, demand.seat, action)

    def form(
        self,
        state: State,
        demand: Demand,
        party: Party,
        draft: Reading[do.Turn | do.PlaySolo] | None = None,
    ) -> Form:
        if draft is None:
            return Form(blank_turn(state, demand.seat))
        if draft.action is not None and not draft.orders:
            return Form(filled_in(draft.action, "Move:"))
        return mended(state, demand, draft.orders, "Move:")

    def resolve(
        self, state: State, answers: Mapping[Demand, do.Turn | do.PlaySolo | Lapsed]
    ) -> tuple[ev.Event, ...]:
        """The answer that came, or the lapse of all that is still owed: with the puzzle's, that of its table."""
        lapsed = tuple(demand.seat for demand, answer in answers.items() if answer is LAPSED)
        if lapsed:
            resolve = puzzling.resolve_lapse if state.rules.solo else turns.resolve_lapse
            return resolve(state, lapsed)
        ((demand, action),) = answers.items()
        if isinstance(action, do.PlaySolo):
            return puzzling.resolve_mail(state, action)
        assert not isinstance(action, Lapsed)
        return turns.resolve_turn(state, demand.seat, action)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Turn | do.PlaySolo:
        return suggesting.suggested(state, demand.seat, chance)


class Offer(Sent[do.OfferDraw]):
    """A draw offered after one's turn, while it is the opponent's (5.3)."""

    kind = "Offer"
    headings = ("Offer",)
    actions = (do.OfferDraw,)
    begins = "Offer: draw"

    def understood(self, state: State, sheet: Orders) -> Reading[do.OfferDraw]:
        return reading_of(sheet, do.OfferDraw(sheet.comment), alone(sheet, "offer"))

    def resolve(self, state: State, answers: Mapping[Demand, do.OfferDraw | Lapsed]) -> tuple[ev.Event, ...]:
        demand, action = single(answers)
        return ev.DrawOffered(demand.seat), *turns.commented(demand.seat, action.comment)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.OfferDraw:
        return do.OfferDraw()


class Resign(Sent[do.ResignMatch]):
    kind = "Resign"
    headings = ("Resign",)
    actions = (do.ResignMatch,)
    begins = "Resign"

    def understood(self, state: State, sheet: Orders) -> Reading[do.ResignMatch]:
        return reading_of(sheet, do.ResignMatch(sheet.comment), alone(sheet, "resign"))

    def resolve(
        self, state: State, answers: Mapping[Demand, do.ResignMatch | Lapsed]
    ) -> tuple[ev.Event, ...]:
        demand, action = single(answers)
        return turns.resolve_resignation(demand.seat, action.comment)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.ResignMatch:
        return do.ResignMatch()


class Comment(Sent[do.SendComment]):
    """Words to the others, at any time."""

    kind = "Comment"
    headings = ("Comment",)
    actions = (do.SendComment,)

    def understood(self, state: State, sheet: Orders) -> Reading[do.SendComment]:
        said = do.SendComment(sheet.comment) if sheet.comment else None
        return reading_of(sheet, said, alone(sheet, "comment"))

    def resolve(
        self, state: State, answers: Mapping[Demand, do.SendComment | Lapsed]
    ) -> tuple[ev.Event, ...]:
        demand, action = single(answers)
        return (ev.Commented(demand.seat, action.text, state.rules.private),)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.SendComment:
        return do.SendComment("A comment.")


class Par(OwnAnswer[State, ev.Event, do.SetPar]):
    """The referee's own solution of the puzzle (5.4), secret until the end."""

    kind = "Par"
    actions = (do.SetPar,)

    def check(self, state: State, demand: Demand, action: do.SetPar) -> Iterable[Complaint]:
        return par_faults(state, action)

    def write(self, state: State, demand: Demand, action: do.SetPar) -> str:
        return written(action)

    def resolve(self, state: State, answers: Mapping[Demand, do.SetPar | Lapsed]) -> tuple[ev.Event, ...]:
        _, action = single(answers)
        return puzzling.resolve_par(state, action)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.SetPar:
        return do.SetPar(suggesting.solution(state.rules, state.start, state.goal, suggesting.NODES))

    def public(self, action: do.SetPar) -> do.SetPar | None:
        return None


class Close(OwnAnswer[State, ev.Event, do.CloseTable]):
    """The deadline of a puzzle for many: the clock answers."""

    kind = "Close"
    actions = (do.CloseTable,)

    def read(self, state: State, demand: Demand, body: Body, party: Party) -> Reading[do.CloseTable]:
        return Reading(do.CloseTable())

    def check(self, state: State, demand: Demand, action: do.CloseTable) -> Iterable[Complaint]:
        return ()

    def write(self, state: State, demand: Demand, action: do.CloseTable) -> str:
        return written(action)

    def resolve(self, state: State, answers: Mapping[Demand, do.CloseTable | Lapsed]) -> tuple[ev.Event, ...]:
        return puzzling.resolve_lapse(state, (REFEREE,))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.CloseTable:
        return do.CloseTable()


ANSWERS = (Move(), Offer(), Resign(), Comment(), Par(), Close())
