"""A forger's work on a record: he changes it wherever he likes, and makes positions and chain anew by the
printed recipe, so that nothing of that gives him away."""

import copy
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from referee.match.chain import canonical, hash_of, stamp
from referee.match.record.public import FORMAT, RECIPES, lines_of

Line = dict[str, Any]
Place = tuple[Any, ...]


def rechained(lines: Sequence[Line]) -> dict[str, Any]:
    """A record of these entries, whatever they say. A stimulus ends where an entry has a `hash`, and at the end."""
    told, head = [], ""
    for position, line in enumerate(lines, 1):
        body = {**{k: v for k, v in line.items() if k != "hash"}, "position": position}
        head = hash_of(head, body)
        ends = "hash" in line or position == len(lines)
        told.append({**body, "hash": head} if ends else body)
    first = told[0]
    return {
        "format": FORMAT,
        "match": first.get("match"),
        "game": first.get("game"),
        "title": "",
        "entries": told,
        "head": head,
        "how_to_check": RECIPES,
    }


@dataclass(frozen=True)
class Forgery:
    """`deed` is what was done to what kind of entry, `place` the field; `lines` the entries after it."""

    deed: str
    kind: str
    place: Place
    index: int
    lines: list[Line]

    def __str__(self) -> str:
        return f"{self.deed} {self.kind} {'.'.join(map(str, self.place))} (entry {self.index + 1})"


def kind_of(line: Line) -> str:
    """ "StonePlaced" of a game's own event, "Answered Move" of an answer."""
    if line["is"] == "Happened":
        return str(line["event"]["is"])
    return f"Answered {line['demand']['kind']}" if line["is"] == "Answered" else str(line["is"])


def forgeries(record: dict[str, Any], most: int = 3) -> Iterator[Forgery]:
    """Every deed on the first, the middle and the last entries of every kind, `most` of each."""
    lines = lines_of(record)
    places = defaultdict(list)
    for index, line in enumerate(lines):
        places[kind_of(line)].append(index)
    for kind, found in places.items():
        chosen = sorted({found[i * (len(found) - 1) // max(1, most - 1)] for i in range(most)})
        for index in chosen:
            for deed, place, forged in _deeds(lines, index):
                if forged:
                    yield Forgery(deed, kind, place, index, forged)


def _deeds(lines: list[Line], at: int) -> Iterator[tuple[str, Place, list[Line]]]:
    line, end = lines[at], len(lines)
    stop = next(i for i in range(at, end) if "hash" in lines[i]) + 1
    start = next((i + 1 for i in reversed(range(at)) if "hash" in lines[i]), 0)
    yield "drop", (), lines[:at] + lines[at + 1 :]
    yield "drop", ("stimulus",), lines[:start] + lines[stop:]
    yield "double", (), [*lines[: at + 1], line, *lines[at + 1 :]]
    yield "double", ("stimulus",), lines[:stop] + _later(lines[start:stop], lines[stop - 1]) + lines[stop:]
    alone = {**line, "hash": ""}
    for to in sorted({1, start, stop, (stop + end) // 2, end}):
        if 0 < to <= end:
            before = lines[to - 1]
            told = {**alone, "at": before["at"]}
            whole = [*lines[: to - 1], {**before, "hash": ""}]
            yield "insert", ("alone",), [*whole, told, *lines[to:]]
            yield "insert", ("within",), [*lines[: to - 1], _bare(before), told, *lines[to:]]
            if not start <= to <= stop:
                rest = lines[:at] + lines[at + 1 :]
                there = to - (to > at)
                yield "move", (), [*rest[:there], told, *rest[there:]]
    if at + 1 < end:
        other = {**_bare(lines[at + 1]), "at": line["at"]}
        mine = {**_bare(line), "at": lines[at + 1]["at"]}
        yield "swap", (), [*lines[:at], _as(other, line), _as(mine, lines[at + 1]), *lines[at + 2 :]]
    if stop < end:
        then = next(i for i in range(stop, end) if "hash" in lines[i]) + 1
        swapped = _later(lines[stop:then], lines[start]) + _later(lines[start:stop], lines[stop])
        yield "swap", ("stimulus",), lines[:start] + swapped + lines[then:]
    yield "part", (), [*lines[:at], _bare(line) if "hash" in line else alone, *lines[at + 1 :]]
    for place, changed in _altered(_bare(line)):
        yield "alter", place, [*lines[:at], _as(changed, line), *lines[at + 1 :]]


def _bare(line: Line) -> Line:
    return {k: v for k, v in line.items() if k not in ("hash", "position")}


def _as(line: Line, other: Line) -> Line:
    """The line, ending a stimulus where the other does."""
    return {**line, "hash": ""} if "hash" in other else line


def _later(lines: list[Line], than: Line) -> list[Line]:
    return [{**line, "at": than["at"]} for line in lines]


def _altered(line: Line) -> Iterator[tuple[Place, Line]]:
    """The line with each value in it changed, left out, or something added beside it."""
    for place in _paths(line):
        if not place:
            continue
        for value in _others(_value(line, place)):
            changed = copy.deepcopy(line)
            _value(changed, place[:-1])[place[-1]] = value
            yield place, changed
        if place not in (("is",), ("at",)):  # one must be said, the other is then that of the entry before
            changed = copy.deepcopy(line)
            del _value(changed, place[:-1])[place[-1]]
            yield place, changed
    for place in _paths(line):
        if isinstance(_value(line, place), dict):
            changed = copy.deepcopy(line)
            _value(changed, place)["note"] = "bribed"
            yield (*place, "+"), changed


def _paths(value: Any, place: Place = ()) -> list[Place]:
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):  # its first and its last
        inner = [(i, value[i]) for i in sorted({0, len(value) - 1}) if value]
    else:
        inner = []
    return [place, *(found for key, below in inner for found in _paths(below, (*place, key)))]


def _value(value: Any, place: Place) -> Any:
    for key in place:
        value = value[key]
    return value


def _others(value: Any) -> Iterator[Any]:
    """What might stand there as well."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, value + 10**8)
        case str():
            try:
                yield stamp(datetime.fromisoformat(value) + timedelta(hours=1))
                yield stamp(datetime.fromisoformat(value) - timedelta(hours=1))
            except ValueError:
                yield f"{value}x"
                if value:
                    yield value[:-1]
                    yield ""
        case None:
            yield from ("x", 1)
        case list() if value:
            yield from ([], [*value, value[-1]])
            if canonical(value) != canonical(value[::-1]):
                yield value[::-1]
        case dict() if value:
            yield None


def as_read(record: dict[str, Any]) -> dict[str, Any]:
    """The record as a file gives it."""
    told: dict[str, Any] = json.loads(json.dumps(record))
    return told
