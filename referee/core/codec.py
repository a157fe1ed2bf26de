"""Values to JSON and back: a tagged union of frozen dataclasses, with upcasters for older shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter

Upcast = Callable[[dict[str, Any]], dict[str, Any]]


class UnknownKind(LookupError):
    """The ledger names a kind of event that this version of the program does not know."""


class Codec:
    """Encodes values of the given dataclasses as JSON objects with their class's name under `is`.

    Law: `decode(encode(value)) == value`. `upcasts` maps an older kind's name to a function that turns its
    stored object into one of today's; old ledgers stay readable for ever.
    """

    def __init__(self, kinds: Iterable[type], upcasts: Mapping[str, Upcast] | None = None) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._adapters: dict[str, TypeAdapter[Any]] = {}  # made when needed: a start from cron needs few
        self._upcasts = dict(upcasts or {})

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self._kinds)

    def encode(self, value: Any) -> dict[str, Any]:
        kind = type(value).__name__
        body: dict[str, Any] = self._adapter(kind).dump_python(value, mode="json")
        return {"is": kind, **body}

    def decode(self, stored: Mapping[str, Any]) -> Any:
        body = dict(stored)
        while (upcast := self._upcasts.get(body["is"])) is not None:
            body = upcast(body)
        kind = body.pop("is")
        return self._adapter(kind).validate_python(body)

    def _adapter(self, kind: str) -> TypeAdapter[Any]:
        if kind not in self._kinds:
            raise UnknownKind(kind)
        if kind not in self._adapters:
            self._adapters[kind] = TypeAdapter(self._kinds[kind])
        return self._adapters[kind]
