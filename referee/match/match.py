"""A match as it stands: its rounds, what is due, what nobody has answered yet, who sits where; and the
fold, the match after each entry of its ledger. Total, and for ever: old ledgers depend on it.

Its last state is also kept beside the ledger, encoded, as a cache that is dropped when anything
about it looks old. Law: `thaw(game, freeze(game, match)) == match`, and the cache equals the fold."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache, cached_property
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import Field, InstanceOf, TypeAdapter

from referee.core import seam
from referee.core.answers import Party
from referee.core.diagram import Diagram
from referee.core.game import AnyGame, Outcome, View
from referee.core.texts.addresses import address_key
from referee.core.texts.naming import shown_name
from referee.core.value import REFEREE, Demand, FreeText, Value
from referee.match import events as ev
from referee.match.chain import hash_of, public_form
from referee.match.timing import Timing, timing_of

History = Callable[[], Sequence[ev.Entry]]


class OpenRound(ev.RoundOpened):
    """A round while it lasts: as it was opened, but for what has changed since. `answered` are
    valid answers so far (of a sealed round: unopened)."""

    opened_at: datetime
    opened: int  # public position at its opening
    begun: datetime  # when what opened it happened: no mail that arrived before can be meant for it
    answered: tuple[ev.Answered, ...] = ()
    moved: dict[int, datetime] = field(default_factory=dict)  # seat -> its own deadline
    moved_at: datetime | None = None  # when a deadline of it last moved: earlier reminders stay past
    graced: dict[int, datetime] = field(default_factory=dict)  # seat -> until when its grace is used
    reminded: tuple[ev.Reminder, ...] = ()
    waited: bool = False  # a deadline of it waited for a mail when it was moved: none waits again

    def due_for(self, seat: int) -> datetime | None:
        return self.moved.get(seat, self.due_at)

    def answer_of(self, demand: Demand) -> ev.Answered | None:
        return next((a for a in self.answered if a.demand == demand), None)

    def answers_but(self, demand: Demand) -> tuple[ev.Answered, ...]:
        return tuple(a for a in self.answered if a.demand != demand)


class RoundName(Value):
    """One opening of a round. Its label may be used again after a rewind; the public position at its opening never."""

    label: str
    opened: int


class PastRound(Value):
    """What a late answer is measured against."""

    label: str
    demands: tuple[Demand, ...]
    due_at: datetime | None
    closed_at: datetime
    missing: tuple[Demand, ...]
    moved: dict[int, datetime] = field(default_factory=dict)
    opened: int = 0  # public position at its opening: a rewind uses a label again, never this
    closing: dict[int, datetime] = field(default_factory=dict)  # seat -> until when its grace lasted

    def due_for(self, seat: int) -> datetime | None:
        return self.moved.get(seat, self.due_at)

    def closes_for(self, seat: int) -> datetime | None:
        """Until when an answer of the seat's counted."""
        return self.closing.get(seat, self.due_for(seat))


class Draft(ev.DraftKept):
    """What a seat has answered before it was asked (`match/meanings.py`). `asked`: the public
    position at the opening of the round that asks for it; None until there is one."""

    asked: int | None = None


class StandIn(Value):
    """Somebody plays for the seat's `player` until then."""

    player: ev.Entrant
    until: datetime


class Former(Value):
    """Somebody who sat in a seat, or was entered for one, until `until`."""

    seat: int
    entrant: ev.Entrant
    until: datetime


