"""What is owed in each phase, under which label (601, 604, 605, 607, 603), and what a seat may send besides."""

from __future__ import annotations

from referee.core.game import REFEREE, Demand, Round
from referee.games.fourplay.state import SEATS, Player, State


def due(state: State) -> tuple[Round, ...]:
    """The rounds owed. A left seat suspends Purchase and Setup until it is filled (104)."""
    gone = [player for player in state.players if player.left]
    vacant = tuple(_vacancy(player) for player in gone)
    match state.phase:
        case "ready":
            return (*_ready(state), *vacant)
        case "purchase":
            return vacant or (_sealed(state, "Initial Purchase", "Purchase"),)
        case "setup":
            return vacant or (_sealed(state, "Initial Setup", "Setup"),)
        case "play":
            return (_turn(state),)
        case "waiting":
            label = _label(state, "Waiting period")
            return (Round(label, (Demand("Wait", REFEREE),), state.rules.waiting_period), *vacant)
        case "ended":
            return ()


def _label(state: State, words: str, start: int = 1, cycle: int | None = None) -> str:
    """Unique in a match: with the cycle where there are several, with the start where there was a leaving."""
    cycle = cycle or state.cycle
    before = f"Cycle {cycle} / " if cycle != state.unnamed else ""
    return f"{before}{words}" + (f", start {start}" if start > 1 else "")


def _vacancy(player: Player) -> Round:
    return Round(f"Vacant seat / Player {player.seat}", (Demand("Vacancy", REFEREE, str(player.seat)),), None)


def _ready(state: State) -> tuple[Round, ...]:
    demands = tuple(Demand("Ready", p.seat) for p in state.players if not p.ready and not p.left)
    return (Round(_label(state, "Ready", state.start), demands, None),) if demands else ()


def _sealed(state: State, words: str, kind: str) -> Round:
    window = state.rules.purchase_window if kind == "Purchase" else state.rules.setup_window
    demands = tuple(Demand(kind, seat) for seat in SEATS)
    return Round(_label(state, words, state.start), demands, window, sealed=True)


def turn_label(state: State, number: int, seat: int, cycle: int | None = None) -> str:
    """`Round 3 / Player 2`, with the cycle (this one if none is given) before it where there are several."""
    return _label(state, f"Round {number} / Player {seat}", cycle=cycle)


def _turn(state: State) -> Round:
    label = turn_label(state, state.round, state.to_move)
    demand = Demand("Turn", state.to_move)
    return Round(label, (demand,), state.rules.turn_window, holds=state.rules.on_timeout == "hold")


def may_leave(state: State, seat: int) -> bool:
    """Before play, and between cycles, resigning is leaving (104)."""
    return state.phase in ("ready", "purchase", "setup", "waiting") and not state.player(seat).left
