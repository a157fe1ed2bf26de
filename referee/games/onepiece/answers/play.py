"""Colours and edge (3.2), moves (3.3, 4.2), draws, and what may be sent at any time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.core.answers import Part
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.duel import commented
from referee.core.orders import talk
from referee.core.orders.sheet import bare
from referee.core.owing import Demand, Lapse
from referee.games.onepiece import actions as do
from referee.games.onepiece import events as ev
from referee.games.onepiece.answers import parts
from referee.games.onepiece.answers.sent import MOVE, SLOT, A, Ordered, Sent, move_of
from referee.games.onepiece.folding import Told
from referee.games.onepiece.notation import COLOURS, EDGES, Orders, edge_of
from referee.games.onepiece.play import claims, games, suggesting, turns
from referee.games.onepiece.state import State


class Choice(Ordered[A]):
    """Both are asked for in one round: what lapses of it lapses together."""

    def follow(self, record: Told, answers: Mapping[Demand, A | Lapse]) -> None:
        lapsed = [demand for demand, answer in answers.items() if isinstance(answer, Lapse)]
        if not lapsed:
            super().follow(record, answers)
            return
        record.tell(*(ev.AnswerLapsed(demand.seat, demand.kind) for demand in lapsed))
        games.set_up(record, [demand.kind for demand in lapsed])


class Colours(Choice[do.ChooseColours]):
    """The colour of the player who begins."""

    kind = "Colours"
    headings = ("Colours", "Colors")
    actions = (do.ChooseColours,)
    fits = frozenset({"colours"})
    begins = "Colours: red"
    parts = parts.COLOURS

    def said(self, state: State, sheet: Orders, wrong: list[Complaint]) -> do.ChooseColours | None:
        for entry in sheet.of("colours"):
            return do.ChooseColours(COLOURS.get(bare(entry.value), ""), sheet.comment)
        return None

    def check(self, state: State, demand: Demand, action: do.ChooseColours) -> Iterable[Complaint]:
        return () if action.colour else (Complaint("no_colour", "3.2", part="colours"),)

    def write(self, state: State, demand: Demand, action: do.ChooseColours) -> str:
        return self.written([f"Colours: {action.colour}"], action.comment)

    def act(self, record: Told, seat: int, action: do.ChooseColours) -> None:
        colour = action.colour or "red"
        record.tell(ev.ColoursChosen(seat, colour, "mail"), *commented(seat, action.comment))
        games.set_up(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.ChooseColours:
        return do.ChooseColours(("red", "blue")[chance.below(2, "colour")])


class Edge(Choice[do.ChooseEdge]):
    """The edge of the grid at which the game begins, chosen by the other player."""

    kind = "Edge"
    headings = ("Edge",)
    actions = (do.ChooseEdge,)
    fits = frozenset({"edge"})
    begins = "Edge: south"
    parts = parts.EDGES

    def said(self, state: State, sheet: Orders, wrong: list[Complaint]) -> do.ChooseEdge | None:
        for entry in sheet.of("edge"):
            return do.ChooseEdge(edge_of(entry.value) or "", sheet.comment)
        return None

    def check(self, state: State, demand: Demand, action: do.ChooseEdge) -> Iterable[Complaint]:
        return () if action.edge else (Complaint("no_edge", "3.2", part="edge"),)

    def write(self, state: State, demand: Demand, action: do.ChooseEdge) -> str:
        return self.written([f"Edge: {action.edge}"], action.comment)

    def act(self, record: Told, seat: int, action: do.ChooseEdge) -> None:
        record.tell(ev.EdgeChosen(seat, action.edge, "mail"), *commented(seat, action.comment))
        games.set_up(record)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.ChooseEdge:
        return do.ChooseEdge((*dict.fromkeys(EDGES.values()),)[chance.below(4, "edge")])


class Move(Ordered[do.MovePiece]):
    """A piece put down or relocated, and in a tournament a claim with it."""

    kind = "Move"
    headings = ("Move", "Claim")
    actions = (do.MovePiece,)
    foreseeable = True
    fits = frozenset({"move", "claim", "offer"})
    said = staticmethod(move_of)
    act = staticmethod(turns.play)

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        return parts.turn(state, demand.seat, said, named)

    def blank(self, state: State, seat: int) -> list[str]:
        return [MOVE, *_claim(state)]

    def write(self, state: State, demand: Demand, action: do.MovePiece) -> str:
        return self.written(action.orders, action.comment)

    def filled_in(self, state: State, demand: Demand, action: do.MovePiece) -> str:
        """A claim has a line of its own where one might be added; in a mail it would end a comment."""
        closed = action.claim is not None or action.comment
        return "\n".join([self.write(state, demand, action), *([] if closed else _claim(state))])

    def check(self, state: State, demand: Demand, action: do.MovePiece) -> Iterable[Complaint]:
        return turns.turn_faults(state, demand.seat, action)

    def foreseen(self, state: State, action: do.MovePiece) -> do.MovePiece | None:
        """A claim or an offer makes more of it than a move."""
        return None if action.offer or action.claim is not None else replace(action, comment="")

    def binds(self, action: do.MovePiece) -> bool:
        return action.claim is not None

    def searched(self, state: State, action: do.MovePiece) -> str | None:
        """A claim that nobody makes true is judged by a search (4.4)."""
        judged_here = state.law.tournament and state.law.adjudication == "solver"
        return claims.PART if judged_here and action.claim is not None else None

    def lapse(self, record: Told, demand: Demand) -> None:
        turns.lapse(record, demand.seat)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> do.MovePiece:
        return suggesting.move(state, demand.seat, chance)


def _claim(state: State) -> list[str]:
    return [f"Claim: {SLOT}"] if claims.may_be_made(state) else []


# --- draws -----------------------------------------------------------------------------------------------------------


class Offer(talk.DrawOffer[State, ev.Event], Sent[talk.OfferDraw]):
    """A draw offered, at any time of play."""

    def act(self, record: Told, seat: int, action: talk.OfferDraw) -> None:
        record.tell(*commented(seat, action.comment))
        turns.offer(record, seat)


class Accept(Ordered[talk.AcceptDraw]):
    """The draw that another player has offered."""

    kind = "Accept"
    headings = ("Accept",)
    actions = (talk.AcceptDraw,)
    fits = frozenset({"accept"})
    begins = "Accept: draw"
    parts = (talk.ACCEPT,)

    def said(self, state: State, sheet: Orders, wrong: list[Complaint]) -> talk.AcceptDraw:
        return talk.AcceptDraw(sheet.comment)

    def write(self, state: State, demand: Demand, action: talk.AcceptDraw) -> str:
        return self.written([self.begins], action.comment)

    def act(self, record: Told, seat: int, action: talk.AcceptDraw) -> None:
        record.tell(*commented(seat, action.comment))
        turns.accept(record, seat)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> talk.AcceptDraw:
        return talk.AcceptDraw()


# --- at any time -----------------------------------------------------------------------------------------------------


class Resign(talk.Resignation[State, ev.Event, talk.Resign], Sent[talk.Resign]):
    """With two players the game is lost; in pairs the seat is left."""

    actions = (talk.Resign,)

    def act(self, record: Told, seat: int, action: talk.Resign) -> None:
        turns.resign(record, seat, "mail", action.comment)


class Comment(talk.Remark[State, ev.Event, talk.SendComment], Sent[talk.SendComment]):
    """Words to the others alone (C12)."""

    actions = (talk.SendComment,)
    closing = (f"Comment: {SLOT}",)
    sample = "A pretty position."

    def act(self, record: Told, seat: int, action: talk.SendComment) -> None:
        record.tell(*commented(seat, action.text))
