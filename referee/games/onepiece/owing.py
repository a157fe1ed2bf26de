"""What is owed, what a seat may send besides, and why an answer comes at the wrong time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.core.complaint import Complaint
from referee.core.game import Expected
from referee.core.owing import REFEREE, Demand, Round
from referee.games.onepiece.claims import no_offer
from referee.games.onepiece.games import choices
from referee.games.onepiece.state import Claim, State


def due(state: State) -> tuple[Round, ...]:
    """At most one open round."""
    law = state.law
    match state.phase:
        case "setup":
            return _round(state, "Setup", choices(state), law.window)
        case "play":
            mover = state.mover
            return _round(state, f"Ply {state.ply} / Player {mover}", (Demand("Move", mover),), law.window)
        case "verdict":
            return _round(state, f"{_claimed(state)} / Verdict", (Demand("Verdict", REFEREE),), None)
        case "evidence":
            demands = (Demand("Evidence", state.judged[0].seat),)
            return _round(state, f"{_claimed(state)} / Evidence", demands, law.evidence_window)
        case "demonstration":
            what = f"{_claimed(state)} / Shown ply {state.shown_ply}"
            return _round(state, what, showing(state), law.demonstration_window)
        case "over":
            return ()


def _round(
    state: State, what: str, demands: tuple[Demand, ...], window: timedelta | None
) -> tuple[Round, ...]:
    """Its label is "Ply 7 / Player 1"; where there is more than one game, "Game 2 / Ply 7 / Player 1"."""
    many = state.law.tournament or state.law.games > 1
    return (Round(f"Game {state.game} / {what}" if many else what, demands, window),)


def _claimed(state: State) -> str:
    return f"Claim of ply {state.judged[0].ply}"


def showing(state: State) -> tuple[Demand, ...]:
    """Who plays the next move of a demonstration: the claimer for his colour, either opponent for theirs (4.4)."""
    claim: Claim = state.judged[0]
    if (state.shown_ply - claim.ply) % 2 == 0:
        return (Demand("Demonstrate", claim.seat),)
    opponents = (s for s in state.active if state.colour_of(s) != state.colour_of(claim.seat))
    return tuple(Demand("Reply", seat) for seat in opponents)


def expects(state: State, seat: int) -> Expected[State] | None:
    """One's own ply."""
    if state.phase != "play" or seat not in state.active:
        return None
    before = state.order.index(seat) - state.ply + 1
    return Expected(replace(state, first=state.order[before % len(state.order)]))


def open_to(state: State, seat: int) -> tuple[Demand, ...]:
    """Offers, acceptance, resignation, words."""
    if state.phase == "over" or seat not in state.active:
        return ()
    found = [Demand("Resign", seat)] if state.phase in ("setup", "play") or state.law.pairs else []
    if not state.law.pairs or state.law.press:
        found.append(Demand("Comment", seat))
    if state.phase == "play" and not state.claims:
        if state.offer != seat and seat not in state.agreed:
            found.append(Demand("Offer", seat))
        if state.offer not in (0, seat) and seat not in state.agreed:
            found.append(Demand("Accept", seat))
    return tuple(found)


# --- neither owed nor open -----------------------------------------------------------------------------------------

# By the kind of answer, while the match goes on.
_UNTIMELY = {
    "Accept": Complaint("no_offer_stands", "3.4"),
    "Comment": Complaint("press_is_off", "C12"),
    "Colours": Complaint("not_yours_to_choose", "3.2"),
    "Edge": Complaint("not_yours_to_choose", "3.2"),
    "Evidence": Complaint("nothing_to_demonstrate", "4.4"),
}


def untimely(state: State, demand: Demand) -> Complaint:
    """Why the answer is neither owed nor open to its seat now."""
    owed = [d for r in due(state) for d in r.demands]
    facts: dict[str, object] = {
        "kind": demand.kind,
        "phase": state.phase,
        "seats": [d.seat for d in owed if d.seat != REFEREE],
    }
    if state.phase == "over":
        return Complaint("over", "3.4", facts=facts)
    if demand.kind == "Offer":
        return no_offer(state, demand.seat)
    if demand.kind in _UNTIMELY:
        return replace(_UNTIMELY[demand.kind], facts=facts)
    if demand.seat in state.gone:
        return Complaint("has_left", "house", facts=facts)
    if state.phase == "setup":
        return Complaint("choices_first", "3.2", facts={**facts, "kinds": [d.kind for d in owed]})
    if state.phase in ("evidence", "demonstration"):
        return Complaint("being_judged", "4.4", facts=facts)
    return Complaint("not_your_turn", "3.3", facts=facts)
