"""The public record of a match: a chain of public entries, what proves it, and how it is read back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import takewhile
from typing import Any, TypeAlias

from referee.core.chance import RECIPE, Chance, mixed
from referee.core.codec import JsonDict, JsonObject
from referee.core.game import AnyGame, Setup
from referee.core.options import Options
from referee.core.owing import Demand
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.fold import fold
from referee.match.match import Match
from referee.match.record.chain import hash_of, private_again, public_form
from referee.match.record.compact import TooMuch, packed, spelled, usual_of
from referee.match.record.rejudging import as_read, judging_faults
from referee.match.sealing import SEAL_RECIPE, commitment, seal


class NoRecord(ValueError):
    """It is no record that this program can read."""


Record: TypeAlias = JsonObject  # of any version: what its JSON holds
FORMAT = "referee record 2"
FORMATS = ("referee record 1", FORMAT)  # all that are read: a record is for ever
_STIMULI = (  # what a stimulus begins with
    ev.EntrantJoined,
    ev.EntrantLeft,
    ev.Answered,
    ev.RoundRevealed,
    ev.Lapsed,
    ev.EntrantReplaced,
    ev.MatchPaused,
    ev.MatchResumed,
    ev.MatchRewound,
    ev.TurnRuled,
    ev.DowntimeAdded,
    ev.Amended,
    ev.AbsenceTaken,
    ev.Said,
    ev.PressSent,
)
CHAIN_RECIPE = (
    "Say every entry in full: what it leaves out is what `usual` says of its kind (its `is`; of an object inside it "
    'without one, its place: "Answered.demand"); its `at`, where it has none, is that of the entry before. '
    "hash = SHA-256 of (the hash before, as hexadecimal; a line feed; the entry without `hash` as JSON in "
    "UTF-8, keys sorted, no spaces); before the first entry it is empty. `hash` stands where a letter may have told "
    "it; `head` is the last one."
)


def public_record(game: AnyGame, history: Sequence[Entry]) -> JsonDict:
    """Everything public, each thing said once, with the chain's hash after each stimulus: where public letters tell how
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
    usual = usual_of(lines)
    return {
        "format": FORMAT,
        "match": first.match,
        "game": game.slug,
        "title": game.title,
        "usual": usual,
        "entries": packed(lines, usual),
        "head": head,
        "how_to_check": {"chain": CHAIN_RECIPE, "seal": SEAL_RECIPE, "draw": RECIPE},
    }


