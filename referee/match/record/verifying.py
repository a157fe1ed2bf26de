"""Whether a record is true: all that it holds is under its chain, or made anew from what is, or
refused.

The first entry of a stimulus tells what was done. It is done again (`deeds`) by the functions that the match itself
does it with, and everything that follows from it must be what the record tells, entry for entry, none more and none
fewer. What of the referee's secret that asks for, the record has published. What a verified record proves, and what
nobody can know from it, stands in docs/threats.md."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

from referee.base.errors import RefereeError
from referee.core import seam
from referee.core.answers import Body
from referee.core.codec import JsonDict, JsonObject
from referee.core.game import AnyGame, Given, LeavesUntold, Seen
from referee.core.options import OptionSpec
from referee.core.value import LAPSED, REFEREE, Demand, Value
from referee.match import chain
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import canonical, hash_of, private_again, public_form, taken_out
from referee.match.decide import ORDERED, carried_out
from referee.match.handling import deadlines
from referee.match.handling.counting import counts, reveal
from referee.match.handling.seating import begin, step_in
from referee.match.ledger import LedgerWriter
from referee.match.match import UNOPENED, Match, awaits_solver, fold, outstanding
from referee.match.record import public
from referee.match.record.public import RECIPES, Record
from referee.match.timing import BEFORE, Timing, game_setup, timing_faults

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
    entries: Sequence[ev.Entry]
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
    elif isinstance(verdict := carried_out(ledger, deed), do.Impossible):
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


# --- whether all of it is so ----------------------------------------------------------------------


_LOOKING_BACK = ev.MatchRewound | ev.TurnRuled | ev.Amended  # they go through the whole match so far
_MOST_CHANGED = timedelta(hours=3)  # by which a zone's rules may come to show another time
_MOST_ENTRIES = 100_000  # ten times what the longest match has
_MOST_LOOKED_AT = 20_000_000  # entries, by all of these together
# What a private answer may bring about before all eyes.
_UNTOLD = ev.Happened | ev.RoundOpened | ev.RoundClosed
_STUMBLING = (  # what another match's facts, which nobody has judged, may make a game do
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError, StopIteration, RuntimeError,
)  # fmt: skip
_DOES_NOT_FOLLOW = "what is said to have happened does not follow from what was done"
_GOES_ON = "the match is said to have ended, and by the rules it goes on"
_OTHERS_WIN = "winners or points are not those that the rules give"

# What may have been done: orders that nobody else saw, the private parts of answers, and the deed.
_Way: TypeAlias = tuple[tuple[Given, ...], Mapping[Demand, Any], Deed]


@dataclass
class _Remade:
    """The ledger of the match, made anew as far as it is judged."""

    game: AnyGame
    match: Match = UNOPENED
    entries: list[ev.Entry] = field(default_factory=list)

    def follow(self, told: Stimulus) -> str | None:
        """The match after the stimulus; or what is wrong with it, where no way leads to what is told."""
        if self.entries and told.at < self.entries[-1].at and not isinstance(told.first, ev.ClockTurnedBack):
            return f"entry {told.start + 1}: it is older than the one before"
        found: list[Unfounded] = []
        try:
            for way in self._ways(told):
                try:
                    self._go(way, told)
                except Unfounded as why:
                    found.append(why)
                else:
                    return None
        except _STUMBLING as error:
            found.append(Unfounded(f"it can't be judged: {error}"[:200]))
        ended = isinstance(told.first, ev.MatchEnded)
        nothing = Unfounded(_GOES_ON if ended else "nothing that is told brings it about")
        furthest = max(found, key=lambda why: max(why.index, told.start), default=nothing)
        return f"entry {max(furthest.index, told.start) + 1}: {furthest}"

    def _ways(self, told: Stimulus) -> Iterator[_Way]:
        """What may have been done, in private and in public."""
        match, game = self.match, self.game
        if match.inner is None or not isinstance(game, LeavesUntold):
            yield from (((), {}, deed) for deed in deeds(game, match, told, {}))
            return
        for untold in game.supposed(match.inner, seen(game, match, told)):
            orders, whole = untold.orders, untold.whole
            if isinstance(told.first, _UNTOLD):
                yield from ((orders[:-1], whole, partial(order, last)) for last in orders[-1:])
            else:
                yield from ((orders, whole, deed) for deed in deeds(game, match, told, whole))

    def _go(self, way: _Way, told: Stimulus) -> None:
        """The ledger gains what follows this way, where all may know what is told and nothing else of it."""
        orders, whole, deed = way
        before = LedgerWriter(self.game, self.match, told.at, lambda: self.entries, told)
        for given in orders:
            order(given, before)
        if self.match.version:
            seal_again(before, told, whole)
        if any(entry.public for entry in before.entries):
            raise Unfounded("what was ordered in private would have shown")
        writer = _AsTold(self.game, before.match, told.at, before.history, told)
        done(deed, writer)
        if (end := writer.match.position) < told.end:
            raise Unfounded(_not_so(told.entries[end].event), end)
        self.match = writer.match
        self.entries += [*before.entries, *writer.entries]


class _AsTold(LedgerWriter):
    """It takes a deadline as it is told where other rules of the match's zone may have given it: these change, and what
    was ruled by those of its day stays as it was. Nor is one moved that such rules leave where it is. And a window may
    have begun before the pass, where it does with an arrival (612): when that was is in no record. Whatever else is
    public must be what the record tells in its place."""

    keys: Stimulus

    @property
    def _told(self) -> ev.Event | None:
        """What stands where the next public entry will."""
        at = self.match.position
        return self.keys.entries[at].event if at < self.keys.end else None

    def due_at(self, window: timedelta) -> datetime:
        due, told, timing = super().due_at(window), self._told, self.match.timing
        if isinstance(told, ev.RoundOpened) and told.due_at and self.match.options.get("from") == "arrival":
            sooner = timing.end(self.now, window / 2) <= told.due_at < due
            due = told.due_at if sooner and timing.start(told.due_at, window) is not None else due
        return due

    def write(self, event: ev.Event) -> None:
        told, at = self._told, self.match.position
        if isinstance(event, ev.RoundOpened | ev.DeadlineMoved) and (due := event.due_at) is not None:
            r, timing = self.match.round(event.label), self.match.timing
            seat = event.seat if isinstance(event, ev.DeadlineMoved) else None
            if isinstance(told, type(event)) and replace(told, due_at=due) == event:
                event = told if _by_other_rules(timing, told.due_at, due) else event
            elif r is not None and _by_other_rules(timing, r.due_for(seat or 0), due):
                return
        elif isinstance(event, ev.Happened):  # the proofs that it carries
            for wrong in self.game.audit(self.match.inner, self.game.events_codec.decode(event.event)):
                raise Unfounded(wrong)
        super().write(event)
        made = self.entries[-1]
        if made.public and told is None:
            raise Unfounded(f"behind it {type(event).__name__} is missing", at - 1)
        if made.public and told is not None and not self._says(self.keys.lines[at], told, made):
            ends = isinstance(event, ev.MatchEnded) and isinstance(told, ev.MatchEnded)
            raise Unfounded(_OTHERS_WIN if ends else _not_so(told), at)

    def _says(self, line: JsonObject, told: ev.Event, made: ev.Entry) -> bool:
        """Whether the record says just this: as it is written today or, what an older program
        wrote, without a field that says what is taken for granted."""
        if isinstance(inner := line.get("event"), Mapping):  # the game's own event as one of a kind of today
            line = {**line, "event": self.game.events_codec.today(inner)}
        form, gone = public_form(made), line.get("forgotten", {})
        if not gone.keys() <= form.get("salts", {}).keys():
            return False
        form = taken_out(form, gone)
        older = line.get("salts") == form.get("salts") and _within(line, form)
        return canonical(line) == canonical(form) or (older and self._meant(told) == self._meant(made.event))

    def _meant(self, event: ev.Event) -> Any:
        match event:
            case ev.Happened(inner):
                return self.game.events_codec.decode(inner)
            case ev.Answered(action=action):
                return replace(event, action=self.game.actions_codec.decode(action))
        return event


def _not_so(told: ev.Event) -> str:
    return _GOES_ON if isinstance(told, ev.MatchEnded) else _DOES_NOT_FOLLOW


def _by_other_rules(timing: Timing, told: datetime | None, made: datetime) -> bool:
    """Whether a clock that shows up to three hours more or less, by quarters, makes one of the
    other: so far away, or where the next day that counts begins."""
    if told is None or timing.zone == "UTC" or abs(told - made) % (_MOST_CHANGED / 12):
        return False
    first, last = sorted((told, made))
    behind = timing.on_the_hour(first + _MOST_CHANGED + _MOST_CHANGED / 12)
    counts = timing.hour or timing.weekdays or timing.dates
    return bool(counts) and min(last - first, abs(last - behind)) <= _MOST_CHANGED


def _within(told: Any, made: Any) -> bool:
    """Whether all that is told is among what was made, value for value."""
    match told, made:
        case Mapping(), Mapping():
            return all(name in made and _within(value, made[name]) for name, value in told.items())
        case list(), list():
            return len(told) == len(made) and all(map(_within, told, made))
    return canonical(told) == canonical(made)


def verified(
    record: Record, game: AnyGame | None, options: Sequence[OptionSpec] | None = None
) -> tuple[str, ...]:
    """What is wrong with a record; empty where all is as it should be. Needs no secret and no
    database, only the game, and of the options what it declares, where they are to be looked at.
    Raises, of what is no record at all, what its values make the checks raise."""
    try:
        lines = public.lines_of(record)
    except public.NoRecord as error:
        return (str(error),)
    if game is None:
        return (f"no game {str(record.get('game'))[:40]!r} is known here, by whose rules it could be judged",)
    if not 0 < len(lines) <= _MOST_ENTRIES:
        return (f"it has {len(lines)} entries; a match has 1 to {_MOST_ENTRIES}",)
    faults = (
        *_chain_faults(record, lines),
        *_frame_faults(record, lines, game),
    )
    declared = {spec.name: spec for spec in options or ()}
    for index, line in enumerate(lines if options is not None else (), 1):
        told = line["options"].items() if line["is"] in ("MatchOpened", "Amended") else ()
        for name, value in told:  # only what the game declares can be given, and only as it is kept
            spec = declared.get(BEFORE.get(name, name))
            if spec is None or spec.canonical(value) != value:
                faults += (f"entry {index}: there is no option {name[:40]}={value[:40]}",)
    if faults:
        return faults
    bodies = [_body(line) for line in lines]
    entries = list(map(private_again, bodies))
    if sum(isinstance(entry.event, _LOOKING_BACK) for entry in entries) * len(entries) > _MOST_LOOKED_AT:
        return ("it is set back more often than any match",)
    course = _Remade(game)
    # where the hash stands a stimulus ends, and at the end, whether it stands there or not
    ends = [index for index, line in enumerate(lines, 1) if "hash" in line or index == len(lines)]
    told = (Stimulus(bodies, entries, start, end) for start, end in zip([0, *ends], ends, strict=False))
    # nothing behind the first thing that is not so can be judged
    return tuple(islice(filter(None, map(course.follow, told)), 1))


def _body(line: JsonDict) -> JsonDict:
    return {name: value for name, value in line.items() if name != "hash"}


def _chain_faults(record: Record, lines: Sequence[JsonDict]) -> list[str]:
    faults, head = [], ""
    for index, line in enumerate(lines, 1):
        head = hash_of(head, _body(line))
        if line.get("hash", head) != head:
            faults.append(f"entry {index} does not fit the chain: something in it or before it was changed")
            head = str(line.get("hash", ""))
        if line.get("position") != index:
            faults.append(f"entry {index} is numbered {line.get('position')}")
    if record.get("head") != head:
        faults.append("the chain's head is not that of its last entry")
    return faults


def _frame_faults(record: Record, lines: Sequence[JsonDict], game: AnyGame) -> list[str]:
    """What stands round the entries says what they say, and nothing else."""
    first, old = lines[0], record.get("format") == public.FORMER
    expected = {
        "match": first.get("match"),
        "game": first.get("game"),
        "title": record.get("title") if record.get("title") in game.titles else game.title,
        "how_to_check": RECIPES | ({"chain": public.HOW_TO_SPELL + public.CHAIN_RECIPE} if old else {}),
    }
    known = {"format", "entries", "head", *expected, *(["usual"] if old else [])}
    odd = [name for name in expected if canonical(record.get(name)) != canonical(expected[name])]
    more = [str(name)[:40] for name in record if name not in known]
    return [
        *(f"what it says of {name!r} is not what follows from its entries" for name in odd),
        *(f"no record says anything of {name!r}" for name in more[:3]),
    ]
