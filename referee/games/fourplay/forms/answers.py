"""What every kind of answer in Fourplay has in common; each stands in its chapter."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, TypeVar

from referee.core.answers import Body, Party, Reading, RecordedAnswer
from referee.core.complaint import Complaint, Line
from referee.core.orders.keyed import FormedAnswer
from referee.core.owing import Demand, Lapse, demands
from referee.games.fourplay import events as ev
from referee.games.fourplay.board.catalogue import called, catalogue_of
from referee.games.fourplay.cycles import due, open_to
from referee.games.fourplay.folding import Record, fold
from referee.games.fourplay.forms.notation import header_lines
from referee.games.fourplay.state import State

A = TypeVar("A")


class Sent(FormedAnswer[State, ev.Event, A], RecordedAnswer[State, ev.Event, A]):
    """An answer that a player sends by mail. `clause` says when it may be sent; `signed`: its form
    begins with who sends it."""

    fold = fold
    clause: ClassVar[str]
    signed: ClassVar[bool] = False

    def named(self, state: State) -> Collection[str]:
        pieces = catalogue_of(state.rules.pieces).types
        return {"mascot", *(word for piece in pieces for word in called(piece))}

    def head(self, state: State, party: Party, action: A | None) -> Sequence[str]:
        return header_lines(party) if self.signed else ()

    def read(self, state: State, demand: Demand, body: Body, party: Party) -> Reading[A]:
        said = tuple(line for line in body.lines if line.text.strip())
        reading = self.parse(state, demand.seat, said, party)
        owed = (*demands(due(state), demand.seat), *open_to(state, demand.seat))
        if reading.action is not None and demand not in owed:
            return replace(reading, complaints=())  # that it is not owed is said; the rest hangs on that
        return reading

    def so_far(self, state: State, seat: int, said: Sequence[str]) -> A | None:
        """What lines of the form say that stand for sentences of a mail (`possible`)."""
        return self.parse(state, seat, Body.of("\n".join(said)).lines, Party("", seat)).action

    def follow(self, record: Record, answers: Mapping[Demand, A | Lapse]) -> None:
        """In the order of seats, in which a round that was sealed is revealed."""
        super().follow(record, dict(sorted(answers.items(), key=lambda item: item[0].seat)))

    @abstractmethod
    def parse(self, state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[A]:
        """What the lines say, none of them blank."""

    def untimely(self, state: State, demand: Demand) -> Complaint:
        """Not this phase, not his turn, no King to play with, already done."""
        clause, kingless = self.clause, state.phase == "play" and demand.seat not in state.kings
        if state.phase == "play" and demand.kind in ("Turn", "Purchase"):
            clause = "607.A" if kingless else "608" if demand.kind == "Purchase" else clause
        now = {"phase": state.phase, "to_move": state.to_move, "round": state.round}
        seats = {"vacant": list(state.vacant), "ready": state.player(demand.seat).ready}
        facts = {"kind": demand.kind, "kingless": kingless, **now, **seats}
        return Complaint("not_now", clause, facts=facts)
