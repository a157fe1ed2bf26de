"""The kinds of answers: each with its words in a mail, what is wrong with it, and what follows from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from referee.core.answers import Body, OwnAnswer, Part, Party, Reading, RecordedAnswer
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.duel import other
from referee.core.orders.keyed import KeyedAnswer
from referee.core.orders.talk import DrawOffer, Remark, Resignation, beside_turns
from referee.core.owing import LAPSED, REFEREE, Demand, Lapse
from referee.games.buttons import actions as do
from referee.games.buttons import events as ev
from referee.games.buttons import parts, puzzle, suggesting, turns
from referee.games.buttons.folding import fold
from referee.games.buttons.mail import (
    NOTATION,
    TURN_ORDERS,
    Orders,
    blank_turn,
    kept,
    solo_said,
    turn_said,
    written,
)
from referee.games.buttons.state import State
from referee.games.buttons.turns import Told

A = TypeVar("A", bound=do.Action)


class Sent(KeyedAnswer[State, ev.Event, A], RecordedAnswer[State, ev.Event, A]):
    """An answer that a player sends by mail."""

    notation = NOTATION
    fold = fold
    kept = staticmethod(kept)
    means = beside_turns(*TURN_ORDERS)
    by_heading = frozenset(("resign", "offer"))

    def meant(self, state: State, seat: int, heading: str, sheet: Orders) -> str:
        """A puzzle knows no resignation and no offer."""
        if not state.rules.solo:
            return super().meant(state, seat, heading, sheet)
        return "Comment" if sheet.said == {"comment"} and not sheet.complaints else "Move"

    def untimely(self, state: State, demand: Demand) -> Complaint:
        """Out of turn the move itself is not judged: the board it is meant for is not there yet, or is gone."""
        if state.ended is not None:
            return Complaint("ended", "house")
        match demand.kind, state.rules.solo:
            case "Offer", False if demand.seat == state.mover:
                return Complaint("offer_with_turn", "5.3")
            case "Offer", False:
                return Complaint("offered_already", "5.3")
            case "Move", True:
                return Complaint("puzzle_done", "5.4", facts={"result": state.result})
            case "Move", False:
                return Complaint("not_your_turn", "5.3", facts={"mover": state.mover})
        return Complaint("not_now", "house", facts={"demand": demand.kind})


class Move(Sent[do.Turn | do.PlaySolo]):
    """A turn of the game for two (5.3), or a mail of the puzzle (5.4)."""

    kind = "Move"
    headings = ("Move", "Place", "Goal", "Undo", "Give up", "Accept")
    actions = (do.PlaceButton, do.MoveButton, do.AcceptDraw, do.PlaySolo)
    begins = "Move:"
    blank = staticmethod(blank_turn)

    def understood(self, state: State, demand: Demand, sheet: Orders) -> Reading[do.Turn | do.PlaySolo]:
        said = solo_said(sheet) if state.rules.solo else turn_said(sheet)
        return self.reading(sheet, *said)

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        return parts.possible(state, demand.seat, said, named)

    def write(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> str:
        return written(action)

    def check(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> Iterable[Complaint]:
        if isinstance(action, do.PlaySolo) != state.rules.solo:
            return (Complaint("not_this", "5.5", facts={"demand": demand.kind}),)
        if isinstance(action, do.PlaySolo):
            return puzzle.solo_faults(state, action)
        return turns.turn_faults(state, demand.seat, action)

    def filled_in(self, state: State, demand: Demand, action: do.Turn | do.PlaySolo) -> str:
        """A form of a turn begins with `Move`."""
        text = super().filled_in(state, demand, action)
        return text if text.startswith("Move") else f"Move:\n{text}"

    def follow(self, record: Told, answers: Mapping[Demand, do.Turn | do.PlaySolo | Lapse]) -> None:
        """The answer that came, or the lapse of all that is still owed: with the puzzle's, that of its table."""
        lapsed = tuple(demand.seat for demand, answer in answers.items() if answer is LAPSED)
        if lapsed:
            (puzzle.lapse if record.state.rules.solo else turns.lapse)(record, lapsed)
        else:
            super().follow(record, answers)

    def act(self, record: Told, seat: int, action: do.Turn | do.PlaySolo) -> None:
        if isinstance(action, do.PlaySolo):
            puzzle.play(record, action)
        else:
            turns.play(record, seat, action)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.Turn | do.PlaySolo:
        return suggesting.suggested(state, demand.seat, chance)


class Offer(Sent[do.OfferDraw], DrawOffer[State, ev.Event]):
    """A draw offered after one's turn, while it is the opponent's (5.3)."""

    clause = "5.3"

    def act(self, record: Told, seat: int, action: do.OfferDraw) -> None:
        record.tell(ev.DrawOffered(seat), *turns.commented(seat, action.comment))


class Resign(Sent[do.ResignMatch], Resignation[State, ev.Event, do.ResignMatch]):
    """The match given to the opponent (5.3)."""

    actions = (do.ResignMatch,)
    clause = "5.3"

    def act(self, record: Told, seat: int, action: do.ResignMatch) -> None:
        record.tell(ev.PlayerResigned(seat), *turns.commented(seat, action.comment))
        record.tell(ev.MatchDecided((other(seat),), "The opponent resigned."))


class Comment(Sent[do.SendComment], Remark[State, ev.Event, do.SendComment]):
    """Words to the others."""

    actions = (do.SendComment,)
    clause = "5.5"

    def act(self, record: Told, seat: int, action: do.SendComment) -> None:
        record.tell(ev.Commented(seat, action.text, record.state.rules.private))


class Par(OwnAnswer[State, ev.Event, do.SetPar], RecordedAnswer[State, ev.Event, do.SetPar]):
    """The referee's own solution of the puzzle (5.4), secret until the end."""

    kind = "Par"
    actions = (do.SetPar,)
    fold = fold

    def check(self, state: State, demand: Demand, action: do.SetPar) -> Iterable[Complaint]:
        return puzzle.par_faults(state, action)

    def write(self, state: State, demand: Demand, action: do.SetPar) -> str:
        par = action.par
        return "no solution found" if par.moves is None else ", ".join("-".join(m) for m in par.solution)

    def act(self, record: Told, seat: int, action: do.SetPar) -> None:
        record.tell(ev.ParFound(action.par))
        puzzle.finish(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.SetPar:
        return do.SetPar(suggesting.solution(state.rules, state.start, state.goal, suggesting.NODES))

    def public(self, action: do.SetPar) -> do.SetPar | None:
        return None


class Close(OwnAnswer[State, ev.Event, do.CloseTable], RecordedAnswer[State, ev.Event, do.CloseTable]):
    """The deadline of a puzzle for many: the clock answers."""

    kind = "Close"
    actions = (do.CloseTable,)
    fold = fold

    def read(self, state: State, demand: Demand, body: Body, party: Party) -> Reading[do.CloseTable]:
        return Reading(do.CloseTable())

    def check(self, state: State, demand: Demand, action: do.CloseTable) -> Iterable[Complaint]:
        return ()

    def write(self, state: State, demand: Demand, action: do.CloseTable) -> str:
        return "the deadline has passed"

    def follow(self, record: Told, answers: Mapping[Demand, do.CloseTable | Lapse]) -> None:
        puzzle.lapse(record, (REFEREE,))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.CloseTable:
        return do.CloseTable()


ANSWERS = (Move(), Offer(), Resign(), Comment(), Par(), Close())