class Match(Value):
    """Everything known of a match; `standing` is how its game stands, None until all seats are filled. What follows
    from it (what is due, who may come in) is made once, by whoever asks first, and goes with it."""

    name: str
    game: str
    options: dict[str, str]
    seats: int
    opened_at: datetime
    commitment: str
    seed_given: bool
    beacon: FreeText | None
    roster: tuple[ev.Entrant, ...]
    status: Literal["filling", "open", "paused", "ended"] = "filling"
    seating: tuple[int, ...] = ()
    standing: Annotated[InstanceOf[seam.Standing] | None, Field(serialization_alias="inner")] = None
    rounds: tuple[OpenRound, ...] = ()
    past: tuple[PastRound, ...] = ()
    paused_at: datetime | None = None
    observers: tuple[str, ...] = ()
    ended: ev.MatchEnded | None = None
    met: tuple[tuple[str, int], ...] = ()  # kind, seat: asked for before, and not explained again
    absences: tuple[ev.AbsenceTaken, ...] = ()
    ahead: tuple[ev.AheadKept, ...] = ()  # `heard`: others' moves since; {} is more than a move
    renewals: dict[int, int] = field(default_factory=dict)  # seat -> how often its reply address was renewed
    former: tuple[Former, ...] = ()
    drafts: dict[int, Draft] = field(default_factory=dict)  # of each seat the newest; nobody else's business
    words: tuple[ev.PressKept, ...] = ()  # that go to all with the next reveal
    languages: dict[int, str] = field(default_factory=dict)  # seat -> in which its player last wrote
    vacated: tuple[int, ...] = ()  # seats that the moderator has taken from those who had them
    offered: tuple[int, ...] = ()  # seats that another may take: their players have been silent for too long
    missed: dict[int, int] = field(default_factory=dict)  # seat -> deadlines in a row that its player missed
    shown: tuple[int, ...] = ()  # seats whose players have answered before all eyes
    substitutes: dict[int, ev.Entrant] = field(default_factory=dict)  # seat -> who plays on there
    stand_ins: dict[int, StandIn] = field(default_factory=dict)  # seat -> for whom somebody plays there
    version: int = 0
    position: int = 0
    head: str = ""

    @property
    def inner(self) -> Any:
        """The game's own state, into which only the game looks; None until all seats are filled."""
        return self.standing.state if self.standing is not None else None

    def view(self, seat: int | None) -> View | None:
        """The match as the seat sees it (None: as the public does); None before it has begun, and
        of one that can't be read."""
        return self.standing.view(seat) if self.standing is not None else None

    @property
    def board(self) -> Diagram | None:
        """The board that all see."""
        view = self.view(None)
        return view.diagram if view else None

    @cached_property
    def timing(self) -> Timing:
        """When its deadlines end, and what becomes of them."""
        return timing_of(self.options)

    @cached_property
    def owed(self) -> Mapping[str, tuple[Demand, ...]]:
        """What the game still waits for, by the labels of its rounds."""
        return {r.label: r.demands for r in self.standing.due} if self.standing is not None else {}

    @cached_property
    def due(self) -> tuple[tuple[OpenRound, Demand], ...]:
        """What is due, and in which round. In a sealed round all of it is until the reveal: who has
        answered is not public, and the game does not know it."""
        return tuple((r, d) for r in self.rounds for d in self.owed.get(r.label, ()) if d.seat != REFEREE)

    @cached_property
    def vacant(self) -> tuple[int, ...]:
        """The seats that `join` may take. Before the draw they are those behind the roster's end, in any game."""
        if self.standing is None:
            return tuple(range(len(self.roster) + 1, self.seats + 1))
        if self.status == "ended":
            return ()
        return tuple(sorted({*self.standing.vacant, *self.vacated, *self.offered}))

    @property
    def playing(self) -> tuple[ev.Entrant, ...]:
        """The roster without those whose seats the moderator has taken from them."""
        gone = {self.seating.index(seat) if self.seating else seat - 1 for seat in self.vacated}
        return tuple(entrant for place, entrant in enumerate(self.roster) if place not in gone)

    def away(self, seat: int) -> list[tuple[datetime, datetime]]:
        """When the seat's player is away, as announced."""
        return spans(a for a in self.absences if a.seat == seat)

    def entrant(self, seat: int) -> ev.Entrant:
        """Who sits there; before the draw nobody has a number, and the roster's order serves."""
        return self.roster[self.seating.index(seat) if self.seating else seat - 1]

    def seat_of(self, address: str) -> tuple[int, ...]:
        """The seats an address is registered for."""
        return tuple(seat for seat in self.numbers if self.entrant(seat).has(address))

    def spelt(self, seat: int, address: str) -> str:
        """An address of the seat's as it is registered."""
        wanted = address_key(address)
        return next((a for a in self.entrant(seat).addresses if address_key(a) == wanted), address)

    @property
    def known(self) -> bool:
        """Whether its ledger could be folded; of one that could not only the outline is left, without seats."""
        return self.seats > 0

    @property
    def numbers(self) -> tuple[int, ...]:
        """The seat numbers, in order."""
        return tuple(sorted(self.seating)) if self.seating else tuple(range(1, len(self.roster) + 1))

    def party(self, seat: int) -> Party:
        entrant = self.entrant(seat)
        return Party(entrant.name, seat, entrant.addresses)

    def may_withdraw(self, seat: int) -> bool:
        """Whether the seat has an answer that is sealed still, something said in advance, or a draft."""
        sealed = any(a.demand.seat == seat for r in self.rounds if r.sealed for a in r.answered)
        return sealed or self.ahead_of(seat) is not None or seat in self.drafts

    def ahead_of(self, seat: int) -> ev.AheadKept | None:
        """The conditional turn of the seat."""
        return next((one for one in self.ahead if one.seat == seat), None)

    def closes_for(self, r: OpenRound, seat: int) -> datetime | None:
        """Until when an answer of the seat's counts: its deadline and, once a round, the match's
        grace. An empty seat and the referee itself have none."""
        due = r.due_for(seat)
        if due is None or seat == REFEREE or seat in self.vacated:
            return due
        used = r.graced.get(seat)
        return due + self.timing.grace if used is None else max(due, used)

    def round(self, label: str) -> OpenRound | None:
        return next((r for r in self.rounds if r.label == label), None)

    def round_of(self, demand: Demand) -> OpenRound | None:
        return next((r for r in self.rounds if demand in r.demands), None)


