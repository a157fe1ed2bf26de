"""Values to JSON and back: a tagged union of frozen dataclasses, with upcasters for old shapes."""

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
    looked at here, so that reading can't run in a circle. Raises BadUpcast.
    """

    def __init__(self, kinds: Iterable[type], upcasts: Iterable[Upcast] = ()) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._adapters: dict[str, TypeAdapter[Any]] = {}  # made when needed: a start from cron needs few
        self._steps: dict[str, Upcast] = {}
        for step in upcasts:
            if self._steps.setdefault(step.old, step) is not step:
                raise BadUpcast("two upcasters read one kind")
            if step.old in self._kinds:
                raise BadUpcast(f"{step.old} is written today: a changed shape needs a new name")
        for old in self._steps:
            if (at := self._way(old)[-1].new) not in self._kinds:
                raise BadUpcast(f"{old} leads to {at}, which nobody knows")

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
        for step in self._way(kind):
            kind, body = step.new, step.change(body)
        return {**body, "is": kind}

    def kind_of(self, stored: JsonObject) -> type:
        """The class of what `decode` would give."""
        kind = [stored["is"], *(step.new for step in self._way(stored["is"]))][-1]
        if kind not in self._kinds:
            raise UnknownKind(kind)
        return self._kinds[kind]

    def _adapter(self, kind: str) -> TypeAdapter[Any]:
        if kind not in self._adapters:
            self._adapters[kind] = TypeAdapter(self.kind_of({"is": kind}))
        return self._adapters[kind]

    def _way(self, kind: str) -> list[Upcast]:
        """Every step from a kind to one of today's."""
        way: list[Upcast] = []
        while step := self._steps.get(way[-1].new if way else kind):
            if len(way) == len(self._steps):
                raise BadUpcast(f"{kind} leads in a circle")
            way.append(step)
        return way
