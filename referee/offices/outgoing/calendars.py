"""Deadlines as their owners' calendars keep them: what a change of a match changes there."""

from __future__ import annotations

from datetime import datetime

from referee.core.owing import REFEREE, Demand
from referee.match.match import Match, OpenRound, outstanding
from referee.offices.outgoing.kinds import staged
from referee.offices.outgoing.letters import Appointment
from referee.offices.outgoing.speaker import Speaker


def appointments(
    speaker: Speaker, before: Match | None, after: Match, now: datetime
) -> dict[int, tuple[Appointment, ...]]:
    """What changes in each seat's calendar. Of a sealed round nobody's entry hangs on another's answer."""
    was, is_now = _deadlines(speaker, before), _deadlines(speaker, after)
    # In whole seconds, so that a later letter's entry counts; of one second taking out counts more.
    sequence = 2 * int((now - after.opened_at).total_seconds())
    found: dict[int, tuple[Appointment, ...]] = {}
    for seat in sorted({seat for seat, _ in (*was, *is_now)}):
        mine = {uid: e for (of, uid), e in is_now.items() if of == seat}
        past = {uid: e for (of, uid), e in was.items() if of == seat}
        gone = (Appointment(uid, sequence + 1, *e, done=True) for uid, e in past.items() if uid not in mine)
        fresh = (Appointment(uid, sequence, *e) for uid, e in mine.items() if past.get(uid) != e)
        found[seat] = (*gone, *fresh)
    return found


def _deadlines(speaker: Speaker, match: Match | None) -> dict[tuple[int, str], tuple[datetime, str, str]]:
    """The deadlines that run, by seat and uid: when, what, and how to answer."""
    if match is None or match.standing is None or match.status != "open":
        return {}
    duties = speaker.pages.help(match.game).get("duties", {})
    found: dict[tuple[int, str], tuple[datetime, str, str]] = {}
    for r in match.rounds:
        for d in outstanding(match, r):
            due = r.due_for(d.seat)
            if d.seat != REFEREE and due is not None:
                what = f"{match.name}: {staged(duties.get(d.kind, d.kind), r.label)}"
                subject = speaker.order_subject(match, d)
                how = f"Write to {speaker.offices.collector} with the subject: {subject}"
                found[d.seat, appointment_id(speaker, match, r, d)] = (due, what, how)
    return found


def appointment_id(speaker: Speaker, match: Match, r: OpenRound, demand: Demand) -> str:
    """The same for a deadline as long as it lasts, however it moves."""
    parts = (match.name, r.label, str(r.opened), demand.kind, str(demand.seat), demand.about)
    return f"{speaker.keys.derive('appointment', *parts)[:32]}@{speaker.host}"