UNOPENED: Final = Match("", "", {}, 0, datetime.min.replace(tzinfo=UTC), "", False, None, ())  # no entry yet


def outstanding(match: Match, open_round: OpenRound) -> tuple[Demand, ...]:
    """The demands of a round that nobody has answered yet; in a sealed one this is secret."""
    still = match.owed.get(open_round.label, ())
    if open_round.sealed:  # whoever has left meanwhile owes nothing more
        return tuple(d for d in open_round.demands if d in still and open_round.answer_of(d) is None)
    return still


def held_by(match: Match, address: str) -> tuple[int, ...]:
    """The seats that an address holds and has not left: nobody takes a second one of a match."""
    vacant = match.vacant
    return tuple(seat for seat in match.seat_of(address) if seat not in vacant)


def substitute_of(match: Match, address: str) -> tuple[int, ...]:
    """The seats whose substitute has the address."""
    return tuple(seat for seat, person in match.substitutes.items() if person.has(address))


def last_held(match: Match, address: str) -> Former | None:
    """The seat that the address had last, of somebody who has none there any more."""
    mine = (former for former in reversed(match.former) if former.entrant.has(address))
    return None if match.seat_of(address) else next(mine, None)


def spans(absences: Iterable[ev.AbsenceTaken]) -> list[tuple[datetime, datetime]]:
    """From when to when these last, those in one that touch, in their order."""
    found: list[tuple[datetime, datetime]] = []
    for a in sorted(absences, key=lambda a: (a.start, a.until)):
        if found and a.start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], a.until)
        else:
            found.append((a.start, a.until))
    return found


def for_solver(match: Match) -> tuple[tuple[OpenRound, Demand], ...]:
    """What the referee's own solver owes."""
    kinds = match.standing.game.computed if match.standing is not None else ()
    return tuple((r, d) for r in match.rounds for d in r.demands if d.seat == REFEREE and d.kind in kinds)


def awaits_solver(match: Match) -> bool:
    """Whether nothing can be judged before the referee's own answer is in."""
    return bool(match.rounds) and len(for_solver(match)) == sum(len(r.demands) for r in match.rounds)


def outcome(match: Match) -> Outcome | None:
    """How the match ended; None while it goes on."""
    if match.ended is None:
        return None
    points = {int(seat): Fraction(text) for seat, text in match.ended.points.items()}
    return Outcome(match.ended.winners, points, match.ended.reason)


# --- the fold: the match after each entry of its ledger; total, and for ever ----------------------


MOST_ADDRESSES = 5  # of one seat, for ever
T = TypeVar("T")


