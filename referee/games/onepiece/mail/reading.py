"""Which demand a mail means, and the action it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from referee.core.block import bare
from referee.core.complaint import Complaint, Line
from referee.core.game import Demand, Reading
from referee.games.onepiece import actions as do
from referee.games.onepiece.board.grid import Grid
from referee.games.onepiece.mail.notation import Words, parsed
from referee.games.onepiece.mail.sheet import COLOURS, EDGES, Sheet, sheet_of
from referee.games.onepiece.owing import due
from referee.games.onepiece.state import State
from referee.games.onepiece.tournament.showing import shown_grid

_VERDICT = re.compile(
    r"Verdict: (\w+) after ply (\d+) \((\d+) positions\)(?:\nLine: (.*?))?(?:\nLet go: ply (\d+))?"
)


# --- which demand ------------------------------------------------------------------------------------------------


def aimed(state: State, seat: int, heading: str, lines: Sequence[Line]) -> Demand:
    """The keys in the body say what a mail is; the heading decides where the body is silent."""
    sheet = sheet_of(lines)
    orders = {entry.order for entry in sheet.entries}
    if "resign" in orders or (heading == "Resign" and orders <= {"comment"}):
        return Demand("Resign", seat)
    if orders & {"move", "demonstrate", "give up"} or sheet.unmoved:
        return Demand(_turn(state, seat), seat)
    for order, kind in (("colours", "Colours"), ("edge", "Edge"), ("accept", "Accept"), ("offer", "Offer")):
        if order in orders:
            return Demand(kind, seat)
    if heading in ("Colours", "Edge", "Accept", "Offer"):
        return Demand(heading, seat)
    if orders == {"comment"}:
        return Demand("Comment", seat)
    return Demand(_turn(state, seat), seat)


def _turn(state: State, seat: int) -> str:
    """What a mail with a move answers: what the seat owes, of the kinds that are moves."""
    owed = [d.kind for r in due(state) for d in r.demands if d.seat == seat]
    return next((kind for kind in owed if kind in ("Evidence", "Demonstrate", "Reply")), "Move")


# --- what it says --------------------------------------------------------------------------------------------------

# What may stand in an answer to each kind, beside comments.
_FITTING = {
    "Move": {"move", "claim", "offer"},
    "Demonstrate": {"move", "give up", "claim", "offer"},
    "Reply": {"move", "claim", "offer"},
    "Evidence": {"demonstrate", "move", "give up"},
    "Colours": {"colours"},
    "Edge": {"edge"},
    "Offer": {"offer"},
    "Accept": {"accept"},
    "Resign": {"resign"},
    "Comment": set(),
}


def understood(state: State, demand: Demand, lines: Sequence[Line]) -> Reading[Any]:
    """The action of a mail, with every fault of form."""
    if demand.kind == "Verdict":
        return _verdict(lines)
    sheet = sheet_of(lines)
    complaints = list(sheet.complaints)
    complaints += _misplaced(sheet, demand.kind)
    complaints += _repeated(sheet)
    action: Any = None
    match demand.kind:
        case "Resign":
            action = do.Resign(sheet.comment)
        case "Offer":
            action = do.OfferDraw(sheet.comment, _line(sheet, "offer"))
        case "Accept":
            action = do.AcceptDraw(sheet.comment, _line(sheet, "accept"))
        case "Comment":
            action = do.SendComment(sheet.comment) if sheet.comment else None
        case "Colours":
            action = _choice(sheet, "colours")
        case "Edge":
            action = _choice(sheet, "edge")
        case _:
            action, faults = _move(state, demand, sheet)
            complaints += faults
    if action is None and not complaints:
        complaints.append(Complaint("nothing_ordered", "3.5", None, {"kind": demand.kind}))
    return Reading(action, tuple(complaints), sheet.courtesy, sheet.orders)


def _verdict(lines: Sequence[Line]) -> Reading[Any]:
    """The referee's own answer, as records have it; its proof stands elsewhere."""
    found = _VERDICT.fullmatch("\n".join(line.text for line in lines))
    if found is None:
        return Reading(None, (Complaint("nothing_ordered", "4.4", None, {"kind": "Verdict"}),))
    verdict: Any = found[1]
    line, slip = tuple((found[4] or "").split()), int(found[5] or 0)
    return Reading(do.GiveVerdict(verdict, int(found[2]), int(found[3]), line, slip=slip))


def _line(sheet: Sheet, order: str) -> Line | None:
    return next((entry.line for entry in sheet.of(order)), None)


