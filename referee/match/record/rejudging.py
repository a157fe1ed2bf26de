"""A record judged again: every answer was legal, every consequence follows, and the end is the one the rules give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.core import seam
from referee.core.answers import Body
from referee.core.capabilities import Computes
from referee.core.complaint import Complaint
from referee.core.game import AnyGame, Game
from referee.core.owing import LAPSED, REFEREE, Demand, Lapse
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.fold import applied, begun
from referee.match.match import Match


def judging_faults(game: AnyGame, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Every fault, in words. What secret orders brought about is not judged: a record does not hold them."""
    faults: list[str] = []
    match: Match | None = None
    for index, entry in enumerate(entries):
        if match is not None and match.inner is not None:
            faults += (f"entry {index + 1}: {words}" for words in _faults(game, match, entries, index))
        match = applied(game, match, entry, lambda: entries) if match else begun(entry)
    return tuple(faults)


def _faults(game: AnyGame, match: Match, entries: Sequence[Entry], index: int) -> Iterator[str]:
    """What is wrong with the entry of that index, seen from the match before it."""
    event = entries[index].event
    match event:
        case ev.Happened():
            if isinstance(game, Computes):
                yield from game.audit(match.inner, game.events_codec.decode(event.event))
        case ev.Answered(demand=demand) if demand.seat != REFEREE:
            action = game.actions_codec.decode(event.action)
            complaints = seam.check(game, match.inner, demand, action)
            yield from _refused(demand, () if complaints and _knows_more(game, match, demand) else complaints)
            yield from _consequences(game, match, {demand: action}, _happened(game, entries, index))
        case ev.RoundRevealed():
            answers: dict[Demand, Any | Lapse] = dict.fromkeys(event.missing, LAPSED)
            for answer in event.answers:
                action = _read(game, match, answer)
                if action is None:
                    yield f"the answer of seat {answer.demand.seat} can't be read"
                    return
                answers[answer.demand] = action
                yield from _refused(answer.demand, seam.check(game, match.inner, answer.demand, action))
            yield from _consequences(game, match, answers, _happened(game, entries, index))
        case ev.Lapsed(demands=demands):
            yield from _consequences(
                game, match, dict.fromkeys(demands, LAPSED), _happened(game, entries, index)
            )
        case ev.MatchEnded():
            yield from _end(game, match, event)


def _read(game: AnyGame, match: Match, answer: ev.Unsealed) -> Any:
    party = match.party(answer.demand.seat)
    return seam.read(game, match.inner, answer.demand, Body.of(answer.text), party).action


def _knows_more(game: AnyGame, match: Match, demand: Demand) -> bool:
    """Whether the seat was judged by what no record holds: of a private puzzle only the last mail is public."""
    told, known = (game.view(match.inner, seat).position for seat in (None, demand.seat))
    return told != known


def _refused(demand: Demand, complaints: Sequence[Complaint]) -> Iterator[str]:
    if complaints:
        why = ", ".join(sorted({f"{c.code} ({c.rule})" for c in complaints}))
        yield f"the rules refuse the {demand.kind} of seat {demand.seat}: {why}"


def _happened(game: AnyGame, entries: Sequence[Entry], index: int) -> list[Any]:
    """The game's events that are told right behind an entry."""
    told: list[Any] = []
    for at in range(index + 1, len(entries)):
        event = entries[at].event
        if not isinstance(event, ev.Happened):
            break
        told.append(game.events_codec.decode(event.event))
    return told


def _consequences(
    game: AnyGame, match: Match, answers: Mapping[Demand, Any | Lapse], told: list[Any]
) -> Iterator[str]:
    """Where the game keeps no secrets, what happened is what the rules make of the answers."""
    if type(game).secret_to is not Game.secret_to:
        return
    if told != as_read(game, seam.resolve(game, match.inner, answers)):
        yield "what is said to have happened does not follow from it"


def as_read(game: AnyGame, events: Sequence[Any]) -> list[Any]:
    """The game's events as they are once written and read back: to be compared with what a record holds, whatever
    shapes it was written in."""
    codec = game.events_codec
    return [codec.decode(codec.encode(event)) for event in events]


def _end(game: AnyGame, match: Match, event: ev.MatchEnded) -> Iterator[str]:
    outcome = game.outcome(match.inner)
    if outcome is None:
        yield "the match is said to have ended, and by the rules it goes on"
    elif (outcome.winners, {s: str(n) for s, n in outcome.points.items()}) != (
        event.winners,
        dict(event.points),
    ):
        yield "winners or points are not those that the rules give"
