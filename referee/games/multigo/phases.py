"""From phase to phase (2.1): what is owed, and what the referee does by itself until somebody has to be asked."""

from __future__ import annotations

from dataclasses import replace

from referee.core.game import Expected
from referee.core.owing import Demand, Round, turn_label
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Move
from referee.games.multigo.counting import agree, can_ally, count, decide
from referee.games.multigo.prisoners import chooser, settle_choices
from referee.games.multigo.state import Record, State, next_turn
from referee.games.multigo.turns import played


def phase_of(state: State) -> str:
    """The phase as players know it."""
    if state.phase == "over":
        return "over"
    if chooser(state) and (state.law.choice_blocks or state.phase == "count"):
        return "choose"
    return state.phase


def settle(record: Record) -> None:
    """Automatic consequences, until somebody has to be asked (or the match is over)."""
    while record.state.phase != "over":
        settle_choices(record)
        state = record.state
        if state.pending and (state.law.choice_blocks or state.phase != "play"):
            return
        in_sequence = state.phase == "play" and not state.law.parallel
        if in_sequence and set(state.active) <= set(state.passed):
            record.tell(ev.PlayEnded("passes"))
        elif in_sequence and state.round == 3 and state.turn in state.law.passing:
            played(record, state.turn, Move(), "forced")
        elif state.phase == "dead" and all(state.seat(seat).listed is not None for seat in state.active):
            agree(record)
        elif state.phase == "count":
            count(record)
        elif state.phase == "ally" and not can_ally(state):
            decide(record, ())  # too few are left to be partners
        else:
            return


def due(state: State) -> tuple[Round, ...]:
    """The open rounds: a choice of prisoners, and beside it (unless it blocks) what the phase asks for."""
    if state.phase in ("new", "over"):
        return ()
    law, choice, everyone = state.law, tuple[Round, ...](), state.active
    if owed := chooser(state):
        head, seat, _ = owed
        label = f"Round {head.round} / Prisoners {head.number} / Player {seat}"
        choice = (Round(label, (Demand("Take", seat, str(head.number)),), law.choice_deadline),)
    if state.phase == "count" or (choice and (law.choice_blocks or state.phase == "ally")):
        return choice
    if state.phase == "dead":
        missing = tuple(Demand("Dead", seat) for seat in everyone if state.seat(seat).listed is None)
        lists = Round(f"Dead stones {state.disputes + 1}", missing, law.dead_deadline, answers="last")
        return (*choice, lists) if missing else choice
    if state.phase == "ally":
        number = state.allied.round + 1 if state.allied else 1
        asked = tuple(Demand("Ally", seat) for seat in everyone)
        return (Round(f"Alliances {number}", asked, law.ally_deadline, sealed=True, answers="last"),)
    holds = law.timeout_default == "wait"
    if not law.parallel:
        label, asked = turn_label(state.round, state.turn), (Demand("Move", state.turn),)
        return (*choice, Round(label, asked, law.move_deadline, holds=holds))
    window = None if state.adjourned else law.move_deadline
    asked = tuple(Demand("Move", seat) for seat in everyone)
    return (*choice, Round(f"Round {state.round}", asked, window, sealed=True, answers="last", holds=holds))


def expects(state: State, seat: int) -> Expected[State] | None:
    """One's own turn, while stones are placed one after another."""
    if state.phase != "play" or state.law.parallel or seat not in state.active:
        return None
    return Expected(replace(state, turn=seat, round=state.round + (seat <= state.turn)))


def asked_next(state: State) -> tuple[int, ...]:
    """Whose turn it is after this one, while stones are placed one after another."""
    return () if state.phase != "play" or state.law.parallel else (next_turn(state, state.turn)[1],)


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