def _misplaced(sheet: Sheet, kind: str) -> Iterator[Complaint]:
    """What has no place in this answer."""
    for entry in sheet.entries:
        if entry.order == "pass":
            yield Complaint("no_pass", "3.3", entry.line)
        elif entry.order == "draw?":
            yield Complaint("only_draws", "3.4", entry.line, {"value": entry.value})
        elif entry.order == "give up" and kind in ("Move", "Reply"):
            yield Complaint("nothing_to_give_up", "4.4", entry.line)
        elif entry.order == "accept" and kind in ("Move", "Reply", "Demonstrate"):
            yield Complaint("accept_alone", "3.4", entry.line)
        elif entry.order != "comment" and entry.order not in _FITTING[kind]:
            yield Complaint("not_beside", "3.5", entry.line, {"order": entry.order, "kind": kind})


def _repeated(sheet: Sheet) -> Iterator[Complaint]:
    """Each thing is said once; the same again is no fault."""
    for order in ("move", "claim", "colours", "edge", "demonstrate"):
        said = sheet.of(order)
        for entry in said[1:]:
            if bare(entry.value).replace(" ", "") != bare(said[0].value).replace(" ", ""):
                yield Complaint("said_twice", "3.5", entry.line, {"order": order, "first": said[0].value})


def _choice(sheet: Sheet, order: str) -> Any:
    said = sheet.of(order)
    if not said:
        return None
    value: Any = (COLOURS if order == "colours" else EDGES).get(bare(said[0].value), "")
    kind = do.ChooseColours if order == "colours" else do.ChooseEdge
    return kind(value, sheet.comment, said[0].line)


def _move(state: State, demand: Demand, sheet: Sheet) -> tuple[Any, tuple[Complaint, ...]]:
    if demand.kind in ("Evidence", "Demonstrate") and sheet.of("give up"):
        beside = [
            Complaint("not_beside", "3.5", e.line, {"order": e.order, "kind": "give up"})
            for e in sheet.of("move")
        ]
        return do.GiveUpClaim(sheet.comment), tuple(beside)
    ply, faults = changed_ply(state, sheet) if demand.kind == "Evidence" else (0, ())
    moves = sheet.of("move")
    if not moves:
        missing = bool(sheet.of("claim", "demonstrate", "offer") or sheet.unmoved) and not faults
        return None, (
            *faults,
            *((Complaint("no_move", "4.2" if sheet.of("claim") else "3.5"),) if missing else ()),
        )
    words = parsed(grid_of(state, demand, ply), moves[0].value)
    if words is None:
        return None, (*faults, Complaint("no_such_notation", "3.5", moves[0].line, {"text": moves[0].value}))
    if demand.kind == "Evidence":
        action = _beginning(ply, words, sheet) if not faults else None
        return action, faults
    claim, bad = _claim(sheet)
    return do.MovePiece(
        words.red, words.blue, words.lifted, claim, bool(sheet.of("offer")), sheet.comment, moves[0].line,
        _line(sheet, "claim"),
    ), bad  # fmt: skip


def grid_of(state: State, demand: Demand, ply: int) -> Grid:
    """The grid that a mail speaks of."""
    if state.demo is not None:
        return shown_grid(state)
    if demand.kind == "Evidence" and 1 <= ply <= state.ply:
        return state.grid_before(ply)
    return state.grid


def _claim(sheet: Sheet) -> tuple[int | None, tuple[Complaint, ...]]:
    said = sheet.of("claim")
    if not said or bare(said[0].value) in ("none", "no"):
        return None, ()
    found = re.fullmatch(r"\+?(-?\d{1,4})", said[0].value.strip(" .!;"))
    if found is None:
        return None, (Complaint("no_number", "4.2", said[0].line, {"text": said[0].value}),)
    return int(found[1]), ()


def changed_ply(state: State, sheet: Sheet) -> tuple[int, tuple[Complaint, ...]]:
    said = sheet.of("demonstrate")
    if not said:
        return 0, (Complaint("no_ply", "4.4"),)
    found = re.fullmatch(r"(?:from\s+)?(?:ply\s+)?(\d{1,4})\.?", said[0].value.strip(), re.I)
    if found is None:
        return 0, (Complaint("no_number", "4.4", said[0].line, {"text": said[0].value}),)
    return int(found[1]), ()


def _beginning(ply: int, words: Words, sheet: Sheet) -> do.BeginDemonstration:
    line = _line(sheet, "demonstrate")
    return do.BeginDemonstration(ply, words.red, words.blue, words.lifted, sheet.comment, line)
