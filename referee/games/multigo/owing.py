"""What is owed and what may be sent: rounds, their labels and windows."""

from __future__ import annotations

from referee.core.game import Expected
from referee.core.owing import Demand, Round, turn_label
from referee.core.replacing import replace
from referee.games.multigo.play.choices import chooser
from referee.games.multigo.state import State


def due(state: State) -> tuple[Round, ...]:
    """The open rounds: a choice of prisoners, and beside it (unless it blocks) what the phase asks for."""
    if state.phase in ("new", "over", "count"):
        return _choice(state)
    choice = _choice(state)
    if choice and (state.law.choice_blocks or state.phase == "ally"):
        return choice
    return (*choice, *_phase(state))


def _choice(state: State) -> tuple[Round, ...]:
    owed = chooser(state) if state.phase != "over" else None
    if owed is None:
        return ()
    head, seat, _ = owed
    label = f"Round {head.round} / Prisoners {head.number} / Player {seat}"
    return (Round(label, (Demand("Take", seat, str(head.number)),), state.law.choice_deadline),)


def _phase(state: State) -> tuple[Round, ...]:
    law = state.law
    if state.phase == "dead":
        missing = tuple(Demand("Dead", seat) for seat in state.active if state.seat(seat).listed is None)
        label = f"Dead stones {state.disputes + 1}"
        return (Round(label, missing, law.dead_deadline, answers="last"),) if missing else ()
    if state.phase == "ally":
        number = state.allied.round + 1 if state.allied else 1
        everyone = tuple(Demand("Ally", seat) for seat in state.active)
        return (Round(f"Alliances {number}", everyone, law.ally_deadline, sealed=True, answers="last"),)
    holds = law.timeout_default == "wait"
    if law.parallel:
        everyone = tuple(Demand("Move", seat) for seat in state.active)
        window = None if state.adjourned else law.move_deadline
        return (Round(f"Round {state.round}", everyone, window, sealed=True, answers="last", holds=holds),)
    label = turn_label(state.round, state.turn)
    return (Round(label, (Demand("Move", state.turn),), law.move_deadline, holds=holds),)


def expects(state: State, seat: int) -> Expected[State] | None:
    """One's own turn, while stones are placed one after another."""
    if state.phase != "play" or state.law.parallel or seat not in state.active:
        return None
    return Expected(replace(state, turn=seat, round=state.round + (seat <= state.turn)))


def open_to(state: State, seat: int) -> tuple[Demand, ...]:
    """What a seat may send though nothing waits for it."""
    if state.phase in ("new", "over") or seat not in state.active:
        return ()
    kinds = ["Resign", "Comment"]
    if state.law.press:
        kinds.append("Press")
    if state.law.shares:
        kinds.append("Prefer")
    if state.phase == "dead" and state.seat(seat).listed is not None:
        kinds.append("Dead")
    return tuple(Demand(kind, seat) for kind in kinds)
