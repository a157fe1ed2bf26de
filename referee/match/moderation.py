"""The moderator's desk: extensions, pauses, rulings, rewinds, replacements. Each says why, in public."""

from __future__ import annotations

from datetime import UTC, datetime

from referee.match import commands as do
from referee.match import events as ev
from referee.match.amendments import still_in_force
from referee.match.match import OpenRound
from referee.match.pen import Pen
from referee.match.sealing import Keys
from referee.match.timeline import end_of_position, fate_of, opening_of
from referee.match.verdicts import Done, Impossible, Verdict


def extend(pen: Pen, command: do.Extend, keys: Keys) -> Verdict:
    """Move the deadline of what is owed, for one seat or for all; nobody's own later deadline is made shorter by it."""
    moved = False
    for r in pen.match.rounds:
        if r.due_at is None or (command.seat and command.seat not in {d.seat for d in r.demands}):
            continue
        old = r.due_for(command.seat) if command.seat else r.due_at
        assert old is not None
        new = _moved(old, command)
        if new <= pen.now:
            return Impossible(
                f"the new deadline, {new.astimezone(UTC):%Y-%m-%d, %H:%M} UTC, lies in the past"
            )
        own = {} if command.seat else _own_deadlines(r, new, command)
        pen.write(ev.DeadlineMoved(r.label, new, command.why, command.seat))
        for seat, at in own.items():
            pen.write(ev.DeadlineMoved(r.label, at, command.why, seat))
        moved = True
    pen.mind_absences()
    return Done() if moved else Impossible("nothing with a deadline is owed there")


def _moved(old: datetime, command: do.Extend) -> datetime:
    return command.until or old + (command.by or old - old)


def _own_deadlines(r: OpenRound, new: datetime, command: do.Extend) -> dict[int, datetime]:
    """The seats whose own deadline lies later than the new one of all, once it has moved as far."""
    own = {seat: at if command.until else _moved(at, command) for seat, at in sorted(r.moved.items())}
    return {seat: at for seat, at in own.items() if at > new}


def pause(pen: Pen, command: do.Pause, keys: Keys) -> Verdict:
    if pen.match.status != "open":
        return Impossible(f"the match is {pen.match.status}")
    pen.write(ev.MatchPaused(command.why))
    return Done()


def resume(pen: Pen, command: do.Resume, keys: Keys) -> Verdict:
    if pen.match.status != "paused":
        return Impossible(f"the match is {pen.match.status}, not paused")
    pen.write(ev.MatchResumed(command.why))
    pen.mind_absences()
    return Done()


def rewind(pen: Pen, command: do.Rewind, keys: Keys) -> Verdict:
    """The game stands again as it did; its rounds re-open with a fresh window (611)."""
    if pen.match.inner is None:
        return Impossible("the match has not begun")
    history = pen.history()
    if isinstance(command.to, int):
        found = end_of_position(history, command.to) if command.to <= pen.match.position else None
    else:
        opening = opening_of(history, command.to)
        found = (opening.version - 1, opening.label) if opening else None
    if found is None:
        return Impossible(
            f"there is nothing to rewind to at {command.to!r}; `show` and `record` list the rounds"
        )
    to, label = found
    seen = any(isinstance(e.event, ev.RoundRevealed) for e in history[to:])
    pen.write(ev.MatchRewound(to, history[to - 1].position, label, command.why, seen))
    pen.happen(still_in_force(pen.game, pen.match.inner, history, to))
    for seat in sorted({e.event.seat for e in history[to:] if isinstance(e.event, ev.EntrantReplaced)}):
        pen.happen(pen.game.filled(pen.match.inner, seat))  # who sits there now stays there
    pen.settle()
    return Done()


def rule(pen: Pen, command: do.Rule, keys: Keys) -> Verdict:
    """The moderator rules on a turn that was made; past the statute of limitations none is ruled illegal (611)."""
    history = pen.history()
    opening = opening_of(history, command.label) if pen.match.inner is not None else None
    if opening is None:
        return Impossible(f"there was no turn {command.label!r}; `show` and `record` list the rounds")
    label, fate = opening.label, fate_of(history, opening)
    if fate == "open":
        return Impossible(f"the turn {label!r} has not been made yet: there is nothing to rule on")
    if fate == "missed":
        return Impossible(f"no turn was made in {label!r}: its deadline passed")
    if not command.legal and not pen.game.statute_open(pen.match.inner, label):
        return Impossible(
            f"the Statute of Limitations on {label!r} has run, so the turn stands (611); "
            "`rewind` sets the match back all the same"
        )
    return ruled(pen, do.Rule(label, command.legal, command.why), keys)


def ruled(pen: Pen, command: do.Rule, keys: Keys) -> Verdict:
    """The ruling told; an illegal turn within the statute is rewound, beyond it the turn stands (611)."""
    back = not command.legal and pen.game.statute_open(pen.match.inner, command.label)
    pen.write(ev.TurnRuled(command.label, command.legal, command.why, back))
    return rewind(pen, do.Rewind(command.label, command.why), keys) if back else Done()


def add_address(pen: Pen, command: do.AddAddress, keys: Keys) -> Verdict:
    if command.address.casefold() not in (a.casefold() for a in pen.match.entrant(command.seat).addresses):
        pen.write(ev.AddressAdded(command.seat, command.address))
    return Done()


def set_zone(pen: Pen, command: do.SetZone, keys: Keys) -> Verdict:
    if pen.match.entrant(command.seat).zone != command.zone:
        pen.write(ev.ZoneSet(command.seat, command.zone))
    return Done()


def say(pen: Pen, command: do.Say, keys: Keys) -> Verdict:
    pen.write(ev.Said(command.text))
    return Done()


def observe(pen: Pen, command: do.Observe, keys: Keys) -> Verdict:
    watching = command.address in pen.match.observers
    if command.stop and watching:
        pen.write(ev.ObserverRemoved(command.address))
    elif not command.stop and not watching:
        pen.write(ev.ObserverAdded(command.address))
    return Done()