def fold(game_of: Callable[[str], AnyGame], entries: Sequence[ev.Entry]) -> Match:
    """The match that a whole ledger tells of."""
    first = entries[0].event
    if not isinstance(first, ev.MatchOpened):
        raise ValueError("a ledger begins with MatchOpened")
    game, match = game_of(first.game), UNOPENED
    returned_to = {e.event.to for e in entries if isinstance(e.event, ev.MatchRewound)}
    stood: dict[int, Match] = {}  # once each, however often it is gone back to
    for number, entry in enumerate(entries, 1):
        if entry.version != number:
            raise ValueError(f"entry {number} of the ledger is missing")
        if match.version in returned_to:
            stood[match.version] = match
        match = _further(game, match, entry, stood.__getitem__)
    return match


def applied(game: AnyGame, match: Match, entry: ev.Entry, history: History) -> Match:
    """The match one entry further. `history` gives all earlier entries, or more; only a rewind asks for it."""
    return _further(game, match, entry, lambda to: fold(lambda _: game, history()[:to]))


def _further(game: AnyGame, match: Match, entry: ev.Entry, stood: Callable[[int], Match]) -> Match:
    """`stood` gives the match as of an earlier version."""
    event = entry.event
    if isinstance(event, ev.MatchRewound):
        after = _rewound(match, stood(event.to), event, entry.at)
    else:
        after = _evolved(game, match, entry)
    head = hash_of(match.head, public_form(entry)) if entry.public else match.head
    return replace(after, version=entry.version, position=entry.position, head=head)


