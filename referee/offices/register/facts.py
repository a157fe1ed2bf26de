"""How a match stands, as facts: what `list`, `show` and their JSON say (contract, "Commands")."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from referee.core.diagram import Diagram
from referee.match.chain import stamp
from referee.match.match import Match, outstanding

Facts = dict[str, Any]  # by name, as `--json` prints them
Draw = Callable[[Diagram], str]  # a board as text


def facts_of(match: Match, seat: int | None = None) -> Facts:
    """The contract's facts of a match, as the seat sees it (None: as the public does)."""
    view = match.view(seat)
    return {
        "match": match.name,
        "game": match.game,
        "phase": view.phase if view else "filling" if match.known else "can't be read",
        "status": match.status,
        "seats": [
            {"number": n, "name": "" if n in match.vacated else match.entrant(n).name} for n in match.numbers
        ],
        "vacant": list(match.vacant),
        "due": [
            {"seat": d.seat, "demand": d.kind, "due_at": moment(r.due_for(d.seat))} for r, d in match.due
        ],
        "position": dict(view.position) if view else {},
        "outcome": _outcome(match),
    }


def answered(match: Match) -> list[Facts]:
    """Whose answers are in, which is for the moderator alone; never what they say."""
    return [
        {"seat": d.seat, "demand": d.kind}
        for r in match.rounds
        for d in r.demands
        if d not in outstanding(match, r)
    ]


def moment(at: datetime | None) -> str | None:
    return stamp(at) if at else None


def _outcome(match: Match) -> Facts | None:
    if match.ended is None:
        return None
    points = {str(seat): int(p) if re.fullmatch(r"-?\d+", p) else p for seat, p in match.ended.points.items()}
    return {"winners": list(match.ended.winners), "points": points, "reason": match.ended.reason}
