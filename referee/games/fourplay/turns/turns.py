"""Play on the Board at the seam (606-612): turns, objections, resignations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from referee.core.block import bare
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.game import Demand, Lapsed, Mended, Party, Reading
from referee.games.fourplay import rewinding as objecting
from referee.games.fourplay.actions import Leave
from referee.games.fourplay.army.catalogue import catalogue_of
from referee.games.fourplay.cycles import readiness as ready
from referee.games.fourplay.events import Event, KingRemoved, ObjectionRaised, TurnPassed
from referee.games.fourplay.notation import RESIGNATIONS, SLOT, comment_lines
from referee.games.fourplay.rewinding import Objection
from referee.games.fourplay.state import KING, State
from referee.games.fourplay.turns.actions import Passed, Turn
from referee.games.fourplay.turns.forms import form_entries, written_entries, written_turn
from referee.games.fourplay.turns.judging import judge
from referee.games.fourplay.turns.mending import mended, neutron_slot
from referee.games.fourplay.turns.reading import read_turn_lines
from referee.games.fourplay.turns.resolving import followed, next_turn, taken_turn, turn_begun
from referee.games.fourplay.turns.suggesting import PATIENCE, leader, suggested_turn

ACTIONS: tuple[type, ...] = (Turn, Objection)


class Turning:
    """A whole submission (606-610), or its lapse (612); a resignation may stand in its place."""

    def read(
        self, state: State, demand: Demand, lines: Sequence[Line], party: Party
    ) -> Reading[Turn] | Reading[Leave]:
        catalogue = catalogue_of(state.rules.pieces)
        others = [line for line in lines if bare(line.text) not in RESIGNATIONS]
        if len(others) < len(lines) and read_turn_lines(others, catalogue, party.name).action is None:
            return RESIGNING.read(state, demand, lines, party)
        return read_turn_lines(lines, catalogue, party.name, state.rules.statements == "lenient")

    def check(self, state: State, demand: Demand, action: Turn | Leave) -> tuple[Complaint, ...]:
        if isinstance(action, Leave):
            return ()
        return (*_headers(state, demand, action), *judge(state, demand.seat, action).complaints)

    def write(self, state: State, demand: Demand, action: Turn | Leave) -> str:
        return ready.leave_text(action) if isinstance(action, Leave) else written_turn(action)

    def form(self, state: State, demand: Demand, party: Party, draft: Turn | Leave | None) -> str:
        if isinstance(draft, Leave):
            return ready.leave_text(draft)
        head = [f"Name: {party.name}"] if party.name else []
        head += [f"Player: {demand.seat}", f"Round: {state.round}", f"Cycle: {state.cycle}"]
        if draft is None:
            return "\n".join([*head, *written_entries([*neutron_slot(state), Passed()]), f"Purchase: {SLOT}"])
        return "\n".join([*head, *form_entries(draft.entries), *comment_lines(draft.comment)])

    def mended(
        self, state: State, demand: Demand, party: Party, reading: Reading[Turn] | Reading[Leave]
    ) -> Mended:
        draft = reading.action
        if draft is None:
            said = ("I found no move of yours; as the form stands, you pass.",) if reading.orders else ()
            return Mended(self.form(state, demand, party, None), said)
        if isinstance(draft, Leave):
            return Mended(ready.leave_text(draft), ready.left_out(c.line for c in reading.complaints))
        entries, chosen = mended(state, demand.seat, draft)
        kept = {entry.line for entry in draft.entries}
        lost = [c.line for c in reading.complaints if c.code == "turn_line_outside" and c.line not in kept]
        left = ready.left_out(lost)
        return Mended(self.form(state, demand, party, replace(draft, entries=entries)), (*chosen, *left))

    def resolve(self, state: State, demand: Demand, answer: Turn | Leave | Lapsed) -> tuple[Event, ...]:
        if isinstance(answer, Leave):
            return RESIGNING.resolve(state, demand, answer)
        if isinstance(answer, Lapsed):
            happened: tuple[Event, ...] = (TurnPassed(demand.seat, state.cycle, state.round, "time"),)
        else:
            happened = taken_turn(state, demand.seat, judge(state, demand.seat, answer), answer.comment)
        return (*happened, *next_turn(followed(state, happened)))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Turn | Leave:
        """After many rounds all but the leader give up, so that every match ends."""
        if state.round > PATIENCE and demand.seat != leader(state):
            return Leave()
        return suggested_turn(state, demand.seat, chance)


class Objecting:
    """A ruling asked for on an earlier turn (611); the match rewinds where it was illegal."""

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[Objection]:
        return objecting.read_objection(state, lines, party)

    def check(self, state: State, demand: Demand, action: Objection) -> tuple[Complaint, ...]:
        return objecting.objection_complaints(state, action)

    def write(self, state: State, demand: Demand, action: Objection) -> str:
        return objecting.objection_text(action)

    def form(self, state: State, demand: Demand, party: Party, draft: Objection | None) -> str:
        return objecting.objection_form(state, draft)

    def mended(self, state: State, demand: Demand, party: Party, reading: Reading[Objection]) -> Mended:
        return objecting.mended_objection(state, reading)

    def resolve(self, state: State, demand: Demand, answer: Objection | Lapsed) -> tuple[Event, ...]:
        if isinstance(answer, Lapsed):
            return ()  # nothing waits for an objection
        return (ObjectionRaised(demand.seat, answer.player, answer.cycle, answer.round, answer.reason),)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Objection:
        return objecting.suggested_objection(state)


class Resigning:
    """Resigning in play: the King leaves the board (part 6); who was due hands the turn on (ruling 13)."""

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[Leave]:
        return ready.read_leave(state, lines, party)

    def check(self, state: State, demand: Demand, action: Leave) -> tuple[Complaint, ...]:
        return ()

    def write(self, state: State, demand: Demand, action: Leave) -> str:
        return ready.leave_text(action)

    def form(self, state: State, demand: Demand, party: Party, draft: Leave | None) -> str:
        return ready.leave_text(draft or Leave())

    def mended(self, state: State, demand: Demand, party: Party, reading: Reading[Leave]) -> Mended:
        return ready.mended_leave(reading)

    def resolve(self, state: State, demand: Demand, answer: Leave | Lapsed) -> tuple[Event, ...]:
        if isinstance(answer, Lapsed):
            return ()
        king = next(p for p in state.on_board() if p.type == KING and p.owner == demand.seat)
        fallen = KingRemoved(demand.seat, "resigned", king.id, answer.comment)
        after = followed(state, (fallen,))
        goes_on = len(after.kings) > 1 and state.to_move != demand.seat
        return (fallen,) if goes_on else (fallen, *next_turn(after))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Leave:
        return Leave()


TURNING, OBJECTING, RESIGNING = Turning(), Objecting(), Resigning()
ANSWERINGS: dict[str, Turning | Objecting | Resigning] = {
    "Turn": TURNING,
    "Objection": OBJECTING,
    "Resign": RESIGNING,
}


def open_to(state: State, seat: int) -> tuple[Demand, ...]:
    """What a seat may send beside its turn: an objection once a turn has been made, in play a resignation."""
    objecting_to = (Demand("Objection", seat),) if objecting.last_made(state) is not None else ()
    resigning = (Demand("Resign", seat),) if state.phase == "play" and seat in state.kings else ()
    return (*objecting_to, *resigning)


def objection(action: Any) -> str | None:
    """The label of the turn that an objection asks a ruling on (611)."""
    return action.label if isinstance(action, Objection) else None


statute_open = objecting.statute_open


def _headers(state: State, demand: Demand, turn: Turn) -> Iterator[Complaint]:
    """Player, round and cycle, where the submission states them (610.a)."""
    stated = (
        ("Player", turn.player, demand.seat, turn.player_line),
        ("Round", turn.round, state.round, turn.round_line),
        ("Cycle", turn.cycle, state.cycle, turn.cycle_line),
    )
    for key, said, true, line in stated:
        if said is not None and said != true:
            yield Complaint("turn_header_false", "610.a", line, {"key": key, "stated": said, "really": true})


__all__ = ["ACTIONS", "ANSWERINGS", "objection", "open_to", "statute_open", "turn_begun"]
