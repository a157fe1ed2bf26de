"""Fourplay at the seam: each phase and each kind of answer has its own file; here they meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, get_args

from referee.core import seam
from referee.core.answers import AnyAnswer
from referee.core.capabilities import BoardForm
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.diagram import Diagram
from referee.core.game import (
    Amendment,
    Demand,
    Game,
    Lapsed,
    Mended,
    Opening,
    Outcome,
    Party,
    Reading,
    Round,
    Setup,
    View,
)
from referee.core.legacy import old_answers
from referee.core.options import Options
from referee.games.fourplay import owing as rounds
from referee.games.fourplay.actions import Buy, Declare, Leave, Place
from referee.games.fourplay.answering import LEAVING, PURCHASING, READINESS, SETTING_UP, Answering
from referee.games.fourplay.cycles import cycles, opening
from referee.games.fourplay.events import Event, PlayBegun, PurchaseBegun, SetupBegun
from referee.games.fourplay.folding import evolved
from referee.games.fourplay.letters import showing, views
from referee.games.fourplay.letters.clicks import clickable
from referee.games.fourplay.state import CENTRE, SEATS, State
from referee.games.fourplay.turns import turns

_BEFORE_PLAY: dict[str, Answering] = {
    "Ready": READINESS,
    "Purchase": PURCHASING,
    "Setup": SETTING_UP,
    "Resign": LEAVING,
}


class Fourplay(Game[State, Event]):
    """Four armies, four Kings, one Neutron: rules 600-612 and the pieces of 905-962."""

    slug: ClassVar[str] = "fourplay"
    titles: ClassVar[tuple[str, ...]] = ("Fourplay", "Fourplay Chess")
    headings: ClassVar[Mapping[str, str]] = {
        "Ready": "Ready",
        "Initial Purchase of Pieces": "Purchase",
        "Initial Setup of Pieces": "Setup",
        "Turn": "Turn",
        "Objection": "Objection",
        "Resign": "Resign",
    }
    happenings: ClassVar[tuple[type, ...]] = get_args(Event)
    actions: ClassVar[tuple[type, ...]] = (Declare, Buy, Place, Leave, *turns.ACTIONS)
    state: ClassVar[type] = State
    codec_version: ClassVar[int] = 3

    @cached_property
    def answers(self) -> tuple[AnyAnswer, ...]:  # type: ignore[override]
        kinds = (*_BEFORE_PLAY, "Turn", "Objection", "Wait")
        return old_answers(self, self.headings, kinds, self.actions)

    # --- opening -------------------------------------------------------------------------------------------------

    def seats(self, options: Options) -> tuple[int, ...]:
        return (len(SEATS),)

    def faults(self, setup: Setup) -> tuple[str, ...]:
        return opening.faults(setup)

    def opening(self, setup: Setup, chance: Chance) -> Opening[Event]:
        return opening.opening(setup, chance)

    def initial(self) -> State:
        return State()

    def evolve(self, state: State, event: Event) -> State:
        return evolved(state, event)

    def amended(self, state: State, setup: Setup) -> Amendment[Event]:
        return opening.amendment(state, setup)

    # --- what is owed --------------------------------------------------------------------------------------------

    def due(self, state: State) -> tuple[Round, ...]:
        return rounds.due(state)

    def open_to(self, state: State, seat: int) -> tuple[Demand, ...]:
        leaving = (Demand("Resign", seat),) if rounds.may_leave(state, seat) else ()
        return (*leaving, *turns.open_to(state, seat))

    def vacant(self, state: State) -> tuple[int, ...]:
        return tuple(player.seat for player in state.players if player.left)

    def filled(self, state: State, seat: int) -> tuple[Event, ...]:
        return cycles.filled(state, seat)

    # --- answers -------------------------------------------------------------------------------------------------

    def aim(self, state: State, seat: int, heading: str, lines: Sequence[Line]) -> Demand:
        """The heading says it; a demand is owed, open, or neither, in which case `check` says so."""
        return Demand(heading, seat)

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[Any]:
        reading = self._part(state, demand).read(state, demand, lines, party)
        if reading.action is not None and not self._awaited(state, demand):
            return replace(reading, complaints=())  # `check` says that it is not owed; the rest hangs on that
        return reading

    def check(self, state: State, demand: Demand, action: Any) -> tuple[Complaint, ...]:
        if not self._awaited(state, demand):
            return (not_now(state, demand),)
        return self._part(state, demand).check(state, demand, action)

    def write(self, state: State, demand: Demand, action: Any) -> str:
        return self._part(state, demand).write(state, demand, action)

    def form(self, state: State, demand: Demand, party: Party, draft: Any | None = None) -> str:
        return self._part(state, demand).form(state, demand, party, draft)

    def mended(self, state: State, demand: Demand, party: Party, reading: Reading[Any]) -> Mended:
        return self._part(state, demand).mended(state, demand, party, reading)

    def resolve(self, state: State, answers: Mapping[Demand, Any | Lapsed]) -> tuple[Event, ...]:
        """The facts of each answer in the order of seats, then what follows from all of them together."""
        events: list[Event] = []
        for demand in sorted(answers, key=lambda demand: demand.seat):
            if demand.kind == "Wait":
                return (PurchaseBegun(state.cycle + 1, 1),)
            events += self._part(state, demand).resolve(state, demand, answers[demand])
        return (*events, *_next_phase(state, {demand.kind for demand in answers}, events))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Any:
        return self._part(state, demand).suggest(state, demand, chance)

    def public(self, action: Any) -> Any:
        return action

    def objection(self, action: Any) -> str | None:
        return turns.objection(action)

    def statute_open(self, state: State, label: str) -> bool:
        return turns.statute_open(state, label)

    def _part(self, state: State, demand: Demand) -> Answering:
        if demand.kind == "Resign" and state.phase == "play":
            return turns.ANSWERINGS["Resign"]
        return _BEFORE_PLAY.get(demand.kind) or turns.ANSWERINGS[demand.kind]

    def _awaited(self, state: State, demand: Demand) -> bool:
        return demand in seam.answerable(state, self, demand.seat)

    # --- what may be known ---------------------------------------------------------------------------------------

    def view(self, state: State, seat: int | None) -> View:
        return views.view(state, seat)

    def piece_faults(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        """Every fault of the catalogues in the data, in words."""
        return showing.piece_faults(data)

    def piece_diagrams(self, data: Mapping[str, Any], piece: str) -> tuple[Diagram, ...]:
        """A piece's moves and captures, alone and in an example; none where the data have no such piece."""
        return showing.piece_diagrams(data, piece)

    def board_form(self, state: State) -> BoardForm:
        return clickable(state)

    def drawn_pieces(self, data: Mapping[str, Any]) -> tuple[tuple[str, str, tuple[Diagram, ...]], ...]:
        return showing.drawn_pieces(data)

    def outcome(self, state: State) -> Outcome | None:
        return cycles.outcome(state)


def not_now(state: State, demand: Demand) -> Complaint:
    """The answer to a demand that is not owed: not this phase, not his turn, already done."""
    rule = {"Ready": "601", "Purchase": "604", "Setup": "605", "Turn": "607", "Resign": "104"}
    facts = {
        "kind": demand.kind,
        "phase": state.phase,
        "to_move": state.to_move,
        "round": state.round,
        "vacant": [player.seat for player in state.players if player.left],
        "ready": state.player(demand.seat).ready,
    }
    return Complaint("not_now", rule.get(demand.kind, "house"), None, facts)


def _next_phase(state: State, kinds: set[str], events: Sequence[Event]) -> tuple[Event, ...]:
    """After all purchases the setup (605), after all setups the play (606): the Neutron on the centre square (905)."""
    if kinds == {"Purchase"}:
        return (SetupBegun(state.cycle, 1),)
    if kinds == {"Setup"}:
        begun = PlayBegun(state.cycle, state.next_piece, CENTRE)
        after = state
        for event in (*events, begun):
            after = evolved(after, event)
        return (begun, *turns.turn_begun(after))
    return ()
