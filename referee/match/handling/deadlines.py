"""What the clock does to a match: lapses, the solver's answers, what moves a deadline, and reminders."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal

from referee.base.settings import RemindersSection
from referee.core import seam
from referee.core.options import LONGEST
from referee.core.value import REFEREE, Demand, Value
from referee.match import commands as do
from referee.match import events as ev
from referee.match.handling.counting import call_off, counts, lapsed, next_to_count, play_waiting, reveal
from referee.match.ledger import LedgerWriter
from referee.match.match import Match, OpenRound, for_solver, outstanding, spans
from referee.match.timing import Timing

_TOO_FAR = f"no moment counts here that is more than {LONGEST.days} days away"
PATIENCE = timedelta(days=14)  # how long somebody is waited for who never answered, where no deadline runs


class Passing(Value):
    """What a moment brings when it passes: of a round grace, or that an answer is missed for good;
    of a seat that its player is away, or back, and has a substitute, or was never heard of where no
    deadline runs, or that its conditional turn has waited out its delay."""

    at: datetime
    what: Literal["ahead", "grace", "lapse", "away", "back", "unheard"]
    label: str = ""
    seat: int = 0


def next_passing(match: Match) -> Passing | None:
    """What the clock brings next; None while paused or where no deadline runs."""
    if match.status != "open":
        return None
    leaving = {a.seat for a in match.absences} & match.substitutes.keys() - match.stand_ins.keys()
    found = [Passing(match.away(seat)[0][0], "away", seat=seat) for seat in sorted(leaving)]
    found += [Passing(there.until, "back", seat=seat) for seat, there in match.stand_ins.items()]
    found += _unheard(match) if match.timing.miss else []
    found += [p for r in match.rounds if not r.holds and (p := passing_of(match, r)) is not None]
    if match.ahead and (waiting := next_to_count(match)) is not None:  # before a deadline at the same moment
        found.append(Passing(waiting[0], "ahead", seat=waiting[1].seat))
    return min(found, key=lambda passing: (passing.at, passing.what != "ahead"), default=None)


def _unheard(match: Match) -> list[Passing]:
    """When a player who has never answered, and owes something that has no deadline, has been
    waited for long enough since they were asked; and for as long again, where the seat is open
    since. In a match that never opens a seat (`miss`) nobody is."""
    found = []
    for r in match.rounds:
        for seat in (d.seat for d in outstanding(match, r) if not r.sealed and r.due_for(d.seat) is None):
            if seat not in (REFEREE, *match.shown, *match.vacated):
                asked = max([r.opened_at, *(gone.until for gone in match.former if gone.seat == seat)])
                waits = (2 if seat in match.vacant else 1) * PATIENCE
                found.append(Passing(asked + waits, "unheard", seat=seat))
    return found


def passing_of(match: Match, r: OpenRound) -> Passing | None:
    """What a round's deadlines bring next: grace, or that answers are missed for good. A sealed round lapses whole,
    once every seat that is still silent has had its time; an open one seat by seat."""
    owed = [d.seat for d in outstanding(match, r)]
    silent = [at for seat in owed if (at := match.closes_for(r, seat)) is not None]
    lapsing = (max(silent) if r.sealed else min(silent)) if silent else None
    dues = [due for seat in owed if (due := _has_grace(match, r, seat)) is not None]
    if r.sealed and dues:  # an earlier moment could tell who is silent
        dues = [max(due for d in r.demands if (due := r.due_for(d.seat)) is not None)]
    begins = min(dues, default=None)
    if begins is not None and (lapsing is None or begins < lapsing):
        return Passing(begins, "grace", r.label)
    return Passing(lapsing, "lapse", r.label) if lapsing is not None else None


def _has_grace(match: Match, r: OpenRound, seat: int) -> datetime | None:
    """The deadline behind which a seat has grace that it has not used yet."""
    due, until = r.due_for(seat), match.closes_for(r, seat)
    return due if due is not None and until is not None and due < until and seat not in r.graced else None


def expire(ledger: LedgerWriter, command: do.Expire) -> str:
    """Judge the one deadline that comes first, if it lies before `until`; a stale tick does nothing
    (law 5). A conditional turn that waits out its delay counts before its deadline passes."""
    passing = next_passing(ledger.match)
    if passing is not None and passing.at < command.until:
        passed(ledger, passing)
    return ""


def passed(ledger: LedgerWriter, passing: Passing) -> None:
    """What a moment brings. That grace has begun all are told, and of an open round whose; what of
    such a round nobody has answered at its deadline is missed."""
    match, at, r = ledger.match, passing.at, ledger.match.round(passing.label)
    match passing.what:
        case "ahead" if (waiting := next_to_count(match)) is not None:
            play_waiting(ledger, waiting[1], waiting[2])
        case "unheard" if passing.seat in match.vacant:  # nobody took it
            call_off(ledger, passing.seat)
        case "unheard":
            ledger.write(ev.SeatOffered(passing.seat, 0))
        case "away":  # the substitute plays as the same seat, with all that is its own
            until = match.away(passing.seat)[0][1]
            ledger.write(ev.StoodIn(passing.seat, match.substitutes[passing.seat], until))
        case "back":
            ledger.write(ev.CameBack(passing.seat, match.stand_ins[passing.seat].player))
            ledger.mind_absences()
        case "grace" if r is not None:
            using = {d.seat for d in outstanding(match, r) if _has_grace(match, r, d.seat) == at}
            named = () if r.sealed else tuple(sorted(using))
            ledger.write(ev.GraceBegun(r.label, named, at + match.timing.grace))
        case "lapse" if r is not None and r.sealed:
            reveal(ledger, r)
        case "lapse" if r is not None:
            silent = tuple(d for d in outstanding(match, r) if match.closes_for(r, d.seat) == at)
            lapsed(ledger, r.label, silent)
            if ledger.match.round(r.label) == r and ledger.match.inner == match.inner:
                raise ValueError(f"{ledger.game.slug}: the lapse of {r.label!r} changed nothing")


def compute(ledger: LedgerWriter, command: do.Compute) -> str:
    """The solver's answer goes the way of every answer."""
    for r, demand in for_solver(ledger.match):
        if r.label == command.label:
            complaints = ledger.standing.check(demand, command.action)
            if complaints:
                raise ValueError(f"the referee's own answer to {r.label!r} is refused: {complaints}")
            text = seam.write(ledger.game, ledger.match.inner, demand, command.action)
            shown = seam.public(ledger.game, demand, command.action)
            counts(ledger, demand, command.action, command.action if shown is None else shown, text)
            return ""
    return f"nothing waits for {command.label!r} any more"