def record_json(record: Record) -> str:
    """A record as the file that is kept and mailed: an entry a line."""
    parts = []
    for name, value in record.items():
        if name in ("entries", "usual"):
            open_, close = "[]" if name == "entries" else "{}"
            rows = (
                map(_json, value)
                if name == "entries"
                else (f"{_json(k)}: {_json(v)}" for k, v in value.items())
            )
            inner = ",\n".join(f"  {row}" for row in rows)
            parts.append(
                f"{_json(name)}: {open_}\n{inner}\n {close}" if inner else f"{_json(name)}: {open_}{close}"
            )
        else:
            parts.append(f"{_json(name)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def lines_of(record: Record) -> list[JsonDict]:
    """The entries in full, of a record of any version. Raises NoRecord."""
    if record.get("format") not in FORMATS:
        raise NoRecord(f"this is no {FORMAT!r}, and no older one")
    if record["format"] == FORMATS[0]:
        return list(record["entries"])
    return spelled(record["usual"], record["entries"])


def in_full(record: Record) -> JsonDict:
    """The record with every entry in full, whatever its version: for whoever looks entries up."""
    return {**record, "entries": lines_of(record)}


def read_back(game: AnyGame, record: Record) -> Match:
    """The match that a record tells of: the same public position as the referee's own."""
    return fold(lambda _: game, entries_of(record))


def entries_of(record: Record) -> list[Entry]:
    """The entries, by stimulus: version 1 does not say where one ends, but what it begins with tells."""
    found: list[Entry] = []
    seldom = record["format"] != FORMATS[0]
    ended = True
    for line in lines_of(record):
        entry = private_again({k: v for k, v in line.items() if k != "hash"})
        begins = ended if seldom else not found or isinstance(entry.event, _STIMULI)
        ended = "hash" in line
        found.append(replace(entry, cause=entry.version if begins else found[-1].cause))
    return found


def verified(record: Record, game: AnyGame | None = None) -> tuple[str, ...]:
    """Every fault of a record's chain, seals and draw; empty when all is as it should be. Needs no secret. With the
    game at hand its opening is made again from the seed, and every answer is judged again."""
    try:
        record = in_full(record)
    except (NoRecord, TooMuch) as error:
        return (str(error),)
    faults = (*_chain_faults(record), *_title_faults(record), *_draw_faults(record), *_seal_faults(record))
    if faults or game is None:
        return faults
    entries = [private_again({k: v for k, v in line.items() if k != "hash"}) for line in record["entries"]]
    return _opening_faults(record, game) or judging_faults(game, entries)


def _chain_faults(record: Record) -> list[str]:
    faults, head = [], ""
    told_seldom = record["format"] != FORMATS[0]  # the first version told the hash after every entry
    for index, line in enumerate(record["entries"], 1):
        head = hash_of(head, {k: v for k, v in line.items() if k != "hash"})
        if line.get("hash", head if told_seldom else None) != head:
            faults.append(f"entry {index} does not fit the chain: something in it or before it was changed")
            head = str(line.get("hash", ""))
        if line.get("position") != index:
            faults.append(f"entry {index} is numbered {line.get('position')}")
    if record.get("head") != head:
        faults.append("the chain's head is not that of its last entry")
    return faults


def _title_faults(record: Record) -> list[str]:
    """What stands above the chain must be what its first entry says."""
    first = record["entries"][0] if record["entries"] else {}
    return [
        f"the record is said to be of the {what} {record.get(what)!r}, its first entry says {first.get(what)!r}"
        for what in ("match", "game")
        if record.get(what) != first.get(what)
    ]


def _draw_faults(record: Record) -> list[str]:
    opening = next((e for e in record["entries"] if e["is"] == "MatchOpened"), None)
    begun = next((e for e in record["entries"] if e["is"] == "MatchBegun"), None)
    if opening is None:
        return ["the record does not begin with the opening of a match"]
    if begun is None:
        return []
    faults = []
    if commitment(begun["seed"]) != opening["commitment"]:
        faults.append("the seed of the draw is not the one that the opening committed to")
    used = mixed(begun["seed"], opening["beacon"]) if opening.get("beacon") else begun["seed"]
    chance = Chance(used)
    for drawn in begun["transcript"]:
        if chance.below(drawn["bound"], drawn["purpose"]) != drawn["result"]:
            faults.append(f"the draw of {drawn['purpose']!r} does not follow from the seed")
    return faults


def _opening_faults(record: Record, game: AnyGame) -> tuple[str, ...]:
    """Whether the seats, the draws and the game's first events are those that the seed leads to."""
    first = next(e for e in record["entries"] if e["is"] == "MatchOpened")
    at = next((i for i, e in enumerate(record["entries"]) if e["is"] == "MatchBegun"), None)
    if at is None:
        return ()
    begun = record["entries"][at]
    if first.get("continues"):
        drawn = begun["transcript"] or begun["seating"] != sorted(begun["seating"])
        return ("a match that goes on from another draws nothing",) if drawn else ()
    chance = Chance(mixed(begun["seed"], first["beacon"]) if first.get("beacon") else begun["seed"])
    opening = game.opening(Setup(Options(first["options"]), first["data"], first["seats"]), chance)
    faults = []
    if list(opening.seating) != begun["seating"]:
        faults.append("the seats are not those that the seed leads to")
    if [asdict(drawn) for drawn in chance.transcript] != begun["transcript"]:
        faults.append("the draws are not those that the opening of this game needs")
    expected = as_read(game, opening.events)
    told = takewhile(lambda e: e["is"] == "Happened", record["entries"][at + 1 :])
    if any(game.events_codec.decode(entry["event"]) not in expected for entry in told):
        faults.append("the game did not begin as the seed and the options say")
    return tuple(faults)


def _seal_faults(record: Record) -> list[str]:
    faults = []
    for line in record["entries"]:
        for answer in line["answers"] if line["is"] == "RoundRevealed" else ():
            demand = Demand(**answer["demand"])
            text = answer["text"]
            expected = seal(answer["nonce"], record["match"], line["label"], line["opened"], demand, text)
            if expected != answer["seal"]:
                faults.append(f"{line['label']}: the seal of seat {demand.seat} does not fit its text")
    return faults
