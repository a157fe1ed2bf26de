"""What of a record a match goes on with, from one of its positions."""

from __future__ import annotations

from collections.abc import Sequence

from referee.base.errors import RefereeError
from referee.core.codec import JsonObject
from referee.core.game import AnyGame
from referee.match import events as ev
from referee.match.chain.hashes import hash_of
from referee.match.commands import Continuation
from referee.match.events import Continued, Entry
from referee.match.fold import fold
from referee.match.record.public import entries_of, lines_of
from referee.match.timing import BEFORE


class CannotContinue(RefereeError, ValueError):
    """The record has no such position, or the match has ended there; the argument says which."""


def continuation(game: AnyGame, record: JsonObject, at: int | None = None) -> Continuation:
    """What a match takes over that goes on as the record's stood at a public position, with all that followed at once
    from what happened there; the last one where none is named. The record is taken to be verified. Raises
    CannotContinue."""
    entries = entries_of(record)
    wanted = len(entries) if at is None else at
    if not 1 <= wanted <= len(entries):
        raise CannotContinue(f"the record has the positions 1 to {len(entries)}, not {wanted}")
    while wanted < len(entries) and entries[wanted].cause == entries[wanted - 1].cause:
        wanted += 1
    then = fold(lambda _: game, entries[:wanted])
    if then.standing is None:
        raise CannotContinue(f"at position {wanted} the match has not begun")
    if then.status == "ended" or not then.standing.due:
        raise CannotContinue(f"at position {wanted} the match has ended")
    first = entries[0].event
    assert isinstance(first, ev.MatchOpened)
    amended = [
        e.event.data for e in entries[:wanted] if isinstance(e.event, ev.Amended) and e.event.data is not None
    ]
    origin = Continued(first.match, wanted, _head(record, wanted))
    options = {BEFORE.get(name, name): value for name, value in then.options.items()}
    return Continuation(
        origin,
        first.seats,
        options,
        amended[-1] if amended else first.data,
        _happened(game, entries[:wanted]),
    )


def _happened(game: AnyGame, entries: Sequence[Entry]) -> tuple[JsonObject, ...]:
    """The game's events that stand, without those that a rewind took back, in the shape that events have today."""
    told: list[tuple[int, JsonObject]] = []
    for entry in entries:
        match entry.event:
            case ev.Happened(event):
                told.append((entry.position, event))
            case ev.MatchRewound(back_to=back):
                told = [(position, event) for position, event in told if position <= back]
    return tuple(game.events_codec.encode(game.events_codec.decode(event)) for _, event in told)


def _head(record: JsonObject, position: int) -> str:
    head = ""
    for line in lines_of(record)[:position]:
        head = hash_of(head, {name: value for name, value in line.items() if name != "hash"})
    return head