def add_downtime(ledger: LedgerWriter, command: ev.DowntimeAdded) -> str:
    """The referee's own outage is nobody's fault: open deadlines move by as long."""
    if command.seconds > 0 and any(r.due_at is not None for r in ledger.match.rounds):
        _give_back(ledger, command, timedelta(seconds=command.seconds))
    return ""


# --- what moves deadlines -------------------------------------------------------------------------


def extend(ledger: LedgerWriter, command: do.Extend) -> str:
    """Move the deadline of what is owed, for one seat or for all, to the moment that is named, or
    by a span; nobody's own later deadline is made shorter by it."""
    found, later = False, ledger.match.timing.later
    for r in ledger.match.rounds:
        old = r.due_for(command.seat or REFEREE)
        if old is None or (command.seat and command.seat not in {d.seat for d in r.demands}):
            continue
        new = command.until or later(old, command.by or timedelta(0))
        if new <= ledger.now:
            return f"the new deadline, {new.astimezone(UTC):%Y-%m-%d, %H:%M} UTC, lies in the past"
        if new > ledger.now + LONGEST:
            return _TOO_FAR
        ledger.write(ev.DeadlineMoved(r.label, new, command.why, command.seat))
        for seat, own in () if command.seat else sorted(r.moved.items()):
            at = own if command.until else later(own, command.by or timedelta(0))
            if at > new:
                ledger.write(ev.DeadlineMoved(r.label, at, command.why, seat))
        found = True
    ledger.mind_absences()
    return "" if found else "nothing with a deadline is owed there"


def _give_back(ledger: LedgerWriter, command: ev.Event, span: timedelta) -> None:
    """The command adds such a span to each deadline: where an hour is set or days are off they move
    as any deadline does that is given time."""
    before, timing = ledger.match.rounds, ledger.match.timing
    ledger.write(command)
    _move_all(ledger, before, lambda at: timing.later(at, span), ev.BY_THE_CLOCK)


def mind_timing(ledger: LedgerWriter, old: Timing, why: str) -> None:
    """Other hours and days off reach the deadlines that run, from now on or from the pause on: none ends sooner."""
    timing, base = ledger.match.timing, ledger.match.paused_at or ledger.now

    def by_new(at: datetime) -> datetime:
        return at if at <= base else max(at, timing.end(base, old.between(base, at)))

    _move_all(ledger, ledger.match.rounds, by_new, why)


def _move_all(
    ledger: LedgerWriter, rounds: tuple[OpenRound, ...], moved: Callable[[datetime], datetime], why: str
) -> None:
    """All deadlines of these rounds, where they are not there yet; and then out of absences."""
    for r in rounds:
        if r.due_at is None or (now := ledger.match.round(r.label)) is None:
            continue
        due, own = moved(r.due_at), {seat: moved(at) for seat, at in sorted(r.moved.items())}
        if (now.due_at, now.moved) != (due, own):
            ledger.write(ev.DeadlineMoved(r.label, due, why))
            for seat, at in own.items():
                ledger.write(ev.DeadlineMoved(r.label, at, why, seat))
    ledger.mind_absences()


