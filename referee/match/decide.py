"""The match decides: a command, the state before and a clock give new entries and a verdict. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from referee.core.codec import JsonObject
from referee.core.game import AnyGame
from referee.core.texts.words import masked
from referee.core.value import Value
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import Secrets
from referee.match.commands import Accepted, Discarded, Done, Kept, Verdict, Withdrawn
from referee.match.handling import deadlines, moderating, rewinding, seating, submit
from referee.match.handling.counting import follow
from referee.match.ledger import LedgerWriter
from referee.match.match import UNOPENED, History, Match

# A text says why it can't be, an empty one that it is done.
_Handler = Callable[[LedgerWriter, Any], Verdict | str]
_HANDLERS: Mapping[type, _Handler] = {
    do.Submit: submit.submit,
    do.Withdraw: submit.withdraw,
    do.Expire: deadlines.expire,
    do.Compute: deadlines.compute,
    ev.DowntimeAdded: deadlines.add_downtime,
    do.Extend: deadlines.extend,
    ev.MatchResumed: deadlines.resume,
    do.Rewind: rewinding.rewind,
    do.Rule: rewinding.rule,
    do.Amend: moderating.amend,
    do.Join: seating.join,
    ev.EntrantLeft: seating.step_back,
    ev.EntrantReplaced: seating.replace,
    ev.SeatVacated: seating.vacate,
    ev.MatchStopped: moderating.end,
    do.TakeAbsence: deadlines.take_absence,
    do.SendPress: moderating.send_press,
    ev.ObserverRemoved: seating.observe,
}
# What is just one event: the verb, and why it can't be; "" where it can, None where it would change nothing.
_EVENTS: Mapping[type, tuple[str, Callable[[Match, Any], str | None]]] = {
    ev.SilentReminded: ("Remind", lambda m, e: "" if m.round(e.label) else f"{e.label!r} is no longer open"),
    ev.MatchPaused: ("Pause", lambda m, e: "" if m.status == "open" else f"the match is {m.status}"),
    ev.SubstituteNamed: ("NameSubstitute", seating.unfit_substitute),
    ev.SubstituteDropped: (
        "DropSubstitute",  # one who stands in plays on until the absence ends
        lambda m, e: "" if e.seat in m.substitutes else "nobody is named as a substitute there",
    ),
    ev.SeatsReaddressed: ("ChangeAddress", seating.unfit_address),
    ev.ZoneSet: ("SetZone", lambda m, e: None if m.entrant(e.seat).zone == e.zone else ""),
    ev.ReplyAddressRenewed: ("RenewReplyAddress", lambda m, e: ""),
    ev.ObserverAdded: ("Observe", lambda m, e: None if seating.watching(m, e.address) else ""),
    ev.Said: ("Say", lambda m, e: ""),
    ev.SaidToOne: ("Say", lambda m, e: "" if e.seat in m.numbers else f"there is no seat {e.seat}"),
}


def verb(command: do.MatchCommand) -> str:
    """What the command orders, in a word that ids of letters are made from: "Pause", "NameSubstitute"."""
    kind = type(command)
    if kind in _EVENTS:
        return _EVENTS[kind][0]
    return _HANDLERS[kind].__name__.replace("_", " ").title().replace(" ", "")


class Decision(Value):
    """`entries` is what the ledger gains (empty when nothing changed), `match` the state after."""

    match: Match
    entries: tuple[ev.Entry, ...]
    verdict: Verdict


def opened(
    game: AnyGame,
    opening: ev.MatchOpened,
    seed: str,
    now: datetime,
    keys: Secrets,
    happened: Sequence[JsonObject] = (),
) -> Decision:
    """A new match: its opening entry and, when no seat is vacant, its beginning. `happened` are the game's own events
    of one that goes on from another's position."""
    ledger = LedgerWriter(game, UNOPENED, now, tuple, keys)
    ledger.write(opening)
    if opening.continues is not None:
        seating.begin_continued(ledger, seed, happened)
    else:
        seating.begin_when_full(ledger, opening.data, seed)
    return Decision(ledger.match, tuple(ledger.entries), Done())


def decide(
    game: AnyGame, match: Match, command: do.MatchCommand, now: datetime, keys: Secrets, history: History
) -> Decision:
    """What a command does to a running match. Raises nothing for what players or moderators ask. Its words go into the
    ledger without addresses, so that nothing in a public record has to be hidden later."""
    ledger = LedgerWriter(game, match, now, history, keys, _happened(match, command))
    verdict = carried_out(ledger, masked(command))
    if not isinstance(verdict, Accepted | Withdrawn | Kept | Discarded | Done):
        return Decision(match, (), verdict)
    if ledger.match.ahead:
        follow(ledger)
    return Decision(ledger.match, tuple(ledger.entries), verdict)


def carried_out(ledger: LedgerWriter, command: do.MatchCommand) -> Verdict:
    """The same, written where the caller says. A seat that falls vacant by it is taken by whoever is named for it."""
    found: Verdict | str | None
    if isinstance(command, ev.Event) and type(command) in _EVENTS:
        found = _EVENTS[type(command)][1](ledger.match, command)
        if found == "":
            ledger.write(command)
    else:
        found = _HANDLERS[type(command)](ledger, command)
    if ledger.entries:
        seating.step_in(ledger)
    return found if isinstance(found, Verdict) else do.Impossible(found) if found else Done()


def _happened(match: Match, command: do.MatchCommand) -> datetime | None:
    """When the stimulus happened (None: at the clock of the pass). What the referee's own answer
    opens has waited for it alone: it begins when the question did."""
    match command:
        case do.Submit():
            return command.since or command.arrived
        case do.Join():
            return command.arrived
        case do.Expire():
            return command.since
        case do.Compute():
            asked = match.round(command.label)
            return asked.begun if asked else None
    return None