def _evolved(game: AnyGame, m: Match, entry: ev.Entry) -> Match:
    """What each event changes, but for a rewind; those that only tell (a ruling, the moderator's words) nothing."""
    at, event = entry.at, entry.event
    match event:
        case ev.MatchOpened():
            return replace(
                m,
                name=event.match,
                game=event.game,
                options=dict(event.options),
                seats=event.seats,
                opened_at=at,
                commitment=event.commitment,
                seed_given=event.seed is not None,
                beacon=event.beacon,
                roster=tuple(map(_shown, event.roster)),
            )
        case ev.MatchBegun(seating):
            return replace(m, seating=seating, status="open", standing=seam.Standing(game, game.initial()))
        case ev.Happened():
            assert m.standing is not None, "nothing happens in a game before the match begins"
            return replace(m, standing=m.standing.after(entry.told(game)))
        case ev.MatchEnded():
            return replace(m, status="ended", rounds=(), ended=event, drafts={})
        # --- rounds and answers
        case ev.RoundOpened():
            opened = OpenRound(
                **vars(event), opened_at=at, opened=entry.position, begun=entry.since or entry.at
            )
            owed = [(d.kind, d.seat) for d in event.demands]
            drafts = {
                seat: replace(draft, asked=entry.position) if (draft.demand.kind, seat) in owed else draft
                for seat, draft in m.drafts.items()
            }
            met = tuple(dict.fromkeys((*m.met, *owed)))
            return replace(m, rounds=(*m.rounds, opened), met=met, drafts=drafts)
        case ev.Answered():
            return _answered(game, m, event, entry.public)
        case ev.AnswerWithdrawn(label, demand):
            return _change(m, label, lambda r: replace(r, answered=r.answers_but(demand)))
        case ev.RoundRevealed(label, answers, missing):
            heard = _heard(m, tuple(answer.demand.seat for answer in answers))
            return _missed(_closed(replace(heard, words=()), label, at, missing), missing)
        case ev.Lapsed(label, demands) if (gone := m.round(label)) is not None:
            past = _past(m, gone, demands, at, demands)
            return _missed(replace(m, past=(*m.past, past)[-8:]), demands)
        case ev.RoundClosed(label):
            return _closed(m, label, at, ())
        case ev.DraftKept(demand, text):
            return replace(m, drafts={**m.drafts, demand.seat: Draft(demand, text)})
        case ev.DraftDropped(seat):
            return replace(m, drafts=_without(m.drafts, seat))
        case ev.PressKept():
            return replace(m, words=(*m.words, event))
        case ev.LanguageHeard(seat, language):
            return replace(m, languages={**m.languages, seat: language})
        case ev.AheadKept():
            others = tuple(one for one in m.ahead if one.seat != event.seat)
            return replace(m, ahead=(*others, event) if event.branches else others)
        # --- deadlines
        case ev.DeadlineMoved(label):
            return _change(m, label, lambda r: _moved(r, event, at))
        case ev.GraceBegun(label, seats) if (used := m.round(label)) is not None:
            ends = {seat: m.closes_for(used, seat) for seat in seats or [d.seat for d in used.demands]}
            graced = {seat: end for seat, end in ends.items() if end is not None}
            return _change(m, label, lambda r: replace(r, graced={**graced, **r.graced}))
        case ev.DowntimeAdded(seconds):
            return _later(m, timedelta(seconds=seconds))
        case ev.AbsenceTaken():
            return replace(m, absences=(*m.absences, event))
        case ev.SilentReminded(label, reminder):
            return _change(m, label, lambda r: replace(r, reminded=(*r.reminded, reminder)))
        case ev.ReminderVoided(label, early):
            return _change(m, label, lambda r: replace(r, reminded=tuple(filter(early.__ne__, r.reminded))))
        case ev.MatchPaused():
            return replace(m, status="paused", paused_at=at)
        case ev.MatchResumed():  # the time of the pause is added to every deadline
            span = at - m.paused_at if m.paused_at else timedelta(0)
            return replace(_later(m, span), status="open", paused_at=None)
        case ev.Amended():  # what a seat is asked for is explained once more: by the rules as they are now
            return replace(m, options=dict(event.options), met=())
        # --- who sits where
        case ev.EntrantJoined(entrant):
            return replace(m, roster=(*m.roster, _shown(entrant)))
        case ev.EntrantLeft(seat):  # those behind move up
            rest = (*m.roster[: seat - 1], *m.roster[seat:])
            return replace(m, roster=rest, former=(*m.former, Former(seat, m.roster[seat - 1], at)))
        case ev.EntrantReplaced(seat, entrant):
            taken = _handed(m, seat, _shown(entrant), at)
            taken = replace(
                taken,
                absences=tuple(a for a in m.absences if a.seat != seat),
                vacated=tuple(other for other in m.vacated if other != seat),
                substitutes=_without(m.substitutes, seat),
                stand_ins=_without(m.stand_ins, seat),
            )
            return _heard(taken, (seat,), tuple(other for other in m.shown if other != seat))
        case ev.SeatVacated(seat):  # the name stays until another takes its place; letters go to nobody
            return replace(
                _handed(m, seat, ev.Entrant(m.entrant(seat).name, ()), at),
                absences=tuple(a for a in m.absences if a.seat != seat),
                vacated=(*m.vacated, seat),
                stand_ins=_without(m.stand_ins, seat),
            )
        case ev.SeatOffered(seat):
            return replace(m, offered=(*m.offered, seat))
        case ev.SubstituteNamed(seat, entrant):
            return replace(m, substitutes={**m.substitutes, seat: _shown(entrant)})
        case ev.SubstituteDropped(seat):
            return replace(m, substitutes=_without(m.substitutes, seat))
        case ev.StoodIn(seat, entrant, until):
            there = {**m.stand_ins, seat: StandIn(m.entrant(seat), until)}
            return replace(_handed(m, seat, _shown(entrant), at), stand_ins=there)
        case ev.CameBack(seat, entrant):  # who stood in would do so again in an absence that is past
            until = m.stand_ins[seat].until
            return replace(
                _handed(m, seat, _shown(entrant), at),
                stand_ins=_without(m.stand_ins, seat),
                absences=tuple(a for a in m.absences if a.seat != seat or a.until > until),
            )
        case ev.AddressAdded(seat, address) if address:  # of somebody who was forgotten it is none
            entrant = m.entrant(seat)
            return _with_entrant(m, seat, replace(entrant, addresses=(*entrant.addresses, address)))
        case ev.SeatsReaddressed():
            return readdressed(m, event)
        case ev.ReplyAddressRenewed(seat):
            return _renewed(m, seat)
        case ev.ZoneSet(seat, zone):
            return _with_entrant(m, seat, replace(m.entrant(seat), zone=zone))
        case ev.ObserverAdded(address):
            return replace(m, observers=tuple(sorted({*m.observers, address})))
        case ev.ObserverRemoved(address):
            return replace(m, observers=tuple(a for a in m.observers if a != address))
    return m


