"""Absences: what a player's announced absence does to his deadlines. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from referee.match.match import Absence, Match, OpenRound


def away_until(match: Match, r: OpenRound, seat: int) -> datetime | None:
    """The end of the absence in which the seat's deadline in the round falls; None where it falls in none."""
    due = start = r.due_for(seat)
    while due is not None:
        within = [a.until for a in match.absences if a.seat == seat and a.start <= due < a.until]
        if not within:
            break
        due = max(within)
    return due if due != start else None


def moved_deadlines(match: Match) -> tuple[tuple[OpenRound, int, datetime], ...]:
    """Every open deadline that an absence moves: the round, the seat, the new deadline."""
    return tuple(
        (r, seat, until)
        for r in match.rounds
        for seat in sorted({d.seat for d in r.demands})
        if (until := away_until(match, r, seat)) is not None
    )


def together(absences: Iterable[Absence]) -> timedelta:
    """How long these absences last; what two of them share counts once."""
    total, reached = timedelta(0), None
    for a in sorted(absences, key=lambda a: (a.start, a.until)):
        start = a.start if reached is None or a.start > reached else reached
        if a.until > start:
            total += a.until - start
            reached = a.until
    return total