def resume(ledger: LedgerWriter, command: ev.MatchResumed) -> str:
    if ledger.match.status != "paused":
        return f"the match is {ledger.match.status}, not paused"
    paused = ledger.match.paused_at
    _give_back(ledger, command, ledger.now - paused if paused else timedelta(0))
    return ""


def take_absence(ledger: LedgerWriter, command: do.TakeAbsence) -> str:
    """Told to all; the seat's deadlines that fall in it, open ones and those to come, move to its end."""
    match = ledger.match
    if match.status not in ("open", "paused"):
        return "the match has not begun" if match.status == "filling" else "the match is over"
    start = max(command.start, ledger.now)
    if command.until > ledger.now + LONGEST:
        return _TOO_FAR
    if command.until <= start:
        return "that time is over already"
    wanted = ev.AbsenceTaken(command.seat, start, command.until)
    mine = [a for a in match.absences if a.seat == command.seat]
    before, whole = (sum((b - a for a, b in spans(some)), timedelta()) for some in (mine, [*mine, wanted]))
    if whole == before:
        return "you have said so already: nothing is added to your absence"
    if whole > command.most:
        left = max(command.most - before, timedelta(0))
        most, rest = (f"{span.days} day{'s' if span.days != 1 else ''}" for span in (command.most, left))
        return f"a player may be away {most} in one match, and you have {rest} left"
    ledger.write(wanted)
    ledger.mind_absences()
    return ""


# --- reminders ------------------------------------------------------------------------------------


def reminders_due(
    match: Match, now: datetime, habit: RemindersSection
) -> tuple[tuple[OpenRound, ev.Reminder, tuple[Demand, ...]], ...]:
    """The reminders to send now: the round, which reminder, and what is owed by those who have not answered. Of several
    marks passed at once only the latest is sent; the earlier are covered by it.

    They fall halfway and each span of `before` ahead of the deadline; without a deadline, or once
    it has passed and the round holds, every `again`. A match whose option names spans has these
    alone ahead of deadlines, and one that names none has no reminders at all."""
    found = []
    for r, due, silent in _running(match, now):
        passed = [mark for at, mark in _marks(match, r, due, now, habit) if at <= now]
        if passed and passed[-1] not in r.reminded:
            found.append((r, passed[-1], silent))
    return tuple(found)


def next_reminder(match: Match, now: datetime, habit: RemindersSection) -> datetime | None:
    """When somebody is to be reminded next."""
    moments = []
    for r, due, _ in _running(match, now):
        marks = _marks(match, r, due, now, habit)
        done = max((i for i, (_, mark) in enumerate(marks) if mark in r.reminded), default=-1)
        moments += [at for at, _ in marks[done + 1 :][:1]]
    return min(moments, default=None)


def _running(match: Match, now: datetime) -> Iterator[tuple[OpenRound, datetime | None, tuple[Demand, ...]]]:
    """What nobody has answered yet, by round and deadline; none whose deadline has come, so that
    nothing more need be said of it, though its ruling may still wait."""
    for r in match.rounds if match.status == "open" else ():
        found: dict[datetime | None, tuple[Demand, ...]] = {}
        for d in outstanding(match, r):
            if d.seat != REFEREE:
                due = r.due_for(d.seat)
                found[due] = (*found.get(due, ()), d)
        yield from ((r, due, some) for due, some in found.items() if due is None or now < due or r.holds)


def _marks(
    match: Match, r: OpenRound, due: datetime | None, now: datetime, habit: RemindersSection
) -> list[tuple[datetime, ev.Reminder]]:
    """The moments of the reminders of a deadline in time order, up to the first after `now`."""
    start, named = r.opened_at, match.timing.reminders
    before, halfway = (habit.before, habit.halfway) if named == "usual" else (named, False)
    if not named:
        return []
    since = r.moved_at or start
    own = due if due != r.due_at else None
    found: list[tuple[datetime, ev.Reminder]] = []
    if due is not None:
        found += [(start + (due - start) / 2, ev.Reminder("halfway", due=own))] if halfway else []
        found += [(due - s, ev.Reminder("before", int(s.total_seconds()), own)) for s in before]
        found = sorted((mark for mark in found if mark[0] > since), key=lambda mark: (mark[0], str(mark[1])))
    if due is None or r.holds:
        base = due or start
        count = max(0, int((now - base) / habit.again)) + 1
        found += [(base + k * habit.again, ev.Reminder("again", k, own)) for k in range(1, count + 1)]
    return found
