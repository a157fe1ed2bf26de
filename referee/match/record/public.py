"""The public record of a match: a chain of public entries, what proves it, how it is read back,
and what of it a match goes on with from one of its positions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from referee.base.errors import RefereeError
from referee.core.chance import RECIPE
from referee.core.codec import JsonDict, JsonObject
from referee.core.game import AnyGame
from referee.match import events as ev
from referee.match.chain import SEAL_RECIPE, hash_of, private_again, public_form
from referee.match.commands import Continuation
from referee.match.events import Continued, Entry
from referee.match.fold import fold
from referee.match.handling.rewinding import data_in_force
from referee.match.match import Match
from referee.match.record import compact
from referee.match.timing import BEFORE


class NoRecord(RefereeError, ValueError):
    """It is no record that this program can read."""


Record: TypeAlias = JsonObject  # what its JSON holds
FORMAT = "referee record 4"
CHAIN_RECIPE = (
    "In place of each text that its `salts` or `forgotten` name by its place (names and numbers parted by dots) say "
    "null, and in `words`, by the same places, SHA-256 of (the salt; a line feed; the text), or what `forgotten` says; "
    "leave `salts` and `forgotten` out. "
    "hash = SHA-256 of (the hash before, as hexadecimal; a line feed; the entry without `hash` as JSON in "
    "UTF-8, keys sorted, no spaces); before the first entry it is empty. `hash` stands where a letter may have told "
    "it; `head` is the last one."
)
RECIPES = {"chain": CHAIN_RECIPE, "seal": SEAL_RECIPE, "draw": RECIPE}  # how each is checked


def public_record(game: AnyGame, history: Sequence[Entry]) -> JsonDict:
    """Everything public, with the chain's hash after each stimulus: where public letters tell how
    it stands. No secret entry leaves a trace in it."""
    lines: list[JsonDict] = []
    head, cause = "", 0
    for entry in history:
        if not entry.public:
            continue
        form = public_form(entry)
        if lines and entry.cause != cause:
            lines[-1]["hash"] = head
        cause, head = entry.cause, hash_of(head, form)
        lines.append(form)
    lines[-1]["hash"] = head
    first = history[0].event
    assert isinstance(first, ev.MatchOpened)
    return {
        "format": FORMAT,
        "match": first.match,
        "game": game.slug,
        "title": game.title,
        "entries": lines,
        "head": head,
        "how_to_check": RECIPES,
    }


def record_json(record: Record) -> str:
    """A record as the file that is kept and mailed: an entry a line."""
    rows = ",\n".join(f"  {_json(entry)}" for entry in record["entries"])
    told = {name: json.dumps(value, ensure_ascii=False) for name, value in record.items()}
    told["entries"] = f"[\n{rows}\n ]"
    return "{\n " + ",\n ".join(f"{_json(name)}: {value}" for name, value in told.items()) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def lines_of(record: Record) -> list[JsonDict]:
    """The entries in full, also of a record of 0.2.0. Raises NoRecord."""
    if record.get("format") == FORMAT:
        return [{**entry} for entry in record["entries"]]
    if record.get("format") == compact.FORMAT:
        return compact.spelled(record["usual"], record["entries"])
    raise NoRecord(
        f"this is no {FORMAT!r}; a record of 0.1, which was no release, is read by that program alone"
    )


def read_back(game: AnyGame, record: Record) -> Match:
    """The match that a record tells of: the same public position as the referee's own."""
    return fold(lambda _: game, entries_of(record))


def entries_of(record: Record) -> list[Entry]:
    """The entries, by stimulus: one ends where the chain's hash stands."""
    found: list[Entry] = []
    ended = True
    for line in lines_of(record):
        entry = private_again({k: v for k, v in line.items() if k != "hash"})
        found.append(replace(entry, cause=entry.version if ended else found[-1].cause))
        ended = "hash" in line
    return found


class CannotContinue(RefereeError, ValueError):
    """The record has no such position, or the match has ended there; the argument says which."""


def continuation(game: AnyGame, record: JsonObject, at: int | None = None) -> Continuation:
    """What a match takes over that goes on as the record's stood at a public position, with all
    that followed at once from what happened there; the last one where none is named. The record is
    taken to be verified. Raises CannotContinue."""
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
    origin = Continued(first.match, wanted, then.head)
    options = {BEFORE.get(name, name): value for name, value in then.options.items()}
    stood = entries[:wanted]
    return Continuation(origin, first.seats, options, data_in_force(stood), _happened(game, stood))


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
