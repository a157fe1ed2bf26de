"""Calendars: deadlines as their owners keep them (RFC 5545, 5546). What changes in them by what
happened, whose letter brings it, and the files that a letter carries."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from referee.core.value import REFEREE, Demand
from referee.letters.letter import Appointment, Files
from referee.letters.page_words import staged
from referee.letters.speaker import Speaker
from referee.match.match import Match, OpenRound, outstanding
from referee.match.notices import Notice

_AHEAD = timedelta(days=1)  # when the calendar reminds


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
                found[d.seat, _appointment_id(speaker, match, r, d)] = (due, what, how)
    return found


def _appointment_id(speaker: Speaker, match: Match, r: OpenRound, demand: Demand) -> str:
    """The same for a deadline as long as it lasts, however it moves."""
    parts = (match.name, r.label, str(r.opened), demand.kind, str(demand.seat), demand.about)
    return f"{speaker.keys.derive('appointment', *parts)[:32]}@{speaker.host}"


def dates_of(
    speaker: Speaker, match: Match, notices: Sequence[Notice], before: Match | None, now: datetime
) -> Mapping[tuple[int, int], tuple[Appointment, ...]]:
    """By seat and notice (its index) what that seat's letter of it brings to its calendar: the entry of what it asks
    for; the first public one all that no notice asks for. Reminders and tables change nothing."""
    fresh = before is not None or any(notice.kind == "opened" for notice in notices)
    changed = appointments(speaker, before, match, now) if fresh else {}
    asked = [
        _appointment_id(speaker, match, n.round, n.demand) if n.kind == "due" and n.round and n.demand else ""
        for n in notices
    ]
    public = next((i for i, notice in enumerate(notices) if notice.seats is None), None)
    return {
        (seat, i): tuple(x for x in entries if x.uid == asked[i] or (i == public and x.uid not in asked))
        for seat, entries in changed.items()
        for i in range(len(notices))
    }


# --- as files --------------------------------------------------------------------------------------------------------


def calendar_files(appointments: Sequence[Appointment], at: datetime, organizer: tuple[str, str]) -> Files:
    """Files (name, MIME type, text) for a letter written at that moment: one with the deadlines
    that are new or have moved, one with those that are done. `organizer` is a name and an address:
    calendars take changes only from whoever sent the entry."""
    if not appointments:
        return ()
    from icalendar import vCalAddress, vText  # loaded with the first deadline

    sender, files = vCalAddress(f"mailto:{organizer[1]}"), list[tuple[str, str, str]]()
    sender.params["cn"] = vText(organizer[0])
    for method, name, done in (("PUBLISH", "deadline.ics", False), ("CANCEL", "done.ics", True)):
        rows = [
            {
                "uid": one.uid,
                "sequence": min(one.sequence, 2**31 - 1),
                "dtstamp": at.astimezone(UTC),
                "dtstart": one.at.astimezone(UTC),
                "organizer": sender,
                "summary": one.what,
                "description": one.how,
                "status": "CANCELLED" if done else "CONFIRMED",
            }
            for one in appointments
            if one.done == done
        ]
        if rows:
            text = calendar_of({"method": method}, rows, None if done else _AHEAD).decode()
            files.append((name, f"text/calendar; method={method}", text))
    return tuple(files)


def calendar_of(
    head: Mapping[str, str], rows: Iterable[Mapping[str, Any]], ahead: timedelta | None = None
) -> bytes:
    """A calendar of deadlines, each given by its fields; it reminds so long `ahead`."""
    from icalendar import Alarm, Calendar, Event

    calendar = Calendar()
    for name, value in {"prodid": "-//referee//deadlines//EN", "version": "2.0", **head}.items():
        calendar.add(name, value)
    for row in rows:
        event = Event()
        for name, value in {**row, "transp": "TRANSPARENT"}.items():
            event.add(name, value)
        if ahead is not None:
            alarm, told = Alarm(), {"action": "DISPLAY", "description": row["summary"], "trigger": -ahead}
            for name, value in told.items():
                alarm.add(name, value)
            event.add_component(alarm)
        calendar.add_component(event)
    return bytes(calendar.to_ical())
