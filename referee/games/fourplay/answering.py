"""One kind of answer each: how it is read, judged, written, asked for, and what it brings about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.game import Demand, Lapsed, Mended, Party, Reading
from referee.games.fourplay.actions import Buy, Declare, Leave, Place
from referee.games.fourplay.army import purchase
from referee.games.fourplay.army.mending import mended_purchase, mended_setup
from referee.games.fourplay.army.reading import read_purchase
from referee.games.fourplay.cycles import cycles
from referee.games.fourplay.cycles import readiness as ready
from referee.games.fourplay.events import Event, NothingBought, PurchaseBegun, ReadyDeclared
from referee.games.fourplay.folding import evolved
from referee.games.fourplay.setup import setup
from referee.games.fourplay.setup.reading import read_setup
from referee.games.fourplay.state import State


class Answering(Protocol):
    """What the seam asks of a demand kind; `resolve` gives the facts of this one answer, or of its lapse."""

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[Any]: ...

    def check(self, state: State, demand: Demand, action: Any) -> tuple[Complaint, ...]: ...

    def write(self, state: State, demand: Demand, action: Any) -> str: ...

    def form(self, state: State, demand: Demand, party: Party, draft: Any | None) -> str: ...

    def mended(self, state: State, demand: Demand, party: Party, reading: Reading[Any]) -> Mended: ...

    def resolve(self, state: State, demand: Demand, answer: Any | Lapsed) -> tuple[Event, ...]: ...

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Any: ...


class Readiness:
    """601.B: once the last of the four has declared, the Initial Purchase begins."""

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[Declare]:
        return ready.read_ready(state, lines, party)

    def check(self, state: State, demand: Demand, action: Declare) -> tuple[Complaint, ...]:
        return ready.ready_complaints(state, demand.seat, action)

    def write(self, state: State, demand: Demand, action: Declare) -> str:
        return ready.ready_text(action)

    def form(self, state: State, demand: Demand, party: Party, draft: Declare | None) -> str:
        return ready.ready_text(draft or Declare())

    def mended(self, state: State, demand: Demand, party: Party, reading: Reading[Declare]) -> Mended:
        return ready.mended_ready(state, party, reading)

    def resolve(self, state: State, demand: Demand, answer: Declare | Lapsed) -> tuple[Event, ...]:
        if isinstance(answer, Lapsed):
            return ()  # without a deadline nothing lapses
        said = ReadyDeclared(demand.seat, answer.office, answer.colours, answer.trim, answer.comment)
        after = evolved(state, said)
        if all(player.ready and not player.left for player in after.players):
            return (said, PurchaseBegun(state.cycle, 1))
        return (said,)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Declare:
        return ready.suggested_ready(demand.seat, chance)


class Purchasing:
    """604."""

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[Buy]:
        return read_purchase(state, lines, party)

    def check(self, state: State, demand: Demand, action: Buy) -> tuple[Complaint, ...]:
        return purchase.purchase_complaints(state, demand.seat, action)

    def write(self, state: State, demand: Demand, action: Buy) -> str:
        return purchase.purchase_text(state, action)

    def form(self, state: State, demand: Demand, party: Party, draft: Buy | None) -> str:
        return purchase.purchase_form(state, party, draft)

    def mended(self, state: State, demand: Demand, party: Party, reading: Reading[Buy]) -> Mended:
        return mended_purchase(state, party, reading)

    def resolve(self, state: State, demand: Demand, answer: Buy | Lapsed) -> tuple[Event, ...]:
        if isinstance(answer, Lapsed):
            return (NothingBought(demand.seat),)
        return (purchase.army_bought(state, demand.seat, answer),)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Buy:
        return purchase.suggested_purchase(state, demand.seat, chance)


class SettingUp:
    """605."""

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[Place]:
        return read_setup(state, demand.seat, lines, party)

    def check(self, state: State, demand: Demand, action: Place) -> tuple[Complaint, ...]:
        return setup.setup_complaints(state, demand.seat, action)

    def write(self, state: State, demand: Demand, action: Place) -> str:
        return setup.setup_text(state, demand.seat, action)

    def form(self, state: State, demand: Demand, party: Party, draft: Place | None) -> str:
        return setup.setup_form(state, demand.seat, party, draft)

    def mended(self, state: State, demand: Demand, party: Party, reading: Reading[Place]) -> Mended:
        return mended_setup(state, demand.seat, party, reading)

    def resolve(self, state: State, demand: Demand, answer: Place | Lapsed) -> tuple[Event, ...]:
        if isinstance(answer, Lapsed):
            return (setup.king_placed_alone(state, demand.seat),)
        return (setup.army_placed(state, demand.seat, answer),)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Place:
        return setup.suggested_setup(state, demand.seat, chance)


class Leaving:
    """104: before play and between cycles."""

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
        return () if isinstance(answer, Lapsed) else cycles.left(state, demand.seat, answer.comment)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Leave:
        return Leave()


READINESS, PURCHASING, SETTING_UP, LEAVING = Readiness(), Purchasing(), SettingUp(), Leaving()
