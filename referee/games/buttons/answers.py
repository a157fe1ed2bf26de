"""The kinds of answers: each with its words in a mail, what is wrong with it, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from referee.core.answers import Body, OwnAnswer, Party, Reading, single
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.orders.keyed import KeyedAnswer
from referee.core.orders.talk import DrawOffer, Remark, Resignation, beside_turns
from referee.core.owing import LAPSED, REFEREE, Demand, Lapse
from referee.games.buttons import actions as do
from referee.games.buttons import events as ev
from referee.games.buttons import suggesting, turns
from referee.games.buttons.checking import par_faults, solo_faults, turn_faults, untimely
from referee.games.buttons.mail.forms import blank_turn, kept
from referee.games.buttons.mail.notation import NOTATION, Orders, written
from referee.games.buttons.mail.reading import TURN_ORDERS, solo_said, turn_said
from referee.games.buttons.solo import puzzling
from referee.games.buttons.state import State

A = TypeVar("A", bound=do.Action)


class Sent(KeyedAnswer[State, ev.Event, A]):
    """An answer that a player sends by mail."""

    notation = NOTATION
    means = beside_turns(*TURN_ORDERS)
    by_heading = frozenset(("resign", "offer"))

    def meant(self, state: State, seat: int, heading: str, sheet: Orders) -> str:
        """A puzzle knows no resignation and no offer."""
        if not state.rules.solo:
            return super().meant(state, seat, heading, sheet)
        return "Comment" if sheet.said == {"comment"} and not sheet.complaints else "Move"

    def untimely(self, state: State, demand: Demand) -> Complaint:
        return untimely(state, demand)

    def kept(self, state: State, demand: Demand, sheet: Orders) -> list[str]:
        return kept(state, demand, sheet)


class Move(Sent[do.Turn | do.PlaySolo]):
    """A turn of the game for two (5.3), or a mail of the puzzle (5.4)."""

    kind = "Move"
    headings = ("Move", "Place", "Goal", "Undo", "Give up", "Accept")
    actions = (do.PlaceButton, do.MoveButton, do.AcceptDraw, do.PlaySolo)

    begins = "Move:"

    def understood(self, state: State, demand: Demand, sheet: Orders) -> Reading[do.Turn | do.PlaySolo]:
        said = solo_said(sheet) if state.rules.solo else turn_said(sheet)
        return self.reading(sheet, *said)

    def write(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> str:
        return written(action)

    def check(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> Iterable[Complaint]:
        if isinstance(action, do.PlaySolo) != state.rules.solo:
            return (Complaint("not_this", "5.5", facts={"demand": demand.kind}),)
        if isinstance(action, do.PlaySolo):
            return solo_faults(state, action)
        return turn_faults(state, demand.seat, action)

    def blank(self, state: State, seat: int) -> Iterable[str]:
        return blank_turn(state, seat)

    def filled_in(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> str:
        """A form of a turn begins with `Move`."""
        text = super().filled_in(state, demand, action)
        return text if text.startswith("Move") else f"Move:\n{text}"

    def resolve(
        self, state: State, answers: Mapping[Demand, do.Turn | do.PlaySolo | Lapse]
    ) -> tuple[ev.Event, ...]:
        """The answer that came, or the lapse of all that is still owed: with the puzzle's, that of its table."""
        lapsed = tuple(demand.seat for demand, answer in answers.items() if answer is LAPSED)
        if lapsed:
            resolve = puzzling.resolve_lapse if state.rules.solo else turns.resolve_lapse
            return resolve(state, lapsed)
        ((demand, action),) = answers.items()
        if isinstance(action, do.PlaySolo):
            return puzzling.resolve_mail(state, action)
        assert not isinstance(action, Lapse)
        return turns.resolve_turn(state, demand.seat, action)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Turn | do.PlaySolo:
        return suggesting.suggested(state, demand.seat, chance)


class Offer(Sent[do.OfferDraw], DrawOffer[State, ev.Event]):
    """A draw offered after one's turn, while it is the opponent's (5.3)."""

    offering = "5.3"

    def offered(self, state: State, seat: int, comment: str) -> tuple[ev.Event, ...]:
        return ev.DrawOffered(seat), *turns.commented(seat, comment)


class Resign(Sent[do.ResignMatch], Resignation[State, ev.Event, do.ResignMatch]):
    """The match given to the opponent (5.3)."""

    actions = (do.ResignMatch,)
    resigning = "5.3"

    def resigned(self, state: State, seat: int, comment: str) -> tuple[ev.Event, ...]:
        return turns.resolve_resignation(seat, comment)


class Comment(Sent[do.SendComment], Remark[State, ev.Event]):
    """Words to the others."""

    def said(self, state: State, seat: int, text: str) -> tuple[ev.Event, ...]:
        return (ev.Commented(seat, text, state.rules.private),)


class Par(OwnAnswer[State, ev.Event, do.SetPar]):
    """The referee's own solution of the puzzle (5.4), secret until the end."""

    kind = "Par"
    actions = (do.SetPar,)

    def check(self, state: State, demand: Demand, action: do.SetPar) -> Iterable[Complaint]:
        return par_faults(state, action)

    def write(self, state: State, demand: Demand, action: do.SetPar) -> str:
        return written(action)

    def resolve(self, state: State, answers: Mapping[Demand, do.SetPar | Lapse]) -> tuple[ev.Event, ...]:
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

    def resolve(self, state: State, answers: Mapping[Demand, do.CloseTable | Lapse]) -> tuple[ev.Event, ...]:
        return puzzling.resolve_lapse(state, (REFEREE,))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.CloseTable:
        return do.CloseTable()


ANSWERS = (Move(), Offer(), Resign(), Comment(), Par(), Close())
