"""What a mail means: which kind of answer, and what it says."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from referee.core.complaint import Complaint
from referee.core.orders.block import bare
from referee.games.onepiece import actions as do
from referee.games.onepiece.board.grid import Grid
from referee.games.onepiece.board.moves import Words
from referee.games.onepiece.mail.notation import parsed
from referee.games.onepiece.mail.sheet import UNMOVED, Orders
from referee.games.onepiece.owing import due
from referee.games.onepiece.state import State, Verdict

Faults = tuple[Complaint, ...]

_VERDICT = re.compile(
    r"Verdict: (proved|refuted|unknown) after ply (\d+) \((\d+) positions\)"
    r"(?:\nLine: (.*?))?(?:\nLet go: ply (\d+))?"
)
_VERDICTS: Mapping[str, Verdict] = {"proved": "proved", "refuted": "refuted", "unknown": "unknown"}


# --- which kind of answer ------------------------------------------------------------------------------------------


def meant(state: State, seat: int, heading: str, sheet: Orders) -> str:
    """The keys in the body say what a mail is; the heading decides where the body is silent."""
    orders = sheet.said
    if "resign" in orders or (heading == "Resign" and orders <= {"comment"}):
        return "Resign"
    if orders & {"move", "demonstrate", "give up", UNMOVED}:
        return _turn(state, seat)
    for order, kind in (("colours", "Colours"), ("edge", "Edge"), ("accept", "Accept"), ("offer", "Offer")):
        if order in orders:
            return kind
    if heading in ("Colours", "Edge", "Accept", "Offer"):
        return heading
    return "Comment" if orders == {"comment"} else _turn(state, seat)


def _turn(state: State, seat: int) -> str:
    """What a mail with a move answers: what the seat owes, of the kinds that are moves."""
    owed = [d.kind for r in due(state) for d in r.demands if d.seat == seat]
    return next((kind for kind in owed if kind in ("Evidence", "Demonstrate", "Reply")), "Move")


# --- what has no place in it -----------------------------------------------------------------------------------------


def misplaced(sheet: Orders, kind: str, fitting: Collection[str]) -> Iterator[Complaint]:
    """Orders that can't stand in this kind of answer; comments can in any."""
    for entry in sheet.entries:
        if entry.order in ("comment", UNMOVED):
            continue
        if entry.order == "pass":
            yield Complaint("no_pass", "3.3", entry.line)
        elif entry.order == "draw?":
            yield Complaint("only_draws", "3.4", entry.line, {"value": entry.value})
        elif entry.order == "give up" and kind in ("Move", "Reply"):
            yield Complaint("nothing_to_give_up", "4.4", entry.line)
        elif entry.order == "accept" and kind in ("Move", "Reply", "Demonstrate"):
            yield Complaint("accept_alone", "3.4", entry.line)
        elif entry.order not in fitting:
            yield Complaint("not_beside", "3.5", entry.line, {"order": entry.order, "kind": kind})


def repeated(sheet: Orders) -> Iterator[Complaint]:
    """Each thing is said once; the same again is no fault."""
    for order in ("move", "claim", "colours", "edge", "demonstrate"):
        said = sheet.of(order)
        for entry in said[1:]:
            if bare(entry.value).replace(" ", "") != bare(said[0].value).replace(" ", ""):
                yield Complaint("said_twice", "3.5", entry.line, {"order": order, "first": said[0].value})


# --- what it says ----------------------------------------------------------------------------------------------------


def move(grid: Grid, sheet: Orders) -> tuple[Words | None, Faults]:
    """The move on that grid. A mail that speaks of a move in other orders must have one."""
    moves = sheet.of("move")
    if moves:
        words = parsed(grid, moves[0].value)
        unread = Complaint("no_such_notation", "3.5", moves[0].line, {"text": moves[0].value})
        return words, () if words else (unread,)
    if sheet.said & {"claim", "demonstrate", "offer", UNMOVED}:
        return None, (Complaint("no_move", "4.2" if sheet.of("claim") else "3.5"),)
    return None, ()


def claim(sheet: Orders) -> tuple[int | None, Faults]:
    """The claim beside a move; None is no claim."""
    said = sheet.of("claim")
    if not said or bare(said[0].value) in ("none", "no"):
        return None, ()
    found = re.fullmatch(r"\+?(-?\d{1,4})", said[0].value.strip(" .!;"))
    if found is None:
        return None, (Complaint("no_number", "4.2", said[0].line, {"text": said[0].value}),)
    return int(found[1]), ()


def changed_ply(sheet: Orders) -> tuple[int, Faults]:
    """The ply from which a demonstration plays otherwise; 0 where there is a fault."""
    said = sheet.of("demonstrate")
    if not said:
        return 0, (Complaint("no_ply", "4.4"),)
    found = re.fullmatch(r"(?:from\s+)?(?:ply\s+)?(\d{1,4})\.?", said[0].value.strip(), re.I)
    if found is None:
        return 0, (Complaint("no_number", "4.4", said[0].line, {"text": said[0].value}),)
    return int(found[1]), ()


def grid_before(state: State, ply: int) -> Grid:
    """The grid that the beginning of a demonstration speaks of, as far as its ply is one."""
    return state.grid_before(ply) if state.demo is None and 1 <= ply <= state.ply else state.shown_grid


def giving_up(sheet: Orders) -> Faults:
    """Beside giving up a claim there is no move."""
    beside = sheet.of("move")
    return tuple(
        Complaint("not_beside", "3.5", entry.line, {"order": entry.order, "kind": "give up"})
        for entry in beside
    )


def verdict(text: str) -> do.GiveVerdict | None:
    """The referee's own answer, as records have it; its proof stands elsewhere."""
    found = _VERDICT.fullmatch(text)
    if found is None:
        return None
    line, slip = tuple((found[4] or "").split()), int(found[5] or 0)
    return do.GiveVerdict(_VERDICTS[found[1]], int(found[2]), int(found[3]), line, slip=slip)
