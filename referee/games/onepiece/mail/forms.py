"""Answers in canonical text, and the forms that players fill in."""

from __future__ import annotations

from typing import Any

from referee.core.game import Demand, Mended, Reading
from referee.games.onepiece import actions as do
from referee.games.onepiece.mail.notation import parsed
from referee.games.onepiece.mail.reading import changed_ply, grid_of
from referee.games.onepiece.mail.sheet import Entry, Sheet, sheet_of
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
    """A form to fill in; with a draft, that answer."""
    if draft is not None:
        return written(draft) + (f"\nClaim: {SLOT}" if _may_claim(state, demand, draft) else "")
    match demand.kind:
        case "Colours":
            return "Colours: red"
        case "Edge":
            return "Edge: south"
        case "Evidence":
            return f"Demonstrate: {SLOT}\nMove: {SLOT}"
        case "Offer" | "Accept":
            return f"{demand.kind}: draw"
        case "Resign":
            return "Resign"
        case "Comment" | "Verdict":
            return f"{demand.kind}: {SLOT}"
    return f"Move: {SLOT}" + (f"\nClaim: {SLOT}" if _may_claim(state, demand) else "")


def _may_claim(state: State, demand: Demand, draft: Any = None) -> bool:
    """Whether a claim might be added to the answer."""
    if demand.kind != "Move" or not state.law.tournament or (state.claims and state.law.claims == "single"):
        return False
    return draft is None or (isinstance(draft, do.MovePiece) and draft.claim is None and not draft.comment)


# --- mending -----------------------------------------------------------------------------------------------------


def mended_form(state: State, demand: Demand, reading: Reading[Any]) -> Mended:
    """Every order as it was read; what has no place in the answer at all, and what nobody could read, is left out."""
    sheet = sheet_of(reading.orders)
    lines = list(
        dict.fromkeys(text for entry in sheet.entries if (text := _kept(state, demand, sheet, entry)))
    )
    blank = form_for(state, demand).splitlines()
    if demand.kind == "Evidence" and not sheet.of("give up"):
        missing = [line for line in blank if not sheet.of("demonstrate" if line.startswith("D") else "move")]
        lines = sorted([*missing, *lines], key=lambda line: not line.startswith("Demonstrate"))
    elif demand.kind not in ("Comment", "Evidence"):
        said = {line.partition(":")[0] for line in lines}
        lacks = [line for line in blank if line.partition(":")[0] not in said and "Give up" not in said]
        turn = [line for line in lacks if line.startswith("Move")]
        lines = [*turn, *lines, *(line for line in lacks if line not in turn)]
    comments = [f"Comment: {words}" for words in sheet.comment.split("\n") if words]
    unread = [c.line.text.strip() for c in sheet.complaints if c.line is not None]
    chosen = tuple(dict.fromkeys(f'I left out what I could not read: "{text}".' for text in unread))
    return Mended("\n".join([*lines, *comments] or blank), chosen)


def _kept(state: State, demand: Demand, sheet: Sheet, entry: Entry) -> str:
    """The line of a form for an order; nothing for one that has no place in the answer."""
    match entry.order:
        case "move":
            ply = changed_ply(state, sheet)[0] if demand.kind == "Evidence" else 0
            words = parsed(grid_of(state, demand, ply), entry.value)
            return f"Move: {move_text(words) if words else entry.value}"
        case "claim" if demand.kind == "Move" and state.law.tournament:
            return f"Claim: {entry.value}"
        case "offer" if demand.kind == "Offer" or (not state.claims and state.offer != demand.seat):
            return "Offer: draw"
        case "give up" if demand.kind in ("Evidence", "Demonstrate"):
            return "Give up"
        case "accept":
            return "Accept: draw"
        case "resign":
            return "Resign"
        case "colours" | "edge" | "demonstrate":
            return f"{entry.order.capitalize()}: {entry.value}"
    return ""  # a pass, a comment (it comes last), an offer of what can't be offered
