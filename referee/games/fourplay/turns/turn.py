"""The Turn (606-610), or its lapse (612): how it is read, judged, asked for, and what it brings about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

from referee.core.answers import Form, Part, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.diagram import Mark
from referee.core.orders.sheet import bare, comment_lines, left_out
from referee.core.owing import Demand
from referee.games.fourplay import events as ev
from referee.games.fourplay.actions import Leave, Passed, Turn
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.board.squares import OFF
from referee.games.fourplay.cycles import next_turn, resigned
from referee.games.fourplay.folding import Told
from referee.games.fourplay.forms.answers import Sent
from referee.games.fourplay.forms.declarations import leave_text, read_leave
from referee.games.fourplay.forms.notation import RESIGNATIONS, SLOT
from referee.games.fourplay.state import CENTRE, KING, LastTurn, State
from referee.games.fourplay.turns.effect import Taken
from referee.games.fourplay.turns.judging import judge
from referee.games.fourplay.turns.lines import form_entries, written_entries, written_turn
from referee.games.fourplay.turns.mending import mended, neutron_slot, stated
from referee.games.fourplay.turns.possible import possible
from referee.games.fourplay.turns.reading import read_turn_lines
from referee.games.fourplay.turns.suggesting import PATIENCE, leader, suggested_turn
from referee.games.fourplay.turns.turn_state import Judgement, Played


class TurnAnswer(Sent[Turn | Leave]):
    """A whole submission; a resignation may stand in its place."""

    kind = "Turn"
    headings = ("Turn",)
    actions = (Turn, Leave)
    clause = "607"

    def understood(
        self, state: State, seat: int, lines: Sequence[Line], party: Party
    ) -> Reading[Turn | Leave]:
        catalogue = catalogue_of(state.rules.pieces)
        others = [line for line in lines if bare(line.text) not in RESIGNATIONS]
        if len(others) < len(lines) and read_turn_lines(others, catalogue).action is None:
            return read_leave(state, lines, party)
        lenient = state.rules.statements == "lenient"
        return read_turn_lines(lines, catalogue, lenient)

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        return possible(state, demand.seat, said, named)

    def check(self, state: State, demand: Demand, action: Turn | Leave) -> Iterable[Complaint]:
        if isinstance(action, Leave):
            return ()
        return (*_headers(state, demand, action), *judge(state, demand.seat, action).complaints)

    def write(self, state: State, demand: Demand, action: Turn | Leave) -> str:
        return leave_text(action) if isinstance(action, Leave) else written_turn(action)

    def head(self, state: State, party: Party, action: Turn | Leave | None) -> list[str]:
        if isinstance(action, Leave):
            return []
        name = [f"Name: {party.name}"] if party.name else []
        return [*name, f"Player: {party.number}", f"Round: {state.round}", f"Cycle: {state.cycle}"]

    def blank(self, state: State, seat: int) -> list[str]:
        return [*written_entries([*neutron_slot(state), Passed()]), f"Purchase: {SLOT}"]

    def filled_in(self, state: State, demand: Demand, action: Turn | Leave) -> str:
        if isinstance(action, Leave):
            return leave_text(action)
        return "\n".join([*form_entries(action.entries), *comment_lines(action.comment)])

    def mended(self, state: State, demand: Demand, draft: Reading[Turn | Leave]) -> Form:
        said = draft.action
        if said is None:
            passes = ("I found no move of yours; as the form stands, you pass.",) if draft.orders else ()
            return Form("\n".join(self.blank(state, demand.seat)), passes)
        if isinstance(said, Leave):
            return Form(leave_text(said), left_out(c.line for c in draft.complaints))
        entries, chosen = mended(state, demand.seat, said, draft.lines)
        lines = [*form_entries(entries), *comment_lines(said.comment)]
        return Form("\n".join(lines), chosen)

    def act(self, record: Told, seat: int, action: Turn | Leave) -> None:
        state = record.state
        if isinstance(action, Leave):
            record.tell(*resigned(state, seat, action.comment))
            return
        record.tell(*taken_turn(state, seat, judge(state, seat, action), action.comment))
        record.tell(*next_turn(record.state))

    def lapse(self, record: Told, demand: Demand) -> None:
        state = record.state
        record.tell(ev.TurnPassed(demand.seat, state.cycle, state.round, "time"))
        record.tell(*next_turn(record.state))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Turn | Leave:
        """After many rounds all but the leader give up, so that every match ends."""
        if state.round > PATIENCE and demand.seat != leader(state):
            return Leave()
        return suggested_turn(state, demand.seat, chance)


def _headers(state: State, demand: Demand, turn: Turn) -> Iterator[Complaint]:
    """Player, round and cycle, where the submission states them (610.a)."""
    stated = (
        ("Player", turn.player, demand.seat),
        ("Round", turn.round, state.round),
        ("Cycle", turn.cycle, state.cycle),
    )
    for key, said, true in stated:
        if said is not None and said != true:
            facts = {"key": key, "stated": said, "really": true}
            yield Complaint("turn_header_false", "610.a", facts=facts, part=key.lower())


def taken_turn(state: State, seat: int, judgement: Judgement, comment: str) -> tuple[ev.Event, ...]:
    """The turn in canonical text, and each thing it brings about."""
    lines = written_entries(stated(judgement))
    last = LastTurn(
        seat, tuple(_marks(judgement)), (f"The last turn, of Player {seat}: {'; '.join(lines)}.",)
    )
    taken = ev.TurnTaken(seat, state.cycle, state.round, "\n".join(lines), last, comment)
    return (taken, *(event for played in judgement.played for event in _events(played, seat)))


def _events(played: Played, seat: int) -> Iterator[ev.Event]:
    effect = played.effect
    match played.kind:
        case "return" | "place":
            yield ev.PiecePlaced(played.piece, played.squares[-1], effect.mascot_named)
        case "neutron":
            yield ev.PieceMoved(played.piece, played.squares[0], played.squares[-1])
            if effect.gem is not None:
                yield ev.GemReceived(effect.gem)
                if effect.destroyed is not None:
                    yield from _removed(effect.destroyed, None)
                yield ev.PieceMoved(played.piece, played.squares[-1], CENTRE)
        case "move":
            for taken in effect.captures:
                yield from _removed(taken, seat)
            if played.squares[0] != played.squares[-1]:
                yield ev.PieceMoved(played.piece, played.squares[0], played.squares[-1])
            if effect.promoted:
                yield ev.PiecePromoted(played.piece, effect.promoted)
            if effect.received:
                yield ev.MoneyReceived(seat, effect.received, "capture")
        case "purchase":
            yield ev.PiecesBought(seat, played.lots, played.cost)
        case "pass":
            return


def _removed(taken: Taken, by: int | None) -> Iterator[ev.Event]:
    how: Literal["captured", "destroyed"] = "captured" if by is not None else "destroyed"
    returns = taken.mascot and by is not None  # a Mascot destroyed by the Neutron is gone
    yield ev.PieceRemoved(taken.id, taken.piece, taken.owner, taken.square, how, by, returns)
    if taken.piece == KING:
        yield ev.KingRemoved(taken.owner, how)


def _marks(judgement: Judgement) -> Iterator[Mark]:
    """Where the turn's pieces began and ended, and what was taken."""
    for played in judgement.played:
        if played.squares[:1] != (OFF,) and played.squares:
            yield Mark(played.squares[0], "from")
        for taken in (
            *played.effect.captures,
            *((played.effect.destroyed,) if played.effect.destroyed else ()),
        ):
            yield Mark(taken.square, "captured")
        if played.squares:
            yield Mark(CENTRE if played.effect.gem is not None else played.squares[-1], "to")
