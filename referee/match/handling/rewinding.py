"""What of a ledger still stands: rewinds make entries void, rulings make rewinds, and amendments outlive them (611)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from referee.core.codec import JsonObject
from referee.match import commands as do
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.ledger import LedgerWriter
from referee.match.timing import game_setup

_BY_TIME = ev.Lapsed | ev.RoundRevealed | ev.GraceBegun | ev.DowntimeAdded | ev.StoodIn | ev.CameBack


def rewind(ledger: LedgerWriter, command: do.Rewind) -> str:
    """The game stands again as it did; its rounds re-open with a fresh window (611)."""
    if ledger.match.inner is None:
        return "the match has not begun"
    history = ledger.history()
    if isinstance(command.to, int):
        found = end_of_position(history, command.to) if command.to <= ledger.match.position else None
    else:
        opening = opening_of(history, command.to)
        found = (opening[1] - 1, opening[0]) if opening else None
    if found is None:
        return f"there is nothing to rewind to at {command.to!r}; `show` and `record` list the rounds"
    to, label = found
    seen = any(isinstance(e.event, ev.RoundRevealed) for e in history[to:])
    kind = ev.ClockTurnedBack if command.answered else ev.MatchRewound
    ledger.write(kind(to, history[to - 1].position, label, command.why, seen))
    ledger.happen(still_in_force(ledger, ledger.match.inner, history, to))
    for seat in sorted({e.event.seat for e in history[to:] if isinstance(e.event, ev.EntrantReplaced)}):
        ledger.happen(ledger.game.filled(ledger.match.inner, seat))  # who sits there now stays there
    ledger.settle()
    return ""


def ahead_of(history: Sequence[Entry], now: datetime) -> int | None:
    """The public position before the first thing that time alone has done and that was not due by `now`."""
    timed = (e for e in in_force(history) if e.cause == e.version and isinstance(e.event, _BY_TIME))
    return next((e.position - 1 for e in timed if (e.since or e.at) > now), None)


def rule(ledger: LedgerWriter, command: ev.TurnRuled) -> str:
    """The moderator rules on a turn that was made; past the statute of limitations none is ruled illegal (611)."""
    history = ledger.history()
    opening = opening_of(history, command.label) if ledger.match.inner is not None else None
    if opening is None:
        return f"there was no turn {command.label!r}; `show` and `record` list the rounds"
    label, opened = opening
    later = [entry.event for entry in in_force(history) if entry.version > opened]
    closed = (e.label for e in later if isinstance(e, ev.RoundClosed | ev.RoundRevealed))
    if label not in closed and not any(isinstance(e, ev.MatchEnded) for e in later):
        return f"the turn {label!r} has not been made yet: there is nothing to rule on"
    if not answers_in(history, opening):
        return f"no turn was made in {label!r}: its deadline passed"
    if not command.legal and not ledger.game.statute_open(ledger.match.inner, label):
        return (
            f"the Statute of Limitations on {label!r} has run, so the turn stands (611); "
            "`rewind` sets the match back all the same"
        )
    return ruled(ledger, replace(command, label=label))


def ruled(ledger: LedgerWriter, command: ev.TurnRuled) -> str:
    """The ruling told; an illegal turn within the statute is rewound, beyond it the turn stands (611)."""
    back = not command.legal and ledger.game.statute_open(ledger.match.inner, command.label)
    ledger.write(replace(command, reopened=back))
    return rewind(ledger, do.Rewind(command.label, command.why)) if back else ""


# --- what stands ----------------------------------------------------------------------------------


Start = tuple[str, int]  # a round as it was opened: its whole label, and the ledger version of its opening


def in_force(history: Sequence[Entry]) -> list[Entry]:
    """The entries whose effects the match still shows: none that a rewind made void, all that a
    later rewind to a point among the void ones brought back."""
    pieces, end = list[Sequence[Entry]](), len(history)
    rewinds = [(at, e.event.to) for at, e in enumerate(history) if isinstance(e.event, ev.MatchRewound)]
    for at, to in reversed(rewinds):
        if at < end:
            pieces.append(history[at:end])
            end = to
    pieces.append(history[:end])
    return [entry for piece in reversed(pieces) for entry in piece]


def opening_of(history: Sequence[Entry], label: str) -> Start | None:
    """Where the round of that label last opened, as things stand; "Round 3 / Player 2" also names
    the latest round whose label ends so ("Cycle 1 / Round 3 / Player 2")."""
    wanted = _parts(label)
    for entry in reversed(in_force(history)):
        if isinstance(entry.event, ev.RoundOpened) and _parts(entry.event.label)[-len(wanted) :] == wanted:
            return entry.event.label, entry.version
    return None


def answers_in(history: Sequence[Entry], start: Start) -> list[Entry]:
    """The answers that the round opened there got, as things stand; sealed ones among them."""
    return [
        e
        for e in in_force(history)
        if e.version > start[1] and isinstance(e.event, ev.Answered) and e.event.label == start[0]
    ]


def end_of_position(history: Sequence[Entry], position: int) -> tuple[int, str] | None:
    """The ledger version at the end of the last stimulus that lay wholly at or before the public position, and the
    label of the round that was then the latest to open. Void positions count too: so a rewind can be undone."""
    begun = next((e.cause for e in history if isinstance(e.event, ev.MatchBegun)), None)
    ends = [
        entry
        for entry, following in zip(history, [*history[1:], None], strict=True)
        if (following is None or following.cause != entry.cause) and entry.position <= position
    ]
    if begun is None or not ends or ends[-1].version < begun or position < 1:
        return None
    end = ends[-1]
    opened = [e.event.label for e in in_force(history[: end.version]) if isinstance(e.event, ev.RoundOpened)]
    return (end.version, opened[-1]) if opened else None


def _parts(label: str) -> list[str]:
    return [" ".join(part.split()).casefold() for part in label.split("/")]


# --- the rules in force ---------------------------------------------------------------------------


def data_in_force(history: Sequence[Entry]) -> JsonObject:
    """The data of the last amendment that brought any, else those of the opening."""
    brought = (e.event.data for e in reversed(history) if isinstance(e.event, ev.Amended | ev.MatchOpened))
    return next(data for data in brought if data is not None)


def still_in_force(ledger: LedgerWriter, state: Any, history: Sequence[Entry], since: int) -> tuple[Any, ...]:
    """The game's facts by which `state`, as of ledger version `since`, takes the rules as amended later (611)."""
    later = [e.event for e in history[since:] if isinstance(e.event, ev.Amended)]
    if not later:
        return ()
    setup = game_setup(later[-1].options, data_in_force(history), ledger.match.seats)
    return ledger.game.amended(state, setup).events
