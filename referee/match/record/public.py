"""The public record of a match: a chain of public entries, what proves it, how it is read back,
and what of it a match goes on with from one of its positions.

Of 0.2.0 there are records whose entries say each thing once: what is usual stands in a table of the
record's own, and is left away.

    usual: {"StonePlaced": {"removed": [], "how": "mail"}, "Answered.demand": {"about": ""}}

An object's kind is its `is`; without one, its place in the object around it ("Answered.demand").
What an object does not say is what is usual for its kind. An entry's moment is that of the entry
before it, where it says none."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from referee.base.errors import RefereeError
from referee.core.chance import RECIPE
from referee.core.codec import JsonDict, JsonObject
from referee.core.game import AnyGame
from referee.match.chain import SEAL_RECIPE, hash_of, private_again, public_form
from referee.match.events import Continued, Entry, Happened, MatchOpened
from referee.match.handling.rewinding import data_in_force, in_force
from referee.match.match import Match, fold
from referee.match.timing import BEFORE


class NoRecord(RefereeError, ValueError):
    """It is no record that this program can read, or has nothing to go on from at a position; the argument says why."""


Record: TypeAlias = JsonObject  # what its JSON holds
# By what a match goes on from another's position, so that nothing the rules look back at is lost
# (repetition, prisoners, timeouts, points): the opening as things stood there, and the game's own
# events, in order. Other players may sit there; seats keep their numbers, nothing is drawn anew.
Continuation: TypeAlias = tuple[MatchOpened, tuple[JsonObject, ...]]
FORMAT = "referee record 4"
CHAIN_RECIPE = (
    "In place of each text that its `salts` or `forgotten` name by its place (names and numbers parted by dots) say "
    "null, and in `words`, by the same places, SHA-256 of (the salt; a line feed; the text), or what `forgotten` says; "
    "leave `salts` and `forgotten` out. "
    "hash = SHA-256 of (the hash before, as hexadecimal; a line feed; the entry without `hash` as JSON in "
    "UTF-8, keys sorted, no spaces); before the first entry it is empty. `hash` stands where a letter may have told "
    "it; `head` is the last one."
)
FORMER = "referee record 3"  # of 0.2.0
HOW_TO_SPELL = (
    "Say every entry in full: what it leaves out is what `usual` says of its kind (its `is`; of an object inside it "
    'without one, its place: "Answered.demand"); its `at`, where it has none, is that of the entry before. '
)
_MOST_NAMES = 5_000_000  # that spelling a record out may add: a small file must not become a huge one
_OF_ENTRIES = ("position", "at", "hash")  # never usual
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
    return {
        "format": FORMAT,
        "match": lines[0]["match"],
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
    if record.get("format") == FORMER:
        return spelled(record["usual"], record["entries"])
    raise NoRecord(
        f"this is no {FORMAT!r}; a record of 0.1, which was no release, is read by that program alone"
    )


def entries_of(record: Record) -> list[Entry]:
    """The entries, by stimulus: one ends where the chain's hash stands."""
    found: list[Entry] = []
    ended = True
    for line in lines_of(record):
        entry = private_again({k: v for k, v in line.items() if k != "hash"})
        found.append(replace(entry, cause=entry.version if ended else found[-1].cause))
        ended = "hash" in line
    return found


def spelled(usual: Mapping[str, JsonObject], told: Iterable[JsonObject]) -> list[JsonDict]:
    """The entries in full; whatever is usual must be so somewhere. Raises NoRecord, and what a text
    that is no record makes it raise."""
    never = {(kind, name) for kind, names in usual.items() for name in names}  # so far
    room, at, lines = _MOST_NAMES, None, list[JsonDict]()

    def more(value: Any, place: str) -> Any:
        nonlocal room
        if isinstance(value, list):
            return [more(inner, place) for inner in value]
        if not isinstance(value, Mapping):
            return value
        kind = str(value.get("is", place))
        common = usual.get(kind, {})
        whole = {**common, **value}
        never.difference_update((kind, name) for name, said in common.items() if whole[name] == said)
        room -= len(common)
        if room < 0:
            raise NoRecord("spelled out it would be larger than any match")
        return {name: more(inner, f"{kind}.{name}") for name, inner in whole.items()}

    for short in told:
        at = short.get("at", at)
        body = {name: value for name, value in short.items() if name not in _OF_ENTRIES}
        end = {"hash": short["hash"]} if "hash" in short else {}
        lines.append({"position": short["position"], "at": at, **more(body, ""), **end})
    if never:
        raise NoRecord("what it says of 'usual' is not what follows from its entries")
    return lines


def continuation(game: AnyGame, record: JsonObject, at: int | None = None) -> Continuation:
    """What a match takes over that goes on as the record's stood at a public position, with all
    that followed at once from what happened there; the last one where none is named. The record is
    taken to be verified. Raises NoRecord."""
    entries = entries_of(record)
    wanted = len(entries) if at is None else at
    if not 1 <= wanted <= len(entries):
        raise NoRecord(f"the record has the positions 1 to {len(entries)}, not {wanted}")
    while wanted < len(entries) and entries[wanted].cause == entries[wanted - 1].cause:
        wanted += 1
    stood = entries[:wanted]
    then = fold(lambda _: game, stood)
    if then.standing is None:
        raise NoRecord(f"at position {wanted} the match has not begun")
    if then.status == "ended" or not then.standing.due:
        raise NoRecord(f"at position {wanted} the match has ended")
    first = entries[0].event
    assert isinstance(first, MatchOpened)
    options = {BEFORE.get(name, name): value for name, value in then.options.items()}
    origin, data = Continued(first.match, wanted, then.head), data_in_force(stood)
    opening = replace(first, options=options, data=data, continues=origin)
    return opening, tuple(map(game.events_codec.encode, _happened(game, stood)))


def sgf_of(game: AnyGame, match: Match, history: Sequence[Entry]) -> str | None:
    """The match in the Smart Game Format; None of a game that has none."""
    return game.sgf(_happened(game, history), {seat: match.entrant(seat).name for seat in match.seating})


def _happened(game: AnyGame, entries: Sequence[Entry]) -> Iterator[Any]:
    """The game's public events that stand, without those that a rewind took back."""
    return (e.told(game) for e in in_force(entries) if e.public and isinstance(e.event, Happened))
