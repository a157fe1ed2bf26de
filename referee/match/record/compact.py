"""Records of 0.2.0, whose entries say each thing once: what is usual stands in a table of the
record's own, and is left away.

    usual: {"StonePlaced": {"removed": [], "how": "mail"}, "Answered.demand": {"about": ""}}

An object's kind is its `is`; without one, its place in the object around it ("Answered.demand"). What an object does
not say is what is usual for its kind. An entry's moment is that of the entry before it, where it says none.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from referee.base.errors import RefereeError
from referee.core.codec import JsonDict, JsonObject
from referee.match.chain import canonical

Lines = list[JsonDict]
Usual = Mapping[str, JsonObject]

FORMAT: Final = "referee record 3"
HOW_TO_SPELL: Final = (
    "Say every entry in full: what it leaves out is what `usual` says of its kind (its `is`; of an object inside it "
    'without one, its place: "Answered.demand"); its `at`, where it has none, is that of the entry before. '
)
_MOST_NAMES = 5_000_000  # that spelling a record out may add: a small file must not become a huge one
_OF_ENTRIES = ("position", "at", "hash")  # never usual


class TooMuch(RefereeError, ValueError):
    """Spelled out, the record would be larger than any match."""


def usual_of(lines: Sequence[JsonObject]) -> dict[str, JsonDict]:
    """The table that such a record has for these entries: of each kind of object the names that all
    of them have, with the value that most of them share."""
    seen: Counter[str] = Counter()
    values: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    bodies = ({n: v for n, v in line.items() if n not in _OF_ENTRIES} for line in lines)
    for kind, value in (found for body in bodies for found in _objects(body, "")):
        seen[kind] += 1
        for name, said in value.items():
            values[kind][name][canonical(said)] += 1
    found: dict[str, JsonDict] = {}
    for kind in sorted(values):
        for name, counts in sorted(values[kind].items()):
            said, times = max(counts.items(), key=lambda item: (item[1], item[0]))
            everywhere = sum(counts.values()) == seen[kind]
            if name != "is" and everywhere and 1 < times > seen[kind] / 2:
                found.setdefault(kind, {})[name] = json.loads(said)
    return found


def spelled(usual: Usual, told: Iterable[JsonObject]) -> Lines:
    """The entries in full. Raises TooMuch, and what a text that is no record makes it raise."""
    room = [_MOST_NAMES]
    lines: Lines = []
    at: Any = None
    for short in told:
        at = short.get("at", at)
        body = {name: value for name, value in short.items() if name not in _OF_ENTRIES}
        end = {"hash": short["hash"]} if "hash" in short else {}
        lines.append({"position": short["position"], "at": at, **_more(body, "", usual, room), **end})
    return lines


def _objects(value: Any, place: str) -> Iterator[tuple[str, JsonObject]]:
    """Every object in a value, with its kind."""
    if isinstance(value, Mapping):
        kind = str(value.get("is", place))
        yield kind, value
        for name, inner in value.items():
            yield from _objects(inner, f"{kind}.{name}")
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _objects(inner, place)


def _more(value: Any, place: str, usual: Usual, room: list[int]) -> Any:
    if isinstance(value, Mapping):
        kind = str(value.get("is", place))
        common = usual.get(kind, {})
        room[0] -= len(common)
        if room[0] < 0:
            raise TooMuch("spelled out it would be larger than any match")
        said = {name: _more(inner, f"{kind}.{name}", usual, room) for name, inner in value.items()}
        return {**common, **said}
    if isinstance(value, list):
        return [_more(inner, place, usual, room) for inner in value]
    return value
