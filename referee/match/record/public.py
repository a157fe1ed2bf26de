"""The public record of a match: a chain of public entries, what proves it, and how it is read back."""

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
from referee.match.chain.hashes import hash_of, private_again, public_form
from referee.match.chain.sealing import SEAL_RECIPE
from referee.match.events import Entry
from referee.match.fold import fold
from referee.match.match import Match
from referee.match.record.compact import packed, spelled, usual_of


class NoRecord(RefereeError, ValueError):
    """It is no record that this program can read."""


Record: TypeAlias = JsonObject  # what its JSON holds
FORMAT = "referee record 3"
CHAIN_RECIPE = (
    "Say every entry in full: what it leaves out is what `usual` says of its kind (its `is`; of an object inside it "
    'without one, its place: "Answered.demand"); its `at`, where it has none, is that of the entry before. '
    "In place of each text that its `salts` or `forgotten` name by its place (names and numbers parted by dots) say "
    "null, and in `words`, by the same places, SHA-256 of (the salt; a line feed; the text), or what `forgotten` says; "
    "leave `salts` and `forgotten` out. "
    "hash = SHA-256 of (the hash before, as hexadecimal; a line feed; the entry without `hash` as JSON in "
    "UTF-8, keys sorted, no spaces); before the first entry it is empty. `hash` stands where a letter may have told "
    "it; `head` is the last one."
)
RECIPES = {"chain": CHAIN_RECIPE, "seal": SEAL_RECIPE, "draw": RECIPE}  # how each is checked


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
        "how_to_check": RECIPES,
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
    """The entries in full. Raises NoRecord."""
    if record.get("format") != FORMAT:
        raise NoRecord(
            f"this is no {FORMAT!r}; a record of 0.1, which was no release, is read by that program alone"
        )
    return spelled(record["usual"], record["entries"])


def in_full(record: Record) -> JsonDict:
    """The record with every entry in full: for whoever looks entries up."""
    return {**record, "entries": lines_of(record)}


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
