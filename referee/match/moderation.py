"""The moderator's desk: extensions, pauses, rulings, rewinds, replacements. Each says why, in public."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.game import REFEREE
from referee.match import commands as do
from referee.match import events as ev
from referee.match.amendments import still_in_force
from referee.match.pen import Pen
from referee.match.sealing import Keys
from referee.match.verdicts import Done, Impossible, Verdict


def extend(pen: Pen, command: do.Extend, keys: Keys) -> Verdict:
    """Move the deadline of what is owed, for one seat or for all."""
    moved = False
    for r in pen.match.rounds:
        if r.due_at is None or (command.seat and command.seat not in {d.seat for d in r.demands}):
            continue
        old = r.due_for(command.seat) if command.seat else r.due_at
        assert old is not None
        new = command.until or old + (command.by or old - old)
        if new <= pen.now:
            return Impossible(f"the new deadline {new.isoformat()} lies in the past")
        pen.write(ev.DeadlineMoved(r.label, new, command.why, command.seat))
        moved = True
    pen.mind_absences()
    return Done() if moved else Impossible("nothing with a deadline is owed there")


def pause(pen: Pen, command: do.Pause, keys: Keys) -> Verdict:
    if pen.match.status != "open":
        return Impossible(f"the match is {pen.match.status}")
    pen.write(ev.MatchPaused(command.why))
    return Done()


def resume(pen: Pen, command: do.Resume, keys: Keys) -> Verdict:
    if pen.match.status != "paused":
        return Impossible(f"the match is {pen.match.status}, not paused")
    pen.write(ev.MatchResumed(command.why))
    return Done()


def rewind(pen: Pen, command: do.Rewind, keys: Keys) -> Verdict:
    """The game stands again as it did; its rounds re-open with a fresh window (611)."""
    if pen.match.inner is None:
        return Impossible("the match has not begun")
    history = pen.history()
    found = (
        _by_label(history, command.to) if isinstance(command.to, str) else _by_position(history, command.to)
    )
    if found is None or (isinstance(command.to, int) and command.to > pen.match.position):
        return Impossible(
            f"there is nothing to rewind to at {command.to!r}; `show` and `record` list the rounds"
        )
    to, label = found
    seen = any(isinstance(e.event, ev.RoundRevealed) for e in history[to:])
    pen.write(ev.MatchRewound(to, history[to - 1].position, label, command.why, seen))
    pen.happen(still_in_force(pen.game, pen.match.inner, history, to))
    pen.settle()
    return Done()


def rule(pen: Pen, command: do.Rule, keys: Keys) -> Verdict:
    """An illegal turn within the statute of limitations is rewound; beyond it the turn stands (611)."""
    found = _by_label(pen.history(), command.label)
    if pen.match.inner is None or found is None:
        return Impossible(f"there was no turn {command.label!r}")
    label = found[1]
    back = not command.legal and pen.game.statute_open(pen.match.inner, label)
    pen.write(ev.TurnRuled(label, command.legal, command.why, back))
    return rewind(pen, do.Rewind(label, command.why), keys) if back else Done()


def replaced(pen: Pen, command: do.Replace, keys: Keys) -> Verdict:
    """Another person takes the seat; what a left seat held up goes on (104)."""
    if command.seat not in pen.match.numbers:
        return Impossible(f"there is no seat {command.seat}; there are {_listed(pen.match.numbers)}")
    pen.write(ev.EntrantReplaced(command.seat, command.entrant, command.why))
    if pen.match.inner is not None and pen.match.status != "ended":
        pen.happen(pen.game.filled(pen.match.inner, command.seat))
        pen.settle()
    return Done()


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


def _by_label(history: Sequence[ev.Entry], label: str) -> tuple[int, str] | None:
    """The version just before the round of that label last opened; "Round 3 / Player 2" also names the latest round
    whose label ends so ("Cycle 1 / Round 3 / Player 2")."""
    wanted = _parts(label)
    for entry in reversed(history):
        if isinstance(entry.event, ev.RoundOpened) and _parts(entry.event.label)[-len(wanted) :] == wanted:
            return entry.version - 1, entry.event.label
    return None


def _parts(label: str) -> list[str]:
    return [" ".join(part.split()).casefold() for part in label.split("/")]


def _by_position(history: Sequence[ev.Entry], position: int) -> tuple[int, str] | None:
    """The end of the last stimulus that lay wholly at or before the public position."""
    begun = next((e.cause for e in history if isinstance(e.event, ev.MatchBegun)), None)
    ends = [
        entry
        for entry, following in zip(history, [*history[1:], None], strict=True)
        if (following is None or following.cause != entry.cause) and entry.position <= position
    ]
    if begun is None or not ends or ends[-1].version < begun or position < 1:
        return None
    end = ends[-1]
    labels = [e.event.label for e in history[: end.version] if isinstance(e.event, ev.RoundOpened)]
    return (end.version, labels[-1]) if labels else None


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(n) for n in numbers if n != REFEREE)
