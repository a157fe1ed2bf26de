"""What is owed, and what a seat may send besides."""

from __future__ import annotations

from datetime import timedelta

from referee.core.game import REFEREE, Demand, Round
from referee.games.onepiece.state import Claim, State
from referee.games.onepiece.tournament.showing import next_shown


def label(state: State, what: str) -> str:
    """ "Ply 7 / Player 1"; where there is more than one game, "Game 2 / Ply 7 / Player 1"."""
    if state.law.tournament or state.law.games > 1:
        return f"Game {state.game} / {what}"
    return what


def due(state: State) -> tuple[Round, ...]:
    """At most one open round."""
    law = state.law
    match state.phase:
        case "setup":
            return (_round(state, "Setup", choices(state), law.window),)
        case "play":
            mover = state.mover
            return (_round(state, f"Ply {state.ply} / Player {mover}", (Demand("Move", mover),), law.window),)
        case "verdict":
            return (
                _round(state, f"{_claimed(state.judged[0])} / Verdict", (Demand("Verdict", REFEREE),), None),
            )
        case "evidence":
            claim = state.judged[0]
            demands = (Demand("Evidence", claim.seat),)
            return (_round(state, f"{_claimed(claim)} / Evidence", demands, law.evidence_window),)
        case "demonstration":
            what = f"{_claimed(state.judged[0])} / Shown ply {next_shown(state)}"
            return (_round(state, what, showing(state), law.demonstration_window),)
        case "over":
            return ()


def _round(state: State, what: str, demands: tuple[Demand, ...], window: timedelta | None) -> Round:
    return Round(label(state, what), demands, window)


def _claimed(claim: Claim) -> str:
    return f"Claim of ply {claim.ply}"


def choices(state: State) -> tuple[Demand, ...]:
    """3.2: the player who begins chooses his colour, the next one the edge."""
    found = []
    if not state.colours:
        found.append(Demand("Colours", state.first))
    if not state.edge:
        found.append(Demand("Edge", state.mover_of(2)))
    return tuple(found)


def showing(state: State) -> tuple[Demand, ...]:
    """Who plays the next move of a demonstration: the claimer for his colour, either opponent for theirs (4.4)."""
    claim = state.judged[0]
    if (next_shown(state) - claim.ply) % 2 == 0:
        return (Demand("Demonstrate", claim.seat),)
    opponents = (s for s in state.active if state.colour_of(s) != state.colour_of(claim.seat))
    return tuple(Demand("Reply", seat) for seat in opponents)


def open_to(state: State, seat: int) -> tuple[Demand, ...]:
    """Offers, acceptance, resignation, words."""
    if state.phase == "over" or seat not in state.active:
        return ()
    found = [Demand("Resign", seat)] if state.phase in ("setup", "play") or state.law.tournament else []
    if not state.law.tournament or state.law.press:
        found.append(Demand("Comment", seat))
    if state.phase == "play" and not state.claims:
        if state.offer != seat and seat not in state.agreed:
            found.append(Demand("Offer", seat))
        if state.offer not in (0, seat) and seat not in state.agreed:
            found.append(Demand("Accept", seat))
    return tuple(found)
