"""What must be told after a stimulus, and to whom: notices, not yet letters. Pure."""

from collections.abc import Iterable, Mapping

from referee.core.value import REFEREE, Demand, Value
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.match import Match, OpenRound, outstanding


class Notice(Value):
    """One thing to tell. `seats` None means in public: every seat and every observer."""

    kind: str
    seats: tuple[int, ...] | None
    entries: tuple[Entry, ...] = ()
    round: OpenRound | None = None
    demand: Demand | None = None
    table: tuple[tuple[str, ...], ...] = ()  # a head and rows, of matches compared
    first: bool = False  # the seat has never been asked for this before
    by: int = 0  # who is told it by a letter of their own: the receipt of their words, the welcome


_AHEAD = frozenset(("waits", "other", "impossible", "rewound", "amended"))  # of which the owner is told


def notices(before: Match | None, after: Match, entries: tuple[Entry, ...]) -> tuple[Notice, ...]:
    """Public letters first, in the order of what happened, then to each seat what it owes now. The
    end tells what happened too, a lapse that ends the match among it."""
    shown = tuple(e for e in entries if e.public)
    ended = any(isinstance(e.event, ev.MatchEnded) for e in shown)
    found: list[Notice] = []
    if any(isinstance(e.event, ev.MatchOpened | ev.MatchBegun) for e in shown):
        first = shown[0].event  # of a match that goes on from another's position not all that happened there
        goes_on = isinstance(first, ev.MatchOpened) and first.continues is not None
        told = tuple(e for e in shown if not (goes_on and isinstance(e.event, ev.Happened)))
        found.append(Notice("opened", None, told))
    elif not ended and any(isinstance(e.event, ev.Told) for e in shown):
        found += _told(shown)
    for e in entries:
        if isinstance(e.event, ev.PressSent):
            by = 0 if ev.BEFORE_THE_CHANGE in e.event.text else e.event.seat
            found.append(Notice("press", e.event.to or None, (e,), by=by))
        if isinstance(e.event, ev.ReminderVoided) and (r := after.round(e.event.label)) is not None:
            early, was = e.event.reminder, before and before.round(r.label)
            last = [x for x in was.reminded if x.due == early.due][-1:] if was else []
            owed = (d for d in outstanding(after, r) if r.due_for(d.seat) == (early.due or r.due_at))
            found += (Notice("too_early", (d.seat,), (), r, d) for d in owed if last == [early])
    found += [Notice("press", (e.event.seat,), (e,)) for e in entries if isinstance(e.event, ev.SaidToOne)]
    found += [Notice("ended", None, shown)] if ended else []
    ahead = of_ahead(entries)
    asked = _asked(before, after, entries, ahead)
    answered = {notice.seats for notice in asked}
    void = [Notice("ahead", (seat,), ahead[seat]) for seat in sorted(ahead) if (seat,) not in answered]
    return (*found, *asked, *void)


def _told(shown: tuple[Entry, ...]) -> list[Notice]:
    """One public letter for the stimulus; a sealed round that closed with somebody missing says so first."""
    told, kind = list[Notice](), "announcement"
    happened = any(isinstance(e.event, ev.Told) and not isinstance(e.event, ev.OfTime) for e in shown)
    for entry in shown:
        match entry.event:
            case ev.RoundRevealed(missing=missing) if missing:
                told.append(Notice("lapsed", None, (entry,)))
            case ev.Lapsed(demands=demands) if any(d.seat != REFEREE for d in demands):
                kind = "lapsed"
            case ev.DeadlineMoved() | ev.DowntimeAdded() if not happened:
                kind = "extended"
            case ev.MatchRewound():
                kind = "rewound"
    own = [e.event.seat for e in shown if isinstance(e.event, ev.AbsenceTaken | ev.EntrantReplaced)]
    moved = [e for e in shown if isinstance(e.event, ev.DeadlineMoved) and [e.event.seat] == own]
    told.append(Notice(kind, None, shown, by=own[0] if len(own) + len(moved) == len(shown) else 0))
    return told


def _asked(
    before: Match | None, after: Match, entries: tuple[Entry, ...], ahead: Mapping[int, tuple[Entry, ...]]
) -> list[Notice]:
    """To each seat what it newly owes, or what a person who took over a seat owes."""
    fresh = {e.event.label for e in entries if isinstance(e.event, ev.RoundOpened)}
    taken = {e.event.seat for e in entries if isinstance(e.event, ev.EntrantReplaced)}
    swapped = {e.event.seat for e in entries if isinstance(e.event, ev.StoodIn | ev.CameBack)}
    met = {(kind, seat) for kind, seat in (before.met if before else ()) if seat not in taken}
    return [
        Notice("due", (d.seat,), ahead.get(d.seat, ()), r, d, first=(d.kind, d.seat) not in met)
        for r in after.rounds
        for d in r.demands
        if d.seat != REFEREE
        and (r.label in fresh or d.seat in taken or (d.seat in swapped and r.answer_of(d) is None))
    ]


def of_ahead(entries: Iterable[Entry]) -> dict[int, tuple[Entry, ...]]:
    """What each seat is told of its conditional turn beside what it is asked for: that it waits, that it is void."""
    told: dict[int, tuple[Entry, ...]] = {}
    for entry in entries:
        if isinstance(entry.event, ev.AheadKept) and entry.event.why in _AHEAD:
            told[entry.event.seat] = (*told.get(entry.event.seat, ()), entry)
    return told
