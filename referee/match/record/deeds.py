"""What a record says was done, done again by the functions that the match itself does it with: an
answer, a lapse, a reveal, a decision."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

from referee.base.errors import RefereeError
from referee.core import seam
from referee.core.answers import Body
from referee.core.codec import JsonObject
from referee.core.game import AnyGame, Given, Seen
from referee.core.value import LAPSED, REFEREE, Demand, Value
from referee.match import chain
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Impossible
from referee.match.decide import ORDERED, carried_out
from referee.match.events import Entry
from referee.match.fold import fold
from referee.match.handling import deadlines
from referee.match.handling.counting import counts, reveal
from referee.match.handling.seating import begin, step_in
from referee.match.ledger import LedgerWriter
from referee.match.match import Match, awaits_solver, outstanding
from referee.match.timing import game_setup, timing_faults

_LONGEST_ANSWER = 100_000  # characters: more than a mail may have
_LARGEST_DATA = 1_000_000  # characters: more than a moderator may give
_DIGEST = re.compile(r"[0-9a-f]{64}")
# What was done: a command, or what writes it and all that follows from it, and raises Unfounded.
Deed: TypeAlias = do.MatchCommand | Callable[[LedgerWriter], None]


class Unfounded(RefereeError, ValueError):
    """What a record says was done can't have been done, or says so at this entry; the argument says why."""

    def __init__(self, why: str, index: int = 0) -> None:
        super().__init__(why)
        self.index = index


class Stimulus(Value):
    """One stimulus as a record tells of it, in `lines` and as entries: those from `start` to before
    `end`; and what it publishes of the referee's secret."""

    lines: Sequence[JsonObject]
    entries: Sequence[Entry]
    start: int
    end: int

    @property
    def first(self) -> ev.Event:
        return self.entries[self.start].event

    @property
    def at(self) -> datetime:
        return self.entries[self.start].at

    @property
    def events(self) -> Iterator[ev.Event]:
        return (entry.event for entry in self.entries[self.start : self.end])

    @property
    def reveals(self) -> Iterator[ev.RoundRevealed]:
        return (event for event in self.events if isinstance(event, ev.RoundRevealed))

    def nonce(self, match: str, label: str, opened: int, demand: Demand) -> str:
        for event in self.reveals:
            for answer in event.answers if event.label == label else ():
                if answer.demand == demand:
                    return answer.nonce
        raise Unfounded(f"the nonce of seat {demand.seat} is missing")

    def seed(self, match: str) -> str:
        """None as long as nothing is drawn."""
        begun = next((e.seed for e in self.events if isinstance(e, ev.MatchBegun)), "")
        if begun and not _DIGEST.fullmatch(begun):
            raise Unfounded("the seed of the draw is none")
        return begun

    def salt(self, match: str, position: int, place: str) -> str:
        """As it is told; of a text that is forgotten, or that nobody tells of, none."""
        told = self.entries[position - 1 : position]
        return str(told[0].body.get("salts", {}).get(place, chain.NO_SALT)) if told else chain.NO_SALT