def readdressed(m: Match, event: ev.SeatsReaddressed) -> Match:
    """With the new address first wherever the old one stands: in seats, of who is away from one, of substitutes."""
    old, new = address_key(event.old), address_key(event.new)
    gone = {new} if event.kept else {old, new}

    def moved(person: ev.Entrant) -> ev.Entrant:
        rest = [a for a in person.addresses if address_key(a) not in gone][: MOST_ADDRESSES - 1]
        return replace(person, addresses=(event.new, *rest)) if new and person.has(event.old) else person

    return replace(
        m,
        roster=tuple(map(moved, m.roster)),
        substitutes={seat: moved(person) for seat, person in m.substitutes.items()},
        stand_ins={seat: replace(s, player=moved(s.player)) for seat, s in m.stand_ins.items()},
    )


def _shown(entrant: ev.Entrant) -> ev.Entrant:
    """As people read his name."""
    return replace(entrant, name=shown_name(entrant.name))


def _rewound(match: Match, then: Match, event: ev.MatchRewound, at: datetime) -> Match:
    """The match with its game and its past as they stood `then`, and who had been silent, and for how long; of those
    who came later there is nothing. Paused it stays so: the fresh windows begin to run when it is resumed."""
    paused = match.paused_at is not None
    new = {gone.seat for gone in match.former[len(then.former) :]}
    return replace(
        match,
        standing=then.standing,
        rounds=then.rounds if isinstance(event, ev.ClockTurnedBack) else (),
        ended=None,
        drafts={},
        status="paused" if paused else "open",
        paused_at=at if paused else None,
        past=then.past,
        missed={seat: count for seat, count in then.missed.items() if seat not in new},
        offered=tuple(seat for seat in then.offered if seat not in new),
        shown=tuple(seat for seat in then.shown if seat not in new),
    )


# --- rounds and answers ---------------------------------------------------------------------------


def _answered(game: AnyGame, m: Match, event: ev.Answered, public: bool) -> Match:
    seat = event.demand.seat
    # in private or not: the cache is one
    given = ev.Answered(event.label, event.demand, event.action, event.text, event.sealed, event.seal)
    draft = m.drafts.get(seat)
    if draft is not None and draft.demand.kind == event.demand.kind:
        m = replace(m, drafts=_without(m.drafts, seat))
    if public and event.label:
        m = _heard(m, (seat,))
    if m.ahead and not event.sealed and not isinstance(event, ev.AnsweredInPrivate):
        answer = seam.answer_of(game, event.demand.kind)
        if answer.foreseeable:  # what conditional turns of others wait for may have come
            move = answer.foreseen(m.inner, game.actions_codec.decode(event.action))
            heard = {seat: {} if move is None else game.actions_codec.encode(move)}
            m = replace(m, ahead=tuple(replace(one, heard={**one.heard, **heard}) for one in m.ahead))
    return _change(m, event.label, lambda r: replace(r, answered=(*r.answers_but(event.demand), given)))


def _change(m: Match, label: str, change: Callable[[OpenRound], OpenRound]) -> Match:
    return replace(m, rounds=tuple(change(r) if r.label == label else r for r in m.rounds))


def _closed(m: Match, label: str, at: datetime, missing: tuple[Demand, ...]) -> Match:
    gone = m.round(label)
    if gone is None:
        return m
    past = _past(m, gone, gone.demands, at, missing)
    rest = tuple(r for r in m.rounds if r.label != label)
    drafts = {seat: draft for seat, draft in m.drafts.items() if draft.asked != gone.opened}
    return replace(m, rounds=rest, past=(*m.past, past)[-8:], drafts=drafts)


def _past(
    m: Match, r: OpenRound, demands: tuple[Demand, ...], at: datetime, missing: tuple[Demand, ...]
) -> PastRound:
    until = {d.seat: m.closes_for(r, d.seat) for d in demands}
    closing = {seat: at for seat, at in until.items() if at is not None and at != r.due_for(seat)}
    return PastRound(r.label, demands, r.due_at, at, missing, r.moved, r.opened, closing)


