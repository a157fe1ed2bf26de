"""The match decides: a command, the state before and a clock give new entries and a verdict. Pure."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, get_type_hints

from referee.core.codec import JsonObject
from referee.core.game import Amendment, AnyGame
from referee.core.value import Value, masked
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import Secrets
from referee.match.handling import deadlines, rewinding, seating, submit
from referee.match.handling.counting import follow
from referee.match.ledger import LedgerWriter
from referee.match.match import UNOPENED, History, Match
from referee.match.timing import MOVING, OPTIONS, game_setup

CALLED_OFF = "The moderator has called it off."
_REASONS: Mapping[str, str] = {
    "called-off": CALLED_OFF,
    "drawn": "The moderator has ended it as a draw.",
    "won": "The moderator has decided it.",
}


class Decision(Value):
    """`entries` is what the ledger gains (empty when nothing changed), `match` the state after."""

    match: Match
    entries: tuple[ev.Entry, ...]
    verdict: do.Verdict


def opened(
    game: AnyGame,
    opening: ev.MatchOpened,
    seed: str,
    now: datetime,
    keys: Secrets,
    happened: Sequence[JsonObject] = (),
) -> Decision:
    """A new match: its opening entry and, when no seat is vacant, its beginning. `happened` are the
    game's own events of one that goes on from another's position."""
    ledger = LedgerWriter(game, UNOPENED, now, tuple, keys)
    seating.begin(ledger, opening, seed, happened)
    return Decision(ledger.match, tuple(ledger.entries), do.Done())


def decide(
    game: AnyGame, match: Match, command: do.MatchCommand, now: datetime, keys: Secrets, history: History
) -> Decision:
    """What a command does to a running match. Raises nothing for what players or moderators ask. Its words go into the
    ledger without addresses, so that nothing in a public record has to be hidden later."""
    since: datetime | None = None
    match command:  # when the stimulus happened (None: at the clock of the pass)
        case do.Submit(arrived=arrived):
            since = command.since or arrived
        case do.Join(arrived=at) | do.Expire(since=at):
            since = at
        case do.Compute(label) if (asked := match.round(label)) is not None:
            since = asked.begun  # what the referee's own answer opens has waited for it alone
    ledger = LedgerWriter(game, match, now, history, keys, since if since and since < now else None)
    verdict = carried_out(ledger, masked(command))
    if not isinstance(verdict, do.Accepted | do.Withdrawn | do.Kept | do.Discarded | do.Done):
        return Decision(match, (), verdict)
    if ledger.match.ahead:
        follow(ledger)
    return Decision(ledger.match, tuple(ledger.entries), verdict)


def carried_out(ledger: LedgerWriter, command: do.MatchCommand) -> do.Verdict:
    """The same, written where the caller says. A seat that falls vacant by it is taken by whoever is named for it."""
    found: do.Verdict | str | None
    if isinstance(command, ev.Event) and type(command) in _EVENTS:
        found = _EVENTS[type(command)][1](ledger.match, command)
        if found == "":
            ledger.write(command)
    else:
        found = _HANDLERS[type(command)](ledger, command)
    if ledger.entries:
        seating.step_in(ledger)
    return found if isinstance(found, do.Verdict) else do.Impossible(found) if found else do.Done()


# --- what is ordered ------------------------------------------------------------------------------


def amend(ledger: LedgerWriter, command: do.Amend) -> str:
    """Never retroactive but for objections (611) and what is asked for again. Open deadlines stay as they are, unless
    the hour or the days off are amended. Of options that every match has the game is told nothing."""
    match = ledger.match
    if match.inner is None or match.status == "ended":
        return f"the match is {match.status}: its rules can be amended only while it runs"
    old = rewinding.data_in_force(ledger.history())
    data = old if command.data is None else command.data
    options = {**match.options, **command.options}
    changes = tuple(
        ev.OptionChange(name, match.options.get(name, ""), value)
        for name, value in command.options.items()
        if match.options.get(name) != value
    )
    if not changes and data == old:
        return "those are its rules already"
    its_own = data != old or not {change.name for change in changes} <= set(OPTIONS)
    setup = game_setup(options, data, match.seats)
    amendment = ledger.game.amended(match.inner, setup) if its_own else Amendment[Any]()
    if amendment.faults:
        return " ".join(amendment.faults).rstrip(".")
    ledger.write(ev.Amended(options, None if data == old else data, changes, command.why))
    if MOVING & {change.name for change in changes}:
        deadlines.mind_timing(ledger, match.timing, command.why)
    sealed = next((r.label for r in match.rounds if r.sealed), None)
    if (command.again or data != old) and sealed is not None:
        # whatever has been answered: nothing may hang on what nobody has seen
        return rewinding.rewind(ledger, do.Rewind(sealed, command.why))
    ledger.happen(amendment.events)
    ledger.settle()
    return ""


def end(ledger: LedgerWriter, command: ev.MatchStopped) -> str:
    """What was decided stands; what is sealed stays sealed. A match that has not begun can only be called off."""
    match = ledger.match
    if command.how not in _REASONS:
        return f"a match is ended as one of {', '.join(_REASONS)}"
    if match.status == "ended":
        return "the match is over already"
    if match.inner is None and command.how != "called-off":
        return "the match has not begun, so it can only be called off"
    if strange := [n for n in command.winners if n not in match.numbers]:
        return f"there is no Player {strange[0]} in this match"
    if (command.how == "won") != bool(command.winners):
        return "who has won is said of a match that is won, and of no other"
    ledger.write(command)
    ledger.write(ev.MatchEnded(command.winners, {}, _REASONS[command.how]))
    return ""


def send_press(ledger: LedgerWriter, command: do.SendPress) -> str:
    """Words of one player to some or all, as the match allows (multigo G25, onepiece C12)."""
    match = ledger.match
    if match.inner is None or match.status == "ended":
        return "players can talk only while the match lasts"
    talk = match.options.get("press", command.talk)
    if talk == "off":
        return "in this match players do not talk to each other"
    if command.to and talk == "public":
        return "in this match players may talk only in public, to all"
    if strange := [n for n in command.to if n not in match.numbers]:
        return f"there is no Player {strange[0]} in this match"
    if command.seat in command.to:
        return "that would be a letter to yourself"
    sealed = not command.beside_sealed and any(r.sealed for r in match.rounds)
    if sealed and command.to:
        return "sealed answers are owed just now, and before the reveal words go to nobody alone"
    to_all = ev.PressKept(command.seat, command.text)
    ledger.write(to_all if sealed else ev.PressSent(command.seat, command.to, command.text))
    return ""


# Who carries out the command that they take: a text says why it can't be, an empty one that it is done.
_Handler = Callable[[LedgerWriter, Any], do.Verdict | str]
_CARRYING_OUT: tuple[_Handler, ...] = (
    submit.submit, submit.withdraw, deadlines.expire, deadlines.compute, deadlines.add_downtime, deadlines.extend,
    deadlines.resume, deadlines.take_absence, rewinding.rewind, rewinding.rule, seating.join, seating.step_back,
    seating.replace, seating.vacate, seating.observe, amend, end, send_press,
)  # fmt: skip
_HANDLERS: Mapping[type, _Handler] = {get_type_hints(each)["command"]: each for each in _CARRYING_OUT}
# What is just one event: the verb, and why it can't be; "" where it can, None where it would change nothing.
_EVENTS: Mapping[type, tuple[str, Callable[[Match, Any], str | None]]] = {
    ev.SilentReminded: ("Remind", lambda m, e: "" if m.round(e.label) else f"{e.label!r} is no longer open"),
    ev.ReminderVoided: ("Unremind", lambda m, e: "" if m.round(e.label) else None),
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
# What is ordered by the very event that tells of it.
ORDERED = {kind for kind in (*_EVENTS, *_HANDLERS) if issubclass(kind, ev.Event)}


def verb(command: do.MatchCommand) -> str:
    """What the command orders, in a word that ids of letters are made from: "Pause", "NameSubstitute"."""
    kind = type(command)
    if kind in _EVENTS:
        return _EVENTS[kind][0]
    return _HANDLERS[kind].__name__.replace("_", " ").title().replace(" ", "")
