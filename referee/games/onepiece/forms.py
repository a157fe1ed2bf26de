"""Answers in canonical text, and the forms that players fill in."""

from __future__ import annotations

from typing import Any

from referee.core.game import Demand
from referee.games.onepiece import actions as do
from referee.games.onepiece.check import checked
from referee.games.onepiece.state import State

SLOT = "..."


def written(action: Any) -> str:
    """The action in canonical text; `read` gives it back (law 8)."""
    match action:
        case do.ChooseColours(colour, comment):
            lines = [f"Colours: {colour}"]
        case do.ChooseEdge(edge, comment):
            lines = [f"Edge: {edge}"]
        case do.MovePiece(comment=comment):
            lines = [f"Move: {move_text(action)}"]
            lines += [f"Claim: {action.claim}"] if action.claim is not None else []
            lines += ["Offer: draw"] if action.offer else []
        case do.OfferDraw(comment):
            lines = ["Offer: draw"]
        case do.AcceptDraw(comment):
            lines = ["Accept: draw"]
        case do.Resign(comment):
            lines = ["Resign"]
        case do.SendComment(comment):
            lines = []
        case do.BeginDemonstration(comment=comment):
            lines = [f"Demonstrate: {action.ply}", f"Move: {move_text(action)}"]
        case do.GiveUpClaim(comment):
            lines = ["Give up"]
        case do.GiveVerdict(verdict, after, nodes):
            shown = f"\nLine: {' '.join(action.line)}" if action.line else ""
            let_go = f"\nLet go: ply {action.slip}" if action.slip else ""
            return f"Verdict: {verdict} after ply {after} ({nodes} positions){shown}{let_go}"
        case _:
            raise TypeError(f"{action!r} is no answer")
    return "\n".join([*lines, *(f"Comment: {words}" for words in comment.split("\n") if words)])


def move_text(action: Any) -> str:
    lifted = f"{action.lifted}>" if action.lifted else ""
    return f"{lifted}R{action.red}B{action.blue}"


def form_for(state: State, demand: Demand, draft: Any = None) -> str:
    """A form to fill in; with a draft that answer, what is wrong in it left open."""
    comment = getattr(draft, "comment", "") or getattr(draft, "text", "")
    words = [f"Comment: {line}" for line in comment.split("\n") if line] if comment else []
    match demand.kind:
        case "Verdict":
            return written(draft) if draft else f"Verdict: {SLOT}"
        case "Colours":
            lines = [f"Colours: {getattr(draft, 'colour', '') or 'red'}"]
        case "Edge":
            lines = [f"Edge: {getattr(draft, 'edge', '') or 'south'}"]
        case "Evidence":
            lines = _evidence(state, demand, draft)
        case "Offer":
            lines = ["Offer: draw"]
        case "Accept":
            lines = ["Accept: draw"]
        case "Resign":
            lines = ["Resign"]
        case "Comment":
            return "\n".join(words) or f"Comment: {SLOT}"
        case _:
            lines = _move(state, demand, draft)
    return "\n".join([*lines, *words])


def _move(state: State, demand: Demand, draft: Any) -> list[str]:
    """A move at fault is left open; a claim or an offer at fault is left out."""
    if isinstance(draft, do.GiveUpClaim):
        return ["Give up"]
    claims = (
        state.law.tournament and demand.kind == "Move" and not (state.claims and state.law.claims == "single")
    )
    if not isinstance(draft, do.MovePiece):
        return [f"Move: {SLOT}", *([f"Claim: {SLOT}"] if claims else [])]
    bare = do.MovePiece(draft.red, draft.blue, draft.lifted)
    lines = [f"Move: {SLOT if checked(state, demand, bare) else move_text(draft)}"]
    if claims:
        claimed = do.MovePiece(draft.red, draft.blue, draft.lifted, draft.claim)
        good = draft.claim is not None and not checked(state, demand, claimed)
        lines.append(f"Claim: {draft.claim if good else SLOT}")
    if draft.offer and demand.kind == "Move" and not state.claims and state.offer != demand.seat:
        lines.append("Offer: draw")
    return lines


def _evidence(state: State, demand: Demand, draft: Any) -> list[str]:
    if isinstance(draft, do.GiveUpClaim):
        return ["Give up"]
    if not isinstance(draft, do.BeginDemonstration):
        return [f"Demonstrate: {SLOT}", f"Move: {SLOT}"]
    faults = {complaint.code for complaint in checked(state, demand, draft)}
    if "not_a_ply_to_change" in faults:
        return [f"Demonstrate: {SLOT}", f"Move: {move_text(draft)}"]
    return [f"Demonstrate: {draft.ply}", f"Move: {SLOT if faults else move_text(draft)}"]