def deeds(game: AnyGame, match: Match, told: Stimulus, private: Mapping[Demand, Any]) -> tuple[Deed, ...]:
    """What may have been done, so that the stimulus begins as it is told: nearly always one thing.
    Of what a record does not tell (whether a deadline was moved *by* a span or *until* a moment)
    each is possible. `private` are answers with their private parts."""
    event = told.first
    if not match.version:
        return (partial(_open, told),) if isinstance(event, ev.MatchOpened) else ()
    match event:
        case ev.Answered(label, demand, action) if demand.kind in game.computed:
            return (do.Compute(label, private.get(demand) or game.actions_codec.decode(action)),)
        case ev.Answered(demand=demand):
            return (partial(_answer, event, private.get(demand)),)
        case ev.RoundRevealed(label) | ev.Lapsed(label) | ev.GraceBegun(label):
            return (partial(_pass, label),)
        case ev.StoodIn() | ev.CameBack() | ev.SeatOffered() | ev.MatchEnded():
            return (do.Expire(told.at),)
        case ev.EntrantJoined(entrant):
            return (do.Join(entrant),)
        case ev.EntrantReplaced(seat, entrant, ""):
            return (do.Join(entrant, seat),)
        case ev.EntrantLeft(seat) if not 1 <= seat <= len(match.roster):
            return ()
        case _ if type(event) in ORDERED:
            return (event,)
        case ev.DeadlineMoved(label, due_at, why, seat):
            r = match.round(label)
            old = r and (r.due_for(seat) if seat else r.due_at)
            moved = (do.Extend(why, seat, by=span) for span in (_spans(match, old, due_at) if old else ()))
            return (do.Extend(why, seat, until=due_at), *moved)
        case ev.Amended(data=data, changes=changes, why=why):
            options = {change.name: change.after for change in changes}
            again = any(isinstance(later, ev.MatchRewound) for later in told.events)
            return (do.Amend(options, data, again, why),)
        case ev.ClockTurnedBack(back_to=back, why=why):
            return (do.Rewind(back, why, answered=True),)
        case ev.MatchRewound(back_to=back, label=label, why=why):
            return do.Rewind(label, why), do.Rewind(back, why)
        case ev.AbsenceTaken(seat, start, until) if seat in match.numbers:
            return (do.TakeAbsence(seat, start, until, timedelta.max),)
        case ev.PressSent(seat, to, text) if seat in match.numbers:
            return (do.SendPress(seat, to, text, beside_sealed=True),)
    return ()


def seen(game: AnyGame, match: Match, told: Stimulus) -> Seen:
    """What everybody saw of it."""
    answers: dict[Demand, Any] = {}
    for event in told.events:
        match event:
            case ev.Answered(demand=demand, action=action):
                answers[demand] = game.actions_codec.decode(action)
            case ev.RoundRevealed(answers=revealed):
                answers |= {a.demand: _read(game, match, a.demand, a.text) for a in revealed}
            case ev.Lapsed(demands=demands):
                answers |= dict.fromkeys(demands, LAPSED)
    later = (entry.event for entry in islice(told.entries, told.end, None))
    happened, to_come = (
        (game.events_codec.decode(e.event) for e in events if isinstance(e, ev.Happened))
        for events in (told.events, later)
    )
    return Seen(answers, tuple(happened), to_come)


# --- answers that were sealed, or never told ------------------------------------------------------


def seal_again(ledger: LedgerWriter, told: Stimulus, private: Mapping[Demand, Any]) -> None:
    """The sealed answers that the stimulus reveals, as they were given."""
    match, game = ledger.match, ledger.game
    for event in told.reveals:
        r = match.round(event.label)
        if r is None or not r.sealed:
            raise Unfounded(f"{event.label!r} is no round with sealed answers")
        for answer in event.answers:
            demand, text = answer.demand, answer.text
            action, standing = _read(game, match, demand, text), ledger.standing
            if demand in r.demands and demand not in match.owed.get(r.label, ()):  # its seat has left since
                stood = [entry for entry in ledger.history() if entry.position <= r.opened]
                standing = fold(lambda _: game, stood).standing or standing
            _refuse(standing, demand, action)
            if seam.write(game, match.inner, demand, action) != text or not _DIGEST.fullmatch(answer.nonce):
                raise Unfounded(f"the answer of seat {demand.seat} is not put as answers are")
            mark = chain.seal(answer.nonce, match.name, r.label, r.opened, demand, text)
            kept = game.actions_codec.encode(private.get(demand, action))
            ledger.write(ev.Answered(r.label, demand, kept, text, True, mark))
        for words in (e for e in told.events if isinstance(e, ev.PressSent) and e.seat in match.numbers):
            ledger.write(ev.PressKept(words.seat, words.text))


def order(given: Given, ledger: LedgerWriter) -> None:
    """An answer that was never told: legal all the same."""
    demand, action = given
    game, state = ledger.game, ledger.match.inner
    if any(seam.answer_of(game, demand.kind).check(state, demand, action)):
        raise Unfounded(f"no {demand.kind} that the rules allow brings it about")
    counts(ledger, demand, action, action, seam.write(game, state, demand, action))


# --- how it is done again -------------------------------------------------------------------------


