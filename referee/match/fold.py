"""The fold: the match after each entry of its ledger. Total, and for ever: old ledgers depend on it.

Its last state is also kept beside the ledger, encoded, as a cache that is dropped when anything about it looks old.
Law: `thaw(game, freeze(game, match)) == match`, and the cache equals the fold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, singledispatch
from typing import Any, TypeVar

from pydantic import TypeAdapter

from referee.core import seam
from referee.core.game import AnyGame
from referee.core.owing import REFEREE, Demand
from referee.core.replacing import replace
from referee.core.seam import Standing
from referee.match import events as ev
from referee.match.chain.hashes import link
from referee.match.events import Entrant, Entry
from referee.match.match import (
    Absence,
    Ahead,
    Draft,
    Former,
    History,
    Match,
    OpenRound,
    PastRound,
    StandIn,
    closes_for,
    met_as,
)

T = TypeVar("T")


def fold(game_of: Callable[[str], AnyGame], entries: Sequence[Entry]) -> Match:
    """The match that a whole ledger tells of."""
    first = entries[0].event
    if not isinstance(first, ev.MatchOpened):
        raise ValueError("a ledger begins with MatchOpened")
    game = game_of(first.game)
    match = begun(entries[0])
    returned_to = {e.event.to for e in entries if isinstance(e.event, ev.MatchRewound)}
    stood: dict[int, Match] = {}  # once each, however often it is gone back to
    for index, entry in enumerate(entries[1:], 1):
        if entry.version != index + 1:
            raise ValueError(f"entry {index + 1} of the ledger is missing")
        if match.version in returned_to:
            stood[match.version] = match
        if isinstance(entry.event, ev.MatchRewound):
            match = _rewound(match, stood[entry.event.to], entry)
        else:
            match = applied(game, match, entry, lambda: entries)
    return match


def begun(entry: Entry) -> Match:
    """The match as its first entry opens it."""
    e = entry.event
    assert isinstance(e, ev.MatchOpened)
    return Match(
        e.match,
        e.game,
        dict(e.options),
        e.seats,
        entry.at,
        e.commitment,
        e.seed is not None,
        e.beacon,
        e.roster,
        version=entry.version,
        position=entry.position,
        head=link("", entry),
    )


def applied(game: AnyGame, match: Match, entry: Entry, history: History) -> Match:
    """The match one entry further. `history` gives all earlier entries, or more; only a rewind asks for it."""
    if isinstance(entry.event, ev.MatchRewound):
        return _rewound(match, fold(lambda _: game, history()[: entry.event.to]), entry)
    return _numbered(_step(entry.event, game, match, entry), entry)


def _rewound(match: Match, then: Match, entry: Entry) -> Match:
    """The match with its game and its past as they stood `then`. Paused it stays so: the fresh windows begin to run
    when it is resumed."""
    paused = match.paused_at is not None
    after = replace(
        match,
        standing=then.standing,
        rounds=(),
        ended=None,
        drafts={},
        status="paused" if paused else "open",
        paused_at=entry.at if paused else None,
        past=then.past,
        **_silence(match, then),
    )
    return _numbered(after, entry)


def _silence(match: Match, then: Match) -> dict[str, Any]:
    """Who had been silent, and for how long, as it stood then; of those who came later there is nothing."""
    new = {gone.seat for gone in match.former[len(then.former) :]}
    return {
        "missed": {seat: count for seat, count in then.missed.items() if seat not in new},
        "offered": tuple(seat for seat in then.offered if seat not in new),
        "shown": tuple(seat for seat in then.shown if seat not in new),
    }


def _numbered(match: Match, entry: Entry) -> Match:
    head = link(match.head, entry) if entry.public else match.head
    return replace(match, version=entry.version, position=entry.position, head=head)


@singledispatch
def _step(event: Any, game: AnyGame, match: Match, entry: Entry) -> Match:
    """Events that only tell (a ruling, the moderator's words) change nothing."""
    return match


@_step.register
def _(event: ev.EntrantJoined, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, roster=(*match.roster, event.entrant))


@_step.register
def _(event: ev.EntrantLeft, game: AnyGame, match: Match, entry: Entry) -> Match:
    """Those behind move up."""
    index = event.seat - 1
    gone = Former(event.seat, match.roster[index], entry.at)
    rest = (*match.roster[:index], *match.roster[index + 1 :])
    return replace(match, roster=rest, former=(*match.former, gone))


@_step.register
def _(event: ev.MatchBegun, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, seating=event.seating, status="open", standing=Standing(game, game.initial()))


@_step.register
def _(event: ev.Happened, game: AnyGame, match: Match, entry: Entry) -> Match:
    assert match.standing is not None, "nothing happens in a game before the match begins"
    return replace(match, standing=match.standing.after(entry.told(game)))


@_step.register
def _(event: ev.RoundOpened, game: AnyGame, match: Match, entry: Entry) -> Match:
    opened = OpenRound(
        event.label,
        event.demands,
        entry.at,
        entry.position,
        event.due_at,
        event.sealed,
        event.answers,
        event.holds,
        since=entry.since,
    )
    met = dict.fromkeys((*match.met, *(met_as(d) for d in event.demands)))
    owed = {(d.kind, d.seat) for d in event.demands}
    drafts = {
        seat: replace(draft, asked=entry.position) if (draft.demand.kind, seat) in owed else draft
        for seat, draft in match.drafts.items()
    }
    return replace(match, rounds=(*match.rounds, opened), met=tuple(met), drafts=drafts)


@_step.register
def _(event: ev.Answered, game: AnyGame, match: Match, entry: Entry) -> Match:
    e = event
    given = ev.Answered(
        e.label, e.demand, e.action, e.text, e.sealed, e.seal
    )  # in private or not: the cache is one

    def with_answer(r: OpenRound) -> OpenRound:
        others = tuple(a for a in r.answered if a.demand != given.demand)
        return replace(r, answered=(*others, given))

    draft = match.drafts.get(e.demand.seat)
    if draft is not None and draft.demand.kind == e.demand.kind:
        match = _without_draft(match, e.demand.seat)
    if entry.public and event.label:
        match = _heard(match, (event.demand.seat,))
    return _change(_come(game, match, event), event.label, with_answer)


def _come(game: AnyGame, match: Match, event: ev.Answered) -> Match:
    """What conditional turns of others wait for may have come."""
    secret = event.sealed or isinstance(event, ev.AnsweredInPrivate)
    if not match.ahead or secret or not (answer := seam.answer_of(game, event.demand.kind)).foreseeable:
        return match
    move = answer.foreseen(match.inner, game.actions_codec.decode(event.action))
    heard = {} if move is None else game.actions_codec.encode(move)

    def hearing(one: Ahead) -> Ahead:
        return replace(one, heard={**one.heard, event.demand.seat: heard})

    return replace(match, ahead=tuple(hearing(one) for one in match.ahead))


@_step.register
def _(event: ev.AheadKept, game: AnyGame, match: Match, entry: Entry) -> Match:
    e = event
    others = tuple(one for one in match.ahead if one.seat != e.seat)
    kept = Ahead(e.seat, e.branches, dict(e.heard), e.label, e.chosen, e.plays_at)
    return replace(match, ahead=(*others, kept) if e.branches else others)


@_step.register
def _(event: ev.DraftKept, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, drafts={**match.drafts, event.demand.seat: Draft(event.demand, event.text)})


@_step.register
def _(event: ev.DraftDropped, game: AnyGame, match: Match, entry: Entry) -> Match:
    return _without_draft(match, event.seat)


@_step.register
def _(event: ev.AnswerWithdrawn, game: AnyGame, match: Match, entry: Entry) -> Match:
    return _change(
        match,
        event.label,
        lambda r: replace(r, answered=tuple(a for a in r.answered if a.demand != event.demand)),
    )


@_step.register
def _(event: ev.RoundRevealed, game: AnyGame, match: Match, entry: Entry) -> Match:
    match = _heard(match, tuple(answer.demand.seat for answer in event.answers))
    return _missed(_close(match, event.label, entry.at, event.missing), event.missing)


@_step.register
def _(event: ev.Lapsed, game: AnyGame, match: Match, entry: Entry) -> Match:
    gone = match.round(event.label)
    if gone is None:
        return match
    past = _past(match, gone, event.demands, entry.at, event.demands)
    return _missed(replace(match, past=(*match.past, past)[-8:]), event.demands)


@_step.register
def _(event: ev.RoundClosed, game: AnyGame, match: Match, entry: Entry) -> Match:
    return _close(match, event.label, entry.at, ())


@_step.register
def _(event: ev.DeadlineMoved, game: AnyGame, match: Match, entry: Entry) -> Match:
    def moved(r: OpenRound) -> OpenRound:
        r = replace(r, waited=r.waited or r.overdue(entry.at))
        if event.seat is None:
            return replace(r, due_at=event.due_at, moved={}, moved_at=entry.at, reminded=())
        return replace(r, moved={**r.moved, event.seat: event.due_at}, moved_at=entry.at)

    return _change(match, event.label, moved)


@_step.register
def _(event: ev.GraceBegun, game: AnyGame, match: Match, entry: Entry) -> Match:
    def graced(r: OpenRound) -> OpenRound:
        using = event.seats or tuple(d.seat for d in r.demands)
        until = {seat: at for seat in using if (at := closes_for(match, r, seat)) is not None}
        return replace(r, graced={**until, **r.graced})

    return _change(match, event.label, graced)


@_step.register
def _(event: ev.DowntimeAdded, game: AnyGame, match: Match, entry: Entry) -> Match:
    return _later(match, timedelta(seconds=event.seconds))


@_step.register
def _(event: ev.Amended, game: AnyGame, match: Match, entry: Entry) -> Match:
    """What a seat is asked for is explained to it once more: by the rules as they are now."""
    return replace(match, options=dict(event.options), met=())


@_step.register
def _(event: ev.MatchPaused, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, status="paused", paused_at=entry.at)


@_step.register
def _(event: ev.MatchResumed, game: AnyGame, match: Match, entry: Entry) -> Match:
    """The time of the pause is added to every deadline."""
    span = entry.at - match.paused_at if match.paused_at else timedelta(0)
    return replace(_later(match, span), status="open", paused_at=None)


@_step.register
def _(event: ev.EntrantReplaced, game: AnyGame, match: Match, entry: Entry) -> Match:
    """Another person: the old one's reply addresses and absences are void."""
    there = tuple(a for a in match.absences if a.seat != event.seat)
    former = (*match.former, Former(event.seat, match.entrant(event.seat), entry.at))
    taken = _renewed(_with_entrant(match, event.seat, event.entrant), event.seat)
    vacated = tuple(seat for seat in match.vacated if seat != event.seat)
    shown = tuple(seat for seat in match.shown if seat != event.seat)
    taken = replace(taken, absences=there, former=former, vacated=vacated)
    return _heard(_alone(_without_draft(taken, event.seat), event.seat), (event.seat,), shown)


@_step.register
def _(event: ev.SeatVacated, game: AnyGame, match: Match, entry: Entry) -> Match:
    """The name stays until another takes its place; letters go to nobody, and the old reply addresses are void."""
    person = match.entrant(event.seat)
    there = tuple(a for a in match.absences if a.seat != event.seat)
    former = (*match.former, Former(event.seat, person, entry.at))
    left = _renewed(_with_entrant(match, event.seat, Entrant(person.name, ())), event.seat)
    named = match.substitutes
    left = replace(_alone(_without_draft(left, event.seat), event.seat), substitutes=named)
    return replace(left, absences=there, former=former, vacated=(*match.vacated, event.seat))


@_step.register
def _(event: ev.SubstituteNamed, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, substitutes={**match.substitutes, event.seat: event.entrant})


@_step.register
def _(event: ev.SubstituteDropped, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, substitutes=_without(match.substitutes, event.seat))


@_step.register
def _(event: ev.StoodIn, game: AnyGame, match: Match, entry: Entry) -> Match:
    """Another person's reply addresses; what is the seat's own stays, but for what its player had in mind."""
    player = match.entrant(event.seat)
    swapped = _renewed(_with_entrant(match, event.seat, event.entrant), event.seat)
    return replace(
        swapped,
        former=(*match.former, Former(event.seat, player, entry.at)),
        stand_ins={**match.stand_ins, event.seat: StandIn(player, event.until)},
        drafts=_without(match.drafts, event.seat),
    )


@_step.register
def _(event: ev.CameBack, game: AnyGame, match: Match, entry: Entry) -> Match:
    """What is past of his absences is over. Who stood in for him would do so again."""
    stood, until = match.entrant(event.seat), match.stand_ins[event.seat].until
    swapped = _renewed(_with_entrant(match, event.seat, event.entrant), event.seat)
    return replace(
        swapped,
        former=(*match.former, Former(event.seat, stood, entry.at)),
        stand_ins=_without(match.stand_ins, event.seat),
        drafts=_without(match.drafts, event.seat),
        absences=tuple(a for a in match.absences if a.seat != event.seat or a.until > until),
    )


@_step.register
def _(event: ev.SeatOffered, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, offered=(*match.offered, event.seat))


@_step.register
def _(event: ev.AddressAdded, game: AnyGame, match: Match, entry: Entry) -> Match:
    """Of somebody who was forgotten the address is empty, and is none."""
    if not event.address:
        return match
    entrant = match.entrant(event.seat)
    return _with_entrant(match, event.seat, replace(entrant, addresses=(*entrant.addresses, event.address)))


@_step.register
def _(event: ev.ReplyAddressRenewed, game: AnyGame, match: Match, entry: Entry) -> Match:
    return _renewed(match, event.seat)


@_step.register
def _(event: ev.AbsenceTaken, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, absences=(*match.absences, Absence(event.seat, event.start, event.until)))


@_step.register
def _(event: ev.ZoneSet, game: AnyGame, match: Match, entry: Entry) -> Match:
    return _with_entrant(match, event.seat, replace(match.entrant(event.seat), zone=event.zone))


@_step.register
def _(event: ev.ObserverAdded, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, observers=tuple(sorted({*match.observers, event.address})))


@_step.register
def _(event: ev.ObserverRemoved, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, observers=tuple(a for a in match.observers if a != event.address))


@_step.register
def _(event: ev.SilentReminded, game: AnyGame, match: Match, entry: Entry) -> Match:
    return _change(match, event.label, lambda r: replace(r, reminded=(*r.reminded, event.reminder)))


@_step.register
def _(event: ev.MatchEnded, game: AnyGame, match: Match, entry: Entry) -> Match:
    return replace(match, status="ended", rounds=(), ended=event, drafts={})


def _change(match: Match, label: str, change: Callable[[OpenRound], OpenRound]) -> Match:
    return replace(match, rounds=tuple(change(r) if r.label == label else r for r in match.rounds))


def _close(match: Match, label: str, at: datetime, missing: tuple[Demand, ...]) -> Match:
    gone = match.round(label)
    if gone is None:
        return match
    past = _past(match, gone, gone.demands, at, missing)
    rest = tuple(r for r in match.rounds if r.label != label)
    drafts = {seat: draft for seat, draft in match.drafts.items() if draft.asked != gone.opened}
    return replace(match, rounds=rest, past=(*match.past, past)[-8:], drafts=drafts)


def _without_draft(match: Match, seat: int) -> Match:
    return replace(match, drafts=_without(match.drafts, seat))


def _past(
    match: Match, r: OpenRound, demands: tuple[Demand, ...], at: datetime, missing: tuple[Demand, ...]
) -> PastRound:
    closing = {
        d.seat: until
        for d in demands
        if (until := closes_for(match, r, d.seat)) is not None and until != r.due_for(d.seat)
    }
    return PastRound(r.label, demands, r.due_at, at, missing, r.moved, r.opened, closing)


def _heard(match: Match, seats: tuple[int, ...], shown: tuple[int, ...] | None = None) -> Match:
    """These seats have broken their silence; `shown` where that is not by an answer."""
    return replace(
        match,
        missed={seat: count for seat, count in match.missed.items() if seat not in seats},
        offered=tuple(seat for seat in match.offered if seat not in seats),
        shown=tuple(sorted({*match.shown, *seats})) if shown is None else shown,
    )


def _missed(match: Match, demands: tuple[Demand, ...]) -> Match:
    """These were not answered in time: one deadline more for each seat, however much it owed there."""
    seats = {d.seat for d in demands if d.seat != REFEREE}
    return replace(match, missed={**match.missed, **{seat: match.missed.get(seat, 0) + 1 for seat in seats}})


def _later(match: Match, span: timedelta) -> Match:
    def later(r: OpenRound) -> OpenRound:
        due_at = r.due_at + span if r.due_at else None
        moved, graced = ({seat: at + span for seat, at in some.items()} for some in (r.moved, r.graced))
        return replace(r, due_at=due_at, moved=moved, graced=graced)

    return replace(match, rounds=tuple(later(r) for r in match.rounds))


def _alone(match: Match, seat: int) -> Match:
    """Nobody stands in there, nor is to."""
    left = _without(match.substitutes, seat)
    return replace(match, substitutes=left, stand_ins=_without(match.stand_ins, seat))


def _without(by_seat: Mapping[int, T], seat: int) -> dict[int, T]:
    return {number: value for number, value in by_seat.items() if number != seat}


def _renewed(match: Match, seat: int) -> Match:
    return replace(match, renewals={**match.renewals, seat: match.renewals.get(seat, 0) + 1})


def _with_entrant(match: Match, seat: int, entrant: Entrant) -> Match:
    index = match.seating.index(seat) if match.seating else seat - 1
    return replace(match, roster=(*match.roster[:index], entrant, *match.roster[index + 1 :]))


# --- the cached state ------------------------------------------------------------------------------------------------

_SHAPE = 3  # raise it when Match or OpenRound change their shape


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
    return replace(match, standing=Standing(game, _adapter(game.state).validate_python(stored["inner"])))


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
