"""Values to JSON and back: a tagged union of frozen dataclasses, with upcasters for old shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import TypeAdapter

JsonObject: TypeAlias = Mapping[str, Any]  # an object as JSON has it, for reading
JsonDict: TypeAlias = dict[str, Any]  # one that is being made


class UnknownKind(LookupError):
    """The ledger names a kind of event that this version of the program does not know."""


class BadUpcast(ValueError):
    """An upcaster that leads nowhere, in a circle, or away from a kind of today; the argument says which."""


@dataclass(frozen=True, slots=True)
class Upcast:
    """How a stored object of the kind `old` becomes one of the kind `new`, both by name. `change`
    gets what was stored and gives what the newer kind stores, each without its kind.

    A kind whose shape changes gets another name, and the old name is never used for anything else:
    so what is stored tells its own shape, and needs no version beside it.
    """

    old: str
    new: str
    change: Callable[[JsonDict], JsonDict]


class Codec:
    """Encodes values of the given dataclasses as JSON objects with their class's name under `is`.

    Law: `decode(encode(value)) == value`. Upcasters lead every older kind, in as many steps as
    there were changes, to one of today's; old ledgers stay readable for ever. Where each leads is
    worked out here, once, so that reading can't run in a circle. Raises BadUpcast.
    """

    def __init__(self, kinds: Iterable[type], upcasts: Iterable[Upcast] = ()) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._adapters: dict[str, TypeAdapter[Any]] = {}  # made when needed: a start from cron needs few
        self._ways = _ways(self._kinds, tuple(upcasts))

    def encode(self, value: Any) -> JsonDict:
        kind = type(value).__name__
        body: JsonDict = self._adapter(kind).dump_python(value, mode="json")
        return {"is": kind, **body}

    def decode(self, stored: JsonObject) -> Any:
        body = self.today(stored)
        return self._adapter(body.pop("is")).validate_python(body)

    def today(self, stored: JsonObject) -> JsonDict:
        """What was stored as it would be of a kind of today, and otherwise as it stands."""
        body = dict(stored)
        kind = body.pop("is")
        for step in self._ways.get(kind, ()):
            kind, body = step.new, step.change(body)
        return {**body, "is": kind}

    def kind_of(self, stored: JsonObject) -> type:
        """The class of what `decode` would give."""
        way = self._ways.get(stored["is"])
        kind = way[-1].new if way else stored["is"]
        if kind not in self._kinds:
            raise UnknownKind(kind)
        return self._kinds[kind]

    def _adapter(self, kind: str) -> TypeAdapter[Any]:
        if kind not in self._kinds:
            raise UnknownKind(kind)
        if kind not in self._adapters:
            self._adapters[kind] = TypeAdapter(self._kinds[kind])
        return self._adapters[kind]


def _ways(kinds: Mapping[str, type], upcasts: tuple[Upcast, ...]) -> dict[str, tuple[Upcast, ...]]:
    """Every step from each older kind to one of today's."""
    steps = {step.old: step for step in upcasts}
    if len(steps) < len(upcasts):
        raise BadUpcast("two upcasters read one kind")
    if again := sorted(steps.keys() & kinds.keys()):
        raise BadUpcast(f"{again[0]} is written today: a changed shape needs a new name")
    ways: dict[str, tuple[Upcast, ...]] = {}
    for old in steps:
        way = [steps[old]]
        while (at := way[-1].new) in steps:
            if len(way) == len(steps):
                raise BadUpcast(f"{old} leads in a circle")
            way.append(steps[at])
        if at not in kinds:
            raise BadUpcast(f"{old} leads to {at}, which nobody knows")
        ways[old] = tuple(way)
    return ways