def _open(told: Stimulus, ledger: LedgerWriter) -> None:
    """The opening says by what everything is judged: it must be an opening that the referee would have made."""
    event, game = told.first, ledger.game
    assert isinstance(event, ev.MatchOpened)
    setup = game_setup(event.options, event.data, event.seats)
    if len(chain.canonical([event.data, event.options])) > _LARGEST_DATA:
        raise Unfounded("the data of the game are larger than any")
    if event.game != game.slug or event.seats not in game.seats(setup.options):
        raise Unfounded(f"{game.title} is not played by {event.seats:.9g}")
    faults = () if event.continues else (*game.faults(setup), *timing_faults(event.options))
    if faults:
        raise Unfounded(f"no match is opened so: {faults[0]}")
    if not _DIGEST.fullmatch(event.commitment) or len(event.roster) > event.seats:
        raise Unfounded("no match is opened so")
    seed = ledger.keys.seed(event.match) if len(event.roster) == event.seats else event.seed
    if seed is not None:
        _committed(seed, event.commitment)
    begin(ledger, event, seed or "", [e.event for e in told.events if isinstance(e, ev.Happened)])


def _committed(seed: str, to: str) -> None:
    if chain.commitment(seed) != to:
        raise Unfounded("the seed of the draw is not the one that the opening committed to")


def _answer(event: ev.Answered, whole: Any, ledger: LedgerWriter) -> None:
    """`whole`: the action with its private part, where it had one."""
    match, game, demand = ledger.match, ledger.game, event.demand
    action = game.actions_codec.decode(event.action)
    if match.status != "open" or awaits_solver(match):
        raise Unfounded("no answer is taken there")
    r = match.round_of(demand)
    if r and (r.sealed or (r.answers == "first" and r.answer_of(demand))):
        raise Unfounded(f"{r.label!r} takes no such answer")
    if event.text != chain.in_place(match.position + 1) and _read(game, match, demand, event.text) != action:
        raise Unfounded("the answer's words say something else")
    _refuse(ledger.standing, demand, action)
    text = seam.write(game, match.inner, demand, seam.public(game, demand, action))
    counts(ledger, demand, action if whole is None else whole, action, text, type(event))


def _pass(label: str, ledger: LedgerWriter) -> None:
    """A sealed round that all have answered is revealed; else its deadline has passed."""
    match, r = ledger.match, ledger.match.round(label)
    if r is None or match.status != "open":
        raise Unfounded(f"{label!r} is not open")
    passing = deadlines.passing_of(match, r)
    if r.sealed and not outstanding(match, r):
        reveal(ledger, r)
    elif passing is None or passing.at >= ledger.now or r.holds:
        raise Unfounded(f"the deadline of {label!r} had not passed")
    else:
        deadlines.passed(ledger, passing)


def done(deed: Deed, ledger: LedgerWriter) -> None:
    """What was done, and all that follows from it. Raises Unfounded."""
    if callable(deed):
        deed(ledger)
        step_in(ledger)
    elif isinstance(verdict := carried_out(ledger, deed), Impossible):
        raise Unfounded(verdict.why)
    begun = next((e.event for e in ledger.entries if isinstance(e.event, ev.MatchBegun)), None)
    if begun is not None:
        _committed(begun.seed, ledger.match.commitment)


def _spans(match: Match, old: datetime, due: datetime) -> Iterator[timedelta]:
    """By how much a deadline may have been moved to go from one moment to the other: what is left
    until the match's hour comes is in no record."""
    yield due - old
    counted = match.timing.between(old, due)
    if counted != due - old or match.timing.hour is not None:
        yield from (span for hours in range(25) if (span := counted - timedelta(hours=hours)) > timedelta(0))


def _read(game: AnyGame, match: Match, demand: Demand, text: str) -> Any:
    if len(text) > _LONGEST_ANSWER:
        raise Unfounded(f"the answer of seat {demand.seat} is longer than any")
    if demand.seat not in (REFEREE, *match.numbers):
        raise Unfounded(f"there is no seat {demand.seat:.9g}")
    return seam.read(game, match.inner, demand, Body.of(text), match.party(demand.seat or 1)).action


def _refuse(standing: seam.Standing, demand: Demand, action: Any) -> None:
    if action is None:
        raise Unfounded(f"the answer of seat {demand.seat} can't be read")
    if complaints := standing.check(demand, action):
        why = ", ".join(sorted({f"{c.code} ({c.rule})" for c in complaints}))
        raise Unfounded(f"the rules refuse the {demand.kind} of seat {demand.seat}: {why}")