def _heard(m: Match, seats: tuple[int, ...], shown: tuple[int, ...] | None = None) -> Match:
    """These seats have broken their silence; `shown` where that is not by an answer."""
    return replace(
        m,
        missed={seat: count for seat, count in m.missed.items() if seat not in seats},
        offered=tuple(seat for seat in m.offered if seat not in seats),
        shown=tuple(sorted({*m.shown, *seats})) if shown is None else shown,
    )


def _missed(m: Match, demands: tuple[Demand, ...]) -> Match:
    """These were not answered in time: one more for each seat, however much it owed."""
    seats = {d.seat for d in demands if d.seat != REFEREE}
    return replace(m, missed={**m.missed, **{seat: m.missed.get(seat, 0) + 1 for seat in seats}})


# --- deadlines ------------------------------------------------------------------------------------


def _moved(r: OpenRound, event: ev.DeadlineMoved, at: datetime) -> OpenRound:
    # whether it is open beyond a deadline: a sealed one beyond the last, since it lapses whole
    dues = [due for d in r.demands if (due := r.due_for(d.seat)) is not None]
    overdue = bool(dues) and at > (max(dues) if r.sealed else min(dues))
    r = replace(r, waited=r.waited or overdue, moved_at=at)
    if event.seat is None:
        return replace(r, due_at=event.due_at, moved={}, reminded=())
    return replace(r, moved={**r.moved, event.seat: event.due_at})


def _later(m: Match, span: timedelta) -> Match:
    def later(r: OpenRound) -> OpenRound:
        due_at = r.due_at + span if r.due_at else None
        moved, graced = ({seat: at + span for seat, at in some.items()} for some in (r.moved, r.graced))
        return replace(r, due_at=due_at, moved=moved, graced=graced)

    return replace(m, rounds=tuple(later(r) for r in m.rounds))


# --- who sits where -------------------------------------------------------------------------------


def _handed(m: Match, seat: int, entrant: ev.Entrant, at: datetime) -> Match:
    """Another person there: the old one's reply addresses are void, and so are his draft and his
    language. What waits for a reveal is told as the words of who wrote them."""
    told = f"{m.entrant(seat).name} {ev.BEFORE_THE_CHANGE}\n"
    own = [w.seat == seat and ev.BEFORE_THE_CHANGE not in w.text for w in m.words]
    return replace(
        _renewed(_with_entrant(m, seat, entrant), seat),
        former=(*m.former, Former(seat, m.entrant(seat), at)),
        drafts=_without(m.drafts, seat),
        languages=_without(m.languages, seat),
        words=tuple(replace(w, text=told + w.text) if so else w for so, w in zip(own, m.words, strict=True)),
    )


def _renewed(m: Match, seat: int) -> Match:
    return replace(m, renewals={**m.renewals, seat: m.renewals.get(seat, 0) + 1})


def _with_entrant(m: Match, seat: int, entrant: ev.Entrant) -> Match:
    index = m.seating.index(seat) if m.seating else seat - 1
    return replace(m, roster=(*m.roster[:index], entrant, *m.roster[index + 1 :]))


def _without(by_seat: Mapping[int, T], seat: int) -> dict[int, T]:
    return {number: value for number, value in by_seat.items() if number != seat}


# --- the cached state -----------------------------------------------------------------------------

_SHAPE = 6  # raise it when Match or OpenRound change their shape


def written_by(game: AnyGame) -> str:
    """What the cache was written by: shape of the match, game, shape of its state."""
    return f"{_SHAPE}.{game.slug}.{game.codec_version}"


def freeze(game: AnyGame, match: Match) -> str:
    """The match as one JSON text."""
    outer = _adapter(Match).dump_json(replace(match, standing=None), by_alias=True)
    inner = b"null" if match.standing is None else _adapter(game.state).dump_json(match.standing.state)
    return (b'{"match":%b,"inner":%b}' % (outer, inner)).decode()


def thaw(game: AnyGame, text: str) -> Match:
    """The match back from its JSON text."""
    stored = json.loads(text)
    match: Match = _adapter(Match).validate_python(stored["match"])
    if stored["inner"] is None:
        return match
    return replace(match, standing=seam.Standing(game, _adapter(game.state).validate_python(stored["inner"])))


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
