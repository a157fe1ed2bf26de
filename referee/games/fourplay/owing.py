"""What is owed in each phase, under which label (601, 604, 605, 607, 603), and what a seat may send besides."""

from __future__ import annotations

import re
from dataclasses import replace

from referee.core.game import Expected
from referee.core.owing import REFEREE, Demand, Round, demands
from referee.games.fourplay.state import SEATS, State

Moment = tuple[int, int, int]  # cycle, round, player


def due(state: State) -> tuple[Round, ...]:
    """The rounds owed. A left seat suspends Purchase and Setup until it is filled (104)."""
    vacant = tuple(
        Round(f"Vacant seat / Player {seat}", (Demand("Vacancy", REFEREE, str(seat)),), None)
        for seat in state.vacant
    )
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


def open_to(state: State, seat: int) -> tuple[Demand, ...]:
    """What a seat may send though nothing waits for it: before play and between cycles it may leave (104), in play
    resign while it has a King; it may object once a turn has been made (611)."""
    leaves = state.phase in ("ready", "purchase", "setup", "waiting") and not state.player(seat).left
    resigns = state.phase == "play" and seat in state.kings
    leaving = (Demand("Resign", seat),) if leaves else ()
    objecting = (Demand("Objection", seat),) if last_made(state) is not None else ()
    return (*leaving, *objecting, *((Demand("Resign", seat),) if resigns else ()))


def expects(state: State, seat: int) -> Expected[State] | None:
    """The next phase, and in play one's own turn. What is bought hangs on nothing that is still to come."""
    match state.phase:
        case "ready":
            return Expected(replace(state, phase="purchase"), known=True)
        case "purchase":
            return Expected(replace(state, phase="setup"))
        case "setup":
            return Expected(replace(state, phase="play", round=1, to_move=seat))
        case "play" if seat in state.kings:
            return Expected(replace(state, to_move=seat, round=state.round + (seat <= state.to_move)))
        case "waiting":
            players = tuple(replace(player, ready=False) for player in state.players)
            return Expected(replace(state, phase="ready", players=players), known=True)
    return None


def awaited(state: State, demand: Demand) -> bool:
    """Whether the demand is owed, or open to its seat."""
    return demand in (*demands(due(state), demand.seat), *open_to(state, demand.seat))


# --- turns made ------------------------------------------------------------------------------------------------------


def latest(state: State) -> Moment | None:
    """The last turn that has been made or begun: now, in play; else the one that ended the last cycle."""
    if state.phase == "play":
        return state.cycle, state.round, state.to_move
    if state.results and state.results[-1].player:
        last = state.results[-1]
        return last.cycle, last.round, last.player
    return None


def last_made(state: State) -> Moment | None:
    """The last turn that can be objected to; None where no turn has been made in this match's play."""
    now = latest(state)
    if now is None or state.phase != "play":
        return now
    cycle, number, player = now
    before = (cycle, number, player - 1) if player > 1 else (cycle, number - 1, SEATS[-1])
    return before if before[1] >= 1 else None


def label_of(state: State, moment: Moment) -> str:
    cycle, number, player = moment
    return turn_label(state, number, player, cycle)


def moment_of(state: State, label: str) -> Moment | None:
    """The turn that a label names."""
    match = re.fullmatch(r"(?:Cycle (\d+) / )?Round (\d+) / Player (\d)", label)
    return (int(match[1] or state.unnamed), int(match[2]), int(match[3])) if match else None


def statute_open(state: State, label: str) -> bool:
    """Until the offender's next turn begins (part 5), though it be one that passes by itself."""
    moment, now = moment_of(state, label), latest(state)
    if moment is None or now is None:
        return False
    cycle, number, player = moment
    return (cycle, number + 1, player) > now
